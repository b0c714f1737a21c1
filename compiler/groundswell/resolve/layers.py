"""The layers that take part in a resolution, and what each of them wrote."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.catalog.entries import Mixin, Recipe
    from groundswell.source.located import Json, Mark
    from groundswell.source.span import Span


class Kind(IntEnum):
    """What a layer is, from the lowest to the one that wins over all."""

    COMPONENT = 0
    RECIPE = 1
    MIXIN = 2
    HOSTS = 3
    FLAG = 4
    SETTING = 5
    ENFORCED = 6


HOSTS_LABEL = "cluster"
"""What the labels of layers begin with that are the hosts of a Cluster file."""

_LABELS = {
    Kind.COMPONENT: "component",
    Kind.RECIPE: "recipe",
    Kind.MIXIN: "mixin",
    Kind.HOSTS: HOSTS_LABEL,
    Kind.FLAG: "",
    Kind.SETTING: "",
    Kind.ENFORCED: "mixin",
}


class Layer(NamedTuple):
    """One layer: its kind and name, the reason that it takes part, and for a recipe its rank and its chain of bases."""

    kind: Kind
    name: str
    reason: str
    rank: int = 0
    chain: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How people call the layer: `recipe h100`, `--set`."""
        return f"{_LABELS[self.kind]} {self.name}".strip()

    @property
    def is_option(self) -> bool:
        """Whether it is a flag or setting of the command line, which stands in no file."""
        return self.kind in {Kind.FLAG, Kind.SETTING}

    def above(self, other: Layer) -> bool:
        """Whether it is the other one, or certain to have the last word where both speak: names do not decide that."""
        if self.kind is not other.kind or self == other:
            return self.kind >= other.kind
        return self.rank > other.rank or (self.kind is Kind.RECIPE and other.name in self.chain)

    def rivals(self, other: Layer) -> bool:
        """Whether the two must not say different things, since neither stands above the other."""
        if Kind.MIXIN in {self.kind, other.kind}:
            return {self.kind, other.kind} <= {Kind.MIXIN, Kind.RECIPE} and self != other
        return self.kind is other.kind is Kind.RECIPE and self.rank == other.rank and not self.related(other)

    def related(self, other: Layer) -> bool:
        """Whether one of two recipes is the other's base (or the same, patched)."""
        return self.name in other.chain or other.name in self.chain or self.name == other.name


class Applied(NamedTuple):
    """The documents that a query leads to, lowest first, each with its layer: recipes, then mixins."""

    recipes: tuple[tuple[Recipe, Layer], ...]
    mixins: tuple[tuple[Mixin, Layer], ...]


class Write(NamedTuple):
    """One layer's say on one path. `action` is set, delete (an explicit null) or unset; `number` gives the order."""

    number: int
    layer: Layer
    action: str
    value: Json
    span: Span

    def differs(self, other: Write) -> bool:
        """Whether the two leave different results behind: `1` and `true` are different, key order is not."""
        return self.action != other.action or not same(self.value, other.value)


def same(a: Json, b: Json) -> bool:
    """Equality of values that tells true from 1 and 1 from 1.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def unplaced(data: Json, file: str = "") -> Located:
    """A value that stands in no file, such as one from an option."""
    return Located(data, _unplaced_mark(data), file)


def inside(path: Sequence[str], value: Located) -> Located:
    """A value inside the maps that its path goes through."""
    for key in reversed(path):
        mark: Mark = (*value.mark[:4], None, {key: (value.mark, value.mark)})
        value = Located({key: value.data}, mark, value.file)
    return value


def _unplaced_mark(data: Json) -> Mark:
    children: object = None
    if isinstance(data, dict):
        children = {key: (_NOWHERE, _unplaced_mark(value)) for key, value in data.items()}
    elif isinstance(data, list):
        children = [_unplaced_mark(value) for value in data]
    return (*_NOWHERE[:5], children)


_NOWHERE: Mark = (0, 0, 0, 0, None, None)
