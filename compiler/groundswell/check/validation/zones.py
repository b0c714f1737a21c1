"""Time zones, by the names that the API server knows.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/batch/validation/validation.go
"""

from __future__ import annotations

from functools import cache

from groundswell.check.tables import table_lines

_VARIANTS = ("posix/", "right/")
"""What some systems have every zone below as well, which the API server finds where it runs on one."""
_OF_THE_SYSTEM = frozenset({"posixrules", "localtime"})


def time_zone(text: str) -> bool:
    """Whether a text is the name of a time zone, in the case that it is written in."""
    for variant in _VARIANTS:
        text = text.removeprefix(variant)
    return text in _zones() or text in _OF_THE_SYSTEM


@cache
def _zones() -> frozenset[str]:
    lines = (line.split("\t") for line in table_lines("time-zones.tsv"))
    return frozenset(f"{area}/{name}".lstrip("/") for area, names in lines for name in names.split())
