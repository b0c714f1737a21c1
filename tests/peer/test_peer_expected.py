"""The public catalog of the AICR layout against what its own tool resolves.

Both lie outside of the project, in `shared` beside its checkout or where `GROUNDSWELL_SHARED` says; without them
there is nothing to compare with.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from groundswell.cli.app import app

SHARED = Path(os.environ.get("GROUNDSWELL_SHARED", Path(__file__).parents[3] / "shared"))
CATALOG = SHARED / "peer-catalog"
EXPECTED = sorted((SHARED / "peer-expected").glob("*.json"))

pytestmark = pytest.mark.skipif(not CATALOG.is_dir(), reason="no catalog to compare with")


def own_criteria() -> dict[str, dict[str, str]]:
    """Each overlay's own criteria, the root and the one overlay for all queries left out: they state none."""
    found = {}
    for path in sorted((CATALOG / "overlays").glob("*.yaml")):
        overlay = yaml.safe_load(path.read_bytes())
        criteria = {name: value for name, value in overlay["spec"].get("criteria", {}).items() if value != "any"}
        if criteria:
            found[overlay["metadata"]["name"]] = criteria
    return found


OVERLAYS = own_criteria()


def resolved(criteria: dict[str, str]) -> dict[str, Any]:
    options = [word for name, value in criteria.items() for word in (f"--{name}", value)]
    words = ["resolve", "--catalog", str(CATALOG), *options, "--values", "--format", "json"]
    outcome = CliRunner().invoke(app, words, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.stderr == ""
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


def canonical(value: Any) -> str:
    """Text that tells true from 1 and null from absent."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.stem)
def test_the_result_is_that_of_the_catalogs_own_tool(path: Path) -> None:
    expected = json.loads(path.read_bytes())
    found = resolved(expected["criteria"])
    assert found["appliedOverlays"] == expected["appliedOverlays"]
    assert found["constraints"] == [{key: item[key] for key in ("name", "value")} for item in expected["constraints"]]
    refs = {ref["name"]: ref for ref in found["componentRefs"]}
    assert refs.keys() == expected["components"].keys()
    for name, wanted in expected["components"].items():
        ref = refs[name]
        for field in ("source", "chart", "version", "namespace", "type"):
            assert ref[field] == wanted.get(field, ""), (name, field)
        for field in ("dependencyRefs", "manifestFiles", "preManifestFiles"):
            assert ref[field] == wanted.get(field, []), (name, field)
        assert canonical(ref["values"]) == canonical(wanted.get("values") or {}), name
        assert ref["enabled"] == (name in expected["deploymentOrder"]), name
    assert set(found["deploymentOrder"]) == set(expected["deploymentOrder"])
    check_order(found)


@pytest.mark.parametrize("name", OVERLAYS)
def test_every_overlay_resolves_with_its_own_criteria(name: str) -> None:
    found = resolved(OVERLAYS[name])
    assert name in found["appliedOverlays"]
    check_order(found)


def test_no_overlay_is_left_out() -> None:
    files = {path.stem for path in (CATALOG / "overlays").glob("*.yaml")}
    assert files - OVERLAYS.keys() == {"base", "monitoring-hpa"}


def check_order(found: dict[str, Any]) -> None:
    """Every enabled component once, behind those that it waits for."""
    order = found["deploymentOrder"]
    assert sorted(order) == sorted(ref["name"] for ref in found["componentRefs"] if ref["enabled"])
    for ref in found["componentRefs"]:
        if ref["enabled"]:
            waits = [other for other in ref["dependencyRefs"] if other in order]
            assert all(order.index(other) < order.index(ref["name"]) for other in waits), ref["name"]
