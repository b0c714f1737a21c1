"""Which paths a bundle's files may have: such that every system keeps them apart and `sha256sum` reads them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

GIT = ".git"
"""The one entry at a bundle's root that is not the bundle's."""

INDEX = "bundle.yaml"
"""The file that every bundle has: what tells a bundle from another directory with a `checksums.txt`."""


def check_path(path: str) -> None:
    """Raise ValueError unless `path` is relative, inside the bundle, outside of its `.git`, and plain text."""
    parts = path.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        raise ValueError(f"not a plain relative path: {path!r}")
    if parts[0].lower() == GIT:
        raise ValueError(f"inside of the repository's own data: {path!r}")
    unprintable = not path.isprintable() and any(unicodedata.category(char) in {"Cc", "Cs"} for char in path)
    if "\\" in path or unprintable:
        raise ValueError(f"a backslash, a control character or no text at all: {path!r}")


def check_paths(paths: Iterable[str]) -> None:
    """Raise ValueError unless each path is fine and a file system that ignores case keeps all of them apart."""
    spelled: dict[str, str] = {}
    files: set[str] = set()
    folders: set[str] = set()
    for path in paths:
        check_path(path)
        if path in files:
            raise ValueError(f"two files have the path {path!r}")
        files.add(path)
        while path:
            folded = unicodedata.normalize("NFC", path).casefold()
            if spelled.setdefault(folded, path) != path:
                raise ValueError(f"only the case tells {path!r} from {spelled[folded]!r}")
            path = path.rpartition("/")[0]  # noqa: PLW2901  up through the folders
            if path in folders:
                break
            folders.add(path)
    if both := files & folders:
        raise ValueError(f"both a file and a folder: {min(both)!r}")
