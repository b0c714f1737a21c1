"""`--recipe FILE`: a resolved recipe is compiled as it is, a recipe is the last layer of its own query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.catalog.build import Builder
from groundswell.catalog.cache import cache_directory, load_cached
from groundswell.catalog.files import CatalogFiles, Layer, Layout, layers_of, read_files
from groundswell.catalog.library import Library
from groundswell.catalog.references import check_references
from groundswell.cli.resolving import Resolved, resolve_with
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.codes import model as model_codes
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, failed, ordered
from groundswell.model.authored import RecipeDocument
from groundswell.model.parse import validate
from groundswell.model.resolved import parse_resolved
from groundswell.resolve.hosts import other_hosts
from groundswell.resolve.query import Query, stated
from groundswell.source.bounded import read_bounded
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.catalog.entries import Catalog, Recipe
    from groundswell.cli.options import Inputs
    from groundswell.source.located import Located

LAYER = "recipe"
"""The catalog layer that the files beside a `--recipe FILE` form."""


def read_recipe(path: Path, inputs: Inputs) -> Resolved:
    """Resolve what the file and the other options ask for."""
    identifier = f"{LAYER}/{path.name}"
    layers = (*layers_of(inputs.catalogs), Layer(LAYER, path.parent))
    sources = RunSources(layers, {identifier: path})
    try:
        data = read_bounded(path)
    except OSError as error:
        text = f"the recipe `{path}` cannot be read: {error.strerror}"
        return Resolved(None, (model_codes.UNREADABLE(text),), sources)
    document, findings = read_one(data, identifier)
    if document is None or failed(findings):
        return Resolved(None, ordered(findings), sources)
    if isinstance(document.data, dict) and document.data.get("kind") == "ResolvedRecipe":
        resolution, found = parse_resolved(document)
        found = (*findings, *found, *_unused(inputs))
        if inputs.hosts and resolution:
            sources.know(inputs.hosts.identifier, inputs.hosts.file)
            found = (*found, *other_hosts(inputs.hosts.values, resolution, document.find(("spec", "components"))))
        return Resolved(None if failed(found) else resolution, ordered(found), sources)
    return _recipe(document, inputs, layers, sources, findings)


def _unused(inputs: Inputs) -> list[Diagnostic]:
    """Options that a resolved recipe has no use for."""
    settings = {option: texts for option, texts in {**inputs.settings, **inputs.placement}.items() if texts}
    given = [f"--{name}" for name, value in inputs.criteria.items() if value is not None]
    given += ["--nodes"] if inputs.nodes is not None else []
    given += [*settings, *(["--without"] if inputs.without else [])]
    given += ["--storage-class"] if inputs.storage_class is not None else []
    given += ["--catalog"] if inputs.catalogs else []
    given += ["--allow-unsupported"] if inputs.allow_unsupported else []
    return [codes.NO_EFFECT(f"`{option}` does nothing to a recipe that is resolved already") for option in given]


def _recipe(
    document: Located,
    inputs: Inputs,
    layers: tuple[Layer, ...],
    sources: RunSources,
    findings: tuple[Diagnostic, ...],
) -> Resolved:
    *below, own = layers
    files, unread = read_files(below)
    if failed(unread):
        return Resolved(None, ordered((*findings, *unread)), sources)
    if files.layout is Layout.AICR:
        text = "a recipe cannot be laid over a catalog of the AICR layout, which stands alone"
        return Resolved(None, (model_codes.STANDS_ALONE(text, help="state the criteria as options"),), sources)
    loaded = load_cached(files, cache_directory())
    model, wrong, _ = validate(RecipeDocument, document)
    found: list[Diagnostic] = [*findings, *unread, *loaded.findings, *wrong]
    given = [f"--{name}" for name, value in inputs.criteria.items() if value is not None]
    found += [codes.NO_EFFECT(f"`{option}` beside --recipe: the recipe's criteria are the query") for option in given]
    if model is None or loaded.catalog is None:
        return Resolved(None, ordered(found), sources)
    beside, more = _files_beside(own, files)
    recipe = Builder(Library(beside, found), LAYER, found).recipe(model, document)
    found += more
    catalog = loaded.catalog
    recipe = _chained(recipe, catalog, found)
    if failed(found):
        return Resolved(None, ordered(found), sources)
    query = Query(stated(recipe.effective), inputs.nodes, last=recipe)
    return resolve_with(catalog, inputs, query, tuple(found), sources)


def _files_beside(own: Layer, files: CatalogFiles) -> tuple[CatalogFiles, tuple[Diagnostic, ...]]:
    """The catalog's files with those beside the recipe as the highest layer, if there are any."""
    if not any((own.root / folder).is_dir() for folder in ("components", "mixins", "recipes")):
        return CatalogFiles((*files.layers, own.name), files.content), ()
    beside, findings = read_files([own])
    return CatalogFiles((*files.layers, own.name), {**files.content, **beside.content}), findings


def _chained(recipe: Recipe, catalog: Catalog, findings: list[Diagnostic]) -> Recipe:
    """The recipe with its chain of bases, checked as part of the catalog."""
    if recipe.name in catalog.recipes:
        text = f"the catalog has a recipe `{recipe.name}` already"
        findings.append(model_codes.DUPLICATE_NAME(text, recipe.span))
        return recipe
    recipes = {**catalog.recipes, recipe.name: replace(recipe)}
    return check_references(recipes, catalog.mixins, catalog.components, set(), findings)[recipe.name]
