"""`groundswell talos configure`: facts become a Cluster file, by interview."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import PathType, diagnostics_option
from groundswell.cli.sources import RunSources
from groundswell.cli.talos.results import deliver
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json
    from groundswell.talos.cluster import Cluster
    from groundswell.talos_client.facts import Facts
    from groundswell.talos_client.prompt import Prompt


@click.command("configure", cls=Command)
@click.argument("inventory", type=PathType())
@click.option("-o", "--output", metavar="FILE", type=PathType(), help="The new Cluster file.  [default: stdout]")
@click.option(
    "--append", metavar="FILE", type=PathType(), help="Add the machines to this Cluster file; its text stays as it is."
)
@click.option("-y", "--yes", is_flag=True, help="Ask nothing: every answer is the default.")
@diagnostics_option
def command(inventory: Path, output: Path | None, append: Path | None, yes: bool, diagnostics: str) -> None:
    """Describe discovered machines in a Cluster file.

    INVENTORY is what `talos discover` wrote as yaml or json. Each question has a default; hosts are prepared for
    nothing unless asked to. With --append the file is changed in place, or with -o left alone.
    """
    from groundswell.diagnostics.codes.files import FILE_NOT_WRITTEN
    from groundswell.diagnostics.codes.model import UNREADABLE
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.talos_client.inventory import read_inventory

    if output is not None and output.exists():
        stop((FILE_NOT_WRITTEN(f"`{output}` is there already", help=_EXISTS),), RunSources(), diagnostics)
    try:
        data = read_bounded(inventory)
    except OSError as error:
        stop((UNREADABLE(f"`{inventory}` cannot be read: {error.strerror}"),), RunSources(), diagnostics)
    machines, findings = read_inventory(data, str(inventory))
    if not machines:
        stop(findings, RunSources(), diagnostics)
    place = str(output or append or inventory)
    text, found = _appended(append, place, machines, diagnostics, yes=yes) if append else _new(machines, place, yes=yes)
    findings = (*findings, *found)
    if not failed(findings):
        findings = (*findings, *deliver(text, output or append))
    report_or_stop(findings, RunSources(), diagnostics)


_EXISTS = "give a new file, or add to the old one with `--append`"


def _new(machines: Sequence[Facts], place: str, *, yes: bool) -> tuple[str, tuple[Diagnostic, ...]]:
    from groundswell.source.emitter import emit
    from groundswell.talos_client.interview import cluster_settings

    document = cluster_settings(machines, _default if yes else _ask)
    hosts, findings = _hosts(machines, None, yes=yes)
    document["spec"]["hosts"] = hosts
    text = emit(document)
    return text, (*findings, *_read_again(text, place)[1])


def _read_again(text: str, file: str) -> tuple[Cluster | None, tuple[Diagnostic, ...]]:
    """The cluster of a text that goes into a file. Errors keep it from being written, so they have no place."""
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.model.cluster_document import read_cluster

    cluster, findings = read_cluster(text.encode(), file)
    return cluster, tuple(item._replace(span=None, related=()) for item in findings) if failed(findings) else findings


def _appended(
    file: Path, place: str, machines: Sequence[Facts], diagnostics: str, *, yes: bool
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The file's text with the machines that it does not have yet. Findings are about the new text, in its `place`."""
    from groundswell.cli.talos.layer import read_or_stop
    from groundswell.diagnostics.codes.talos_client import ALREADY_THERE
    from groundswell.talos_client.append import append_hosts

    cluster, _ = read_or_stop(file, diagnostics)
    text = read_bounded(file).decode("utf-8")
    known = {host.address.value for host in cluster.hosts if host.address}
    new = [machine for machine in machines if machine.node not in known]
    findings: tuple[Diagnostic, ...] = ()
    if new:
        hosts, findings = _hosts(new, cluster, yes=yes)
        text, refused = append_hosts(text, str(file), hosts)
        if refused:
            return text, (*findings, *refused)
    after, found = _read_again(text, place)
    there = [
        ALREADY_THERE(f"`{host.address.value}` is host `{host.name.value}` already", host.name.span)
        for host in (after.hosts if after else ())
        if host.address and host.address.value in known and host.address.value in {item.node for item in machines}
    ]
    return text, (*findings, *found, *there)


def _hosts(
    machines: Sequence[Facts], cluster: Cluster | None, *, yes: bool
) -> tuple[list[Json], tuple[Diagnostic, ...]]:
    from groundswell.diagnostics.codes.talos_client import NO_DISK
    from groundswell.talos.cluster import CONTROL_PLANE, WORKER
    from groundswell.talos_client.interview import control_planes, host_settings

    has_planes = cluster is not None and any(host.control_plane for host in cluster.hosts)
    planes = [] if has_planes else control_planes(machines)
    taken = {host.name.value for host in cluster.hosts} if cluster else set()
    hosts: list[Json] = []
    findings = []
    for index, machine in enumerate(machines):
        role = CONTROL_PLANE if index in planes or machine.role == CONTROL_PLANE else WORKER
        host = host_settings(machine, role, taken, _default if yes else _ask)
        taken.add(host["name"])
        hosts.append(host)
        if "installDisk" not in host:
            findings.append(NO_DISK(f"no disk of `{machine.node}` is fit to install to"))
    return hosts, tuple(findings)


def _default(prompt: Prompt) -> str:
    return prompt.default


def _ask(prompt: Prompt) -> str:
    """Ask on the terminal, and again while the answer cannot be used. The result alone goes to stdout."""
    while True:
        answer = str(click.prompt(prompt.text, default=prompt.default, err=True)).strip()
        problem = prompt.check(answer)
        if not problem:
            return answer
        click.echo(f"  {problem}", err=True)
