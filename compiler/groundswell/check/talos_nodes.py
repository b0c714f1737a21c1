"""Machines with Talos as the node layer prepares them: what pods find there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from groundswell.check.nodes import ARCHITECTURE, CONTROL_PLANE, HOSTNAME, Node
from groundswell.talos.cluster import union
from groundswell.talos.hugepages import GLOBAL_COUNT
from groundswell.talos.kernel_settings import setting_path
from groundswell.talos.machines import class_machines, host_machines
from groundswell.talos.page_arguments import KIB_2MI, page_arguments, size_kib
from groundswell.talos.pools import DOMAIN, HOST_LABEL, pools
from groundswell.talos.target import Target
from groundswell.talos.version import parse_version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.machine import Machine

_SIZES = ("2Mi", "1Gi")
_BYTES_PER_KIB = 1024
_GIB = 1024**3


def class_nodes(plan: Plan) -> tuple[Node, ...]:
    """One node per class of machines; none when the plan states no version of Talos."""
    version, _ = parse_version(plan.resolution.talos_version)
    machines, _ = class_machines(_components(plan), Target(version)) if version else ((), ())
    return tuple(Node(machine.name, machine.software) for machine in machines)


def host_nodes(plan: Plan, cluster: Cluster) -> tuple[Node, ...]:
    """One node per host of a cluster."""
    machines, _ = host_machines(cluster, _components(plan))
    by_name = {machine.name: machine for machine in machines}
    supposed = frozenset() if cluster.set_hostnames else frozenset(by_name)
    everywhere = {HOST_LABEL: None, **{label: None for machine in machines for label in machine.labels}}
    return tuple(
        Node(
            machine.name,
            machine.software,
            host.control_plane,
            {**everywhere, **_labels(host), **machine.labels},
            _capacities(host, machine),
            ("hugepages-", f"{DOMAIN}/"),
            _exclusive_cpus(host, machine),
            supposed,
        )
        for host in cluster.hosts
        if (machine := by_name.get(host.name.value))
    )


def _components(plan: Plan) -> Sequence[Component]:
    return [plan.components[name] for name in sorted(plan.components)]


def _labels(host: Host) -> dict[str, str | None]:
    known: dict[str, str | None] = {"kubernetes.io/os": "linux", HOSTNAME: host.name.value}
    known[CONTROL_PLANE] = "" if host.control_plane else None
    if host.cpu_vendor:
        known[ARCHITECTURE] = "amd64"
    return known


def _capacities(host: Host, machine: Machine) -> dict[str, Fraction]:
    """What can be asked for: devices and pages, and of CPUs and memory what is left beside the system and the pages."""
    pages = {size: _hugepages(machine, size) for size in _SIZES}
    shares, _ = pools(host)
    known = {f"hugepages-{size}": Fraction(amount) for size, amount in pages.items()}
    known |= {pool.resource: Fraction(pool.size) for pool in shares}
    if host.cpus:
        known["cpu"] = Fraction(host.cpus.value - len(union(host.prep.housekeeping_sets())))
    if host.memory_gib:
        known["memory"] = Fraction(host.memory_gib.value * _GIB - sum(pages.values()))
    return known


def _exclusive_cpus(host: Host, machine: Machine) -> int | None:
    if machine.kubelet.get("cpuManagerPolicy") != "static":
        return 0
    return host.cpus.value - len(union(host.prep.housekeeping_sets())) if host.cpus else None


def _hugepages(machine: Machine, size: str) -> int:
    """Bytes in pages of a size: those of the kernel's arguments, of sysfs and of the sysctl."""
    asked = page_arguments(machine.software.kernel_args)
    kib = size_kib(size.removesuffix("i"))
    pages = sum(item.pages for item in asked.counted if item.kib == kib)
    if kib == KIB_2MI:
        pages += sum(int(count) for path, count in machine.sysfs.items() if "hugepages-2048kB" in path)
    for key, count in machine.software.sysctls.items():
        if setting_path(key) == GLOBAL_COUNT and count.isdecimal() and asked.default_kib == kib:
            pages += int(count)
    return pages * kib * _BYTES_PER_KIB
