"""The dependency graph of a plan: edges, cycles and levels."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def levels(edges: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Each node's level: the length of the longest path of dependencies below it.

    Args:
        edges: Every node with the nodes that it waits for; free of cycles.
    """
    found: dict[str, int] = {}
    for node in TopologicalSorter(edges).static_order():
        found[node] = max((found[other] + 1 for other in edges[node]), default=0)
    return found


def find_cycles(edges: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """Cycles that have no node in common, each as a path that ends where it begins; empty when there is an order."""
    remaining = {node: tuple(others) for node, others in edges.items()}
    cycles = []
    while True:
        try:
            TopologicalSorter(remaining).prepare()
        except CycleError as error:
            cycle = _rotated(error.args[1][::-1])
            cycles.append(cycle)
            remaining = {
                node: tuple(other for other in others if other not in cycle)
                for node, others in remaining.items()
                if node not in cycle
            }
        else:
            return sorted(cycles)


def _rotated(cycle: list[str]) -> list[str]:
    """The same cycle, beginning with its least name."""
    nodes = cycle[:-1]
    start = nodes.index(min(nodes))
    return [*nodes[start:], *nodes[:start], nodes[start]]
