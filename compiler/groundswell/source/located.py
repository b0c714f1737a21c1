"""Parsed values together with the places they came from.

A document is kept as plain Python data beside a parallel tree of marks: the data stays cheap to merge and to compare,
and a place is looked up only when something asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Json: TypeAlias = Any
"""What YAML 1.2 core and JSON can hold: dict (string keys), list, str, int, float, bool, None."""

Mark: TypeAlias = tuple[int, int, int, int, "str | None", Any]
"""One node's place: line, column, end line, end column; the scalar's text as written when it is plain and was typed to
something else than a string (else None); the children: None for a scalar, a list of marks for a sequence, and for a
mapping a dict from key to `(key mark, value mark)`."""

PathKey: TypeAlias = "str | int"


@dataclass(frozen=True, slots=True)
class Located:
    """A value, the marks of every node in it, and the file it stands in. The data must not be changed."""

    data: Json
    mark: Mark
    file: str

    @property
    def span(self) -> Span:
        """The place of the value itself."""
        return Span(self.file, *self.mark[:4])

    @property
    def text(self) -> str | None:
        """The scalar's text as written, where it was typed: `1.10` for the float 1.1. None for all others."""
        return self.mark[4]

    def __contains__(self, key: PathKey) -> bool:
        """Whether a child stands under this key or index."""
        if isinstance(self.data, dict):
            return key in self.data
        return isinstance(self.data, list) and isinstance(key, int) and 0 <= key < len(self.data)

    def __getitem__(self, key: PathKey) -> Located:
        """The child under a mapping's key or at a sequence's index."""
        if isinstance(key, str):
            return Located(self.data[key], self.mark[5][key][1], self.file)
        return Located(self.data[key], self.mark[5][key], self.file)

    def items(self) -> Iterator[tuple[str, Located]]:
        """The children of a mapping, in the order written."""
        for key in self.data:
            yield key, self[key]

    def elements(self) -> Iterator[Located]:
        """The children of a sequence."""
        for index in range(len(self.data)):
            yield self[index]

    def key_span(self, key: str) -> Span:
        """The place of a mapping's key."""
        return Span(self.file, *self.mark[5][key][0][:4])

    def find(self, path: Sequence[PathKey]) -> Span:
        """The place of the deepest node along `path` that exists; the key's where the value is empty or missing."""
        node, span = self, self.span
        for key in path:
            if key not in node:
                break
            if isinstance(key, str):
                span = node.key_span(key)
            node = node[key]
            empty = node.mark[:2] == node.mark[2:4]
            if not isinstance(key, str) or not (empty or isinstance(node.data, dict | list)):
                span = node.span
        return span
