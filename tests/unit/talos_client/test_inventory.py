from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.source.emitter import emit
from groundswell.talos_client.facts import Disk, Facts
from groundswell.talos_client.inventory import read_inventory, to_document, to_tsv

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=8)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type of the facts, by its own description."""
    if get_origin(kind) is UnionType:
        return st.none() | values(next(item for item in get_args(kind) if item is not type(None)))
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=2).map(tuple)
    if is_dataclass(kind):
        assert isinstance(kind, type)
        hints = get_type_hints(kind)
        return st.builds(kind, **{field.name: values(hints[field.name]) for field in fields(kind)})
    return {str: WORDS, int: st.integers(-(2**40), 2**40), bool: st.booleans()}[kind]


@settings(max_examples=40, deadline=None)
@given(st.lists(values(Facts), min_size=1, max_size=2))
def test_an_inventory_reads_back_as_it_was_written(machines: list[Facts]) -> None:
    found, findings = read_inventory(emit(to_document(machines)).encode(), "facts.yaml")
    assert not findings
    assert found == tuple(machines)


def test_everything_wrong_in_an_inventory_is_said_at_its_place() -> None:
    text = """\
apiVersion: groundswell.dev/v1alpha1
kind: Inventory
machines:
  - node: 10.0.0.1
    maintenance: sure
    hostnam: a
    disks: [{path: /dev/sda, size: big}, {size: 1}, 7]
    missing: none
"""
    machines, findings = read_inventory(text.encode(), "facts.yaml")
    assert machines == ()
    said = [(item.code, item.span.line if item.span else 0, item.message) for item in findings]
    assert [line for _, line, _ in said] == [5, 6, 7, 7, 7, 8]
    assert "`hostname`" in findings[1].help
    assert "`machines[0].disks[1].path` is missing" in {message for _, _, message in said}


def test_tabs_in_names_do_not_make_columns() -> None:
    machine = Facts("a", maintenance=True)
    text = to_tsv([replace(machine, disks=(Disk("/dev/sda", 1, model="a\tb"),))])
    assert {line.count("\t") for line in text.splitlines()} == {8}
