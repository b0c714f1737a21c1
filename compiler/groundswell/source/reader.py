"""YAML in: bytes to documents whose every node knows its place. YAML 1.2 core, one meaning for all readers, bounded."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import yaml

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Related, failed
from groundswell.source.builder import Builder, LimitError
from groundswell.source.located import Located
from groundswell.source.scalars import Dialect
from groundswell.source.span import Span
from groundswell.source.syntax import syntax_finding
from groundswell.source.text import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.text import SourceText

__all__ = ["Dialect", "read", "read_one"]


def read(
    data: bytes, file: str, dialect: Dialect = Dialect.STRICT
) -> tuple[tuple[Located, ...], tuple[Diagnostic, ...]]:
    """Read every document of a file that has content, in order, with all that is wrong in the text.

    `file` names the file in places. The documents are those that could be read; where findings are errors, values in
    them may be missing. An alias shares the data of its anchor: never change what was read.
    """
    source, findings = decode(data, file)
    if source is None:
        return (), findings
    with collector_paused():
        return _documents(source, dialect)


def read_one(
    data: bytes, file: str, dialect: Dialect = Dialect.STRICT
) -> tuple[Located | None, tuple[Diagnostic, ...]]:
    """Read a file that must hold exactly one document; none at all and a second one are errors."""
    documents, findings = read(data, file, dialect)
    if not documents:
        if failed(findings):
            return None, findings
        start = Span(file, 1, 1, 1, 1)
        return None, (
            *findings,
            codes.NO_DOCUMENT("the file holds no document", start, help="write one, or remove the file"),
        )
    first, *more = documents
    if more:
        related = [Related(first.span, "the first document")]
        message = "a second document stands in this file"
        help_ = "remove the `---` before it, or move it into a file of its own"
        findings = (*findings, codes.SECOND_DOCUMENT(message, more[0].span, related=related, help=help_))
    return first, findings


def _documents(source: SourceText, dialect: Dialect) -> tuple[tuple[Located, ...], tuple[Diagnostic, ...]]:
    next_event = parser(source.parsed).get_event
    builder = Builder(next_event, source, dialect)
    documents = []
    syntax: tuple[Diagnostic, ...] = ()
    try:
        while (event := next_event()) is not None and type(event) is not yaml.StreamEndEvent:
            if type(event) is yaml.DocumentStartEvent and (root := builder.document()):
                documents.append(Located(*root, source.file))
    except yaml.YAMLError as error:
        syntax = (syntax_finding(error, source),)
    except LimitError:
        pass  # the builder has recorded which
    return tuple(documents), (*builder.findings, *syntax)


def parser(text: str) -> Any:  # noqa: ANN401  the two classes have no common type
    """The C parser, or the slower one in Python where PyYAML was built without libyaml."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return loader(text)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Nothing that the parse makes is garbage before its end; looking for cycles in it would double the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
