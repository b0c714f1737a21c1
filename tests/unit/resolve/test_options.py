"""What the command line may change, and that nothing on it is ignored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from catalog_kit import codes, refused, resolve_texts, resolved, texts
from groundswell.catalog.value_path import parse_path
from groundswell.resolve.settings import typed

if TYPE_CHECKING:
    from pathlib import Path

PATHS = """
aliases: [also-a]
scheduling:
  system: {nodeSelectorPaths: [op.nodeSelector], tolerationPaths: [op.tolerations, all.tolerations]}
  accelerated: {nodeSelectorPaths: [ds.nodeSelector], tolerationPaths: [ds.tolerations, all.tolerations]}
storageClassPaths: [pvc.storageClassName]
nodeCountPaths: [nodes]
"""
CATALOG = texts(
    {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {m: {x: 1}, l: [1], s: t}}, {name: b}]"},
    components={"a": PATHS, "b": "", "off-plan": ""},
)


def values(*options: str) -> Any:
    return resolved(CATALOG, ["--service", "eks", *options])["a"].values


def wrong(*options: str) -> list[str]:
    return [code for code, _ in refused(CATALOG, ["--service", "eks", *options])]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-7", -7),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", "9223372036854775808"),
        ("9" * 5000, "9" * 5000),
        ("True", "True"),
        ("007", "007"),
        ("-0", "-0"),
        ("+1", "+1"),
        ("1.5", "1.5"),
        ("1_000", "1_000"),
        ("1e3", "1e3"),
        ("", ""),
        ("a=b,c", "a=b,c"),
        ('["192.0.2.0/24"]', '["192.0.2.0/24"]'),
        ("٣", "٣"),
    ],
)
def test_set_types_only_booleans_null_and_plain_integers(text: str, value: object) -> None:
    assert typed(text) == value
    assert type(typed(text)) is type(value)
    assert values("--set", f"a:new.path={text}")["new"] == {"path": value}


def test_set_string_keeps_text_and_set_json_takes_any_value() -> None:
    assert values("--set-string", "a:n=1", "--set-json", 'a:l=["192.0.2.0/24"]') == {
        "m": {"x": 1},
        "l": ["192.0.2.0/24"],
        "s": "t",
        "n": "1",
    }


def test_maps_of_set_json_merge_and_null_deletes() -> None:
    assert values("--set-json", 'a:m={"z": 2}')["m"] == {"x": 1, "z": 2}
    assert "m" not in values("--set", "a:m=null")


def test_set_file_takes_yaml_and_json(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text("x: 5\nz: [1]\n")
    (tmp_path / "v.json").write_text(json.dumps({"x": {"q": 1}}))
    assert values("--set-file", f"a:m={tmp_path / 'v.yaml'}")["m"] == {"x": 5, "z": [1]}
    assert values("--set-file", f"a:n={tmp_path / 'v.json'}")["n"] == {"x": {"q": 1}}


@pytest.mark.parametrize("text", ["", "# nothing\n", "a: [", "a: 1\n---\nb: 2\n", "a: 1\na: 2\n", "a: no\n"])
def test_a_file_that_cannot_be_read_as_one_value_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    file = tmp_path / "v.yaml"
    file.write_text(text)
    ((code, message),) = refused(CATALOG, ["--service", "eks", "--set-file", f"a:n={file}"])
    assert code == "R303"
    assert str(file) in message


def test_a_scalar_for_a_list_or_map_is_refused_with_both_types() -> None:
    ((code, message),) = refused(CATALOG, "--service eks --set a:l=192.0.2.0/24")
    assert (code, message) == ("R201", "`a.l` is a list, and --set a:l makes it a string")
    assert wrong("--set", "a:m=1") == ["R201"]
    assert wrong("--set", "a:s.x=1") == ["R201"]


def test_dots_in_keys_are_escaped_with_a_backslash() -> None:
    assert values("--set", r"a:labels.example\.com/x=1")["labels"] == {"example.com/x": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a:",
        "a:x",
        "a=1",
        ":x=1",
        "a:=1",
        "a:x..y=1",
        "a:.x=1",
        "a:x.=1",
        "a:x\\=1",
        "a:l[0]=1",
        "a:l[0].x=1",
        "a:" + "x." * 200 + "x=1",
    ],
)
def test_a_setting_that_cannot_be_read_is_refused(text: str) -> None:
    assert wrong("--set", text) == ["R303"]


def test_the_text_of_a_value_is_not_repeated() -> None:
    ((_, message),) = refused(CATALOG, ["--service", "eks", "--set", "nocolon=secret"])
    assert "secret" not in message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1,]",
        "NaN",
        "Infinity",
        "1e999",
        '{"x": 1, "x": 2}',
        '"\\ud800"',
        "[" * 150 + "]" * 150,
        "[" * 5000,
        "9" * 5000,
    ],
)
def test_json_that_no_reader_would_take_is_refused(text: str) -> None:
    assert wrong("--set-json", f"a:n={text}") == ["R303"]


@pytest.mark.parametrize("option", ["--set", "--set-string", "--set-json"])
def test_bytes_that_are_no_text_are_refused(option: str) -> None:
    assert wrong(option, 'a:n="\udcff"') == ["R303"]


def test_the_deepest_value_that_is_taken_can_be_resolved() -> None:
    path = ".".join("k" * 1 for _ in range(100))
    deepest = values("--set-json", f"a:{path}=" + "[" * 100 + "]" * 100)
    assert deepest["k"]["k"]


def test_an_alias_stands_for_its_component() -> None:
    assert values("--set", "also-a:x=1")["x"] == 1


@pytest.mark.parametrize(("name", "hint"), [("aa", "`a`"), ("alsoa", "`also-a`"), ("off-plan", ""), ("nonsense", "")])
def test_a_component_that_is_not_in_the_plan_is_refused_with_a_suggestion(name: str, hint: str) -> None:
    for option in (["--set", f"{name}:x=1"], ["--without", name]):
        _, findings = resolve_texts(CATALOG, ["--service", "eks", *option])
        assert codes(findings) == ["R301"]
        assert hint in findings[0].help
        assert ("not in this plan" in findings[0].message) == (name == "off-plan")


@pytest.mark.parametrize(
    ("one", "other"), [("a:x=1", "a:x=1"), ("a:x=1", "a:x.z=2"), ("a:x.z=1", "also-a:x=2"), ("a:x=1", "also-a:x=1")]
)
def test_two_settings_of_overlapping_paths_are_refused(one: str, other: str) -> None:
    assert "R302" in wrong("--set", one, "--set-string", other)


def test_settings_beside_each_other_are_fine() -> None:
    assert values("--set", "a:p.x=1", "--set", "a:p.z=2", "--set", "a:pp=3")["p"] == {"x": 1, "z": 2}


def test_deleting_what_no_layer_sets_is_reported() -> None:
    assert wrong("--set", "a:m.z=null") == ["R304"]
    assert wrong("--set", "a:s.z=null") == ["R304"]


def test_without_leaves_a_component_out_and_says_so() -> None:
    component = resolved(CATALOG, "--service eks --without also-a --without a")["a"]
    assert not component.enabled
    assert component.field_origins["enabled"][-1].layer.startswith("--without")


def test_a_setting_for_a_component_that_is_left_out_is_refused() -> None:
    assert wrong("--without", "a", "--set", "a:x=1") == ["R301"]


def test_nothing_is_injected_without_a_flag() -> None:
    assert values() == {"m": {"x": 1}, "l": [1], "s": "t"}
    assert resolved(CATALOG, "--service eks")["b"].values == {}


def test_scheduling_flags_reach_the_paths_of_their_class() -> None:
    found = values(
        "--system-node-selector", "pool=sys", "--accelerated-node-selector", "pool=gpu",
        "--system-node-toleration", "sys=yes:NoSchedule", "--accelerated-node-toleration", "gpu:NoExecute",
        "--storage-class", "fast", "--nodes", "8",
    )  # fmt: skip
    system = {"key": "sys", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}
    accelerated = {"key": "gpu", "operator": "Exists", "effect": "NoExecute"}
    assert found["op"] == {"nodeSelector": {"pool": "sys"}, "tolerations": [system]}
    assert found["ds"] == {"nodeSelector": {"pool": "gpu"}, "tolerations": [accelerated]}
    assert found["all"] == {"tolerations": [system, accelerated]}
    assert (found["pvc"], found["nodes"]) == ({"storageClassName": "fast"}, 8)


def test_a_path_of_both_classes_gets_the_tolerations_that_were_given() -> None:
    assert values("--system-node-toleration", "k")["all"] == {"tolerations": [{"key": "k", "operator": "Exists"}]}
    assert values("--accelerated-node-toleration", "k=")["all"] == {
        "tolerations": [{"key": "k", "operator": "Equal", "value": ""}]
    }


@pytest.mark.parametrize(
    ("flag", "setting"),
    [
        (["--storage-class", "fast"], "a:pvc.storageClassName=slow"),
        (["--storage-class", "fast"], "also-a:pvc=null"),
        (["--nodes", "8"], "a:nodes=9"),
        (["--system-node-selector", "pool=sys"], "a:op.nodeSelector.disk=ssd"),
        (["--system-node-selector", "pool=sys"], "a:op=text"),
        (["--accelerated-node-selector", "pool=gpu"], "a:ds.nodeSelector=null"),
        (["--system-node-toleration", "k"], "a:all.tolerations=none"),
        (["--accelerated-node-toleration", "k"], "a:all.tolerations=none"),
    ],
)
def test_a_setting_where_a_flag_arrives_is_refused_and_nothing_else_is_said(flag: list[str], setting: str) -> None:
    _, findings = resolve_texts(CATALOG, ["--service", "eks", *flag, "--set", setting])
    assert codes(findings) == ["R302"]
    assert flag[0] in findings[0].message
    assert "goes to a." in findings[0].help


def test_a_setting_beside_the_place_of_a_flag_is_fine() -> None:
    found = values("--storage-class", "fast", "--set", "a:pvc.size=1Gi", "--set", "b:pvc.storageClassName=slow")
    assert found["pvc"] == {"storageClassName": "fast", "size": "1Gi"}


@pytest.mark.parametrize("text", ["a:m={}", 'a:m={"q":null}', 'a:m={"q":{"r":null}}', "a:new=null", 'a:n={"q":null}'])
def test_a_value_that_changes_nothing_is_refused(text: str, tmp_path: Path) -> None:
    assert wrong("--set-json", text) == ["R304"]
    component, _, value = text.partition("=")
    (tmp_path / "value.yaml").write_text(value)
    assert wrong("--set-file", f"{component}={tmp_path / 'value.yaml'}") == ["R304"]


def test_every_part_of_a_value_that_changes_nothing_is_named() -> None:
    _, findings = resolve_texts(CATALOG, ["--service", "eks", "--set-json", 'a:={"m": {"q": null, "x": 2}}'])
    assert codes(findings) == ["R303"]
    _, findings = resolve_texts(
        CATALOG, ["--service", "eks", "--set-json", 'a:m={"q": null, "x": 2, "t": {"z": null}}']
    )
    assert [(item.code, item.message.rpartition(" at ")[2]) for item in findings] == [
        ("R304", "`m.q`"),
        ("R304", "`m.t.z`"),
    ]


def test_an_empty_map_where_nothing_stands_is_written() -> None:
    assert values("--set-json", "a:affinity={}")["affinity"] == {}


@pytest.mark.parametrize(
    "option",
    [
        ["--system-node-selector", "pool=x"],
        ["--accelerated-node-selector", "pool=x"],
        ["--system-node-toleration", "k"],
        ["--accelerated-node-toleration", "k"],
        ["--storage-class", "x"],
    ],
)
def test_a_flag_that_no_component_takes_is_refused(option: list[str]) -> None:
    assert wrong("--without", "a", *option) == ["R304"]


def test_a_node_count_that_no_component_takes_is_a_warning() -> None:
    resolution, findings = resolve_texts(CATALOG, "--service eks --without a --nodes 3")
    assert resolution is not None
    assert (codes(findings), resolution.nodes) == (["R305"], 3)


@pytest.mark.parametrize("text", ["pool", "=x", "a b=c", "pool=a b", "pool=-x", "UP/x=1"])
def test_a_selector_that_is_no_label_is_refused(text: str) -> None:
    assert wrong("--system-node-selector", text) == ["R303"]


@pytest.mark.parametrize("text", ["", ":NoSchedule", "k:noschedule", "k:", "k=a b", "k=v:NoSchedule:x"])
def test_a_toleration_that_cannot_be_read_is_refused(text: str) -> None:
    assert wrong("--system-node-toleration", text) == ["R303"]


def test_two_values_for_one_label_are_refused() -> None:
    assert wrong("--system-node-selector", "p=1", "--system-node-selector", "p=2") == ["R302"]


def test_every_wrong_option_is_reported_in_one_run() -> None:
    found = wrong(
        "--set",
        "zz:x=1",
        "--set",
        "a",
        "--without",
        "zzz",
        "--set",
        "a:l=1",
        "--system-node-selector",
        "x",
        "--set-json",
        "a:q={",
    )
    assert sorted(found) == ["R201", "R301", "R301", "R303", "R303", "R303"]


@pytest.mark.parametrize("text", ["a", "a.b", r"a\.b.c", r"a\\b", "a-b/c", r"a\[0\]"])
def test_paths_that_can_be_read(text: str) -> None:
    assert parse_path(text) is not None
