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
    """Whether a fact satisfies a condition; None when the fact is no version but the condition compares versions."""
    wanted, found = parse_version(condition.operand), parse_version(actual)
    if condition.operator == "":
        return actual == condition.operand
    if condition.operator in {"==", "!="}:
        equal = wanted == found if wanted and found else actual == condition.operand
        return equal == (condition.operator == "==")
    if wanted is None or found is None:
        return None
    return {">=": found >= wanted, ">": found > wanted, "<=": found <= wanted, "<": found < wanted}[condition.operator]


def satisfiable(conditions: list[Condition]) -> bool:
    """Whether any fact can satisfy all conditions together."""
    exact = [condition.operand for condition in conditions if condition.operator in {"", "=="}]
    if exact:
        return any(all(holds(condition, fact) is True for condition in conditions) for fact in exact)
    least = max((_bound(c) for c in conditions if c.operator in {">=", ">"}), default=_bound(Condition(">=", "0")))
    most = min((_bound(c) for c in conditions if c.operator in {"<=", "<"}), default=None)
    if most is None:
        return True
    excluded = {parse_version(c.operand) for c in conditions if c.operator == "!="}
    first, behind = least
    while behind or first in excluded:
        first, behind = (*first[:2], first[2] + 1), 0
    return (first, 0) <= most


def _bound(condition: Condition) -> tuple[Version, int]:
    """A bound that sorts: `> v` lies behind v, `< v` before it."""
    version = parse_version(condition.operand) or (0, 0, 0)
    return (version, {">": 1, "<": -1}.get(condition.operator, 0))
