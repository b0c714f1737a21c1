"""Writing a bundle's files to disk: into a directory of its own, as a whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.bundle.contents import must_be_executable
from groundswell.bundle.ownership import refusals
from groundswell.bundle.paths import check_paths
from groundswell.bundle.swap import NEW, ConflictError, clean, locked, recover, swap, unfinished, workspace_for
from groundswell.diagnostics.codes import files as codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.bundle.files import File
    from groundswell.diagnostics.diagnostic import Diagnostic

_DATA_MODE = 0o644
_SCRIPT_MODE = 0o755
_FOLDER_MODE = 0o755


def write(files: Sequence[File], out: Path) -> tuple[Diagnostic, ...]:
    """Make `out` hold exactly these files, and `.git` where it is there already.

    The caller includes `checksums.txt`. `out` may be absent, empty, or hold exactly what its own `checksums.txt` lists;
    anything else is refused by name. The new tree is built beside it and swapped in; a failed run leaves the old one;
    an interrupted swap is undone by the next run, which then puts its own tree in place. When two runs meet, the second
    is refused.

    Returns findings: errors when `out` is as it was before, a warning when only the old tree could not be removed.

    Raises:
        ValueError: The files themselves are wrong: a path that `check_paths` refuses, or a wrong executable bit.
    """
    _check(files)
    try:
        return _no_place(out) or _write(files, out, Path(os.path.realpath(out)))
    except OSError as error:
        return (_failure(out, error),)


def _check(files: Sequence[File]) -> None:
    check_paths(file.path for file in files)
    for file in files:
        wanted = must_be_executable(file.path, file.data[:2])
        if wanted is not None and wanted is not file.executable:
            raise ValueError(f"`verify` would not accept the executable bit of {file.path!r}")


def refused_place(out: Path) -> tuple[Diagnostic, ...]:
    """Why `write` would refuse a directory, as far as that can be told without changing anything."""
    target = Path(os.path.realpath(out))
    try:
        workspace = workspace_for(target)
        return _no_place(out) or (() if unfinished(workspace) else refusals(out, target, workspace.name))
    except OSError:
        return ()


def _no_place(out: Path) -> tuple[Diagnostic, ...]:
    advice = "give `-o` a directory of its own"
    if out.is_symlink():
        leads_to = f"give `-o` the directory itself: `{os.path.realpath(out)}`"
        return (codes.NOT_A_DIRECTORY(f"`{out}` is a symbolic link", help=leads_to),)
    if out.exists() and not out.is_dir():
        return (codes.NOT_A_DIRECTORY(f"`{out}` is not a directory", help=advice),)
    target = Path(os.path.realpath(out))
    if target.parent == target:
        return (codes.NOT_A_PLACE(f"`{out}` is the root of the file system", help=advice),)
    if target in Path.cwd().parents:
        return (codes.NOT_A_PLACE(f"the working directory lies inside of `{out}`", help=f"{advice}, or leave `{out}`"),)
    return ()


def _write(files: Sequence[File], out: Path, target: Path) -> tuple[Diagnostic, ...]:
    target.parent.mkdir(parents=True, exist_ok=True)
    workspace = workspace_for(target)
    try:
        with locked(workspace):
            recover(target, workspace)
            return refusals(out, target, workspace.name) or _replace(files, target, workspace)
    except BlockingIOError:
        return (codes.BUSY(f"another run is writing into `{out}`", help="wait for it to end, then run again"),)
    except ConflictError as conflict:
        message = f"an earlier run was interrupted, and its `{conflict.aside}` cannot go back to `{conflict.occupied}`"
        return (codes.INTERRUPTED(message, help=f"move `{conflict.occupied}` elsewhere and run again"),)
    except OSError as error:
        return (_failure(out, error, interrupted=unfinished(workspace)),)


def _replace(files: Sequence[File], target: Path, workspace: Path) -> tuple[Diagnostic, ...]:
    try:
        _build(files, workspace / NEW)
        swap(target, workspace)
    except BaseException:
        with suppress(OSError, ConflictError):  # then the next run does it
            recover(target, workspace)
        raise
    try:
        clean(workspace)
    except OSError as error:
        message = f"the earlier bundle could not be removed from `{workspace}`: {_reason(error)}"
        return (codes.LEFTOVERS(message, help="remove the directory"),)
    return ()


def _build(files: Sequence[File], root: Path) -> None:
    folders = {""}
    for file in files:
        folder = file.path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    for folder in sorted(folders):
        (root / folder).mkdir()
        (root / folder).chmod(_FOLDER_MODE)
    for file in files:
        with (root / file.path).open("xb") as stream:
            stream.write(file.data)
            os.fchmod(stream.fileno(), _SCRIPT_MODE if file.executable else _DATA_MODE)


def _failure(out: Path, error: OSError, *, interrupted: bool = False) -> Diagnostic:
    state = "the next run undoes what this one began" if interrupted else "nothing changed"
    advice = f"mend this and run again: {state}"
    return codes.NOT_WRITTEN(f"`{out}` could not be written: {_reason(error)}", help=advice)


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{reason}: `{error.filename}`" if error.filename else reason
