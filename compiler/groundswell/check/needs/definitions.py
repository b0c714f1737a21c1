"""A custom resource needs the definition of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs.need import Need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each resource whose kind the bundle defines."""
    for item in rendering.objects:
        crds = rendering.crds.get((item.group, item.kind), ())
        if crds:
            folders = tuple(crd.definition.folder for crd in crds)
            yield Need(item, folders, f"the definition of {item.kind} ({item.group})")
