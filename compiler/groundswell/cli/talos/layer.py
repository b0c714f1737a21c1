"""From a Cluster file to its node layer: the hosts, and the components that its criteria lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from groundswell.cli.findings import stop
from groundswell.cli.options import Inputs, PathType, catalog_options
from groundswell.cli.sources import RunSources

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.node_layer import ClusterFile
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine

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
    file: Path, catalogs: tuple[Path, ...], recipe: Path | None, diagnostics: str, schemas: Path | None = None
) -> Layer:
    """Read the file and compile its node layer; errors are reported and exit with 1.

    `schemas` is a directory of official schemas that it is held against.
    """
    from groundswell.cli.node_layer import cluster_file, hosts_alone, node_layer, read_schema_files
    from groundswell.cli.planning import Planned, plan_of
    from groundswell.cli.resolving import resolve_inputs
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.talos.machines import host_machines

    read = cluster_file(file)
    cluster = read.cluster
    resolved = resolve_inputs(_inputs(read, catalogs, recipe))
    plan, found = plan_of(resolved)
    known, unusable = read_schema_files(schemas)
    findings = (*read.findings, *found, *unusable)
    if plan is None or cluster is None:
        alone = hosts_alone(cluster) if cluster else ()
        stop((*findings, *(item for item in alone if failed([item]))), resolved.sources, diagnostics)
    files, found = node_layer(Planned(plan, (), resolved.sources), cluster, known)
    findings = (*findings, *found)
    if failed(findings):
        stop(findings, resolved.sources, diagnostics)
    machines, _ = host_machines(cluster, [plan.components[name] for name in sorted(plan.components)])
    return Layer(cluster, machines, files, findings, resolved.sources)


def read_or_stop(file: Path, diagnostics: str) -> tuple[Cluster, tuple[Diagnostic, ...]]:
    """The cluster of a file with the warnings about it; errors are reported and exit with 1."""
    from groundswell.cli.node_layer import cluster_file

    read = cluster_file(file)
    if read.cluster is None:
        stop(read.findings, RunSources(), diagnostics)
    return read.cluster, read.findings


def _inputs(read: ClusterFile, catalogs: tuple[Path, ...], recipe: Path | None) -> Inputs:
    """The options by which the recipe or the criteria lead to the plan of `bundle --cluster`."""
    from groundswell.catalog.entries import DIMENSIONS

    criteria = (read.criteria or {}) if recipe is None else {}
    inputs = Inputs(
        criteria={name: criteria.get(name) for name in DIMENSIONS},
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
    return read.beside(inputs)
