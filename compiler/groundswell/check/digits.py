"""Whole numbers in texts of any length: Python refuses to read, and to write, one of more than 4,300 digits.

https://docs.python.org/3/library/stdtypes.html#integer-string-conversion-length-limitation
"""

from __future__ import annotations

LONGEST = 40
"""The digits from which on a number is more than anything that Kubernetes counts."""


def whole(digits: str) -> int:
    """The number that digits stand for, perhaps with a `+`; one that is longer than `LONGEST` counts for that long."""
    plain = digits.lstrip("+").lstrip("0")
    return int(plain or "0") if len(plain) <= LONGEST else 10**LONGEST
