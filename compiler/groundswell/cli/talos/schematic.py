"""`groundswell talos schematic`: IDs and images, computed here; posted to the factory when asked to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

import click

from groundswell.cli.command import Command
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


class _Row(NamedTuple):
    """One schematic, who gets it, and its installer image ("" where the Talos version is not stated)."""

    hosts: tuple[str, ...]
    schematic: Schematic
    image: str


@click.command("schematic", cls=Command)
@layer_options
@click.option(
    "--talos-version", metavar="VERSION", help="For a schematic in the factory's format: the image's version."
)
@click.option(
    "--factory", metavar="URL", help="Post to this Image Factory.  [default: the file's, or the official one]"
)
@click.option("--upload", is_flag=True, help="Post the schematics to the factory, and compare its IDs with those here.")
@click.option("--again", is_flag=True, help="With --upload: post also what was posted to this factory before.")
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
    again: bool,
    timeout: float,
    form: str,
    diagnostics: str,
) -> None:
    """Print the schematics of a Cluster file, and post them.

    IDs and images are computed without a network. FILE may also be a schematic in the Image Factory's own format.
    """
    from groundswell.talos.target import OFFICIAL_FACTORY

    if again and not upload:
        raise click.UsageError("--again says what --upload posts: give both")
    findings: tuple[Diagnostic, ...] = ()
    own = _own_format(file, talos_version, factory, diagnostics)
    if own is not None:
        row, findings = own
        rows, place, sources = [row], OFFICIAL_FACTORY, RunSources()
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
        to, told = (factory or place).rstrip("/"), diagnostics == "text"
        findings = (*findings, *_upload(rows, to, again=again, timeout=timeout, told=told))
    click.echo(_json(rows) if form == "json" else _table(rows))
    report_or_stop(findings, sources, diagnostics)


def _own_format(
    file: Path, version: str | None, factory: str | None, diagnostics: str
) -> tuple[_Row, tuple[Diagnostic, ...]] | None:
    """The schematic in a file of the factory's format, with what is doubtful in it; None for other files."""
    from groundswell.diagnostics.diagnostic import failed
    from groundswell.talos.schematic_file import is_schematic, read_schematic, schematic_findings
    from groundswell.talos.target import OFFICIAL_FACTORY, Target
    from groundswell.talos.version import parse_version

    try:
        data = read_bounded(file)
    except OSError:
        return None  # said when it is read as a Cluster file
    if not is_schematic(data):
        return None
    parsed, wrong = parse_version(version) if version else (None, ())
    read, refused = read_schematic(data, str(file))
    findings = (*wrong, *refused)
    if read is None or failed(findings):
        stop(findings, RunSources(), diagnostics)
    target = Target(parsed, (factory or OFFICIAL_FACTORY).rstrip("/")) if parsed else None
    image = target.installer(read.schematic) if target else ""
    return _Row((), read.schematic, image), (*findings, *(schematic_findings(read, target) if target else ()))


def _upload(rows: Iterable[_Row], factory: str, *, again: bool, timeout: float, told: bool) -> tuple[Diagnostic, ...]:
    """Post them; `told` says whether each is a line on stderr."""
    from groundswell.talos_client.factory import Upload, upload
    from groundswell.talos_client.posted import posted

    uploads = [Upload(row.schematic, row.hosts) for row in rows]

    def say(text: str) -> None:
        if told:
            click.echo(text, err=True)

    return upload(uploads, factory, os.environ, posted(factory), say, again=again, timeout=timeout)


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
