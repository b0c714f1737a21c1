"""Versions of Talos."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_schematic as codes

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

OLDEST = (1, 10)
NEWEST = (1, 15)

_FORM = re.compile(r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?")


class TalosVersion(NamedTuple):
    """A release of Talos. `suffix` is that of a pre-release (`-beta.0`), else empty."""

    major: int
    minor: int
    patch: int
    suffix: str = ""

    @property
    def release(self) -> tuple[int, int]:
        """Major and minor: the version of the configuration contract."""
        return self.major, self.minor

    def __str__(self) -> str:
        """As the tag of an image: `v1.13.2`."""
        return f"v{self.major}.{self.minor}.{self.patch}{self.suffix}"


def parse_version(text: str, at: Span | None = None) -> tuple[TalosVersion | None, tuple[Diagnostic, ...]]:
    """Read a version such as `v1.13.2`; the `v` may be missing. What cannot be compiled for is an error at `at`."""
    found = _FORM.fullmatch(text)
    if not found:
        return None, (codes.BAD_VERSION(f"`{text}` is not a full Talos version", at, help="such as `v1.13.2`"),)
    version = TalosVersion(int(found[1]), int(found[2]), int(found[3]), found[4] or "")
    if version.release < OLDEST:
        return None, (codes.BAD_VERSION(f"Talos {version} is older than v{OLDEST[0]}.{OLDEST[1]}", at),)
    if version.release > NEWEST:
        return version, (codes.NEW_VERSION(f"Talos {version} is newer than v{NEWEST[0]}.{NEWEST[1]}", at),)
    return version, ()
