"""`groundswell talos prepare` after something has left the definition."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from command import groundswell
from groundswell.model.cluster_document import read_cluster
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.source.emitter import emit
from groundswell.talos.machines import host_machines
from groundswell.talos.patch import patch
from groundswell.talos.record import RECORD
from plan_factory import component
from talos_kit import text
from talos_merge import applied, generated
from talosctl.recordings import configuration, hardware, image, kernel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from command import Outcome
    from groundswell.resolve.resolution import Component
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from talosctl.recordings import Recorded

NODE = "10.0.0.1"
HEAD = f"- name: store-1\n  address: {NODE}\n  role: controlplane\n  installDisk: /dev/sda\n"
KEPT = "kernelModules: [dm_crypt]"
FULL = (
    'vfio: [{address: "0000:41:00.0", kind: nvme, iommuGroup: 15}, {address: "0000:99:00.0", kind: nvme}]',
    "hugepages: {2Mi: [512, 256]}",
    "kernelModules: [dm_crypt, nvme_tcp]",
    'sysctls: {vm.max_map_count: "262144"}',
)
GENTLE = ("--settle", "0", "--wait", "5")


def source(version: str, *prepared: str, labels: str = "") -> str:
    return text(f"{HEAD}  nodeLabels: {{{labels}}}\n  prep: {{{', '.join(prepared)}}}\n", version=version)


def definition(source_: str, components: Sequence[Component] = ()) -> tuple[Machine, Target]:
    cluster, _ = read_cluster(source_.encode(), "lab.yaml")
    assert cluster is not None
    machines, _ = host_machines(cluster, components)
    return machines[0], cluster.target


def config(version: str, source_: str, *own: Any, with_: Sequence[Component] = ()) -> str:
    base = applied(generated(version, control_plane=True), own)
    return "---\n".join(emit(document) for document in applied(base, patch(*definition(source_, with_))))


def put(machines: Recorded, version: str, now: str, before: str, *own: Any, with_: Sequence[Component] = ()) -> None:
    """A machine that runs the image of one definition with the configuration of another."""
    running = image(NODE, version, definition(now)[0].schematic.id)
    files = {**hardware(NODE, version), **kernel(modules=["dm_crypt"]), **running}
    machines.put(NODE, {**files, **configuration(NODE, config(version, before, *own, with_=with_))})
    machines.put(f"{NODE}+patched", configuration(NODE, config(version, now, *own)))


def prepare(machines: Recorded, tmp_path: Path, now: str, *options: str) -> Outcome:
    (tmp_path / "lab.yaml").write_text(now)
    return groundswell("talos", "prepare", tmp_path / "lab.yaml", *options, env=machines.env)


@pytest.mark.parametrize("version", ["v1.11.3", "v1.13.2", "v1.14.0"])
def test_what_left_the_definition_is_shown_and_taken_out(machines: Recorded, tmp_path: Path, version: str) -> None:
    now = source(version, KEPT)
    put(machines, version, now, source(version, *FULL, labels="example.com/rack: a"))
    done = prepare(machines, tmp_path, now, "--format", "json")
    assert done.code == 0, done.err
    (plan,) = json.loads(done.out)
    assert sorted(plan["removes"]) == [
        "the 2 MiB pages of NUMA node 0",
        "the 2 MiB pages of NUMA node 1",
        "the driver of `0000:41:00.0`",
        "the driver of `0000:99:00.0`",
        "the kernel module `nvme_tcp`",
        "the kernel module `vfio_iommu_type1`",
        "the kernel module `vfio_pci`",
        "the node label `example.com/rack`",
        "the node label `groundswell.dev/host`",
        "the sysctl `vm.max_map_count`",
    ]
    assert plan["takes"] == "patch and reboot"  # pages change
    assert "$patch" in plan["patch"]
    verified = prepare(machines, tmp_path, now, "--verify")
    assert verified.code == 3
    assert verified.err.count("error[T350]") == 10
    applied_ = prepare(machines, tmp_path, now, "--apply", *GENTLE)
    assert applied_.code == 0, applied_.err
    assert prepare(machines, tmp_path, now, "--verify").code == 0


def test_what_the_base_has_for_itself_stays_and_is_a_hint(machines: Recorded, tmp_path: Path) -> None:
    now = source("v1.13.2", KEPT)
    own = {"machine": {"kernel": {"modules": [{"name": "br_netfilter"}]}, "sysctls": {"net.core.somaxconn": "1"}}}
    put(machines, "v1.13.2", now, now, own)
    done = prepare(machines, tmp_path, now)
    assert done.code == 0
    assert "store-1  10.0.0.1  nothing" in done.out
    assert "hint[T353]: `store-1` also has " in done.err
    assert "the kernel module `br_netfilter`" in done.err
    assert "the sysctl `net.core.somaxconn`" in done.err
    verified = prepare(machines, tmp_path, now, "--verify")
    assert verified.code == 0
    assert "as defined" in verified.out


def test_a_device_that_nobody_recorded_is_drift_and_left_alone(machines: Recorded, tmp_path: Path) -> None:
    now = source("v1.13.2", KEPT)
    rebind = {"apiVersion": "v1alpha1", "kind": "PCIDriverRebindConfig", "name": "0000:81:00.0", "targetDriver": "x"}
    put(machines, "v1.13.2", now, now, rebind)
    done = prepare(machines, tmp_path, now)
    assert "nothing" in done.out
    assert "warning[T352]: `store-1` has the driver of `0000:81:00.0`" in done.err
    assert f"`talosctl edit machineconfig` with `--nodes {NODE}`" in done.err
    verified = prepare(machines, tmp_path, now, "--verify")
    assert verified.code == 3
    assert "1 difference" in verified.out


def test_a_cpu_manager_that_is_no_longer_defined_leaves_its_state_file(machines: Recorded, tmp_path: Path) -> None:
    now = source("v1.13.2", KEPT)
    put(machines, "v1.13.2", now, source("v1.13.2", KEPT, "isolatedCPUs: 4-7, housekeepingCPUs: 0-3"))
    machines.put(NODE, {"read/var/lib/kubelet/cpu_manager_state": '{"policyName":"static"}'})
    done = prepare(machines, tmp_path, now)
    assert "warning[T334]: the CPU manager of `store-1` becomes `none`, and its state file is for `static`" in done.err


@pytest.mark.parametrize("version", ["v1.11.3", "v1.13.2", "v1.14.0"])
def test_exemptions_host_name_and_network_leave_like_all_else(machines: Recorded, tmp_path: Path, version: str) -> None:
    now = source(version, KEPT)
    before = now.replace(
        "    endpoint:", "    setHostnames: true\n    podSecurityExemptions: [storage, backup]\n    endpoint:"
    )
    net = component("net", cluster_needs=ClusterNeeds("none", kube_proxy=False))
    put(machines, version, now, before, with_=[net])
    done = prepare(machines, tmp_path, now)
    assert done.code == 0, done.err
    told = "warning[T339]: `store-1` will have Talos install its own CNI and kube-proxy again"
    assert told in done.err
    verified = prepare(machines, tmp_path, now, "--verify")
    assert verified.code == 3
    for what in (
        "the Pod Security exemption of namespace `storage`",
        "the Pod Security exemption of namespace `backup`",
        "the host name `store-1`",
        "`cni: none` of the cluster",
        "`kubeProxy: false` of the cluster",
    ):
        assert f"error[T350]: `store-1` still has {what}, which is no longer defined" in verified.err
        assert what in done.out
    assert verified.err.count("error[") == 5
    assert prepare(machines, tmp_path, now, "--apply", *GENTLE).code == 0
    assert "\n    - storage" not in machines.calls("patch")[-1][2]["--patch"]


def test_a_record_alone_is_named_when_it_comes_and_when_it_goes(machines: Recorded, tmp_path: Path) -> None:
    now = source("v1.13.2", KEPT)
    put(machines, "v1.13.2", now, now)
    text_ = config("v1.13.2", now)
    machines.put(NODE, configuration(NODE, re.sub(r"  nodeAnnotations:\n.*\n", "", text_)))
    assert "patch live  configuration: the record of the definition\n" in prepare(machines, tmp_path, now).out
    empty = source("v1.13.2")
    put(machines, "v1.13.2", empty, empty, {"machine": {"nodeAnnotations": {RECORD: "{}"}}})
    assert "patch live  no longer needed: the record of the definition\n" in prepare(machines, tmp_path, empty).out


def test_a_sysctl_that_the_base_spells_in_another_way_is_set_where_it_stands(
    machines: Recorded, tmp_path: Path
) -> None:
    now = source("v1.13.2", KEPT, 'sysctls: {vm.max_map_count: "2", net.core.somaxconn: "9"}')
    put(machines, "v1.13.2", now, source("v1.13.2", KEPT))
    own = {"machine": {"sysctls": {"vm/max_map_count": "1", "net/core/somaxconn": "9"}}}
    machines.put(NODE, configuration(NODE, config("v1.13.2", source("v1.13.2", KEPT), own)))
    (plan,) = json.loads(prepare(machines, tmp_path, now, "--format", "json").out)
    assert '  sysctls:\n    vm/max_map_count: "2"\n' in plan["patch"]
    assert "somaxconn" not in plan["patch"].replace("net.core.somaxconn", "")


def test_other_parameters_of_a_module_replace_those_that_are_there(machines: Recorded, tmp_path: Path) -> None:
    before = source("v1.13.2", "kernelModuleParameters: {dm_crypt: [x=1]}")
    now = source("v1.13.2", "kernelModuleParameters: {dm_crypt: [x=2]}")
    put(machines, "v1.13.2", now, before)
    done = prepare(machines, tmp_path, now, "--apply", *GENTLE)
    assert done.code == 0, done.err
    (sent,) = [options["--patch"] for _, _, options in machines.calls("patch") if "--dry-run" not in options]
    assert '- name: dm_crypt\n        "$patch": delete\n      - name: dm_crypt\n' in sent


def test_sysctls_are_compared_with_the_kernel(machines: Recorded, tmp_path: Path) -> None:
    stated = (
        'sysctls: {vm.max_map_count: "262144", net.ipv4.tcp_rmem: 4096 131072 6291456, net.ipv4.conf.eth0/1.x: "1"}'
    )
    now = source("v1.13.2", KEPT, stated)
    put(machines, "v1.13.2", now, now)
    rmem = "read/proc/sys/net/ipv4/tcp_rmem"
    machines.put(NODE, {"read/proc/sys/vm/max_map_count": "262144\n", rmem: "4096\t131072\t6291456\n"})
    machines.put(NODE, {"read/proc/sys/net/ipv4/conf/eth0.1/x": "1\n"})
    assert prepare(machines, tmp_path, now, "--verify").code == 0
    machines.put(NODE, {"read/proc/sys/vm/max_map_count": "65530\n"})
    (machines.home / NODE / rmem).unlink()
    done = prepare(machines, tmp_path, now, "--verify")
    assert done.code == 3
    assert "the sysctl `vm.max_map_count` of `store-1` is `65530`, not `262144`" in done.err
    assert "the kernel of `store-1` has no sysctl `net.ipv4.tcp_rmem`" in done.err


def test_what_only_the_configuration_shows_is_compared_too(machines: Recorded, tmp_path: Path) -> None:
    before = source("v1.13.2", KEPT)
    now = source("v1.13.2", KEPT, labels="example.com/rack: a")
    put(machines, "v1.13.2", now, before)
    done = prepare(machines, tmp_path, now, "--verify")
    assert done.code == 3
    assert "error[T349]: the configuration of `store-1` lacks `machine.nodeLabels`" in done.err
