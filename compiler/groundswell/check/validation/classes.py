"""Classes: of priorities, of volumes, and of controllers of Ingresses.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/scheduling/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/networking/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.containers import repeated, twice
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import prefixed_path
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_HIGHEST = 1_000_000_000
_SYSTEM = "system-"
_OWN = frozenset({"system-node-critical", "system-cluster-critical"})
"""The classes that every cluster has."""
_LONGEST_CONTROLLER = 250


def priority_class(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A PriorityClass is none of the system's, and not as high."""
    name, number = mapping(value.get("metadata")).get("name"), value.get("value")
    if not isinstance(name, str) or name in _OWN:
        return
    if name.startswith(_SYSTEM):
        yield Fault(("metadata", "name"), f"must not begin with `{_SYSTEM}`: {shown(name)}", codes.BAD_NAME)
    elif isinstance(number, int) and _HIGHEST < number < 2**31:
        yield Fault(("value",), f"must not be above {_HIGHEST}, as {number} is")


def ingress_class(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """An IngressClass names its controller by a path below a host's name."""
    name = mapping(value.get("spec")).get("controller")
    if not name:
        yield Fault((), "needs `spec.controller`")
    elif isinstance(name, str) and (not prefixed_path(name) or len(name) > _LONGEST_CONTROLLER):
        message = f"must be a host's name, `/` and a path, at most {_LONGEST_CONTROLLER}, not {shown(name)}"
        yield Fault(("spec", "controller"), message, codes.BAD_NAME)


def parameters(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What an IngressClass is configured by: an object of the cluster, or one of a namespace."""
    scope, placed = value.get("scope"), value.get("namespace") is not None
    if scope == "Namespace" and not placed:
        yield Fault((), "needs `namespace` with the scope `Namespace`")
    elif scope in (None, "Cluster") and placed:
        yield Fault(("namespace",), "must only be there with the scope `Namespace`")


def topology(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """Where volumes of a StorageClass may be: each label once, and each of its values."""
    yield from repeated(value, "matchLabelExpressions", "key")
    for index, expression in enumerate(sequence(value.get("matchLabelExpressions"))):
        found = twice(mapping(expression), "values")
        yield from (fault.below("matchLabelExpressions", str(index)) for fault in found)
