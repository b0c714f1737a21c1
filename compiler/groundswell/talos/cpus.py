"""Sets of CPUs in the kernel's list format: `0-3,32-35`, `0-30:1/2`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

CpuSet: TypeAlias = frozenset[int]

MOST = 8192  # the largest NR_CPUS of any kernel on x86 and arm64

_NUMBER = "([0-9]{1,4})"
_RANGE = re.compile(f"{_NUMBER}(?:-{_NUMBER}(?::{_NUMBER}/{_NUMBER})?)?")


def parse_cpus(text: str) -> CpuSet | None:
    """Read a list of CPUs; None when it is none, holds an empty or backward range, or names a CPU twice.

    `0-30:1/2` is the first one of every two.
    """
    cpus = _listed(text)
    return frozenset(cpus) if cpus is not None and len(set(cpus)) == len(cpus) else None


def kernel_cpus(text: str, count: int | None) -> CpuSet:
    """Read a list as the kernel does, which also knows `all` and `N`, the last CPU; empty when it cannot be read.

    `count` is the number of CPUs, None where it is not known.
    """
    text = "0-N" if text == "all" else text
    return frozenset(_listed(text if count is None else text.replace("N", str(count - 1))) or ())


def _listed(text: str) -> list[int] | None:
    cpus: list[int] = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        if not found:
            return None
        first, last = int(found[1]), int(found[2] or found[1])
        used, group = int(found[3] or 1), int(found[4] or 1)
        if last < first or last >= MOST or not 0 < used <= group:
            return None
        cpus += (cpu for cpu in range(first, last + 1) if (cpu - first) % group < used)
    return cpus


def format_cpus(cpus: Iterable[int]) -> str:
    """The shortest list of a set: in order, neighbours as a range."""
    parts: list[list[int]] = []
    for cpu in sorted(cpus):
        if parts and cpu == parts[-1][-1] + 1:
            parts[-1][1:] = [cpu]
        else:
            parts.append([cpu])
    return ",".join("-".join(map(str, part)) for part in parts)
