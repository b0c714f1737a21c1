"""The exact text that the emitter writes."""

from __future__ import annotations

import enum
import math
from typing import Any

import pytest

from groundswell.source.emitter import Quoted, emit
from yaml_samples import TYPED_BY_SOME_READER


def test_maps_and_lists_are_written_in_block_style_in_the_order_given() -> None:
    data = {
        "zoo": {"b": 1, "a": [1, {"x": "y", "list": ["p", []]}, [["deep"], {}]]},
        "empty": {"map": {}, "list": []},
    }
    assert emit(data) == (
        "zoo:\n"
        "  b: 1\n"
        "  a:\n"
        "    - 1\n"
        '    - x: "y"\n'
        "      list:\n"
        "        - p\n"
        "        - []\n"
        "    - - - deep\n"
        "      - {}\n"
        "empty:\n"
        "  map: {}\n"
        "  list: []\n"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}\n"),
        ([], "[]\n"),
        (None, "null\n"),
        (True, "true\n"),
        (-5, "-5\n"),
        ("text", "text\n"),
        ("a\nb\n", "|\n  a\n  b\n"),
        (["a"], "- a\n"),
        ([["a", "b"], {"c": "d", "e": "f"}], "- - a\n  - b\n- c: d\n  e: f\n"),
    ],
)
def test_any_value_can_be_the_document(value: Any, text: str) -> None:
    assert emit(value) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (5242880, "5242880"),
        (9007199254740993, "9007199254740993"),
        (10**30, "1" + "0" * 30),
        (0.5, "0.5"),
        (1.0, "1.0"),
        (1e6, "1000000.0"),
        (1e20, "1.0e+20"),
        (1.5e-7, "1.5e-07"),
        (1e-7, "1.0e-07"),
        (-0.0, "-0.0"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_numbers_keep_their_digits_and_their_type(number: float, text: str) -> None:
    assert emit(number) == text + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "gpu-operator", "nvcr.io/nvidia/driver", "v1.10", "10Gi", "500m", "10.0.0.0/8",
        "http://host:80/x?y=z#frag", "--log-level=info", "-v=4", "two words", "it's", 'say "hi"', "a{b}[c],d",
        "/etc/x", ".spec.x", "déjà vu 日本", "x=y", "5s", "_private", "path\\to", "kubernetes.io/arch", "100%",
        "a@b.c", "nvidia.com/gpu", "Yess", "nulls",
    ],
)  # fmt: skip
def test_ordinary_text_stays_bare(text: str) -> None:
    assert emit({text: text}) == f"{text}: {text}\n"


@pytest.mark.parametrize(
    "text",
    [
        "", " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "--", "---", "?", "? a", ":", "&a", "*a", "!a",
        "|", ">", "%a", "@a", "`a", "[a", "{a", "}", ",a", "'a", "$x", "2024-01-01", "1.2.3", "cafe ", "1e3",
        "12e45", "0008", "y", "N", "on", "~", "=", "<<", ".inf", "1.10", "190:20:30",
    ],
)  # fmt: skip
def test_text_that_some_reader_takes_otherwise_is_quoted(text: str) -> None:
    assert emit({text: [text]}) == f'"{text}":\n  - "{text}"\n'


def test_no_word_or_number_of_any_reader_is_left_bare() -> None:
    bare = {text for text in TYPED_BY_SOME_READER if emit(text) == text + "\n"}
    words = {"inf", "nan", "NaN", "infinity", "Infinity", "e3", "v1.10"}
    numbers = {"1Gi", "10m", "500m", "5s", "1h30m", "10.0.0.0/8", "fe80::1", "1,000", "1/2", "50%", "0x1p3"}
    assert bare == words | numbers


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ('a"b\\c', 'a"b\\c'),
        (' "\\', '" \\"\\\\"'),
        ("a\tb", '"a\\tb"'),
        ("\x00\x1b", '"\\u0000\\u001b"'),
        ("\x7f\x85\xa0", '"\\u007f\\u0085\\u00a0"'),
        ("\u2028\u2029\ufeff", '"\\u2028\\u2029\\ufeff"'),
        ("\u200b\u202e\uffff", '"\\u200b\\u202e\\uffff"'),
        ("\U0001f600", '"\U0001f600"'),
    ],
)
def test_quotes_backslashes_and_what_nobody_sees_are_escaped(text: str, spelled: str) -> None:
    assert emit(text) == spelled + "\n"


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a\nb\n", "|\n    a\n    b\n"),
        ("a\nb", "|-\n    a\n    b\n"),
        ("a\n\n  b: c\n", "|\n    a\n\n      b: c\n"),
        ("#!/bin/sh\nset -eu\n", "|\n    #!/bin/sh\n    set -eu\n"),
        ("---\na\n", "|\n    ---\n    a\n"),
        ("é\n日本\n", "|\n    é\n    日本\n"),
    ],
)
def test_text_of_several_lines_is_a_literal_block(text: str, block: str) -> None:
    assert emit({"top": {"key": text}}) == f"top:\n  key: {block}"
    assert emit({"x": [text]}) == f"x:\n  - {block}"


