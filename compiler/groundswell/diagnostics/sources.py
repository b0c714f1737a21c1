"""What the renderers need to know about source files."""

from __future__ import annotations

from typing import Protocol


class Sources(Protocol):
    """Names and lines of the files that findings point at. Both methods take any identifier, known or not."""

    def display(self, file_id: str) -> str:
        """The file's name as the user would write it, with `/`; the identifier itself where nothing better is known."""

    def line(self, file_id: str, number: int) -> str | None:
        """The line with this number (from 1), its line ending optional; None when there is no such file or line."""
