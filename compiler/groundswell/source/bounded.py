"""Files that users name, read up to a bound: a pipe or a device may never end."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 16 * 1024 * 1024
"""More than this is no document that people write."""


def read_bounded(path: Path) -> bytes:
    """The bytes of a file or pipe.

    Raises:
        OSError: It cannot be read, or has more than `MAX_BYTES`.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MAX_BYTES} bytes", str(path))
    return data
