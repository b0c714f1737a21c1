"""Questions about what a host is prepared for: devices, hugepages and CPUs for programs in user space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.talos.cpus import format_cpus, parse_cpus
from groundswell.talos.device_kinds import kind_of
from groundswell.talos_client.defaults import nvme_controllers
from groundswell.talos_client.iommu import group_problem
from groundswell.talos_client.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from groundswell.source.located import Json
    from groundswell.talos.cpus import CpuSet
    from groundswell.talos_client.facts import Facts
    from groundswell.talos_client.prompt import Respond

_KEPT_CORES = 2
"""Cores of each NUMA node that are left to the system."""
_NONE = "none"


def prepared(machine: Facts, label: str, used: Collection[str], respond: Respond) -> dict[str, Json]:
    """The `prep` of a host. `used` are the PCI addresses that the machine itself needs."""

    def ask(text: str, default: str, check: Callable[[str], str]) -> str:
        answer = respond(Prompt(f"{label}: {text}", default, check)).strip()
        return "" if answer in {_NONE, "0"} else answer

    prep: dict[str, Json] = {}
    spare = ",".join(nvme_controllers(machine, used)) or _NONE
    if devices := ask("PCI devices for vfio-pci", spare, lambda text: _device_problem(text, machine, used)):
        prep["vfio"] = [_device(machine, address.strip()) for address in devices.split(",")]
    pages: dict[str, Json] = {}
    if small := ask("2 MiB pages, for each NUMA node", "0", lambda text: _counts_problem(text, machine)):
        pages["2Mi"] = [int(count) for count in small.split(",")]
    if large := ask("1 GiB pages, over all NUMA nodes", "0", _count_problem):
        pages["1Gi"] = int(large)
    if pages:
        prep["hugepages"] = pages
    every = _all_cpus(machine)
    suggested = isolated_cpus(machine)
    if isolated := ask("CPUs to isolate", format_cpus(suggested) or _NONE, lambda text: _cpus_problem(text, every)):
        prep["isolatedCPUs"] = isolated
        rest = every - (parse_cpus(isolated) or frozenset())
        keeping = ask("CPUs for everything else", format_cpus(rest) or _NONE, lambda text: _cpus_problem(text, rest))
        if keeping:
            prep["housekeepingCPUs"] = keeping
    return prep


def isolated_cpus(machine: Facts) -> CpuSet:
    """All CPUs but those of the first cores of each NUMA node, siblings together; none where nodes are not known."""
    cores = [cpus for text in machine.processors.siblings if (cpus := parse_cpus(text))]
    isolated: set[int] = set()
    for node in machine.numa_nodes:
        own = parse_cpus(node.cpus) or frozenset()
        of_node = sorted((cpus for cpus in cores if cpus <= own), key=min) or [frozenset([cpu]) for cpu in sorted(own)]
        isolated.update(cpu for cpus in of_node[_KEPT_CORES:] for cpu in cpus)
    return frozenset(isolated)


def _device(machine: Facts, address: str) -> dict[str, Json]:
    """A device for user space with what pods are given it by: its kind and, where known, its IOMMU group."""
    device = next(item for item in machine.devices if item.address == address)
    group = {} if device.iommu_group is None else {"iommuGroup": device.iommu_group}
    return {"address": address, "kind": kind_of(device.class_id, device.subclass_id).value, **group}


def _all_cpus(machine: Facts) -> CpuSet:
    nodes = (parse_cpus(node.cpus) or frozenset() for node in machine.numa_nodes)
    return frozenset(cpu for cpus in nodes for cpu in cpus) or frozenset(range(machine.processors.cpus))


def _device_problem(text: str, machine: Facts, used: Collection[str]) -> str:
    if text == _NONE:
        return ""
    known = {device.address for device in machine.devices}
    chosen = [part.strip() for part in text.split(",")]
    for address in chosen:
        if address in used:
            return f"{address} is the install disk's controller or a management card"
        if address not in known:
            return f"the machine has no device {address}"
        if chosen.count(address) > 1:
            return f"{address} is named twice"
        if problem := group_problem(machine, address, chosen, used):
            return problem
    return ""


def _counts_problem(text: str, machine: Facts) -> str:
    counts = text.split(",")
    if not all(count.strip().isdecimal() for count in counts):
        return "must be numbers with commas between, one for each NUMA node"
    if machine.numa_nodes and len(counts) > len(machine.numa_nodes):
        return f"the machine has {len(machine.numa_nodes)} NUMA nodes"
    return ""


def _count_problem(text: str) -> str:
    return "" if text.isdecimal() else "must be a number"


def _cpus_problem(text: str, allowed: CpuSet) -> str:
    if text == _NONE:
        return ""
    cpus = parse_cpus(text)
    if cpus is None:
        return "must be a list of CPUs, such as 4-31,36-63"
    return f"the machine has no free CPUs {format_cpus(cpus - allowed)}" if allowed and cpus - allowed else ""
