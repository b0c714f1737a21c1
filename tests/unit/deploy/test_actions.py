from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.deploy.actions import MASK, actions, mask

PIECES = st.lists(
    st.sampled_from(
        [
            "{{",
            "}}",
            "{{- ",
            " -}}",
            "/*",
            "*/",
            '"',
            "`",
            "'",
            "\\",
            "\n",
            "---\n",
            "a: b\n",
            "  ",
            "if .x",
            "end",
            "é",
            "#",
        ]
    ),
    max_size=30,
).map("".join)


@given(PIECES)
def test_masking_keeps_every_line_and_its_length(text: str) -> None:
    masked = mask(text, actions(text))
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in text.split("\n")]


@given(PIECES)
def test_text_outside_of_actions_is_kept(text: str) -> None:
    masked = mask(text, actions(text))
    assert all(now in (was, MASK, " ") for now, was in zip(masked, text, strict=True))


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('{{ "}}" }} b', ['{{ "}}" }}']),
        ('{{ "{{" }} b {{ `}}"` }}', ['{{ "{{" }}', '{{ `}}"` }}']),
        (r'{{ "\"}}" }}', [r'{{ "\"}}" }}']),
        ("{{/* a }} b */}} {{- /* c\n---\n*/ -}}", ["{{/* a }} b */}}", "{{- /* c\n---\n*/ -}}"]),
        ("{{ '}' }}", ["{{ '}' }}"]),
        ("a }} b", []),
        ("{{ open\nto the end", ["{{ open\nto the end"]),
    ],
)
def test_an_action_ends_where_go_ends_it(text: str, inside: list[str]) -> None:
    assert [text[action.start : action.end] for action in actions(text)] == inside


def test_lines_of_nothing_but_actions_become_blank() -> None:
    text = "{{- if .x }}\na: {{ .b }}\n  {{ toYaml .c | nindent 2 }}{{ end }}\n"
    assert mask(text, actions(text)).splitlines() == [" " * 12, f"a: {MASK * 8}", " " * 38]


def test_blocks_are_counted() -> None:
    words = "{{ if a }}{{ else if b }}{{- range . }}{{ end }}{{ ifx }}{{ end }}"
    assert [action.opens for action in actions(words)] == [1, 0, 1, -1, 0, -1]
