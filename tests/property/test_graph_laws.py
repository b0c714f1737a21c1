"""Laws of the order: levels are longest paths, waves rise along every edge, folders come in that order."""

from __future__ import annotations

import itertools
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.plan.build import build_plan
from groundswell.plan.graph import find_cycles, levels
from groundswell.resolve.resolution import Component, Resolution
from plan_factory import component, manifest

Graph = dict[str, tuple[str, ...]]
NAMES = [f"n{index}" for index in range(9)]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph, with loops and circles."""
    count = draw(st.integers(1, len(NAMES)))
    names = NAMES[:count]
    targets = st.lists(st.sampled_from(names), unique=True, max_size=3).map(tuple)
    return {name: draw(targets) for name in names}


@st.composite
def acyclic(draw: st.DrawFn) -> Graph:
    """A graph in which a node waits only for those before it in some order."""
    order = draw(st.permutations(NAMES))
    return {
        name: tuple(draw(st.lists(st.sampled_from(order[:index]), unique=True, max_size=3))) if index else ()
        for index, name in enumerate(order)
    }


def reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    pending = list(graph[start])
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += graph[node]
    return found


@settings(deadline=None)
@given(acyclic())
def test_a_level_is_the_longest_path(graph: Graph) -> None:
    @cache
    def longest(node: str) -> int:
        return max((longest(other) + 1 for other in graph[node]), default=0)

    assert levels(graph) == {node: longest(node) for node in graph}
    assert find_cycles(graph) == []


@settings(deadline=None)
@given(graphs())
def test_cycles_are_real_disjoint_and_found_exactly_when_there_is_one(graph: Graph) -> None:
    cycles = find_cycles(graph)
    assert bool(cycles) == any(node in reachable(graph, node) for node in graph)
    for cycle in cycles:
        assert cycle[0] == cycle[-1] == min(cycle)
        assert all(after in graph[before] for before, after in itertools.pairwise(cycle))
    nodes = [node for cycle in cycles for node in cycle[:-1]]
    assert len(nodes) == len(set(nodes))
    rest = {
        node: tuple(other for other in others if other not in nodes)
        for node, others in graph.items()
        if node not in nodes
    }
    assert find_cycles(rest) == []


@settings(deadline=None)
@given(graphs())
def test_loops_are_found_whatever_the_order_of_nodes(graph: Graph) -> None:
    shuffled = dict(sorted(graph.items(), reverse=True))
    assert bool(find_cycles(graph)) == bool(find_cycles(shuffled))


def in_phases(name: str, dependencies: tuple[str, ...], phases: int) -> Component:
    """A component with a `-pre` (bit 0), a `-post` (bit 1), or of its manifests only (bit 2)."""
    before, after = ((manifest("a: b\n", f"{place}.yaml"),) for place in ("before", "after"))
    more = {"chart": None, "manifests": after} if phases & 4 else {"manifests": after if phases & 2 else ()}
    return component(name, dependencies=dependencies, pre_manifests=before if phases & 1 else (), **more)


@settings(deadline=None)
@given(acyclic(), st.lists(st.integers(0, 7), min_size=len(NAMES), max_size=len(NAMES)))
def test_every_edge_goes_from_a_lower_wave_to_a_higher_one(graph: Graph, phases: list[int]) -> None:
    items = [in_phases(name, graph[name], bits) for name, bits in zip(NAMES, phases, strict=True)]
    plan, findings = build_plan(Resolution({}, None, (), (), (), tuple(items), "0" * 64))
    assert plan is not None, findings
    waves: dict[str, list[int]] = {}
    numbers: dict[str, list[int]] = {}
    for folder in plan.folders:
        waves.setdefault(folder.component, []).append(folder.wave)
        numbers.setdefault(folder.component, []).append(int(folder.number))
    for name, waits in graph.items():
        assert set(plan.dependencies[name]) == set(waits)
        for other in waits:
            assert max(waves[other]) < min(waves[name])
            assert max(numbers[other]) < min(numbers[name])
    for own in waves.values():
        assert own == sorted(set(own))
    assert [int(folder.number) for folder in plan.folders] == list(range(1, len(plan.folders) + 1))
    assert [folder.wave for folder in plan.folders] != []
    assert all(folder.wave % 4 == folder.phase for folder in plan.folders)
