"""The file system of a Talos machine: what its root holds, and what extensions and kernel modules add."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.tables import table_lines

if TYPE_CHECKING:
    from groundswell.talos.machine import Software

# Where a path can be there without being listed: extensions add to these.
_GROWING = ("bin", "etc", "lib", "lib64", "sbin", "system", "usr")


class Bringer(NamedTuple):
    """A path or pattern, and the extensions or modules of which one is enough."""

    pattern: str
    kind: str
    names: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether the path is that one or lies below it."""
        return fnmatchcase(path, self.pattern) or fnmatchcase(path, f"{self.pattern}/*")

    def within(self, software: Software) -> bool:
        """Whether one of them is among a machine's."""
        present = software.extensions if self.kind == "extension" else software.modules
        return any(name in present for name in self.names)


def cannot_be_made(path: str, kind: str, release: tuple[int, int]) -> bool:
    """Whether a path is missing on every Talos machine, or is to be made where that is not possible.

    `path` begins with a slash and is normalized. `kind` is the type of the volume. The container runtime makes a path
    without a type when it is missing. `release` is the major and minor version of Talos.
    """
    there, writable = _root(release)
    if path in there or any(f"{path}/".startswith(root) for root in writable):
        return False
    return kind.endswith("OrCreate") or path.split("/")[1] not in _GROWING


@cache
def _root(release: tuple[int, int]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The paths that are there, and those below which others can be made."""
    paths = []
    for line in table_lines("talos-root.txt"):
        path, _, last = line.partition("\t")
        major, _, minor = last.partition(".")
        if path != "/" and (not last or release <= (int(major), int(minor))):
            paths.append(path)
    return frozenset({"/", *paths}), tuple(path for path in paths if path.endswith("/"))


@cache
def bringers() -> tuple[Bringer, ...]:
    """The paths that belong to extensions and modules."""
    lines = (line.split("\t") for line in table_lines("host-paths.tsv"))
    return tuple(Bringer(pattern, kind, tuple(names.split())) for pattern, kind, names in lines)
