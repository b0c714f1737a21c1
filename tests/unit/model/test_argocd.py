"""What a component may say to Argo CD: entries that ignore nothing and scripts that cannot run are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lupa import lua51  # type: ignore[import-untyped]  # the package has no types

from catalog_kit import load_texts, places, texts
from groundswell.model.lua import lua_problem

GATE = Path(__file__).parents[3] / "compiler/groundswell/deploy/argocd/data/gate.lua"
RECIPE = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]"}


def told(more: str) -> list[tuple[str, int, str]]:
    findings = load_texts(texts(RECIPE, components={"a": more})).findings
    return [(code, line, item.message) for (code, _, line, _), item in zip(places(findings), findings, strict=True)]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{kind: Secret}", "must name fields"),
        ("{kind: Secret, jsonPointers: [], jqPathExpressions: []}", "must name fields"),
        ("{kind: Secret, jsonPointers: [data]}", "a JSON pointer"),
        ("{kind: Secret, jsonPointers: ['']}", "a JSON pointer"),
        ("{kind: Secret, jsonPointers: [/]}", "a JSON pointer"),
        ("{kind: Secret, jsonPointers: [/a/]}", "a JSON pointer"),
        ("{kind: Secret, jsonPointers: [/a~2b]}", "a JSON pointer"),
        ("{kind: Secret, jsonPointers: [.spec.replicas]}", "a JSON pointer"),
    ],
)
def test_an_entry_that_ignores_nothing_is_refused_at_its_place(entry: str, words: str) -> None:
    ((code, line, message),) = told(f"ignoreDifferences:\n- {entry}\n")
    assert (code, line) == ("M104", 9)
    assert words in message


@pytest.mark.parametrize("fields", ["jsonPointers: [/spec/a~1b~0c, /data]", "jqPathExpressions: [.x]"])
def test_an_entry_that_names_a_field_is_fine(fields: str) -> None:
    assert told(f"ignoreDifferences:\n- {{kind: Secret, {fields}}}\n") == []
    assert told("ignoreDifferences:\n- {kind: Secret, managedFieldsManagers: [x]}\n") == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("''", "must not be empty"),
        ("' '", "must not be empty"),
        ("'-- nothing'", "returns nothing"),
        ("'local a = 1'", "returns nothing"),
        ("'if obj then return {}'", "no `end` for the `if`"),
        ("'return {}\n\n    end'", "a `end` on its line 2"),
        ("'return {'", "no `}` for the `{`"),
        ("'return (1]'", "a `]`"),
        ("'return \"a'", "not closed"),
        ("'return {} --[[ x'", "not closed"),
        ("'repeat return {} end'", "a `end`"),
    ],
)
def test_a_script_that_cannot_run_is_refused_at_its_place(script: str, words: str) -> None:
    ((code, line, message),) = told(f"argocdHealth:\n  a.test_A: {script}\n")
    assert (code, line) == ("M104", 9)
    assert words in message


def parses(script: str) -> bool:
    try:
        lua51.LuaRuntime().compile(script)
    except lua51.LuaError:
        return False
    return True


PIECES = re.findall(r"\s+|\w+|.", GATE.read_text(encoding="utf-8"))


@given(st.lists(st.integers(0, len(PIECES) - 1), max_size=2), st.lists(st.integers(0, len(PIECES) - 1), max_size=1))
def test_no_script_that_lua_can_parse_is_refused(gone: list[int], doubled: list[int]) -> None:
    script = "".join(piece * (0 if at in gone else 2 if at in doubled else 1) for at, piece in enumerate(PIECES))
    if lua_problem(script):
        assert not parses(script)


@given(
    st.lists(
        st.sampled_from(["if x then ", "end ", "do ", "repeat ", "until x ", "f(", ")", "{", "}", '"', "--[[", "]]"])
    )
)
def test_a_script_of_blocks_alone_is_judged_as_lua_does(parts: list[str]) -> None:
    script = "".join(parts) + "\nreturn nil"
    if lua_problem(script):
        assert not parses(script)


def test_texts_and_comments_hold_no_blocks() -> None:
    script = 'local a = "if (" -- do {\n--[[ function ]] local b = [==[ ]] repeat ]==]\nreturn {}'
    assert parses(script)
    assert lua_problem(script) is None
