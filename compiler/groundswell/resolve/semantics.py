"""The rules of one catalog format, as a value that the resolver takes (docs/aicr.md).

What differs between formats is a field here; nothing else asks where a document came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.resolve.conflicts import all_conflicts, disputes
from groundswell.resolve.constraints import conjunction
from groundswell.resolve.coverage import coverage
from groundswell.resolve.order import by_rank
from groundswell.resolve.stack import stacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, ComponentEntry, ComponentRef, ConstraintEntry, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.layers import Applied, Layer
    from groundswell.resolve.query import Query
    from groundswell.resolve.resolution import Constraint, Path
    from groundswell.resolve.stack import Stack
    from groundswell.resolve.tree import Tree


class Semantics(NamedTuple):
    """The rules, in the order in which the resolver asks for them.

    `meaning` turns criteria as users state them into those that recipes are written with. `order` chooses the recipes
    and puts them in order, lowest first. `coverage` finds what of the query they leave unanswered. `merge` makes one
    component of its entry and of what the layers say on it. `disputes` finds the paths of a tree of which layers leave
    open what holds, and `conflicts` all that they must not say together.
    `constraints` combines what the layers ask of the cluster, each entry with its layer.
    """

    meaning: Callable[[Mapping[str, str]], Mapping[str, str]]
    order: Callable[[Mapping[str, Recipe], Query], tuple[tuple[Recipe, Layer], ...]]
    coverage: Callable[[Catalog, Query, Sequence[Recipe]], Iterable[Diagnostic]]
    merge: Callable[[ComponentEntry, Sequence[tuple[ComponentRef, Layer]]], Stack]
    disputes: Callable[[Tree], Iterable[tuple[Path, Diagnostic]]]
    conflicts: Callable[[Applied, Mapping[str, Stack]], Iterable[Diagnostic]]
    constraints: Callable[
        [Sequence[tuple[ConstraintEntry, Layer]]], tuple[tuple[Constraint, ...], tuple[Diagnostic, ...]]
    ]


GROUNDSWELL = Semantics(
    meaning=dict,
    order=by_rank,
    coverage=coverage,
    merge=stacked,
    disputes=disputes,
    conflicts=all_conflicts,
    constraints=conjunction,
)
"""The rules of this project's own catalog format."""
