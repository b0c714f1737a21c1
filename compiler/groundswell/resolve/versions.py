"""Constraint values: texts, and conjunctions of comparisons with versions."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

Version: TypeAlias = tuple[int, int, int]

_COMPARISON = re.compile(r"(>=|<=|==|!=|>|<)\s*(.*)")
_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?")
_OPPOSITE = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}
_BUILD = re.compile(r"v?\d+\.\d+\.\d+-([a-z]+)\.(\d+)")


class Condition(NamedTuple):
    """One comparison. The operator is empty for a text that must be found exactly.

    `aicr` chooses the rules of AICR catalogs (`holds`).
    """

    operator: str
    operand: str
    aicr: bool = False


def parse_version(text: str) -> Version | None:
    """Major, minor and patch; what follows a `-` or `+` (a provider's build, a release candidate) does not count."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    major, minor, patch = (int(part or 0) for part in match.groups())
    return (major, minor, patch)


def parse_conditions(value: str, *, aicr: bool = False) -> tuple[Condition, ...] | None:
    """The conjuncts of a constraint's value, or None when it can not be read.

    A value that begins with an operator is a list of comparisons separated by commas, each with a version (`==` and
    `!=` also take other text). Any other value must be found: a version by `==`, a text as it is. `aicr` chooses the
    rules of AICR catalogs, where a version without an operator is a text, too.
    """
    if not re.match(r"[<>=!~^|]", value.strip()):
        operator = "" if aicr or parse_version(value) is None else "=="
        return None if re.search(r"[<>|]", value) else (Condition(operator, value.strip(), aicr),)
    conditions = []
    for part in value.split(","):
        match = _COMPARISON.fullmatch(part.strip())
        if match is None or not match[2]:
            return None
        if match[1] not in {"==", "!="} and parse_version(match[2]) is None:
            return None
        if re.search(r"[<>=|\s]", match[2]):
            return None
        conditions.append(Condition(match[1], match[2], aicr))
    return tuple(conditions)


def holds(condition: Condition, actual: str) -> bool | None:
    """Whether a fact satisfies a condition; None when the fact is no version but the condition compares versions.

    All comparisons take as many numbers as the condition states, and a number that the fact lacks is 0: 1.30.5 is
    `<= 1.30` and `== 1.30`, and not `> 1.30`. Builds of one provider (`-gke.1318000`) are in order, too. In AICR
    catalogs, order is judged by as many numbers as both sides have, equality by all three, and builds do not count.
    """
    wanted, found = parse_version(condition.operand), parse_version(actual)
    asks, has = _builds(condition, actual)
    if condition.operator == "":
        return actual == condition.operand
    if condition.operator in {"==", "!="}:
        known = len(wanted) if wanted and condition.aicr else places(condition.operand)
        equal = (*found[:known], *has) == (*wanted[:known], *asks) if wanted and found else actual == condition.operand
        return equal == (condition.operator == "==")
    if wanted is None or found is None:
        return None
    known = min(places(condition.operand), places(actual)) if condition.aicr else places(condition.operand)
    left, right = (*found[:known], *has), (*wanted[:known], *asks)
    return {">=": left >= right, ">": left > right, "<=": left <= right, "<": left < right}[condition.operator]


def build(version: str) -> tuple[str, int] | None:
    """The provider and the number of its build, where a version ends with such: `-gke.1318000`."""
    match = _BUILD.fullmatch(version.strip())
    return (match[1], int(match[2])) if match else None


def _builds(condition: Condition, actual: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the asked and the found build, where they are of one provider; nothing to compare otherwise."""
    asks, has = build(condition.operand), build(actual)
    if condition.aicr or asks is None or has is None or asks[0] != has[0]:
        return (), ()
    return asks[1:], has[1:]


def satisfiable(conditions: list[Condition]) -> bool:
    """Whether any fact can satisfy all conditions together, where they differ in more than a provider's builds."""
    texts = [c.operand for c in conditions if not c.operator or (c.operator == "==" and not parse_version(c.operand))]
    if texts:
        return all(holds(condition, texts[0]) is True for condition in conditions)
    admitted = [bounds(condition) for condition in conditions]
    least = max((lower for lower, _ in admitted if lower), default=(0, 0, 0))
    most = min((upper for _, upper in admitted if upper), default=None)
    if most is None:
        return True
    gaps = [c for c in conditions if c.operator == "!=" and parse_version(c.operand) and not numbered(c)]
    for start, stop in sorted(map(_agreeing, gaps)):
        if start <= least < stop:
            least = stop
    return least < most


def implies(condition: Condition, other: Condition) -> bool:
    """Whether every fact that satisfies the one condition satisfies the other; False where that cannot be told.

    What is no version satisfies a `!=`, so that it implies no order, not even where it leaves higher versions only.
    """
    if condition == other:
        return True
    if condition.operator == "!=" != other.operator:
        return False
    against = _OPPOSITE.get(other.operator)
    return against is not None and not satisfiable([condition, other._replace(operator=against)])


def bounds(condition: Condition) -> tuple[Version | None, Version | None]:
    """The first version that a comparison admits, and the first behind all that it does; None: no bound.

    Neither for text and for `!=`, which leaves a gap.
    """
    if parse_version(condition.operand) is None:
        return None, None
    start, stop = _agreeing(condition)
    # Of the version that a build belongs to, some builds are admitted and some are not.
    after, before = (start, stop) if numbered(condition) else (stop, start)
    lower = {">=": start, ">": after, "==": start}
    upper = {"<": before, "<=": stop, "==": stop}
    return lower.get(condition.operator), upper.get(condition.operator)


def numbered(condition: Condition) -> bool:
    """Whether it compares a provider's build, too."""
    return not condition.aicr and build(condition.operand) is not None


def _agreeing(condition: Condition) -> tuple[Version, Version]:
    """The first version that agrees with the operand in all numbers that count, and the first behind those that do."""
    start = parse_version(condition.operand) or (0, 0, 0)
    numbers = list(start)
    whole = condition.aicr and condition.operator in {"==", "!="}
    numbers[-1 if whole else places(condition.operand) - 1] += 1
    major, minor, patch = numbers
    return start, (major, minor, patch)


def places(text: str) -> int:
    """How many numbers a version has."""
    match = _VERSION.fullmatch(text.strip())
    return sum(part is not None for part in match.groups()) if match else 0
