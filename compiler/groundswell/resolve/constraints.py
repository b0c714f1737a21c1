"""Constraints of one name hold together (docs/resolution.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.layers import Kind, Layer
from groundswell.resolve.resolution import Constraint
from groundswell.resolve.versions import implies, parse_conditions, satisfiable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.catalog.entries import ConstraintEntry
    from groundswell.resolve.versions import Condition

    Stated = tuple[ConstraintEntry, Layer]


def conjunction(stated: Sequence[Stated]) -> tuple[tuple[Constraint, ...], tuple[Diagnostic, ...]]:
    """Combine what the layers ask for, lowest first.

    `replace: true` drops what lower layers ask for under the name. Of two layers of which neither is the lower one,
    none may drop what the other asks for: only their names would decide.

    Returns:
        The conjuncts by name in the order stated, and an error for every name that two such layers dispute, or that no
        cluster can satisfy.
    """
    by_name: dict[str, list[Stated]] = {}
    findings = []
    for entry, layer in stated:
        by_name.setdefault(entry.name, []).append((entry, layer))
    for name in sorted(by_name):
        disputes = list(_disputes(by_name[name]))
        entries = by_name[name] = _left(by_name[name])
        findings += disputes or _check(name, entries)
    constraints = [placed(*pair) for name in sorted(by_name) for pair in by_name[name]]
    return tuple(constraints), tuple(findings)


def conditions(constraint: Constraint) -> tuple[Condition, ...] | None:
    """What a constraint compares, by the rules of the catalog that it comes from; None when it cannot be read."""
    return parse_conditions(constraint.value, aicr=constraint.aicr)


def joined(constraints: Sequence[Constraint]) -> dict[str, str]:
    """One text per name: the different conjuncts joined by commas, in the order stated."""
    values: dict[str, dict[str, None]] = {}
    for constraint in constraints:
        values.setdefault(constraint.name, {})[constraint.value] = None
    return {name: ", ".join(texts) for name, texts in values.items()}


def needed(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """The constraints without comparisons that another one of the same name makes needless: what they come to.

    That is for people: a cluster that does not fit is still told everything that it misses.
    """
    asked: dict[str, dict[Condition, None]] = {}
    for constraint in constraints:
        asked.setdefault(constraint.name, {}).update(dict.fromkeys(conditions(constraint) or ()))
    left = {name: _strictest([*every]) for name, every in asked.items()}
    result = []
    for constraint in constraints:
        own, wanted = conditions(constraint) or (), left[constraint.name]
        kept = [condition for condition in own if condition in wanted]
        wanted.difference_update(kept)  # the next one that asks the same says nothing new
        if len(kept) == len(own):
            result.append(constraint)
        elif kept:
            texts = [f"{item.operator} {item.operand}".strip() for item in kept]
            result.append(constraint._replace(value=", ".join(texts)))
    return tuple(result)


def _strictest(every: Sequence[Condition]) -> set[Condition]:
    """The conditions that none of the others implies; of some that imply each other, the first."""
    return {
        condition
        for number, condition in enumerate(every)
        if not any(
            implies(other, condition) and (at < number or not implies(condition, other))
            for at, other in enumerate(every)
            if at != number
        )
    }


def placed(entry: ConstraintEntry, layer: Layer, *, aicr: bool = False) -> Constraint:
    """A constraint with the layer that asks for it, by its label, and the place."""
    span = entry.span
    return Constraint(entry.name, entry.value, layer.label, span.file, span.line, span.column, aicr)


def _left(entries: Sequence[Stated]) -> list[Stated]:
    """The entries of one name that no entry above them drops. Below a component is only what a patch of it lies on."""
    left: list[Stated] = []
    for entry, layer in entries:
        if entry.replace:
            left = [(other, its) for other, its in left if _beside(its, layer) and layer.kind is Kind.COMPONENT]
        left.append((entry, layer))
    return left


def _beside(layer: Layer, other: Layer) -> bool:
    """Whether neither of two layers is the lower one, so that only names put them in order."""
    if layer.kind is not other.kind or layer.name == other.name:
        return False
    return layer.kind is not Kind.RECIPE or (layer.rank == other.rank and not layer.related(other))


def _disputes(entries: Sequence[Stated]) -> Iterator[Diagnostic]:
    """Errors for a recipe or mixin that drops what one beside it asks for, unless one above them drops both."""
    for number, (entry, layer) in enumerate(entries):
        for later, (other, its) in enumerate(entries[number + 1 :], start=number + 1):
            if layer.kind is Kind.COMPONENT or not _beside(layer, its) or entry.value == other.value:
                continue
            above = entries[later + 1 :]
            decided = any(top.replace and not (_beside(layer, at) or _beside(its, at)) for top, at in above)
            if (entry.replace or other.replace) and not decided:
                yield _dispute(entry, layer, other, its)


def _dispute(entry: ConstraintEntry, layer: Layer, other: ConstraintEntry, its: Layer) -> Diagnostic:
    replacing, name = (entry, layer.label) if entry.replace else (other, its.label)
    beside, label = (other, its.label) if entry.replace else (entry, layer.label)
    text = (
        f"{name} replaces the constraint `{entry.name}`, and {label}, which is no lower layer, asks for another value"
    )
    related = [Related(beside.span, f"{label} asks for {beside.value}")]
    if layer.kind is Kind.MIXIN:
        return codes.MIXIN_CONFLICT(text, replacing.span, related=related, help="take it out of one of them")
    return codes.TIE(text, replacing.span, related=related, help="decide it in a recipe with the criteria of both")


def _check(name: str, entries: Sequence[Stated]) -> list[Diagnostic]:
    asked = [condition for entry, _ in entries for condition in parse_conditions(entry.value) or ()]
    if satisfiable(asked):
        return []
    *others, (last, layer) = entries
    related = [Related(entry.span, f"{other.label} asks for {entry.value}") for entry, other in others]
    text = f"no cluster has `{name}` {last.value} ({layer.label}) and what others ask"
    return [codes.UNSATISFIABLE(text, last.span, related=related)]
