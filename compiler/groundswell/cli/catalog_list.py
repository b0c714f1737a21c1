"""`groundswell catalog list`: what a catalog holds and which combinations it stands behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import catalog_options, diagnostics_option
from groundswell.cli.table import table

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.catalog.entries import Catalog


@click.command("list", cls=Command)
@catalog_options
@click.option("--matrix", is_flag=True, help="Every complete supported combination instead, with its level.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="The form on stdout; markdown is a page of the matrix.",
)
@diagnostics_option
def list_(catalogs: tuple[Path, ...], matrix: bool, form: str, diagnostics: str) -> None:
    """List recipes, mixins, components and supported combinations."""
    from groundswell.cli.resolving import read_catalog

    if form == "markdown" and not matrix:
        raise click.UsageError("--format markdown is a form of --matrix")
    read = read_catalog(catalogs)
    if read.catalog is None:
        stop(read.findings, read.sources, diagnostics)
    report_or_stop(read.findings, read.sources, diagnostics)
    if matrix:
        click.echo(_matrix(read.catalog, form))
    else:
        click.echo(_json(read.catalog) if form == "json" else _table(read.catalog))


def _matrix(catalog: Catalog, form: str) -> str:
    from groundswell.catalog.entries import DIMENSIONS
    from groundswell.catalog.matrix import coverage_page, supported

    rows = supported(catalog)
    if form == "markdown":
        return coverage_page(rows).rstrip("\n")
    if form == "json":
        documents = [{**row.criteria, "level": row.level, "mustBeSet": list(row.values)} for row in rows]
        return json.dumps(documents, indent=2, ensure_ascii=False)
    head = (*(dimension.upper() for dimension in DIMENSIONS), "LEVEL", "MUST BE SET")
    cells = [[row.criteria.get(key, "-") for key in DIMENSIONS] for row in rows]
    return table(head, [(*own, row.level, ", ".join(row.values) or "-") for own, row in zip(cells, rows, strict=True)])


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
