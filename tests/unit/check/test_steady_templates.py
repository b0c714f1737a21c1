"""Which templates of a chart need not be rendered again."""

from __future__ import annotations

import pytest

from groundswell.check.chart_facts import facts_of
from groundswell.check.steady_templates import SAME, printed_same, steady

NOW = "{{ now }}"
HELPER = '{{ define "one" }}{{ now }}{{ end }}{{ define "two" }}x{{ end }}'


def left_out(files: dict[str, str], values: str = "") -> set[str]:
    """The templates that print the same, without the folder."""
    texts = [(name if name.startswith("data/") else f"templates/{name}", text.encode()) for name, text in files.items()]
    given = [("values.yaml", values.encode())]
    found = steady(texts, [values.encode()], facts_of(texts).and_also(facts_of(given)))
    return {name.removeprefix("templates/") for name in found}


@pytest.mark.parametrize(
    "text",
    [
        "kind: ConfigMap",
        "t: {{ .Values.now }}",
        'include the first, and set or merge "now"',
        '{{ include "two" . }}',
        '{{ include "two" (dict "a" .) | tpl . }}',
        '{{ include (print $.Template.BasePath "/c.yaml") . | sha256sum }}',
        "{{ tpl .Values.t . }}",
        "{{ fail `what is set must be included` }}",
    ],
)
def test_what_uses_nothing_that_differs_is_left_out(text: str) -> None:
    files = {"a.yaml": NOW, "_h.tpl": HELPER, "b.yaml": text, "c.yaml": "x"}
    assert left_out(files, "t: '{{ .Values.x }}'") == {"b.yaml"} | ({"c.yaml"} if "c.yaml" not in text else set())


@pytest.mark.parametrize(
    "text",
    [
        "{{ now }}",
        '{{ include "one" . }}',
        '{{ template "one" . }}',
        '{{ tpl "{{ include \\"one\\" . }}" . }}',
        '{{ include (print .root.Template.BasePath "/a.yaml") .root }}',
        '{{ include (printf "%s" "one") . }}',
        "{{ include .Values.name . }}",
        "{{ include $name . }}",
        '{{ tpl (printf "{{ include %q . }}" .Values.name) . }}',
        "{{ tpl .Values.t . }}",
        '{{ $_ := set .Values "a" 1 }}',
        "{{ $_ := unset $map `a` }}",
        "{{ $_ := mustMergeOverwrite (index .Values `a`) (dict) }}",
        '{{ define "three" }}x{{ end }}',
        '{{ block "three" . }}x{{ end }}',
    ],
)
def test_what_may_use_or_change_what_differs_stays(text: str) -> None:
    files = {"a.yaml": NOW, "_h.tpl": HELPER, "b.yaml": text}
    assert "b.yaml" not in left_out(files, "t: '{{ now }}'")


@pytest.mark.parametrize(
    ("files", "all_stay"),
    [
        ({"a.yaml": '{{ now }}{{ set .Values "a" 1 }}', "b.yaml": "x"}, True),
        ({"a.yaml": '{{ include "one" . }}{{ set .Values "a" 1 }}', "_h.tpl": HELPER, "b.yaml": "x"}, True),
        ({"a.yaml": "{{ now }}{{ include $x . }}", "b.yaml": "x"}, True),
        (
            {"a.yaml": "{{ now }}", "c.yaml": "# may include (or not) a word: not worth a closer look", "b.yaml": "x"},
            True,
        ),
        ({"a.yaml": "{{ include $x . }}", "_h.tpl": HELPER, "b.yaml": "x"}, True),
        ({"_h.tpl": f'{HELPER}{{{{ define "three" }}}}{{{{ set . "a" 1 }}}}{{{{ end }}}}', "b.yaml": "x"}, False),
        ({"a.yaml": "{{ now }}", "c.yaml": '{{ set .Values "a" 1 }}', "b.yaml": "x"}, False),
    ],
)
def test_where_one_that_differs_may_change_the_others_all_stay(files: dict[str, str], *, all_stay: bool) -> None:
    assert left_out(files) == (set() if all_stay else {"b.yaml"})


def test_a_file_given_to_tpl_counts_as_a_part_of_what_uses_tpl() -> None:
    template = '{{ tpl (.Files.Get "data/x.txt") . }}'
    assert left_out({"a.yaml": template, "b.yaml": "x", "data/x.txt": NOW}) == {"b.yaml"}
    assert left_out({"a.yaml": template, "b.yaml": "x", "data/x.txt": "x", "c.yaml": NOW}) == {"a.yaml", "b.yaml"}


def test_a_file_whose_path_stands_in_values_or_in_a_file_given_to_tpl_stays() -> None:
    path = '{{ include (print $.Template.BasePath "/b.yaml") . | len }}'
    files = {"a.yaml": "{{ now }}{{ tpl .Values.t . }}", "b.yaml": "x", "c.yaml": "x"}
    assert left_out(files, f"t: '{path}'") == {"c.yaml"}
    assert left_out({**files, "data/x.txt": path}) == {"c.yaml"}


def test_the_text_that_stands_for_a_template_tells_which() -> None:
    text = b"---\n# Source: app/templates/a.yaml\n" + SAME + b"---\n# Source: app/templates/b.yaml\nkind: A\n"
    assert printed_same(text) == {"app/templates/a.yaml"}
