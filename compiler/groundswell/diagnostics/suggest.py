"""Did you mean: the candidate nearest to a name that nothing has."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEAR = 0.6
_LONGEST = 200  # comparing takes quadratic time, and nobody mistypes a longer name


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most likely stands for, whatever the case; None when none is near.

    The answer does not depend on the order of `candidates`.
    """
    wanted = name.lower()
    if not wanted or len(wanted) > _LONGEST:
        return None
    by_lower = {candidate.lower(): candidate for candidate in sorted(candidates, reverse=True)}
    if wanted in by_lower:
        return by_lower[wanted]
    # Letters in the wrong order come first: in short names difflib finds less in common with these than with others.
    transposed = sorted(candidate for candidate in by_lower if sorted(candidate) == sorted(wanted))
    found = get_close_matches(wanted, transposed or sorted(by_lower), n=1, cutoff=0 if transposed else _NEAR)
    return by_lower[found[0]] if found else None
