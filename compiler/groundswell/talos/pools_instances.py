"""What the pod of an instance needs to get the CPUs, pages and devices that its host is prepared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.cluster import Placed
from groundswell.talos.pools import HOST_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.talos.cluster import Host, Instance
    from groundswell.talos.placed_values import Tree
    from groundswell.talos.pools import Pool

_MIB_PER_PAGE = 2


class _Pages(NamedTuple):
    """The pages of one size that an instance gets."""

    size: str
    quantity: Placed[str]


def instances(host: Host, shares: Sequence[Pool]) -> dict[str, Tree]:
    """For each instance of a host by name: `nodeSelector`, `resources`, `volumes` and `volumeMounts` of its pod.

    The instances of a host share its pages and devices equally, those of a NUMA node its 2 MiB pages; a rest stays
    free. CPUs are whole numbers, which is what the kubelet gives a pod of its own.
    """
    return {item.name.value: _instance(item, host, shares) for item in host.prep.instances}


def _instance(instance: Instance, host: Host, shares: Sequence[Pool]) -> Mapping[str, Tree]:
    pages = [*_pages(instance, host)]
    resources: dict[str, Tree] = {}
    if instance.cpus and instance.cpus.value:
        resources["cpu"] = Placed(len(instance.cpus.value), instance.cpus.span)
    resources |= {f"hugepages-{item.size}": item.quantity for item in pages}
    for pool in shares:
        if share := pool.size // len(host.prep.instances):
            resources[pool.resource] = Placed(share, pool.devices[0].address.span)
    parts: dict[str, Tree] = {
        "nodeSelector": {HOST_LABEL: host.name},
        # Of pages and devices a container cannot ask for less than its limit, and of CPUs only a pod that does not
        # gets its own.
        "resources": {"requests": resources, "limits": resources} if resources else {},
        "volumes": [_volume(item) for item in pages],
        "volumeMounts": [_mount(item) for item in pages],
    }
    return {key: part for key, part in parts.items() if part}


def _pages(instance: Instance, host: Host) -> Iterator[_Pages]:
    prep = host.prep
    small, sharers = prep.hugepages_2mi, len(prep.instances)
    if instance.numa_node and all(item.numa_node for item in prep.instances):
        node = instance.numa_node.value
        small = small[node : node + 1]
        sharers = sum(item.numa_node is not None and item.numa_node.value == node for item in prep.instances)
    if count := sum(pages.value for pages in small) // sharers:
        yield _Pages("2Mi", Placed(f"{_MIB_PER_PAGE * count}Mi", small[0].span))
    whole = prep.hugepages_1gi
    if whole and (count := whole.value // len(prep.instances)):
        yield _Pages("1Gi", Placed(f"{count}Gi", whole.span))


def _volume(pages: _Pages) -> dict[str, Tree]:
    at = pages.quantity.span
    return {"name": Placed(_volume_name(pages), at), "emptyDir": {"medium": Placed(f"HugePages-{pages.size}", at)}}


def _mount(pages: _Pages) -> dict[str, Tree]:
    at = pages.quantity.span
    return {"name": Placed(_volume_name(pages), at), "mountPath": Placed(f"/dev/hugepages-{pages.size}", at)}


def _volume_name(pages: _Pages) -> str:
    return f"hugepages-{pages.size.lower()}"
