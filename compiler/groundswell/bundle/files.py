"""Files of a bundle before they are on disk."""

from __future__ import annotations

from typing import NamedTuple


class File(NamedTuple):
    """One file: its path in the bundle with `/`, its bytes, and whether it can be executed."""

    path: str
    data: bytes
    executable: bool = False
