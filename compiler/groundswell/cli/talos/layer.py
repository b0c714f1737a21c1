"""From a Cluster file to its node layer: the hosts, and the components that its criteria lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundswell.cli.findings import stop
from groundswell.cli.options import Inputs, PathType, catalog_options
from groundswell.cli.sources import RunSources

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.resolving import Resolved
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine
    from groundswell.talos.schema import Schemas

F = TypeVar("F", bound="Callable[..., Any]")

_DIMENSIONS = ("service", "accelerator", "os", "intent", "platform")
_PLACED = ("system", "accelerated")


@dataclass(frozen=True, slots=True)
class Layer:
    """A cluster with its machines in the order of its hosts, the files of the node layer, and the warnings so far."""

    cluster: Cluster
    machines: tuple[Machine, ...]
    files: tuple[File, ...]
    findings: tuple[Diagnostic, ...]
    sources: RunSources


def layer_options(command: F) -> F:
    """Add the Cluster file and the options that say which components ask something of its machines."""
    recipe = click.option(
        "--recipe", metavar="FILE", type=PathType(),
        help="Take the components from a recipe, such as a bundle's recipe.yaml, and not from the file's criteria.",
    )  # fmt: skip
    return click.argument("file", type=PathType())(catalog_options(recipe(command)))


def layer_or_stop(
    file: Path, catalogs: tuple[Path, ...], recipe: Path | None, diagnostics: str, schemas: Schemas | None = None
) -> Layer:
    """Read the file and compile its node layer; errors are reported and exit with 1."""
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.plan.build import build_plan
    from groundswell.talos.machines import host_machines
    from groundswell.talos.render import render

    cluster, findings = read_or_stop(file, diagnostics)
    resolved = _resolved(cluster, catalogs, recipe)
    sources = resolved.sources if resolved else RunSources()
    plan = None
    if resolved is not None:
        findings = (*findings, *resolved.findings)
        if resolved.resolution is None:
            stop(findings, sources, diagnostics)
        plan, found = build_plan(resolved.resolution)
        findings = (*findings, *found)
        if plan is None:
            stop(findings, sources, diagnostics)
    files, found = render(cluster, plan, schemas)
    findings = (*findings, *found)
    if failed(findings):
        stop(findings, sources, diagnostics)
    machines, _ = host_machines(cluster, [plan.components[name] for name in sorted(plan.components)] if plan else [])
    return Layer(cluster, machines, files, findings, sources)


def read_or_stop(file: Path, diagnostics: str) -> tuple[Cluster, tuple[Diagnostic, ...]]:
    """The cluster of a file with the warnings about it; errors are reported and exit with 1."""
    from groundswell.diagnostics.codes.model import UNREADABLE
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.model.cluster_document import read_cluster

    try:
        data = file.read_bytes()
    except OSError as error:
        stop((UNREADABLE(f"`{file}` cannot be read: {error.strerror}"),), RunSources(), diagnostics)
    cluster, findings = read_cluster(data, str(file))
    if cluster is None or failed(findings):
        stop(findings, RunSources(), diagnostics)
    return cluster, findings


def _resolved(cluster: Cluster, catalogs: tuple[Path, ...], recipe: Path | None) -> Resolved | None:
    """What the recipe or the criteria lead to; None when there is none and they say no more than that it is Talos."""
    if recipe is None and not cluster.criteria.keys() - {"os"}:
        return None
    from groundswell.cli.resolving import resolve_inputs

    inputs = Inputs(
        criteria={name: None if recipe else cluster.criteria.get(name) for name in _DIMENSIONS},
        nodes=None,
        snapshot=None,
        catalogs=catalogs,
        recipe=recipe,
        settings={},
        without=(),
        placement={f"--{kind}-node-{what}": () for kind in _PLACED for what in ("selector", "toleration")},
        storage_class=None,
        allow_unsupported=False,
    )
    return resolve_inputs(inputs)
