"""Laws of merging: what a layer says, no more and no less, and every value knows who said it."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog_kit import resolve_texts, texts
from groundswell.catalog.value_path import format_path, parse_path
from groundswell.resolve.conflicts import disputes
from groundswell.resolve.layers import Kind, Layer, same, unplaced
from groundswell.resolve.tree import Tree
from groundswell.source.span import Span

KEYS = st.sampled_from("abc")
SCALARS = st.sampled_from([0, 1, True, False, "", "x", "1"])
LEAVES = SCALARS | st.lists(SCALARS, max_size=2)


def maps(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    values = st.recursive(leaves, lambda children: st.dictionaries(KEYS, children, max_size=3), max_leaves=8)
    return st.dictionaries(KEYS, values, max_size=3)


PLAIN = maps(LEAVES)
WITH_NULLS = maps(LEAVES | st.none())


def layer(number: int) -> Layer:
    return Layer(Kind.RECIPE, f"r{number}", "because", rank=number)


def merged(*values: dict[str, Any]) -> Tree:
    tree = Tree(str)
    for number, item in enumerate(values):
        tree.overlay(unplaced(item, f"f{number}"), layer(number))
    return tree


def by_hand(lower: Any, upper: dict[str, Any]) -> dict[str, Any]:
    """The merge of RFC 7396, as the standard writes it, but that what clashes with another type takes no part."""
    result = dict(lower) if isinstance(lower, dict) else {}
    for key, value in upper.items():
        if value is None:
            result.pop(key, None)
        elif key in result and isinstance(result[key], dict) is not isinstance(value, dict):
            continue
        elif isinstance(value, dict):
            result[key] = by_hand(result.get(key), value)
        else:
            result[key] = value
    return result


def leaves(values: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if not isinstance(values, dict) or (not values and path):
        return {path: values}
    found: dict[tuple[str, ...], Any] = {}
    for key, value in values.items():
        found |= leaves(value, (*path, key))
    return found


def at(values: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        values = values[key]
    return values


@settings(deadline=None)
@given(st.lists(WITH_NULLS, max_size=4))
def test_merging_is_that_of_rfc_7396_layer_after_layer(layers: list[dict[str, Any]]) -> None:
    expected: dict[str, Any] = {}
    for item in layers:
        expected = by_hand(expected, item)
    assert same(merged(*layers).values(), expected)


@settings(deadline=None)
@given(WITH_NULLS, st.integers(0, 1))
def test_an_empty_map_changes_nothing(values: dict[str, Any], before: int) -> None:
    pair = ({}, values) if before else (values, {})
    assert same(merged(*pair).values(), merged(values).values())


@settings(deadline=None)
@given(PLAIN)
def test_saying_the_same_again_changes_nothing(values: dict[str, Any]) -> None:
    tree = merged(values, values)
    assert same(tree.values(), merged(values).values())
    assert not tree.findings


@settings(deadline=None)
@given(PLAIN, PLAIN, PLAIN)
def test_merging_is_associative_as_long_as_nothing_is_deleted_and_no_types_clash(
    a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]
) -> None:
    together = merged(b, c)
    tree = merged(a, b, c)
    if not (tree.findings or together.findings):
        assert same(tree.values(), merged(a, together.values()).values())


@settings(deadline=None)
@given(st.lists(WITH_NULLS, max_size=4))
def test_no_input_is_changed(layers: list[dict[str, Any]]) -> None:
    before = deepcopy(layers)
    result = merged(*layers).values()
    result["new"] = 1
    for value in result.values():
        if isinstance(value, dict):
            value["new"] = 1
    assert layers == before


@settings(deadline=None)
@given(st.lists(WITH_NULLS, max_size=4))
def test_every_leaf_has_origins_and_the_last_of_them_is_its_value(layers: list[dict[str, Any]]) -> None:
    tree = merged(*layers)
    values, origins = tree.values(), tree.origins()
    for path, value in leaves(values).items():
        if path in origins:
            assert same(origins[path][-1].value, value)
            assert origins[path][-1].action == "set"
        else:
            # A map whose last entry was taken away is empty without anybody having said so: its entries tell.
            assert value == {}
            assert any(below[: len(path)] == path for below in origins)


@settings(deadline=None)
@given(st.lists(WITH_NULLS, max_size=4))
def test_every_origin_is_what_its_layer_says_at_that_path_or_above(layers: list[dict[str, Any]]) -> None:
    values = merged(*layers).values()
    for path, origins in merged(*layers).origins().items():
        numbers = [int(origin.layer.removeprefix("recipe r")) for origin in origins]
        assert numbers == sorted(numbers)
        for origin, number in zip(origins, numbers, strict=True):
            said: Any = layers[number]
            for key in path:
                said = said[key] if isinstance(said, dict) else None
            assert same(said, origin.value) or isinstance(said, dict)
            assert origin.action == ("delete" if said is None else "set")
        if origins[-1].action == "set":
            assert same(at(values, path), origins[-1].value)


@settings(deadline=None)
@given(st.lists(st.text(min_size=1), min_size=1, max_size=5).map(tuple))
def test_a_path_is_read_back_from_its_text(path: tuple[str, ...]) -> None:
    assert parse_path(format_path(path)) == path


Say = tuple[dict[str, Any], list[tuple[str, ...]], list[tuple[str, ...]]]
PATHS = st.lists(st.lists(KEYS, min_size=1, max_size=2).map(tuple), max_size=2)


def together(base: dict[str, Any], *says: Say) -> Tree:
    """A base and on top of it rivals of equal rank, each with its values, `replace` and `unset`."""
    tree = merged(base)
    for number, (values, replaced, unset) in enumerate(says, start=1):
        rival = Layer(Kind.RECIPE, f"rival{number}", "because", rank=9, chain=(f"rival{number}",))
        tree.overlay(unplaced(values, "f"), rival, frozenset(replaced))
        for path in unset:
            tree.unset(path, rival, Span("f", 1, 1, 1, 1))
    return tree


@settings(deadline=None, max_examples=150)
@given(PLAIN, st.tuples(WITH_NULLS, PATHS, PATHS), st.tuples(WITH_NULLS, PATHS, PATHS))
def test_what_rivals_of_equal_rank_make_does_not_depend_on_their_order(
    base: dict[str, Any], one: Say, other: Say
) -> None:
    """Names decide the order at equal rank; they must decide neither the result nor whether there is one."""
    first, second = together(base, one, other), together(base, other, one)
    if not (first.findings or second.findings):
        refused = bool(list(disputes(first)))
        assert refused == bool(list(disputes(second)))
        assert refused or same(first.values(), second.values())


RECIPES = {
    "base": "componentRefs: [{name: a, overrides: {x: 0}}, {name: b, dependencyRefs: [a]}]",
    "eks": "criteria: {service: eks}\nmixins: [m, n-m]\ncomponentRefs: [{name: a, dependencyRefs: [c, b2]}]",
    "training": "criteria: {intent: training}\nmixins: [k]\ncomponentRefs: [{name: c}, {name: b2}]",
    "both": "base: eks\ncriteria: {intent: training}\ncomponentRefs: [{name: a, overrides: {x: 2, z: {q: 1}}}]",
}
CATALOG = texts(
    RECIPES,
    mixins={
        "m": "componentRefs: [{name: b, overrides: {from: m}}]\nconstraints: [{name: A, value: '>= 1'}]",
        "n-m": "componentRefs: [{name: c, enforce: {held: 1}}]\nconstraints: [{name: A, value: '>= 2'}]",
        "k": "constraints: [{name: B, value: v}]",
    },
    components=dict.fromkeys(("a", "b", "c", "b2"), ""),
)
QUERY = "--service eks --intent training --set b:z=1"


@settings(deadline=None, max_examples=20)
@given(st.permutations(sorted(CATALOG)))
def test_the_order_of_files_means_nothing(order: list[str]) -> None:
    assert resolve_texts({path: CATALOG[path] for path in order}, QUERY) == resolve_texts(CATALOG, QUERY)


@pytest.mark.parametrize("seed", ["0", "1", "77"])
def test_the_hash_seed_means_nothing(seed: str) -> None:
    program = (
        "import sys; sys.path[:0] = ['tests', 'tests/property', 'compiler']\n"
        "import test_merge_laws as t; print(t.resolve_texts(t.CATALOG, t.QUERY))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(resolve_texts(CATALOG, QUERY))
