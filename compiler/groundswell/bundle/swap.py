"""Putting a finished tree in the place of another one, so that an interruption at any point can be undone.

The entries of a directory are moved one by one instead of the directory itself. So the directory stays the same one:
`.git` is never touched, a mount point can be an output, `-o .` leaves a shell where it is, and the directory keeps its
owner and mode. All moves are renames within one file system. The new tree waits in a workspace beside the directory:

    lock      held by the run that works there; the system lets go of it when the process ends, however it ends
    new/      the tree under construction
    old/      the entries that were set aside
    placing   the names of the new entries: while it exists a swap is under way

Until `placing` is gone, everything can be moved back; deleting it is the step that makes the new tree the valid one.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.bundle.paths import GIT

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW = "new"
_OLD = "old"
_PLACING = "placing"
_LOCK = "lock"


class ConflictError(Exception):
    """What an interrupted run had set `aside` cannot go back, because its place is `occupied`."""

    def __init__(self, aside: Path, occupied: Path) -> None:
        super().__init__(str(occupied))
        self.aside = aside
        self.occupied = occupied


def workspace_for(target: Path) -> Path:
    """The workspace of `target`: beside it, or inside where that is another file system or may not be written."""
    name = f".{target.name}.groundswell"
    inside = os.path.ismount(target) or (target.is_dir() and not os.access(target.parent, os.W_OK | os.X_OK))
    return target / name if inside else target.parent / name


@contextmanager
def locked(workspace: Path) -> Iterator[None]:
    """Hold the workspace for this run alone.

    It is made at the start, and removed at the end unless something is left in it.

    Raises:
        BlockingIOError: Another run holds it.
        OSError: It cannot be made.
    """
    lock = workspace / _LOCK
    descriptor = _acquire(workspace, lock)
    try:
        yield
    finally:
        with suppress(OSError):  # not empty: an interrupted swap, or the next run is already there
            lock.unlink()
            workspace.rmdir()
        os.close(descriptor)


def _acquire(workspace: Path, lock: Path) -> int:
    while True:
        with suppress(FileExistsError):
            workspace.mkdir()
        if workspace.is_symlink():
            raise NotADirectoryError(None, "a symbolic link stands in the way", str(workspace))
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:  # the run that held it has just removed the workspace
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if lock.exists() and os.path.samestat(lock.stat(), os.fstat(descriptor)):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # a lock file that its run has just removed: nobody else would see this lock


def unfinished(workspace: Path) -> bool:
    """Whether a swap is under way here, or was interrupted."""
    return (workspace / _PLACING).exists()


def recover(target: Path, workspace: Path) -> None:
    """Undo a swap that was interrupted or failed, and remove what the run left behind. Without any, do nothing.

    Raises:
        ConflictError: Something now stands where an entry has to go back to.
        OSError: The system refused a step; a later call goes on from there.
    """
    if unfinished(workspace):
        if target.exists():
            _undo(target, workspace)
        (workspace / _PLACING).unlink()
    clean(workspace)


def clean(workspace: Path) -> None:
    """Remove the trees of a swap that is over. Raises OSError."""
    for name in (NEW, _OLD):
        if (workspace / name).exists():
            _remove(workspace / name)


def _remove(tree: Path) -> None:
    """Remove a tree, following no link. What the library has for that takes longer to import than this to run."""
    for folder, folders, files in os.walk(tree, topdown=False):
        for name in files:
            Path(folder, name).unlink()
        for name in folders:
            path = Path(folder, name)
            path.unlink() if path.is_symlink() else path.rmdir()
    tree.rmdir()


def swap(target: Path, workspace: Path) -> None:
    """Put the entries of `new/` in the place of everything in `target` but `.git`.

    The earlier entries end up in `old/`. A `target` that does not exist comes into being in one step.

    Raises:
        OSError: The system refused a step; `recover` undoes the steps before it.
    """
    new, old = workspace / NEW, workspace / _OLD
    if not target.exists():
        new.rename(target)
        return
    old.mkdir()
    names = sorted(_names(new))
    _write_journal(workspace, names)
    for name in sorted(_names(target) - {GIT, workspace.name}):
        (target / name).rename(old / name)
    for name in names:
        (new / name).rename(target / name)
    (workspace / _PLACING).unlink()


def _names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def _write_journal(workspace: Path, names: list[str]) -> None:
    """Write the names of the new entries as a whole: the file appears under its name when it is complete."""
    draft = workspace / _OLD / _PLACING  # still empty otherwise, and removed with all that is in it
    draft.write_text("\n".join(names), encoding="utf-8")
    draft.rename(workspace / _PLACING)


def _undo(target: Path, workspace: Path) -> None:
    new, old = workspace / NEW, workspace / _OLD
    for name in (workspace / _PLACING).read_text(encoding="utf-8").split("\n"):
        if os.path.lexists(target / name) and not os.path.lexists(new / name):
            (target / name).rename(new / name)
    for name in sorted(_names(old)):
        if os.path.lexists(target / name):
            raise ConflictError(old / name, target / name)
        (old / name).rename(target / name)
