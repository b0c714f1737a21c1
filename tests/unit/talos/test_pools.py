"""VFIO devices in pools: what each device plugin gets, and the devices that no pod can be given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import talos_kit
from groundswell.model.cluster_document import read_cluster
from groundswell.source.span import Span
from groundswell.talos.cluster import Cluster, Device, Host, Placed, Prep
from groundswell.talos.device_kinds import DeviceKind, kind_of
from groundswell.talos.pools import pools
from groundswell.talos.pools_values import GENERIC_PLUGIN, SRIOV_PLUGIN, host_values

NOWHERE = Span(talos_kit.FILE, 1, 1, 1, 1)
DEVICES = """\
    - {address: "0000:41:00.0", kind: nvme, iommuGroup: 52}
    - {address: "0000:42:00.0", kind: nvme, iommuGroup: 53}
    - {address: "0000:43:00.0", kind: network}
    - {address: "0000:44:00.0", kind: accelerator}
    - {address: "0000:45:00.0", kind: gpu, iommuGroup: 7}
    - {address: "0000:46:00.0", kind: other, iommuGroup: 8}
    - {address: "0000:47:00.0", kind: storage, iommuGroup: 9}
"""
WORKER = "- name: w1\n  role: worker\n  prep:\n    vfio:\n" + "".join(f"  {line}\n" for line in DEVICES.splitlines())


def cluster(hosts: str) -> Cluster:
    described, findings = read_cluster(talos_kit.text(hosts).encode(), talos_kit.FILE)
    assert described is not None
    assert not findings
    return described


def values(hosts: str) -> dict[str, Any]:
    """What the plugins get; there must be no findings."""
    described = cluster(hosts)
    assert not [finding for host in described.hosts for finding in pools(host)[1]]
    found = host_values(described, "cluster/lab.yaml")
    return {name: item.data for name, item in found.plugins.items()}


def wrong(devices: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each finding about a worker's devices, as the node layer tells it."""
    text = "- name: w1\n  prep:\n    vfio:\n" + "".join(f"      {line}\n" for line in devices.splitlines())
    _, findings = talos_kit.rendered(talos_kit.text(text))
    return [(item.code, item.span.line, item.span.column) for item in findings if item.span]


@pytest.mark.parametrize(
    ("class_id", "subclass_id", "kind"),
    [
        ("0x01", "0x08", "nvme"),
        ("0x01", "0x06", "storage"),
        ("0x01", "0x07", "storage"),
        ("0x02", "0x00", "network"),
        ("0x02", "0x07", "network"),
        ("0x02", "0x08", "network"),
        ("0x03", "0x02", "gpu"),
        ("0x0b", "0x40", "other"),
        ("0x12", "0x00", "accelerator"),
    ],
)
def test_the_kind_follows_from_the_pci_class(class_id: str, subclass_id: str, kind: str) -> None:
    assert kind_of(class_id, subclass_id).value == kind


def test_each_kind_is_a_pool_of_the_plugin_that_sees_it() -> None:
    assert values(WORKER) == {
        SRIOV_PLUGIN: {
            "hosts": {
                "w1": {
                    "worker-accelerator": {"deviceType": "accelerator", "addresses": ["0000:44:00.0"]},
                    "worker-network": {"deviceType": "netDevice", "addresses": ["0000:43:00.0"]},
                }
            }
        },
        GENERIC_PLUGIN: {
            "hosts": {
                "w1": {"worker-gpu": [7], "worker-nvme": [52, 53], "worker-other": [8], "worker-storage": [9]},
            }
        },
    }


def test_each_role_has_pools_of_its_own() -> None:
    hosts = WORKER + WORKER.replace("name: w1", "name: c1").replace("role: worker", "role: controlplane")
    assert values(hosts)[GENERIC_PLUGIN]["hosts"]["c1"]["controlplane-nvme"] == [52, 53]
    assert set(values(hosts)[SRIOV_PLUGIN]["hosts"]) == {"w1", "c1"}


def test_a_host_on_the_kernels_path_gets_nothing() -> None:
    plain = "- {name: sata1, installDisk: /dev/sda, prep: {kernelModules: [iscsi_tcp]}}"
    found = host_values(cluster(plain), "cluster/lab.yaml")
    assert (found.plugins, found.instances) == ({}, None)
    assert "nodeLabels" not in talos_kit.patch_of(talos_kit.text(plain), "sata1")[0]["machine"]
    # Beside a host with devices it is not named either.
    assert {host for plugin in values(WORKER + plain).values() for host in plugin["hosts"]} == {"w1"}


