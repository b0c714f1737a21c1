"""Autoscalers: what they scale, between which bounds, and by what.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/autoscaling/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.containers import given
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.resources import container_resource, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_METRICS = {
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "External": "external",
    "ContainerResource": "containerResource",
}
_WANTED = {
    "Object": ("value", "averageValue"),
    "Pods": ("averageValue",),
    "Resource": ("averageUtilization", "averageValue"),
    "External": ("value", "averageValue"),
    "ContainerResource": ("averageUtilization", "averageValue"),
}
"""The fields of the target of a metric, of which one must be there, whatever its own type says."""
_ONE_OF_THEM = frozenset({"Resource", "External", "ContainerResource"})
"""The metrics whose target must not have more than one of them."""

_TO_NOTHING = 37
"""The minor from which on there may be no pod at all, as long as a metric is left."""
_LASTING = ("Object", "External")


def autoscaler(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A HorizontalPodAutoscaler, of any version."""
    least, most = value.get("minReplicas"), value.get("maxReplicas")
    if isinstance(least, int) and isinstance(most, int) and least > most > 0:
        yield Fault(("maxReplicas",), f"must not be below `minReplicas`, which is {least}")
    if isinstance(least, int) and least < (lowest := 0 if context.minor >= _TO_NOTHING else 1):
        yield Fault(("minReplicas",), f"must not be below {lowest}")
    elif least == 0 and not any(mapping(metric).get("type") in _LASTING for metric in sequence(value.get("metrics"))):
        yield Fault(("minReplicas",), "must only be 0 with a metric of the type `Object` or `External`")
    yield from (fault.below("scaleTargetRef") for fault in _scaled(mapping(value.get("scaleTargetRef"))))


def metric(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A metric has the part that its type names, and no other."""
    kind = value.get("type")
    field = _METRICS.get(kind) if isinstance(kind, str) else None
    if field and value.get(field) is None:
        yield Fault((), f"needs `{field}` with the type `{kind}`")
    for other in _METRICS.values() if field else ():
        if other != field and value.get(other) is not None:
            yield Fault((other,), f"must not be there with the type `{kind}`")
    target = mapping(mapping(value.get(field)).get("target")) if field else {}
    if target:
        yield from (fault.below(str(field), "target") for fault in _target(target, str(kind)))


def container_metric(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What a container has of a resource, which is one that containers can have."""
    name = value.get("name")
    if isinstance(name, str) and (problem := container_resource(name)):
        yield Fault(("name",), f"{problem}: {shown(name)}")


def _target(target: Mapping[str, Json], kind: str) -> Iterator[Fault]:
    wanted = _WANTED[kind]
    found = given(target, wanted)
    if not found:
        yield Fault((), f"needs {' or '.join(f'`{field}`' for field in wanted)} for a metric of the type `{kind}`")
    elif len(found) > 1 and kind in _ONE_OF_THEM:
        yield Fault((), f"must not have both {' and '.join(f'`{field}`' for field in found)}")
    for field in ("value", "averageValue"):
        amount = parsed(target.get(field))
        if amount is not None and amount <= 0:
            yield Fault((field,), f"must be more than nothing, not {shown(target[field])}")


def _scaled(target: Mapping[str, Json]) -> Iterator[Fault]:
    """What is scaled is found by its group, which only one kind of the core has none of."""
    version = target.get("apiVersion") or ""
    if not isinstance(version, str) or not target.get("kind"):
        return
    group, slash, _ = version.partition("/")
    if version.count("/") > 1 or (target.get("kind") != "ReplicationController" and not (group and slash)):
        where = ("apiVersion",) if version else ()
        yield Fault(where, f"needs an `apiVersion` with a group, such as `apps/v1`, not {shown(version)}")
