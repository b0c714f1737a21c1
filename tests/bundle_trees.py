"""Small bundles for the tests of writing and verifying."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

from groundswell.bundle.checksums import checksums
from groundswell.bundle.files import File


def bundle(mark: str, *folders: str) -> list[File]:
    """The files of a bundle whose contents all hold `mark`, with its list of checksums."""
    files = [
        File("bundle.yaml", f"{mark}\n".encode()),
        File("install.sh", f"#!/bin/sh\necho {mark}\n".encode(), executable=True),
        *(File(f"{folder}/values.yaml", mark.encode()) for folder in folders),
        *(File(f"{folder}/templates/all.yaml", mark.encode()) for folder in folders if folder.endswith("-pre")),
    ]
    return [*files, File("checksums.txt", checksums(files).encode())]


SMALL_OLD = bundle("old", "001-a")
SMALL_NEW = bundle("new", "001-a", "002-b")
OLD = bundle("old", "001-a-pre", "002-a")
NEW = bundle("new", "001-a-pre", "002-b", "003-c, d ü")


def names(directory: Path) -> list[str]:
    """The names of what stands in a directory, sorted."""
    return sorted(path.name for path in directory.iterdir())


def tree(root: Path) -> dict[str, str]:
    """Everything below `root`: files with their modes and digests, directories, links."""
    found = {}
    for path in sorted(root.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            what = f"{stat.S_IMODE(mode):o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        else:
            what = str(path.readlink()) if path.is_symlink() else f"{stat.S_IMODE(mode):o}/"
        found[path.relative_to(root).as_posix()] = what
    return found


def expected(files: list[File]) -> dict[str, str]:
    """What `tree` finds where exactly these files were written."""
    found = {}
    for file in files:
        found[file.path] = f"{'755' if file.executable else '644'} {hashlib.sha256(file.data).hexdigest()}"
        for folder in Path(file.path).parents[:-1]:
            found[folder.as_posix()] = "755/"
    return found
