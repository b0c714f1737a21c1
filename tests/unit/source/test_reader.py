"""What is read: values, documents, and the places of all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from groundswell.source.reader import Dialect, read, read_one
from groundswell.source.span import Span

if TYPE_CHECKING:
    from groundswell.source.located import Located


def document(text: str, dialect: Dialect = Dialect.STRICT) -> Located:
    (located,), findings = read(text.encode(), "f.yaml", dialect)
    assert not findings
    return located


def place(node: Located) -> tuple[int, int, int, int]:
    assert node.span.file == "f.yaml"
    return node.span[1:]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("a: -17", {"a": -17}),
        ("a: 0x1F", {"a": 31}),
        ("a: 1.5", {"a": 1.5}),
        ("a: -1.5e+3", {"a": -1500.0}),
        ("a: true\nb: FALSE", {"a": True, "b": False}),
        ("a: ~\nb: null\nc: NULL", {"a": None, "b": None, "c": None}),
        ("a: yEs\nb: _1\nc: v1.10\nd: 1.2.3", {"a": "yEs", "b": "_1", "c": "v1.10", "d": "1.2.3"}),
        ("a: 2024-01-01\nb: 2001-12-14 21:59:43.10 -5", {"a": "2024-01-01", "b": "2001-12-14 21:59:43.10 -5"}),
        ("a: 'no'\nb: \"0644\"\n'on': \"1.10\"", {"a": "no", "b": "0644", "on": "1.10"}),
        ("a: {b: [c, {d: e}], f: []}", {"a": {"b": ["c", {"d": "e"}], "f": []}}),
        ("a: |\n  x\n\n  y\nb: >-\n  p\n  q\n", {"a": "x\n\ny\n", "b": "p q"}),
        ("- - a\n  - b\n- c", [["a", "b"], "c"]),
        ("? long\n: x", {"long": "x"}),
        ("just text", "just text"),
        ("9007199254740993", 9007199254740993),
        ("a: !!str 12\nb: !!float 3\nc: !!int 7\nd: !!null\ne: !!bool true\nf: !!map {}\ng: !!seq []\nh: !!str",
         {"a": "12", "b": 3.0, "c": 7, "d": None, "e": True, "f": {}, "g": [], "h": ""}),
    ],
)  # fmt: skip
def test_values_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    data = document(text).data
    assert data == value
    assert repr(data) == repr(value)


def test_marks_cover_keys_scalars_and_whole_collections() -> None:
    root = document('top:\n  key: "value"\n  list:\n    - 1.5\n    - x: v\n  flow: {a: [b,\n    c]}\nend: z\n')
    assert place(root) == (1, 1, 8, 7)
    assert root.key_span("top") == Span("f.yaml", 1, 1, 1, 4)
    assert place(root["top"]) == (2, 3, 7, 8)
    assert place(root["top"]["key"]) == (2, 8, 2, 15)
    assert place(root["top"]["list"]) == (4, 5, 5, 11)
    assert place(root["top"]["list"][0]) == (4, 7, 4, 10)
    assert place(root["top"]["list"][1]) == (5, 7, 5, 11)
    assert place(root["top"]["flow"]) == (6, 9, 7, 8)
    assert place(root["top"]["flow"]["a"]) == (6, 13, 7, 7)


def test_marks_of_block_text_end_where_the_text_ends() -> None:
    root = document("a: |\n  one\n  two\n\n\nb: >-\n  x\nc: |\n  last")
    assert place(root["a"]) == (1, 4, 3, 6)
    assert place(root["b"]) == (6, 4, 7, 4)
    assert place(root["c"]) == (8, 4, 9, 7)


def test_columns_count_characters() -> None:
    root = document('"é日😀": [ä, b]')
    assert root.key_span("é日😀")[1:] == (1, 1, 1, 6)
    assert place(root["é日😀"][1]) == (1, 12, 1, 13)


def test_the_text_of_a_typed_scalar_is_kept_and_that_of_a_string_is_not() -> None:
    root = document('a: 0x1F\nb: "12"\nc: text\nd: ~\ne: True\nf: {}\ng: !!float 3')
    assert [root[key].text for key in "abcdefg"] == ["0x1F", None, None, "~", "True", None, "3"]


def test_carriage_returns_change_neither_values_nor_places() -> None:
    text = "a: 1\nb: |\n  x\n  y\nc: 'p\n  q'\nd:\n  - e\n"
    assert document(text.replace("\n", "\r\n")) == document(text)


def test_a_byte_order_mark_is_dropped() -> None:
    assert document("\ufeffa: 1") == document("a: 1")


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_line_ends_of_yaml_1_1_are_ordinary_characters(char: str) -> None:
    root = document(f'a: "x{char}y"\nb: p{char}q\nc: |\n  s{char}\n  t\n{char}k: 1\nd: \ue000')
    assert root.data == {"a": f"x{char}y", "b": f"p{char}q", "c": f"s{char}\nt\n", f"{char}k": 1, "d": "\ue000"}
    assert place(root["d"]) == (7, 4, 7, 5)


def test_empty_documents_are_skipped_and_the_others_kept_in_order() -> None:
    documents, findings = read(b"# only a comment\n---\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\n", "f.yaml")
    assert [located.data for located in documents] == [{"a": 1}, {"b": 2}]
    assert [located.span.line for located in documents] == [4, 8]
    assert not findings


@pytest.mark.parametrize("text", ["", "\n", "# comment\n", "---\n", "---\n---\n", "\ufeff"])
def test_files_without_content_hold_no_document(text: str) -> None:
    assert read(text.encode(), "f.yaml") == ((), ())


def test_an_explicit_null_or_empty_text_is_a_document() -> None:
    documents, _ = read(b"--- null\n--- ''\n", "f.yaml")
    assert [located.data for located in documents] == [None, ""]


def test_aliases_share_data_and_stand_at_their_own_place() -> None:
    root = document("a: &x {p: [1]}\nb: *x\nc: [*x]\n")
    assert root["b"].data is root["a"].data
    assert place(root["b"]) == (2, 4, 2, 6)
    assert place(root["c"][0]) == (3, 5, 3, 7)
    assert place(root["b"]["p"]) == (1, 11, 1, 14)


def test_anchors_of_scalars_and_keys_can_be_used_and_set_anew() -> None:
    root = document("a: &x one\nb: *x\n&k key: &x 2\nc: *x\nd: *k\n")
    assert root.data == {"a": "one", "b": "one", "key": 2, "c": 2, "d": "key"}
    assert root["c"].text == "2"


def test_merge_keys_add_what_the_map_does_not_say_itself() -> None:
    root = document(
        "base: &b {p: 1, q: 2}\nother: &o {q: 3, r: 4}\none: {<<: *b, q: 5}\ntwo:\n  <<: [*o, *b]\n  s: 6\n"
    )
    assert root["one"].data == {"q": 5, "p": 1}
    assert root["two"].data == {"s": 6, "q": 3, "r": 4, "p": 1}
    assert place(root["two"]["r"]) == (2, 21, 2, 22)
    assert root["base"].data == {"p": 1, "q": 2}


def test_a_quoted_merge_key_is_an_ordinary_key() -> None:
    assert document('"<<": 1').data == {"<<": 1}


def test_twenty_anchors_of_ordinary_size_are_within_the_limits() -> None:
    defined = "".join(f"d{index}: &d{index} {{a: [1, 2, 3], b: {{c: d}}}}\n" for index in range(20))
    used = "".join(f"u{index}: [{', '.join(f'*d{index}' for _ in range(50))}]\n" for index in range(20))
    assert len(document(defined + used)["u7"].data) == 50


@pytest.mark.parametrize("dialect", [Dialect.GO, Dialect.GO_V3])
def test_in_the_go_dialects_an_empty_value_is_null(dialect: Dialect) -> None:
    assert document("a:\nb:\n- \n- 1\n", dialect).data == {"a": None, "b": [None, 1]}


def test_one_document_is_read_where_one_is_expected() -> None:
    located, findings = read_one(b"# top\n---\na: 1\n---\n# nothing more\n", "f.yaml")
    assert located is not None
    assert located.data == {"a": 1}
    assert findings == ()
