"""Places in the catalog for findings about folders, and about fields of their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.places import field_place, value_place
from groundswell.diagnostics.diagnostic import Related
from groundswell.plan.plan import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder
    from groundswell.plan.plan import Folder
    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span

_SHOWN = 3


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


def placed_below(component: Component, path: tuple[str, ...]) -> Span | None:
    """Where the value at a path, or the first one below it, was decided."""
    below = next((leaf for leaf in component.origins if leaf[: len(path)] == path), path)
    return value_place(component, below)


def object_place(
    rendered: RenderedFolder, item: KubeObject, field: Sequence[str | int]
) -> tuple[Span | None, tuple[Related, ...]]:
    """The place in the catalog of the value that a field of an object came from, else that of what brings the object.

    Values of which any may be the one are no more than related places.
    """
    from groundswell.catalog.value_path import format_path  # noqa: PLC0415  only findings need it
    from groundswell.check.behind import values_behind  # noqa: PLC0415  as above

    component = rendered.component
    behind = values_behind(rendered, item, field)
    places = [(path, place) for path in behind if (place := placed_below(component, path))]
    if len(behind) == 1 and places:
        return places[0][1], ()
    related = [Related(place, f"the value may be that of `{format_path(path)}`") for path, place in places[:_SHOWN]]
    return _manifest_place(rendered, item) or rendered.place, tuple(related)


def _manifest_place(rendered: RenderedFolder, item: KubeObject) -> Span | None:
    """Where the catalog lists the manifest that an object is of, when only one has objects of its kind."""
    component, pre = rendered.component, rendered.folder.phase is Phase.PRE
    kind = f"kind: {item.kind}"
    if not rendered.folder.local:
        return None
    manifests = component.pre_manifests if pre else component.manifests
    found = [manifest for manifest in manifests if kind in (line.strip() for line in manifest.text.splitlines())]
    field_name = "preManifestFiles" if pre else "manifestFiles"
    return field_place(component, f"{field_name}.{found[0].file.partition('/')[2]}") if len(found) == 1 else None
