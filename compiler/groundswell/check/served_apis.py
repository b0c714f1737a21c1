"""Which APIs the API server of a Kubernetes version serves, unless it is told to serve others."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.tables import table_lines
from groundswell.deploy.scopes import Scope, scope

if TYPE_CHECKING:
    from collections.abc import Iterator

Api = tuple[str, str]
"""Group and version as objects write it, `apps/v1`, and kind."""


class _Row(NamedTuple):
    first: int
    last: int
    served: bool
    version: str
    kinds: tuple[str, ...]


class Apis(NamedTuple):
    """Those of one minor: what is served, and what the server has but does not serve by default."""

    served: frozenset[Api]
    off: frozenset[Api]


@cache
def apis_of(minor: int) -> Apis:
    """The APIs of a minor version, or of the nearest that is known."""
    rows = [row for row in _rows() if row.first <= min(max(minor, oldest()), newest()) <= row.last]
    listed = {
        served: [(row.version, kind) for row in rows if row.served is served for kind in row.kinds]
        for served in (True, False)
    }
    return Apis(frozenset(listed[True]), frozenset(listed[False]))


@cache
def served_names(minor: int) -> tuple[str, ...]:
    """What Helm calls the APIs that are served: `apps/v1` and `apps/v1/Deployment`."""
    served = apis_of(minor).served
    return (*sorted({version for version, _ in served}), *sorted(f"{version}/{kind}" for version, kind in served))


@cache
def groups() -> frozenset[str]:
    """The API groups of all minors; "" is the core group."""
    return frozenset(row.version.rpartition("/")[0] for row in _rows())


def built_in(group: str, kind: str) -> bool:
    """Whether a kind is one of Kubernetes' own, in whichever version."""
    return group in groups() or scope(group, kind) is not Scope.UNKNOWN


@cache
def oldest() -> int:
    """The first minor that is known."""
    return min(row.first for row in _rows())


@cache
def newest() -> int:
    """The last minor that is known."""
    return max(row.last for row in _rows())


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(_read())


def _read() -> Iterator[_Row]:
    for line in table_lines("served-apis.tsv"):
        first, last, served, version, kinds = line.split("\t")
        yield _Row(int(first[2:]), int(last[2:]), served == "on", version, tuple(kinds.split()))
