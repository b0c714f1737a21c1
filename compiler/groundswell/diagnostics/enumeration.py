"""Several things in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def listed(words: Iterable[str]) -> str:
    """All of them: `a`, `a and b`, `a, b and c`; "" for none."""
    *others, last = ("", *words)
    return f"{', '.join(others[1:])} and {last}" if others[1:] else last


def first_few(words: Sequence[str], most: int) -> str:
    """The first ones, and how many more there are: `a, b and 7 more`."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
