"""An object needs its namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs.need import Need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering

EVERY_CLUSTER_HAS = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def makers(rendering: Rendering) -> dict[str, tuple[str, ...]]:
    """The folders that make each namespace: by an object, or because their release is installed into it."""
    found: dict[str, tuple[str, ...]] = {}
    for item in rendering.objects:
        if item.kind == "Namespace" and not item.group and item.installed:
            found[item.name] = (*found.get(item.name, ()), item.folder)
    for name, rendered in rendering.folders.items():
        if "create-namespace" in rendered.row.flags:
            found[rendered.row.namespace] = (*found.get(rendered.row.namespace, ()), name)
    return found


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each object in a namespace that the bundle makes."""
    made = makers(rendering)
    for item in rendering.objects:
        if item.namespace in made and item.namespace not in EVERY_CLUSTER_HAS:
            what = f"the namespace {item.namespace}"
            yield Need(item, made[item.namespace], what, path=("metadata", "namespace"))
