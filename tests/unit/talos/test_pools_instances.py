"""What the pods of instances ask for: whole CPUs, hugepages of their NUMA node, a share of the devices."""

from __future__ import annotations

from typing import Any

import pytest

import talos_kit
from groundswell.model.cluster_document import read_cluster
from groundswell.talos.pools_values import host_values

HOST = """\
- name: s1
  prep:
    housekeepingCPUs: 0-3
    hugepages: {2Mi: [4096, 1024], 1Gi: 9}
    vfio:
      - {address: "0000:41:00.0", kind: nvme, iommuGroup: 1}
      - {address: "0000:42:00.0", kind: nvme, iommuGroup: 2}
      - {address: "0000:43:00.0", kind: nvme, iommuGroup: 3}
      - {address: "0000:44:00.0", kind: nvme, iommuGroup: 4}
      - {address: "0000:45:00.0", kind: nvme, iommuGroup: 5}
      - {address: "0000:46:00.0", kind: network}
    instances:
      - {name: a, numaNode: 0, cpus: "4-7,36-39"}
      - {name: b, numaNode: 0, cpus: "8-11"}
      - {name: c, numaNode: 1, cpus: "20"}
"""


def pods(hosts: str) -> dict[str, Any]:
    described, findings = read_cluster(talos_kit.text(hosts).encode(), talos_kit.FILE)
    assert described is not None, findings
    found = host_values(described, "cluster/lab.yaml")
    assert found.instances is not None
    data: dict[str, Any] = found.instances.data
    return data


def limits(hosts: str, instance: str) -> dict[str, Any]:
    resources: dict[str, dict[str, Any]] = pods(hosts)["s1"][instance]["resources"]
    # Of pages and devices nothing else is admitted, and only then CPUs are the pod's own.
    assert resources["requests"] == resources["limits"]
    return resources["limits"]


def test_instances_share_the_pages_of_their_numa_node_and_the_devices_of_the_host() -> None:
    shared = {"hugepages-1Gi": "3Gi", "groundswell.dev/worker-nvme": 1}
    assert limits(HOST, "a") == {"cpu": 8, "hugepages-2Mi": "4096Mi", **shared}
    assert limits(HOST, "b") == {"cpu": 4, "hugepages-2Mi": "4096Mi", **shared}
    assert limits(HOST, "c") == {"cpu": 1, "hugepages-2Mi": "2048Mi", **shared}


def test_without_numa_nodes_for_all_of_them_they_share_everything() -> None:
    assert limits(HOST.replace("numaNode: 1, ", ""), "c")["hugepages-2Mi"] == "3412Mi"  # 5120 / 3 = 1706 pages


def test_a_pod_runs_on_the_host_that_is_prepared_for_it() -> None:
    assert pods(HOST)["s1"]["a"]["nodeSelector"] == {"groundswell.dev/host": "s1"}


def test_each_size_of_pages_is_a_volume_with_a_mount() -> None:
    pod = pods(HOST)["s1"]["a"]
    assert pod["volumes"] == [
        {"name": "hugepages-2mi", "emptyDir": {"medium": "HugePages-2Mi"}},
        {"name": "hugepages-1gi", "emptyDir": {"medium": "HugePages-1Gi"}},
    ]
    assert pod["volumeMounts"] == [
        {"name": "hugepages-2mi", "mountPath": "/dev/hugepages-2Mi"},
        {"name": "hugepages-1gi", "mountPath": "/dev/hugepages-1Gi"},
    ]


@pytest.mark.parametrize("pages", ["2Mi: [0, 1024]", "2Mi: [1, 1024]", "2Mi: []"])
def test_no_pages_no_volume(pages: str) -> None:
    pod = pods(HOST.replace("2Mi: [4096, 1024], 1Gi: 9", pages))["s1"]["a"]
    assert "volumes" not in pod
    assert pod["resources"]["limits"] == {"cpu": 8, "groundswell.dev/worker-nvme": 1}


def test_an_instance_that_a_host_is_not_prepared_for_asks_for_nothing() -> None:
    assert pods("- {name: s1, prep: {instances: [{name: a}]}}") == {
        "s1": {"a": {"nodeSelector": {"groundswell.dev/host": "s1"}}}
    }


def test_two_instances_of_one_name_are_refused_at_the_second() -> None:
    files, findings = talos_kit.rendered(talos_kit.text(HOST.replace("name: b", "name: a")))
    assert not files
    assert [(item.code, item.span and item.span.line) for item in findings if item.code == "T255"] == [("T255", 22)]
