"""Values against what a chart takes."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from groundswell.check.chart_values import ChartValues, chart_values

DEFAULTS = """
driver: {enabled: true, version: ""}
nodeSelector: {}
tolerations: []
affinity:
sub: {set: 1}
"""
TEMPLATE = """
{{ if .Values.driver.enabled }}{{ with .Values.driver }}{{ .optional }}{{ end }}{{ end }}
{{ .Values.unlisted.deep }} {{ index .Values "quoted-name" }}
{{- toYaml .Values.nodeSelector }}
"""
DEPENDENCIES = """
name: sample
dependencies:
  - {name: helper, alias: sub, condition: sub.wanted}
  - {name: other}
  - {name: not-here, alias: gone, condition: "gone.wanted,switch.gone"}
  - {name: common}
"""


def sample(**more: str) -> ChartValues:
    files = {
        "Chart.yaml": DEPENDENCIES,
        "values.yaml": DEFAULTS,
        "templates/all.yaml": TEMPLATE,
        "charts/helper/Chart.yaml": "name: helper",
        "charts/helper/values.yaml": "port: 1\nnested: {a: 1}",
        "charts/helper/templates/x.yaml": "{{ .Values.port }}{{ .Values.hidden }}{{ .Values.global.shared }}",
        "charts/other/Chart.yaml": "name: other",
        "charts/other/values.yaml": "x: {}",
        "charts/common/Chart.yaml": "name: common\ntype: library",
        "charts/common/templates/_x.tpl": "{{ .Values.fromLibrary }}",
        **more,
    }
    return chart_values((name, text.encode()) for name, text in files.items())


def unknown(values: dict[str, Any], **more: str) -> list[str]:
    known = sample(**more)
    assert ChartValues.of_json(json.loads(json.dumps(known.as_json()))) == known
    return [".".join(path) for path in known.unknown(values)]


@pytest.mark.parametrize(
    ("values", "paths"),
    [
        ({"driver": {"enabled": False}}, []),
        ({"driver": {"enabld": False}}, ["driver.enabld"]),
        ({"enabled": True}, ["enabled"]),
        ({"drivr": {"enabled": True, "x": 1}}, ["drivr"]),
        ({"nodeSelector": {"pool": "gpu", "a": {"b": 1}}}, []),
        ({"tolerations": [{"any": "thing"}]}, []),
        ({"affinity": {"nodeAffinity": {}}}, []),
        ({"driver": {"optional": 1}}, []),
        ({"driver": {"version": {"odd": 1}}}, []),
        ({"unlisted": {"deep": 1, "whatever": 2}}, []),
        ({"quoted-name": 1}, []),
        ({"fromLibrary": 1}, []),
        ({"global": {"shared": 1, "anything": 2}}, []),
        ({"sub": {"port": 2, "hidden": 3, "nested": {"a": 2}}}, []),
        ({"sub": {"wanted": True, "set": 2}}, []),
        ({"sub": {"prt": 2, "nested": {"b": 2}}}, ["sub.prt", "sub.nested.b"]),
        ({"helper": {"port": 2}}, ["helper"]),
        ({"other": {"x": {"free": 1}, "y": 1}}, ["other.y"]),
        ({"gone": {"whatever": 1}, "switch": {"gone": False}}, []),
        ({"tags": {"front": True}}, []),
        ({"driver": {"enabled": None, "lost": None}}, ["driver.lost"]),
    ],
)
def test_a_path_is_known_by_defaults_templates_subcharts_and_conditions(
    values: dict[str, Any], paths: list[str]
) -> None:
    assert unknown(values) == paths


def test_a_schema_names_values_too() -> None:
    schema = {
        "$ref": "#/$defs/root",
        "$defs": {
            "root": {"properties": {"listed": {"$ref": "#/$defs/listed"}}},
            "listed": {"properties": {"inner": {"type": "string"}}},
        },
    }
    more = {"values.schema.json": json.dumps(schema)}
    assert unknown({"listed": {"inner": "x"}, "driver": {"inner": 1}}, **more) == []
    assert unknown({"inner": 1}, **more) == ["inner"]


def test_templates_that_hand_the_values_on_hide_which_they_read() -> None:
    more = {"templates/more.yaml": "{{ range $k, $v := .Values }}{{ $v.enabled }}{{ end }}"}
    assert unknown({"enabled": 1, "enabld": 1}, **more) == ["enabld"]


@pytest.mark.parametrize("text", ["", "- a\n", "x: [", "{{ not yaml", "a: &a {b: *a}\n"])
def test_faulty_defaults_take_nothing_and_break_nothing(text: str) -> None:
    assert unknown({"whatever": 1}, **{"values.yaml": text, "values.schema.json": text}) == ["whatever"]


NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta"])
TREES = st.recursive(
    st.none() | st.integers() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
MAPS = st.dictionaries(NAMES, TREES, min_size=1, max_size=3)


def maps_in(tree: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths of all maps that are not empty."""
    if not isinstance(tree, dict) or not tree:
        return []
    return [path, *(found for key, below in tree.items() for found in maps_in(below, (*path, key)))]


@given(defaults=MAPS, data=st.data())
def test_of_a_charts_own_defaults_nothing_is_unknown_and_of_a_new_key_just_that(
    defaults: dict[str, Any], data: st.DataObject
) -> None:
    known = chart_values([("values.yaml", yaml.safe_dump(defaults).encode())])
    assert list(known.unknown(defaults)) == []
    place = data.draw(st.sampled_from(maps_in(defaults)))
    changed: dict[str, Any] = json.loads(json.dumps(defaults))
    node = changed
    for key in place:
        node = node[key]
    node["omega"] = {"x": 1}
    assert list(known.unknown(changed)) == [(*place, "omega")]
