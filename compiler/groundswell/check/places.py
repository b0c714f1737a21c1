"""Places in the catalog for findings about folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.places import field_place
from groundswell.plan.plan import Phase

if TYPE_CHECKING:
    from groundswell.plan.plan import Folder
    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span


def folder_place(component: Component, folder: Folder) -> Span | None:
    """The place in the catalog of a folder's chart, or of the first of its manifests."""
    if not folder.local:
        return field_place(component, "version") or field_place(component, "chart")
    field_name = "preManifestFiles" if folder.phase is Phase.PRE else "manifestFiles"
    manifests = component.pre_manifests if folder.phase is Phase.PRE else component.manifests
    for name in component.field_origins:
        if name.startswith(f"{field_name}."):
            return field_place(component, name)
    return field_place(component, "namespace") if manifests else None
