"""Containers, their probes, mounts, variables and ports.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import qualified
from groundswell.check.validation.resources import container_resources, parsed

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from groundswell.check.validation.fault import Context, Validator
    from groundswell.source.located import Json

_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_ONCE = ("livenessProbe", "startupProbe")
_FIELDS = frozenset(
    {
        *(f"metadata.{field}" for field in ("name", "namespace", "uid")),
        *("spec.nodeName", "spec.serviceAccountName", "spec.host"),
        *(f"status.{field}" for field in ("hostIP", "hostIPs", "podIP", "podIPs")),
    }
)
_UNITS = frozenset(Fraction(base**power) for base in (1000, 1024) for power in range(7))
_DIVISORS = {"cpu": frozenset({Fraction(1), Fraction(1, 1000)})}
"""The units that resources are told in, and those of the one that has others."""


def container(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What is wrong with a container by itself."""
    yield from container_resources(mapping(value.get("resources")))
    yield from repeated(value, "ports", "name")
    yield from _variables(value)
    yield from _sources(value)
    yield from _mounts(value)
    for name in _ONCE:
        if mapping(value.get(name)).get("successThreshold", 1) not in (None, 0, 1):
            yield Fault((name, "successThreshold"), "must be 1")
    if mapping(value.get("readinessProbe")).get("terminationGracePeriodSeconds") is not None:
        yield Fault(("readinessProbe", "terminationGracePeriodSeconds"), "must not be there")


def repeated(value: Mapping[str, Json], field: str, key: str) -> Iterator[Fault]:
    """Entries of a list that have the same text in a field, "" counting for none."""
    seen: set[str] = set()
    for index, item in enumerate(sequence(value.get(field))):
        text = mapping(item).get(key)
        if isinstance(text, str) and text:
            if text in seen:
                yield Fault((field, str(index), key), f"stands twice: {shown(text)}")
            seen.add(text)


def each_once(field: str, key: str) -> Validator:
    """What refuses entries of a list that have the same text in a field."""
    return lambda value, _: repeated(value, field, key)


def twice(value: Mapping[str, Json], field: str) -> Iterator[Fault]:
    """Texts that stand more than once in a list."""
    texts = sequence(value.get(field))
    for index, text in enumerate(texts):
        if isinstance(text, str) and text in texts[:index]:
            yield Fault((field, str(index)), f"stands twice: {shown(text)}")


def given(value: Mapping[str, Json], fields: Iterable[str]) -> list[str]:
    """Those of the fields that have a value."""
    return [field for field in fields if value.get(field) is not None]


def one_handler(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A probe, or what is done at the beginning or the end of a container: in one way."""
    yield from exactly_one(value, _HANDLERS)


def exactly_one(value: Mapping[str, Json], fields: tuple[str, ...]) -> Iterator[Fault]:
    """Whether one of the fields is given, and no more."""
    found = given(value, fields)
    if len(found) != 1:
        listed = ", ".join(f"`{field}`" for field in fields)
        has = " and ".join(f"`{field}`" for field in found) or "none"
        yield Fault((), f"must have one of {listed}, not {has}")


def privileges(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A privileged container can gain privileges, whatever it says."""
    if value.get("privileged") is True and value.get("allowPrivilegeEscalation") is False:
        yield Fault(("allowPrivilegeEscalation",), "must not be false where `privileged` is true")


def local_profile(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A profile of the node has a path, and no other has."""
    there, wanted = value.get("localhostProfile") is not None, value.get("type") == "Localhost"
    if wanted and not there:
        yield Fault((), "needs `localhostProfile` with the type `Localhost`")
    elif there and not wanted:
        yield Fault(("localhostProfile",), "must only be there with the type `Localhost`")


def _variables(value: Mapping[str, Json]) -> Iterator[Fault]:
    for index, item in enumerate(sequence(value.get("env"))):
        variable = mapping(item)
        if variable.get("valueFrom") is None:
            continue
        source = mapping(variable["valueFrom"])
        yield from (fault.below("env", index, "valueFrom") for fault in exactly_one(source, _SOURCES))
        if variable.get("value"):
            yield Fault(("env", str(index), "valueFrom"), "must not be there beside a `value`")
        field = mapping(source.get("fieldRef")).get("fieldPath")
        if isinstance(field, str) and not of_pod(field, _FIELDS):
            yield Fault(
                ("env", str(index), "valueFrom", "fieldRef", "fieldPath"), f"is no field for variables: {shown(field)}"
            )


def of_pod(field: str, fields: Container[str]) -> bool:
    """Whether what may have the value of some `fields` of the pod can have that of a field."""
    found = re.fullmatch(r"metadata\.(labels|annotations)\['(.*)'\]", field)
    if not found:
        return field in fields
    return qualified(found[2].lower() if found[1] == "annotations" else found[2])


def resource_field(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The resource of a container as a number of units, of which there are only some."""
    _part, _dot, name = str(value.get("resource")).partition(".")
    if (unit := parsed(value.get("divisor"))) and unit not in _DIVISORS.get(name, _UNITS):
        wanted = "`1` or `1m`" if name in _DIVISORS else "`1` or a unit such as `1Mi`"
        yield Fault(("divisor",), f"must be {wanted}, not {shown(value['divisor'])}")


def _sources(value: Mapping[str, Json]) -> Iterator[Fault]:
    for index, item in enumerate(sequence(value.get("envFrom"))):
        yield from (
            fault.below("envFrom", index) for fault in exactly_one(mapping(item), ("configMapRef", "secretRef"))
        )


def _mounts(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Mounts that two-way propagation or two ways to name a part of the volume spoil."""
    privileged = mapping(value.get("securityContext")).get("privileged") is True
    for index, item in enumerate(sequence(value.get("volumeMounts"))):
        mount = mapping(item)
        if mount.get("mountPropagation") == "Bidirectional" and not privileged:
            yield Fault(
                ("volumeMounts", str(index), "mountPropagation"), "must not be `Bidirectional` without `privileged`"
            )
        if mount.get("subPath") and mount.get("subPathExpr"):
            yield Fault(("volumeMounts", str(index), "subPathExpr"), "must not be there beside `subPath`")
