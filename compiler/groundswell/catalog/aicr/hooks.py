"""Hook annotations are taken out of manifests: a bundle's folders give the order (docs/bundle.md)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.deploy.documents import normalised, objects, take_apart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.deploy.documents import Document
    from groundswell.resolve.resolution import Manifest
    from groundswell.source.located import Located
    from groundswell.source.span import Span

_KEY = re.compile(r"helm\.sh/hook(-[a-z-]+)?")
_LINE = re.compile(r"""^[ \t]*["']?helm\.sh/hook(?:-[a-z-]+)?["']?[ \t]*:.*$""", re.MULTILINE)


def without_hooks(manifest: Manifest) -> Manifest:
    """The manifest without install and upgrade hook annotations of Helm; blanks stand in their place.

    A `helm.sh/hook: test` stays with its companions: it is no step of the installation. Where template actions keep
    a document from being read, lines that begin with such a key are taken.
    """
    if "helm.sh/hook" not in manifest.text:
        return manifest
    text = normalised(manifest.text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found = [at for document in manifest.documents for at in _stretches(document, starts)]
    for start, end in sorted(found, reverse=True):
        text = _blanked(text, start, end)
    return take_apart(manifest.file, text)


def _blanked(text: str, start: int, end: int) -> str:
    """The text with blanks in place of a stretch; a line that holds nothing else becomes empty."""
    line, rest = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if not text[line:start].strip() and not text[end:rest].strip():
        return text[:line] + "\n" * text.count("\n", start, end) + text[rest:]
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _stretches(document: Document, starts: list[int]) -> Iterator[tuple[int, int]]:
    """Where the hook annotations of a document stand in the whole text."""
    if not document.values and document.actions:
        yield from (
            (document.start + found.start(), document.start + found.end()) for found in _LINE.finditer(document.masked)
        )
        return
    for item in objects(document.values):
        annotations = item.annotations
        if annotations is None or annotations.data.get("helm.sh/hook") == "test":
            continue
        for key in annotations.data:
            if _KEY.fullmatch(key):
                yield _stretch(document.text, annotations, key, starts)


def _stretch(text: str, annotations: Located, key: str, starts: list[int]) -> tuple[int, int]:
    """One annotation from its key to its value's end, and in a flow mapping the comma behind it."""
    begin, value = annotations.key_span(key), annotations[key].span
    end = _offset(value, starts)
    comma = re.compile(r"\s*,").match(text, end)
    return starts[begin.line - 1] + begin.column - 1, comma.end() if comma else end


def _offset(span: Span, starts: list[int]) -> int:
    return starts[span.end_line - 1] + span.end_column - 1
