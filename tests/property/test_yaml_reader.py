"""Laws of the reader: any bytes give documents or findings with places, and marks stand where the text is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.diagnostics.diagnostic import failed
from groundswell.source.emitter import emit
from groundswell.source.reader import Dialect, read
from yaml_samples import texts, values

if TYPE_CHECKING:
    from groundswell.source.located import Located

_FRAGMENTS = (
    *(
        "a",
        "b",
        ": ",
        ":",
        "\n",
        "\n  ",
        "\n    ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "? ",
        '"',
        "'",
        "|",
        ">",
        "|+\n",
        "# c",
    ),
    *("&x ", "*x", "<<: ", "!!str ", "!!int ", "! ", "---\n", "...\n", "\t", "\r\n", "\u2028", "\\", "%"),
    *("no", "0644", "1.10", "null"),
)
fragments = st.lists(st.sampled_from(_FRAGMENTS)).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.binary() | fragments.map(str.encode) | texts.map(str.encode), st.sampled_from(Dialect))
def test_any_bytes_give_documents_or_findings(data: bytes, dialect: Dialect) -> None:
    documents, findings = read(data, "x.yaml", dialect)
    assert all(finding.span and finding.span.line >= 1 and finding.span.column >= 1 for finding in findings)
    if not failed(findings):
        for document in documents:
            emit(document.data)


@settings(max_examples=150, deadline=None)
@given(fragments)
def test_accepted_text_means_the_same_to_pyyaml_up_to_dates(text: str) -> None:
    documents, findings = read(text.encode(), "x.yaml")
    if findings or "\u2028" in text:
        return
    expected = [value for value in yaml.load_all(text, yaml.CSafeLoader) if value is not None]
    assert [document.data for document in documents if document.data is not None] == expected


@settings(max_examples=150, deadline=None)
@given(fragments)
def test_what_the_parser_in_python_accepts_both_read_alike(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml, "CSafeLoader")
        in_python = read(text.encode(), "x.yaml")
    if not failed(in_python[1]):  # it refuses some tabs and comments that the one in C takes
        assert in_python == read(text.encode(), "x.yaml")


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(texts, values, min_size=1, max_size=4))
def test_marks_of_emitted_text_point_at_keys_and_values(data: dict[str, Any]) -> None:
    text = emit(data)
    ((document,), _) = read(text.encode(), "x.yaml")
    assert (document.span.line, document.span.column) == (1, 1)
    _check_marks(document, text.split("\n"))


def _check_marks(node: Located, lines: list[str]) -> None:
    """Scalars of one line, cut out of the text by their marks, read back as themselves; children lie within parents."""
    children = [child for _, child in node.items()] if isinstance(node.data, dict) else []
    children += node.elements() if isinstance(node.data, list) else []
    for child in children:
        assert node.span[1:3] <= child.span[1:3]
        assert child.span[3:5] <= node.span[3:5]
        _check_marks(child, lines)
    span = node.span
    if not isinstance(node.data, dict | list) and span.line == span.end_line:
        ((again,), _) = read(lines[span.line - 1][span.column - 1 : span.end_column - 1].encode(), "x.yaml")
        assert again.data == node.data
