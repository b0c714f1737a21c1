"""Results on their way to a file or to stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic


def deliver(text: str, output: Path | None) -> tuple[Diagnostic, ...]:
    """Print a text, or write it into a file; a finding when the file cannot be written."""
    from groundswell.diagnostics.codes.files import FILE_NOT_WRITTEN

    if output is None:
        click.echo(text, nl=False)
        return ()
    try:
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        return (FILE_NOT_WRITTEN(f"`{output}` cannot be written: {error.strerror}"),)
    return ()
