"""Whether Helm can store a folder's release: chart, values and rendered text go into one Secret of at most 1 MiB."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING

from groundswell.deploy.folders import manifests_of
from groundswell.deploy.places import largest_value_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component

SECRET_LIMIT = 2**20
"""Bytes of all data in one Secret (validation of the core API)."""


def too_large_releases(plan: Plan, folders: Mapping[str, BuiltFolder]) -> Iterator[Diagnostic]:
    """An error for each folder whose release is too large by what is known of it before it is rendered."""
    for folder in plan.folders:
        size = stored_size(folders[folder.name])
        if size > SECRET_LIMIT:
            component = plan.components[folder.component]
            yield codes.RELEASE_TOO_LARGE(
                f"Helm would store {size / 1024:.0f} KiB for the release `{folder.release}`, and a Secret takes"
                f" {SECRET_LIMIT // 1024} KiB",
                _place(component, folder) if folder.local else largest_value_place(component),
                help="split the manifests over several components" if folder.local else "shorten its values",
            )


def stored_size(built: BuiltFolder) -> int:
    """The bytes that Helm stores for a folder at the least: JSON, its files as base64, compressed, then base64 again.

    What rendering adds is counted for manifests without template actions, and nothing for charts from elsewhere.
    """
    values = built.text("values.yaml")
    files: dict[str, str] = {}
    rendered = []
    for file in built.files if built.folder.local else ():
        text = file.data.decode()
        if file.path == f"{built.folder.name}/values.yaml":
            continue
        files[file.path] = base64.b64encode(file.data).decode()
        if "/manifests/" in file.path and "{{" not in text:
            rendered.append(text)
    # The values of a local chart are in it twice: as the chart's own, and as those that `install.sh` gives.
    parts = {"files": files, "values": values if built.folder.local else "", "config": values, "manifest": rendered}
    whole = json.dumps(parts).encode()
    if _in_base64(len(whole)) <= SECRET_LIMIT:
        return _in_base64(len(whole))
    return _in_base64(len(zlib.compress(whole, 9)))


def _in_base64(length: int) -> int:
    return -(-length // 3) * 4


def _place(component: Component, folder: Folder) -> Span | None:
    """The largest of a local chart's manifests, or its values where they are larger."""
    largest = max(manifests_of(folder, component), key=lambda manifest: len(manifest.text))
    if len(str(component.values)) > len(largest.text):
        return largest_value_place(component)
    return Span(largest.file, 1, 1, 1, 1)
