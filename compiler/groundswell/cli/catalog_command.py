"""`groundswell catalog`: look into catalogs, check them, and write files for them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.catalog_list import list_
from groundswell.cli.catalog_new import new
from groundswell.cli.catalog_schema import schema
from groundswell.cli.command import Command
from groundswell.cli.findings import EXIT_FINDINGS, rendered
from groundswell.cli.options import catalog_options, findings_format

if TYPE_CHECKING:
    from pathlib import Path


@click.group("catalog")
def command() -> None:
    """List, check and write catalogs."""


@command.command("check", cls=Command)
@catalog_options
@findings_format
def check(catalogs: tuple[Path, ...], form: str) -> None:
    """Check a catalog: also what is unused, unreachable or shadowed, and what clashes in some query.

    Exits with 1 when a finding is an error; warnings alone exit with 0.
    """
    from groundswell.catalog.clashes import clashes
    from groundswell.catalog.idle import idle
    from groundswell.catalog.shadowed import shadowed
    from groundswell.catalog.unused import unused
    from groundswell.cli.resolving import read_catalog
    from groundswell.diagnostics.diagnostic import failed

    read = read_catalog(catalogs)
    findings = (*read.findings, *read.remarks)
    if read.catalog is not None:
        catalog, files = read.catalog, read.files
        parts = (*unused(catalog, files, read.used), *shadowed(catalog, files), *idle(catalog, files))
        findings = (*findings, *parts, *clashes(catalog, files))
    if not findings and form == "text":
        count = (
            f"{len(read.catalog.recipes)} recipes, {len(read.catalog.components)} components" if read.catalog else ""
        )
        click.echo(f"the catalog is sound: {count}, digest sha256:{read.files.digest()}")
        return
    click.echo(rendered(findings, read.sources, form).rstrip("\n"))
    if failed(findings):
        sys.exit(EXIT_FINDINGS)


for subcommand in (list_, new, schema):
    command.add_command(subcommand)
