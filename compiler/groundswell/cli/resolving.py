"""From the shared options to a resolution: reading the catalog, the recipe file and the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.catalog.cache import cache_directory, load_cached
from groundswell.catalog.files import layers_of, read_files
from groundswell.catalog.misplaced import misplaced
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, failed, ordered
from groundswell.resolve.layers import unplaced
from groundswell.resolve.query import Placement, Query, Setting, Unread, stated
from groundswell.resolve.resolver import attempt
from groundswell.resolve.settings import parse_json, parse_selector, parse_setting, parse_tolerations, place_of, typed
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundswell.catalog.entries import Catalog
    from groundswell.catalog.files import CatalogFiles
    from groundswell.cli.options import Inputs
    from groundswell.resolve.resolution import Resolution
    from groundswell.snapshot.evaluate import Check
    from groundswell.source.located import Located


class Resolved(NamedTuple):
    """The outcome of the shared options: a resolution unless a finding is an error.

    `checks` are those of a snapshot; `catalog` is None for a recipe that was resolved before. `draft` is what can be
    judged in spite of errors, so that one run tells what is wrong with the plan, too. `criteria` are those of the
    query, None where not even they are known.
    """

    resolution: Resolution | None
    findings: tuple[Diagnostic, ...]
    sources: RunSources
    checks: tuple[Check, ...] = ()
    catalog: Catalog | None = None
    draft: Resolution | None = None
    criteria: Mapping[str, str] | None = None


class Read(NamedTuple):
    """A catalog as read: None when a finding is an error. `used` are the files that its documents name.

    `remarks` are findings for `catalog check`.
    """

    catalog: Catalog | None
    findings: tuple[Diagnostic, ...]
    files: CatalogFiles
    used: frozenset[str]
    remarks: tuple[Diagnostic, ...]
    sources: RunSources


def read_catalog(directories: tuple[Path, ...]) -> Read:
    """The shipped catalog under the user's, from the cache where possible."""
    layers = layers_of(directories)
    files, findings = read_files(layers)
    loaded = load_cached(files, cache_directory())
    catalog = None if failed(findings) else loaded.catalog
    found = ordered((*findings, *misplaced(layers), *loaded.findings))
    return Read(catalog, found, files, loaded.used, loaded.remarks, RunSources(layers))


def resolve_inputs(inputs: Inputs) -> Resolved:
    """Resolve what the options ask for."""
    if inputs.snapshot is not None:
        from groundswell.cli.snapshot_file import resolve_for_cluster

        return resolve_for_cluster(inputs.snapshot, inputs)
    if inputs.recipe is not None:
        from groundswell.cli.recipe_file import read_recipe

        return read_recipe(inputs.recipe, inputs)
    read = read_catalog(inputs.catalogs)
    catalog = read.catalog if inputs.asked else None
    return resolve_with(catalog, inputs, Query(stated(inputs.criteria), inputs.nodes), read.findings, read.sources)


def resolve_with(
    catalog: Catalog | None, inputs: Inputs, query: Query, findings: tuple[Diagnostic, ...], sources: RunSources
) -> Resolved:
    """Resolve a query against a catalog with the settings and flags of the options."""
    certain = not failed(findings)
    settings, unread, wrong = _settings(inputs)
    placement, unplaceable, more = _placement(inputs)
    findings = (*findings, *wrong, *more)
    if inputs.hosts:
        sources.know(inputs.hosts.identifier, inputs.hosts.file)
    if catalog is None:
        return Resolved(None, ordered(findings), sources, criteria=query.criteria or None)
    full = Query(
        criteria=query.criteria,
        nodes=query.nodes,
        settings=settings,
        without=inputs.without,
        placement=placement,
        allow_unsupported=inputs.allow_unsupported,
        last=query.last,
        hosts=inputs.hosts.values if inputs.hosts else None,
        unread=(*unread, *unplaceable),
    )
    resolution, found, draft = attempt(catalog, full)
    findings = ordered((*findings, *found))
    if resolution is not None and not failed(findings):
        return Resolved(resolution, findings, sources, catalog=catalog)
    # Where it is open what is asked for, so is everything that would come of it.
    draft = draft if certain else None
    return Resolved(None, findings, sources, catalog=catalog, draft=draft, criteria=query.criteria or None)


def _settings(inputs: Inputs) -> tuple[tuple[Setting, ...], list[Unread], list[Diagnostic]]:
    readers: dict[str, Callable[[str], Located | str]] = {
        "--set": lambda text: unplaced(typed(text)),
        "--set-string": unplaced,
        "--set-json": parse_json,
        "--set-file": _file_value,
    }
    settings: list[Setting] = []
    unread: list[Unread] = []
    findings: list[Diagnostic] = []
    for option, texts in inputs.settings.items():
        for text in texts:
            parsed = parse_setting(option, text, readers[option])
            if isinstance(parsed, Setting):
                settings.append(parsed)
            else:
                unread.append(Unread(option, *place_of(text)))
                findings.append(parsed)
    return tuple(settings), unread, findings


def _file_value(text: str) -> Located | str:
    from groundswell.source.reader import read_one

    try:
        data = read_bounded(Path(text))
    except OSError as error:
        return f"`{text}` cannot be read: {error.strerror}"
    value, findings = read_one(data, text)
    errors = [finding for finding in findings if failed([finding])]
    if errors:
        place = errors[0].span
        return f"{text}:{place.line}:{place.column}: {errors[0].message}" if place else errors[0].message
    return value if value is not None else f"`{text}` holds no value"


def _placement(inputs: Inputs) -> tuple[Placement, list[Unread], list[Diagnostic]]:
    flags = inputs.placement
    wrong: dict[str, list[Diagnostic]] = {}
    option = "--system-node-selector"
    system, wrong[option] = parse_selector(option, flags[option])
    option = "--accelerated-node-selector"
    accelerated, wrong[option] = parse_selector(option, flags[option])
    option = "--system-node-toleration"
    system_t, wrong[option] = parse_tolerations(option, flags[option])
    option = "--accelerated-node-toleration"
    accelerated_t, wrong[option] = parse_tolerations(option, flags[option])
    storage = inputs.storage_class
    if storage is not None and not storage.strip():
        wrong["--storage-class"] = [codes.BAD_SETTING("`--storage-class` is empty")]
        storage = None
    unread = [Unread(option) for option, found in wrong.items() if found]
    findings = [finding for found in wrong.values() for finding in found]
    return Placement(system, system_t, accelerated, accelerated_t, storage), unread, findings
