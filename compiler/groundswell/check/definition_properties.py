"""A definition's text without what its schemas say of properties that no resource has."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Json

_SCHEMA = re.compile(rb"^(?P<at> +)openAPIV3Schema:\n(?P<schema>(?:(?P=at) .*\n|[ ]*\n)+)", re.MULTILINE)
_PARTS = frozenset({b"properties", b"items", b"additionalProperties"})
_SPACES = re.compile(rb" *")
_KEY = re.compile(rb""" *(?P<key>[\w.$/@-]+|"[^"\\\n]*"|'[^'\n]*'):(?=\s)""")
_WORDS = frozenset({b"y", b"n", b"yes", b"no", b"on", b"off", b"true", b"false", b"null"})
# A default on one line that brings no keys with it.
_SCALAR = re.compile(rb" *default: +(?:\{\}|\[\]|[^\s{\[&*].*)\n")


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
    which fields are known. Text in another style than generators' stays as it is; an anchor may be gone that an alias
    refers to, which shows when the text is read.
    """
    known = {name.encode() for name in names}
    return _SCHEMA.sub(lambda found: found[0].removesuffix(found["schema"]) + _schema(found["schema"], known), text)


def _schema(block: bytes, known: set[bytes]) -> bytes:
    """The lines of a schema; whole where its default may have keys that are not known."""
    entries = _entries(block)
    if any(word == b"default" and not _SCALAR.fullmatch(lines) for word, lines in entries):
        return block
    for index, (word, lines) in enumerate(entries):
        line, below = _split(lines)
        if below and word in _PARTS:
            entries[index] = word, line + (_properties if word == b"properties" else _schema)(below, known)
    return b"".join(lines for _, lines in entries) or block


def _properties(block: bytes, known: set[bytes]) -> bytes:
    """The lines of a map from names to schemas."""
    entries = _entries(block)
    for index, (name, lines) in enumerate(entries):
        line, below = _split(lines)
        if below and (name in known or _is_typed(name) or _has_default(below)):
            entries[index] = name, line + _schema(below, known)
        elif below:
            entries[index] = name, line.replace(b":\n", b": {}\n")
    return b"".join(lines for _, lines in entries) or block


def _split(lines: bytes) -> tuple[bytes, bytes]:
    """The line of a key, and those below it when its value is in block style, else b""."""
    line, end, below = lines.partition(b":\n")
    return (line + end, below) if b"\n" not in line else (lines, b"")


def _has_default(schema: bytes) -> bool:
    """Whether there may be one, which puts the property where it is not."""
    if b"default" not in schema:
        return False
    entries = _entries(schema)
    return not entries or any(word == b"default" for word, _ in entries)


def _is_typed(name: bytes) -> bool:
    """Whether a bare key may be read as something else than text, by which a resource calls it: `n` is false."""
    return not name[:1].isalpha() or name.lower() in _WORDS


def _entries(block: bytes) -> list[tuple[bytes, bytes]]:
    """The keys of a map in block style, each with all its lines; none when it is written in another way."""
    starts = [0, *(found.start() + 1 for found in _line(_indent(block)).finditer(block)), len(block)]
    entries = [block[start:end] for start, end in pairwise(starts)]
    keys = [_KEY.match(entry) for entry in entries]
    return (
        [(key["key"].strip(b"\"'"), entry) for key, entry in zip(keys, entries, strict=True) if key]
        if all(keys)
        else []
    )


def _indent(block: bytes) -> int:
    spaces = _SPACES.match(block)
    return spaces.end() if spaces else 0


@cache
def _line(indent: int) -> re.Pattern[bytes]:
    """The beginning of a line that is indented by so many spaces, unless it goes on with a list at its key's depth."""
    return re.compile(rb"\n {%d}(?![ \n]|- )" % indent)