@pytest.mark.parametrize("version", ["v1.13.2", "v1.14.1"])
def test_a_host_with_devices_carries_the_label_that_plugins_look_for(version: str) -> None:
    source = talos_kit.text(WORKER.replace("role: worker", "installDisk: /dev/sda"), version=version)
    documents = talos_kit.patch_of(source, "w1")
    labels = [item.get("labels") or item.get("machine", {}).get("nodeLabels") for item in documents]
    assert [item for item in labels if item] == [{"groundswell.dev/host": "w1"}]


def test_a_device_of_unknown_kind_is_told_at_its_place() -> None:
    assert wrong('- {address: "0000:41:00.0", iommuGroup: 3}') == [("T250", 12, 23)]


def test_a_device_of_unknown_group_is_told_unless_its_plugin_finds_it_by_address() -> None:
    devices = '- {address: "0000:41:00.0", kind: nvme}\n- {address: "0000:42:00.0", kind: network}'
    assert wrong(devices) == [("T251", 12, 23)]


@pytest.mark.parametrize(
    ("first", "second"),
    [("nvme", "network"), ("nvme", "gpu"), ("network", "network"), ("accelerator", "network")],
)
def test_devices_of_one_group_cannot_go_to_two_pods(first: str, second: str) -> None:
    devices = [f'{{address: "0000:4{n}:00.0", kind: {kind}, iommuGroup: 5}}' for n, kind in enumerate((first, second))]
    assert [code for code, *_ in wrong("\n".join(f"- {item}" for item in devices))] == ["T252"]


def test_devices_of_one_group_and_kind_go_to_pods_together() -> None:
    together = WORKER.replace("iommuGroup: 53", "iommuGroup: 52")
    assert values(together)[GENERIC_PLUGIN]["hosts"]["w1"]["worker-nvme"] == [52]


def test_the_same_group_on_two_hosts_is_no_conflict() -> None:
    other = WORKER.replace("name: w1", "name: w2").replace("kind: nvme, iommuGroup: 52", "kind: gpu, iommuGroup: 52")
    hosts = values(WORKER + other)[GENERIC_PLUGIN]["hosts"]
    assert hosts["w1"]["worker-nvme"] == [52, 53]
    assert hosts["w2"]["worker-gpu"] == [52, 7]


def test_only_vfio_devices_are_given_to_pods() -> None:
    assert values('- {name: w1, prep: {vfio: [{address: "0000:04:00.0", driver: uio_pci_generic}]}}') == {}


def test_a_kind_that_there_is_not_is_refused_with_a_suggestion() -> None:
    source = talos_kit.text('- {name: w1, prep: {vfio: [{address: "0000:04:00.0", kind: nvm}]}}')
    _, findings = read_cluster(source.encode(), talos_kit.FILE)
    assert [(item.code, item.help) for item in findings] == [("M104", "did you mean `nvme`?")]


@given(
    st.lists(
        st.tuples(st.sampled_from(DeviceKind), st.none() | st.integers(0, 9999)),
        max_size=12,
        unique_by=lambda item: item[1] if item[1] is not None else object(),
    ),
    st.booleans(),
)
def test_a_device_is_in_one_pool_or_told_about(
    devices: list[tuple[DeviceKind, int | None]], control_plane: bool
) -> None:
    made = [
        Device(Placed(f"0000:{n:02x}:00.0", NOWHERE), "vfio-pci", kind, Placed(group, NOWHERE) if group else None)
        for n, (kind, group) in enumerate(devices)
    ]
    host = Host(Placed("h", NOWHERE), control_plane=control_plane, prep=Prep(devices=tuple(made)))
    shares, findings = pools(host)
    pooled = [device for pool in shares for device in pool.devices]
    assert len(pooled) + len(findings) == len(made)
    assert {pool.name.partition("-")[0] for pool in shares} <= {host.role}
    for pool in shares:
        kinds = {device.kind for device in pool.devices}
        assert len(kinds) == 1
        assert (pool.sriov_type is not None) == bool(kinds & {DeviceKind.NETWORK, DeviceKind.ACCELERATOR})
        assert pool.size == len(pool.devices)
