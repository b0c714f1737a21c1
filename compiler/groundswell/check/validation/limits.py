"""Limits that a namespace sets: for single objects, and for all of them together.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/helper/helpers.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import QUALIFIED, qualified
from groundswell.check.validation.resources import container_resource, extended, parsed, single
from groundswell.check.validation.selectors import operands
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_TYPES = ("Pod", "Container", "PersistentVolumeClaim")
_BOUNDS = ("min", "defaultRequest", "default", "max", "maxLimitRequestRatio")
_ASCENDING = (
    ("min", "max"),
    ("min", "defaultRequest"),
    ("min", "default"),
    ("defaultRequest", "default"),
    ("defaultRequest", "max"),
    ("default", "max"),
)
"""Bounds of which the first must not be above the second."""

_COMPUTE = frozenset(
    {"cpu", "memory", *(f"{part}.{name}" for part in ("requests", "limits") for name in ("cpu", "memory"))}
)
_SPACE = frozenset({f"{part}ephemeral-storage" for part in ("", "requests.", "limits.")})
_OBJECTS = frozenset(
    {
        *("pods", "services", "services.nodeports", "services.loadbalancers", "replicationcontrollers"),
        *("resourcequotas", "secrets", "configmaps", "persistentvolumeclaims"),
    }
)
_SUMMED = frozenset({*_COMPUTE, *_SPACE, *_OBJECTS, "requests.storage"})
"""What a quota can name without a host's name before it."""
_HUGE = ("hugepages-", "requests.hugepages-")
_PODS = frozenset({"pods", *_COMPUTE})
_SCOPES = {
    **dict.fromkeys(("Terminating", "NotTerminating", "NotBestEffort", "PriorityClass"), _PODS),
    "CrossNamespacePodAffinity": _PODS,
    "BestEffort": frozenset({"pods"}),
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
"""Which of the resources that a quota can name a scope is about."""
_VALUED = frozenset({"PriorityClass", "VolumeAttributesClass"})
"""The scopes that are told apart by a value."""
_OPPOSED = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))


def limits(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The limits for a type of object, of which none is beyond another."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return
    if kind not in _TYPES and not ("/" in kind and qualified(kind)):
        listed = ", ".join(f"`{known}`" for known in _TYPES)
        yield Fault(("type",), f"must be one of {listed}, or have a host's name before it, not {shown(kind)}")
    bounds = {field: mapping(value.get(field)) for field in _BOUNDS}
    for field in ("default", "defaultRequest") if kind == "Pod" else ():
        if bounds.pop(field):
            yield Fault((field,), "must not be there with the type `Pod`")
    if kind == "PersistentVolumeClaim" and "storage" not in {**bounds["min"], **bounds["max"]}:
        yield Fault((), f"needs `storage` in `min` or `max` with the type `{kind}`")
    for field, amounts in bounds.items():
        for name in amounts:
            if message := container_resource(name) if kind in _TYPES[:2] else _resource(name):
                yield Fault((field, name), message, codes.BAD_QUANTITY)
    for name in {name: None for amounts in bounds.values() for name in amounts}:
        yield from _bounds({field: amounts[name] for field, amounts in bounds.items() if name in amounts}, name)
    yield from _promised(bounds, kind)


def _bounds(given: Mapping[str, Json], name: str) -> Iterator[Fault]:
    """Bounds of a resource that are beyond another, and how far limits may be above requests."""
    amounts = {field: amount for field, value in given.items() if (amount := parsed(value)) is not None}
    for low, high in _ASCENDING:
        if low in amounts and high in amounts and amounts[low] > amounts[high]:
            message = f"must not be above `{high}`, which is {shown(given[high])}, as {shown(given[low])} is"
            yield Fault((low, name), message, codes.BAD_QUANTITY)
    ratio, least, most = amounts.get("maxLimitRequestRatio"), amounts.get("min"), amounts.get("max")
    if ratio is not None and ratio < 1:
        yield Fault(("maxLimitRequestRatio", name), "must not be below 1", codes.BAD_QUANTITY)
    elif ratio is not None and least and most is not None and ratio > most / least:
        message = f"must not be above `max` divided by `min`, as {shown(given['maxLimitRequestRatio'])} is"
        yield Fault(("maxLimitRequestRatio", name), message, codes.BAD_QUANTITY)


def _promised(bounds: Mapping[str, Mapping[str, Json]], kind: str) -> Iterator[Fault]:
    """Defaults of what cannot be promised twice: the limit of a container is the largest unless something else is."""
    usual = {**bounds["max"], **bounds["default"]} if kind == "Container" else bounds.get("default", {})
    for name, value in bounds.get("defaultRequest", {}).items():
        asked, most = parsed(value), parsed(usual.get(name))
        if single(name) and asked is not None and most is not None and asked < most:
            message = f"must equal the limit of {shown(usual[name])}, not be {shown(value)}"
            yield Fault(("defaultRequest", name), message, codes.BAD_QUANTITY)


def resource_quota(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A ResourceQuota: what it sums up, and over which objects."""
    hard = mapping(value.get("hard"))
    for name, amount in hard.items():
        if message := _summed(name) or _counted(name, amount):
            yield Fault(("hard", name), message, codes.BAD_QUANTITY)
    selected = sequence(mapping(value.get("scopeSelector")).get("matchExpressions"))
    for scopes, path in (
        (sequence(value.get("scopes")), ("scopes",)),
        ([mapping(part).get("scopeName") for part in selected], ("scopeSelector", "matchExpressions")),
    ):
        for one, other in _OPPOSED:
            if one in scopes and other in scopes:
                yield Fault(path, f"must not have both `{one}` and `{other}`")
        for scope in dict.fromkeys(scope for scope in scopes if isinstance(scope, str) and scope in _SCOPES):
            others = [name for name in hard if _known(name) and name not in _SCOPES[scope]]
            if others:
                yield Fault(path, f"must not have `{scope}`, which is not about {shown(others[0])}")


def scope_requirement(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A scope that a selector names: it is there, or it has one of some values."""
    scope, operator = value.get("scopeName"), value.get("operator")
    if isinstance(scope, str) and scope in _SCOPES and scope not in _VALUED and operator != "Exists":
        yield Fault(("operator",), f"must be `Exists` with the scope `{scope}`")
    else:
        yield from operands(value, strict=False)


def _known(name: str) -> bool:
    return name in _SUMMED or name.startswith(_HUGE)


def _summed(name: str) -> str:
    """What is wrong with the name of what a quota sums up."""
    if not qualified(name):
        return f"must be {QUALIFIED}"
    if "/" in name or _known(name):
        return ""
    return "is no resource that a quota knows; objects of other kinds are counted by names like `count/jobs.batch`"


def _counted(name: str, value: Json) -> str:
    """What is wrong with the amount of what a quota sums up."""
    amount = parsed(value)
    if amount is None:
        return ""
    if amount < 0:
        return "must not be below 0"
    whole = name in _OBJECTS or extended(name)
    return f"must be a whole number, not {shown(value)}" if whole and amount.denominator != 1 else ""


def _resource(name: str) -> str:
    """What is wrong with the name of a resource of any object."""
    if not qualified(name):
        return f"must be {QUALIFIED}"
    return "" if "/" in name or _known(name) or name == "storage" else "is no resource that there is"
