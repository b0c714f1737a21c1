"""What the tool that AICR catalogs are written for accepts although its authors can hardly mean it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.catalog.entries import DIMENSIONS
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.aicr_order import SYNONYMS
from groundswell.resolve.chart_version import EXACT_VERSION
from groundswell.resolve.versions import holds, parse_conditions, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import ComponentRef, Mixin, Recipe
    from groundswell.resolve.versions import Condition
    from groundswell.source.span import Span


def remarks(recipes: Mapping[str, Recipe], mixins: Mapping[str, Mixin]) -> Iterator[Diagnostic]:
    """Warnings about overlays that never apply, weakened constraints, and constraints that nothing can satisfy."""
    for recipe in recipes.values():
        yield from _unreachable(recipe)
        yield from _weakened(recipe, recipes)
    documents: list[Recipe | Mixin] = [*recipes.values(), *mixins.values()]
    for document in documents:
        yield from _repeated(document)
        for ref in document.refs:
            yield from moving_version(ref)
        for entry in document.constraints:
            if parse_conditions(entry.value) is None:
                text = f"`{entry.name}` has the value {entry.value!r}, which cannot be read"
                yield codes.BAD_CONSTRAINT(text, entry.span).as_warning()


def moving_version(ref: ComponentRef) -> Iterator[Diagnostic]:
    """An error for a version that no bundle may hold, since Helm takes it for a range."""
    version = ref.fields.data.get("version")
    if isinstance(version, str) and not re.fullmatch(EXACT_VERSION, version):
        text = f"`{ref.name}` has the version `{version}`, which Helm takes for a range"
        yield codes.BAD_VALUE(text, ref.fields.find(("version",)), help="write the one version that is meant")


def _unreachable(recipe: Recipe) -> Iterator[Diagnostic]:
    for name in DIMENSIONS:
        value = (recipe.criteria or {}).get(name, "")
        stated = value.strip().lower()
        stated = SYNONYMS.get(name, {}).get(stated, stated)
        if stated != value:
            text = f"`{recipe.name}` never applies: no query has the {name} `{value}`"
            yield aicr_codes.UNREACHABLE_CRITERIA(text, recipe.span, help=f"write `{stated}`")


def _repeated(document: Recipe | Mixin) -> Iterator[Diagnostic]:
    """Entries that one document has twice: of constraints the later one wins, of refs field by field."""
    places = {
        "constraint": [(entry.name, entry.span) for entry in document.constraints],
        "component": [(ref.name, ref.span) for ref in document.refs],
    }
    for what, named in places.items():
        seen: dict[str, Span] = {}
        for name, span in named:
            if name in seen:
                text = f"the {what} `{name}` has two entries in this document"
                yield aicr_codes.OVERWRITTEN(text, span, related=[Related(seen[name], "the first one")])
            seen.setdefault(name, span)


def _weakened(recipe: Recipe, recipes: Mapping[str, Recipe]) -> Iterator[Diagnostic]:
    """Constraints that ask for less than one of the same name in a base."""
    bases = [name for name in recipe.chain[:-1] if name in recipes]
    inherited = [(lower, name) for name in bases for lower in recipes[name].constraints]
    for entry in recipe.constraints:
        for lower, name in inherited:
            if lower.name == entry.name and not _implies(entry.value, lower.value):
                text = f"`{recipe.name}` asks for {entry.name} `{entry.value}`, its base `{name}` for `{lower.value}`"
                yield aicr_codes.WEAKENED(text, entry.span, related=[Related(lower.span, "no longer asked for")])
                break


def _implies(value: str, lower: str) -> bool:
    """Whether whatever satisfies one constraint's value satisfies the other's."""
    if value == lower:
        return True
    asked = parse_conditions(value, aicr=True) or ()
    return all(any(_stronger(own, other) for own in asked) for other in parse_conditions(lower, aicr=True) or ())


def _stronger(own: Condition, other: Condition) -> bool:
    if own == other:
        return True
    if own.operator in {"", "=="}:
        return holds(other, own.operand) is True
    bounds = {">=": {">=", ">"}, ">": {">=", ">"}, "<=": {"<=", "<"}, "<": {"<=", "<"}}
    if other.operator not in bounds.get(own.operator, ()):
        return False
    mine, theirs = parse_version(own.operand), parse_version(other.operand)
    if mine is None or theirs is None:
        return False
    equal = mine == theirs and not (len(other.operator) == 1 and len(own.operator) == 2)  # noqa: PLR2004  > and >=
    return equal or (mine > theirs if own.operator[0] == ">" else mine < theirs)
