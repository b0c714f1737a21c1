"""A definition's text without what its schemas say of properties that no resource has."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Json

_SCHEMA = re.compile(rb"^(?P<at> +)openAPIV3Schema:\n(?P<schema>(?:(?P=at) .*\n|[ ]*\n)+)", re.MULTILINE)
_PARTS = frozenset({b"items", b"additionalProperties"})
# A default on one line that brings no keys with it.
_SCALAR = re.compile(rb" *default: +(?:\{\}|\[\]|[^\s{\[&*].*)\n")
# An alias, whose anchor may be gone.
_ALIAS = re.compile(rb"[:-] +\*")


def keys_in(value: Json) -> Iterator[str]:
    """Every key in a value, however deep."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield key
            yield from keys_in(child)
    elif isinstance(value, list):
        for child in value:
            yield from keys_in(child)


def trimmed(text: bytes, names: frozenset[str]) -> bytes:
    """The text with `{}` for each property that has no default and is called none of `names`.

    What is said of such a property decides nothing about a value in which no key has its name; that it is there tells
    which fields are known. Text in another style than generators' stays as it is.
    """
    known = {name.encode() for name in names}
    short = _SCHEMA.sub(lambda found: found[0].removesuffix(found["schema"]) + _schema(found["schema"], known), text)
    return text if _ALIAS.search(short) else short


def _schema(block: bytes, known: set[bytes]) -> bytes:
    """The lines of a schema; whole where its default may have keys that are not known."""
    entries = _entries(block)
    if any(word == b"default" and not _SCALAR.fullmatch(lines) for word, lines in entries):
        return block
    for index, (word, lines) in enumerate(entries):
        line, end, below = lines.partition(b":\n")
        if word == b"properties":
            entries[index] = word, line + end + _properties(below, known)
        elif word in _PARTS:
            entries[index] = word, line + end + _schema(below, known)
    return b"".join(lines for _, lines in entries) or block


def _properties(block: bytes, known: set[bytes]) -> bytes:
    """The lines of a map from names to schemas."""
    entries = _entries(block)
    for index, (name, lines) in enumerate(entries):
        line, end, below = lines.partition(b":\n")
        if name in known or _has_default(below):
            entries[index] = name, line + end + _schema(below, known)
        elif end:
            entries[index] = name, line + b": {}\n"
    return b"".join(lines for _, lines in entries) or block


def _has_default(schema: bytes) -> bool:
    """Whether there may be one, which puts the property where it is not."""
    return b"\n" + b" " * _indent(schema) + b"default:" in b"\n" + schema


def _entries(block: bytes) -> list[tuple[bytes, bytes]]:
    """The keys of a map in block style, each with all its lines; none when it is written in another way."""
    found = [(entry["key"].strip(b"\"'"), entry[0]) for entry in _entry(_indent(block)).finditer(block)]
    return found if sum(len(lines) for _, lines in found) == len(block) else []


def _indent(block: bytes) -> int:
    return len(block) - len(block.lstrip(b" "))


@cache
def _entry(indent: int) -> re.Pattern[bytes]:
    """A key that is indented by so many spaces, with what is below it: lists may stand at their key's indentation."""
    at = rb" {%d}" % indent
    key = rb"""(?P<key>[\w.$/@-]+|"[^"\n]*"|'[^'\n]*')"""
    return re.compile(rb"^" + at + key + rb":(?=\s).*\n(?:" + at + rb"(?: |- ).*\n|[ ]*\n)*", re.MULTILINE)
