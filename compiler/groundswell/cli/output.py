"""Bundles on their way to the directory of `-o`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.write import refused_place, write
from groundswell.diagnostics.codes.files import IN_A_CATALOG

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.diagnostic import Diagnostic


def write_outside_catalogs(files: Sequence[File], output: Path, sources: RunSources) -> tuple[Diagnostic, ...]:
    """Write files into a directory of their own, which no catalog of the run may read; findings as `bundle.write`."""
    return _in_a_catalog(output, sources) or write(files, output)


def refused(output: Path, sources: RunSources) -> tuple[Diagnostic, ...]:
    """Why nothing could be written there, as far as that can be seen without doing so."""
    return _in_a_catalog(output, sources) or refused_place(output)


def _in_a_catalog(output: Path, sources: RunSources) -> tuple[Diagnostic, ...]:
    layer = next((layer for layer in sources.layers if layer.reads(output)), None)
    if layer is None:
        return ()
    text = f"`{output}` lies in the catalog `{layer.root}`, which would be read with the bundle in it"
    return (IN_A_CATALOG(text, help="give `-o` a directory outside of the catalog's folders"),)
