"""Which recipes apply to a query, and in which order (docs/resolution.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.layers import Kind, Layer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.catalog.entries import Recipe
    from groundswell.resolve.query import Query

LAST_RANK = 100
"""The rank of the recipe that is given with `--recipe`: above every number of dimensions."""


def by_rank(recipes: Mapping[str, Recipe], query: Query) -> tuple[tuple[Recipe, Layer], ...]:
    """The applying recipes and their bases, each once, by (rank, depth, name), patches right behind what they patch.

    A recipe applies when every dimension of its effective criteria equals the query's; the rank is the number of these
    dimensions. A dimension that the query leaves out never matches one that a recipe states.
    """
    applying = {name: recipe for name, recipe in recipes.items() if _applies(recipe, query.criteria)}
    if query.last:
        applying[query.last.name] = query.last
    users: dict[str, list[str]] = {}
    for name, recipe in applying.items():
        for base in recipe.chain[:-1]:
            users.setdefault(base, []).append(name)
    chosen = dict(applying)
    for name in users:
        chosen.setdefault(name, recipes[name])

    def key(recipe: Recipe) -> tuple[int, int, str]:
        return (_rank(recipe, query), len(recipe.chain), recipe.name)

    layers = []
    for recipe in sorted(chosen.values(), key=key):
        reason = _reason(recipe, users.get(recipe.name, ()), applied=recipe.name in applying, last=recipe is query.last)
        layer = Layer(Kind.RECIPE, recipe.name, reason, _rank(recipe, query), recipe.chain)
        layers.append((recipe, layer))
        layers.extend((patch, layer) for patch in recipe.patches)
    return tuple(layers)


def _applies(recipe: Recipe, criteria: Mapping[str, str]) -> bool:
    if recipe.criteria is None:
        return False
    return all(criteria.get(dimension) == value for dimension, value in recipe.effective.items())


def _rank(recipe: Recipe, query: Query) -> int:
    return LAST_RANK if recipe is query.last else len(recipe.effective)


def _reason(recipe: Recipe, users: Sequence[str], *, applied: bool, last: bool) -> str:
    if last:
        return "it is the recipe of the query"
    if applied and recipe.effective:
        return "the query says " + ", ".join(f"{dimension} {value}" for dimension, value in recipe.effective.items())
    if applied:
        return "it applies to every query"
    first, *others = sorted(users)
    return f"it is a base of {first}" + (" and of others" if others else "")
