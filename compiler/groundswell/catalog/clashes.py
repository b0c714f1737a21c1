"""What the resolver and the planner refuse in some query that the catalog covers (`catalog check`).

Two documents that must not differ meet in every query that states what both are for. So one query for each recipe and
for each two recipes that can apply together shows them all, the smallest that brings both. Two recipes that speak of
nothing in common need none. In the AICR layout nothing clashes with its like, and each overlay is asked for by itself.

A catalog on top lifts the support list for queries that apply a recipe of its own. What the list keeps apart is no
query that it was made for all the same, unless such a recipe itself states it.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from groundswell.catalog.entries import DIMENSIONS
from groundswell.catalog.files import Layout
from groundswell.diagnostics.codes.plan import EMPTY_PLAN
from groundswell.diagnostics.codes.resolve import UNSTATED
from groundswell.diagnostics.diagnostic import Diagnostic, Severity, failed
from groundswell.plan.build import build_plan
from groundswell.resolve.coverage import describe, kept_apart, listed
from groundswell.resolve.query import Query
from groundswell.resolve.resolver import attempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, Mixin, Recipe
    from groundswell.catalog.files import CatalogFiles


def clashes(catalog: Catalog, files: CatalogFiles) -> tuple[Diagnostic, ...]:
    """The errors of all these queries, each once and with the smallest query that shows it.

    With catalogs of the user's only those that have a place in them.
    """
    queries = _queries(catalog) if files.layout is Layout.OWN else _own_criteria(catalog)
    found: dict[tuple[object, ...], Diagnostic] = {}
    for criteria in sorted(queries, key=lambda criteria: (len(criteria), sorted(criteria.items()))):
        count = criteria.get("nodes")
        stated = {name: value for name, value in criteria.items() if name in DIMENSIONS}
        query = Query(stated, int(count) if count else None)
        applied = [recipe for recipe, _ in catalog.semantics.order(catalog.recipes, query)]
        if not _meant(catalog, query, applied):
            continue
        asked = f"the query {describe(stated)}{f' --nodes {count}' if count else ''} shows it"
        way_out = _way_out(catalog, query, applied)
        for finding in _errors(catalog, query):
            shown = finding._replace(help="; ".join(part for part in (finding.help, asked, way_out) if part))
            # The same places say it once, whatever the names of the query are in the message.
            if _judged(finding, files):
                found.setdefault((finding.code, finding.span or finding.message, finding.related), shown)
    return tuple(found.values())


def _judged(finding: Diagnostic, files: CatalogFiles) -> bool:
    spans = [span for span in (finding.span, *(item.span for item in finding.related)) if span]
    return not spans or any(files.judges(span.file) for span in spans)


def _meant(catalog: Catalog, query: Query, applied: Sequence[Recipe]) -> bool:
    """Whether the catalog answers a query that somebody has had in mind."""
    if failed(catalog.semantics.coverage(catalog, query, applied)):
        return False
    free = (recipe for recipe in applied if recipe.layer not in catalog.supporting)
    return not kept_apart(catalog, query.criteria) or any(kept_apart(catalog, recipe.effective) for recipe in free)


def _way_out(catalog: Catalog, query: Query, applied: Sequence[Recipe]) -> str:
    """How a recipe that lifts the support list stays out of a query that it was not made for."""
    free = [recipe for recipe in applied if recipe.layer not in catalog.supporting and recipe.criteria is not None]
    if not catalog.combinations or not free:
        return ""
    open_to = [f"`{dimension}`" for dimension in query.criteria if dimension not in free[-1].effective]
    ways = [f"state {' or '.join(open_to)} in its criteria"] if open_to else []
    if not listed(catalog, query.criteria):
        ways.append("list what it is for in a `recipes/support.yaml` beside it")
    return f"if `{free[-1].name}` is not for that, {', or '.join(ways)}" if ways else ""


def _own_criteria(catalog: Catalog) -> list[Mapping[str, str]]:
    """What each recipe states itself, once."""
    stated = (tuple(sorted(recipe.effective.items())) for recipe in catalog.recipes.values() if recipe.effective)
    return [dict(criteria) for criteria in dict.fromkeys(stated)]


def _queries(catalog: Catalog) -> list[Mapping[str, str]]:
    """What the recipes are for, each by itself and each two of them together."""
    recipes = [recipe for recipe in catalog.recipes.values() if recipe.criteria is not None]
    subjects = {name: _subjects(catalog, recipe) for name, recipe in catalog.recipes.items()}
    found = [recipe.effective for recipe in recipes if recipe.effective]
    for one, other in combinations(recipes, 2):
        if not one.meets(other):
            continue
        together = {**one.effective, **other.effective}
        mine = set().union(*(subjects[name] for name in one.chain if name not in other.chain))
        theirs = set().union(*(subjects[name] for name in other.chain if name not in one.chain))
        if together and mine & theirs:
            found.append(together)
    return [dict(criteria) for criteria in dict.fromkeys(tuple(sorted(criteria.items())) for criteria in found)]


def _subjects(catalog: Catalog, recipe: Recipe) -> set[tuple[str, str]]:
    """The components and constraints that a recipe speaks of, its mixins and the components' own needs included."""
    parts = (recipe, *recipe.patches)
    mixins = [catalog.mixins[named.name] for part in parts for named in part.mixins]
    documents: list[Recipe | Mixin] = [*parts]
    for mixin in mixins:
        documents += (mixin, *mixin.patches)
    found = {("constraint", entry.name) for document in documents for entry in document.constraints}
    for ref in (ref for document in documents for ref in document.refs):
        component = catalog.components[ref.name]
        defaults = (component.defaults, *component.patches)
        found |= {("component", ref.name)}
        found |= {("component", named.name) for item in (ref, *defaults) for named in item.dependencies}
        found |= {("constraint", entry.name) for entry in component.constraints}
    return found


def _errors(catalog: Catalog, query: Query) -> Iterator[Diagnostic]:
    """What is wrong with a query that is covered: neither that more of it must be said, nor that its plan is empty."""
    resolution, findings, draft = attempt(catalog, query)
    judged = resolution or draft
    if judged is not None:
        findings += build_plan(judged)[1]
    for finding in findings:
        if finding.severity is Severity.ERROR and finding.code not in {EMPTY_PLAN.code, UNSTATED.code}:
            yield finding
