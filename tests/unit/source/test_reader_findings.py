"""What is refused or warned about: code, place, words, and all of it in one run."""

from __future__ import annotations

import time

import pytest

from groundswell.diagnostics.diagnostic import Severity
from groundswell.source.reader import Dialect, read, read_one

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def found(data: str | bytes, dialect: Dialect = Dialect.STRICT) -> list[str]:
    """Findings as `code line:column message`, warnings marked."""
    _, findings = read(data if isinstance(data, bytes) else data.encode(), "f.yaml", dialect)
    lines = []
    for finding in findings:
        assert finding.span is not None
        assert finding.span.file == "f.yaml"
        assert finding.help
        mark = "" if finding.severity is Severity.ERROR else "warning "
        lines.append(f"{mark}{finding.code} {finding.span.line}:{finding.span.column} {finding.message}")
    return lines


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("a:\n- b: 1\n\tc: 2\n", "S104 3:1 a tab stands where blanks must indent"),
        ("a:\n\tb: 1\n", "S104 2:1 a tab stands where blanks must indent"),
        ("a: 1\n  b: 2\n", "S104 2:4 a `: ` cannot stand here"),
        ("a: b: c\n", "S104 1:5 a `: ` cannot stand here"),
        ("a: 1\nb\nc: 2\n", "S104 2:1 this is no `key: value`"),
        ("a:\n  b: 1\n c: 2\n", "S104 3:2 this line fits neither the map above nor one around it"),
        ('a: "b" c\n', "S104 1:8 this cannot follow the value before it"),
        ("- a\nb: 1\n", "S104 2:1 this line is no entry of the list above"),
        ("a: - b\n", "S104 1:4 a `- ` cannot stand here"),
        ("a: 'x\nb: 1\n", "S104 1:4 the quote that starts here is not closed"),
        ("a: [1, 2\nb: 3\n", "S104 2:2 a `,` or `]` is missing before this"),
        ("a: {x: 1\nb: 3\n", "S104 2:2 a `,` or `}` is missing before this"),
        ("a: ]\n", "S104 1:4 `]` cannot stand here"),
        ('a: "\\q"\n', "S104 1:5 this is no escape"),
        ("a: @x\n", "S104 1:4 `@` cannot start bare text"),
        ("a: `x\n", "S104 1:4 a backquote cannot start bare text"),
        ("a: *\n", "S104 1:5 an anchor or alias has no name"),
        ("a: 1\n...\nb: 2\n", "S104 3:1 text follows the end of the document"),
        ("a: !<x\n", "S104 1:7 did not find the expected '>'"),
    ],
)
def test_syntax_errors_say_what_is_wrong_and_where(text: str, finding: str) -> None:
    assert found(text) == [finding]


DIRECTIVE = "is a directive, and no document can be read with it"


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("%YAML 1.1\na: 1\n", f"1:1 `%YAML` {DIRECTIVE}"),
        ("%YAML 1.1", f"1:1 `%YAML` {DIRECTIVE}"),
        ("%YAML 1.1 # why\n\n# so\n", f"1:1 `%YAML` {DIRECTIVE}"),
        ("\ufeff%YAML 1.1\r\na: 1\r\n", f"1:1 `%YAML` {DIRECTIVE}"),
        ("%YAML 2.0\n---\na: 1\n", f"1:1 `%YAML` {DIRECTIVE}"),
        ("%YAML 1\n---\na: 1\n", f"1:1 `%YAML` {DIRECTIVE}"),
        ("%YAML 1.1\n%YAML 1.1\n---\na: 1\n", f"2:1 `%YAML` {DIRECTIVE}"),
        ("%TAG\n---\na: 1\n", f"1:1 `%TAG` {DIRECTIVE}"),
        ("a: 1\n...\n%YAML 1.1\n", f"3:1 `%YAML` {DIRECTIVE}"),
        ("a: 1\n---\n%YAML 1.1\nb: 1\n", f"3:1 `%YAML` {DIRECTIVE}"),
        ("%a: 1\n", f"1:1 `%a:` {DIRECTIVE}"),
        ('a: "{"\n%b: 1\n', f"2:1 `%b:` {DIRECTIVE}"),
        ("a: {b: c}\n%b: 1\n", f"2:1 `%b:` {DIRECTIVE}"),
        ("a: %b\n", "1:4 `%` cannot start bare text"),
        ("{a: b,\n%c: d}\n", "2:1 `%` cannot start bare text"),
        ("{a: b,\r\n%YAML: d}\r\n", "2:1 `%` cannot start bare text"),
        ("a: [b, {c: ']'}, # }\n\n%TAG x]\n", "3:1 `%` cannot start bare text"),
    ],
)
def test_a_directive_that_cannot_stand_is_named_where_it_stands(text: str, finding: str) -> None:
    assert found(text) == [f"S104 {finding}"]


def test_each_of_several_directives_without_a_document_has_its_place() -> None:
    (finding,) = read(b"# c\n%YAML 1.1\n\n%TAG ! tag:a,1:\na: 1\n", "f.yaml")[1]
    assert finding.span
    assert finding.span[1:] == (2, 1, 2, 10)
    assert [related.span[1:] for related in finding.related] == [(4, 1, 4, 16)]


