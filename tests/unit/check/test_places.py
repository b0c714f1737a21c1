"""Where findings on fields of objects point: at the value that a field came from, in no doubt only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from groundswell.check.behind import values_behind
from groundswell.check.charts import ChartAt
from groundswell.check.places import object_place
from groundswell.resolve.resolution import Origin
from plan_factory import manifest
from unit.check.kit import crd, found_by, rendering, resource, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from groundswell.check.rendering import RenderedFolder


def leaves(values: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key)


def origins(values: dict[str, Any], file: str = "catalog/recipes/small.yaml") -> dict[tuple[str, ...], Any]:
    """Each value decided on a line of its own."""
    return {
        path: (Origin("recipe small", file, line, 1, "", "set", None),)
        for line, path in enumerate(leaves(values), start=10)
    }


def folder(
    spec: str, values: dict[str, Any], source: str = "app/templates/x.yaml", chart: Path | None = None, **fields: Any
) -> RenderedFolder:
    """One object with this spec, of a chart that got these values."""
    text = f"---\n# Source: {source}\n" + resource(spec=spec, more=", labels: {team: storage-team}")[4:]
    sample = rendering({"app": text}, values=values, origins=origins(values), **fields)
    (found,) = sample.folders.values()
    return replace(found, chart=ChartAt(chart, "0") if chart else None)


def behind(rendered: RenderedFolder, *field: str | int) -> list[str]:
    return [".".join(path) for path in values_behind(rendered, rendered.objects[0], field)]


@pytest.mark.parametrize(
    ("spec", "field", "values", "expected"),
    [
        ("{size: 0}", ("spec", "size"), {"size": 0, "count": 0}, ["size"]),
        ("{size: '0'}", ("spec", "size"), {"size": 0}, ["size"]),
        ("{size: true}", ("spec", "size"), {"size": "true"}, ["size"]),
        ("{size: 0}", ("spec", "size"), {"count": 0}, []),
        ("{size: 0}", ("spec", "size"), {"size": 1}, []),
        ("{replicas: two}", ("spec", "replicas"), {"replicaCount": "two"}, ["replicaCount"]),
        ("{storageName: fast}", ("spec", "storageName"), {"class": "fast"}, ["class"]),
        ("{storageName: fast}", ("spec", "storageName"), {"class": "fast", "tier": "fast"}, ["class", "tier"]),
        ("{host: true}", ("spec", "host"), {"a": {"host": True}, "b": {"host": True}}, ["a.host", "b.host"]),
        ("{b: {host: true}}", ("spec", "b", "host"), {"a": {"host": True}, "b": {"host": True}}, ["b.host"]),
        ("{list: [{x: 1}, {x: 2}]}", ("spec", "list", 1, "x"), {"more": [{"x": 2}]}, ["more"]),
        ("{list: [{x: 1}]}", ("spec", "list", "0", "x"), {"list": [{"x": 1}]}, ["list"]),
        ("{limits: {cpu: 1, gpu: 2}}", ("spec", "limits", "gpu"), {"limits": {"gpu": 2}}, ["limits.gpu"]),
        ("{limits: {gpu: 2}}", ("spec", "limits", "cpu"), {"limits": {"gpu": 2}}, ["limits"]),
        ("{size: 0}", ("spec", "missing"), {"size": 0}, []),
        ("{}", ("metadata", "labels", "team"), {"owner": "storage-team"}, ["owner"]),
        ("{size: 0}", (), {"size": 0}, []),
        ("{size: null}", ("spec", "size"), {"size": None}, []),
    ],
)
def test_a_value_counts_when_it_is_the_same_and_called_alike_or_like_no_other(
    spec: str, field: tuple[str | int, ...], values: dict[str, Any], expected: list[str]
) -> None:
    assert behind(folder(spec, values), *field) == expected


def written_chart(root: Path, template: str, more: str = "", name: str = "templates/x.yaml") -> Path:
    for path, text in {name: template, "templates/_helpers.tpl": more, "Chart.yaml": "name: app\n"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.parametrize(
    ("template", "helpers", "expected"),
    [
        ("{{ .Values.host }}", "", ["host"]),
        ("{{ with .Values }}{{ .host }}{{ end }}", "", ["host"]),
        ('{{ include "it" . }}', '{{ define "it" }}{{ .Values.host }}{{ end }}', ["host"]),
        ("{{ toYaml .Values }}", "", ["host"]),
        ("{{ .Values.other }}", '{{ define "it" }}{{ .Values.host }}{{ end }}', []),
        ("host: true", "", []),
    ],
)
def test_only_a_value_that_the_objects_template_reads_counts(
    template: str, helpers: str, expected: list[str], tmp_path: Path
) -> None:
    chart = written_chart(tmp_path, template, helpers)
    assert behind(folder("{host: true}", {"host": True}, chart=chart), "spec", "host") == expected


def test_a_value_that_is_not_read_does_not_hide_one_that_is(tmp_path: Path) -> None:
    chart = written_chart(tmp_path, "{{ .Values.tier }}")
    sample = folder("{storageName: fast}", {"storageName": "fast", "tier": "fast"}, chart=chart)
    assert behind(sample, "spec", "storageName") == ["tier"]


def test_a_subchart_gets_what_stands_under_its_name_and_what_is_global(tmp_path: Path) -> None:
    name = "charts/sub/templates/x.yaml"
    chart = written_chart(tmp_path, "{{ .Values.host }}{{ .Values.global.host }}", name=name)
    for values, expected in (
        ({"host": True}, []),
        ({"sub": {"host": True}, "other": {"host": True}}, ["sub.host"]),
        ({"global": {"host": True}}, ["global.host"]),
    ):
        assert behind(folder("{host: true}", values, f"app/{name}", chart), "spec", "host") == expected


def test_a_manifest_reads_the_values_under_its_components_name() -> None:
    values = {"wanted": "three"}
    text = "kind: Widget\nspec: {size: {{ .Values.app.wanted }}}\n"
    unread = "kind: Widget\nspec: {size: {{ .Values.app.other }}}\n"
    for used, expected in ((text, ["wanted"]), (unread, [])):
        sample = rendering({"app-post": resource(spec="{size: three}")}, values=values, origins=origins(values))
        (found,) = sample.folders.values()
        found = replace(found, component=found.component._replace(manifests=(manifest(used),)))
        assert behind(found, "spec", "size") == expected


def test_the_place_is_the_values_or_the_folders_with_the_values_in_doubt() -> None:
    version = {"version": (Origin("component app", "catalog/components/app/component.yaml", 6, 1, "", "set", "1"),)}
    sure = folder("{size: 0}", {"a": 1, "size": 0}, field_origins=version)
    place, related = object_place(sure, sure.objects[0], ("spec", "size"))
    assert place is not None
    assert (place.file, place.line, related) == ("catalog/recipes/small.yaml", 11, ())
    doubt = folder("{size: 0}", {"a": {"size": 0}, "b": {"size": 0}}, field_origins=version)
    place, related = object_place(doubt, doubt.objects[0], ("spec", "size"))
    assert place == doubt.place
    assert place is not None
    assert [item.span.line for item in related] == [10, 11]
    assert related[0].label == "the value may be that of `a.size`"


def test_a_value_of_the_command_line_has_no_place() -> None:
    values = {"size": 0}
    sample = folder("{size: 0}", values)
    changed = replace(sample, component=sample.component._replace(origins=origins(values, file="")))
    assert object_place(changed, changed.objects[0], ("spec", "size")) == (changed.place, ())


def test_an_object_of_a_manifest_is_placed_where_that_one_is_listed() -> None:
    listed = {
        f"manifestFiles.components/app/manifests/{name}.yaml": (
            Origin("component app", "catalog/components/app/component.yaml", line, 1, "", "set", name),
        )
        for line, name in enumerate(("one", "two"), start=20)
    }
    manifests = tuple(
        manifest(f"apiVersion: v1\nkind: {kind}\n", f"catalog/components/app/manifests/{name}.yaml")
        for name, kind in (("one", "Secret"), ("two", "ConfigMap"))
    )
    sample = rendering({"app-post": written("v1", "ConfigMap", "c")}, field_origins=listed)
    (found,) = sample.folders.values()
    found = replace(found, component=found.component._replace(manifests=manifests))
    place, _ = object_place(found, found.objects[0], ())
    assert place is not None
    assert place.line == 21
    assert found.place is not None
    assert found.place.line == 20


@pytest.mark.parametrize(
    ("rule", "used", "values"),
    [
        ("edges", "{priorityClassName: urgent}", {"priorityClass": "urgent"}),
        ("schemas", "{size: three}", {"size": "three"}),
        ("namespaces", "{}", {"targetNamespace": "elsewhere"}),
    ],
)
def test_rules_on_fields_point_at_the_value(rule: str, used: str, values: dict[str, Any]) -> None:
    maker = crd(schema="type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}")
    more = ", namespace: elsewhere" if rule == "namespaces" else ""
    texts = {
        "maker": maker,
        "classes": written("scheduling.k8s.io/v1", "PriorityClass", "urgent", "value: 1"),
        "user": resource(spec=used, more=more),
    }
    sample = rendering(texts, waits={"user": ("maker",)}, values=values, origins=origins(values))
    found = found_by(rule, sample)
    places = [item.diagnostic.span for item in found]
    assert [place.line if place else None for place in places] == [10], found
