"""`groundswell verify`: a bundle is exactly what was written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import EXIT_FINDINGS, rendered
from groundswell.cli.options import PathType, findings_format

if TYPE_CHECKING:
    from pathlib import Path

_EXIT_CHANGED = 3


@click.command("verify", cls=Command)
@click.argument("directory", type=PathType())
@findings_format
def command(directory: Path, form: str) -> None:
    """Check that a bundle is exactly what was written.

    Exits with 3 when a file is missing, changed, added or replaced by a link.
    """
    from groundswell.bundle.verify import verify
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.codes.files import CHANGES

    findings = verify(directory)
    if not findings and form == "text":
        click.echo(f"{directory}: every file is as it was written")
        return
    click.echo(rendered(findings, RunSources(follow=False), form).rstrip("\n"))
    if findings:
        sys.exit(_EXIT_CHANGED if all(finding.code in CHANGES for finding in findings) else EXIT_FINDINGS)
