"""Did you mean: the candidate nearest to a name that nothing has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEAR = 0.6
_LONG = 7
_LONGEST = 200  # comparing takes quadratic time, and nobody mistypes a longer name


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most likely stands for, whatever the case; None when none is near.

    The answer does not depend on the order of `candidates`.
    """
    from difflib import get_close_matches  # noqa: PLC0415  a run without a mistake needs no guess

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


def did_you_mean(guess: str | None) -> str:
    """The help that offers a guess, "" without one."""
    return f"did you mean `{guess}`?" if guess else ""


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """The help that offers the candidate nearest to a name that nothing has, "" when none is near."""
    return did_you_mean(nearest(name, candidates))


def misspelt(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` is a slip of: one letter, or two neighbours, in a long name two of these.

    Upper and lower case count as the same. Unlike `nearest` it is no guess.
    """
    wanted = name.lower()
    if not 1 < len(wanted) <= _LONGEST:
        return None
    found = []
    for candidate in candidates:
        most = 1 if len(candidate) < _LONG else 2
        if abs(len(candidate) - len(wanted)) <= most and (count := _slips(wanted, candidate.lower())) <= most:
            found.append((count, candidate))
    return min(found)[1] if found else None


def _slips(a: str, b: str) -> int:
    """How many letters must be put in, taken out, replaced or swapped with a neighbour to make one text the other."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        row = [i]
        for j, other in enumerate(b, start=1):
            count = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and (letter, a[i - 2]) == (b[j - 2], other):
                count = min(count, before[j - 2] + 1)
            row.append(count)
        before, last = last, row
    return last[-1]
