"""The node layer of a bundle: from a Cluster file, or for the classes of machines that the plan asks something of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from groundswell.catalog.entries import DIMENSIONS
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.options import Hosts, Inputs
    from groundswell.cli.planning import Planned
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.schema import Schemas


_LAYER = "cluster"
"""What the identifier of a Cluster file begins with."""


class ClusterFile(NamedTuple):
    """What is known of a Cluster file.

    `cluster` is None when a finding is an error. `criteria` are None when they cannot be read either, and `hosts` are
    what its hosts say on components, as far as that is known.
    """

    cluster: Cluster | None
    criteria: Mapping[str, str] | None
    hosts: Hosts
    findings: tuple[Diagnostic, ...]

    def beside(self, inputs: Inputs) -> Inputs:
        """The shared options with what the file adds to them; its criteria are among them (`take_criteria`)."""
        return inputs._replace(hosts=self.hosts, asked=self.criteria is not None)


def cluster_file(file: Path) -> ClusterFile:
    """Read a Cluster file. With errors, what it still says serves to find out what else is wrong."""
    from groundswell.diagnostics.codes.model import UNREADABLE
    from groundswell.model.cluster_document import read_cluster, readable_criteria

    try:
        data = read_bounded(file)
    except OSError as error:
        unreadable = UNREADABLE(f"`{file}` cannot be read: {error.strerror}")
        return ClusterFile(None, None, _hosts(None, file, (unreadable,)), (unreadable,))
    cluster, findings = read_cluster(data, str(file))
    hosts = _hosts(cluster, file, findings)
    if cluster is not None and not failed(findings):
        return ClusterFile(cluster, cluster.criteria, hosts, findings)
    return ClusterFile(None, readable_criteria(data, str(file)), hosts, findings)


def _hosts(cluster: Cluster | None, file: Path, findings: Iterable[Diagnostic]) -> Hosts:
    """What the hosts say on components. What is wrong with them is for `node_layer` to say."""
    from groundswell.cli.options import Hosts
    from groundswell.diagnostics.codes.talos_schematic import BAD_VERSION
    from groundswell.resolve.query import HostValues
    from groundswell.talos.pools_values import PLUGINS, host_values

    identifier = f"{_LAYER}/{file.name}"
    values = host_values(cluster, identifier) if cluster is not None else HostValues("", {})
    if failed(finding for finding in findings if finding.code != BAD_VERSION.code):
        values = values._replace(possible=frozenset(PLUGINS))
    return Hosts(values, identifier, file)


def take_criteria(read: ClusterFile, arguments: dict[str, Any], talos_version: str | None) -> tuple[Diagnostic, ...]:
    """Make the file's criteria the query, unless there is a recipe; and what is wrong beside or with the file."""
    wrong = beside_cluster(arguments, talos_version)
    if arguments["recipe"] is None:
        arguments.update({name: (read.criteria or {}).get(name) for name in DIMENSIONS})
    return (*read.findings, *wrong)


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


def hosts_alone(cluster: Cluster) -> tuple[Diagnostic, ...]:
    """What is wrong with the hosts themselves, which needs no plan to be seen."""
    from groundswell.talos.render import render

    return render(cluster, None)[1]


def read_schema_files(directory: Path | None) -> tuple[Schemas | None, tuple[Diagnostic, ...]]:
    """The official schemas in a directory, and what is wrong with them."""
    if directory is None:
        return None, ()
    from groundswell.talos.schema import read_schemas

    files = {path.name: path.read_bytes() for path in directory.glob("*.json")} if directory.is_dir() else {}
    return read_schemas(files)


def _contradiction(cluster: Cluster, planned: Planned) -> tuple[Diagnostic, ...]:
    """A recipe beside a Cluster file must be for the same criteria."""
    stated = planned.plan.resolution.criteria
    other = {name: value for name, value in cluster.criteria.items() if stated.get(name) != value}
    return tuple(
        codes.BAD_SETTING(f"the Cluster file says {name} `{value}`, the recipe `{stated.get(name, 'nothing')}`")
        for name, value in other.items()
    )
