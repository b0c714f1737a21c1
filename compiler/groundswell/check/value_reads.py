"""The values that a chart's templates and its schema name, as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, TypeAlias

Path: TypeAlias = "tuple[str, ...]"

ANY = "*"
"""Stands in a tree for each key of a map: a template goes through them all."""


class Use(IntEnum):
    """What becomes of a value: a template names it, hands it to where nobody can follow, or prints all of it."""

    NAMED = 0
    HANDED_ON = 1
    PRINTED = 2


class Reached(NamedTuple):
    """The most that becomes of a path and of what holds it; whether the path is named, and others below it."""

    use: Use
    named: bool
    below: bool

    @property
    def reached(self) -> bool:
        """Whether templates may make anything of it."""
        return self.named or self.use is not Use.NAMED


@dataclass(slots=True)
class Reads:
    """A value that templates read, and those below it."""

    use: Use = Use.NAMED
    below: dict[str, Reads] = field(default_factory=dict)

    def add(self, path: Path, use: Use = Use.NAMED) -> None:
        """Note that a value below this one is read."""
        node = self
        for key in path:
            node = node.below.setdefault(key, Reads())
        node.use = max(node.use, use)

    def at(self, path: Path) -> Reached:
        """What templates make of a path."""
        use, nodes = self.use, [self]
        for key in path:
            nodes = [node.below[name] for node in nodes for name in (key, ANY) if name in node.below]
            use = max([use, *(node.use for node in nodes)])
        return Reached(use, bool(nodes), any(node.below for node in nodes))
