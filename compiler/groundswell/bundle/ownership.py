"""Whether a directory may be replaced: it is empty, or exactly what the `checksums.txt` of its own bundle lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.checksums import CHECKSUMS, MalformedChecksumsError, parse_checksums
from groundswell.bundle.contents import compare, read_contents
from groundswell.bundle.paths import GIT, INDEX
from groundswell.diagnostics.codes import files as codes
from groundswell.diagnostics.enumeration import first_few

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic

_NAMED = 5  # so many paths are named in one message, the others counted
_ELSEWHERE = "move them elsewhere, or give `-o` another directory"


def refusals(out: Path, target: Path, workspace: str) -> tuple[Diagnostic, ...]:
    """Why the directory `target`, which the user calls `out`, may not be replaced; nothing when it may, or is absent.

    `.git` and the entry `workspace` at its root do not count. Modes do not either: no list keeps them.

    Raises:
        OSError: It cannot be read.
    """
    if not target.exists():
        return ()
    contents = read_contents(target, frozenset({GIT, workspace}))
    for path, reason in contents.unreadable.items():
        raise OSError(None, reason, str(target / path))
    present = sorted([*contents.files, *contents.links, *(f"{folder}/" for folder in contents.empty)])
    if not present:
        return ()
    if CHECKSUMS not in contents.files:
        return (_foreign(f"`{out}` is not empty and holds no bundle", present),)
    try:
        listed = parse_checksums((target / CHECKSUMS).read_bytes())
    except MalformedChecksumsError as error:
        message = f"`{out}` holds a `{CHECKSUMS}` that no bundle has: line {error.line}: {error}"
        return (codes.FOREIGN_FILES(message, help=_ELSEWHERE),)
    if INDEX not in listed:
        return (_foreign(f"`{out}` holds no bundle: its `{CHECKSUMS}` does not list `{INDEX}`", present),)
    found = compare(target, contents, listed)
    for path, reason in found.unreadable.items():
        raise OSError(None, reason, str(target / path))
    findings = []
    if foreign := sorted([*found.added, *contents.links]):
        findings.append(_foreign(f"`{out}` holds what its bundle does not list", foreign))
    if edited := sorted([*found.changed, *found.missing]):
        message = f"files of the bundle in `{out}` were changed or removed: {_names(edited)}"
        findings.append(
            codes.EDITED_FILES(message, help=f"restore them, remove `{out}`, or give `-o` another directory")
        )
    return tuple(findings)


def _foreign(problem: str, paths: Iterable[str]) -> Diagnostic:
    return codes.FOREIGN_FILES(f"{problem}: {_names(paths)}", help=_ELSEWHERE)


def _names(paths: Iterable[str]) -> str:
    """At most five paths, and how many more there are."""
    return first_few([f"`{path}`" for path in paths], _NAMED)
