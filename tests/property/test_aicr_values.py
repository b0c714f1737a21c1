"""Values of an AICR catalog, however layers are stacked, against the three rules written down plainly."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from aicr_kit import sound, texts
from groundswell.catalog.entries import ComponentRef
from groundswell.resolve.aicr_merge import merged
from groundswell.resolve.layers import Kind, Layer, unplaced

if TYPE_CHECKING:
    from groundswell.catalog.entries import ComponentEntry

ENTRY = sound(texts()).components["app"]
KEYS = st.sampled_from(["a", "b", "c"])
SCALARS = st.sampled_from([None, None, 1, True, "x", [1, None], []])
MAPS = st.recursive(
    st.dictionaries(KEYS, SCALARS, max_size=3),
    lambda maps: st.dictionaries(KEYS, SCALARS | maps, max_size=3),
    max_leaves=8,
)
REFS = st.lists(st.tuples(st.none() | st.just("own") | st.just("other"), MAPS), max_size=4)


def over(lower: dict[str, Any], upper: dict[str, Any]) -> None:
    """Between overrides: maps recurse, all else replaces, null included."""
    for key, value in upper.items():
        if isinstance(value, dict) and isinstance(lower.get(key), dict):
            over(lower[key], value)
        else:
            lower[key] = deepcopy(value)


def onto(lower: dict[str, Any], upper: dict[str, Any]) -> None:
    """Onto values: a null deletes, a map that meets no map is taken as it is."""
    for key, value in upper.items():
        if value is None:
            lower.pop(key, None)
        elif isinstance(value, dict) and isinstance(lower.get(key), dict):
            onto(lower[key], value)
        else:
            lower[key] = deepcopy(value)


def expected(own: dict[str, Any] | None, other: dict[str, Any], refs: list[tuple[str | None, dict[str, Any]]]) -> Any:
    named = [file for file, _ in refs if file and (file != "own" or own is not None)]
    found = deepcopy(own or {}) if named else {}
    if named and named[-1] == "other":
        onto(found, other)
    overrides: dict[str, Any] = {}
    for _, values in refs:
        over(overrides, values)
    onto(found, overrides)
    return found


def entry(own: dict[str, Any] | None) -> ComponentEntry:
    files = () if own is None else (unplaced(own, "catalog/own"),)
    return ENTRY._replace(defaults=ENTRY.defaults._replace(values_files=files))


@given(st.none() | MAPS, MAPS, REFS)
def test_values_are_those_of_the_rules_and_every_leaf_has_its_origin(
    own: dict[str, Any] | None, other: dict[str, Any], refs: list[tuple[str | None, dict[str, Any]]]
) -> None:
    files = {"own": own, "other": other}
    said = []
    for number, (file, overrides) in enumerate(refs):
        content = files[file] if file else None
        values = () if content is None else (unplaced(content, f"catalog/{file}"),)
        fields = unplaced({})
        ref = ComponentRef(
            "app", ENTRY.span, fields, values_files=values, overrides=unplaced(overrides) if overrides else None
        )
        said.append((ref, Layer(Kind.RECIPE, f"r{number}", "a test")))
    before = deepcopy((own, other, refs))
    stack = merged(entry(own), said)
    found = stack.values.values()
    assert found == expected(own, other, refs)
    assert (own, other, refs) == before
    origins = stack.values.origins()
    for path, value in leaves(found):
        assert origins[path][-1].value == value
        assert origins[path][-1].action == ("unset" if value is None else "set")


def leaves(values: Any, path: tuple[str, ...] = ()) -> Any:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*path, key))
        elif not isinstance(value, dict):
            yield (*path, key), value
