"""Files of a bundle before they are on disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """One file: its path in the bundle with `/`, its bytes, and whether it can be executed."""

    path: str
    data: bytes
    executable: bool = False