@pytest.mark.parametrize(
    "head", ["%YAML 1.1\n---\n", "%YAML 1.2\r\n%TAG !a! tag:a,1:\r\n--- # c\r\n", "\ufeff%YAML 1.1\n---\n"]
)
def test_a_directive_before_its_document_changes_nothing(head: str) -> None:
    documents, findings = read(f"{head}a: 010\nb: |\n  %YAML 1.1\n".encode(), "f.yaml")
    assert [located.data["b"] for located in documents] == ["%YAML 1.1\n"]
    assert [finding.code for finding in findings] == ["S110"]


def test_a_syntax_error_does_not_hide_findings_before_it() -> None:
    documents, findings = read(b"a: 1\n---\nb: no\nb: 2\nc: [\n", "f.yaml")
    assert [located.data for located in documents] == [{"a": 1}]
    assert [finding.code for finding in findings] == ["S110", "S107", "S104"]


def test_an_error_inside_of_a_map_names_its_start() -> None:
    (finding,) = read(b"top:\n  b: 1\n c: 2\n", "f.yaml")[1]
    assert [(related.span.line, related.label) for related in finding.related] == [(1, "the map starts here")]


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        (b"a: \xff", "S101 1:4 the byte 0xFF is not UTF-8"),
        ("\ufeffa: é".encode() + b"\xc3", "S101 1:5 the byte 0xC3 is not UTF-8"),
        ("a: é\r\nb: x".encode("utf-16"), "S101 1:1 the byte 0xFF is not UTF-8"),
        (b"a: 1\r\nb: \x1b[0m", "S102 2:4 the control character U+001B is not allowed"),
        ("a: 1\nbé\x7f: 2".encode(), "S102 2:3 the control character U+007F is not allowed"),
        ("a: \uffff".encode(), "S102 1:4 the control character U+FFFF is not allowed"),
        (b"a: 1\n" * (4 * 2**20), "S103 1:1 the file has 20971520 bytes, more than 16 MiB"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, finding: str) -> None:
    assert found(data) == [finding]


def test_every_control_character_is_reported_but_not_thousands() -> None:
    assert len(found("a: \x00\nb: \x01\n")) == 2
    assert len(found("\x00" * 5000)) == 20


def test_duplicate_keys_name_both_places_at_any_depth() -> None:
    text = "a: {x: 1, 'x': 2}\nb:\n  - c: 1\n    d: 2\n    c: 3\nb: again\n"
    assert found(text) == [
        "S107 1:11 the key `x` stands twice in one map",
        "S107 5:5 the key `c` stands twice in one map",
        "S107 6:1 the key `b` stands twice in one map",
    ]
    firsts = [finding.related[0].span[1:3] for finding in read(text.encode(), "f.yaml")[1]]
    assert firsts == [(1, 5), (3, 5), (2, 1)]


def test_equal_keys_in_different_maps_and_documents_are_fine() -> None:
    assert found("- {a: 1}\n- {a: 1, b: {a: 2}}\n---\na: 1\n---\na: 1\n") == []


def test_keys_that_are_not_text_are_refused_and_count_as_the_text_they_show() -> None:
    assert found('1: a\n"1": b\n') == [
        "S108 1:1 the key `1` is not text",
        "S107 2:1 the key `1` stands twice in one map",
    ]
    assert found("true: a\n1.10: b\nnull: c\n~: d\n") == [
        "S108 1:1 the key `true` is not text",
        "S108 2:1 the key `1.10` is not text",
        "S108 3:1 the key `null` is not text",
        "S108 4:1 the key `~` is not text",
    ]
    assert found("? [a]\n: b\n{c: d}: e\n") == [
        "S108 1:3 a map or list cannot be a key",
        "S108 3:1 a map or list cannot be a key",
    ]


def test_words_with_two_readings_are_refused_as_keys_too() -> None:
    assert found("on: push\nx: {y: 4}\n") == [
        "S110 1:1 `on` is true under YAML 1.1 and text under YAML 1.2",
        "S110 2:5 `y` is true under YAML 1.1 and text under YAML 1.2",
    ]


def test_all_doubtful_scalars_are_found_in_one_run() -> None:
    assert found("a: NO\nb: [off, 0644]\nc: 1.10\nd: .inf\n") == [
        "S110 1:4 `NO` is false under YAML 1.1 and text under YAML 1.2",
        "S110 2:5 `off` is false under YAML 1.1 and text under YAML 1.2",
        "S110 2:10 `0644` is 420 under YAML 1.1 and 644 under YAML 1.2",
        "warning S111 3:4 `1.10` is read as the number 1.1",
        "S112 4:4 `.inf` is a number that JSON cannot hold",
    ]


def test_an_empty_value_is_refused_at_its_key() -> None:
    assert found("top:\n  key:\n  other: {a: , b: 1}\nlist:\n  -\n  - 1\n") == [
        "S109 2:3 the value is left empty",
        "S109 3:11 the value is left empty",
        "S109 5:4 the value is left empty",
    ]


