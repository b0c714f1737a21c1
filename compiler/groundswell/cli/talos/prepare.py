"""`groundswell talos prepare`: running machines and their definition."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import EXIT_FINDINGS, report, report_or_stop, stop
from groundswell.cli.options import diagnostics_option
from groundswell.cli.table import table
from groundswell.cli.talos.access import access_options, access_words
from groundswell.cli.talos.layer import layer_options, layer_or_stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from groundswell.cli.talos.layer import Layer
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine
    from groundswell.talos_client.applying import Applying
    from groundswell.talos_client.prepare import Change
    from groundswell.talos_client.talosctl import Talosctl

_EXIT_DRIFT = 3
_WAIT, _SETTLE = 1800.0, 60.0


@click.command("prepare", cls=Command)
@layer_options
@click.option("--host", "only", multiple=True, metavar="NAME", help="Only this host; may be repeated.  [default: all]")
@click.option("--apply", "apply_", is_flag=True, help="Do it, one machine at a time, until something fails.")
@click.option("--verify", "verify_", is_flag=True, help="Compare the running machines with their definition instead.")
@access_options
@click.option(
    "--wait", type=click.FloatRange(min=0, min_open=True), default=_WAIT, show_default=True, metavar="SECONDS",
    help="How long a machine may take to come back, and the cluster to be healthy.",
)  # fmt: skip
@click.option(
    "--settle", type=click.FloatRange(min=0), default=_SETTLE, show_default=True, metavar="SECONDS",
    help="How long a changed machine may take until it is as defined.",
)  # fmt: skip
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the result on stdout.",
)
@diagnostics_option
def command(  # noqa: PLR0917  one for each option; click hands them over by name
    file: Path,
    catalogs: tuple[Path, ...],
    recipe: Path | None,
    only: tuple[str, ...],
    apply_: bool,
    verify_: bool,
    talosconfig: Path | None,
    context: str | None,
    endpoints: tuple[str, ...],
    timeout: float,
    wait: float,
    settle: float,
    form: str,
    diagnostics: str,
) -> None:
    """Bring running machines to their definition, or compare them.

    Without --apply it only says what each machine takes: an upgrade for another image, a patch, or nothing. With
    --verify it exits with 3 when a machine is not as defined.
    """
    from groundswell.talos_client.applying import Applying
    from groundswell.talos_client.talosctl import find_talosctl

    if apply_ and verify_:
        raise click.UsageError("--apply changes machines and --verify only looks: give one of them")
    layer = layer_or_stop(file, catalogs, recipe, diagnostics)
    chosen, findings = _chosen(layer, only)
    talosctl, missing = find_talosctl(access_words(talosconfig, context, endpoints), timeout)
    if findings or talosctl is None:
        stop((*layer.findings, *findings, *missing), layer.sources, diagnostics)
    if verify_:
        _verify(talosctl, layer, chosen, form, diagnostics)
        return
    changes, findings = _plan(talosctl, layer, chosen)
    click.echo(_json(changes) if form == "json" else _text(changes))
    report_or_stop((*layer.findings, *findings), layer.sources, diagnostics)
    if apply_:
        _apply(Applying(talosctl, layer.cluster, _say, wait=wait, settle=settle), changes, layer, diagnostics)


def _chosen(layer: Layer, only: Sequence[str]) -> tuple[list[tuple[Host, Machine]], tuple[Diagnostic, ...]]:
    """The hosts that are meant, each with its machine: control planes first, since they are upgraded first."""
    from groundswell.diagnostics.codes.talos_client import UNKNOWN_HOST
    from groundswell.diagnostics.suggest import suggestion

    pairs = list(zip(layer.cluster.hosts, layer.machines, strict=True))
    names = [host.name.value for host, _ in pairs]
    findings = tuple(
        UNKNOWN_HOST(f"there is no host `{name}`", help=suggestion(name, names)) for name in only if name not in names
    )
    meant = [pair for pair in pairs if not only or pair[0].name.value in only]
    return sorted(meant, key=lambda pair: not pair[0].control_plane), findings


def _plan(
    talosctl: Talosctl, layer: Layer, chosen: Sequence[tuple[Host, Machine]]
) -> tuple[list[Change], tuple[Diagnostic, ...]]:
    from groundswell.talos_client.prepare import plan_change

    changes: list[Change] = []
    findings: list[Diagnostic] = []
    for host, machine in chosen:
        change, found = plan_change(talosctl, host, machine, layer.cluster.target)
        changes += [change] if change else []
        findings += found
    return changes, tuple(findings)


def _apply(applying: Applying, changes: Sequence[Change], layer: Layer, diagnostics: str) -> None:
    applied = applying.apply(changes)
    if applied.as_defined:
        _say(f"as defined: {', '.join(applied.as_defined)}")
    if applied.besides:
        _say(f"as defined, but for what the warnings above name: {', '.join(applied.besides)}")
    report_or_stop(applied.findings, layer.sources, diagnostics)


def _verify(
    talosctl: Talosctl, layer: Layer, chosen: Sequence[tuple[Host, Machine]], form: str, diagnostics: str
) -> None:
    """Compare, print, and exit with 3 when something differs or is not told."""
    from groundswell.diagnostics.codes.talos_client import DRIFT, NO_ADDRESS
    from groundswell.talos_client.verify import verify

    found: dict[str, tuple[Diagnostic, ...]] = {}
    for host, machine in chosen:
        name = host.name.value
        if host.address is None:
            found[name] = (NO_ADDRESS(f"host `{name}` has no address", host.name.span),)
        else:
            found[name] = verify(talosctl.ask, host, machine, layer.cluster.target)
    if form == "json":
        document = {
            name: [{"code": item.code, "message": item.message} for item in _counted(drift)]
            for name, drift in found.items()
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        rows = [(name, _differences(len(_counted(drift)))) for name, drift in found.items()]
        click.echo(table(("HOST", "RESULT"), rows))
    findings = [item for drift in found.values() for item in drift]
    report((*layer.findings, *findings), layer.sources, diagnostics)
    if counted := _counted(findings):
        sys.exit(_EXIT_DRIFT if all(item.code in DRIFT for item in counted) else EXIT_FINDINGS)


def _counted(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings that are differences: hints tell what else a machine has."""
    from groundswell.diagnostics.diagnostic import Severity

    return [item for item in findings if item.severity is not Severity.HINT]


def _differences(count: int) -> str:
    if not count:
        return "as defined"
    return "1 difference" if count == 1 else f"{count} differences"


def _say(text: str) -> None:
    click.echo(text, err=True)


def _text(changes: Sequence[Change]) -> str:
    rows = [(item.host.name.value, item.node, item.action, "; ".join(item.reasons) or "-") for item in changes]
    parts = [table(("HOST", "ADDRESS", "TAKES", "WHY"), rows)]
    for change in changes:
        if change.patch:
            lines = change.patch.rstrip("\n").split("\n")
            parts.append(f"patch of {change.host.name.value}:\n" + "\n".join(f"  {line}" for line in lines))
    return "\n\n".join(parts)


def _json(changes: Sequence[Change]) -> str:
    document = [
        {
            "host": change.host.name.value,
            "address": change.node,
            "takes": change.action,
            "reboot": change.reboot or bool(change.image),
            "image": change.image or None,
            "patch": change.patch or None,
            "removes": list(change.removes),
            "reasons": list(change.reasons),
        }
        for change in changes
    ]
    return json.dumps(document, indent=2, ensure_ascii=False)
