"""Classes: of priorities, and of controllers of Ingresses.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/scheduling/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/networking/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping
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
