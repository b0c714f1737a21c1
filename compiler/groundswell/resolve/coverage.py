"""A query is answered whole or not at all (docs/resolution.md)."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from groundswell.catalog.entries import DIMENSIONS
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, Combination, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query

_SUGGESTIONS = 3


def coverage(catalog: Catalog, query: Query, applied: Sequence[Recipe]) -> tuple[Diagnostic, ...]:
    """Errors for dimensions that no applied recipe carries, and for a combination that is not on the support list."""
    if not query.criteria:
        if query.last:
            text = f"the recipe `{query.last.name}` states no criteria, and they are the query"
            hint = "state in its `spec.criteria` what it is for, such as `criteria: {service: metal}`"
            return (codes.NO_CRITERIA(text, query.last.span, help=hint),)
        return (codes.NO_CRITERIA("the query states no criteria"),)
    carried = {item for recipe in applied for item in recipe.effective.items()}
    missing = [d for d in DIMENSIONS if d in query.criteria and (d, query.criteria[d]) not in carried]
    hint = _hint(catalog, query)
    if missing:
        return tuple(_not_covered(catalog, query, dimension, hint) for dimension in missing)
    unsupporting = any(recipe.layer not in catalog.supporting for recipe in applied)
    if not catalog.combinations or unsupporting or any(_fits(line, query.criteria) for line in catalog.combinations):
        return ()
    text = f"the catalog does not stand behind {describe(query.criteria)}"
    finding = codes.UNSUPPORTED(text, help=hint)
    return (finding.as_warning() if query.allow_unsupported else finding,)


def describe(criteria: Mapping[str, str]) -> str:
    """Criteria as options of the command line."""
    return " ".join(f"--{dimension} {criteria[dimension]}" for dimension in DIMENSIONS if dimension in criteria)


def nearest_complete(combinations: Iterable[Combination], criteria: Mapping[str, str]) -> list[dict[str, str]]:
    """Complete queries of the support list that keep most of what was asked, the nearest first.

    A complete query states each dimension of its line, except that a platform is only added when the query has one.
    """
    found: dict[tuple[tuple[str, str], ...], tuple[int, int, int, str]] = {}
    for line in combinations:
        for query in _complete(line, criteria):
            kept = sum(query.get(dimension) == value for dimension, value in criteria.items())
            lost = len(criteria.keys() - query.keys())
            found[tuple(query.items())] = (-kept, lost, len(query), describe(query))
    return [dict(items) for items in sorted(found, key=lambda items: found[items])]


def _complete(line: Combination, criteria: Mapping[str, str]) -> Iterable[dict[str, str]]:
    dimensions = [d for d in DIMENSIONS if d in line.values and (d != "platform" or d in criteria)]
    choices: list[tuple[str, ...]] = []
    for dimension in dimensions:
        values, wanted = line.values[dimension], criteria.get(dimension)
        if wanted is None:
            choices.append(values[:1])
        else:
            choices.append((wanted,) if wanted in values else values)
    for values in product(*choices):
        yield dict(zip(dimensions, values, strict=True))


def _fits(line: Combination, criteria: Mapping[str, str]) -> bool:
    return all(value in line.values.get(dimension, ()) for dimension, value in criteria.items())


def _not_covered(catalog: Catalog, query: Query, dimension: str, hint: str) -> Diagnostic:
    value = query.criteria[dimension]
    known = sorted(
        {recipe.effective[dimension] for recipe in catalog.recipes.values() if dimension in recipe.effective}
    )
    text = f"no recipe that applies carries {dimension} `{value}`"
    if value not in known:
        guess = nearest(value, known)
        meant = f"did you mean `{guess}`? " if guess else ""
        hint = f"{meant}recipes carry {dimension} {', '.join(known) or 'nowhere'}; {hint}".rstrip("; ")
    return codes.NOT_COVERED(text, help=hint)


def _hint(catalog: Catalog, query: Query) -> str:
    if not catalog.combinations:
        return ""
    queries = nearest_complete(catalog.combinations, query.criteria)[:_SUGGESTIONS]
    return "nearest complete queries: " + " | ".join(describe(item) for item in queries)
