"""CustomResourceDefinitions in printed text without their schemas, which are most of it and seldom needed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

# At column 0 these three dashes begin a document wherever they stand, see `deploy.documents`. The line end before them
# is what makes the search fast.
_MARKER = re.compile(rb"\n---(?=\s)")
_DEFINITION = re.compile(rb"^kind: CustomResourceDefinition\s*$", re.MULTILINE)
# The schema of a version as generators write it: a key of an item of `versions`, and every line that is deeper.
_SCHEMA = re.compile(
    rb"^(?P<at> {2,6})(?:schema:\n(?:(?P=at) .*\n|[ ]*\n)+|(?P<item>- )schema:\n(?:(?P=at)   .*\n|[ ]*\n)+)",
    re.MULTILINE,
)

# A description, with the lines that go on with it. A property of that name holds a map: it begins on the next line, or
# with a brace, an anchor, an alias or a tag.
_DESCRIPTION = re.compile(rb"^(?P<at> +)description: +[^\s{&*!#].*\n(?:(?P=at) .*\n|[ ]*\n)*", re.MULTILINE)


class PutOff(NamedTuple):
    """The lines `start` to `end` (exclusive) of the shortened text stand for `whole`."""

    start: int
    end: int
    whole: bytes


def shortened(text: bytes) -> tuple[bytes, tuple[PutOff, ...]]:
    """The text with `schema: {}` in place of each schema in a definition, and the documents that this was done to.

    A definition in another style than generators' is left as it is, so that nothing is lost: it only takes longer.
    """
    if b"\nkind: CustomResourceDefinition" not in text:
        return text, ()
    edges = [0, *(marker.start() + 1 for marker in _MARKER.finditer(text)), len(text)]
    parts: list[bytes] = []
    put_off: list[PutOff] = []
    line = 1
    for start, end in pairwise(edges):
        whole = text[start:end]
        part = _SCHEMA.sub(_empty, whole) if _DEFINITION.search(whole) else whole
        after = line + part.count(b"\n")
        if part != whole:
            put_off.append(PutOff(line, after, whole))
        parts.append(part)
        line = after
    return b"".join(parts), tuple(put_off)


def undescribed(text: bytes) -> bytes:
    """A definition without its descriptions, which are half of it and say nothing about what is valid."""
    return _DESCRIPTION.sub(b"", text)


def _empty(found: re.Match[bytes]) -> bytes:
    return found["at"] + (found["item"] or b"") + b"schema: {}\n"
