"""Objects of Helm that a manifest asks for and does not get: it is rendered as a text inside of another chart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.deploy.actions import actions
from groundswell.deploy.template_blocks import TEXT
from groundswell.diagnostics.codes import manifests as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.deploy.documents import Document
    from groundswell.diagnostics.diagnostic import Diagnostic

# What `templates/manifests.yaml` makes; behind a variable or a bracket it is a field of something else.
_ABSENT = re.compile(
    r"(?<![\w$).\]])(\$?)\.((?:Template|Subcharts)\b"
    r"|Chart\.(?!(?:Name|Version|AppVersion)\b)\w+"
    r"|Release\.(?!(?:Name|Namespace|Service|IsInstall|IsUpgrade|Revision)\b)\w+)"
)
_OTHER_DOT = frozenset({"range", "with", "define", "block"})
_OTHER_ROOT = frozenset({"define", "block"})
_HELP = "manifests have `.Values`, `.Capabilities`, name and namespace of `.Release`, and name and version of `.Chart`"


def absent_objects(document: Document) -> Iterator[Diagnostic]:
    """An error for each use of an object that is not there, in the file of a document."""
    text = document.text
    opened: list[str] = []
    for action in actions(text):
        # Only where the dot or `$` certainly is what the manifest is rendered with.
        known = {"": not _OTHER_DOT.intersection(opened), "$": not _OTHER_ROOT.intersection(opened)}
        code = "" if action.comment else TEXT.sub(lambda found: "x" * len(found[0]), text[action.start : action.end])
        for found in _ABSENT.finditer(code):
            if known[found[1]]:
                place = document.place(action.start + found.start(), action.start + found.end())
                yield codes.ABSENT_OBJECT(f"`.{found[2]}` is not there when a manifest is rendered", place, help=_HELP)
        if action.opens > 0:
            opened.append(action.word)
        elif action.opens < 0:
            del opened[-1:]
