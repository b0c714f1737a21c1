"""Quantities of resources: `500m`, `16Gi`, `2`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from groundswell.check.digits import LONGEST, whole

if TYPE_CHECKING:
    from groundswell.source.located import Json

_FORM = re.compile(r"([+-]?)([0-9]*(?:\.[0-9]*)?)(?:[eE]([+-]?[0-9]+)|([numkMGTPE]|[KMGTPE]i)?)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {name: 1024 ** (power + 1) for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))}
_HIGHEST = 2**63
_MOST = 999


def parse_quantity(value: Json) -> Fraction | None:
    """The number that a quantity stands for; None when it is none. Like Kubernetes, a lone suffix is read as nothing.

    Digits beyond the first `LONGEST` after the point count for nothing, and an exponent, which is a number of 64 bits,
    counts for no more than `_MOST`.

    https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    found = _FORM.fullmatch(_text(value))
    if not found or not found[0]:
        return None
    sign, digits, exponent, suffix = found.groups()
    before, _, after = digits.partition(".")
    number = Fraction(f"{whole(before)}.{after[:LONGEST]}0")
    power = _signed(exponent) if exponent else _DECIMAL.get(suffix, 0)
    if not -_HIGHEST <= power < _HIGHEST:
        return None
    factor = _BINARY.get(suffix) or Fraction(10) ** max(-_MOST, min(power, _MOST))
    return -number * factor if sign == "-" else number * factor


def _signed(digits: str) -> int:
    return -whole(digits[1:]) if digits.startswith("-") else whole(digits)


def _text(value: float | str) -> str:
    """The value as it was written, or a number as large as makes no difference."""
    return str(value) if not isinstance(value, int) else str(max(-(10**LONGEST), min(value, 10**LONGEST)))


def format_bytes(number: Fraction) -> str:
    """A number of bytes in the largest binary unit in which it is whole: `16Gi`."""
    for name, factor in reversed(_BINARY.items()):
        if number >= factor and (number / factor).denominator == 1:
            return f"{number / factor}{name}"
    return str(number)
