"""`groundswell catalog schema`: JSON Schemas of catalog files, for editors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.options import PathType

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KINDS = ("recipe", "mixin", "component", "support", "cluster")


@click.command("schema", cls=Command)
@click.argument("kind", type=click.Choice(KINDS), required=False)
@click.option(
    "-o", "--output", metavar="DIR", type=PathType(), help="Write KIND.json there, for all kinds if none is named."
)
def schema(kind: str | None, output: Path | None) -> None:
    """Print the JSON Schema of a kind of file.

    Editors that know the YAML language server find it through a comment at the top of a file:
    `# yaml-language-server: $schema=PATH`.
    """
    if output is None:
        if kind is None:
            raise click.UsageError(f"name a kind ({', '.join(KINDS)}), or a directory with -o")
        click.echo(schema_text(kind), nl=False)
        return
    _write(output, KINDS if kind is None else (kind,))


def schema_text(kind: str) -> str:
    """The schema of a kind of file as it is written to disk."""
    from groundswell.model.schema import json_schema

    return json.dumps(json_schema(kind), indent=2, ensure_ascii=False) + "\n"


def _write(directory: Path, kinds: Sequence[str]) -> None:
    for kind in kinds:
        path = directory / f"{kind}.json"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            path.write_text(schema_text(kind), encoding="utf-8", newline="\n")
        except OSError as error:
            raise click.ClickException(f"`{path}` cannot be written: {error.strerror}") from None
        click.echo(f"wrote {path}")
