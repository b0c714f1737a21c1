"""The second pass: what only the kernel's files tell, asked for what the first pass found.

/sys/bus/pci/drivers has a link for each device below its driver, and /sys/kernel/iommu_groups one below its group: two
lists answer for all devices, and about drivers they are truer than Talos's own record, which is from the boot.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.talos.cpus import parse_cpus
from groundswell.talos.page_arguments import KIB_1GI, KIB_2MI
from groundswell.talos_client import answers
from groundswell.talos_client.facts import Missing, NumaNode
from groundswell.talos_client.question import listing, read

if TYPE_CHECKING:
    from groundswell.talos_client.facts import Facts, PciDevice, Processors
    from groundswell.talos_client.question import Ask, Question


_NODES = "/sys/devices/system/node"
_DRIVERS = listing("/sys/bus/pci/drivers", 2)  # DRIVER/ADDRESS
_GROUPS = listing("/sys/kernel/iommu_groups", 3)  # GROUP/devices/ADDRESS
# Storage, network, display and processing accelerators: what somebody may hand to user space.
_PLACED_CLASSES = frozenset(["0x01", "0x02", "0x03", "0x12"])
_KIB_PER_MIB = 1024


def pages(node: int, kib: int) -> Question:
    """How many hugepages of a size a NUMA node has."""
    return read(f"{_NODES}/node{node}/hugepages/hugepages-{kib}kB/nr_hugepages")


def with_kernel_facts(ask: Ask, facts: Facts) -> tuple[Facts, tuple[Missing, ...]]:
    """The facts with NUMA nodes, hugepages, IOMMU groups, drivers and siblings, and what was not told."""
    reader = _Reader(ask, facts.node)
    numa_nodes = _numa_nodes(reader)
    processors = _processors(reader, facts.processors, numa_nodes)
    memory = (
        facts.memory_mib or answers.kilobytes(reader.text(read("/proc/meminfo"), "memory"), "MemTotal") // _KIB_PER_MIB
    )
    groups = {name[-1]: name[0] for name in reader.names(_GROUPS, "IOMMU groups") if "devices" in name}
    drivers = {name[-1]: name[0] for name in reader.names(_DRIVERS, "drivers of devices")}
    devices = tuple(_device(reader, device, groups.get(device.address)) for device in facts.devices)
    if drivers:
        devices = tuple(replace(device, driver=drivers.get(device.address, "")) for device in devices)
    done = replace(facts, memory_mib=memory, processors=processors, numa_nodes=numa_nodes, devices=devices)
    return done, tuple(reader.missing)


class _Reader:
    """Reads files and directories of one machine, and remembers what it did not tell."""

    def __init__(self, ask: Ask, node: str) -> None:
        self.missing: list[Missing] = []
        self._ask = ask
        self._node = node

    def text(self, question: Question, what: str) -> str:
        """A file's text, "" when it is not told."""
        answer = self._ask(self._node, question)
        if answer.problem:
            self.missing.append(Missing(what, answer.problem))
        return answer.text if not answer.problem else ""

    def number(self, question: Question) -> int | None:
        """The number in a file. One that does not exist is no fact that is missing: the kernel has no such thing."""
        answer = self._ask(self._node, question)
        return answers.number(answer.text) if not answer.problem else None

    def names(self, question: Question, what: str) -> list[list[str]]:
        """The paths below a directory, each in its parts, as deep as was asked for."""
        found = (name.split("/") for name in answers.names(self.text(question, what)))
        return [parts for parts in found if len(parts) == question.depth]


def _numa_nodes(reader: _Reader) -> tuple[NumaNode, ...]:
    online = parse_cpus(reader.text(read(f"{_NODES}/online"), "NUMA nodes").strip()) or frozenset()
    return tuple(_numa_node(reader, node) for node in sorted(online))


def _numa_node(reader: _Reader, node: int) -> NumaNode:
    memory = reader.text(read(f"{_NODES}/node{node}/meminfo"), f"memory of NUMA node {node}")
    return NumaNode(
        id=node,
        cpus=reader.text(read(f"{_NODES}/node{node}/cpulist"), f"CPUs of NUMA node {node}").strip(),
        memory_mib=answers.kilobytes(memory, "MemTotal") // _KIB_PER_MIB,
        pages_2mi=reader.number(pages(node, KIB_2MI)),
        pages_1gi=reader.number(pages(node, KIB_1GI)),
    )


def _processors(reader: _Reader, told: Processors, numa_nodes: tuple[NumaNode, ...]) -> Processors:
    """The processors with siblings from /proc/cpuinfo where Talos does not tell them (below 1.14)."""
    siblings = told.siblings or answers.sibling_lists(reader.text(read("/proc/cpuinfo"), "siblings of CPUs"))
    cpus = sum(len(parse_cpus(node.cpus) or ()) for node in numa_nodes)
    return replace(told, siblings=siblings, cpus=cpus or told.cpus)


def _device(reader: _Reader, device: PciDevice, group: str | None) -> PciDevice:
    number = None
    if device.class_id in _PLACED_CLASSES:
        number = reader.number(read(f"/sys/bus/pci/devices/{device.address}/numa_node"))
    # The kernel says -1 where the firmware does not tell.
    return replace(
        device,
        numa_node=number if number is not None and number >= 0 else None,
        iommu_group=int(group) if group and group.isdecimal() else None,
    )
