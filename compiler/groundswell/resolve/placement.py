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


def placed(query: Query, components: Mapping[str, ComponentEntry]) -> tuple[tuple[Setting, ...], list[Diagnostic]]:
    """What the flags say, as settings of the components of the plan.

    A path that takes tolerations of both classes of nodes (a DaemonSet that runs everywhere) gets both lists.

    Returns:
        The settings, and findings for flags that no component has a place for.
    """
    findings, settings = [], []
    system = [dict(item) for item in query.placement.system_tolerations]
    for flag, value, paths_of in _flags(query):
        targets = [(name, path) for name in sorted(components) for path in paths_of(components[name])]
        for name, path in targets:
            shared = system if flag == _ACCELERATED and path in components[name].system.toleration else []
            settings.append(Setting(flag, name, path, unplaced([*shared, *value] if shared else value)))
        if not targets:
            code = codes.NODES_UNUSED if flag == "--nodes" else codes.NO_EFFECT
            findings.append(code(f"no component of the plan takes `{flag}`"))
    return tuple(settings), findings


def _flags(query: Query) -> Iterator[tuple[str, Json, _Paths]]:
    """The flags that were given, each with its value and the paths that take it."""
    placement = query.placement
    if query.nodes is not None:
        yield "--nodes", query.nodes, attrgetter("node_count")
    if placement.storage_class is not None:
        yield "--storage-class", placement.storage_class, attrgetter("storage_class")
    if placement.system_selector:
        yield "--system-node-selector", dict(placement.system_selector), attrgetter("system.node_selector")
    if placement.accelerated_selector:
        yield (
            "--accelerated-node-selector",
            dict(placement.accelerated_selector),
            attrgetter("accelerated.node_selector"),
        )
    system = [dict(item) for item in placement.system_tolerations]
    accelerated = [dict(item) for item in placement.accelerated_tolerations]
    if system:
        yield "--system-node-toleration", system, attrgetter("system.toleration")
    if accelerated:
        yield _ACCELERATED, accelerated, attrgetter("accelerated.toleration")
