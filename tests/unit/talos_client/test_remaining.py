"""What remains of a patch, held against Talos's own way of merging."""

from __future__ import annotations

from typing import Any

import pytest

from groundswell.model.cluster_document import read_cluster
from groundswell.talos.machines import host_machines
from groundswell.talos.patch import patch
from groundswell.talos_client.remaining import remaining
from talos_kit import asking, text
from talos_merge import applied, generated

HOSTS = """
- name: cp-1
  role: controlplane
  installDisk: /dev/sda
  nodeLabels: {example.com/rack: a1}
- name: store-1
  installDisk: /dev/sda
  prep:
    hugepages: {2Mi: [512, 256], 1Gi: 4}
    isolatedCPUs: 4-7
    housekeepingCPUs: 0-3
    vfio: [{address: "0000:41:00.0"}]
    kernelModules: [nvme_tcp]
    kernelModuleParameters: {nvme: [poll_queues=4]}
    sysctls: {vm.max_map_count: "262144"}
"""
VERSIONS = ["v1.11.3", "v1.13.2", "v1.14.0"]


def definitions(version: str) -> list[tuple[list[Any], list[Any]]]:
    """Patch and generated configuration of each host."""
    cluster, findings = read_cluster(
        text(HOSTS, version=version, talos="podSecurityExemptions: [storage]").encode(), "f"
    )
    assert cluster is not None, findings
    machines, _ = host_machines(cluster, [asking("c", "all", kernel_modules=("dm_crypt",))])
    return [
        (list(patch(item, cluster.target)), generated(version, control_plane=item.control_plane)) for item in machines
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_remains_leads_to_the_same_as_the_whole_patch(version: str) -> None:
    for documents, config in definitions(version):
        left = remaining(documents, config)
        assert applied(config, left) == applied(config, documents)


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_remains_after_the_patch_so_no_list_grows(version: str) -> None:
    for documents, config in definitions(version):
        assert remaining(documents, applied(config, documents)) == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_one_setting_that_was_lost_is_all_that_remains(version: str) -> None:
    documents, config = definitions(version)[1]
    without = [item for item in documents if item.get("kind") != "PCIDriverRebindConfig"]
    left = remaining(documents, applied(config, without))
    assert [item["kind"] for item in left] == ["PCIDriverRebindConfig"]


def test_the_install_document_is_sent_whole_since_one_without_a_disk_selector_deletes_it() -> None:
    documents, config = definitions("v1.14.0")[1]
    held = applied(config, documents)
    (install,) = [item for item in documents if item.get("kind") == "UnattendedInstallConfig"]
    (there,) = [item for item in held if item.get("kind") == "UnattendedInstallConfig"]
    there["installer"] = {"image": "factory.talos.dev/metal-installer/old:v1.14.0"}
    assert remaining(documents, held) == (install,)
    without = [{key: value for key, value in install.items() if key != "provisioning"}]
    (bare,) = [item for item in applied(held, without) if item.get("kind") == "UnattendedInstallConfig"]
    assert "diskSelector" not in bare["provisioning"]


def test_a_number_in_a_configuration_is_the_text_that_talos_takes_it_for() -> None:
    assert remaining([{"machine": {"sysctls": {"a": "1"}}}], [{"machine": {"sysctls": {"a": 1}}}]) == ()
    left = remaining([{"machine": {"x": True}}], [{"machine": {"x": 1}}])
    assert left == ({"machine": {"x": True}},)


def test_a_configuration_of_another_shape_is_overruled() -> None:
    wanted = [{"machine": {"kernel": {"modules": [{"name": "a"}]}}}]
    assert remaining(wanted, [{"machine": {"kernel": None}}]) == tuple(wanted)
    assert remaining(wanted, [{"machine": {"kernel": {"modules": None}}}]) == tuple(wanted)
    assert remaining(wanted, []) == tuple(wanted)


def test_a_module_without_parameters_is_there_with_any_and_in_either_spelling() -> None:
    def modules(*items: dict[str, Any]) -> list[Any]:
        return [{"machine": {"kernel": {"modules": list(items)}}}]

    held = modules({"name": "a", "parameters": ["x=1"]}, {"name": "b-c"})
    assert remaining(modules({"name": "a"}, {"name": "b_c"}), held) == ()
    assert remaining(modules({"name": "a", "parameters": ["x=2"]}), held) == tuple(
        modules({"name": "a", "parameters": ["x=2"]})
    )
