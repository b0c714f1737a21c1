"""What is written in place of functions that have no fixed result."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.check.chart_facts import facts_of
from groundswell.check.stand_ins import REPLACED, Variant, stand_in, stand_in_files
from groundswell.source.reader import read

EARLY = "(toDate `2006-01-02 15:04:05` `2001-02-03 04:05:06`)"
QUOTED = EARLY.replace("`", '"')
SORTED = "keys .m  | sortAlpha "


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{{ now }}", f"{{{{ {EARLY} }}}}"),
        ("{{- now -}}", f"{{{{- {EARLY} -}}}}"),
        ('{{ date "2006" now }}', f'{{{{ list {EARLY} "2006" {EARLY}  | include `groundswell.date` }}}}'),
        (
            "{{ .day | htmlDate | quote }}",
            f"{{{{ .day | list {EARLY} `2006-01-02`  | include `groundswell.date` | quote }}}}",
        ),
        ("{{ $date := .date }}{{ dateModify `1h` .at }}", "{{ $date := .date }}{{ dateModify `1h` .at }}"),
        ("{{ (now).Year }}", f"{{{{ ({EARLY}).Year }}}}"),
        ("{{ keys .m }}", f"{{{{ {SORTED}}}}}"),
        ('{{ keys .m | join "-" }}', f'{{{{ {SORTED}| join "-" }}}}'),
        ('{{ join "-" (keys .m) }}', '{{ join "-" (keys .m | sortAlpha ) }}'),
        ("{{ range $k := keys .m -}}", f"{{{{ range $k := {SORTED}-}}}}"),
        ("{{ .m | keys | first }}", "{{ .m | keys  | sortAlpha | first }}"),
        ("{{ keys (dict `a` (keys .m)) }}", "{{ keys (dict `a` (keys .m | sortAlpha ))  | sortAlpha }}"),
        ("{{ randInt 0 2 }}", "{{ min 0 2  | int }}"),
        ("{{ randAlpha 9 | b64enc }}", "{{ list `a` 9  | include `groundswell.random` | b64enc }}"),
        ("{{ 9 | randBytes }}", "{{ 9 | list `a`  | include `groundswell.randBytes` }}"),
        ("{{ now.Unix }}", f"{{{{ {EARLY}.Unix }}}}"),
        ('{{ now.UTC.Format "2006" }}', f'{{{{ {EARLY}.UTC.Format "2006" }}}}'),
        ("{{ tpl `{{ now }}` . }}", f"{{{{ tpl `{{{{ {QUOTED} }}}}` . }}}}"),
        ('{{ tpl "{{ now | lower \\"2006\\" }}" . }}', f'{{{{ tpl "{{{{ {EARLY} | lower \\"2006\\" }}}}" . }}}}'),
        (
            '{{ tpl `{{ tpl "{{ now }}" . }}` . }}',
            f"{{{{ tpl `{{{{ tpl {json.dumps(f'{{{{ {QUOTED} }}}}')} . }}}}` . }}}}",
        ),
        ('x: "{{ now }}" # now', f'x: "{{{{ {EARLY} }}}}" # now'),
        ('{{ tpl "{{ now }}" . }}', f'{{{{ tpl "{{{{ {EARLY} }}}}" . }}}}'),
    ],
)
def test_functions_in_actions_are_replaced(text: str, written: str) -> None:
    assert stand_in(text.encode(), Variant.EARLY).decode() == written


@pytest.mark.parametrize(
    "text",
    [
        "now",
        "{{ .Values.now }} {{ $keys }} {{ .keys.values }}",
        '{{ fail "keys now" }}',
        "{{/* now */}}",
        "{{ `now` }}",
        "{{ `{{ now }}` }}",
        '{{ "{{ now }}" | quote }}',
        "{{ $now.Unix }} {{ (x).now.Unix }}",
    ],
)
def test_what_only_looks_like_a_function_is_left(text: str) -> None:
    assert stand_in(text.encode(), Variant.EARLY) == text.encode()


@pytest.mark.parametrize("function", sorted(REPLACED))
def test_the_variants_differ_and_neither_is_the_original(function: str) -> None:
    text = f"{{{{ {function} 1 2 }}}}".encode()
    assert len({stand_in(text, variant) for variant in (Variant.PLAIN, Variant.EARLY, Variant.LATE)}) == 3


@given(st.text(alphabet="{}-|()\"`' .$nowkeys/*\\\n"), st.sampled_from(Variant))
def test_text_outside_of_actions_is_never_touched(text: str, variant: Variant) -> None:
    outside = text.replace("{", "(")
    assert stand_in(f"{outside}{{{{ now }}}}".encode(), variant).startswith(outside.encode())
    stand_in(text.encode(), variant)


def changed(*files: tuple[str, str]) -> set[str]:
    """The names of the files that have functions replaced."""
    before = [(name, text.encode()) for name, text in files]
    after = list(stand_in_files(before, Variant.EARLY, facts_of(before).impure))
    return {name for (name, data), (_, other) in zip(before, after, strict=True) if data != other}


def test_only_what_is_rendered_is_changed() -> None:
    names = ["templates/a.yaml", "charts/x/templates/a.tpl", "data/a.txt", "data/templates/a.yaml", "Chart.yaml"]
    names += ["values.yaml", "charts/x/values.yaml", "data/values.yaml", "README.md", "crds/a.yaml"]
    files = [(name, "a: '{{ now }}'") for name in names]
    assert changed(*files) == {"templates/a.yaml", "charts/x/templates/a.tpl", "values.yaml", "charts/x/values.yaml"}


@pytest.mark.parametrize(
    ("template", "handed"),
    [
        ('{{ tpl (.Files.Get "data/a.txt") . }}', {"data/a.txt"}),
        ('{{ $a := .Files.Get "data/a.txt" }}{{ tpl $a . }}', {"data/a.txt"}),
        ('{{ (tpl (.Files.Glob "data/*").AsConfig .) }}', {"data/a.txt", "data/b.txt"}),
        ("{{ tpl (.Files.Get $name) . }}", {"data/a.txt", "data/b.txt", "c.txt"}),
        ('{{ .Files.Get "data/a.txt" }}{{ tpl .Values.x . }}', set()),
        ('{{ .Files.Get "data/a.txt" }}', set()),
    ],
)
def test_files_that_a_template_hands_to_tpl_are_changed(template: str, handed: set[str]) -> None:
    files = [(name, "{{ now }}") for name in ("data/a.txt", "data/b.txt", "c.txt")]
    assert changed(("templates/a.yaml", template), *files) == handed


@pytest.mark.parametrize(
    "written",
    [
        "'{{ now | date \"2006\" }}'",
        '|-\n  {{ now | date "2006" }}',
        '"{{ now | date \\"2006\\" }}"',
        '"{{ now |\\\n   date \\x222006\\x22 }}"',
    ],
)
def test_values_are_changed_however_they_are_quoted(written: str) -> None:
    text = f"f: 1.50\nt: {written}"
    ((_, data),) = stand_in_files([("values.yaml", text.encode())], Variant.EARLY, [("now", "values.yaml")])
    (values,), _ = read(data, "values.yaml")
    assert EARLY in values.data["t"]
    assert values.data["f"] == 1.5


def test_values_keep_characters_that_yaml_has_only_as_escapes() -> None:
    ((_, data),) = stand_in_files(
        [("values.yaml", b't: "{{ now }}"\nc: "\\x7f"')], Variant.EARLY, [("now", "values.yaml")]
    )
    (values,), findings = read(data, "values.yaml")
    assert values.data["c"] == "\x7f"
    assert not findings


def test_values_that_do_not_change_stay_as_they_are_written() -> None:
    assert not changed(("values.yaml", "# {{ now }}\nt: '{{ .Values.now }}'"))
