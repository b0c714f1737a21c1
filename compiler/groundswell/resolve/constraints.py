"""Constraints of one name hold together (docs/resolution.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.resolution import Constraint
from groundswell.resolve.versions import parse_conditions, satisfiable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.catalog.entries import ConstraintEntry


def conjunction(
    stated: Sequence[tuple[ConstraintEntry, str]],
) -> tuple[tuple[Constraint, ...], tuple[Diagnostic, ...]]:
    """Combine what the layers ask for, lowest first, each entry with its layer's label.

    Returns:
        The conjuncts by name in the order stated, and an error for every name that no cluster can satisfy.
    """
    by_name: dict[str, list[tuple[ConstraintEntry, str]]] = {}
    for entry, layer in stated:
        entries = by_name.setdefault(entry.name, [])
        if entry.replace:
            entries.clear()
        entries.append((entry, layer))
    findings = [finding for name in sorted(by_name) if (finding := _check(name, by_name[name]))]
    constraints = [placed(*pair) for name in sorted(by_name) for pair in by_name[name]]
    return tuple(constraints), tuple(findings)


def joined(constraints: Sequence[Constraint]) -> dict[str, str]:
    """One text per name: the different conjuncts joined by commas, in the order stated."""
    values: dict[str, dict[str, None]] = {}
    for constraint in constraints:
        values.setdefault(constraint.name, {})[constraint.value] = None
    return {name: ", ".join(texts) for name, texts in values.items()}


def placed(entry: ConstraintEntry, layer: str) -> Constraint:
    """A constraint with the layer that asks for it, by its label, and the place."""
    span = entry.span
    return Constraint(entry.name, entry.value, layer, span.file, span.line, span.column)


def _check(name: str, entries: Sequence[tuple[ConstraintEntry, str]]) -> Diagnostic | None:
    conditions = [condition for entry, _ in entries for condition in parse_conditions(entry.value) or ()]
    if satisfiable(conditions):
        return None
    *others, (last, layer) = entries
    related = [Related(entry.span, f"{label} asks for {entry.value}") for entry, label in others]
    return codes.UNSATISFIABLE(
        f"no cluster has `{name}` {last.value} ({layer}) and what others ask", last.span, related=related
    )
