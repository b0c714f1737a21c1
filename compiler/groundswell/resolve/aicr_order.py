"""Which overlays of an AICR catalog apply to a query, in which order, and whether they answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.references import ROOT
from groundswell.diagnostics.codes import aicr as codes
from groundswell.resolve.coverage import coverage
from groundswell.resolve.layers import Kind, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query

SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "service": {"self-managed": "any", "self": "any", "vanilla": "any", "openshift": "ocp"},
    "os": {"al2": "amazonlinux", "al2023": "amazonlinux"},
}
"""What users may say for a value; overlays must use the value itself."""


def meaning(criteria: Mapping[str, str]) -> dict[str, str]:
    """Criteria as overlays are written with."""
    named = {name: SYNONYMS.get(name, {}).get(value, value) for name, value in criteria.items()}
    return {name: value for name, value in named.items() if value != "any"}


def by_candidate(recipes: Mapping[str, Recipe], query: Query) -> tuple[tuple[Recipe, Layer], ...]:
    """The root, then candidate by candidate the overlays from below the root down to it, each once.

    An overlay matches when the query states all that it states. Candidates are the matching overlays that are no other
    one's base, by (number of criteria, name). Their bases come along whatever criteria those have, so a general base
    of a later candidate comes after, and wins over, a more special overlay of an earlier one.
    """
    matching = _matching(recipes, _stated(query))
    bases = {base for recipe in matching for base in recipe.chain[:-1]}
    candidates = [recipe for recipe in matching if recipe.name not in bases]
    reasons = {ROOT: "it is the root of all overlays"}
    for candidate in sorted(candidates, key=lambda recipe: (len(recipe.effective), recipe.name)):
        for name in candidate.chain:
            reasons.setdefault(name, f"it is a base of {candidate.name}")
        reasons[candidate.name] = _reason(candidate)
    return tuple(
        (recipes[name], Layer(Kind.RECIPE, name, reason, len(recipes[name].effective), recipes[name].chain))
        for name, reason in reasons.items()
    )


def answered(catalog: Catalog, query: Query, applied: Sequence[Recipe]) -> Iterable[Diagnostic]:
    """Coverage, and a guard: a service whose overlays all ask for an operating system needs one in the query."""
    systems = _missing_systems(catalog.recipes, query)
    if systems:
        text = f"overlays for {query.criteria['service']} exist for certain operating systems only, and none is stated"
        return (codes.OS_NOT_STATED(text, help=f"state --os with one of: {', '.join(systems)}"),)
    return coverage(catalog, query, applied)


def _missing_systems(recipes: Mapping[str, Recipe], query: Query) -> list[str]:
    """The systems that would bring overlays, where no overlay has this very service and accelerator without one."""
    stated = _stated(query)
    wanted = {name: stated.get(name) for name in ("service", "accelerator")}
    if "os" in stated or wanted["service"] is None:
        return []
    if any(wanted == {name: recipe.effective.get(name) for name in wanted} for recipe in _matching(recipes, stated)):
        return []
    systems = {recipe.effective["os"] for recipe in recipes.values() if "os" in recipe.effective}
    gated = {system: _matching(recipes, {**stated, "os": system}) for system in systems}
    return sorted(system for system, found in gated.items() if any("os" in recipe.effective for recipe in found))


def _stated(query: Query) -> dict[str, str]:
    count = {} if query.nodes is None else {"nodes": str(query.nodes)}
    return {**query.criteria, **count}


def _matching(recipes: Mapping[str, Recipe], stated: Mapping[str, str]) -> list[Recipe]:
    return [
        recipe
        for recipe in recipes.values()
        if recipe.criteria is not None and all(stated.get(name) == value for name, value in recipe.criteria.items())
    ]


def _reason(candidate: Recipe) -> str:
    stated = ", ".join(f"{name} {value}" for name, value in candidate.effective.items())
    return f"the query says {stated}" if stated else "it applies to every query"
