"""Quantities, and the resources that containers and claims ask for.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.quantity import parse_quantity
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import QUALIFIED, qualified
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from groundswell.check.validation.fault import Context, Path
    from groundswell.source.located import Json

_STANDARD = frozenset({"cpu", "memory", "ephemeral-storage"})
_HUGE = "hugepages-"
_NATIVE = "kubernetes.io/"
_QUOTA = "requests."
_PERSISTENT = "io.k8s.api.core.v1.PersistentVolumeSpec"
_WIDER = "io.k8s.api.core.v1.TypedObjectReference"
_CONTENTS = frozenset({("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot")})
"""The groups and kinds that a claim may have its content from; the API server leaves out any other `dataSource`."""
_SCALES = ("Gi", "Mi", "G", "M")


def quantity_fault(value: Json) -> Iterator[Fault]:
    """What is wrong with a quantity, wherever one stands."""
    if isinstance(value, str | int | float) and not isinstance(value, bool) and parsed(value) is None:
        yield Fault(
            (), f"must be an amount such as `500m` or `2Gi`, not {shown(value)}{_guess(value)}", codes.BAD_QUANTITY
        )


def container_resources(resources: Mapping[str, Json], path: Path = ("resources",)) -> Iterator[Fault]:
    """The resources of a container: names, amounts, and requests that limits allow."""
    limits, requests = mapping(resources.get("limits")), mapping(resources.get("requests"))
    for part, listed in (("limits", limits), ("requests", requests)):
        for name, value in listed.items():
            for message in (container_resource(name), _counted(name, parsed(value))):
                if message:
                    yield Fault((*path, part, name), message, codes.BAD_QUANTITY)
    for name, value in requests.items():
        if message := _allowed(name, value, limits):
            yield Fault((*path, "requests", name), message, codes.BAD_QUANTITY)
    names = {*limits, *requests}
    if any(name.startswith(_HUGE) for name in names) and names.isdisjoint({"cpu", "memory"}):
        yield Fault(path, "asks for huge pages, which need `cpu` or `memory` too", codes.BAD_QUANTITY)


def overhead(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What a RuntimeClass adds to pods."""
    fixed = value.get("podFixed")
    for fault in container_resources({"limits": fixed} if isinstance(fixed, dict) else {}, ()):
        yield fault._replace(path=("podFixed", *fault.path[1:]))


def claim_resources(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The size of a claim, and modes that exclude each other."""
    asked = mapping(mapping(value.get("resources")).get("requests"))
    if asked.get("storage") is None:
        yield Fault(("resources",), "has no `requests.storage`", codes.BAD_QUANTITY)
    else:
        size = parsed(asked["storage"])
        if size is not None and size <= 0:
            yield Fault(("resources", "requests", "storage"), "must be more than nothing", codes.BAD_QUANTITY)
    modes = sequence(value.get("accessModes"))
    if "ReadWriteOncePod" in modes and any(mode != "ReadWriteOncePod" for mode in modes):
        yield Fault(("accessModes",), "must have no other mode beside `ReadWriteOncePod`")


def persistent_volume(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A PersistentVolume has one source, and a size."""
    known = mapping(context.definitions[_PERSISTENT].get("properties"))
    sources = [field for field, part in known.items() if str(mapping(part).get("$ref")).endswith("VolumeSource")]
    if len(found := [field for field in sources if value.get(field) is not None]) != 1:
        has = " and ".join(f"`{field}`" for field in found) or "none"
        yield Fault((), f"must have one source, not {has}")
    capacity = mapping(value.get("capacity"))
    if set(capacity) != {"storage"}:
        yield Fault(("capacity",) if "capacity" in value else (), "needs `capacity.storage`, and no other capacity")
    elif capacity["storage"] is None or ((size := parsed(capacity["storage"])) is not None and size <= 0):
        yield Fault(("capacity", "storage"), "must be more than nothing", codes.BAD_QUANTITY)
    if value.get("local") is not None and value.get("nodeAffinity") is None:
        yield Fault((), "needs `nodeAffinity` beside `local`")


def claim(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A claim by itself, whose content comes from another claim or from a snapshot; other sources are passed over."""
    wider = mapping(value.get("spec")).get("dataSourceRef")
    if isinstance(wider, dict) and _WIDER not in context.definitions:  # else the schema of this definition tells it
        yield from (fault.below("spec", "dataSourceRef") for fault in referring(wider))
    source = mapping(mapping(value.get("spec")).get("dataSource"))
    if (str(source.get("apiGroup") or ""), str(source.get("kind"))) in _CONTENTS and not source.get("name"):
        yield Fault(("spec", "dataSource"), "`name` is missing")


def claim_template(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A claim that is made for a pod, where no source is passed over."""
    source = mapping(value.get("spec")).get("dataSource")
    if isinstance(source, dict):
        yield from (fault.below("spec", "dataSource") for fault in referring(source))


def referring(value: Mapping[str, Json]) -> Iterator[Fault]:
    """What a reference to an object lacks."""
    for field in ("kind", "name"):
        if not value.get(field):
            yield Fault((), f"`{field}` is missing")


def parsed(value: Json) -> Fraction | None:
    """The number that a quantity stands for; space around it counts for nothing."""
    return parse_quantity(value.strip() if isinstance(value, str) else value)


def _guess(value: str | float) -> str:
    """What somebody may have meant who wrote `2GB` or `2gb`."""
    number = str(value).rstrip("bBiI")
    for scale in _SCALES:
        if number.lower().endswith(scale[0].lower()) and parsed(f"{number[:-1]}{scale}") is not None:
            return f"; did you mean `{number[:-1]}{scale}`?"
    return ""


def container_resource(name: str) -> str:
    """What is wrong with the name of a resource of a container."""
    if not qualified(name):
        return f"must be {QUALIFIED}"
    if "/" not in name:
        known = name in _STANDARD or name.startswith(_HUGE)
        return "" if known else "is no resource of containers, and those of others have a host's name before them"
    return "" if _NATIVE in name or extended(name) else "is no name for a resource"


def _counted(name: str, amount: Fraction | None) -> str:
    """What is wrong with the amount of a resource. Those of others are counted, huge pages come whole."""
    if amount is None:
        return ""
    if amount < 0:
        return "must not be below 0"
    if extended(name) and amount.denominator != 1:
        return "must be a whole number"
    page = parse_quantity(name.removeprefix(_HUGE)) if name.startswith(_HUGE) else None
    if page and (amount / page).denominator != 1:
        return f"must be a multiple of {name.removeprefix(_HUGE)}"
    return ""


def single(name: str) -> bool:
    """Whether a resource cannot be promised to more than one."""
    return name.startswith(_HUGE) or ("/" in name and _NATIVE not in name)


def extended(name: str) -> bool:
    """Whether a resource is that of others, whose name fits into a quota."""
    return "/" in name and _NATIVE not in name and not name.startswith(_QUOTA) and qualified(_QUOTA + name)


def _allowed(name: str, value: Json, limits: Mapping[str, Json]) -> str:
    """What is wrong with a request, given the limits. Whole things cannot be promised to more than one."""
    amount, limit = parsed(value), limits.get(name)
    if limit is None:
        return "needs a limit that equals it" if single(name) else ""
    most = parsed(limit)
    if amount is None or most is None:
        return ""
    if single(name) and amount != most:
        return f"must equal the limit of {shown(limit)}, not be {shown(value)}"
    return f"must not be more than the limit of {shown(limit)}, as {shown(value)} is" if amount > most else ""
