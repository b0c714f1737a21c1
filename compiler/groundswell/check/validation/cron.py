"""Schedules of a CronJob, read as the library does that Kubernetes uses.

https://github.com/robfig/cron/blob/v3/parser.go
"""

from __future__ import annotations

import re

from groundswell.check.digits import whole

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS: tuple[tuple[int, int, dict[str, int]], ...] = (
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    (0, 6, {name: number for number, name in enumerate(_DAYS)}),
)
_NAMED = frozenset({"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"})
_DURATION = r"[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)"


def cron_fault(text: str) -> str:
    """What is wrong with a schedule, "" when nothing is. A time zone before it is no part of one."""
    if text.startswith("@"):
        every = text.removeprefix("@every ")
        known = text in _NAMED or (every != text and re.fullmatch(_DURATION, every) is not None)
        return "" if known else f"`{text}` is no name of a schedule"
    fields = text.split()
    if len(fields) != len(_FIELDS):
        return f"has {len(fields)} fields, not {len(_FIELDS)}"
    for field, (least, most, names) in zip(fields, _FIELDS, strict=True):
        for part in field.split(","):
            if part and not _fits(part, least, most, names):
                return f"`{part}` is no number, range or step from {least} to {most}"
    return ""


def _fits(part: str, least: int, most: int, names: dict[str, int]) -> bool:
    """Whether one of the ranges of a field is within its bounds; a number with a step stands for all from it on."""
    bounds, slash, step = part.partition("/")
    low, dash, high = bounds.partition("-")
    if slash and not (_number(step, {}) or 0) > 0:
        return False
    if low in {"*", "?"}:
        return True
    first = _number(low, names)
    last = _number(high, names) if dash else most if slash else first
    return first is not None and last is not None and least <= first <= last <= most


def _number(text: str, names: dict[str, int]) -> int | None:
    if text.lower() in names:
        return names[text.lower()]
    return whole(text) if re.fullmatch(r"\+?[0-9]+", text) else None
