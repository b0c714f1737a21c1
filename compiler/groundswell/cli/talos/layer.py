"""From a Cluster file to its node layer: the hosts, and the components that its criteria lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from groundswell.cli.findings import stop
from groundswell.cli.options import Inputs, PathType, catalog_options
from groundswell.cli.sources import RunSources
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.planning import Planned
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine
    from groundswell.talos.schema import Schemas

F = TypeVar("F", bound="Callable[..., Any]")

_PLACED = ("system", "accelerated")


class Layer(NamedTuple):
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
    from groundswell.cli.node_layer import node_layer
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.talos.machines import host_machines

    cluster, findings = read_or_stop(file, diagnostics)
    planned = _planned(cluster, file, catalogs, recipe, diagnostics)
    files, found = node_layer(planned, cluster, schemas)
    findings = (*findings, *planned.findings, *found)
    if failed(findings):
        stop(findings, planned.sources, diagnostics)
    components = planned.plan.components
    machines, _ = host_machines(cluster, [components[name] for name in sorted(components)])
    return Layer(cluster, machines, files, findings, planned.sources)


def read_or_stop(file: Path, diagnostics: str) -> tuple[Cluster, tuple[Diagnostic, ...]]:
    """The cluster of a file with the warnings about it; errors are reported and exit with 1."""
    from groundswell.diagnostics.codes.model import UNREADABLE
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.model.cluster_document import read_cluster

    try:
        data = read_bounded(file)
    except OSError as error:
        stop((UNREADABLE(f"`{file}` cannot be read: {error.strerror}"),), RunSources(), diagnostics)
    cluster, findings = read_cluster(data, str(file))
    if cluster is None or failed(findings):
        stop(findings, RunSources(), diagnostics)
    return cluster, findings


def _planned(
    cluster: Cluster, file: Path, catalogs: tuple[Path, ...], recipe: Path | None, diagnostics: str
) -> Planned:
    """What the recipe or the criteria lead to: the plan of `bundle --cluster`."""
    from groundswell.catalog.entries import DIMENSIONS
    from groundswell.cli.node_layer import hosts_of
    from groundswell.cli.planning import Planned, plan_of
    from groundswell.cli.resolving import resolve_inputs

    inputs = Inputs(
        criteria={name: None if recipe else cluster.criteria.get(name) for name in DIMENSIONS},
        nodes=None,
        snapshot=None,
        catalogs=catalogs,
        recipe=recipe,
        settings={},
        without=(),
        placement={f"--{kind}-node-{what}": () for kind in _PLACED for what in ("selector", "toleration")},
        storage_class=None,
        allow_unsupported=False,
        hosts=hosts_of(cluster, file),
    )
    resolved = resolve_inputs(inputs)
    plan, findings = plan_of(resolved)
    if plan is None:
        stop(findings, resolved.sources, diagnostics)
    return Planned(plan, findings, resolved.sources)
