"""`groundswell talos schematic`: IDs and images, computed here; posted to the factory when asked to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

import click

from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import diagnostics_option
from groundswell.cli.sources import RunSources
from groundswell.cli.table import table
from groundswell.cli.talos.layer import layer_options, layer_or_stop
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.schematic import Schematic

_TIMEOUT = 30.0
_FACTORY_KEYS = frozenset(["customization", "overlay", "owner"])


class _Row(NamedTuple):
    """One schematic, who gets it, and its installer image ("" where the Talos version is not stated)."""

    hosts: tuple[str, ...]
    schematic: Schematic
    image: str


@click.command("schematic")
@layer_options
@click.option(
    "--talos-version", metavar="VERSION", help="For a schematic in the factory's format: the image's version."
)
@click.option(
    "--factory", metavar="URL", help="Post to this Image Factory.  [default: the file's, or the official one]"
)
@click.option("--upload", is_flag=True, help="Post the schematics to the factory, and compare its IDs with those here.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=_TIMEOUT, show_default=True, metavar="SECONDS",
    help="How long to wait for one answer of the factory.",
)  # fmt: skip
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="The form on stdout.",
)
@diagnostics_option
def command(  # noqa: PLR0917  one for each option; click hands them over by name
    file: Path,
    catalogs: tuple[Path, ...],
    recipe: Path | None,
    talos_version: str | None,
    factory: str | None,
    upload: bool,
    timeout: float,
    form: str,
    diagnostics: str,
) -> None:
    """Print the schematics of a Cluster file, and post them.

    IDs and images are computed without a network. FILE may also be a schematic in the Image Factory's own format.
    """
    from groundswell.talos.target import OFFICIAL_FACTORY

    findings: tuple[Diagnostic, ...] = ()
    own = _own_format(file, talos_version, diagnostics)
    if own is not None:
        rows, place, sources = [own], OFFICIAL_FACTORY, RunSources()
    else:
        if talos_version is not None:
            raise click.UsageError("--talos-version is for schematics; a Cluster file states its own")
        layer = layer_or_stop(file, catalogs, recipe, diagnostics)
        target, findings, sources = layer.cluster.target, layer.findings, layer.sources
        hosts: dict[Schematic, list[str]] = {}
        for machine in layer.machines:
            hosts.setdefault(machine.schematic, []).append(machine.name)
        rows = [_Row(tuple(names), item, target.installer(item)) for item, names in hosts.items()]
        place = target.factory
    if upload:
        findings = (*findings, *_upload(rows, (factory or place).rstrip("/"), timeout))
    click.echo(_json(rows) if form == "json" else _table(rows))
    report_or_stop(findings, sources, diagnostics)


def _own_format(file: Path, version: str | None, diagnostics: str) -> _Row | None:
    """The schematic in a file of the factory's format; None when the file is something else."""
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.source.reader import read_one
    from groundswell.talos.schematic import schematic
    from groundswell.talos.target import Target
    from groundswell.talos.version import parse_version

    try:
        document, findings = read_one(read_bounded(file), str(file))
    except OSError:
        return None  # said when it is read as a Cluster file
    if document is None or not isinstance(document.data, dict) or document.data.keys() - _FACTORY_KEYS:
        return None
    parsed, wrong = parse_version(version) if version else (None, ())
    built, refused = schematic(document.data, document.span)
    found = (*findings, *wrong, *refused)
    if built is None or failed(found):
        stop(found, RunSources(), diagnostics)
    return _Row((), built, Target(parsed).installer(built) if parsed else "")


def _upload(rows: Iterable[_Row], factory: str, timeout: float) -> tuple[Diagnostic, ...]:
    from groundswell.talos_client.factory import upload

    found = (upload(row.schematic, factory, os.environ, timeout=timeout) for row in rows)
    return tuple(finding for finding in found if finding is not None)


def _table(rows: Sequence[_Row]) -> str:
    lines = [(row.schematic.id, ", ".join(row.hosts) or "-", row.image or "-") for row in rows]
    return table(("SCHEMATIC", "HOSTS", "INSTALLER IMAGE"), lines)


def _json(rows: Sequence[_Row]) -> str:
    document = [
        {
            "id": row.schematic.id,
            "hosts": list(row.hosts),
            "image": row.image or None,
            "schematic": row.schematic.data.decode(),
        }
        for row in rows
    ]
    return json.dumps(document, indent=2, ensure_ascii=False)
