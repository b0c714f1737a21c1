"""Template actions in a manifest, and the manifest's text with them masked so that YAML can be read around them."""

from __future__ import annotations

import re
from typing import NamedTuple

MASK = "\ue000"
"""Stands for each character of an action in masked text: printable for YAML, and not found in real manifests."""

# Go's template lexer: a comment ends at `*/`, and `}}` inside a string, a raw string or a character does not end an
# action.
_ACTION = re.compile(
    r"""\{\{(?:-\s+)?/\*.*?(?:\*/\s*-?\}\}|\Z)
      | \{\{(?>"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*'|(?!\}\}).)*+(?:\}\}|\Z)""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"\{\{-?\s*(/\*|\w+)?")
_ONLY_ACTIONS = re.compile(rf"^[ \t{MASK}]*{MASK}[ \t{MASK}]*$", re.MULTILINE)
_OPENING = frozenset({"if", "range", "with", "define", "block"})


class Action(NamedTuple):
    """One `{{ ... }}`: where it starts and ends in the text, and the first word in it (`/*` for a comment)."""

    start: int
    end: int
    word: str

    @property
    def comment(self) -> bool:
        """Whether it is a template comment, which leaves nothing behind."""
        return self.word == "/*"

    @property
    def opens(self) -> int:
        """By how much it changes the number of open blocks."""
        return (self.word in _OPENING) - (self.word == "end")


def actions(text: str) -> tuple[Action, ...]:
    """Every action of a template, in order. One that is not closed reaches to the end."""
    found = []
    for match in _ACTION.finditer(text):
        word = _WORD.match(match[0])
        found.append(Action(match.start(), match.end(), (word and word[1]) or ""))
    return tuple(found)


def mask(text: str, found: tuple[Action, ...]) -> str:
    """The text with its actions masked, of the same length and with the same lines.

    Comments and lines that hold nothing but actions become blank; so do the later lines of an action, which would
    otherwise stand at the wrong indentation.
    """
    parts, at = [], 0
    for action in found:
        first, *rest = text[action.start : action.end].split("\n")
        masked = [(" " if action.comment else MASK) * len(first), *(" " * len(line) for line in rest)]
        parts += [text[at : action.start], "\n".join(masked)]
        at = action.end
    return _ONLY_ACTIONS.sub(lambda line: " " * len(line[0]), "".join([*parts, text[at:]]))
