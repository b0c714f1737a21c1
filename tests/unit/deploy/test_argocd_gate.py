"""The health rule for Applications in a real Lua 5.1 with the libraries that Argo CD leaves out removed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lupa import lua51  # type: ignore[import-untyped]  # the package has no types

import groundswell.deploy.argocd
from unit.deploy.gate_cases import CASES, Case

GATE = (Path(groundswell.deploy.argocd.__file__).parent / "data" / "gate.lua").read_text(encoding="utf-8")
STATES = {"Healthy", "Progressing", "Degraded", "Suspended"}


class Sandbox:
    """Runs a rule over one object, as Argo CD does: base, table and package only, no methods on strings."""

    def __init__(self, rule: str) -> None:
        self._lua = lua51.LuaRuntime(register_eval=False, register_builtins=False)
        self._lua.execute("getmetatable('').__index = nil")
        for library in ("string", "math", "os", "io", "debug", "coroutine"):
            self._lua.execute(f"{library} = nil; package.loaded.{library} = nil")
        self._rule = self._lua.eval(f"function(obj)\n{rule}\nend")

    def __call__(self, obj: dict[str, Any]) -> tuple[Any, Any]:
        verdict = self._rule(self._table(obj))
        assert verdict is not None, "Argo CD waits for ever when a rule returns nothing"
        assert set(verdict) <= {"status", "message"}
        return verdict["status"], verdict["message"]

    def _table(self, value: Any) -> Any:
        """JSON as Argo CD hands it over: numbers are floats, null is nil."""
        if isinstance(value, dict):
            return self._lua.table_from({k: self._table(v) for k, v in value.items() if v is not None})
        if isinstance(value, list):
            return self._lua.table_from([self._table(v) for v in value])
        if isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        return value


def differing(rule: str) -> list[str]:
    """The cases in which a rule gives another verdict than wanted, or none."""
    gate = Sandbox(rule)
    wrong = []
    for case in CASES:
        try:
            status, _ = gate(case.application)
        except (AssertionError, lua51.LuaError):
            status = None
        if status != case.want:
            wrong.append(f"{case.name}: {status}, not {case.want}")
    return wrong


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_rule_gives_the_health(case: Case) -> None:
    status, message = Sandbox(GATE)(case.application)
    assert status == case.want
    assert status in STATES
    assert isinstance(message, str)


def test_cases_are_distinct_and_cover_every_state() -> None:
    assert not [name for name, count in Counter(case.name for case in CASES).items() if count > 1]
    assert {case.want for case in CASES} == STATES


MUTANTS = {
    "the annotation is not asked for": ('~= "strict"', '== "loose"'),
    "an application without status is healthy": ('health.status or "Progressing"', 'health.status or "Healthy"'),
    "the comparison is not asked for": ("if not current then", "if false then"),
    "only the source is compared": ("current = current and same(v", "current = current or same(v"),
    "several sources are not seen": ("#(spec.sources or {}) > 0", "false"),
    "a list of sources is enough": ("#(spec.sources or {}) > 0", "spec.sources ~= nil"),
    "a requested sync is not waited for": ("if obj.operation then", "if false then"),
    "the phase decides": ("if obj.operation then", 'if op.phase == "Running" then'),
    "a failure is not seen": ('op.phase == "Failed" or', "false or"),
    "an error is not seen": ('or op.phase == "Error"', ""),
    "a failure of any spec counts": ("if mine and", "if"),
    "a sync without result is not this one": ("not ran or (", "ran and ("),
    "the revision does not count": ("and same(sync[rev], ran[rev])", ""),
    "out of sync is fine": ('if sync.status ~= "Synced" then', "if false then"),
    "unknown is drift": ('local drift = sync.status == "OutOfSync" and mine', "local drift = mine"),
    "drift of any spec": ('"OutOfSync" and mine and', '"OutOfSync" and'),
    "drift after any sync": (' and op.phase == "Succeeded"', ""),
    "drift in the same second": ("st.reconciledAt > op.finishedAt", "st.reconciledAt >= op.finishedAt"),
    "drift is never accepted": ("if not drift then", "if true then"),
    "auto-sync off is not seen": ("not auto or auto.enabled == false", "false"),
    "disabled auto-sync is not seen": ("or auto.enabled == false", ""),
    "a refused spec is not seen": ('failure("InvalidSpecError") or', "nil or"),
    "an unknown error is not seen": ('or failure("UnknownError")', ""),
    "a failed comparison is not seen": ('failure("ComparisonError") or', "nil or"),
    "a refused sync is not seen": ('or failure("SyncError")', ""),
    "warnings are failures": ("if c.type == kind then", "if true then"),
    "dropped fields are differences": ("if not exact and zero(a) and zero(b) then return true end", ""),
    "values are compared loosely": ("if not same(x, b[k] or {}, true)", "if not same(x, b[k] or {}, exact)"),
    "added fields are not seen": ("if a[k] == nil and", "if false and"),
    "any health passes": ('return out("Progressing", health.message)\n', "return out(health.status, health.message)\n"),
    "suspended is not passed through": (' or health.status == "Suspended" then', " then"),
    "degraded is not passed through": ('health.status == "Degraded" or', "false or"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_rule_is_noticed(mutant: str) -> None:
    old, new = MUTANTS[mutant]
    assert old in GATE
    assert differing(GATE.replace(old, new)), f"no case notices that {mutant}"


def test_the_right_rule_has_no_differences() -> None:
    assert differing(GATE) == []
