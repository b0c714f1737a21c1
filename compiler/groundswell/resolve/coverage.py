"""A query is answered whole or not at all (docs/resolution.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.entries import DIMENSIONS
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.diagnostics.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.catalog.entries import Catalog, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query


def coverage(catalog: Catalog, query: Query, applied: Sequence[Recipe]) -> tuple[Diagnostic, ...]:
    """Errors for dimensions that no applied recipe carries, and for a combination that is not on the support list.

    What to ask instead is not part of them (`resolve.nearest`): it takes longer to find out.
    """
    if not query.criteria:
        if query.last:
            text = f"the recipe `{query.last.name}` states no criteria, and they are the query"
            hint = "state in its `spec.criteria` what it is for, such as `criteria: {service: metal}`"
            return (codes.NO_CRITERIA(text, query.last.span, help=hint),)
        return (codes.NO_CRITERIA("the query states no criteria"),)
    carried = {item for recipe in applied for item in recipe.effective.items()}
    missing = [d for d in DIMENSIONS if d in query.criteria and (d, query.criteria[d]) not in carried]
    if missing:
        return tuple(_not_covered(catalog, query, dimension) for dimension in missing)
    unsupporting = any(recipe.layer not in catalog.supporting for recipe in applied)
    if not catalog.combinations or unsupporting or listed(catalog, query.criteria):
        return ()
    text = f"the catalog does not stand behind {describe(query.criteria)}"
    finding = codes.UNSUPPORTED(text)
    return (finding.as_warning() if query.allow_unsupported else finding,)


def covered(catalog: Catalog, query: Query) -> bool:
    """Whether the catalog answers a query, by the rules of its format."""
    applied = [recipe for recipe, _ in catalog.semantics.order(catalog.recipes, query)]
    return not failed(catalog.semantics.coverage(catalog, query, applied))


def describe(criteria: Mapping[str, str]) -> str:
    """Criteria as options of the command line."""
    return " ".join(f"--{dimension} {criteria[dimension]}" for dimension in DIMENSIONS if dimension in criteria)


def listed(catalog: Catalog, criteria: Mapping[str, str]) -> bool:
    """Whether one line of the support list has all of these values."""
    return any(
        all(value in line.values.get(dimension, ()) for dimension, value in criteria.items())
        for line in catalog.combinations
    )


def kept_apart(catalog: Catalog, criteria: Mapping[str, str]) -> bool:
    """Whether the support list knows these values, each on some line, and has no line with all of them together.

    Values that it does not know are left out: nobody has said with what they go.
    """
    known = {
        dimension: value
        for dimension, value in criteria.items()
        if any(value in line.values.get(dimension, ()) for line in catalog.combinations)
    }
    return bool(catalog.combinations) and not listed(catalog, known)


def _not_covered(catalog: Catalog, query: Query, dimension: str) -> Diagnostic:
    value = query.criteria[dimension]
    known = sorted(other for name, other in catalog.carried if name == dimension)
    hint = ""
    if value not in known:
        carried = f"recipes carry {dimension} {', '.join(known) or 'nowhere'}"
        hint = f"{suggestion(value, known)} {carried}".strip()
    return codes.NOT_COVERED(f"no recipe that applies carries {dimension} `{value}`", help=hint)
