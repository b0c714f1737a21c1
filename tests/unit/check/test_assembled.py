"""Templates that are put together when a chart is rendered: what may be in them is told, and nothing else."""

from __future__ import annotations

import pytest

from groundswell.check.chart_facts import Facts, facts_of
from unit.check.kit import found_by, messages, rendering, written

TEXT = b'{{ now | date "2006" }}'
OPEN = b'{{ $open := print "{" "{" }}{{ tpl (print $open %b) . }}'
NAMED = b'{{- define "render" }}{{ tpl .text .top }}{{ end }}'


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"templates/a.yaml": b'{{ tpl (printf "{{ %s }}" "now | date") . }}'}, ("now", "templates/a.yaml")),
        ({"templates/a.yaml": b'{{ $t := print "{{ " "uuidv4" " }}" }}{{ tpl $t . }}'}, ("uuidv4", "templates/a.yaml")),
        ({"templates/a.yaml": b'{{ $f := .Files }}{{ tpl ($f.Get "x.txt") . }}', "x.txt": TEXT}, ("now", "x.txt")),
        (
            {
                "templates/_h.tpl": NAMED,
                "templates/a.yaml": b'{{ include "render" (dict "text" (.Files.Get "x.txt") "top" $) }}',
                "x.txt": TEXT,
            },
            ("now", "x.txt"),
        ),
        ({"templates/a.yaml": b'{{ tpl (print "{{ now" " }}") . }}'}, ("now", "templates/a.yaml")),
        ({"templates/a.yaml": OPEN % b'"now }}"'}, ("now", "templates/a.yaml")),
        ({"templates/a.yaml": b'{{ $o := "{{-" }}{{ tpl (print $o "now }}") . }}'}, ("now", "templates/a.yaml")),
        ({"templates/a.yaml": b'{{ tpl (repeat 2 "{" | cat "now" | replace "(" "") . }}'}, ("now", "templates/a.yaml")),
        (
            {
                "templates/_h.tpl": b'{{ define "run" }}{{ printf "{{ %s }}" . }}{{ end }}',
                "templates/a.yaml": b'{{ tpl (include "run" "now") . }}',
            },
            ("now", "templates/a.yaml"),
        ),
        (
            {
                "templates/_h.tpl": b'{{ define "text" }}{{ `{{ now }}` }}{{ end }}',
                "templates/a.yaml": b'{{ tpl (include "text" .) . }}',
            },
            ("now", "templates/_h.tpl"),
        ),
        ({"charts/s/templates/a.yaml": b'{{ tpl (printf "{{ %s }}" "now") . }}'}, ("now", "charts/s/templates/a.yaml")),
    ],
)
def test_what_may_be_in_a_template_that_is_put_together_is_found(
    files: dict[str, bytes], found: tuple[str, str]
) -> None:
    assert facts_of(files.items()).assembled == (found,)


@pytest.mark.parametrize(
    "files",
    [
        {"templates/a.yaml": b'{{ tpl (printf "{{ %s }}" "upper") . }}'},
        {"templates/a.yaml": b'{{ printf "{{ %s }}" "now" }}'},
        {"templates/a.yaml": b'{{ tpl .Values.text . }}{{ fail (printf "no %s" "values now") }}'},
        {"templates/a.yaml": b'{{ tpl "{{ now }}" . }}'},
        {"templates/a.yaml": OPEN % b'"upper }}"'},
        {"templates/a.yaml": OPEN % b'"{{ now }} }}"'},
        {"templates/a.yaml": b'{{ if contains "{{" .x }}{{ tpl .x . }}{{ else }}{{ fail "set values now" }}{{ end }}'},
        {"templates/a.yaml": b'{{ tpl .text . }}{{ "{{" }} now {{ "}}" }}{{ fail "set values now" }}'},
        {"templates/a.yaml": b'{{ $open := print "{" "{" }}{{ print $open "now }}" }}'},
        {"templates/_h.tpl": b'{{ define "text" }}{{ `{{ now }}` }}{{ end }}'},
        {"templates/a.yaml": b'{{ tpl .Values.text . }}{{ "{{ now }}" }}'},
        {"templates/a.yaml": b'{{ tpl .Values.text . }}{{ .Files.Get "x.txt" }}', "x.txt": b"now {{ .x }}"},
        {"templates/a.yaml": b'{{ tpl .Values.text . }}{{ .Files.Get "x.txt" }}', "README.md": TEXT},
        {"templates/a.yaml": b"{{ tpl .Values.text . }}", "x.txt": TEXT},
        {"templates/a.yaml": b'{{ tpl (.Files.Get "x.txt") . }}', "x.txt": TEXT},
        {"templates/a.yaml": b'{{ .Files.Get "x.txt" }}', "x.txt": TEXT},
        {"templates/a.yaml": b'{{ tpl .Values.text . }}{{ .Files.Get "x" }}', "crds/x.yaml": TEXT, "values.yaml": TEXT},
    ],
)
def test_what_the_text_tells_and_what_no_template_can_reach_is_not_told_again(files: dict[str, bytes]) -> None:
    assert facts_of(files.items()).assembled == ()


def test_a_chart_that_puts_a_template_together_is_undecided() -> None:
    facts = Facts(assembled=(("now", "templates/a.yaml"), ("uuidv4", "charts/off/templates/b.yaml")))
    (message,) = messages("purity", rendering({"a": written("v1", "ConfigMap", "c")}, facts={"a": facts}))
    assert message.startswith("K502 whether `001-a` comes out the same each time could not be decided")
    assert message.endswith("it uses `now` in `templates/a.yaml`")


def test_the_advice_on_a_difference_names_functions_with_their_files() -> None:
    text = (
        "---\n# Source: sample/templates/b.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: %s}\n"
    )
    facts = Facts(impure=(("now", "templates/a.yaml"), ("uuidv4", "templates/b.yaml")))
    (found,) = found_by("purity", rendering({"a": text % "x"}, again={"a": text % "y"}, facts={"a": facts}))
    assert found.diagnostic.help == "the chart uses `uuidv4` in `templates/b.yaml`, `now` in `templates/a.yaml`"
