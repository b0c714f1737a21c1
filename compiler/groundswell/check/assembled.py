"""Templates that only come to be when a chart is rendered: put together from texts, or from files read who knows how.

What their functions do cannot be told from the text, and functions cannot be replaced in them. That one which differs
each time may be among them is all that can be said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.actions import ACTION, TEXT, prints_text, unquoted
from groundswell.check.chart_facts import IMPURE, impure_functions
from groundswell.check.template_files import handed_to_tpl, is_rendered, is_values, is_verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# `tpl` with anything but a string, for its template; what puts texts together; and a template that is begun.
_OPEN = re.compile(rb"\btpl\s+[^\s\"`]")
_JOINS = re.compile(rb"\b(?:printf|print|println|cat|join|replace|list|dict)\b")
_BEGUN = b"{{"
_UNREAD = (".md", ".png", ".svg", ".tgz", ".gz", ".zip", "Chart.yaml", "values.schema.json")


def assembled(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, str], ...]:
    """Functions whose result may differ each time in what a chart may hand to `tpl`, each with its file.

    Those that can be told from the text of the chart's files are none of them.
    """
    calls = [(name, data) for name, data in files if b"tpl" in data and is_rendered(name) and _OPEN.search(data)]
    if not calls:
        return ()
    found = {(function, name): None for name, data in calls for function in _joined(data)}
    if any(b".Files" in data and is_rendered(name) for name, data in files):
        handed = handed_to_tpl(files)
        for name, data in files:
            known = is_rendered(name, handed) or is_values(name) or name.endswith(_UNREAD) or is_verbatim(name)
            if not known and _BEGUN in data:
                found |= {(function, name): None for function in impure_functions(data)}
    return tuple(sorted(found))


def _joined(template: bytes) -> Iterator[str]:
    """Functions in texts that an action puts together, where another text of it begins a template."""
    for action in ACTION.findall(template):
        if prints_text(action) or not _JOINS.search(TEXT.sub(b'""', action)):
            continue
        listed = [unquoted(text) for text in TEXT.findall(action)]
        if not any(_BEGUN in text and (b"%" in text or not ACTION.search(text)) for text in listed):
            continue
        for text in listed:
            if _BEGUN not in text:
                yield from (found[1].decode() for found in IMPURE.finditer(text))
