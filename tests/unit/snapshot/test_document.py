"""Snapshot documents and saved answers: what is written is read again; other collectors' documents are read too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from groundswell.snapshot.answers import Answers, dump, replay
from groundswell.snapshot.document import read_snapshot, to_document
from groundswell.snapshot.facts import measure
from groundswell.snapshot.snapshot import Snapshot, written
from groundswell.source.emitter import emit
from snapshot_api import ANSWERS, answers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from groundswell.snapshot.snapshot import Reading

CLUSTERS = sorted(path.name for path in ANSWERS.iterdir())


def readings(snapshot: Snapshot) -> object:
    """A snapshot's content with every reading as text: what a file keeps."""

    def texts(data: Mapping[str, Reading]) -> dict[str, str]:
        return {key: written(value) for key, value in sorted(data.items())}

    return [
        (item.type, part.name, texts(part.data), [(dict(entry.context), texts(entry.data)) for entry in part.items])
        for item in snapshot.measurements
        for part in item.subtypes
    ]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_written_snapshot_is_read_again(cluster: str) -> None:
    given, findings = replay(ANSWERS / cluster)
    assert given is not None
    assert not findings
    snapshot, _ = measure(given)
    document = to_document(snapshot)
    for text in (emit(document), json.dumps(document)):
        read, wrong = read_snapshot(text.encode(), "snapshot.yaml")
        assert not wrong
        assert read is not None
        assert readings(read) == readings(snapshot)
        assert read.taken == "2026-03-02T10:00:00Z"


def test_the_document_has_the_form_that_other_tools_read() -> None:
    version, nodes = answers("eks-h100-ubuntu")
    document = to_document(measure(Answers(version, tuple(nodes)))[0])
    assert (document["kind"], document["apiVersion"]) == ("Snapshot", "aicr.run/v1alpha2")
    assert [item["type"] for item in document["measurements"]] == ["K8s", "GPU", "OS", "NodeTopology"]
    fingerprint = document["fingerprint"]
    assert {key: fingerprint[key]["value"] for key in fingerprint} == {
        "service": "eks",
        "accelerator": "h100",
        "os": "ubuntu",
        "k8sVersion": "1.33.5-eks-113cf36",
        "nodeCount": 3,
    }
    assert fingerprint["os"]["version"] == "24.04"


def test_readings_keep_their_text() -> None:
    text = """
kind: Snapshot
measurements:
  - type: OS
    unknown: 1
    subtypes:
      - subtype: release
        data: {VERSION_ID: 24.10, a: no, b: 0644, c: 1000000, d: true, e: [1, x], f: 1e3}
"""
    snapshot, findings = read_snapshot(text.encode(), "s.yaml")
    assert not findings
    assert snapshot is not None
    subtype = snapshot.subtype("OS", "release")
    assert subtype is not None
    expected = {"VERSION_ID": "24.10", "a": "no", "b": "0644", "c": "1000000", "d": "true", "e": '[1, "x"]', "f": "1e3"}
    assert subtype.data == expected


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("[]", (1, 1), "a snapshot is a map with `kind: Snapshot`"),
        ("kind: Recipe", (1, 7), "`kind` must be Snapshot"),
        ("kind: Snapshot\napiVersion: v1", (2, 13), "`apiVersion` must be aicr.run/v1alpha2, not 'v1'"),
        ("kind: Snapshot", (1, 1), "the snapshot holds no measurements"),
        ("kind: Snapshot\nmeasurements: x", (2, 15), "`measurements` must be a list"),
        ("kind: Snapshot\nmeasurements: [x]", (2, 16), "an entry of `measurements` must be a map"),
        ("kind: Snapshot\nmeasurements: [{subtypes: []}]", (2, 16), "`type` must be text"),
        ("kind: Snapshot\nmeasurements: [{type: OS, subtypes: 1}]", (2, 37), "`subtypes` must be a list"),
        (
            "kind: Snapshot\nmeasurements: [{type: OS, subtypes: [{subtype: a, data: 1}]}]",
            (2, 57),
            "`data` must be a map",
        ),
    ],
)
def test_what_is_no_snapshot_is_said_at_its_place(text: str, place: tuple[int, int], message: str) -> None:
    snapshot, findings = read_snapshot(text.encode(), "s.yaml")
    assert snapshot is None
    (finding,) = findings
    assert finding.span is not None
    assert (finding.code, finding.message, finding.span.line, finding.span.column) == ("I301", message, *place)


@pytest.mark.parametrize("text", ["", "kind: [", "kind: Snapshot\nkind: Snapshot"])
def test_what_is_no_yaml_is_said(text: str) -> None:
    snapshot, findings = read_snapshot(text.encode(), "s.yaml")
    assert snapshot is None
    assert findings


def test_dumped_answers_are_replayed(tmp_path: Path) -> None:
    version, nodes = answers("kind")
    full = Answers(version, tuple(nodes), "2026-01-01T00:00:00Z")
    assert dump(full, tmp_path / "deep/dump") == ()
    assert replay(tmp_path / "deep/dump") == (full, ())
    assert dump(Answers(version, None), tmp_path / "deep/dump") == ()
    again, findings = replay(tmp_path / "deep/dump")
    assert not findings
    assert again is not None
    assert (again.version, again.nodes, again.taken) == (version, None, "")


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({}, "holds neither `version.json` nor `nodes.json`"),
        ({"version.json": "{"}, "is not JSON"),
        ({"version.json": "[]"}, "is not the answer to /version"),
        ({"nodes.json": "{}"}, "is no list of nodes"),
        ({"nodes.json": '{"items": [1]}'}, "is no list of nodes"),
        ({"nodes.json": "[" * 100_000}, "is not JSON"),
    ],
)
def test_answers_that_cannot_be_replayed(tmp_path: Path, files: dict[str, str], text: str) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    found, findings = replay(tmp_path)
    assert found is None
    assert [finding.code for finding in findings] == ["I307"]
    assert text in findings[0].message


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (finding,) = dump(Answers({}, None), tmp_path / "file")
    assert finding.code == "I308"
