"""The rules of catalogs in the AICR layout (docs/aicr.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.aicr_conflicts import refused
from groundswell.resolve.aicr_merge import merged
from groundswell.resolve.aicr_order import answered, by_candidate, meaning
from groundswell.resolve.constraints import placed
from groundswell.resolve.semantics import Semantics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.catalog.entries import ConstraintEntry
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.layers import Layer
    from groundswell.resolve.resolution import Constraint
    from groundswell.resolve.tree import Tree


def last_stated(
    stated: Sequence[tuple[ConstraintEntry, Layer]],
) -> tuple[tuple[Constraint, ...], tuple[Diagnostic, ...]]:
    """Of the constraints of one name the last one counts, even where it asks for less."""
    last = {entry.name: placed(entry, layer, aicr=True) for entry, layer in stated}
    return tuple(last[name] for name in sorted(last)), ()


def undisputed(_tree: Tree) -> tuple[()]:
    """Nothing is: the last layer decides."""
    return ()


AICR = Semantics(
    meaning=meaning,
    order=by_candidate,
    coverage=answered,
    merge=merged,
    disputes=undisputed,
    conflicts=refused,
    constraints=last_stated,
)
