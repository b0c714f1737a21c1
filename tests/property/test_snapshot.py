"""Whatever an API answers becomes a snapshot that can be written and read again."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.resolve.resolution import Constraint
from groundswell.snapshot.answers import Answers
from groundswell.snapshot.criteria import derive
from groundswell.snapshot.document import read_snapshot, to_document
from groundswell.snapshot.evaluate import evaluate
from groundswell.snapshot.facts import measure
from groundswell.source.emitter import emit
from snapshot_api import answers

VERSION, NODES = answers("mixed")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=()), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
PLACES = (
    ("metadata",), ("metadata", "name"), ("metadata", "labels"), ("metadata", "labels", "nvidia.com/gpu.product"),
    ("metadata", "labels", "nvidia.com/gpu.count"), ("spec",), ("spec", "providerID"), ("spec", "taints"), ("status",),
    ("status", "capacity"), ("status", "nodeInfo"), ("status", "nodeInfo", "osImage"),
    ("status", "nodeInfo", "kernelVersion"),
)  # fmt: skip


def changed(node: Any, path: tuple[str, ...], value: Any) -> Any:
    """A node with another value at a path."""
    if not path:
        return value
    return node | {path[0]: changed(node.get(path[0], {}), path[1:], value)}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLACES), JSON, JSON)
def test_any_answer_becomes_a_snapshot_that_is_read_again(place: tuple[str, ...], value: Any, version: Any) -> None:
    given_version = {"gitVersion": version} if not isinstance(version, dict) else version
    nodes = (changed(NODES[0], place, value), *NODES[1:])
    snapshot, _ = measure(Answers(given_version, nodes))
    read, findings = read_snapshot(emit(to_document(snapshot)).encode(), "snapshot.yaml")
    assert not findings
    assert read is not None
    assert derive(read, ()) == derive(snapshot, ())
    constraint = Constraint("K8s.node.kernel-version", ">= 6.5", "recipe a", "", 0, 0)
    assert evaluate([constraint], read) == evaluate([constraint], snapshot)
