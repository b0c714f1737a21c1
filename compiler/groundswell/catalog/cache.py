"""A cache of loaded catalogs that cannot serve stale content.

The key is a digest over every byte that bears on the result: all files of the catalog, the code that reads them, and
the versions of this program and of Python. Loading therefore reads and hashes all files each time; what is saved is
parsing and checking. Code counts as changed when a file's time or size has, which is what Python itself goes by.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.catalog.entries import Loaded
    from groundswell.catalog.files import CatalogFiles

_KEEP = 16
_CODE = ("source", "model", "catalog", "resolve", "plan", "deploy", "diagnostics")


def cache_directory() -> Path:
    """Where caches of this program go: `$XDG_CACHE_HOME/groundswell`, else `~/.cache/groundswell`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path("~/.cache").expanduser()) / "groundswell"


def load_cached(files: CatalogFiles, directory: Path) -> Loaded:
    """The loaded catalog, from the cache when the very same bytes were loaded before.

    A cache that cannot be read or written, or that belongs to somebody else, is done without.
    """
    path = directory / f"catalog-{_key(files)}.pickle"
    cached = _read(path)
    if cached is not None:
        return cached
    from groundswell.catalog.load import load  # noqa: PLC0415  only needed on this road

    loaded = load(files)
    if loaded.catalog is not None:
        _write(path, loaded)
    return loaded


def _key(files: CatalogFiles) -> str:
    total = hashlib.sha256(f"{__version__} {sys.version}\n".encode())
    package = Path(__file__).parents[1]
    for folder in _CODE:
        for path, status in sorted(_modules(os.fspath(package / folder))):
            total.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode())
    total.update("\0".join(files.layers).encode())
    total.update(files.digest().encode())
    return total.hexdigest()


def _modules(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _modules(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path, entry.stat()


def _read(path: Path) -> Loaded | None:
    try:
        with path.open("rb") as file:
            # A pickle runs code when it is read, so only one that this user wrote is.
            if os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            content = file.read()
        digest, payload = content[:32], content[32:]
        if hashlib.sha256(payload).digest() != digest:
            return None
        loaded: Loaded = pickle.loads(payload)  # noqa: S301  see above
    except Exception:  # noqa: BLE001  whatever is wrong with a cache, the catalog itself is at hand
        return None
    return loaded


def _write(path: Path, loaded: Loaded) -> None:
    payload = pickle.dumps(loaded, protocol=pickle.HIGHEST_PROTOCOL)
    import tempfile  # noqa: PLC0415  only needed on this road

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(payload).digest() + payload)
        Path(file.name).replace(path)
        entries = sorted(path.parent.glob("catalog-*.pickle"), key=lambda entry: entry.stat().st_mtime, reverse=True)
        for old in entries[_KEEP:]:
            old.unlink(missing_ok=True)
    except OSError:
        return
