"""What is written in place of functions that have no fixed result."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.check.stand_ins import REPLACED, Variant, stand_in

EARLY = "(toDate `2006-01-02 15:04:05` `2001-02-03 04:05:06`)"
SORTED = "keys .m  | sortAlpha "


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{{ now }}", f"{{{{ {EARLY} }}}}"),
        ("{{- now -}}", f"{{{{- {EARLY} -}}}}"),
        ('{{ date "2006" now }}', f'{{{{ date "2006" {EARLY} }}}}'),
        ("{{ (now).Year }}", f"{{{{ ({EARLY}).Year }}}}"),
        ("{{ keys .m }}", f"{{{{ {SORTED}}}}}"),
        ('{{ keys .m | join "-" }}', f'{{{{ {SORTED}| join "-" }}}}'),
        ('{{ join "-" (keys .m) }}', '{{ join "-" (keys .m | sortAlpha ) }}'),
        ("{{ range $k := keys .m -}}", f"{{{{ range $k := {SORTED}-}}}}"),
        ("{{ .m | keys | first }}", "{{ .m | keys  | sortAlpha | first }}"),
        ("{{ keys (dict `a` (keys .m)) }}", "{{ keys (dict `a` (keys .m | sortAlpha ))  | sortAlpha }}"),
        ("{{ randInt 0 2 }}", "{{ min 0 2 }}"),
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
