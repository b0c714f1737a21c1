"""Explicit tags: which are known, and what they make of a scalar."""

from __future__ import annotations

from typing import Final

from groundswell.diagnostics.codes import source as codes
from groundswell.source.scalars import Dialect, Doubt, Plain, plain

_PREFIX: Final = "tag:yaml.org,2002:"
MERGE_TAG: Final = f"{_PREFIX}merge"
_TYPES: Final = {
    f"{_PREFIX}int": (int,),
    f"{_PREFIX}float": (float, int),
    f"{_PREFIX}bool": (bool,),
    f"{_PREFIX}null": (type(None),),
}


def tagged(tag: str, text: str, dialect: Dialect) -> Plain:
    """Read a scalar with an explicit tag as YAML 1.2 core does; a tag that is unknown or does not fit is a doubt."""
    if tag == f"{_PREFIX}str":
        return Plain(text, None, None)
    if tag not in _TYPES:
        return Plain(text, None, unknown(tag))
    read = plain(text or "null", dialect)
    if type(read.value) not in _TYPES[tag]:
        message = f"`{text}` is no value of the tag `{shown(tag)}`"
        return Plain(text, None, Doubt(codes.TAG_MISMATCH, message, "remove the tag, or write a value of its type"))
    value = float(read.value) if isinstance(read.value, int) and float in _TYPES[tag] else read.value
    return Plain(value, text, read.doubt)


def collection_doubt(tag: str | None, kind: str) -> Doubt | None:
    """What is wrong with the tag of a collection of this kind (`map` or `seq`), if anything."""
    return None if tag is None or tag == _PREFIX + kind else unknown(tag)


def unknown(tag: str) -> Doubt:
    """The finding about a tag that is not in the core schema, or not one of collections."""
    return Doubt(
        codes.UNKNOWN_TAG,
        f"the tag `{shown(tag)}` is not known here",
        "remove the tag, or write the value it stands for",
    )


def shown(tag: str) -> str:
    """The tag as people write it."""
    return f"!!{tag.removeprefix(_PREFIX)}" if tag.startswith(_PREFIX) else tag