def test_go_dialects_warn_and_take_the_reading_of_go() -> None:
    text = b"a: no\nb: 0644\nc: 1_000\nd: 22:22\non: x\n7: z\ne: 1.10\n"
    (go,), warnings = read(text, "f.yaml", Dialect.GO)
    (go_v3,), _ = read(text, "f.yaml", Dialect.GO_V3)
    assert go.data == {"a": False, "b": 420, "c": 1000, "d": "22:22", "true": "x", "7": "z", "e": 1.1}
    assert go_v3.data == {"a": "no", "b": 420, "c": 1000, "d": "22:22", "on": "x", "7": "z", "e": 1.1}
    assert {finding.severity for finding in warnings} == {Severity.WARNING}
    assert [finding.code for finding in warnings] == ["S110", "S110", "S110", "S110", "S110", "S108", "S111"]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_infinity_and_duplicates_are_errors_in_every_dialect(dialect: Dialect) -> None:
    assert found("a: .nan\na: 1e999\n", dialect)[0::2] == [
        "S112 1:4 `.nan` is a number that JSON cannot hold",
        "S107 2:1 the key `a` stands twice in one map",
    ]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("a: !!binary aGk=", "S113 1:4 the tag `!!binary` is not known here"),
        ("a: !local x", "S113 1:4 the tag `!local` is not known here"),
        ("a: ! x", "S113 1:4 the tag `!` is not known here"),
        ("b: x\na: ! x", "S113 2:4 the tag `!` is not known here"),
        ("a: !!timestamp 2024-01-01", "S113 1:4 the tag `!!timestamp` is not known here"),
        ("!!omap\n- a: 1", "S113 1:1 the tag `!!omap` is not known here"),
        ("a: !!seq {}", "S113 1:4 the tag `!!seq` is not known here"),
        ("a: !!int x", "S114 1:4 `x` is no value of the tag `!!int`"),
        ('a: !!bool "yes"', "S114 1:4 `yes` is no value of the tag `!!bool`"),
        ("a: !!int 0644", "S110 1:4 `0644` is 420 under YAML 1.1 and 644 under YAML 1.2"),
        ("a: *b", "S115 1:4 no anchor `&b` stands before its alias"),
        ("a: &a {self: *a}", "S115 1:14 the alias `*a` stands inside of its own anchor"),
        ("a: &x 1\n---\na: *x", "S115 3:4 no anchor `&x` stands before its alias"),
        ("a: {c: 1}\n! c: 1", "S113 2:1 the tag `!` is not known here"),
        ("<<: 3", "S118 1:5 the merge key `<<` takes maps only"),
        ("<<: [{a: 1}, b]", "S118 1:14 the merge key `<<` takes maps only"),
        ("<<: {a: 1}\n<<: {b: 1}", "S107 2:1 the key `<<` stands twice in one map"),
        ("a: <<", "S110 1:4 `<<` is the merge indicator under YAML 1.1 and text under YAML 1.2"),
    ],
)
def test_tags_aliases_and_merge_keys_without_a_meaning_are_refused(text: str, finding: str) -> None:
    assert found(text) == [finding]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BOMB, "S116"),
        ("[" * 101 + "]" * 101, "S117"),
        ("[" * 3000, "S117"),
        ("{a: " * 3000, "S117"),
        ("- " * 3000, "S117"),
        ("a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 60 + "*a" + "]" * 60, "S117"),
    ],
)
def test_bombs_and_deep_nesting_are_refused_at_once(text: str, code: str) -> None:
    start = time.perf_counter()
    findings = found(text)
    assert time.perf_counter() - start < 1
    assert [finding.split()[0] for finding in findings] == [code]


def test_a_hundred_levels_are_allowed() -> None:
    assert found("[" * 100 + "]" * 100) == []


def test_merge_keys_count_towards_the_limit_of_aliases() -> None:
    base = "base: &b {" + ", ".join(f"k{index}: 0" for index in range(2000)) + "}\n"
    assert found(base + "".join(f"m{index}: {{<<: *b}}\n" for index in range(49))) == []
    assert found(base + "".join(f"m{index}: {{<<: *b}}\n" for index in range(60)))[0].startswith("S116 52:11")


def test_no_document_and_a_second_one_are_errors_where_one_is_expected() -> None:
    located, (finding,) = read_one(b"# nothing\n", "f.yaml")
    assert (located, finding.code) == (None, "S105")
    located, (finding,) = read_one(b"a: 1\n---\n---\nb: 2\n", "f.yaml")
    assert located is not None
    assert located.data == {"a": 1}
    assert (finding.code, finding.span and finding.span.line, finding.related[0].span.line) == ("S106", 4, 1)


def test_a_file_that_cannot_be_read_is_not_also_reported_as_empty() -> None:
    located, findings = read_one(b"a: [", "f.yaml")
    assert located is None
    assert [finding.code for finding in findings] == ["S104"]
