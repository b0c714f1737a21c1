"""Hugepages on the kernel's command line, as the kernel reads it (mm/hugetlb.c)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

SIZE, DEFAULT_SIZE, COUNT = "hugepagesz", "default_hugepagesz", "hugepages"
KIB_2MI, KIB_1GI = 2048, 1024 * 1024

_UNITS = " KMGTPE"


class Counted(NamedTuple):
    """Pages that an argument asks for. `argument` is its place among the others."""

    argument: int
    kib: int
    pages: int


class PageArguments(NamedTuple):
    """What arguments ask for, and the default size, which the sysctl counts."""

    counted: tuple[Counted, ...]
    default_kib: int


def page_arguments(arguments: Iterable[str]) -> PageArguments:
    """Read the arguments in their order.

    A count is for the size before it, whichever key states that. A count before all sizes is for the default size,
    whatever states that later.
    """
    default, current = KIB_2MI, None
    found: list[tuple[int, int | None, int]] = []
    for index, argument in enumerate(arguments):
        key, _, value = argument.partition("=")
        if key in {SIZE, DEFAULT_SIZE}:
            current = size_kib(value)
            default = current if key == DEFAULT_SIZE else default
        elif key == COUNT and (pages := _pages(value)):
            found.append((index, current, pages))
    counted = tuple(Counted(index, default if kib is None else kib, pages) for index, kib, pages in found)
    return PageArguments(counted, default)


def size_kib(text: str) -> int:
    """A size such as `2M` or `1G` in KiB, 0 for what is none."""
    found = re.fullmatch("([0-9]+)([KMGTPE]?)", text, re.IGNORECASE)
    return int(found[1]) * 1024 ** _UNITS.index(found[2].upper() or " ") // 1024 if found else 0


def _pages(text: str) -> int:
    """A count, or the sum of counts by NUMA node (`0:4,1:4`); 0 for what is none."""
    numbers = [part.rpartition(":")[2] for part in text.split(",")]
    return sum(int(number) for number in numbers) if all(number.isdecimal() for number in numbers) else 0
