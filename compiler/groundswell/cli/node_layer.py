"""The node layer of a bundle: from a Cluster file, or for the classes of machines that the plan asks something of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundswell.catalog.entries import DIMENSIONS
from groundswell.cli.findings import stop
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.codes import resolve as codes

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.options import Hosts
    from groundswell.cli.planning import Planned
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.schema import Schemas


_LAYER = "cluster"
"""What the identifier of a Cluster file begins with."""


def cluster_or_stop(
    file: Path | None, arguments: dict[str, Any], talos_version: str | None, diagnostics: str
) -> tuple[Cluster | None, tuple[Diagnostic, ...]]:
    """The cluster of `--cluster`, whose criteria become the query unless there is a recipe; errors exit with 1."""
    if file is None:
        return None, ()
    from groundswell.cli.talos.layer import read_or_stop

    cluster, findings = read_or_stop(file, diagnostics)
    wrong = beside_cluster(arguments, talos_version)
    if wrong:
        stop((*findings, *wrong), RunSources(), diagnostics)
    if arguments["recipe"] is None:
        arguments.update(cluster.criteria)
    return cluster, findings


def beside_cluster(arguments: dict[str, Any], talos_version: str | None) -> tuple[Diagnostic, ...]:
    """What must not be said beside a Cluster file, since the file says it."""
    criteria = [
        codes.NO_EFFECT(f"`--{name}` beside --cluster: the file's criteria are the query")
        for name in DIMENSIONS
        if arguments[name] is not None
    ]
    if talos_version is None:
        return tuple(criteria)
    return (*criteria, codes.NO_EFFECT("`--talos-version` beside --cluster: the file states the version"))


def hosts_of(cluster: Cluster | None, file: Path | None) -> Hosts | None:
    """What the hosts of a Cluster file say on components. What is wrong with them is for `node_layer` to say."""
    if cluster is None or file is None:
        return None
    from groundswell.cli.options import Hosts
    from groundswell.talos.pools_values import host_values

    identifier = f"{_LAYER}/{file.name}"
    return Hosts(host_values(cluster, identifier), identifier, file)


def node_layer(
    planned: Planned, cluster: Cluster | None, schemas: Schemas | None
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """The files under `talos/`, none when the plan is not for Talos, and findings."""
    resolution = planned.plan.resolution
    if cluster is None and resolution.criteria.get("os") != "talos":
        return (), ()
    from groundswell.diagnostics.codes.talos import NO_VERSION
    from groundswell.talos.render import render, talos_files

    if cluster is not None:
        found = _contradiction(cluster, planned)
        return ((), found) if found else render(cluster, planned.plan, schemas)
    if not resolution.talos_version:
        text = "the bundle has no `talos/`, because no recipe states a Talos version"
        return (), (NO_VERSION(text, help="give `--talos-version`"),)
    return talos_files(planned.plan, resolution.talos_version, schemas)


def read_schemas_or_stop(directory: Path | None, sources: RunSources, diagnostics: str) -> Schemas | None:
    """The official schemas in a directory; errors are reported and exit with 1."""
    if directory is None:
        return None
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.talos.schema import read_schemas

    files = {path.name: path.read_bytes() for path in directory.glob("*.json")} if directory.is_dir() else {}
    schemas, findings = read_schemas(files)
    if failed(findings):
        stop(findings, sources, diagnostics)
    return schemas


def _contradiction(cluster: Cluster, planned: Planned) -> tuple[Diagnostic, ...]:
    """A recipe beside a Cluster file must be for the same criteria."""
    stated = planned.plan.resolution.criteria
    other = {name: value for name, value in cluster.criteria.items() if stated.get(name) != value}
    return tuple(
        codes.BAD_SETTING(f"the Cluster file says {name} `{value}`, the recipe `{stated.get(name, 'nothing')}`")
        for name, value in other.items()
    )
