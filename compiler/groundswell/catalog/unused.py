"""Parts of a catalog that never reach a bundle (`catalog check`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.files import SHIPPED
from groundswell.diagnostics.codes import model as codes
from groundswell.resolve.coverage import listed
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.catalog.entries import Catalog, Recipe, RequiredValue
    from groundswell.catalog.files import CatalogFiles
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import NodeNeeds


def unused(catalog: Catalog, files: CatalogFiles, used: frozenset[str]) -> tuple[Diagnostic, ...]:
    """Warnings for files, mixins, components and recipes that nothing leads to.

    With a catalog of the user's, only that one's parts are judged: nobody needs all of what is shipped.
    """
    return (
        *_files(files, used),
        *_mixins(catalog, files),
        *_components(catalog, files),
        *_recipes(catalog, files),
        *_combinations(catalog),
        *_accelerators(catalog, files),
    )


def _files(files: CatalogFiles, used: frozenset[str]) -> Iterator[Diagnostic]:
    for identifier in sorted(files.content):
        _, folder, *rest = identifier.split("/")
        document = folder != "components" or rest[1:] == ["component.yaml"]
        if not document and identifier not in used and files.judges(identifier):
            yield codes.UNUSED_FILE(f"nothing names `{'/'.join([folder, *rest])}`", Span(identifier, 1, 1, 1, 1))


def _mixins(catalog: Catalog, files: CatalogFiles) -> Iterator[Diagnostic]:
    parts = [part for recipe in catalog.recipes.values() for part in (recipe, *recipe.patches)]
    named = {mixin.name for part in parts for mixin in part.mixins}
    for name, mixin in catalog.mixins.items():
        # A shipped mixin that adds components is an offer to users' recipes.
        offer = mixin.layer == SHIPPED and any(ref.create for ref in mixin.refs)
        if name not in named and not offer and files.judges(mixin.span.file):
            yield codes.UNUSED_MIXIN(f"no recipe names the mixin `{name}`", mixin.span)


def _components(catalog: Catalog, files: CatalogFiles) -> Iterator[Diagnostic]:
    recipes = {
        ref.name for recipe in catalog.recipes.values() for part in (recipe, *recipe.patches) for ref in part.refs
    }
    mixins = {
        ref.name
        for mixin in catalog.mixins.values()
        for part in (mixin, *mixin.patches)
        for ref in part.refs
        if ref.create
    }
    for name, entry in catalog.components.items():
        if name not in recipes | mixins and files.judges(entry.span.file):
            yield codes.UNUSED_COMPONENT(f"no recipe names the component `{name}`", entry.span)


def _recipes(catalog: Catalog, files: CatalogFiles) -> Iterator[Diagnostic]:
    bases = {name for recipe in catalog.recipes.values() for name in recipe.chain[:-1]}
    for name, recipe in catalog.recipes.items():
        if not files.judges(recipe.span.file):
            continue
        if recipe.criteria is None and name not in bases:
            yield codes.UNREACHABLE_RECIPE(f"`{name}` has no criteria and is nobody's base", recipe.span)
        elif not (listed(catalog, recipe.effective) or _free(catalog, recipe)):
            yield codes.UNREACHABLE_RECIPE(f"no line of the support list has the criteria of `{name}`", recipe.span)


def _free(catalog: Catalog, recipe: Recipe) -> bool:
    """Whether some query applies the recipe together with one of a layer without a support list, which frees it."""
    together = [other for other in catalog.recipes.values() if other.criteria is not None and other.meets(recipe)]
    names = {name for other in (recipe, *together) for name in other.chain}
    parts = [part for name in names for part in (catalog.recipes[name], *catalog.recipes[name].patches)]
    return any(part.layer not in catalog.supporting for part in parts)


def _combinations(catalog: Catalog) -> Iterator[Diagnostic]:
    """Values on the support list that no recipe carries: a query with one is refused although the list promises it."""
    carried = catalog.carried
    for line in catalog.combinations:
        for dimension, values in line.values.items():
            for value in values:
                if (dimension, value) not in carried:
                    yield codes.UNCARRIED_VALUE(f"no recipe carries {dimension} `{value}` of this line", line.span)


def _accelerators(catalog: Catalog, files: CatalogFiles) -> Iterator[Diagnostic]:
    """Accelerators for which a component asks for something, and that no recipe carries."""
    carried = catalog.carried
    for entry in catalog.components.values():
        asking: tuple[NodeNeeds | RequiredValue, ...] = (*entry.node_needs, *entry.required)
        for item in asking if files.judges(entry.span.file) else ():
            for name in item.accelerators:
                if ("accelerator", name) not in carried:
                    yield codes.UNCARRIED_VALUE(f"no recipe carries accelerator `{name}` of this block", item.span)
