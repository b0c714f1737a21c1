"""What `check` judges: the bundle in a directory, a query, or what a Cluster file leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from groundswell.diagnostics.diagnostic import failed

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.check.subject import Subject
    from groundswell.cli.node_layer import ClusterFile
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
    context: click.Context, directory: Path | None, file: Path | None, options: dict[str, Any]
) -> Checked:
    """Take what is to be checked out of a command's options; a wrong mixture of them is a usage error.

    `file` is the Cluster file.
    """
    from groundswell.cli.node_layer import cluster_file, hosts_alone, take_criteria

    read = cluster_file(file) if file else None
    if directory is not None:
        checked, findings = _of_directory(context, directory, options), read.findings if read else ()
    else:
        findings = take_criteria(read, options, None) if read else ()
        checked = _of_query(options, read)
    cluster = read.cluster if read else None
    found = (*findings, *checked.findings)
    if cluster is not None:
        found = (*found, *(_node_layer(checked, cluster) if checked.subject else hosts_alone(cluster)))
    return Checked(None if failed(found) else checked.subject, found, checked.sources, cluster)


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


def _of_query(options: dict[str, Any], read: ClusterFile | None) -> Checked:
    """What the options lead to, the Cluster file's criteria and hosts among them."""
    from groundswell.check.subject import of_plan
    from groundswell.cli.options import take_inputs
    from groundswell.cli.planning import plan_of
    from groundswell.cli.resolving import resolve_inputs

    inputs = take_inputs(options)
    resolved = resolve_inputs(read.beside(inputs) if read else inputs)
    plan, findings = plan_of(resolved)
    if plan is None:
        return Checked(None, findings, resolved.sources)
    subject, more = of_plan(plan)
    return Checked(subject, (*findings, *more), resolved.sources)
