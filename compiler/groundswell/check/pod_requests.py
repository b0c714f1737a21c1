"""What a pod asks of the machine that it runs on."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.objects import mapping, sequence
from groundswell.check.quantity import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.source.located import Json

Path: TypeAlias = "tuple[str | int, ...]"

_NONE = Fraction(0)


def containers(spec: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The containers of a pod, those that run before the others first."""
    return (container for _, container in containers_at(spec))


def containers_at(spec: Mapping[str, Json]) -> Iterator[tuple[Path, Mapping[str, Json]]]:
    """The same, each with its path in the spec."""
    for field in ("initContainers", "containers"):
        for index, container in enumerate(sequence(spec.get(field))):
            yield (field, index), mapping(container)


def pod_requests(spec: Mapping[str, Json]) -> dict[str, Fraction]:
    """What the scheduler counts: all that run together, or one that runs before them if it alone asks for more."""
    together: dict[str, Fraction] = {}
    before: dict[str, Fraction] = {}
    starting = [mapping(item) for item in sequence(spec.get("initContainers"))]
    for container in containers(spec):
        alone = container in starting and container.get("restartPolicy") != "Always"
        for resource, amount in container_requests(container).items():
            if alone:
                before[resource] = max(before.get(resource, _NONE), together.get(resource, _NONE) + amount)
            else:
                together[resource] = together.get(resource, _NONE) + amount
    return {name: max(together.get(name, _NONE), before.get(name, _NONE)) for name in {**together, **before}}


def container_requests(container: Mapping[str, Json]) -> dict[str, Fraction]:
    """What a container asks for; where it states a limit only, that much."""
    return {**_amounts(container, "limits"), **_amounts(container, "requests")}


def requested_at(spec: Mapping[str, Json], resource: str) -> Path:
    """Where in a pod's spec a resource is asked for first; () where it is not."""
    for path, container in containers_at(spec):
        for part in ("requests", "limits"):
            if resource in mapping(mapping(container.get("resources")).get(part)):
                return (*path, "resources", part, resource)
    return ()


def guaranteed(spec: Mapping[str, Json]) -> bool:
    """Whether the kubelet takes the pod for one of the class Guaranteed, so that whole CPUs can be its own."""
    for container in containers(spec):
        limits = _amounts(container, "limits")
        requests = container_requests(container)
        if any(not limits.get(name) or limits[name] != requests[name] for name in ("cpu", "memory")):
            return False
    return True


def whole_cpus(container: Mapping[str, Json]) -> int:
    """The CPUs that a container asks for when that is a whole number, else 0."""
    amount = container_requests(container).get("cpu", _NONE)
    return int(amount) if amount.denominator == 1 else 0


def _amounts(container: Mapping[str, Json], field: str) -> dict[str, Fraction]:
    stated = mapping(mapping(container.get("resources")).get(field))
    amounts = {str(name): parse_quantity(value) for name, value in stated.items()}
    return {name: amount for name, amount in amounts.items() if amount is not None}
