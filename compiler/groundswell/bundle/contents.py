"""What stands in a directory, and how that differs from what a list of checksums says."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from groundswell.bundle.checksums import CHECKSUMS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Contents(NamedTuple):
    """Everything below a directory, by path with `/`: nothing is followed, nothing is left out.

    `files` maps regular files to their modes, `links` symbolic links and special files to what they are, `unreadable`
    files and directories to the system's reason. `empty` are the directories without any entry.
    """

    files: dict[str, int]
    links: dict[str, str]
    empty: list[str]
    unreadable: dict[str, str]


class Differences(NamedTuple):
    """The paths, sorted, at which a directory differs from its list; empty directories of `added` end with `/`."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]
    unreadable: Mapping[str, str]


def read_contents(root: Path, ignored: frozenset[str]) -> Contents:
    """List everything in `root` but the entries of the top level that are `ignored`. Reads no file; raises nothing."""
    contents = Contents({}, {}, [], {})
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(root / folder) as found:
                entries = [entry for entry in found if folder or entry.name not in ignored]
            if folder and not entries:
                contents.empty.append(folder)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                elif entry.is_file(follow_symlinks=False):
                    contents.files[path] = entry.stat(follow_symlinks=False).st_mode
                else:
                    contents.links[path] = "a symbolic link" if entry.is_symlink() else "a special file"
        except OSError as error:
            contents.unreadable[folder] = error.strerror or str(error)
    return contents


def compare(root: Path, contents: Contents, listed: Mapping[str, str]) -> Differences:
    """Hash the files of `root` and hold them against the `listed` digests. Raises nothing."""
    unreadable = dict(contents.unreadable)
    changed = []
    for path in sorted(contents.files.keys() & listed.keys()):
        try:
            if _digest(root / path) != listed[path]:
                changed.append(path)
        except OSError as error:
            unreadable[path] = error.strerror or str(error)
    hidden = tuple(f"{folder}/" for folder in contents.unreadable if folder)
    gone = listed.keys() - contents.files.keys() - contents.links.keys()
    added = contents.files.keys() - listed.keys() - {CHECKSUMS}
    # A listed folder that lost its files is empty for their want, not an addition of its own.
    empty = [f"{folder}/" for folder in contents.empty if not any(path.startswith(f"{folder}/") for path in gone)]
    return Differences(
        missing=tuple(sorted(path for path in gone if not path.startswith(hidden))),
        changed=tuple(changed),
        added=tuple(sorted([*added, *empty])),
        unreadable=unreadable,
    )


def must_be_executable(path: str, start: bytes) -> bool | None:
    """Whether a file that begins with `start` must have its executable bit set, or must not; None when either will do.

    Lists of checksums keep no modes. What can be told without: data never has the bit, scripts at the root always do.
    """
    if not start.startswith(b"#!"):
        return False
    return True if path.endswith(".sh") and "/" not in path else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
