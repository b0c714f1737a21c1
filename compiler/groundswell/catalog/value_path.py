"""Paths into Helm values as authors and users write them: keys joined by dots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundswell.resolve.resolution import Path

_KEY = re.compile(r"(?:[^.\\]|\\.)+")


def parse_path(text: str) -> Path | None:
    r"""Split at dots; `\.` is a dot inside a key. None when a key is empty or a backslash stands alone at the end."""
    keys: list[str] = []
    position = 0
    while match := _KEY.match(text, position):
        keys.append(re.sub(r"\\(.)", r"\1", match.group()))
        position = match.end()
        if position == len(text):
            return tuple(keys)
        position += 1
    return None


def format_path(path: Path) -> str:
    """The text that `parse_path` reads back."""
    return ".".join(key.replace("\\", "\\\\").replace(".", "\\.") for key in path)
