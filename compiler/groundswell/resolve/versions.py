"""Constraint values: literals, and conjunctions of comparisons with versions."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

Version: TypeAlias = tuple[int, int, int]

_COMPARISON = re.compile(r"(>=|<=|==|!=|>|<)\s*(.*)")
_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?")


class Condition(NamedTuple):
    """One comparison. The operator is empty for a literal, which must be found exactly."""

    operator: str
    operand: str


def parse_version(text: str) -> Version | None:
    """Major, minor and patch; what follows a `-` or `+` (a provider's build, a release candidate) does not count."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    major, minor, patch = (int(part or 0) for part in match.groups())
    return (major, minor, patch)


def parse_conditions(value: str) -> tuple[Condition, ...] | None:
    """The conjuncts of a constraint's value, or None when it can not be read.

    A value that begins with an operator is a list of comparisons separated by commas, each with a version (`==` and
    `!=` also take other text). Any other value is one literal.
    """
    if not re.match(r"[<>=!~^|]", value.strip()):
        return None if re.search(r"[<>|]", value) else (Condition("", value.strip()),)
    conditions = []
    for part in value.split(","):
        match = _COMPARISON.fullmatch(part.strip())
        if match is None or not match[2]:
            return None
        if match[1] not in {"==", "!="} and parse_version(match[2]) is None:
            return None
        if re.search(r"[<>=|\s]", match[2]):
            return None
        conditions.append(Condition(match[1], match[2]))
    return tuple(conditions)


def holds(condition: Condition, actual: str) -> bool | None:
    """Whether a fact satisfies a condition; None when the fact is no version but the condition compares versions.

    Order is judged by as many numbers as both sides have: 1.30.5 is `<= 1.30` and not `> 1.30`. Equality takes three.
    """
    wanted, found = parse_version(condition.operand), parse_version(actual)
    if condition.operator == "":
        return actual == condition.operand
    if condition.operator in {"==", "!="}:
        equal = wanted == found if wanted and found else actual == condition.operand
        return equal == (condition.operator == "==")
    if wanted is None or found is None:
        return None
    shared = min(places(condition.operand), places(actual))
    left, right = found[:shared], wanted[:shared]
    return {">=": left >= right, ">": left > right, "<=": left <= right, "<": left < right}[condition.operator]


def satisfiable(conditions: list[Condition]) -> bool:
    """Whether any fact can satisfy all conditions together."""
    exact = [_exact(condition) for condition in conditions if condition.operator in {"", "=="}]
    if exact:
        return any(all(holds(condition, fact) is True for condition in conditions) for fact in exact)
    least = max((boundary(c) for c in conditions if c.operator in {">=", ">"}), default=(0, 0, 0))
    most = min((boundary(c) for c in conditions if c.operator in {"<=", "<"}), default=None)
    if most is None:
        return True
    excluded = {parse_version(c.operand) for c in conditions if c.operator == "!="}
    while least in excluded:
        least = (*least[:2], least[2] + 1)
    return least < most


def _exact(condition: Condition) -> str:
    """The fact that a literal or `==` admits: of a version, all three numbers."""
    version = parse_version(condition.operand) if condition.operator else None
    return ".".join(map(str, version)) if version else condition.operand


def boundary(condition: Condition) -> Version:
    """The first version that `>=` and `>` admit, the first that `<` and `<=` do not."""
    numbers = list(parse_version(condition.operand) or (0, 0, 0))
    if condition.operator in {">", "<="}:
        numbers[places(condition.operand) - 1] += 1
    major, minor, patch = numbers
    return (major, minor, patch)


def places(text: str) -> int:
    """How many numbers a version has."""
    match = _VERSION.fullmatch(text.strip())
    return sum(part is not None for part in match.groups()) if match else 0
