"""Which expressions Python may take exponential time for.

Go's engine follows all ways through an expression at once, in time linear in the text; Python's tries one after the
other. Where a repetition can cut the same text into rounds in several ways, each further character doubles the ways.
https://swtch.com/~rsc/regexp/regexp1.html
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

SAFE = 10
"""Characters of a text that any expression is done with in no time worth mentioning."""

_MANY = 3
"""Rounds from which on a bounded repetition counts like one without a bound."""
_ALPHABET = (*map(chr, range(128)), "é")
_PIECE = (
    r"(?P<open>\((?:\?P<\w+>|\?[a-zA-Z-]*:)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?)"
    r"|\[(?:\\.|[^\]\\])*\]|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}|\\.|."
)


class _Part(NamedTuple):
    """A part of an expression.

    `chars` are the characters in what it matches, `first` those that this can begin with. `varies`: the length differs
    for the same beginning. `manifold`: it can match one text in several ways. `slow`: it repeats such a part, or one
    whose rounds do not show where they end.
    """

    chars: frozenset[str]
    first: frozenset[str]
    varies: bool = False
    manifold: bool = False
    slow: bool = False
    fence: bool = False


@lru_cache(maxsize=512)
def may_explode(expression: str) -> bool:
    """Whether a search for a Python expression that compiles may take time exponential in the text's length."""
    levels: list[list[list[_Part]]] = [[[]]]
    for token in re.finditer(_PIECE, expression, re.DOTALL):
        if token["open"]:
            levels.append([[]])
        elif token["close"]:
            body = levels.pop()
            levels[-1][-1].append(_either([_sequence(parts) for parts in body]))
        elif token["or"]:
            levels[-1].append([])
        elif token["times"]:
            levels[-1][-1].append(_repeated(levels[-1][-1].pop(), token["times"]))
        else:
            levels[-1][-1].append(_atom(token[0]))
    return _either([_sequence(parts) for parts in levels[0]]).slow


def _atom(text: str) -> _Part:
    """One character, a class, or a place such as `^`, which has no characters."""
    matcher = re.compile(text, re.ASCII | re.DOTALL | re.IGNORECASE)
    chars = frozenset(char for char in _ALPHABET if matcher.fullmatch(char))
    return _Part(chars, chars, fence=bool(chars))


def _sequence(parts: list[_Part]) -> _Part:
    """Parts one after the other. Two that vary may share the text between them in several ways."""
    seen: set[str] = set()
    shared = False
    for part in parts:
        shared |= part.varies and not seen.isdisjoint(part.chars)
        seen |= part.chars if part.varies else set()
    chars = frozenset().union(*(part.chars for part in parts))
    first = parts[0].first if parts and not parts[0].varies else chars
    return _Part(
        chars,
        first,
        any(part.varies for part in parts),
        shared or any(part.manifold for part in parts),
        any(part.slow for part in parts),
        _fenced(parts),
    )


def _fenced(parts: list[_Part]) -> bool:
    """Whether an end is marked by a character that is nowhere else in it, so that rounds cannot be cut otherwise."""
    ends = {0, len(parts) - 1} if parts else set()
    others = {at: [part.chars for place, part in enumerate(parts) if place != at] for at in ends}
    return any(parts[at].fence and parts[at].chars.isdisjoint(frozenset().union(*others[at])) for at in ends)


def _either(parts: list[_Part]) -> _Part:
    """Alternatives; where two can begin alike, both may match."""
    if len(parts) == 1:
        return parts[0]
    firsts = [part.first for part in parts]
    alike = any(not one.isdisjoint(other) for at, one in enumerate(firsts) for other in firsts[:at])
    return _Part(
        frozenset().union(*(part.chars for part in parts)),
        frozenset().union(*firsts),
        alike or any(part.varies or not part.chars for part in parts),
        alike or any(part.manifold for part in parts),
        any(part.slow for part in parts),
    )


def _repeated(part: _Part, times: str) -> _Part:
    least, most = _counts(times)
    if least == most == 1:
        return part
    loose = most > _MANY and (part.manifold or (part.varies and not part.fence))
    varies = part.varies or least != most
    return _Part(part.chars, part.first, varies, part.manifold or loose, part.slow or loose)


def _counts(times: str) -> tuple[float, float]:
    """The fewest and the most rounds."""
    if times[0] != "{":
        return {"*": (0, float("inf")), "+": (1, float("inf")), "?": (0, 1)}[times[0]]
    least, comma, most = times[1 : times.index("}")].partition(",")
    return float(least), float(most) if most else float("inf") if comma else float(least)
