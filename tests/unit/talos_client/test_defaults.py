from __future__ import annotations

from typing import Any

import pytest

from groundswell.talos_client.defaults import (
    accelerated,
    cpu_vendor,
    disk_name,
    host_name,
    install_disks,
    management_nics,
    nvme_controllers,
)
from groundswell.talos_client.facts import Disk, Facts, Link, NumaNode, PciDevice, Processors
from groundswell.talos_client.iommu import group_problem
from groundswell.talos_client.preparation import isolated_cpus


def machine(**facts: Any) -> Facts:
    return Facts("10.0.0.1", maintenance=False, **facts)


@pytest.mark.parametrize(
    ("classes", "vendor", "expected"),
    [
        (("0x03", "0x02"), "0x10de", True),
        (("0x03", "0x00"), "0x10de", False),
        (("0x03", "0x02"), "0x8086", False),
        (("0x12", "0x00"), "0x1da3", True),
        (("0x02", "0x00"), "0x10de", False),
    ],
)
def test_accelerators_are_not_what_drives_a_screen(classes: tuple[str, str], vendor: str, expected: bool) -> None:
    assert accelerated(machine(devices=(PciDevice("a", *classes, vendor, "0x1", "x"),))) is expected


def test_the_smallest_fit_disk_is_installed_to_by_its_surest_name() -> None:
    disks = (
        Disk("/dev/sda", 4 * 10**12),
        Disk(
            "/dev/sdb", 240 * 10**9, links=("/dev/disk/by-id/ata-X", "/dev/disk/by-id/wwn-0x5", "/dev/disk/by-path/p")
        ),
        Disk("/dev/sdc", 10**9),
        Disk("/dev/sdd", 32 * 10**9, transport="usb"),
        Disk("/dev/sde", 20 * 10**9, writable=False),
    )
    found = install_disks(machine(disks=disks))
    assert [disk.path for disk in found] == ["/dev/sdb", "/dev/sda"]
    assert disk_name(found[0]) == "/dev/disk/by-id/wwn-0x5"
    assert disk_name(found[1]) == "/dev/sda"


def test_the_management_card_carries_the_address_that_is_asked() -> None:
    links = (Link("eth0", "0000:01:00.0", "", ("192.168.0.1/24",)), Link("eth1", "0000:02:00.0", "", ("10.0.0.1/24",)))
    assert management_nics(machine(links=links)) == ["0000:02:00.0"]
    assert management_nics(machine(links=links[:1])) == []


def test_groups_keep_devices_from_user_space_that_something_else_is_in() -> None:
    def device(address: str, group: int | None, driver: str = "nvme") -> PciDevice:
        return PciDevice(address, "0x01", "0x08", "0x1", "0x1", "x", driver, iommu_group=group)

    disk, one, two, alone, beside, unknown = "d", "one", "two", "alone", "beside", "unknown"
    devices = (
        device(disk, 1), device(one, 1), device(two, 2), device(alone, 3),
        PciDevice("bridge", "0x06", "0x04", "0x1", "0x1", "x", "pcieport", iommu_group=3),
        device(beside, 4), PciDevice("gpu", "0x03", "0x02", "0x1", "0x1", "x", "nvidia", iommu_group=4),
        device(unknown, None), device("pair-a", 5), device("pair-b", 5),
    )  # fmt: skip
    found = machine(devices=devices)
    assert nvme_controllers(found, {disk}) == [two, alone, unknown, "pair-a", "pair-b"]
    assert group_problem(found, "pair-a", ["pair-a"], ()).endswith("pair-b (nvme), which would have to go, too")
    assert "install disk's controller" in group_problem(found, one, [one], {disk})
    assert group_problem(found, beside, [beside, "gpu"], ()) == ""


@pytest.mark.parametrize(
    ("vendor", "expected"),
    [
        ("GenuineIntel", "intel"),
        ("Intel(R) Corporation", "intel"),
        ("Advanced Micro Devices, Inc.", "amd"),
        ("ARM", ""),
    ],
)
def test_vendors_by_what_the_firmware_calls_them(vendor: str, expected: str) -> None:
    assert cpu_vendor(machine(processors=Processors(vendor=vendor))) == expected


def test_names_are_the_machines_own_unless_made_up_or_taken() -> None:
    assert host_name(machine(hostname="node7.lab"), "worker", has_accelerators=False, taken=()) == "node7"
    assert host_name(machine(hostname="talos-abc"), "worker", has_accelerators=True, taken={"gpu-1"}) == "gpu-2"
    assert host_name(machine(hostname="node7"), "controlplane", has_accelerators=True, taken={"node7"}) == "cp-1"


def test_siblings_are_isolated_together_and_two_cores_of_each_node_kept() -> None:
    nodes = (NumaNode(0, "0-3,8-11", 1), NumaNode(1, "4-7,12-15", 1))
    siblings = tuple(f"{cpu},{cpu + 8}" for cpu in range(8))
    assert isolated_cpus(machine(numa_nodes=nodes, processors=Processors(siblings=siblings))) == {
        2,
        3,
        10,
        11,
        6,
        7,
        14,
        15,
    }
    assert isolated_cpus(machine(numa_nodes=nodes)) == {2, 3, 8, 9, 10, 11, 6, 7, 12, 13, 14, 15}
    assert isolated_cpus(machine()) == frozenset()
