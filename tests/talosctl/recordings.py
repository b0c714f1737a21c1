"""Machines as `talosctl` tells of them: files in the formats that it prints, for `recorded.py` to answer from."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GIB = 1024 * 1024  # in kB, as the kernel counts
INSTALL, DATA = "0000:01:00.0", "0000:41:00.0"
NIC, GPU = "0000:61:00.0", "0000:81:00.0"


@dataclass
class Recorded:
    """The directory of a run: the program is on the PATH of `env`, what it was asked is in `calls`."""

    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def calls(self, *verbs: str) -> list[tuple[str, list[str], dict[str, str]]]:
        """Every call, or those of some verbs: the machine ("" when none is asked), the words, the options."""
        log = self.home / "log"
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [
            (options.get("--nodes", ""), words, options) for *words, options in lines if not verbs or words[0] in verbs
        ]

    def put(self, node: str, files: Mapping[str, str]) -> None:
        """Let a machine (or its state after a change, `NODE+patched`) answer with these files."""
        for name, text in files.items():
            path = self.home / node / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def recorded(home: Path) -> Recorded:
    """An empty set of recordings with its program."""
    program = home / "bin" / "talosctl"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{Path(__file__).parent / "recorded.py"}" "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return Recorded(home, {"PATH": path, "TALOSCTL_RECORDINGS": str(home)})


def stream(node: str, kind: str, items: Mapping[str, Any]) -> str:
    """Resources by ID as `get --output json` prints them: objects one after the other, keys sorted."""
    parts = [
        {
            "metadata": {"id": name, "namespace": "runtime", "owner": "a.Controller", "type": kind, "version": 1},
            "node": node,
            "spec": spec,
        }
        for name, spec in items.items()
    ]
    return "".join(json.dumps(part, indent=4) + "\n" for part in parts)


def version_text(node: str, version: str) -> str:
    client = "Client:\n\tTag:         v1.13.0\n\tSHA:         0000000\n\tOS/Arch:     linux/amd64\n"
    server = f"Server:\n\tNODE:        {node}\n\tTag:         {version}\n\tSHA:         1111111\n\tEnabled:     RBAC\n"
    return client + server


def device(class_id: str, subclass: str, vendor: str, product: str, driver: str = "") -> dict[str, str]:
    spec = {
        "class_id": class_id, "subclass_id": subclass, "vendor_id": vendor, "product_id": product,
        "class": "a class", "subclass": "a subclass", "vendor": "Example", "product": f"device {product}",
    }  # fmt: skip
    return {**spec, "driver": driver} if driver else spec


DEVICES = {
    "0000:00:00.0": device("0x06", "0x00", "0x1022", "0x1480"),
    INSTALL: device("0x01", "0x08", "0x144d", "0xa80a", "nvme"),
    DATA: device("0x01", "0x08", "0x144d", "0xa824", "nvme"),
    NIC: device("0x02", "0x00", "0x15b3", "0x101d", "mlx5_core"),
}


def disk(name: str, size: int, address: str, **more: Any) -> dict[str, Any]:
    return {
        "dev_path": f"/dev/{name}", "size": size, "model": "EXAMPLE NVME", "serial": f"SN-{name}", "readonly": False,
        "cdrom": False, "transport": "nvme", "bus_path": f"/pci0000:00/0000:00:01.1/{address}/nvme",
        "symlinks": [f"/dev/disk/by-id/nvme-eui.{name}", f"/dev/disk/by-path/pci-{address}-nvme-1"], **more,
    }  # fmt: skip


def hardware(
    node: str, version: str = "v1.13.2", *, gpu: bool = False, hostname: str = "talos-x1y-z2w"
) -> dict[str, str]:
    """What every machine tells, maintenance mode included: two NVMe disks, a network card, perhaps a GPU."""
    devices = {**DEVICES, GPU: device("0x03", "0x02", "0x10de", "0x2330")} if gpu else DEVICES
    resources: dict[str, dict[str, Any]] = {
        "disks": {
            "nvme0n1": disk("nvme0n1", 480 * 10**9, INSTALL),
            "nvme1n1": disk("nvme1n1", 3840 * 10**9, DATA),
            "sda": disk("sda", 32 * 10**9, "0000:00:14.0", transport="usb"),
            "sr0": disk("sr0", 10**9, "0000:00:17.0", cdrom=True),
        },
        "pcidevices": devices,
        "processors": {
            f"CPU-{number}": {
                "socket": f"P{number}", "manufacturer": "Advanced Micro Devices, Inc.", "productName": "EPYC 9124",
                "coreCount": 8, "threadCount": 16,
            } for number in range(2)
        },
        "memorymodules": {"DIMM-0": {"sizeMiB": 65536}, "DIMM-1": {}, "DIMM-2": {"sizeMiB": 65536}},
        "systeminformation": {
            "systeminformation": {
                "manufacturer": "Example", "productName": "Server 1", "serialnumber": f"S-{node}", "uuid": "u-1",
            }
        },
        "hostname": {"hostname": {"hostname": hostname, "domainname": ""}},
        "links": {
            "lo": {"hardwareAddr": "", "index": 1},
            "eth0": {"hardwareAddr": "aa:bb:cc:00:00:01", "busPath": NIC, "driver": "mlx5_core"},
        },
        "addresses": {
            f"eth0/{node}/24": {"address": f"{node}/24", "linkName": "eth0"},
            "lo/127.0.0.1/8": {"address": "127.0.0.1/8", "linkName": "lo"},
        },
        "securitystate": {"securitystate": {"secureBoot": False, "bootedWithUKI": True}},
    }  # fmt: skip
    found = {f"get/{kind}.json": stream(node, kind, items) for kind, items in resources.items()}
    return {**found, "version.txt": version_text(node, version)}


def maintenance(node: str, version: str = "v1.13.2", **more: Any) -> dict[str, str]:
    return {**hardware(node, version, **more), "maintenance": ""}


def kernel(
    *,
    drivers: Mapping[str, str] | None = None,
    pages: tuple[int, int] = (0, 0),
    whole: int = 0,
    modules: Iterable[str] = (),
    arguments: Iterable[str] = (),
) -> dict[str, str]:
    """The kernel's files of a machine with two NUMA nodes of 16 CPUs. `whole` 1 GiB pages are all on the first."""
    bound = {INSTALL: "nvme", DATA: "nvme", NIC: "mlx5_core", **(drivers or {})}
    sys_node = "read/sys/devices/system/node"
    files = {
        f"{sys_node}/online": "0-1\n",
        "read/proc/cmdline": " ".join(["talos.platform=metal", "slab_nomerge", *arguments]) + "\n",
        "read/proc/meminfo": f"MemTotal:       {128 * GIB} kB\n",
        "read/proc/cpuinfo": "\n".join(
            f"processor\t: {cpu}\nphysical id\t: {cpu // 8 % 2}\ncore id\t\t: {cpu % 8}\n" for cpu in range(32)
        ),
        "list/sys/bus/pci/drivers.txt": ".\n" + "".join(
            f"{name}\n{name}/bind\n" + "".join(f"{name}/{at}\n" for at, its in bound.items() if its == name)
            for name in sorted({*bound.values()} - {""})
        ),
        "list/sys/kernel/iommu_groups.txt": ".\n" + "".join(
            f"{group}\n{group}/devices\n{group}/devices/{at}\n{group}/type\n"
            for group, at in ((14, INSTALL), (15, DATA), (21, NIC))
        ),
        "list/sys/devices/system/node.txt": "NODE        NAME\n10.0.0.1    .\n10.0.0.1    node0\n10.0.0.1    node1\n",
        "list/sys/module.txt": ".\n" + "".join(f"{name}\n" for name in ("nvme", *modules)),
    }  # fmt: skip
    for node in range(2):
        files[f"{sys_node}/node{node}/cpulist"] = f"{8 * node}-{8 * node + 7},{16 + 8 * node}-{16 + 8 * node + 7}\n"
        files[f"{sys_node}/node{node}/meminfo"] = f"Node {node} MemTotal:   {64 * GIB} kB\n"
        for kib, count in ((2048, pages[node]), (1048576, whole if node == 0 else 0)):
            files[f"{sys_node}/node{node}/hugepages/hugepages-{kib}kB/nr_hugepages"] = f"{count}\n"
    for address, driver in bound.items():
        files[f"read/sys/bus/pci/devices/{address}/numa_node"] = "1\n" if address == DATA else "0\n"
        files[f"read/sys/bus/pci/devices/{address}/uevent"] = f"DRIVER={driver}\nPCI_CLASS=10802\n" if driver else ""
    return files


def configuration(node: str, text: str) -> dict[str, str]:
    """The machine configuration as a resource: its content is text. A second one is what was staged."""
    return {"get/machineconfig.json": stream(node, "MachineConfigs", {"persistent": "{}", "v1alpha1": text})}


def image(node: str, version: str, schematic: str) -> dict[str, str]:
    """What tells which image runs."""
    extensions = {
        "0": {"image": "0.sqsh", "metadata": {"name": "amd-ucode", "version": "20260801"}},
        "1": {"image": "1.sqsh", "metadata": {"name": "schematic", "version": schematic}},
    }
    return {
        "get/extensions.json": stream(node, "ExtensionStatuses", extensions),
        "version.txt": version_text(node, version),
    }
