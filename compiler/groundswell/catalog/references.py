"""Every name that a catalog's documents use must exist, and chains of bases must end at the root."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.diagnostics.suggest import suggestion
from groundswell.plan.graph import find_cycles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.entries import ComponentEntry, ComponentRef, Mixin, Named, Recipe

ROOT = "base"
"""The name of the recipe at the root of every chain."""


def check_references(
    recipes: Mapping[str, Recipe],
    mixins: Mapping[str, Mixin],
    components: Mapping[str, ComponentEntry],
    broken: set[str],
    findings: list[Diagnostic],
    *,
    supported: Iterable[Named] = (),
) -> dict[str, Recipe]:
    """Check all names; `broken` ones count as existing, because their own fault is reported already.

    `supported` are the recipes that support lists name.

    Returns:
        The recipes with their chains of bases and their effective criteria.
    """
    checker = _Checker(recipes, mixins, components, broken, findings)
    checker.names()
    checker.known(supported, recipes, "recipe")
    checker.aliases()
    checker.circles()
    return {name: checker.chained(recipe) for name, recipe in recipes.items()}


class _Checker:
    def __init__(
        self,
        recipes: Mapping[str, Recipe],
        mixins: Mapping[str, Mixin],
        components: Mapping[str, ComponentEntry],
        broken: set[str],
        findings: list[Diagnostic],
    ) -> None:
        self._recipes, self._mixins, self._components = recipes, mixins, components
        self._broken = broken
        self._findings = findings

    def names(self) -> None:
        """Bases, mixins and components that documents name."""
        for recipe in self._recipes.values():
            for part in (recipe, *recipe.patches):
                self.known(part.mixins, self._mixins, "mixin")
                self._refs(part.refs)
            if recipe.base:
                self.known([recipe.base], self._recipes, "recipe")
        for mixin in self._mixins.values():
            for piece in (mixin, *mixin.patches):
                self._refs(piece.refs)
        for entry in self._components.values():
            for ref in (entry.defaults, *entry.patches):
                self._dependencies(ref)

    def aliases(self) -> None:
        """An alias names one component, and no component has it as its name."""
        owners = {name: (name, entry.span) for name, entry in self._components.items()}
        for entry in self._components.values():
            for alias in entry.aliases:
                owner, place = owners.setdefault(alias.name, (entry.name, alias.span))
                if owner != entry.name:
                    text = f"`{alias.name}` already stands for the component `{owner}`"
                    related = [Related(place, "the other one")]
                    self._findings.append(codes.ALIAS_TAKEN(text, alias.span, related=related))

    def circles(self) -> None:
        """Dependencies that components have by default must leave an order."""
        places = {
            name: {named.name: named.span for ref in (entry.defaults, *entry.patches) for named in ref.dependencies}
            for name, entry in self._components.items()
        }
        edges = {name: tuple(other for other in targets if other in places) for name, targets in places.items()}
        for cycle in find_cycles(edges):
            first, *more = pairwise(cycle)
            text = "components wait for each other: " + " -> ".join(f"`{name}`" for name in cycle)
            related = [Related(places[a][b], f"`{a}` waits for `{b}`") for a, b in more]
            self._findings.append(codes.DEPENDENCY_CYCLE(text, places[first[0]][first[1]], related=related))

    def chained(self, recipe: Recipe) -> Recipe:
        """The recipe with its chain of bases and its effective criteria."""
        chain = [recipe]
        while (base := self._base(chain[-1])) is not None:
            if base in chain:
                if base == recipe and recipe.name == min(item.name for item in chain):
                    names = " -> ".join(f"`{item.name}`" for item in [*chain, base])
                    related = [Related(item.base.span, f"base of `{item.name}`") for item in chain[1:] if item.base]
                    place = recipe.base.span if recipe.base else recipe.span
                    self._findings.append(
                        codes.BASE_CYCLE(f"bases go round in a circle: {names}", place, related=related)
                    )
                return recipe
            chain.append(base)
        chain.reverse()
        effective: dict[str, str] = {}
        for item in chain:
            for dimension, value in (item.criteria or {}).items():
                if effective.setdefault(dimension, value) != value and item is recipe:
                    text = f"`{recipe.name}` states {dimension} `{value}`, its base `{effective[dimension]}`"
                    related = [Related(chain[-2].span, "the base")]
                    self._findings.append(codes.CONTRADICTING_CRITERIA(text, recipe.span, related=related))
        return recipe._replace(chain=tuple(item.name for item in chain), effective=effective)

    def _base(self, recipe: Recipe) -> Recipe | None:
        if recipe.base and recipe.name == ROOT:
            self._findings.append(codes.NO_BASE("the recipe `base` must not have a base", recipe.base.span))
            return None
        if recipe.base:
            return self._recipes.get(recipe.base.name)
        root = self._recipes.get(ROOT)
        if root is None:
            if ROOT not in self._broken:
                self._findings.append(codes.NO_BASE("the catalog has no recipe named `base`"))
                self._broken.add(ROOT)
            return None
        if recipe.name == ROOT:
            if recipe.criteria is not None:
                self._findings.append(codes.NO_BASE("the recipe `base` must not have criteria", recipe.span))
            return None
        return root

    def _refs(self, refs: Iterable[ComponentRef]) -> None:
        for ref in refs:
            if ref.name not in self._components and ref.name not in self._broken:
                text = f"the catalog has no component `{ref.name}`"
                hint = suggestion(ref.name, self._components)
                self._findings.append(codes.UNKNOWN_REFERENCE(text, ref.span, help=hint))
            self._dependencies(ref)

    def _dependencies(self, ref: ComponentRef) -> None:
        """A component's dependencies; the component itself is no guess at what was meant by one."""
        unknown = [named for named in ref.dependencies if named.name not in self._components]
        if unknown:
            others = {name: entry for name, entry in self._components.items() if name != ref.name}
            self.known(unknown, others, "component")

    def known(self, names: Iterable[Named], table: Mapping[str, object], what: str) -> None:
        """Each of the names must be in the table."""
        for named in names:
            if named.name not in table and named.name not in self._broken:
                text = f"the catalog has no {what} `{named.name}`"
                self._findings.append(codes.UNKNOWN_REFERENCE(text, named.span, help=suggestion(named.name, table)))
