"""`--recipe FILE`: a resolved recipe is compiled as it is, a recipe is the last layer of its own query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.build import Builder
from groundswell.catalog.cache import cache_directory, load_cached
from groundswell.catalog.files import FOLDERS, CatalogFiles, Layer, Layout, layers_of, read_files
from groundswell.catalog.library import Library
from groundswell.catalog.misplaced import misplaced
from groundswell.catalog.references import check_references
from groundswell.cli.resolving import Resolved, resolve_with
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as model_codes
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Severity, failed, ordered
from groundswell.model.authored import RecipeDocument
from groundswell.model.examine import examined
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
        return resolve_with(None, inputs, Query({}), (model_codes.UNREADABLE(text),), sources)
    document, findings = read_one(data, identifier)
    if document is not None and isinstance(document.data, dict) and document.data.get("kind") == "ResolvedRecipe":
        return _resolved(document, inputs, sources, findings)
    if document is not None and _is_printed(document):
        text = "this is what `resolve` prints, and no document that can be compiled"
        place = document.find(("appliedOverlays",))
        advice = "name the `recipe.yaml` of a bundle, which says the same and more, or state the criteria"
        wrong = model_codes.WRONG_DOCUMENT(text, place, help=advice)
        return resolve_with(None, inputs, Query({}), (wrong,), sources)
    return _recipe(document, inputs, layers, sources, list(findings))


def _is_printed(document: Located) -> bool:
    """Whether it has the form of `resolve`'s output, which is there to be read and compared."""
    return isinstance(document.data, dict) and "kind" not in document and "appliedOverlays" in document


def _resolved(document: Located, inputs: Inputs, sources: RunSources, findings: tuple[Diagnostic, ...]) -> Resolved:
    """A recipe that was resolved before."""
    resolution, found = parse_resolved(document)
    known = {finding.span for finding in findings if finding.severity is Severity.ERROR}
    draft = None if known else resolution
    findings += (*(finding for finding in found if finding.span not in known), *_unused(inputs))
    if inputs.hosts and resolution:
        sources.know(inputs.hosts.identifier, inputs.hosts.file)
        if not inputs.hosts.values.possible:
            findings += tuple(other_hosts(inputs.hosts.values, resolution, document.find(("spec", "components"))))
    return Resolved(None if failed(findings) else resolution, ordered(findings), sources, draft=draft)


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
    document: Located | None,
    inputs: Inputs,
    layers: tuple[Layer, ...],
    sources: RunSources,
    found: list[Diagnostic],
) -> Resolved:
    """A recipe over the catalog; `document` is None when the file holds none, and `found` says why."""
    *below, own = layers
    files, unread = read_files(below)
    if failed(unread):
        return resolve_with(None, inputs, Query({}), (*found, *unread), sources)
    if files.layout is Layout.AICR:
        text = "a recipe cannot be laid over a catalog of the AICR layout, which stands alone"
        alone = aicr_codes.STANDS_ALONE(text, help="state the criteria as options")
        return resolve_with(None, inputs, Query({}), (*found, alone), sources)
    loaded = load_cached(files, cache_directory())
    found += [*unread, *misplaced(below, inputs.recipe), *loaded.findings]
    given = [f"--{name}" for name, value in inputs.criteria.items() if value is not None]
    found += [codes.NO_EFFECT(f"`{option}` beside --recipe: the recipe's criteria are the query") for option in given]
    recipe = _built(document, own, files, loaded.catalog, found) if document is not None else None
    if failed(found) or recipe is None:
        return resolve_with(None, inputs, Query({}), tuple(found), sources)
    query = Query(stated(recipe.effective), inputs.nodes, last=recipe)
    return resolve_with(loaded.catalog, inputs, query, tuple(found), sources)


def _built(
    document: Located, own: Layer, files: CatalogFiles, catalog: Catalog | None, findings: list[Diagnostic]
) -> Recipe | None:
    """The recipe, or as much of it as can be judged, with every name in it looked up in the catalog."""
    salvaged, _ = examined(RecipeDocument, document, findings)
    if salvaged is None:
        return None
    beside, more = _files_beside(own, files)
    findings.extend(more)
    recipe = Builder(Library(beside, findings), LAYER, findings).recipe(salvaged.model, salvaged.document)
    metadata = salvaged.model.metadata
    if metadata.patch or metadata.replace:
        key = "patch" if metadata.patch else "replace"
        text = f"`{key}` means nothing in the recipe of a query, which is a layer of its own"
        place = salvaged.document["metadata"].key_span(key)
        findings.append(model_codes.NOTHING_TO_PATCH(text, place, help="leave the key out"))
    return _chained(recipe, catalog, findings, named=salvaged.named) if catalog else recipe


def _files_beside(own: Layer, files: CatalogFiles) -> tuple[CatalogFiles, tuple[Diagnostic, ...]]:
    """The catalog's files with those beside the recipe as the highest layer, if there are any."""
    if not any((own.root / folder).is_dir() for folder in FOLDERS):
        return CatalogFiles((*files.layers, own.name), files.content), ()
    beside, findings = read_files([own])
    return CatalogFiles((*files.layers, own.name), {**files.content, **beside.content}), findings


def _chained(recipe: Recipe, catalog: Catalog, findings: list[Diagnostic], *, named: bool) -> Recipe:
    """The recipe with its chain of bases, checked as part of the catalog."""
    if named and recipe.name in catalog.recipes:
        text = f"the catalog has a recipe `{recipe.name}` already"
        findings.append(model_codes.DUPLICATE_NAME(text, recipe.span, help="give the recipe of the query another name"))
        named = False
    # One without a name of its own is judged under a name that nobody uses.
    recipe = recipe if named else recipe._replace(name=recipe.span.file)
    recipes = {**catalog.recipes, recipe.name: recipe}
    return check_references(recipes, catalog.mixins, catalog.components, set(), findings)[recipe.name]
