"""Paths into Helm values as authors and users write them: keys joined by dots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundswell.resolve.resolution import Path

MOST_KEYS = 100

_KEY = re.compile(r"(?:[^.\\\[]|\\.)+")
_SPECIAL = re.compile(r"[.\\\[]")


def parse_path(text: str) -> Path | None:
    r"""Split at dots; `\.` is a dot inside a key, `\[` a bracket.

    None when a key is empty, a backslash stands alone at the end, the path is deeper than any values, or a bracket
    stands bare: `list[0]` would make a key of that name, for lists are only ever set whole.
    """
    keys: list[str] = []
    position = 0
    while (match := _KEY.match(text, position)) and len(keys) < MOST_KEYS:
        keys.append(re.sub(r"\\(.)", r"\1", match.group()))
        position = match.end()
        if position == len(text):
            return tuple(keys)
        if text[position] != ".":
            return None
        position += 1
    return None


def format_path(path: Path) -> str:
    """The text that `parse_path` reads back."""
    return ".".join(_SPECIAL.sub(r"\\\g<0>", key) for key in path)
