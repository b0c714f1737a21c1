"""The leaves of maps of values, and which of two that speak about one place differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.resolve.layers import same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.resolve.resolution import Path
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span


class Leaf(NamedTuple):
    """A scalar, list, null or empty map at its path."""

    path: Path
    value: Json
    span: Span

    @property
    def empty_map(self) -> bool:
        """Whether it says nothing but that there is a map."""
        return isinstance(self.value, dict)

    def differs(self, other: Leaf) -> bool:
        """Whether merging both in either order loses what one of them says."""
        if self.path == other.path:
            return not same(self.value, other.value)
        if self.value is None and other.value is None:
            return False
        if within(other.path, self.path):
            return not self.empty_map
        return within(self.path, other.path) and not other.empty_map


def leaves(values: Located, path: Path = ()) -> Iterator[Leaf]:
    """Every leaf of a map of values in the order written; the map itself when it is empty."""
    if not isinstance(values.data, dict) or not values.data:
        yield Leaf(path, values.data, values.span)
        return
    for key, child in values.items():
        yield from leaves(child, (*path, key))


def value_at(values: Json, path: Iterable[str]) -> Json:
    """What stands at a path, None when nothing does."""
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def within(path: Path, above: Path) -> bool:
    """Whether a path is another one or lies below it."""
    return path[: len(above)] == above
