"""Integers that do not reach a chart's templates as they were written."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Json, PathKey

_EXPONENT_FROM = 1_000_000
_EXACT_UP_TO = 2**53


class Risk(Enum):
    """What happens to an integer: Helm holds every number of a values file as a 64-bit float."""

    EXPONENT = "exponent"
    """`{{ .Values.x }}` prints it in exponent form (1000000 as `1e+06`); `toYaml` and `int64` do not."""
    DIGITS = "digits"
    """A float cannot hold all of its digits: another number arrives."""


class NumberAtRisk(NamedTuple):
    """One such integer and where it stands."""

    path: tuple[PathKey, ...]
    value: int
    risk: Risk


def numbers_at_risk(data: Json) -> tuple[NumberAtRisk, ...]:
    """All integers of a value that Go templates print in exponent form or that lose digits, in document order."""
    return tuple(_search(data, ()))


def _search(data: Json, path: tuple[PathKey, ...]) -> Iterator[NumberAtRisk]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _search(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _search(value, (*path, index))
    elif isinstance(data, int) and abs(data) >= _EXPONENT_FROM:
        yield NumberAtRisk(path, data, Risk.DIGITS if abs(data) > _EXACT_UP_TO else Risk.EXPONENT)
