"""Every name that the documents of an AICR catalog use must exist, and chains of bases must end at the root.

That project's own tool finds these mistakes when a query leads to them; here they are found at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.references import ROOT
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.diagnostics.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.entries import Mixin, Named, Recipe


def chained(
    recipes: Mapping[str, Recipe], mixins: Mapping[str, Mixin], components: Iterable[str], findings: list[Diagnostic]
) -> dict[str, Recipe]:
    """The recipes with their chains of bases from the root down; what they name and the catalog lacks is reported."""
    known = {"recipe": recipes, "mixin": mixins, "component": dict.fromkeys(components)}
    refs = [ref for recipe in recipes.values() for ref in recipe.refs]
    refs += [ref for mixin in mixins.values() for ref in mixin.refs]
    for ref in refs:
        _check(ref.dependencies, known, "component", findings)
    for recipe in recipes.values():
        _check(recipe.mixins, known, "mixin", findings)
        _check([recipe.base] if recipe.base else [], known, "recipe", findings)
    return {name: recipe._replace(chain=_chain(recipe, recipes, findings)) for name, recipe in recipes.items()}


def _chain(recipe: Recipe, recipes: Mapping[str, Recipe], findings: list[Diagnostic]) -> tuple[str, ...]:
    """The names from the root to the recipe. A cycle is reported by the recipe in it that comes first by name."""
    chain = [recipe]
    while (base := chain[-1].base) and base.name in recipes:
        above = recipes[base.name]
        if above in chain:
            if above is recipe and recipe.name == min(item.name for item in chain):
                names = " -> ".join(f"`{item.name}`" for item in [*chain, recipe])
                related = [Related(item.base.span, f"base of `{item.name}`") for item in chain[1:] if item.base]
                place = recipe.base.span if recipe.base else recipe.span
                findings.append(codes.BASE_CYCLE(f"bases go round in a circle: {names}", place, related=related))
            break
        chain.append(above)
    names_up = [item.name for item in chain]
    return tuple(reversed(names_up if recipe.name == ROOT else [*names_up, ROOT]))


def _check(
    names: Iterable[Named], known: Mapping[str, Mapping[str, object]], what: str, findings: list[Diagnostic]
) -> None:
    for named in names:
        if named.name not in known[what]:
            text = f"the catalog has no {what} `{named.name}`"
            hint = suggestion(named.name, known[what])
            findings.append(codes.UNKNOWN_REFERENCE(text, named.span, help=hint))
