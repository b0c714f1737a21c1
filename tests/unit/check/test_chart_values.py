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
sub: {set: 1, listed: {a: 1}}
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
        ({"driver": {"nodeSelector": {"a": "b"}}}, ["driver.nodeSelector"]),
        ({"unlisted": {"deep": 1}}, []),
        ({"unlisted": {"deep": 1, "whatever": 2}}, ["unlisted.whatever"]),
        ({"quoted-name": 1}, []),
        ({"fromLibrary": 1}, []),
        ({"global": {"shared": 1, "anything": 2}}, []),
        ({"sub": {"port": 2, "hidden": 3, "nested": {"a": 2}}}, []),
        ({"sub": {"wanted": True, "set": 2}}, []),
        ({"sub": {"set": {"below": 1}}}, []),
        ({"sub": {"listed": {"a": 2, "c": 1}}}, ["sub.listed.c"]),
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
    assert unknown({"listed": {"inner": "x"}}, **more) == []
    assert unknown({"inner": 1, "driver": {"inner": 1}}, **more) == ["inner", "driver.inner"]


def test_below_a_definition_of_another_file_any_name_may_stand() -> None:
    schema = {
        "properties": {
            "pod": {"allOf": [{"$ref": "https://schemas.example.test/pod.json"}]},
            "hosts": {"additionalProperties": {"properties": {"port": {}}}},
            "tree": {"properties": {"below": {"$ref": "#/properties/tree"}}},
        }
    }
    more = {"values.schema.json": json.dumps(schema)}
    assert unknown({"pod": {"anything": {"x": 1}}, "hosts": {"a": {"port": 1}}}, **more) == []
    assert unknown({"hosts": {"a": {"prt": 1}}}, **more) == ["hosts.a.prt"]
    assert unknown({"tree": {"below": {"below": {}}}}, **more) == []
    assert unknown({"tree": {"below": {"beside": 1}}}, **more) == ["tree.below.beside"]


READ = "driver: {image: {tag: x}, log: {level: 1}}"


@pytest.mark.parametrize(
    ("template", "read"),
    [
        ("{{ .Values.driver.log.fmt }}", True),
        ("{{ .Values.other.fmt }}{{ .Values.driver.fmt }}", False),
        ("{{ if .Values.driver.log }}{{ .Release.fmt }}{{ end }}", False),
        ("{{ with .Values.driver }}{{ .log.fmt }}{{ end }}", True),
        ("{{ with .Values.driver }}{{ end }}{{ .log.fmt }}", False),
        ("{{ with .Values.driver }}{{ else }}{{ .log.fmt }}{{ end }}", False),
        ("{{ with .Values.driver }}{{ $.Values.driver.log.fmt }}{{ end }}", True),
        ("{{ with .Values.x }}{{ else with .Values.driver.log }}{{ .fmt }}{{ end }}", True),
        ("{{ $log := .Values.driver.log }}{{ if $log.fmt }}{{ end }}", True),
        ("{{ with $d := .Values.driver }}{{ ($d.log).fmt }}{{ end }}", True),
        ("{{ range $name, $part := .Values.driver }}{{ $part.fmt }}{{ end }}", True),
        ("{{ range .Values.list }}{{ .fmt }}{{ end }}", False),
        ('{{ index .Values "driver" "log" "fmt" }}', True),
        ('{{ if hasKey .Values.driver.log "fmt" }}{{ end }}', True),
        ('{{ if hasKey .Values.driver.image "fmt" }}{{ end }}', False),
        ('{{ dig "driver" "log" "fmt" "" .Values }}', True),
        ('{{ dig "driver" "log" "fmt" "" .Values.AsMap }}', True),
        ("{{ $values := .Values.AsMap }}{{ $values.driver.log.fmt }}", True),
        ("{{ toYaml .Values.AsMap.driver }}", True),
        ('{{ dig "driver" "log" "level" "" .Values.AsMap }}', False),
        ('{{ get .Values.driver.log ("f" | printf "%smt") }}', True),
        ("{{ toYaml .Values.driver.log | nindent 2 }}", True),
        ("{{ .Values.driver.log | toJson }}", True),
        ("{{ toYaml .Values.driver.image }}", False),
        ("{{ tpl (toYaml .Values.driver) . }}", True),
        ('{{ (default (dict "a" 1) .Values.driver.log).fmt }}', True),
        ('{{ include "part" .Values.driver.log }}{{ define "part" }}{{ .fmt }}{{ end }}', True),
        ('{{ include "part" .Values.driver.image }}{{ define "part" }}{{ .fmt }}{{ end }}', False),
        ('{{ include "part" . }}{{ define "part" }}{{ $.Values.driver.log.fmt }}{{ end }}', True),
        (
            '{{ template "p" (dict "root" $ "key" 1) }}{{ define "p" }}{{.root.Values.driver.log.fmt}}{{ end }}',
            True,
        ),
        ('{{ include "p" (list . 1) }}{{ define "p" }}{{ (index . 0).Values.driver.log.fmt }}{{ end }}', True),
        ('{{ block "part" .Values.driver.log }}{{ .fmt }}{{ end }}', True),
        ('{{ define "unused" }}{{ if .x }}{{ end }}{{ end }}{{ .Release.fmt }}', False),
        ('{{ include (print $.Template.BasePath "/x.yaml") . | sha256sum }}{{ .Release.fmt }}', False),
        ('{{ include (print "some" .Release.Name) . }}{{ .Release.fmt }}', True),
        ("{{ mystery .Values.driver }}{{ .Release.fmt }}", True),
        ("{{/* .Values.driver.log.fmt }} */}}", False),
        ("{{- /* .Values.driver.log.fmt */ -}}", False),
        ('{{ "{{ .Values.driver.log.fmt }}" }}', False),
        ("{{ $x := merge (dict) .Values.driver.log }}{{ $x.fmt }}", True),
        ("{{ range .Values }}{{ .log.fmt }}{{ end }}", True),
        ("{{ range toYaml .Values | fromYaml }}{{ end }}", True),
        ('{{ include "part" .Values.driver }}{{ define "part" }}{{ include "part" .log }}{{ .fmt }}{{ end }}', True),
        ("{{ if", False),
        ("{{ end }}{{ else }}{{ ( }}{{ ) }}{{ | }}{{ $x := }}{{ range $a, }}{{ with := }}", False),
    ],
)
def test_a_template_reads_a_path_however_it_gets_there_and_only_there(template: str, read: bool) -> None:
    found = unknown({"driver": {"log": {"fmt": 1}}}, **{"values.yaml": READ, "templates/all.yaml": template})
    assert found == ([] if read else ["driver.log.fmt"])


def test_a_subchart_may_include_a_template_of_its_parent() -> None:
    more = {
        "templates/_helpers.tpl": '{{ define "parents" }}{{ .Values.nested.deep }}{{ end }}',
        "charts/helper/templates/x.yaml": '{{ include "parents" . }}',
    }
    assert unknown({"sub": {"nested": {"deep": 1}}}, **more) == []
    assert unknown({"sub": {"nested": {"dep": 1}}}, **more) == ["sub.nested.dep"]


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
