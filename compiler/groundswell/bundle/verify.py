"""Whether a directory is exactly the bundle that was written: a closed world, in which nothing may be added either."""

from __future__ import annotations

import os
import shlex
import stat
from typing import TYPE_CHECKING

from groundswell.bundle.checksums import CHECKSUMS, MalformedChecksumsError, parse_checksums
from groundswell.bundle.contents import Differences, compare, must_be_executable, read_contents
from groundswell.bundle.paths import GIT, INDEX
from groundswell.diagnostics.codes import files as codes
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic

_RESTORE = "restore the file, or write the bundle again"


def verify(directory: Path) -> tuple[Diagnostic, ...]:
    """Compare `directory` with its `checksums.txt`, `.git` at its root left out.

    Nothing is written, and no link inside is followed. Each finding names the path it is about. Its code is in
    `codes.files.CHANGES` when the bundle is not as it was written, and is another one when that could not be told:
    no bundle, or not readable.
    """
    try:
        return _verify(directory)
    except OSError as error:
        return (_unreadable(directory, CHECKSUMS, error.strerror or str(error)),)
    except MalformedChecksumsError as error:
        message = f"`{CHECKSUMS}` is not as it was written: {error}"
        return (codes.MALFORMED(message, _span(directory, CHECKSUMS, error.line), help=_RESTORE),)


def _verify(directory: Path) -> tuple[Diagnostic, ...]:
    listed = _read_list(directory)
    if not isinstance(listed, dict):
        return (listed,)
    contents = read_contents(directory, frozenset({GIT}))
    found = compare(directory, contents, listed)
    intact = (contents.files.keys() & {*listed, CHECKSUMS}) - set(found.changed) - found.unreadable.keys()
    findings = [
        *_differences(directory, found, listed),
        *_links(directory, contents.links, listed),
        *_modes(directory, {path: contents.files[path] for path in intact}),
    ]
    return tuple(sorted(findings, key=lambda finding: (finding.span or (), finding.code)))


def _read_list(directory: Path) -> dict[str, str] | Diagnostic:
    """The directory's own list, or the finding that says why it has none. Raises OSError, MalformedChecksumsError."""
    path = directory / CHECKSUMS
    advice = "give the directory that `groundswell bundle -o` wrote"
    if not directory.is_dir():
        problem = "is not a directory" if os.path.lexists(directory) else "does not exist"
        return codes.NOT_A_BUNDLE(f"`{directory}` {problem}", help=advice)
    mode = path.lstat().st_mode if os.path.lexists(path) else stat.S_IFDIR
    if stat.S_ISREG(mode):
        return dict(parse_checksums(path.read_bytes()))
    if not stat.S_ISDIR(mode):
        return codes.LINKED(f"`{CHECKSUMS}` is a link or a special file", _span(directory, CHECKSUMS), help=_RESTORE)
    if os.path.lexists(directory / INDEX):
        return codes.MISSING(f"`{CHECKSUMS}` is missing", _span(directory, CHECKSUMS), help=_RESTORE)
    return codes.NOT_A_BUNDLE(f"`{directory}` is not a bundle: it has no `{CHECKSUMS}`", help=advice)


def _differences(directory: Path, found: Differences, listed: Mapping[str, str]) -> Iterator[Diagnostic]:
    lines = {path: number for number, path in enumerate(listed, 1)}
    for path in found.missing:
        yield codes.MISSING(f"`{path}` is missing", _span(directory, CHECKSUMS, lines[path]), help=_RESTORE)
    for path in found.changed:
        yield codes.CHANGED(f"`{path}` was changed", _span(directory, path), help=_RESTORE)
    for path in found.added:
        kind = "empty directory" if path.endswith("/") else "file"
        message = f"the {kind} `{path}` is not in the bundle"
        yield codes.ADDED(message, _span(directory, path.rstrip("/")), help="remove it, or bring it into the catalog")
    for path, reason in found.unreadable.items():
        yield _unreadable(directory, path, reason)


def _links(directory: Path, links: Mapping[str, str], listed: Mapping[str, str]) -> Iterator[Diagnostic]:
    for path, kind in links.items():
        advice = _RESTORE if path in listed else "remove it: a bundle holds regular files only"
        yield codes.LINKED(f"`{path}` is {kind}", _span(directory, path), help=advice)


def _modes(directory: Path, modes: Mapping[str, int]) -> Iterator[Diagnostic]:
    for path, mode in modes.items():
        is_set = bool(mode & 0o111)
        if not is_set and not path.endswith(".sh"):  # the common case, in which nothing needs to be read
            continue
        with (directory / path).open("rb") as file:
            wanted = must_be_executable(path, file.read(2))
        if wanted is not None and wanted is not is_set:
            message = f"`{path}` {'is no longer' if wanted else 'was made'} executable"
            command = f"chmod {'+x' if wanted else '-x'} {shlex.quote(str(directory / path))}"
            yield codes.MODE(message, _span(directory, path), help=f"run `{command}`, or write the bundle again")


def _unreadable(directory: Path, path: str, reason: str) -> Diagnostic:
    return codes.UNREADABLE(f"`{directory / path}` cannot be read: {reason}", _span(directory, path))


def _span(directory: Path, path: str, line: int = 1) -> Span:
    return Span((directory / path).as_posix(), line, 1, line, 1)
