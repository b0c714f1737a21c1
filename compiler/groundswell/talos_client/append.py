"""Adds hosts to the text of a Cluster file: comments and layout stay, since nothing but lines is inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.source.emitter import emit
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located


def append_hosts(text: str, file: str, hosts: Sequence[Json]) -> tuple[str, tuple[Diagnostic, ...]]:
    """Insert hosts behind the last one of `spec.hosts`.

    The text must be a Cluster file without errors. Returns the new text, which reads as the old document with the hosts
    added, or the old text and an error when the list is not in block style.
    """
    document, _ = read_one(text.encode(), file)
    assert document is not None
    listed = document["spec"]["hosts"]
    lines = text.splitlines(keepends=True)
    first = listed[0].span
    before = lines[first.line - 1][: first.column - 1]
    if before.strip() != "-":
        return text, (_refused(listed),)
    end = _last_line(listed)
    if not lines[end - 1].endswith(("\n", "\r")):
        lines[end - 1] += "\n"
    pad = before[: before.index("-")]
    line_end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    added = [f"{pad}{line}{line_end}" for line in emit(list(hosts)).splitlines()]
    new = "".join((*lines[:end], *added, *lines[end:]))
    after, findings = read_one(new.encode(), file)
    wanted = {**document.data, "spec": {**document.data["spec"], "hosts": [*listed.data, *hosts]}}
    if failed(findings) or after is None or after.data != wanted:
        return text, (_refused(listed),)
    return new, ()


def _refused(listed: Located) -> Diagnostic:
    return codes.NOT_APPENDED("hosts cannot be added to this list as it is written", listed.span)


def _last_line(place: Located) -> int:
    """The last line that something of a value stands on. Blocks end behind the comments that follow; leaves do not."""
    children = [child for _, child in place.items()] if isinstance(place.data, dict) else []
    children += list(place.elements()) if isinstance(place.data, list) else []
    if children:
        return max(_last_line(child) for child in children)
    span = place.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line
