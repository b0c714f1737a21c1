"""Schemas of built-in kinds: of the target version, or the nearest older one, or none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from groundswell.check.alone import shapes_of
from groundswell.check.schema.kubernetes import METADATA, builtin
from groundswell.check.target import Target
from unit.check.kit import crd, messages, rendering

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = {"type": ["string", "null"]}


def definitions(kinds: dict[str, str]) -> dict[str, object]:
    """A few definitions in the form of the package; `kinds` gives each kind of the core group its version."""
    found: dict[str, object] = {
        METADATA: {
            "type": "object",
            "properties": {"name": TEXT, "labels": {"type": "object", "additionalProperties": TEXT}},
            "additionalProperties": False,
        }
    }
    for kind, version in kinds.items():
        found[f"core.{kind}"] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "apiVersion": TEXT,
                "kind": TEXT,
                "metadata": {"$ref": f"#/$defs/{METADATA}"},
                "data": {"type": "object"},
            },
            "x-kubernetes-group-version-kind": [{"group": "", "version": version, "kind": kind}],
        }
    return {"$defs": found}


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of schemas that comes before one that is installed."""
    root = tmp_path / "kubernetes_validate"
    for minor, kinds in ((31, {"ConfigMap": "v1"}), (33, {"ConfigMap": "v1", "Gate": "v2"})):
        folder = root / "kubernetes-json-schema" / f"v1.{minor}.0-local-strict"
        folder.mkdir(parents=True)
        (folder / "_definitions.json").write_text(json.dumps(definitions(kinds)))
    (root / "__init__.py").write_text("raise RuntimeError('the package is not to be imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    builtin.cache_clear()
    shapes_of.cache_clear()
    yield
    builtin.cache_clear()
    shapes_of.cache_clear()


CONFIG = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%s}\ndata: %s\n"


def test_the_nearest_older_version_is_taken() -> None:
    taken = {minor: builtin(minor) for minor in (30, 31, 32, 40)}
    assert {minor: found.minor if found else None for minor, found in taken.items()} == {
        30: None,
        31: 31,
        32: 31,
        40: 33,
    }


def test_built_in_kinds_and_the_metadata_of_custom_ones_are_held_against_them() -> None:
    target = Target("1.33.0", "")
    assert not messages("schemas", rendering({"a": CONFIG % ("", "{a: b}")}, target=target))
    assert messages("schemas", rendering({"a": CONFIG % ("", "[]")}, target=target)) == [
        "K201 `ConfigMap a/c`: `data` must be a map, not a list"
    ]
    assert messages("schemas", rendering({"a": CONFIG % (", label: {}", "{}")}, target=target)) == [
        "K202 `ConfigMap a/c`: `metadata.label` is not a field of the schema; did you mean `labels`?"
    ]
    custom = "---\napiVersion: test.dev/v1\nkind: Widget\nmetadata: {name: w, labels: {a: 1}}\n"
    assert messages("schemas", rendering({"a": crd() + custom}, target=target)) == [
        "K201 `Widget a/w`: `metadata.labels.a` must be text, not the number 1"
    ]
