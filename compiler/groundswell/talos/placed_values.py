"""Values made of placed ones, as the resolver takes them: each knows the line of the Cluster file behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from groundswell.source.located import Located
from groundswell.talos.cluster import Placed

if TYPE_CHECKING:
    from groundswell.source.located import Json, Mark

Tree: TypeAlias = "Mapping[str, Tree] | Sequence[Tree] | Placed[str] | Placed[int]"
"""Maps and lists that end in placed scalars."""


def located(tree: Tree, file: str) -> Located:
    """A tree as a value in a file; maps and lists stand where their first leaf does. There must be a leaf."""
    return Located(_data(tree), _mark(tree), file)


def _data(tree: Tree) -> Json:
    if isinstance(tree, Placed):
        return tree.value
    if isinstance(tree, Mapping):
        return {key: _data(child) for key, child in tree.items()}
    return [_data(child) for child in tree]


def _mark(tree: Tree) -> Mark:
    if isinstance(tree, Placed):
        return (*tree.span[1:], None, None)
    if isinstance(tree, Mapping):
        marks = {key: _mark(child) for key, child in tree.items()}
        return (*next(iter(marks.values()))[:4], None, {key: (mark, mark) for key, mark in marks.items()})
    items = [_mark(child) for child in tree]
    return (*items[0][:4], None, items)
