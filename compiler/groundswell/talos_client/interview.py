"""From the facts of machines to what a Cluster file says of them, by questions that have sound defaults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.model.fields import NAME_LENGTH
from groundswell.talos.cluster import CONTROL_PLANE, WORKER
from groundswell.talos.version import parse_version
from groundswell.talos_client.defaults import (
    accelerated,
    controllers,
    cpu_vendor,
    disk_name,
    host_name,
    install_disks,
    is_name,
    management_nics,
)
from groundswell.talos_client.preparation import prepared
from groundswell.talos_client.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from groundswell.source.located import Json
    from groundswell.talos_client.facts import Disk, Facts
    from groundswell.talos_client.prompt import Respond

_ENDPOINT = re.compile(r"https://[A-Za-z0-9.:\[\]-]+")
_DEFAULT_VERSION = "v1.13.9"
_CONTROL_PLANES = 3
"""As many as keep a quorum when one fails."""


def cluster_settings(machines: Sequence[Facts], respond: Respond) -> dict[str, Json]:
    """A Cluster document without hosts."""
    roles = control_planes(machines)
    name = respond(Prompt("Name of the cluster", "cluster", _name_problem))
    endpoint = f"https://{_host_part(machines[roles[0]].node)}:6443"
    endpoint = respond(Prompt("URL of the Kubernetes API", endpoint, _endpoint_problem))
    running = next((machine.version for machine in machines if not parse_version(machine.version)[1]), _DEFAULT_VERSION)
    version = respond(Prompt("Talos version to compile for", running, _version_problem))
    target: dict[str, Json] = {"version": version, "endpoint": endpoint}
    if all(machine.secureboot for machine in machines):
        target["secureboot"] = True
    head = {"apiVersion": "groundswell.dev/v1alpha1", "kind": "Cluster", "metadata": {"name": name}}
    return {**head, "spec": {"talos": target}}


def control_planes(machines: Sequence[Facts]) -> list[int]:
    """Which machines are control planes unless somebody says otherwise, by their places in the list.

    Those that are control planes already; else three machines, one where there are fewer, rather without accelerators.
    """
    known = [index for index, machine in enumerate(machines) if machine.role in {CONTROL_PLANE, "init"}]
    if known:
        return known
    plain = [index for index, machine in enumerate(machines) if not accelerated(machine)] or [0]
    return plain[:_CONTROL_PLANES] if len(plain) >= _CONTROL_PLANES else plain[:1]


def host_settings(machine: Facts, role: str, taken: Collection[str], respond: Respond) -> dict[str, Json]:
    """What a Cluster file says of one machine. `taken` are the names of other hosts."""

    def name_problem(text: str) -> str:
        return f"another host is called {text}" if text in taken else _name_problem(text)

    label = f"{machine.node} ({machine.system.product})" if machine.system.product else machine.node
    role = respond(Prompt(f"{label}: role (controlplane or worker)", role, _one_of(CONTROL_PLANE, WORKER)))
    has = _yes(respond(Prompt(f"{label}: has accelerators", _word(accelerated(machine)), _one_of("yes", "no"))))
    name = respond(Prompt(f"{label}: name", host_name(machine, role, has, taken), name_problem))
    host: dict[str, Json] = {"name": name, "address": machine.node, "role": role}
    if has:
        host["accelerated"] = True
    disk = _install_disk(machine, label, respond)
    if disk is not None:
        host["installDisk"] = disk_name(disk)
        if disk.address:
            host["installDiskController"] = disk.address
    if nics := management_nics(machine):
        host["managementNIC"] = nics[0]
    host |= _hardware(machine)
    used = controllers(disk, nics)
    wanted = respond(Prompt(f"{label}: prepare it for programs in user space", "no", _one_of("yes", "no")))
    if _yes(wanted) and (prep := prepared(machine, label, used, respond)):
        host["prep"] = prep
    return host


def _install_disk(machine: Facts, label: str, respond: Respond) -> Disk | None:
    disks = install_disks(machine)
    if not disks:
        return None
    by_path = {disk.path: disk for disk in disks}
    listed = ", ".join(f"{disk.path} {disk.model} {disk.size // 10**9} GB" for disk in disks)
    text = f"{label}: disk to install to ({listed})"
    return by_path[respond(Prompt(text, disks[0].path, _one_of(*by_path)))]


def _hardware(machine: Facts) -> dict[str, Json]:
    """What checks need to know: vendor, CPUs, memory and NUMA nodes, as far as known."""
    found = {
        "cpuVendor": cpu_vendor(machine),
        "cpus": machine.processors.cpus,
        "memoryGiB": machine.memory_mib // 1024,
        "numaNodes": len(machine.numa_nodes),
    }
    return {key: value for key, value in found.items() if value}


def _host_part(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _word(flag: bool) -> str:
    return "yes" if flag else "no"


def _yes(text: str) -> bool:
    return text == "yes"


def _one_of(*words: str) -> Callable[[str], str]:
    return lambda text: "" if text in words else f"must be {' or '.join(words)}"


def _name_problem(text: str) -> str:
    return "" if is_name(text) else f"must be lower-case letters, digits and `-`, at most {NAME_LENGTH}"


def _endpoint_problem(text: str) -> str:
    return "" if _ENDPOINT.fullmatch(text) else "must be a URL such as https://10.0.0.10:6443"


def _version_problem(text: str) -> str:
    version, findings = parse_version(text)
    return "" if version else findings[0].message
