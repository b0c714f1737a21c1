"""Templates that print the same each time are not rendered again, and what is found is the same as if they were."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from groundswell.check import steady_templates
from groundswell.check.steady_templates import SAME
from helm.check_site import findings, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.helm

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata:\n  t: %s\n"
YEAR = '{{ now | date "2006" | quote }}'


def config(name: str, printed: str) -> str:
    return CONFIG % (name, printed)


def helper(name: str, body: str = '{{ now | date "2006" }}') -> str:
    return f'{{{{- define "{name}" -}}}}\n{body}\n{{{{- end }}}}\n'


def used(name: str) -> str:
    return f'{{{{ include "{name}" . | quote }}}}'


def about(name: str, more: str = "") -> str:
    return f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n{more}"


def beside(path: str, way: str = "$.Template.BasePath") -> str:
    return f'{{{{ include (print {way} "/{path}") . | sha256sum }}}}'


# Of each chart its files besides Chart.yaml and a template that is the same each time, and the objects that differ.
CHARTS: dict[str, tuple[dict[str, str], str]] = {
    "plain": ({"templates/a.yaml": config("a", YEAR), "templates/b.yaml": config("b", "x")}, "a"),
    "checksum": ({"templates/a.yaml": config("a", YEAR), "templates/b.yaml": config("b", beside("a.yaml"))}, "a b"),
    "checksums": (
        {
            "templates/deep/a.yaml": config("a", YEAR),
            "templates/b.yaml": config("b", beside("deep/a.yaml")),
            "templates/c.yaml": config("c", beside("b.yaml", ".Template.BasePath")),
            "templates/d.yaml": config("d", "x"),
        },
        "a b c",
    ),
    # What is rendered again reads a file that is the same each time, which therefore has to be there as it is.
    "reads": (
        {
            "templates/a.yaml": config("a", "'{{ if gt (now | unixEpoch | int) 5 }}" + beside("b.yaml") + "{{ end }}'"),
            "templates/b.yaml": config("b", "x"),
        },
        "",
    ),
    "defines": (
        {
            "templates/a.yaml": config("a", "'{{ now.Unix }}" + '{{ include "one" . }}\''),
            "templates/b.yaml": helper("one", "x") + config("b", "x"),
        },
        "a",
    ),
    "by-path": (
        {"templates/a.yaml": config("a", YEAR), "templates/b.yaml": config("b", used("by-path/templates/a.yaml"))},
        "a b",
    ),
    "deep": (
        {
            "templates/_h.tpl": helper("one") + helper("two", used("one")) + helper("three", "x"),
            "templates/_i.tpl": helper("four", '{{ template "two" . }}'),
            "templates/a.yaml": config("a", used("four")),
            "templates/b.yaml": config("b", used("three")),
        },
        "a",
    ),
    "in-comment": (
        {
            "templates/_h.tpl": '{{ define "one" }}{{/* {{ define "x" }} */}}{{ now | date "2006" }}{{ end }}',
            "templates/a.yaml": config("a", used("one")),
        },
        "a",
    ),
    "not-partial": (
        {"templates/a.yaml": helper("one") + config("a", "x"), "templates/b.yaml": config("b", used("one"))},
        "b",
    ),
    "block": (
        {
            "templates/a.yaml": config("a", '"{{ block "one" . }}{{ now | date "2006" }}{{ end }}"'),
            "templates/b.yaml": config("b", used("one")),
        },
        "a b",
    ),
    "of-subchart": (
        {
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/_h.tpl": helper("sub.one"),
            "charts/sub/templates/b.yaml": config("b", "x"),
            "templates/a.yaml": config("a", used("sub.one")),
        },
        "a",
    ),
    "of-parent": (
        {
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/b.yaml": config("b", used("one")),
            "templates/_h.tpl": helper("one"),
        },
        "b",
    ),
    "library": (
        {
            "charts/lib/Chart.yaml": about("lib", "type: library\n"),
            "charts/lib/templates/_h.yaml": helper("lib.one"),
            "templates/a.yaml": config("a", used("lib.one")),
        },
        "a",
    ),
    "alias": (
        {
            "Chart.yaml": about("alias", "dependencies: [{name: sub, version: 1.0.0, alias: other}]\n"),
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/b.yaml": config("b", "x"),
            "templates/a.yaml": config("a", YEAR),
        },
        "a",
    ),
    "computed": (
        {
            "templates/_h.tpl": helper("one.two"),
            "templates/a.yaml": config("a", '{{ include (printf "%s.two" "one") . | quote }}'),
            "templates/b.yaml": config("b", '{{ $n := "one" }}{{ include (print $n ".two") . | quote }}'),
            "templates/c.yaml": config("c", '{{ tpl (printf "{{ include %q . }}" "one.two") . | quote }}'),
        },
        "a b c",
    ),
    "computed-path": (
        {
            "templates/a-1.yaml": config("a", YEAR),
            "templates/b.yaml": config("b", '{{ include (printf "%s/a-%d.yaml" .Template.BasePath 1) . | sha256sum }}'),
        },
        "a b",
    ),
    "given-path": (
        {
            "templates/_h.tpl": helper("sum", "{{ include (print .root.Template.BasePath .path) .root | sha256sum }}"),
            "templates/a.yaml": config("a", YEAR),
            "templates/b.yaml": config("b", '{{ include "sum" (dict "root" . "path" "/a.yaml") }}'),
        },
        "a b",
    ),
    "values": (
        {
            "values.yaml": "t: '{{ now | date \"2006\" }}'\n",
            "templates/a.yaml": config("a", "{{ tpl .Values.t . | quote }}"),
            "templates/b.yaml": config("b", "x"),
        },
        "a",
    ),
    "values-include": (
        {
            "values.yaml": "t: '{{ include \"one\" . }}'\n",
            "templates/_h.tpl": helper("one"),
            "templates/a.yaml": config("a", "{{ tpl .Values.t . | quote }}"),
        },
        "a",
    ),
    # The text of a template is looked at: it has to be there as it is.
    "values-path": (
        {
            "values.yaml": "t: '{{ include (print $.Template.BasePath \"/b.yaml\") . | len }}'\n",
            "templates/a.yaml": config("a", '"{{ tpl .Values.t . }}{{ if gt (now | unixEpoch | int) 5 }}{{ end }}"'),
            "templates/b.yaml": config("b", "x"),
        },
        "",
    ),
    "file": (
        {
            "data/x.txt": '{{ include "one" . }}',
            "templates/_h.tpl": helper("one"),
            "templates/a.yaml": config("a", '{{ tpl (.Files.Get "data/x.txt") . | quote }}'),
        },
        "a",
    ),
    # One template makes another differ: the first changes what the second reads, by itself or for others to come.
    "set": (
        {
            "values.yaml": "t: x\n",
            "templates/z.yaml": "{{ $_ := set .Values `t` (now | date `2006`) }}\n" + config("z", "x"),
            "templates/a.yaml": config("a", "{{ .Values.t | quote }}"),
        },
        "a",
    ),
    "switch": (
        {
            "values.yaml": "on: false\n",
            "templates/z.yaml": "{{ $_ := mergeOverwrite .Values (dict `on` true) }}\n" + config("z", "x"),
            "templates/a.yaml": config("a", '"{{ if .Values.on }}{{ now | date "2006" }}{{ end }}"'),
        },
        "a",
    ),
    "switched-off": (
        {
            "values.yaml": "on: true\n",
            "templates/z.yaml": "{{ $_ := unset .Values `on` }}\n" + config("z", "x"),
            "templates/a.yaml": config("a", '"{{ if .Values.on }}{{ now | date "2006" }}{{ end }}"'),
        },
        "",
    ),
    "set-by-helper": (
        {
            "templates/_h.tpl": helper("put", "{{ $_ := set .Values `t` (include `one` .) }}") + helper("one"),
            "templates/z.yaml": '{{ include "put" . }}\n' + config("z", "x"),
            "templates/a.yaml": config("a", "{{ .Values.t | quote }}"),
        },
        "a",
    ),
    "lookup": (
        {"templates/a.yaml": config("a", '{{ (lookup "v1" "Secret" "x" "y").data | default (randInt 0 9) | quote }}')},
        "a",
    ),
    "random": (
        {"templates/_h.tpl": helper("one", "{{ randAlphaNum 9 }}"), "templates/a.yaml": config("a", used("one"))}
        | {"templates/b.yaml": config("b", YEAR)},
        "a b",
    ),
    # Two that are chosen by luck are the same now and then.
    "digit": (
        {
            "templates/a.yaml": config("a", "{{ randNumeric 1 | quote }}"),
            "templates/b.yaml": config("b", "'{{ ternary 1 2 (regexMatch `[a-z]` (randAlphaNum 1)) }}'"),
            "templates/c.yaml": config("c", "{{ randBytes 1 | quote }}"),
            "templates/d.yaml": config("d", "{{ 1 | randAscii | squote }}"),
            "templates/e.yaml": config("e", "{{ randAlpha (int 1) | lower | quote }}"),
            "templates/f.yaml": config("f", "'{{ randAlpha 5 | len }}{{ randBytes 5 | b64dec | len }}'"),
        },
        "a b c d e",
    ),
    # What a subchart defines is used, though it prints nothing itself.
    "helpers": (
        {
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/_h.tpl": helper("sub.one"),
            "templates/a.yaml": config("a", used("sub.one")),
        },
        "a",
    ),
    "helpers-of-helpers": (
        {
            "Chart.yaml": about("helpers-of-helpers", "dependencies: [{name: sub, version: 1.0.0, alias: other}]\n"),
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/_h.tpl": helper("sub.one", used("inner.one")),
            "charts/sub/charts/inner/Chart.yaml": about("inner"),
            "charts/sub/charts/inner/templates/_h.tpl": helper("inner.one"),
            "templates/a.yaml": config("a", "'" + '{{ include "sub.one" . }}' + "'"),
        },
        "a",
    ),
    "sets-for-parent": (
        {
            "values.yaml": "sub: {a: 1}\n",
            "charts/sub/Chart.yaml": about("sub"),
            "charts/sub/templates/b.yaml": "{{ $_ := set .Values `t` (now | date `2006`) }}",
            "templates/a.yaml": config("a", "{{ .Values.sub.t | quote }}"),
        },
        "a",
    ),
    "other-folder": (
        {
            "charts/odd-1.0/Chart.yaml": about("sub"),
            "charts/odd-1.0/templates/a.yaml": config("a", YEAR),
        },
        "a",
    ),
    "any-suffix": ({"templates/a.md": config("a", used("one")), "templates/_h.svg": helper("one")}, "a"),
    "first-of-keys": (
        {
            "values.yaml": "m: {a: 1, b: 2}\n",
            "templates/a.yaml": config("a", "{{ keys .Values.m | first | list | sortAlpha | first }}"),
            "templates/b.yaml": config("b", "{{ keys .Values.m | sortAlpha | first }}"),
        },
        "a",
    ),
    "order": (
        {"values.yaml": "m: {a: 1, b: 2}\n", "templates/a.yaml": config("a", '{{ keys .Values.m | join "" }}')},
        "a",
    ),
}


@pytest.fixture(scope="module", params=["3", "4"])
def helm(request: pytest.FixtureRequest) -> Path:
    return helm_binaries()[request.param]


def write_charts(root: Path) -> tuple[Path, Path]:
    """A catalog of all the charts, and their directory."""
    for name, (files, _) in CHARTS.items():
        texts = {"Chart.yaml": about(name), "templates/same.yaml": config("same", "{{ .Chart.Name }}")} | files
        for path, text in texts.items():
            (root / "charts" / name / path).parent.mkdir(parents=True, exist_ok=True)
            (root / "charts" / name / path).write_text(text)
    return write_catalog(root / "catalog", dict.fromkeys(CHARTS, "")), root / "charts"


def differing(root: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """By chart, the objects that can differ."""
    catalog, charts = write_charts(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
    found = defaultdict[str, list[str]](list)
    for item in findings(catalog, helm, charts=charts):
        matched = re.match(r"`ConfigMap ([\w-]+)/([\w-]+)` of `.*` can differ", item["message"])
        assert matched, item
        found[matched[1]].append(matched[2])
    return {name: " ".join(sorted(found[name])) for name in CHARTS}


def test_what_is_found_is_the_same_with_every_template_and_without_the_steady_ones(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {name: names for name, (_, names) in CHARTS.items()}
    assert differing(tmp_path / "one", helm, monkeypatch) == expected
    stored = b"".join(path.read_bytes() for path in (tmp_path / "one" / "cache").rglob("*-early"))
    assert stored.count(SAME) > len(CHARTS) / 2
    monkeypatch.setattr(steady_templates, "steady", lambda *_: frozenset())
    assert differing(tmp_path / "two", helm, monkeypatch) == expected