@pytest.mark.parametrize(
    "text", ["a\n\n", "\na\n", " a\nb\n", "a \nb\n", "a\nb ", "a\n \nb\n", "a\tb\nc\n", "a\r\nb\n", "a\x85\nb\n"]
)
def test_text_that_a_literal_block_may_lose_is_quoted_on_one_line(text: str) -> None:
    emitted = emit({"key": text})
    assert emitted.startswith('key: "')
    assert emitted.count("\n") == 1


def test_long_text_is_never_folded() -> None:
    text = "word " * 500 + "end"
    assert emit({"key": text}) == f"key: {text}\n"


def test_changing_a_word_of_a_script_changes_one_line() -> None:
    before = emit({"run": "#!/bin/sh\nset -eu\necho one\necho two\n"}).splitlines()
    after = emit({"run": "#!/bin/sh\nset -eu\necho 1\necho two\n"}).splitlines()
    assert [old for old, new in zip(before, after, strict=True) if old != new] == ["  echo one"]


def test_quotes_can_be_forced() -> None:
    assert emit({Quoted("key"): Quoted("plain"), "a": [Quoted("a\nb")]}) == '"key": "plain"\na:\n  - "a\\nb"\n'
    assert emit({"a": "same", "b": Quoted("same"), "c": "same"}) == 'a: same\nb: "same"\nc: same\n'


def test_very_long_keys_are_written_with_a_question_mark() -> None:
    key = "k" * 2000
    assert emit({"in": [{key: {"a": 1}}, {key: "x"}]}) == f"in:\n  - ? {key}\n    :\n      a: 1\n  - ? {key}\n    : x\n"


def test_equal_objects_are_written_out_each_time() -> None:
    shared = [{"key": "gpu"}]
    assert emit({"a": shared, "b": shared}) == "a:\n  - key: gpu\nb:\n  - key: gpu\n"


def test_comments_follow_the_scalar_at_their_path() -> None:
    data = {"spec": {"targetRevision": Quoted("HEAD"), "list": ["x", {"y": None}], "text": "a\nb\n", "map": {}}}
    notes: dict[tuple[str | int, ...], str] = {
        ("spec", "targetRevision"): "the root's commit",
        ("spec", "list", 0): "first",
        ("spec", "list", 1, "y"): "gone",
        ("spec", "text"): "a script",
        ("spec", "map"): "empty",
    }
    assert emit(data, notes) == (
        "spec:\n"
        '  targetRevision: "HEAD"  # the root\'s commit\n'
        "  list:\n"
        "    - x  # first\n"
        '    - "y": null  # gone\n'
        "  text: |  # a script\n"
        "    a\n"
        "    b\n"
        "  map: {}  # empty\n"
    )
    assert emit("x", {(): "all"}) == "x  # all\n"


@pytest.mark.parametrize(
    "comments",
    [
        {("b",): "x"},
        {("a", 5): "x"},
        {("a",): "x"},
        {("a", 0, "deep"): "x"},
        {("a", 0): "x\ny"},
        {("a", 0): "\x1b"},
        {(): "x"},
    ],
)
def test_comments_without_a_place_or_of_several_lines_are_refused(comments: dict[tuple[str | int, ...], str]) -> None:
    with pytest.raises(ValueError, match=r"comment"):
        emit({"a": ["x"]}, comments)


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, {1: "a"}, {None: 1}, (1, 2), {"a"}, b"x", Colour.RED, object(), "\ud800"]
)
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        emit({"in": [value]})
