"""The hosts of a cluster as values of the components that hand its devices, pages and CPUs to pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.query import HostValues
from groundswell.talos.cluster import Placed
from groundswell.talos.placed_values import located
from groundswell.talos.pools import pools
from groundswell.talos.pools_instances import instances

if TYPE_CHECKING:
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.placed_values import Tree
    from groundswell.talos.pools import Pool

SRIOV_PLUGIN = "sriov-network-device-plugin"
GENERIC_PLUGIN = "generic-device-plugin"
PLUGINS = (SRIOV_PLUGIN, GENERIC_PLUGIN)


def host_values(cluster: Cluster, file: str) -> HostValues:
    """What the hosts of a cluster say on components. `file` is the Cluster file's identifier for origins.

    A device plugin gets `hosts`: for each host with devices for it, its pools by name, with what the plugin finds the
    devices by. A plugin without hosts, and a cluster without instances, are left out.
    """
    plugins: dict[str, dict[str, Tree]] = {name: {} for name in PLUGINS}
    pods: dict[str, Tree] = {}
    for host in cluster.hosts:
        shares, _ = pools(host)
        by_address = {pool.name: _by_address(pool) for pool in shares if pool.sriov_type}
        by_group = {pool.name: list(pool.groups) for pool in shares if not pool.sriov_type}
        for plugin, share in ((SRIOV_PLUGIN, by_address), (GENERIC_PLUGIN, by_group)):
            if share:
                plugins[plugin][host.name.value] = share
        if host.prep.instances:
            pods[host.name.value] = instances(host, shares)
    return HostValues(
        cluster=cluster.name,
        plugins={name: located({"hosts": hosts}, file) for name, hosts in plugins.items() if hosts},
        instances=located(pods, file) if pods else None,
    )


def _by_address(pool: Pool) -> Tree:
    first = pool.devices[0].address
    addresses = [device.address for device in pool.devices]
    return {"deviceType": Placed(pool.sriov_type or "", first.span), "addresses": addresses}
