"""What a host's preparation means in terms of arguments, modules, sysfs and kubelet settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.talos import wants
from groundswell.talos.cluster import union
from groundswell.talos.cpus import format_cpus
from groundswell.talos.extensions import MICROCODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Json
    from groundswell.talos.cluster import Host
    from groundswell.talos.wants import Want

# Without vfio_iommu_type1 a device bound to vfio-pci cannot be opened.
_MODULES = {"vfio-pci": ("vfio_pci", "vfio_iommu_type1"), "uio_pci_generic": ("uio_pci_generic",)}
_PAGES_2MI = "devices.system.node.node{node}.hugepages.hugepages-2048kB.nr_hugepages"


def derived_wants(host: Host) -> Iterator[Want]:
    """What follows from a host's devices, pages, CPUs and vendor, kernel arguments in their fixed order."""
    by = f"host `{host.name.value}`"
    prep = host.prep
    if host.cpu_vendor:
        yield wants.extension(MICROCODE[host.cpu_vendor.value], by, host.cpu_vendor.span)
    if prep.devices:
        at = prep.devices[0].address.span
        if host.cpu_vendor and host.cpu_vendor.value == "intel":
            yield wants.kernel_arg("intel_iommu=on", by, at)
        yield wants.kernel_arg("iommu=pt", by, at)
    for device in prep.devices:
        yield from (wants.module(name, by, device.address.span) for name in _MODULES[device.driver])
    if prep.hugepages_1gi:
        at = prep.hugepages_1gi.span
        yield wants.kernel_arg("hugepagesz=1G", by, at)
        yield wants.kernel_arg(f"hugepages={prep.hugepages_1gi.value}", by, at)
    if isolated := prep.isolated_sets():
        cpus = format_cpus(union(isolated))
        for key in ("isolcpus", "rcu_nocbs", "nohz_full"):
            yield wants.kernel_arg(f"{key}={cpus}", by, isolated[0].span)


def own_wants(host: Host) -> Iterator[Want]:
    """What the host asks for in so many words."""
    by = f"host `{host.name.value}`"
    prep = host.prep
    yield from (wants.extension(item.value, by, item.span) for item in prep.extensions)
    yield from (wants.module(item.value, by, item.span) for item in prep.modules)
    for name, parameters in prep.module_parameters.items():
        yield wants.module(name, by, parameters.span, parameters.value)
    yield from (wants.kernel_arg(item.value, by, item.span) for item in prep.kernel_args)
    yield from (wants.sysctl(key, item.value, by, item.span) for key, item in prep.sysctls.items())


def sysfs(host: Host) -> dict[str, str]:
    """The 2 MiB pages of each NUMA node, by path under /sys with dots."""
    return {_PAGES_2MI.format(node=node): str(pages.value) for node, pages in enumerate(host.prep.hugepages_2mi)}


def kubelet(host: Host) -> dict[str, Json]:
    """The kubelet's settings for isolated CPUs.

    Without reserved CPUs a kubelet with the static CPU manager does not start. `restricted` keeps an instance on the
    NUMA nodes that it fits on, and still takes pods that need more than one.
    """
    prep = host.prep
    reserved = union(prep.housekeeping_sets())
    if not prep.isolated_sets() or not reserved:
        return {}
    settings: dict[str, Json] = {"cpuManagerPolicy": "static", "reservedSystemCPUs": format_cpus(reserved)}
    if prep.instances and all(instance.numa_node for instance in prep.instances):
        settings["topologyManagerPolicy"] = "restricted"
    return settings
