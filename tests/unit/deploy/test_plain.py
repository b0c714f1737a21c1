"""Manifests that cannot work, told before anything is rendered: where, and for what reason."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from catalog_kit import load_texts, places, texts
from groundswell.deploy.file_size import FILE_LIMIT
from groundswell.deploy.folders import build_folders
from groundswell.deploy.plain import plain_findings
from helm_binaries import helm_binaries
from plan_factory import component, manifest, plan

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"
ACTION = CONFIG + "data:\n  a: {{ .Values.a | quote }}\n"

BROKEN = {
    "syntax": (": : :\n", [("S104", 1)]),
    "a directive": (f"%YAML 1.1\n---\n{CONFIG}", [("S104", 1)]),
    "several directives": (f"# c\n%YAML 1.1\n%TAG ! tag:a,1:\n\n---\n{CONFIG}", [("S104", 2)]),
    "a directive between documents": (f"{CONFIG}%YAML 1.1\n---\n{CONFIG}", [("S104", 5)]),
    "a directive in CRLF": (f"\ufeff%YAML 1.1\r\n---\r\n{CONFIG}", [("S104", 1)]),
    "a tab": ("kind: X\nmetadata:\n\tname: x\n", [("S104", 3)]),
    "a list": ("- apiVersion: v1\n  kind: ConfigMap\n", [("D117", 1)]),
    "text": ("just words\n", [("D117", 1)]),
    "a number": ("12\n", [("D117", 1)]),
    "a repeated key": (CONFIG + "kind: Secret\n", [("S107", 5)]),
    "no kind": ("apiVersion: v1\nmetadata: {name: a}\n", [("D117", 1)]),
    "no apiVersion": ("kind: ConfigMap\nmetadata: {name: a}\n", [("D117", 1)]),
    "an empty kind": ("apiVersion: v1\nkind:\n", [("D117", 2)]),
    "an item of a List": ("apiVersion: v1\nkind: List\nitems:\n- a\n- {kind: Job}\n", [("D117", 4), ("D117", 5)]),
    "every document": (
        f"{CONFIG}---\n: : :\n---\n- a\n---\n{CONFIG}---\nb\n",
        [("S104", 6), ("D117", 8), ("D117", 15)],
    ),
    "beside templates": (f"{ACTION}---\n{CONFIG}\tx: 1\n---\n- a\n", [("S104", 12), ("D117", 14)]),
}


def found(text: str) -> list[tuple[str, int]]:
    return [(finding.code, finding.span.line if finding.span else 0) for finding in plain_findings(manifest(text))]


@pytest.mark.parametrize("case", BROKEN)
def test_a_plain_document_that_cannot_work_is_an_error_at_its_line(case: str) -> None:
    text, expected = BROKEN[case]
    assert found(text) == expected


@pytest.mark.parametrize("case", BROKEN)
def test_the_catalog_and_the_bundle_say_the_same(case: str) -> None:
    text, expected = BROKEN[case]
    path = "components/a/manifests/m.yaml"
    named = {"eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, manifestFiles: [{path}]}}]"}
    loaded = load_texts(texts(named, components={"a": ""}, files={path: text}))
    assert loaded.catalog is None
    told = sorted((code, line) for code, file, line, _ in places(loaded.findings) if file == f"catalog/{path}")
    assert told == sorted(expected)
    findings = build_folders(plan(component("a", manifests=(manifest(text),))))[1]
    assert [(item.code, item.span.line if item.span else 0) for item in findings] == expected


@pytest.mark.parametrize(
    "text",
    [
        CONFIG,
        f"# a comment\n---\n---\n{CONFIG}...\n---\n# another\n",
        f"{CONFIG}data:\n  y: 'n'\n  b: 0644\n",
        f"{CONFIG}data:\n  text: |\n    - a\n    : : :\n",
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n",
        f"{{{{/* a comment: {{{{ }} */}}}}\n{CONFIG}",
        f"{{{{ if .Values.a }}}}\n---\n{CONFIG}---\n{{{{ else if .Values.b }}}}\n{{{{ end }}}}\n",
        'data: {{ include "x" (dict "a" ")" "b" `"`) }}\n',
        'data: {{ printf "%c" \'"\' }}\n',
        "{{ range $k, $v := .Values.a -}}\na: {{- $k }}\n{{- end }}\n",
        "null\n",
    ],
)
def test_what_can_work_is_left_alone(text: str) -> None:
    assert found(text) == []


TEMPLATES = {
    "if": ("a: 1\n{{ if .Values.a }}\nb: 1\n", (2, 1)),
    "range in if": ("{{ if .a }}\n  {{ range .b }}\n{{ end }}\n", (1, 1)),
    "an end too many": ("{{ if .a }}{{ end }}\n{{ end }}\n", (2, 1)),
    "else alone": ("{{ else }}\n", (1, 1)),
    "an open action": ("a: {{ .Values.a }\n", (1, 4)),
    "an open comment": ("{{/* a }}\nb: 1\n", (1, 1)),
    "nothing": ("a: {{ }}\n", (1, 4)),
    "nothing, trimmed": ("a: {{- -}}\n", (1, 4)),
    "a text": ('a: {{ "b }}\n', (1, 4)),
    "a raw text": ("a: {{ `b }}\n", (1, 4)),
    "a parenthesis": ("a: {{ (eq .a .b }}\n", (1, 4)),
    "another": ("a: {{ eq .a .b) }}\n", (1, 4)),
}


@pytest.mark.parametrize("case", TEMPLATES)
def test_a_template_that_cannot_be_parsed_is_an_error_at_the_action(case: str) -> None:
    text, place = TEMPLATES[case]
    (finding,) = plain_findings(manifest(text))
    assert finding.code == "D118"
    assert finding.span is not None
    assert finding.span[1:3] == place


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_helm_refuses_these_templates_too(major: str, tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: a\nversion: 1.0.0\n")
    (tmp_path / "templates").mkdir()
    for text, _ in TEMPLATES.values():
        (tmp_path / "templates" / "m.yaml").write_text(text)
        run = subprocess.run(
            [str(helm_binaries()[major]), "template", "a", str(tmp_path)], capture_output=True, text=True, check=False
        )
        assert run.returncode != 0, text
        assert "parse error" in run.stderr, (text, run.stderr)


ABSENT = {
    "the template": ("a: {{ .Template.Name }}\n", [(1, 7)]),
    "the folder of templates": ('a: {{ include (print $.Template.BasePath "/x.yaml") . }}\n', [(1, 22)]),
    "in a block": ("{{ if .Values.a }}\na: {{ (.Template).Name | quote }}\n{{ end }}\n", [(2, 8)]),
    "from the root of a block": ("{{ range .Values.a }}\na: {{ $.Template.Name }}\n{{ end }}\n", [(2, 7)]),
    "as what a block is about": ("{{ with .Template.Name }}\na: {{ . }}\n{{ end }}\n", [(1, 9)]),
    "subcharts": ("a: {{ .Subcharts.b.Chart.Name }}{{ .Chart.Type }}\n", [(1, 7), (1, 36)]),
    "others of the chart": ("a: {{ index .Chart.Annotations `x` }}\nb: {{ .Chart.Home.x }}\n", [(1, 13), (2, 7)]),
    "others of the release": ("a: {{ .Release.Time.Seconds }}\n", [(1, 7)]),
}


@pytest.mark.parametrize("case", ABSENT)
def test_an_object_that_manifests_do_not_have_is_an_error_where_it_is_asked_for(case: str) -> None:
    text, expected = ABSENT[case]
    told = plain_findings(manifest(text))
    assert [(item.code, item.span[1:3]) for item in told if item.span] == [("D120", place) for place in expected]


@pytest.mark.parametrize(
    "text",
    [
        "a: {{ .Release.Name }}{{ .Release.Namespace }}{{ .Release.Service }}{{ .Release.Revision }}\n",
        "a: {{ .Chart.Name }}{{ $.Chart.Version }}{{ .Chart.AppVersion }}{{ .Capabilities.KubeVersion }}\n",
        "a: {{ .Values.Template.Name }}{{ $x.Template.Name }}{{ (index .Values `a`).Template.Name }}\n",
        "{{ range .Values.a }}\na: {{ .Template.Name }}{{ .Release.Time }}\n{{ end }}\n",
        "{{ define `a` }}\na: {{ $.Template.Name }}\n{{ end }}\n",
        "a: {{ `.Template.Name` }}{{/* .Template.Name */}} # .Template.Name\n",
        "a: .Template.Name\n",
    ],
)
def test_what_has_but_the_name_of_such_an_object_is_left_alone(text: str) -> None:
    assert not [item for item in plain_findings(manifest(text)) if item.code == "D120"]


def test_a_manifest_too_large_for_a_chart_is_an_error_with_its_place() -> None:
    line = "# " + "x" * 1022 + "\n"
    for size, codes in ((FILE_LIMIT, []), (FILE_LIMIT + 1, ["D116"])):
        text = CONFIG + line * (size // len(line) - 1)
        text += "#" * (size - len(text) - 1) + "\n"
        findings = build_folders(plan(component("a", manifests=(manifest(text),))))[1]
        assert len(text) == size
        assert [finding.code for finding in findings] == codes
        assert all(finding.span is not None for finding in findings)


def test_values_too_large_for_a_local_chart_are_an_error() -> None:
    large = component("a", chart=None, manifests=(manifest(CONFIG),), values={"small": 1, "text": "x" * FILE_LIMIT})
    assert [finding.code for finding in build_folders(plan(large))[1]] == ["D116"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("apiVersion: v1\nkind: {{ $k }}\nmetadata: {name: a}\n", [("D119", 2, 7)]),
        ("apiVersion: v1\nkind: Name{{ $k }}\nmetadata: {name: a}\n", [("D119", 2, 7)]),
        ('{"apiVersion": "v1", "kind": "{{ $k }}"}\n', [("D119", 1, 30)]),
        ("kind: {{ .a }}\n{{ include `x` . }}: [\n", [("D119", 1, 1)]),
        (CONFIG + '  annotations:\n    {{ "helm.sh/hook" }}: pre-install\n', [("D119", 6, 5)]),
        (CONFIG + "  annotations:\n    helm.sh/{{ .Values.a }}: pre-install\n", [("D119", 6, 5)]),
        (CONFIG + "  annotations: {'{{ .Values.a }}': b}\n", [("D119", 5, 17)]),
        (CONFIG + "  annotations:\n    a: {{ .Values.a }}\n", []),
        ("apiVersion: v1\nkind: RoleBinding\nroleRef:\n  kind: {{ .Values.kind }}\n", []),
        (CONFIG + "data:\n  {{ .Values.key }}: b\n", []),
    ],
)
def test_what_only_rendering_tells_of_kinds_and_hooks_is_warned_about(
    text: str, expected: list[tuple[str, int, int]]
) -> None:
    findings = build_folders(plan(component("a", manifests=(manifest(text),))))[1]
    told = [(item.code, item.span.line, item.span.column) for item in findings if item.span is not None]
    assert told == expected
    assert all(item.severity.value == "warning" for item in findings)
