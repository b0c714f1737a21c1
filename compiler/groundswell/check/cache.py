"""The user's cache of charts and of what was rendered, by content: nothing in it can be stale."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from groundswell.catalog.cache import cache_directory

_KEPT = 512
_FOLDERS = ("chart-facts", "charts", "charts-by-name", "helm-releases", "rendered", "unknown-values")
"""Those that files are kept in for a while."""


def key_of(*parts: str | bytes) -> str:
    """64 hex digits over texts and bytes, each with its length, so that no two lists of parts share one."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(b"%d:" % len(data))
        total.update(data)
    return total.hexdigest()


def folder(name: str) -> Path:
    """One of the cache's folders, there or not."""
    return cache_directory() / name


def load(path: Path) -> bytes | None:
    """What was stored whole under this path, else None. A first line holds the digest of the rest."""
    try:
        if path.stat().st_uid != os.getuid():
            return None
        head, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest().encode() != head:
        return None
    used(path)
    return data


def used(path: Path) -> None:
    """Note that a file is of use: what nobody has used for longest is dropped first."""
    with suppress(OSError):
        os.utime(path)


def store(path: Path, data: bytes) -> None:
    """Keep data under a path; a cache that cannot be written is done without."""
    write_whole(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)


def write_whole(path: Path, data: bytes) -> bool:
    """Write a file so that nobody ever sees half of it; False when it cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(data)
        Path(file.name).replace(path)
    except OSError:
        return False
    return True


def prune() -> None:
    """Of each folder drop what nobody used for longest, beyond a number that many bundles fit in."""
    for directory in map(folder, _FOLDERS):
        try:
            with os.scandir(directory) as found:
                paths = [entry.path for entry in found]
            if len(paths) > _KEPT:
                for _, old in sorted((Path(path).stat().st_mtime, path) for path in paths)[:-_KEPT]:
                    Path(old).unlink(missing_ok=True)
        except OSError:
            continue
