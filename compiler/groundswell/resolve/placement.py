"""The scheduling and storage flags and the node count, as values at the paths that components offer for them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.layers import unplaced
from groundswell.resolve.query import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from groundswell.catalog.entries import ComponentEntry
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query
    from groundswell.resolve.resolution import Path
    from groundswell.source.located import Json

_Paths: TypeAlias = "Callable[[ComponentEntry], tuple[Path, ...]]"
"""Reads one kind of path off a component."""

_ACCELERATED = "--accelerated-node-toleration"

PLACES: Mapping[str, _Paths] = {
    "--nodes": attrgetter("node_count"),
    "--storage-class": attrgetter("storage_class"),
    "--system-node-selector": attrgetter("system.node_selector"),
    "--accelerated-node-selector": attrgetter("accelerated.node_selector"),
    "--system-node-toleration": attrgetter("system.toleration"),
    _ACCELERATED: attrgetter("accelerated.toleration"),
}
"""The flags, each with the paths of a component that take it."""


def placed(query: Query, components: Mapping[str, ComponentEntry]) -> tuple[tuple[Setting, ...], list[Diagnostic]]:
    """What the flags say, as settings of the components of the plan.

    A path that takes tolerations of both classes of nodes (a DaemonSet that runs everywhere) gets both lists.

    Returns:
        The settings, and findings for flags that no component has a place for.
    """
    findings, settings = [], []
    system = [dict(item) for item in query.placement.system_tolerations]
    for flag, value in _flags(query):
        targets = [(name, path) for name in sorted(components) for path in PLACES[flag](components[name])]
        for name, path in targets:
            shared = system if flag == _ACCELERATED and path in components[name].system.toleration else []
            settings.append(Setting(flag, name, path, unplaced([*shared, *value] if shared else value)))
        if not targets:
            code = codes.NODES_UNUSED if flag == "--nodes" else codes.NO_EFFECT
            findings.append(code(f"no component of the plan takes `{flag}`"))
    return tuple(settings), findings


def _flags(query: Query) -> Iterator[tuple[str, Json]]:
    """The flags that were given, each with its value."""
    placement = query.placement
    if query.nodes is not None:
        yield "--nodes", query.nodes
    if placement.storage_class is not None:
        yield "--storage-class", placement.storage_class
    if placement.system_selector:
        yield "--system-node-selector", dict(placement.system_selector)
    if placement.accelerated_selector:
        yield "--accelerated-node-selector", dict(placement.accelerated_selector)
    if placement.system_tolerations:
        yield "--system-node-toleration", [dict(item) for item in placement.system_tolerations]
    if placement.accelerated_tolerations:
        yield _ACCELERATED, [dict(item) for item in placement.accelerated_tolerations]
