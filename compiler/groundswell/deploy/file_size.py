"""Files of local charts that Helm refuses to read for their size, and so does Argo CD, which renders with Helm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.places import largest_value_place
from groundswell.diagnostics.codes import manifests as codes
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component, Manifest

FILE_LIMIT = 5 * 2**20
"""What Helm 3.17 and 4 read of one file of a chart, in bytes."""


def too_large(manifest: Manifest) -> Iterator[Diagnostic]:
    """An error when a manifest file is too large."""
    if (size := len(manifest.text.encode())) > FILE_LIMIT:
        message = f"`{manifest.name}` has {size} bytes, and Helm refuses a chart with a file of more than {FILE_LIMIT}"
        yield codes.FILE_TOO_LARGE(message, Span(manifest.file, 1, 1, 1, 1), help="split the file")


def too_large_values(component: Component, text: str) -> Iterator[Diagnostic]:
    """An error when the values of a local chart are too large; `text` is its values.yaml."""
    if (size := len(text.encode())) > FILE_LIMIT:
        message = f"the values of `{component.name}` have {size} bytes, and Helm refuses a chart with a file of more"
        yield codes.FILE_TOO_LARGE(f"{message} than {FILE_LIMIT}", largest_value_place(component), help="shorten them")
