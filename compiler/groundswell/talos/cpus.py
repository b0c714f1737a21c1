"""Sets of CPUs in the kernel's list format: `0-3,32-35`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

CpuSet: TypeAlias = frozenset[int]

MOST = 8192  # the largest NR_CPUS of any kernel on x86 and arm64

_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def parse_cpus(text: str) -> CpuSet | None:
    """Read a list of CPUs; None when it is none, holds an empty or backward range, or names a CPU twice."""
    cpus: list[int] = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        if not found:
            return None
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first or last >= MOST:
            return None
        cpus += range(first, last + 1)
    return frozenset(cpus) if len(set(cpus)) == len(cpus) else None


def format_cpus(cpus: Iterable[int]) -> str:
    """The shortest list of a set: in order, neighbours as a range."""
    parts: list[list[int]] = []
    for cpu in sorted(cpus):
        if parts and cpu == parts[-1][-1] + 1:
            parts[-1][1:] = [cpu]
        else:
            parts.append([cpu])
    return ",".join("-".join(map(str, part)) for part in parts)
