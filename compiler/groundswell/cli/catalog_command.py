"""`groundswell catalog`: list what a catalog holds, and check it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.findings import EXIT_FINDINGS, rendered, report_or_stop, stop
from groundswell.cli.options import DIAGNOSTIC_FORMATS, catalog_options, diagnostics_option
from groundswell.cli.table import table

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.catalog.entries import Catalog


@click.group("catalog")
def command() -> None:
    """List and check catalogs."""


@command.command("list")
@catalog_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="The form on stdout.",
)
@diagnostics_option
def list_(catalogs: tuple[Path, ...], form: str, diagnostics: str) -> None:
    """List recipes, mixins, components and supported combinations."""
    from groundswell.cli.resolving import read_catalog

    read = read_catalog(catalogs)
    if read.catalog is None:
        stop(read.findings, read.sources, diagnostics)
    report_or_stop(read.findings, read.sources, diagnostics)
    click.echo(_json(read.catalog) if form == "json" else _table(read.catalog))


@command.command("check")
@catalog_options
@click.option(
    "--format",
    "form",
    type=click.Choice(DIAGNOSTIC_FORMATS),
    default="text",
    show_default=True,
    help="The form on stdout.",
)
def check(catalogs: tuple[Path, ...], form: str) -> None:
    """Check a catalog, unused and unreachable parts included.

    Exits with 1 when a finding is an error; warnings alone exit with 0.
    """
    from groundswell.catalog.unused import unused
    from groundswell.cli.resolving import read_catalog
    from groundswell.diagnostics.diagnostic import failed

    read = read_catalog(catalogs)
    findings = read.findings
    if read.catalog is not None:
        findings = (*findings, *read.remarks, *unused(read.catalog, read.files, read.used))
    if not findings and form == "text":
        count = (
            f"{len(read.catalog.recipes)} recipes, {len(read.catalog.components)} components" if read.catalog else ""
        )
        click.echo(f"the catalog is sound: {count}, digest sha256:{read.files.digest()}")
        return
    click.echo(rendered(findings, read.sources, form).rstrip("\n"))
    if failed(findings):
        sys.exit(EXIT_FINDINGS)


def _table(catalog: Catalog) -> str:
    recipes = [
        (
            recipe.name,
            " ".join(f"{d}={v}" for d, v in recipe.effective.items()) or "-",
            ", ".join(m.name for m in recipe.mixins) or "-",
        )
        for recipe in sorted(catalog.recipes.values(), key=lambda recipe: recipe.name)
    ]
    components = [
        (entry.name, str(entry.defaults.fields.data.get("version", "-")), entry.description)
        for entry in sorted(catalog.components.values(), key=lambda entry: entry.name)
    ]
    lines = [
        " ".join(f"{d}={'|'.join(v)}" for d, v in line.values.items()) + f"  ({line.level})"
        for line in catalog.combinations
    ]
    parts = [
        table(("RECIPE", "CRITERIA", "MIXINS"), recipes),
        table(("COMPONENT", "VERSION", "WHAT IT IS"), components),
        "SUPPORTED COMBINATIONS\n" + "\n".join(lines),
        f"digest sha256:{catalog.digest}",
    ]
    return "\n\n".join(parts)


def _json(catalog: Catalog) -> str:
    document = {
        "digest": f"sha256:{catalog.digest}",
        "recipes": [
            {"name": recipe.name, "criteria": dict(recipe.effective), "mixins": [mixin.name for mixin in recipe.mixins]}
            for _, recipe in sorted(catalog.recipes.items())
        ],
        "mixins": sorted(catalog.mixins),
        "components": [
            {"name": name, "description": entry.description, **entry.defaults.fields.data}
            for name, entry in sorted(catalog.components.items())
        ],
        "combinations": [
            {**{d: list(v) for d, v in line.values.items()}, "level": line.level} for line in catalog.combinations
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
