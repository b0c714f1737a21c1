from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.diagnostics.diagnostic import Code, Diagnostic, Related, Severity
from groundswell.diagnostics.text import render
from groundswell.source.span import Span
from source_texts import SourceTexts

ERROR = Code("R203", Severity.ERROR, "t", "w", "f")
WARNING = Code("M100", Severity.WARNING, "t", "w", "f")
HINT = Code("P100", Severity.HINT, "t", "w", "f")


def excerpt(line: str, column: int, end_column: int, end_line: int = 1) -> tuple[str, str]:
    """The source line as shown and the line with the mark under it, both behind the bar."""
    findings = [ERROR("wrong", Span("f", 1, column, end_line, end_column))]
    lines = render(findings, SourceTexts({"f": line})).split("\n")
    assert lines[2].startswith("    1 | ")
    assert lines[3].startswith("      | ")
    return lines[2][8:], lines[3][8:]


def test_the_shape_is_the_documented_one() -> None:
    sources = SourceTexts({"recipes/h100.yaml": "\n" * 13 + '        version: "580.1"\n', "recipes/training.yaml": ""})
    finding = ERROR(
        "`h100` and `training` set gpu-operator.driver.version to two values at the same rank",
        Span("recipes/h100.yaml", 14, 18, 14, 25),
        related=[Related(Span("recipes/training.yaml", 22, 18, 22, 25), "also set here")],
        help="decide it in a recipe with both criteria",
    )
    assert (
        render([finding], sources)
        == """\
error[R203]: `h100` and `training` set gpu-operator.driver.version to two values at the same rank
  --> recipes/h100.yaml:14:18
   14 |         version: "580.1"
      |                  ^^^^^^^
  ::: recipes/training.yaml:22:18: also set here
  = help: decide it in a recipe with both criteria            (groundswell explain R203)

1 error
"""
    )


def test_a_finding_without_a_place_or_help_is_two_lines() -> None:
    assert (
        render([HINT("so so")], SourceTexts({})) == "hint[P100]: so so\n  = help: groundswell explain P100\n\n1 hint\n"
    )


def test_a_missing_file_or_line_still_has_its_place() -> None:
    for place in (Span("gone.yaml", 3, 1, 3, 2), Span("here.yaml", 9, 1, 9, 2)):
        text = render([ERROR("m", place)], SourceTexts({"here.yaml": "x\n"}))
        assert text.split("\n")[1:3] == [f"  --> {place.file}:{place.line}:1", "  = help: groundswell explain R203"]


def test_the_summary_counts_each_severity_and_nothing_gives_nothing() -> None:
    findings = [ERROR("a"), ERROR("b"), WARNING("c"), HINT("d"), HINT("e")]
    assert render(findings, SourceTexts({})).endswith("\n\n2 errors, 1 warning, 2 hints\n")
    assert render([], SourceTexts({})) == ""


def test_a_limit_cuts_the_list_but_not_the_count() -> None:
    findings = [ERROR(f"number {number}") for number in range(5)]
    text = render(findings, SourceTexts({}), limit=2)
    assert ("number 1" in text, "number 2" in text) == (True, False)
    assert text.endswith("\n\nand 3 more\n\n5 errors\n")
    assert "more" not in render(findings, SourceTexts({}), limit=5)


@pytest.mark.parametrize(
    ("line", "column", "end_column", "shown", "mark"),
    [
        ("key: value", 6, 11, "key: value", "     ^^^^^"),
        ("key: value\r\n", 6, 11, "key: value", "     ^^^^^"),
        ("\tkey: value", 7, 12, "    key: value", "         ^^^^^"),
        ("a\tb: c", 6, 7, "a   b: c", "       ^"),
        ("名前: 値", 5, 6, "名前: 値", "      ^^"),
        ("名前: 値", 1, 3, "名前: 値", "^^^^"),
        ("cafe\u0301: x", 8, 9, "cafe\u0301: x", "      ^"),
        ("a: \x1b[31m", 4, 5, "a: \\x1b[31m", "   ^^^^"),
        ("a: \u202eevil", 4, 5, "a: \\u202eevil", "   ^^^^^^"),
        ("a:", 3, 3, "a:", "  ^"),
        ("a:", 99, 101, "a:", "  ^"),
        ("a: b", 4, 99, "a: b", "   ^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_the_mark_stands_under_the_place(line: str, column: int, end_column: int, shown: str, mark: str) -> None:
    text, below = excerpt(line + "\n" if line else "\n", column, end_column) if line else ("", "^")
    assert (text, below) == (shown, mark)


def test_of_a_place_over_several_lines_the_first_is_shown_to_its_end() -> None:
    assert excerpt("a: [b,  \n  c]\n", 4, 5, end_line=2) == ("a: [b,", "   ^^^")


@pytest.mark.parametrize("column", [1, 300, 5000, 9_990])
def test_of_a_long_line_the_part_around_the_place_is_shown(column: int) -> None:
    line = "".join(f"{number:09}," for number in range(1000))
    shown, mark = excerpt(line, column, column + 10)
    assert len(shown) <= 126
    start = len(mark) - len(mark.lstrip())
    assert shown[start : start + 10] == line[column - 1 : column + 9]
    assert mark.strip() == "^" * 10
    assert (shown.startswith("..."), shown.endswith("...")) == (column > 1, column < 9000)


def test_a_mark_longer_than_the_screen_ends_with_the_shown_part() -> None:
    shown, mark = excerpt("x" * 1_000_000, 500_000, 900_000)
    assert shown == "..." + "x" * 120 + "..."
    assert mark == " " * 43 + "^" * 80


def test_colours_come_only_when_asked_for() -> None:
    findings = [
        ERROR("m", Span("f", 1, 1, 1, 2), related=[Related(Span("f", 1, 1, 1, 2), "l")], help="h"),
        WARNING("w"),
    ]
    sources = SourceTexts({"f": "x\n"})
    plain, colored = render(findings, sources), render(findings, sources, color=True)
    assert "\x1b" not in plain
    assert colored.startswith("\x1b[1;31merror[R203]\x1b[0m")
    bare = colored
    for code in ("1;31", "1;33", "1", "34", "0"):
        bare = bare.replace(f"\x1b[{code}m", "")
    assert bare == plain


@given(st.text(), st.text(), st.text(), st.integers(1, 40), st.integers(1, 40))
def test_nothing_from_outside_acts_on_the_terminal(name: str, line: str, text: str, start: int, end: int) -> None:
    span = Span(name, 1, start, 1, end)
    findings = [Diagnostic("R1", Severity.ERROR, text, span, (Related(span, text),), text)]
    shown = render(findings, SourceTexts({name: line}))
    bad = {char for char in shown if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert bad == set()
    assert shown.count("\n") == 8
