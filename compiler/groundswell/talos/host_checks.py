"""What cannot work on a host, as far as its facts are known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.cluster import union
from groundswell.talos.cpus import format_cpus
from groundswell.talos.node_labels import label_findings
from groundswell.talos.pools import pools

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Host, Placed
    from groundswell.talos.cpus import CpuSet

_PCI_ADDRESS = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]")
_BY_PATH = re.compile(r"/dev/disk/by-path/pci-([0-9a-f:.]+)-")


def host_findings(host: Host) -> Iterator[Diagnostic]:
    """Everything that is wrong with one host by itself."""
    yield from _cpus(host)
    yield from _numa_nodes(host)
    yield from _devices(host)
    yield from _instances(host)
    yield from label_findings(host)
    yield from pools(host)[1]


def _cpus(host: Host) -> Iterator[Diagnostic]:
    isolated, housekeeping = host.prep.isolated_sets(), host.prep.housekeeping_sets()
    for one in housekeeping:
        for other in isolated:
            yield from _overlap(one, "the housekeeping CPUs", other, "the isolated CPUs")
    instances = [(f"instance `{item.name.value}`", item.cpus) for item in host.prep.instances if item.cpus]
    for index, (name, cpus) in enumerate(instances):
        for before, theirs in instances[:index]:
            yield from _overlap(cpus, name, theirs, before)
        if all(item.value for item in isolated) and (missing := cpus.value - union(isolated)):
            text = f"CPUs {format_cpus(missing)} of {name} are not isolated"
            yield codes.CPU_MISSING(text, cpus.span, related=[Related(item.span, "isolated CPUs") for item in isolated])
    if host.cpus:
        for item in dict.fromkeys((*isolated, *housekeeping)):
            if missing := frozenset(cpu for cpu in item.value if cpu >= host.cpus.value):
                text = f"host `{host.name.value}` has no CPUs {format_cpus(missing)}"
                related = [Related(host.cpus.span, f"{host.cpus.value} CPUs, from 0")]
                yield codes.CPU_MISSING(text, item.span, related=related)
    if isolated and not housekeeping:
        text = f"host `{host.name.value}` isolates CPUs and names no housekeeping CPUs"
        yield codes.NO_HOUSEKEEPING(text, isolated[0].span)


def _overlap(one: Placed[CpuSet], what: str, other: Placed[CpuSet], against: str) -> Iterator[Diagnostic]:
    if shared := one.value & other.value:
        text = f"{what} and {against} share CPUs {format_cpus(shared)}"
        yield codes.CPU_OVERLAP(text, one.span, related=[Related(other.span, against)])


def _numa_nodes(host: Host) -> Iterator[Diagnostic]:
    if not host.numa_nodes:
        return
    nodes, related = host.numa_nodes.value, [Related(host.numa_nodes.span, "its NUMA nodes")]
    for node, pages in enumerate(host.prep.hugepages_2mi):
        if node >= nodes:
            text = f"host `{host.name.value}` has no NUMA node {node} for these pages"
            yield codes.BAD_NUMA_NODE(text, pages.span, related=related)
    for instance in host.prep.instances:
        if instance.numa_node and instance.numa_node.value >= nodes:
            text = f"host `{host.name.value}` has no NUMA node {instance.numa_node.value}"
            yield codes.BAD_NUMA_NODE(text, instance.numa_node.span, related=related)


def _devices(host: Host) -> Iterator[Diagnostic]:
    in_use = dict(_in_use(host))
    for placed, what in ((host.install_disk_controller, "controller"), (host.management_nic, "card")):
        if placed and not _PCI_ADDRESS.fullmatch(placed.value):
            yield _bad_address(placed, what)
    first: dict[str, Span] = {}
    for device in host.prep.devices:
        address, at = device.address.value, device.address.span
        if not _PCI_ADDRESS.fullmatch(address):
            yield _bad_address(device.address, "device")
        elif address in first:
            text = f"host `{host.name.value}` names the device `{address}` twice"
            yield codes.DEVICE_TWICE(text, at, related=[Related(first[address], "the first time")])
        elif address in in_use:
            what, place = in_use[address]
            text = f"`{address}` is the {what} of host `{host.name.value}`"
            yield codes.DEVICE_IN_USE(text, at, related=[Related(place, f"the {what}")])
        first.setdefault(address, at)


def _instances(host: Host) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for instance in host.prep.instances:
        name = instance.name.value
        if name in first:
            text = f"host `{host.name.value}` has two instances `{name}`"
            yield codes.INSTANCE_TWICE(text, instance.name.span, related=[Related(first[name], "the first one")])
        first.setdefault(name, instance.name.span)


def _in_use(host: Host) -> Iterator[tuple[str, tuple[str, Span]]]:
    """Addresses that Talos needs, with what they are."""
    if host.install_disk and (found := _BY_PATH.match(host.install_disk.value)):
        yield found[1], ("install disk's controller", host.install_disk.span)
    if host.install_disk_controller:
        yield host.install_disk_controller.value, ("install disk's controller", host.install_disk_controller.span)
    if host.management_nic:
        yield host.management_nic.value, ("management network card", host.management_nic.span)


def _bad_address(placed: Placed[str], what: str) -> Diagnostic:
    text = f"`{placed.value}` is not the PCI address of a {what}"
    return codes.BAD_PCI_ADDRESS(
        text, placed.span, help='such as `"0000:04:00.0"`: lower case, one digit for the function'
    )
