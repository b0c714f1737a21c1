"""`--snapshot FILE`: a query narrowed to one cluster, and the constraints of its result held against that cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from groundswell.cli.recipe_file import read_recipe
from groundswell.cli.resolving import read_catalog, resolve_with
from groundswell.cli.table import table
from groundswell.diagnostics.codes import files as codes
from groundswell.diagnostics.codes.resolve import NODES_UNUSED
from groundswell.diagnostics.diagnostic import failed, ordered
from groundswell.resolve.query import Query, declined, stated
from groundswell.snapshot.criteria import derive
from groundswell.snapshot.document import read_snapshot
from groundswell.snapshot.evaluate import evaluate
from groundswell.snapshot.narrowing import narrow
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.cli.options import Inputs
    from groundswell.cli.resolving import Resolved
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.snapshot.evaluate import Check
    from groundswell.snapshot.snapshot import Snapshot

_OUTCOMES = {True: "holds", False: "FAILS", None: "UNKNOWN"}


def resolve_for_cluster(path: Path, inputs: Inputs) -> Resolved:
    """Resolve what the options ask for on the cluster of a snapshot.

    A recipe given as a file is the whole query, so nothing is added to its criteria; its constraints are held against
    the cluster all the same.
    """
    snapshot, wrong = _read(path)
    resolved = read_recipe(inputs.recipe, inputs) if inputs.recipe is not None else _resolve(snapshot, inputs)
    findings = ordered((*wrong, *resolved.findings))
    if snapshot is None or resolved.resolution is None:
        draft = None if snapshot is None and inputs.recipe is None else resolved.draft or resolved.resolution
        return resolved._replace(resolution=None, findings=findings, draft=draft)
    checks, unmet = evaluate(resolved.resolution.constraints, snapshot)
    findings = ordered((*findings, *unmet))
    resolution = None if failed(findings) else resolved.resolution
    return resolved._replace(resolution=resolution, findings=findings, checks=checks, draft=resolved.resolution)


def checks_table(checks: Iterable[Check], sources: RunSources) -> str:
    """Every constraint with its outcome, what was found, and what asks for it."""
    rows = []
    for check in checks:
        item = check.constraint
        place = f" ({sources.display(item.file)}:{item.line})" if item.file else ""
        outcome = _OUTCOMES[check.holds]
        rows.append((f"{item.name} {item.value}", outcome, check.found, f"{item.layer}{place}"))
    return table(("CONSTRAINT", "OUTCOME", "FOUND", "ASKED FOR BY"), rows)


def show_checks(checks: Iterable[Check], sources: RunSources, diagnostics: str) -> None:
    """Print the table to stderr, where that is for people to read."""
    checks = tuple(checks)
    if checks and diagnostics == "text":
        click.echo(checks_table(checks, sources), err=True)


def _resolve(snapshot: Snapshot | None, inputs: Inputs) -> Resolved:
    read = read_catalog(inputs.catalogs)
    findings = read.findings
    query = Query(stated(inputs.criteria), inputs.nodes, allow_unsupported=inputs.allow_unsupported)
    catalog = read.catalog if inputs.asked else None
    if snapshot is not None and catalog is not None:
        names = {recipe.effective.get("accelerator", "") for recipe in catalog.recipes.values()} - {""}
        query, missed = narrow(catalog, query, derive(snapshot, names), declined(inputs.criteria))
        findings = (*findings, *missed)
    resolved = resolve_with(catalog, inputs, query, findings, read.sources)
    if inputs.nodes is None:
        # Nobody stated the count, so nobody needs to hear that nothing takes it.
        kept = tuple(item for item in resolved.findings if item.code != NODES_UNUSED.code)
        resolved = resolved._replace(findings=kept)
    return resolved


def _read(path: Path) -> tuple[Snapshot | None, tuple[Diagnostic, ...]]:
    try:
        data = read_bounded(path)
    except OSError as error:
        return None, (codes.BAD_SNAPSHOT(f"the snapshot `{path}` cannot be read: {error.strerror}"),)
    return read_snapshot(data, str(path))
