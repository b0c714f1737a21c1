"""Objects of built-in kinds, and changes to them: API server and validation must agree on which it takes.

`tests/e2e/test_validation.py` asks the server, and `tests/unit/check/test_validation.py` holds validation against what
it answered.
"""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from groundswell.check.alone import alone
from groundswell.check.objects import KubeObject
from groundswell.check.schema.violation import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GONE = object()
"""Stands for a field that is taken out."""

TEXTS = (
    *("", "a", "A", "a.b", "a_b", "-a", "a-", "1a", "80", "a--b", "a/b", "/a", "A.b/C", "a.b.c", "*.a.b", "a" * 64),
    *("a" * 16, "a" * 254, "..", "..a", "a/../b", "a b", "a=b", "é", "1.1.1.1", "10.0.0.0/8", "0%", "25%", "125%"),
    *("-1", "%"),
)
"""Tried in fields that have to have some form of text."""


class Sample(NamedTuple):
    """A base with another value in a field, and whether the API server takes it."""

    name: str
    base: str
    field: str
    item: dict[str, Any]
    fine: bool


@cache
def bases() -> Mapping[str, dict[str, Any]]:
    """The objects that are fine; not to be changed."""
    found: dict[str, dict[str, Any]] = _read("bases")
    return found


def samples() -> Iterator[Sample]:
    """Every change."""
    for file in ("metadata", "resources", "limits", "pods", "pods_alone", "workloads", "webhooks", "others"):
        for entry in _read(file):
            base, field = entry["base"], entry["field"]
            for fine in (True, False):
                for value in entry.get("good" if fine else "bad", ()):
                    name = f"{base} {field}={'gone' if value is GONE else str(value)[:60]}"
                    yield Sample(name, base, field, changed(base, field, value), fine)


def changed(base: str, field: str, value: Any) -> dict[str, Any]:
    """A base with another value in a field, whose path is that of the API server's messages, with dots only.

    Without a path the value are fields of a Secret.
    """
    item = deepcopy(bases()[base])
    if not field:
        return {**item, "data": {}, "stringData": {}, **value}
    holder: Any = item
    *above, last = field.split(".")
    for key in above:
        holder = holder[int(key)] if isinstance(holder, list) else holder.setdefault(key, {})
    if isinstance(holder, list):
        holder[int(last)] = value
    elif value is GONE:
        holder.pop(last, None)
    else:
        holder[last] = value
    return item


def judged(item: Mapping[str, Any], minor: int) -> list[str]:
    """Why an object is refused, as groundswell has it for a minor version of Kubernetes."""
    (found,) = alone([KubeObject("f", "", item, "ns")], minor, own=True)
    refused = [f"{problem.where} {problem.message}" for problem in found.violations if problem.effect is Effect.REFUSED]
    return refused + [f"{'.'.join(fault.path)} {fault.message}" for fault in found.faults]


def _read(name: str) -> Any:
    return _filled(yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_bytes()))


def _filled(value: Any) -> Any:
    """The value with what the signs in it stand for."""
    if isinstance(value, dict):
        return {_filled(key): _filled(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_filled(below) for below in value]
    if value == "<gone>":
        return GONE
    found = re.fullmatch(r"<(.)\*(\d+)>", value) if isinstance(value, str) else None
    return found[1] * int(found[2]) if found else value
