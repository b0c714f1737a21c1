"""From one definition to another on a running machine: what the last one stated goes, what others set stays.

The laws are held against Talos's own way of merging as `talos_merge` has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.model.cluster_document import read_cluster
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.talos.machines import host_machines
from groundswell.talos.patch import patch
from groundswell.talos.record import RECORD
from groundswell.talos_client.beyond import beyond, described
from groundswell.talos_client.difference import difference
from plan_factory import component
from talos_kit import text
from talos_merge import applied, generated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target

VERSIONS = ["v1.11.3", "v1.13.2", "v1.14.0"]
HEAD = "- name: h\n  role: controlplane\n  installDisk: /dev/sda\n"
OWN = [
    {
        "machine": {
            "kernel": {"modules": [{"name": "own-module", "parameters": ["a=1"]}]},
            "sysctls": {"own.sysctl": "1"},
            "nodeLabels": {"own": "yes"},
        }
    }
]
SYSFS_PAGES = "devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages"
KUBELET = {"maxPods": 200, "shared": [1, 2]}


def some(*lines: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(lines), unique_by=lambda line: line.partition(":")[0])


PREPARED = some(
    'vfio: [{address: "0000:41:00.0"}, {address: "0000:42:00.0"}]',
    'vfio: [{address: "0000:42:00.0"}]',
    "kernelModules: [nvme_tcp, dm-crypt]",
    "kernelModules: [vfio-pci]",
    "kernelModuleParameters: {nvme: [poll_queues=4]}",
    "kernelModuleParameters: {nvme: [poll_queues=2]}",
    'sysctls: {vm.max_map_count: "262144", net/ipv4/conf/eth0.1/rp_filter: "0"}',
    'sysctls: {vm.max_map_count: "1"}',
    "hugepages: {2Mi: [512, 256]}",
    "hugepages: {2Mi: [256]}",
    "isolatedCPUs: 4-7, housekeepingCPUs: 0-3",
)
LABELS = some("example.com/a: x", "example.com/a: y", "b: x")
TALOS = some(
    "podSecurityExemptions: [storage]",
    "podSecurityExemptions: [backup, storage]",
    "podSecurityExemptions: [backup, other]",
    "setHostnames: true",
)
NETWORK = st.sampled_from([(None, None), ("none", None), (None, False), ("none", False)])
NO_NETWORK = (None, None)


class Stated(NamedTuple):
    """What a definition says in each of its parts."""

    prepared: Sequence[str]
    labels: Sequence[str] = ()
    talos: Sequence[str] = ()
    network: tuple[str | None, bool | None] = NO_NETWORK


STATED = st.builds(Stated, PREPARED, LABELS, TALOS, NETWORK)


def defined(version: str, stated: Stated) -> tuple[Machine, Target]:
    host = f"{HEAD}  nodeLabels: {{{', '.join(stated.labels)}}}\n  prep: {{{', '.join(stated.prepared)}}}\n"
    cluster, findings = read_cluster(text(host, version=version, talos="\n".join(stated.talos)).encode(), "f")
    assert cluster is not None, findings
    machines, _ = host_machines(cluster, [component("net", cluster_needs=ClusterNeeds(*stated.network))])
    return machines[0], cluster.target


def base(version: str) -> list[Any]:
    split = version >= "v1.14"
    kubelet = (
        {"apiVersion": "v1alpha1", "kind": "KubeletConfig", "config": KUBELET}
        if split
        else {"machine": {"kubelet": {"extraConfig": KUBELET}}}
    )
    return applied(generated(version, control_plane=True), [*OWN, kubelet])


def settled(value: Any) -> Any:
    """Without order of lists and without empty maps and lists, which mean the same as nothing."""
    if isinstance(value, dict):
        filled = {key: settled(item) for key, item in value.items()}
        return {key: item for key, item in filled.items() if item not in ({}, [])}
    return sorted(map(settled, value), key=repr) if isinstance(value, list) else value


def filled(config: Any) -> list[Any]:
    """The documents that say something."""
    return [item for item in settled(config) if item.keys() - {"apiVersion", "kind"}]


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(VERSIONS), STATED, STATED)
def test_a_machine_that_had_another_definition_becomes_like_one_that_is_new(
    version: str, before: Stated, then: Stated
) -> None:
    first, (second, target) = defined(version, before), defined(version, then)
    config = applied(base(version), patch(*first))
    changed = applied(config, difference(second, target, config).patch)
    fresh = applied(base(version), patch(second, target))
    assert sorted(filled(changed), key=repr) == sorted(settled(fresh), key=repr)
    again = difference(second, target, changed)
    assert (again.patch, again.beyond.left, again.beyond.changed) == ((), (), ())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VERSIONS), STATED)
def test_without_a_record_nothing_is_taken_out(version: str, stated: Stated) -> None:
    machine, target = defined(version, stated)
    bare = machine._replace(annotations={})
    config = applied(base(version), patch(bare, target))
    empty, _ = defined(version, Stated([]))
    differs = difference(empty, target, config)
    gone = {described(item) for item in differs.beyond.left}
    assert gone <= {"the node label `groundswell.dev/host`"}  # by its name it can be nobody else's
    devices = {f"the driver of `{address}`" for address in machine.rebinds}
    assert devices <= {described(item) for item in differs.beyond.unknown}
    assert not difference(bare, target, config).beyond.unknown


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_base_has_for_itself_is_named_and_stays(version: str) -> None:
    machine, target = defined(version, Stated(["kernelModules: [dm_crypt]"]))
    config = applied(base(version), patch(machine, target))
    differs = difference(machine, target, config)
    assert differs.patch == ()
    named = {described(item) for item in differs.beyond.others}
    assert named >= {"the kernel module `own-module`", "the sysctl `own.sysctl`", "the node label `own`"}


def test_a_module_that_both_the_base_and_a_definition_named_is_taken_out_once() -> None:
    machine, target = defined("v1.13.2", Stated(["kernelModules: [nvme_tcp]"]))
    own = {"machine": {"kernel": {"modules": [{"name": "nvme_tcp"}]}}}
    config = applied(applied(base("v1.13.2"), [own]), patch(machine, target))
    empty, _ = defined("v1.13.2", Stated([]))
    (left,) = applied(config, difference(empty, target, config).patch)[:1]
    assert [item["name"] for item in left["machine"]["kernel"]["modules"]] == ["own-module", "nvme_tcp"]
    assert RECORD not in left["machine"].get("nodeAnnotations", {})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("stated", "own"),
    [
        ("sysctls: {vm/max_map_count: 1}", {"sysctls": {"vm.max_map_count": "2"}}),
        ("sysctls: {vm.max_map_count: 1}", {"sysctls": {"vm/max_map_count": "2"}}),
        ("hugepages: {2Mi: [5]}", {"sysfs": {SYSFS_PAGES: "6"}}),
        ("kernelModules: [nvme_tcp]", {"kernel": {"modules": [{"name": "nvme-tcp"}]}}),
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_of_two_spellings_the_one_that_the_record_has_goes(
    version: str, stated: str, own: dict[str, Any], *, before: bool
) -> None:
    machine, target = defined(version, Stated([stated]))
    empty, _ = defined(version, Stated([]))
    ours, others = patch(machine, target), [{"machine": own}]
    config = base(version)
    for documents in (others, ours) if before else (ours, others):
        config = applied(config, documents)
    left = applied(config, difference(empty, target, config).patch)
    expected = applied(applied(base(version), others), patch(empty, target))
    assert sorted(filled(left), key=repr) == sorted(filled(expected), key=repr)


@pytest.mark.parametrize("record", ["", "[]", "{", '{"devices": 1}', '{"modules": [1, null]}', "[" * 9999, None, 5])
def test_a_record_that_is_none_takes_nothing_out(record: Any) -> None:
    machine, target = defined("v1.13.2", Stated([]))
    config = applied(base("v1.13.2"), [{"machine": {"nodeAnnotations": {RECORD: record}}}])
    (only,) = difference(machine, target, config).patch
    assert only["machine"]["nodeAnnotations"] == {RECORD: {"$patch": "delete"}}
    assert only["machine"].keys() <= {"nodeAnnotations", "install"}


def test_an_exemption_goes_with_the_plugin_which_keeps_all_else() -> None:
    before, target = defined("v1.13.2", Stated([], talos=["podSecurityExemptions: [storage, backup]"]))
    now, _ = defined("v1.13.2", Stated([], talos=["podSecurityExemptions: [backup]"]))
    config = applied(base("v1.13.2"), patch(before, target))
    differs = difference(now, target, config)
    assert [described(item) for item in differs.beyond.left] == ["the Pod Security exemption of namespace `storage`"]
    (document,) = differs.patch
    deleted, added = document["cluster"]["apiServer"]["admissionControl"]
    assert deleted == {"name": "PodSecurity", "$patch": "delete"}
    assert added["configuration"]["exemptions"]["namespaces"] == ["kube-system", "backup"]
    assert added["configuration"]["defaults"]["enforce"] == "baseline"


def test_an_exemption_of_the_base_stays_when_the_same_one_leaves_the_definition() -> None:
    before, target = defined("v1.14.0", Stated([], talos=["podSecurityExemptions: [storage]"]))
    now, _ = defined("v1.14.0", Stated([]))
    ours = patch(before, target)
    twice = applied(applied(base("v1.14.0"), ours), ours)
    left = applied(twice, difference(now, target, twice).patch)
    (plugin,) = [item for item in left if item.get("kind") == "KubeAdmissionControlConfig"]
    assert plugin["configuration"]["exemptions"]["namespaces"] == ["kube-system", "storage"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_host_name_that_changes_is_overwritten(version: str) -> None:
    before, target = defined(version, Stated([], talos=["setHostnames: true"]))
    config = applied(base(version), patch(before._replace(hostname="old"), target))
    differs = difference(before, target, config)
    assert differs.beyond.left == ()
    assert "'hostname': 'h'" in str(applied(config, differs.patch))


def test_a_base_without_a_network_of_its_own_gets_none() -> None:
    now, target = defined("v1.14.0", Stated([]))
    bare = [item for item in base("v1.14.0") if item.get("kind") != "KubeFlannelCNIConfig"]
    assert difference(now, target, bare).beyond.left == ()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("control_plane", [True, False])
def test_what_talosctl_generates_is_nothing_beyond_a_definition(version: str, *, control_plane: bool) -> None:
    machine, target = defined(version, Stated([]))
    more = beyond(machine, target.form, generated(version, control_plane=control_plane))
    assert not any(more)


def test_any_configuration_can_be_compared() -> None:
    machine, target = defined("v1.13.2", Stated(["kernelModules: [a]"]))
    odd: list[Any] = [
        {"machine": {"kernel": {"modules": [None, 1, {"name": None}, {"parameters": 3, "name": "x"}]}, "sysctls": []}},
        {"kind": "KernelModuleConfig"},
        {"kind": "KubeletConfig", "config": None},
        {"kind": "KubeAdmissionControlConfig", "name": "PodSecurity", "configuration": {"exemptions": []}},
        {"cluster": {"apiServer": {"admissionControl": [{"name": "PodSecurity", "configuration": None}]}}},
    ]
    for document in odd:
        difference(machine, target, [document])
