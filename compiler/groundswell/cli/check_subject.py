"""What `check` judges: the bundle in a directory, a query, or what a Cluster file leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from groundswell.diagnostics.diagnostic import failed
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.check.subject import Subject
    from groundswell.cli.options import Hosts
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster


class Checked(NamedTuple):
    """What is checked, None when a finding is an error, and the cluster of the Cluster file."""

    subject: Subject | None
    findings: tuple[Diagnostic, ...]
    sources: RunSources
    cluster: Cluster | None = None


def checked_subject(
    context: click.Context, directory: Path | None, cluster_file: Path | None, options: dict[str, Any]
) -> Checked:
    """Take what is to be checked out of a command's options; a wrong mixture of them is a usage error."""
    cluster, findings = _read(cluster_file) if cluster_file else (None, ())
    if directory is not None:
        checked = _of_directory(context, directory, options)
    elif cluster is not None and cluster_file is not None:
        checked = _of_cluster(cluster, cluster_file, options)
    elif cluster_file is not None:
        return _none(findings)
    else:
        checked = _of_query(options)
    found = (*findings, *checked.findings)
    if cluster is not None and checked.subject is not None:
        found = (*found, *_node_layer(checked, cluster))
    return Checked(None if failed(found) else checked.subject, found, checked.sources, cluster)


def _read(file: Path) -> tuple[Cluster | None, tuple[Diagnostic, ...]]:
    from groundswell.diagnostics.codes.model import UNREADABLE
    from groundswell.model.cluster_document import read_cluster

    try:
        data = read_bounded(file)
    except OSError as error:
        return None, (UNREADABLE(f"`{file}` cannot be read: {error.strerror}"),)
    cluster, findings = read_cluster(data, str(file))
    return None if failed(findings) else cluster, findings


def _node_layer(checked: Checked, cluster: Cluster) -> tuple[Diagnostic, ...]:
    """What is wrong with the machines themselves, or between the file and the bundle."""
    from groundswell.cli.node_layer import node_layer
    from groundswell.cli.planning import Planned

    assert checked.subject is not None
    _, findings = node_layer(Planned(checked.subject.plan, (), checked.sources), cluster, None)
    return findings


def _of_directory(context: click.Context, directory: Path, options: dict[str, Any]) -> Checked:
    """The bundle in a directory. Only `--catalog` may stand beside it: that is where its origins lie."""
    from groundswell.catalog.files import layers_of
    from groundswell.check.subject import of_bundle
    from groundswell.cli.sources import RunSources

    for name in options.keys() - {"catalogs"}:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.strip('_').replace('_', '-')} does nothing to a bundle that is compiled.")
    return Checked(*of_bundle(directory), RunSources(layers_of(options["catalogs"])))


def _of_cluster(cluster: Cluster, file: Path, options: dict[str, Any]) -> Checked:
    """What the file's criteria and hosts lead to, or a recipe with these hosts."""
    from groundswell.cli.node_layer import beside_cluster, hosts_of

    wrong = beside_cluster(options, None)
    if wrong:
        return _none(wrong)
    if options["recipe"] is None:
        options.update(cluster.criteria)
    return _of_query(options, hosts_of(cluster, file))


def _of_query(options: dict[str, Any], hosts: Hosts | None = None) -> Checked:
    from groundswell.check.subject import of_plan
    from groundswell.cli.options import take_inputs
    from groundswell.cli.planning import plan_of
    from groundswell.cli.resolving import resolve_inputs

    resolved = resolve_inputs(take_inputs(options)._replace(hosts=hosts))
    plan, findings = plan_of(resolved)
    if plan is None:
        return Checked(None, findings, resolved.sources)
    subject, more = of_plan(plan)
    return Checked(subject, (*findings, *more), resolved.sources)


def _none(findings: tuple[Diagnostic, ...]) -> Checked:
    from groundswell.cli.sources import RunSources

    return Checked(None, findings, RunSources())
