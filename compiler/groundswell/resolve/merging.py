"""The documents that a query leads to, and what they make of each component before options have their say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.hosts import mixins_for
from groundswell.resolve.layers import Applied, Kind, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.catalog.entries import Catalog, ComponentRef, Mixin, Recipe
    from groundswell.resolve.query import Query
    from groundswell.resolve.stack import Stack


def taking_part(catalog: Catalog, query: Query, recipes: tuple[tuple[Recipe, Layer], ...]) -> Applied:
    """The recipes that apply, in their order, with the mixins that come along."""
    return Applied(recipes, _mixins(catalog, recipes, query))


def merged(catalog: Catalog, applied: Applied) -> dict[str, Stack]:
    """One stack per component, from the component's defaults through recipes to mixins."""
    refs = [(ref, layer) for recipe, layer in applied.recipes for ref in recipe.refs]
    mixin_refs = [(ref, layer) for mixin, layer in applied.mixins for ref in mixin.refs]
    there = {ref.name for ref, _ in refs} | {ref.name for ref, _ in mixin_refs if ref.create}
    said: dict[str, list[tuple[ComponentRef, Layer]]] = {}
    for ref, layer in (*refs, *mixin_refs):
        if ref.name in there:
            said.setdefault(ref.name, []).append((ref, layer))
    return {name: catalog.semantics.merge(catalog.components[name], pairs) for name, pairs in said.items()}


def _mixins(catalog: Catalog, recipes: Iterable[tuple[Recipe, Layer]], query: Query) -> tuple[tuple[Mixin, Layer], ...]:
    """The mixins that the recipes name, in first-mention order, each followed by its patches; last those for hosts."""
    reasons: dict[str, str] = {}
    for recipe, _ in recipes:
        for mention in recipe.mixins:
            reasons.setdefault(mention.name, f"recipe {recipe.name} names it")
    for name, reason in mixins_for(query.hosts).items() if query.hosts else ():
        if name in catalog.mixins:
            reasons.setdefault(name, reason)
    found = []
    for name, reason in reasons.items():
        layer = Layer(Kind.MIXIN, name, reason)
        mixin = catalog.mixins[name]
        found += [(item, layer) for item in (mixin, *mixin.patches)]
    return tuple(found)
