"""Whether a manifest's template actions can be parsed at all: each is closed, and each block has its `end`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.deploy.actions import actions
from groundswell.diagnostics.codes import manifests as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.deploy.actions import Action
    from groundswell.deploy.documents import Document
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

TEXT = re.compile(r"""(?>"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*')""")
"""A text in an action: quoted, raw, or a character."""

_INSIDE = re.compile(r"\{\{(?:-(?=\s))?(.*?)(?:(?<=\s)-)?\}\}", re.DOTALL)


def template_findings(document: Document) -> Iterator[Diagnostic]:
    """What Go's template parser would refuse in the file of a document, at the action at fault.

    Which functions and values exist is not asked.
    """
    text = document.text
    opened: list[Action] = []
    for action in actions(text):
        written = text[action.start : action.end]
        problem = _problem(written, action)
        if problem is None and action.opens > 0:
            opened.append(action)
        elif problem is None and action.word in {"end", "else"} and not opened:
            problem = f"`{action.word}` ends no block"
        elif problem is None and action.word == "end":
            opened.pop()
        if problem is not None:
            yield codes.BROKEN_TEMPLATE(problem, _place(document, action))
    for action in opened:
        help_ = "write `{{ end }}` where it ends"
        yield codes.BROKEN_TEMPLATE(f"the block `{action.word}` has no `end`", _place(document, action), help=help_)


def _problem(written: str, action: Action) -> str | None:
    """What is wrong inside one action."""
    if not written.endswith("}}"):
        return "the comment is not closed" if action.comment else "the action is not closed: `}}` is missing"
    if action.comment:
        return None
    inside = _INSIDE.fullmatch(written)
    code = TEXT.sub("x", inside[1] if inside else "")
    if not code.strip():
        return "the action is empty"
    if quote := re.search(r"[\"`']", code):
        return f"the action holds a text whose {quote[0]} is not closed"
    depth = 0
    for bracket in re.findall(r"[()]", code):
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            break
    return "the action's parentheses do not match" if depth else None


def _place(document: Document, action: Action) -> Span:
    first = document.text[action.start : action.end].partition("\n")[0]
    return document.place(action.start, action.start + len(first))
