"""The hand-written pages of the documentation, taken apart for the tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from command import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = (*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *sorted(ROOT.glob("docs/*.md")))

_FENCE = re.compile(r"^```(.*)$")
_FILE_NAME = re.compile(r"^# ([\w.-]+(?:/[\w.-]+)+)$")
_HEADING = re.compile(r"^#+ (.*)$")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its opening fence, its lines, and the index of the first one in the page."""

    words: tuple[str, ...]
    lines: tuple[str, ...]
    start: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def file_name(self) -> str:
        """The path behind the language, or the one that a comment in the first line gives it; "" when there is none.

        A path behind the language is not part of what the reader sees and copies.
        """
        if len(self.words) > 1 and "/" in self.words[1]:
            return self.words[1]
        found = _FILE_NAME.match(self.lines[0]) if self.lines else None
        return found[1] if found else ""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page in order."""
    opened: tuple[tuple[str, ...], int] | None = None
    lines = text.split("\n")
    for index, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence and opened:
            words, start = opened
            yield Block(words, tuple(lines[start:index]), start)
            opened = None
        elif fence:
            opened = (tuple(fence[1].split()), index + 1)
    assert opened is None, "a fence is left open"


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    lines = text.split("\n")
    for block in blocks(text):
        lines[block.start - 1 : block.start + len(block.lines) + 1] = [""] * (len(block.lines) + 2)
    return "\n".join(lines)


def links(text: str) -> list[str]:
    return _LINK.findall(prose(text))


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    headings = (match[1] for line in prose(text).split("\n") if (match := _HEADING.match(line)))
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in headings}
