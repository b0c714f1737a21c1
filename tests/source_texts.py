"""Source files that exist only in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """Texts by identifier, as the renderers ask for them; an identifier is its own display name."""

    texts: Mapping[str, str]

    def display(self, file_id: str) -> str:
        return file_id

    def line(self, file_id: str, number: int) -> str | None:
        lines = self.texts.get(file_id, "").split("\n")
        return lines[number - 1] if number <= len(lines) and file_id in self.texts else None
