"""`groundswell talos discover`: the hardware of machines, through `talosctl`."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import PathType, diagnostics_option
from groundswell.cli.sources import RunSources
from groundswell.cli.talos.access import access_options, access_words
from groundswell.cli.talos.results import deliver

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos_client.facts import Facts
    from groundswell.talos_client.question import Ask, Question

_EXIT_INCOMPLETE = 3
_AT_ONCE = 8
# An IP address or a host name; `talosctl` takes several between commas and mixes their answers.
_ADDRESS = r"[0-9A-Za-z:][0-9A-Za-z.:%_-]*"


@click.command("discover", cls=Command)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@click.option("-o", "--output", metavar="FILE", type=PathType(), help="Where to write it.  [default: stdout]")
@click.option("--insecure", is_flag=True, help="The machines are in maintenance mode: they have no configuration yet.")
@access_options
@click.option("--dump-dir", metavar="DIR", type=PathType(), help="Also keep every answer of the machines there.")
@click.option("--replay", metavar="DIR", type=PathType(), help="Take the answers from there; no machine is asked.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["yaml", "json", "tsv"]),
    default="yaml",
    show_default=True,
    help="The form of the inventory.",
)
@diagnostics_option
def command(  # noqa: PLR0917  one for each option; click hands them over by name
    addresses: tuple[str, ...],
    output: Path | None,
    insecure: bool,
    talosconfig: Path | None,
    context: str | None,
    endpoints: tuple[str, ...],
    timeout: float,
    dump_dir: Path | None,
    replay: Path | None,
    form: str,
    diagnostics: str,
) -> None:
    """Ask machines for their disks, PCI devices, CPUs, memory and system.

    Configured machines also tell NUMA nodes, hugepages, siblings of CPUs and IOMMU groups. Nothing is changed. Exits
    with 3 when a fact is missing; the inventory is written all the same.
    """
    from groundswell.talos_client.saved import Recorder

    if replay is not None and (addresses or insecure or dump_dir or talosconfig or context or endpoints):
        raise click.UsageError("--replay asks no machine: leave out addresses and the options that lead to them")
    if wrong := [address for address in addresses if not re.fullmatch(_ADDRESS, address)]:
        raise click.UsageError(f"`{wrong[0]}` is not the address of a machine: name each by itself")
    if replay is None and not addresses:
        raise click.UsageError("name the addresses of machines, or a directory with --replay")
    if replay is not None:
        ask, nodes, findings = _kept(replay)
    else:
        ask, findings = _live(access_words(talosconfig, context, endpoints), timeout)
        nodes = dict.fromkeys(addresses, insecure)
    if ask is None:
        stop(findings, RunSources(), diagnostics)
    recorder = Recorder(ask)
    machines, found = _all(recorder, nodes)
    if dump_dir is not None:
        found = (*found, *recorder.dump(dump_dir))
    if machines:
        found = (*found, *deliver(_text(machines, form), output))
    report_or_stop(found, RunSources(), diagnostics)
    if not all(machine.complete for machine in machines):
        sys.exit(_EXIT_INCOMPLETE)


def _kept(directory: Path) -> tuple[Ask | None, dict[str, bool], tuple[Diagnostic, ...]]:
    from groundswell.talos_client.saved import Replay, saved_machines

    nodes, findings = saved_machines(directory)
    return (None if findings else Replay(directory)), nodes, findings


def _live(words: Sequence[str], timeout: float) -> tuple[Ask | None, tuple[Diagnostic, ...]]:
    from groundswell.talos_client.talosctl import find_talosctl

    talosctl, findings = find_talosctl(words, timeout)
    return (talosctl.ask if talosctl else None), findings


def _all(ask: Ask, nodes: Mapping[str, bool]) -> tuple[tuple[Facts, ...], tuple[Diagnostic, ...]]:
    """Every machine in the order given, those that do not answer left out. Several are asked at the same time."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    from groundswell.talos_client.discover import discover
    from groundswell.talos_client.question import Answer

    interrupted = Event()

    def until_interrupted(node: str, question: Question, *, insecure: bool = False) -> Answer:
        return Answer("", "interrupted") if interrupted.is_set() else ask(node, question, insecure=insecure)

    def one(node: str) -> tuple[Facts | None, tuple[Diagnostic, ...]]:
        if sys.stderr.isatty() and not interrupted.is_set():
            click.echo(f"asking {node}", err=True)
        return discover(until_interrupted, node, maintenance=nodes[node])

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            found = list(pool.map(one, nodes))
        except KeyboardInterrupt:
            interrupted.set()
            raise
    return tuple(facts for facts, _ in found if facts), tuple(item for _, items in found for item in items)


def _text(machines: Sequence[Facts], form: str) -> str:
    from groundswell.talos_client.inventory import to_document, to_tsv

    if form == "tsv":
        return to_tsv(machines)
    document = to_document(machines)
    if form == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    from groundswell.source.emitter import emit

    return emit(document)
