"""The rules of one catalog format, as a value that the resolver takes (design: the AICR layout).

What differs between formats is a field here; nothing else asks where a document came from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.resolve.conflicts import conflicts
from groundswell.resolve.constraints import conjunction
from groundswell.resolve.order import by_rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.catalog.entries import ConstraintEntry, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.layers import Layer
    from groundswell.resolve.query import Query
    from groundswell.resolve.resolution import Constraint
    from groundswell.resolve.tree import Tree


@dataclass(frozen=True, slots=True)
class Semantics:
    """How recipes are chosen and ordered, what counts as a conflict, and how constraints of one name combine."""

    order: Callable[[Mapping[str, Recipe], Query], tuple[tuple[Recipe, Layer], ...]]
    conflicts: Callable[[Tree], Iterable[Diagnostic]]
    constraints: Callable[
        [Sequence[tuple[ConstraintEntry, str]]], tuple[tuple[Constraint, ...], tuple[Diagnostic, ...]]
    ]


GROUNDSWELL = Semantics(order=by_rank, conflicts=conflicts, constraints=conjunction)
"""The rules of this project's own catalog format."""
