"""Devices that pods claim.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/resource/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.pod_requests import containers_at
from groundswell.check.validation.containers import exactly_one
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json


def pod_claims(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """Containers use the claims of their pod."""
    names = [mapping(claim).get("name") for claim in sequence(value.get("resourceClaims"))]
    for place, container in containers_at(value):
        for index, entry in enumerate(sequence(mapping(container.get("resources")).get("claims"))):
            name = mapping(entry).get("name")
            if isinstance(name, str) and name and name not in names:
                path = (*map(str, place), "resources", "claims", str(index), "name")
                yield Fault(path, f"names the claim {shown(name)}, which the pod does not have")


def pod_claim(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A claim of a pod is there already, or made from a template."""
    yield from exactly_one(value, ("resourceClaimName", "resourceClaimTemplateName"))


def request(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A request is for one kind of device, or for the first one that there is of several."""
    there = {field: found for field, found in value.items() if found != []}
    yield from exactly_one(there, ("exactly", "firstAvailable"))


def exact_request(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A number of devices, or all of them."""
    count = value.get("count")
    if isinstance(count, int) and count and value.get("allocationMode") == "All":
        yield Fault(("count",), "must not be there with the mode `All`")
    elif isinstance(count, int) and count < 0:
        yield Fault(("count",), "must be more than 0")
