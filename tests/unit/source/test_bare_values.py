"""Values without places are those that the reader reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Severity
from groundswell.source import bare_values
from groundswell.source.bare_values import read_values
from groundswell.source.emitter import emit
from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    import pytest

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located

ROOT = Path(__file__).parents[3]
WORDS = [
    "a",
    "b",
    "no",
    "~",
    "",
    "0644",
    "1.10",
    "1e3",
    "0x1F",
    ".inf",
    "1_000",
    "<<",
    "=",
    "&x 1",
    "*x",
    "!!str 1",
    "!y 2",
]
SCALARS = st.sampled_from(
    [*WORDS, '"q"', "'r'", '"a": 1', "? a", "[", "{", "|\n  text", "12:30:00", "#c", "\u2028", "é"]
)
LINES = st.tuples(st.sampled_from(["", "", "  ", "- ", "  - "]), st.sampled_from(WORDS), SCALARS).map(
    lambda parts: f"{parts[0]}{parts[1]}: {parts[2]}"
)
TEXTS = st.lists(st.one_of(LINES, st.sampled_from(["---", "...", "", "# c", "\t", "%YAML 1.2"])), max_size=7).map(
    "\n".join
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.text(max_size=6)),
    lambda parts: st.one_of(st.lists(parts, max_size=3), st.dictionaries(st.text(max_size=4), parts, max_size=3)),
)


def by_the_reader(data: bytes) -> tuple[list[tuple[int, Json]], list[Diagnostic]]:
    documents, findings = read(data, "f", Dialect.GO)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return [(document.span.line, document.data) for document in documents], errors


def alike(data: bytes) -> None:
    values, errors = read_values(data, "f")
    expected, told = by_the_reader(data)
    assert list(errors) == told
    # As text, so that true is not 1 and 1.0 is not 1.
    assert repr(values) == repr(expected)


@example("a: 1\na: 2")
@example("true: 1")
@example("&a a: *a")
@example("a: {b: [c, {d: no}]}")
@example("[" * 101 + "]" * 101)
@example("[" * 100 + "]" * 100)
@given(TEXTS)
def test_any_text_is_read_as_the_reader_does(text: str) -> None:
    alike(text.encode())


@given(JSON)
def test_what_is_printed_is_read_as_the_reader_does(value: object) -> None:
    alike(emit(value).encode())


def test_most_texts_need_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted((ROOT / "components").rglob("*.yaml"))
    assert files
    asked = []

    def asking(data: bytes, file: str, dialect: Dialect) -> tuple[tuple[Located, ...], tuple[Diagnostic, ...]]:
        asked.append(file)
        return read(data, file, dialect)

    monkeypatch.setattr(bare_values, "read", asking)
    for path in files:
        read_values(path.read_bytes(), path.name)
    assert len(asked) < len(files) / 10


def test_bytes_that_are_no_text_are_an_error() -> None:
    _, errors = read_values(b"a: \xff", "f")
    assert [error.code for error in errors] == [codes.NOT_UTF8.code]
