"""Every combination on the support list compiles, and to the plan that it compiled to before.

`support-matrix.txt` has the SHA-256 of each plan. `--update-golden` writes it anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from command import ROOT
from groundswell.catalog.files import SHIPPED, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.catalog.matrix import supported
from groundswell.diagnostics.codes.resolve import UNSTATED
from groundswell.plan.build import build_plan
from groundswell.resolve.coverage import describe
from groundswell.resolve.layers import unplaced
from groundswell.resolve.query import Query, Setting
from groundswell.resolve.resolver import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.catalog.entries import Catalog
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component

GOLDEN = ROOT / "tests" / "golden" / "support-matrix.txt"

# What depends on the places of lines in files, or on the text of descriptions, bears on no cluster.
WITHOUT_MEANING = {"origins", "field_origins", "node_needs", "description", "documents"}


@cache
def shipped() -> Catalog:
    files, unread = read_files([Layer(SHIPPED, shipped_root())])
    loaded = load(files)
    assert not (*unread, *loaded.findings)
    assert loaded.catalog is not None
    return loaded.catalog


def compiled(criteria: Mapping[str, str]) -> Plan:
    """The plan of a query in which nothing may be wrong, not even a warning, once it says what it is asked for."""
    resolution, findings = resolve(shipped(), Query(criteria))
    if {finding.code for finding in findings} == {UNSTATED.code}:
        required = [(name, item.path) for name, entry in shipped().components.items() for item in entry.required]
        settings = tuple(Setting("--set", name, path, unplaced(4)) for name, path in required)
        resolution, findings = resolve(shipped(), Query(criteria, settings=settings))
    assert not findings
    assert resolution is not None
    plan, findings = build_plan(resolution)
    assert not findings
    assert plan is not None
    return plan


def digest(plan: Plan) -> str:
    """The SHA-256 of everything in a plan that reaches a cluster."""
    document = {
        "folders": [{**plain(folder), "phase": folder.phase.name, "wave": folder.wave} for folder in plan.folders],
        "dependencies": plan.dependencies,
        "constraints": [[item.name, item.value] for item in plan.resolution.constraints],
        "components": [described(item) for item in plan.resolution.components],
    }
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Tuples with names as dicts, all the way down."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items() if name not in WITHOUT_MEANING}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def described(component: Component) -> dict[str, Any]:
    needs = [
        {key: value for key, value in plain(item).items() if key not in {"span", "places"}}
        for item in component.node_needs
    ]
    return {**plain(component), "node_needs": needs}


def test_every_supported_combination_compiles_to_the_plan_that_it_had(update_golden: bool) -> None:
    rows = supported(shipped())
    assert len(rows) > 300
    lines = [f"{digest(compiled(row.criteria))}  {describe(row.criteria)}" for row in rows]
    if update_golden:
        GOLDEN.write_text("\n".join(sorted(lines, key=lambda line: line[64:])) + "\n", encoding="utf-8")
    assert sorted(lines) == sorted(GOLDEN.read_text(encoding="utf-8").splitlines())


def test_a_change_of_one_value_changes_the_digest() -> None:
    plan = compiled({"service": "kind", "intent": "inference"})
    before = digest(plan)
    component = next(item for item in plan.resolution.components if item.values)
    assert isinstance(component.values, dict)
    component.values["added"] = True
    assert digest(plan) != before


def test_no_level_is_claimed_that_no_test_shows() -> None:
    # The tests here resolve and plan. Who shows more adds its level here, together with that test.
    assert {line.level for line in shipped().combinations} == {"resolves"}
