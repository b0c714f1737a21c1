"""Pods against the hosts of a Cluster file: resources, CPUs, paths, modules, architectures, and what is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import talos_kit
from groundswell.check.rules.architectures import architecture
from groundswell.check.rules.kernel_modules import modules_loaded
from groundswell.check.talos_paths import bringers, cannot_be_made
from groundswell.check.unknown import unknowns
from groundswell.resolve.resolution import NodeNeeds
from groundswell.talos.extensions import extension_finding
from groundswell.talos.target import Target
from groundswell.talos.version import TalosVersion
from plan_factory import TALOS
from unit.check.kit import messages, rendering

if TYPE_CHECKING:
    from groundswell.check.rendering import Rendering

HOSTS = """
- {name: control, role: controlplane, cpus: 8, memoryGiB: 16, cpuVendor: amd}
- name: disk
  role: worker
  cpus: 32
  memoryGiB: 128
  cpuVendor: amd
  numaNodes: 2
  nodeLabels: {tier: disk}
  prep:
    hugepages: {2Mi: [1024, 1024], 1Gi: 8}
    housekeepingCPUs: 0-3
    vfio:
      - {address: "0000:41:00.0", kind: nvme, iommuGroup: 52}
      - {address: "0000:42:00.0", kind: nvme, iommuGroup: 53}
    kernelModules: [nbd]
    instances: [{name: one, cpus: "4-15"}, {name: two, cpus: "16-31"}]
- {name: plain, role: worker, cpus: 16, memoryGiB: 32, cpuVendor: amd, nodeLabels: {tier: plain}}
"""
LAB = talos_kit.text(HOSTS)
POD = "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: w}\nspec: {replicas: %s, template: {spec: %s}}\n"


def pod(
    resources: str = "{}", more: str = "", kind: str = "StatefulSet", replicas: int = 1, container: str = ""
) -> str:
    spec = f"{{{more}containers: [{{name: c, image: test/image:1, {container}resources: {resources}}}]}}"
    return POD % (kind, replicas, spec)


def lab(*texts: str, **fields: object) -> Rendering:
    names = {f"c{number}": text for number, text in enumerate(texts)}
    return rendering(names, criteria=TALOS, cluster=LAB, **fields)  # type: ignore[arg-type]  # fields of components


def both(text: str) -> str:
    return f"{{requests: {text}, limits: {text}}}"


@pytest.mark.parametrize(
    ("resources", "more", "words"),
    [
        ("{hugepages-2Mi: 4Gi}", "", ""),
        ("{hugepages-2Mi: 4098Mi}", "", "ask for 4098Mi of `hugepages-2Mi` each, and no host .* has more than 4Gi"),
        ("{hugepages-1Gi: 8Gi}", "", ""),
        ("{hugepages-1Gi: 9Gi}", "", "ask for 9Gi of `hugepages-1Gi` each, .* more than 8Gi"),
        ("{groundswell.dev/worker-nvme: 2}", "", ""),
        ("{groundswell.dev/worker-nvme: 3}", "", "ask for 3 of `groundswell.dev/worker-nvme` each, .* more than 2"),
        ("{groundswell.dev/worker-network: 1}", "", "`groundswell.dev/worker-network` each, .* more than 0"),
        ("{hugepages-2Mi: 2Mi}", "nodeSelector: {tier: plain}, ", "more than 0"),
        ("{hugepages-2Mi: 2Mi}", "nodeSelector: {tier: disk}, ", ""),
        ("{hugepages-2Mi: 2Mi}", "nodeSelector: {found.by/nfd: x}, ", ""),
        ("{cpu: 29}", "", "ask for 29 of `cpu` each, .* more than 28"),
        ("{cpu: 28}", "", ""),
        ("{memory: 117Gi}", "", "ask for 117Gi of `memory` each, .* more than 116Gi"),
        ("{cpu: 1}", "nodeSelector: {tier: none}, ", "may run on no host of the cluster"),
        ("{cpu: 1}", "nodeSelector: {groundswell.dev/host: plain}, ", "may run on no host of the cluster"),
        ("{example.test/gadget: 100}", "", ""),
    ],
)
def test_pods_ask_for_no_more_than_some_host_has(resources: str, more: str, words: str) -> None:
    found = messages("node-resources", lab(pod(both(resources), more)))
    assert len(found) == bool(words), found
    if words:
        assert found[0].startswith("K511 the pods of `StatefulSet c0/w` in `001-c0`")
        assert pytest.importorskip("re").search(words, found[0]), found[0]


def test_pods_that_fit_alone_must_fit_together() -> None:
    three = both("{hugepages-2Mi: 2Gi}")
    assert not messages("node-resources", lab(pod(three, replicas=2)))
    (message,) = messages("node-resources", lab(pod(three, replicas=3)))
    assert message.endswith("ask for 6Gi of `hugepages-2Mi` on `disk`, `plain`, which have 4Gi")
    (message,) = messages("node-resources", lab(*[pod(three, "nodeSelector: {tier: disk}, ")] * 3))
    assert message.endswith("ask for 6Gi of `hugepages-2Mi` on `disk`, which have 4Gi")
    job = pod(three, replicas=3).replace("apps/v1", "batch/v1").replace("StatefulSet", "Job")
    assert not messages("node-resources", lab(job))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("", "`plain` has no more than 0"),
        ("nodeSelector: {tier: disk}, ", ""),
        ("nodeSelector: {found.by/nfd: x}, ", ""),
        ("nodeSelector: {kubernetes.io/hostname: disk}, ", ""),
        ("tolerations: [{operator: Exists}], ", "`control`, `plain` have no more than 0"),
    ],
)
def test_pods_of_a_daemon_set_must_fit_on_every_host_that_they_select(more: str, words: str) -> None:
    found = messages("node-resources", lab(pod(both("{hugepages-2Mi: 2Mi}"), more, kind="DaemonSet")))
    assert len(found) == bool(words), found
    assert not words or found[0].endswith(f"each, and one runs on every host they select: {words}")
    assert not messages("node-resources", lab(pod(both("{hugepages-2Mi: 2Mi}"), more)))


BY_NAME = "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{%s: [%s]}]}"


def by_name(
    names: str, operator: str = "In", field: str = "matchExpressions", key: str = "kubernetes.io/hostname"
) -> str:
    term = f"{{key: {key}, operator: {operator}, values: [{names}]}}"
    return f"affinity: {{nodeAffinity: {{{BY_NAME % (field, term)}}}}}, "


NAMES = [
    ("nodeSelector: {kubernetes.io/hostname: disk}, ", ("", "")),
    ("nodeSelector: {kubernetes.io/hostname: plain}, ", ("more than 0", "more than 0")),
    ("nodeSelector: {kubernetes.io/hostname: ghost}, ", ("", "no host of the cluster")),
    (by_name("plain, ghost"), ("more than 0", "more than 0")),
    (by_name("disk", "NotIn"), ("more than 0", "more than 0")),
    (by_name("ghost", "NotIn"), ("", "")),
    (by_name("plain", field="matchFields", key="metadata.name"), ("more than 0", "more than 0")),
    (by_name("disk", field="matchFields", key="metadata.name"), ("", "")),
]


@pytest.mark.parametrize(("more", "words"), NAMES)
def test_a_host_is_known_by_its_name_and_by_that_alone_only_where_machines_are_given_theirs(
    more: str, words: tuple[str, str]
) -> None:
    named = talos_kit.text(HOSTS, talos="setHostnames: true")
    text = {"a": pod(both("{hugepages-2Mi: 2Mi}"), more)}
    supposed, certain = (rendering(text, criteria=TALOS, cluster=file) for file in (LAB, named))
    for sample, expected in zip((supposed, certain), words, strict=True):
        found = messages("node-resources", sample)
        assert len(found) == bool(expected), found
        assert not expected or expected in found[0]
    phrase = "whether nodes are called as their hosts, by which pods select them, without `setHostnames`"
    assert phrase in unknowns(supposed)
    assert phrase not in (*unknowns(certain), *unknowns(lab(pod())))


def test_control_planes_count_for_pods_that_tolerate_them_and_where_there_is_nothing_else() -> None:
    here = "nodeSelector: {node-role.kubernetes.io/control-plane: ''}, "
    tolerant = f"{here}tolerations: [{{key: node-role.kubernetes.io/control-plane, operator: Exists}}], "
    assert messages("node-resources", lab(pod(both("{cpu: 1}"), here)))
    assert not messages("node-resources", lab(pod(both("{cpu: 1}"), tolerant)))
    alone = talos_kit.text("- {name: only, role: controlplane, cpus: 4}")
    assert not messages("node-resources", rendering({"a": pod(both("{cpu: 1}"))}, criteria=TALOS, cluster=alone))


@pytest.mark.parametrize(
    ("term", "fits"),
    [
        ("{key: tier, operator: In, values: [disk]}", True),
        ("{key: tier, operator: In, values: [gold]}", False),
        ("{key: tier, operator: NotIn, values: [disk, plain]}", False),
        ("{key: tier, operator: Exists}", True),
        ("{key: tier, operator: DoesNotExist}", False),
        ("{key: tier, operator: Gt, values: ['1']}", True),
        ("{key: from.elsewhere/label, operator: In, values: [x]}", True),
    ],
)
def test_affinity_is_read_as_far_as_labels_are_known(term: str, fits: bool) -> None:
    required = (
        f"requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{term}]}}]}}"
    )
    affinity = f"affinity: {{nodeAffinity: {{{required}}}}}, "
    assert bool(messages("node-resources", lab(pod(both("{cpu: 1}"), affinity)))) is not fits


def test_without_a_cluster_file_nothing_is_said_of_hosts() -> None:
    sample = rendering({"a": pod(both("{hugepages-2Mi: 400Gi, cpu: 900}"))}, criteria=TALOS)
    assert not messages("node-resources", sample)
    assert not messages("own-cpus", sample)
    assert unknowns(sample) == ()


@pytest.mark.parametrize(
    ("resources", "more", "words"),
    [
        (both("{cpu: 4, memory: 1Gi, hugepages-2Mi: 1Gi}"), "", ""),
        ("{requests: {cpu: 4}, limits: {cpu: 4, memory: 1Gi, hugepages-2Mi: 1Gi}}", "", ""),
        (both("{cpu: 4, hugepages-2Mi: 1Gi}"), "", "limits of CPU and memory"),
        ("{requests: {cpu: 4, memory: 1Gi}, limits: {cpu: 8, memory: 1Gi, hugepages-2Mi: 1Gi}}", "", "limits of CPU"),
        (both("{cpu: 500m, hugepages-2Mi: 1Gi}"), "", ""),
        (both("{cpu: 4}"), "", ""),
        (
            both("{cpu: 4, memory: 1Gi, hugepages-2Mi: 1Gi}"),
            "nodeSelector: {tier: plain}, ",
            "isolated and housekeeping",
        ),
    ],
)
def test_pods_with_hugepages_or_devices_get_the_whole_cpus_they_ask_for(resources: str, more: str, words: str) -> None:
    found = messages("own-cpus", lab(pod(resources, more)))
    assert len(found) == bool(words), found
    assert not words or words in found[0]


def volume(path: str, kind: str = "") -> str:
    stated = f", type: {kind}" if kind else ""
    return pod(more=f"volumes: [{{name: v, hostPath: {{path: {path}{stated}}}}}], ")


@pytest.mark.parametrize(
    ("path", "kind", "code"),
    [
        ("/var/lib/agent", "DirectoryOrCreate", ""),
        ("/run/agent", "", ""),
        ("/", "", ""),
        ("/usr/local/", "DirectoryOrCreate", ""),
        ("/usr/local/bin", "DirectoryOrCreate", "K513"),
        ("/etc/iscsi", "DirectoryOrCreate", ""),
        ("/opt/cni/bin", "DirectoryOrCreate", ""),
        ("/system/agent", "DirectoryOrCreate", ""),
        ("/root", "", ""),
        ("/boot/agent", "", "K513"),
        ("/etc/os-release", "File", ""),
        ("/etc/agent", "DirectoryOrCreate", "K513"),
        ("/etc/agent", "Directory", ""),
        ("/data", "", "K513"),
        ("/data/agent", "DirectoryOrCreate", "K513"),
        ("/etc/kubernetes/agent", "DirectoryOrCreate", ""),
        ("/variable", "", "K513"),
        ("/dev/vfio", "", ""),
        ("/dev/vfio/52", "", ""),
        ("/dev/nbd0", "", ""),
        ("/dev/nvidiactl", "", "K514"),
        ("/dev/nvidia-caps/x", "", "K514"),
        ("/usr/local/etc/iscsi", "Directory", "K514"),
        ("/dev/zfs", "", "K514"),
        ("/dev", "", ""),
    ],
)
def test_host_paths_are_there_or_can_be_made(path: str, kind: str, code: str) -> None:
    found = messages("host-paths", lab(volume(path, kind)))
    assert [message[:4] for message in found] == ([code] if code else []), found
    assert not messages("host-paths", rendering({"a": volume(path, kind)}, criteria={"os": "ubuntu"}))


def test_only_the_hosts_that_a_pod_may_run_on_count_for_paths_and_modules() -> None:
    here = "nodeSelector: {tier: plain}, volumes: [{name: v, hostPath: {path: /dev/nbd0}}], "
    assert [message[:4] for message in messages("host-paths", lab(pod(more=here)))] == ["K514"]
    needs = (NodeNeeds("all", kernel_modules=("nbd",)),)
    assert not messages("host-paths", lab(pod(more=here), node_needs=needs))


def test_every_path_is_of_an_extension_that_a_factory_has() -> None:
    target = Target(TalosVersion(1, 14, 0))
    for bringer in bringers():
        assert bringer.kind in {"extension", "module"}
        for name in bringer.names if bringer.kind == "extension" else ():
            assert extension_finding(name, target, None) is None, name


def test_a_path_in_a_writable_place_can_be_made_whatever_its_type() -> None:
    for kind in ("", "Directory", "DirectoryOrCreate", "FileOrCreate", "Socket"):
        assert not cannot_be_made("/var/lib/x", kind, (1, 14))
        assert not cannot_be_made("/var", kind, (1, 14))
        assert cannot_be_made("/home/x", kind, (1, 14))


@pytest.mark.parametrize(("version", "code"), [("v1.13.9", []), ("v1.14.0", ["K513"]), ("", [])])
def test_a_path_that_later_releases_lack_is_missing_there_only(version: str, code: list[str]) -> None:
    text = volume("/usr/libexec/kubernetes/kubelet-plugins/volume/exec", "DirectoryOrCreate")
    sample = rendering({"a": text}, criteria=TALOS)
    plan = sample.plan._replace(resolution=sample.plan.resolution._replace(talos_version=version))
    assert [message[:4] for message in messages("host-paths", replace(sample, plan=plan))] == code


@pytest.mark.parametrize("name", ["SYS_MODULE", "CAP_SYS_MODULE", "SYS_BOOT"])
def test_no_container_gets_what_talos_withholds(name: str) -> None:
    text = pod(container=f"securityContext: {{capabilities: {{add: [{name}, NET_ADMIN]}}}}, ")
    (message,) = messages("kernel-modules", rendering({"a": text}, criteria=TALOS))
    assert message == (
        f"K515 container `c` of `StatefulSet a/w` in `001-a` adds the capability `{name}`, so it does not start"
    )
    assert not messages("kernel-modules", rendering({"a": text}))


def test_a_module_that_a_pod_loads_must_be_in_the_node_layer() -> None:
    text = pod(container="command: [sh, -c, 'modprobe -a iscsi-tcp && modprobe -q nbd; sleep 1'], ")
    assert messages("kernel-modules", lab(text)) == [
        "K516 container `c` of `StatefulSet c0/w` in `001-c0` loads the kernel module `iscsi_tcp`, which no pod can"
    ]
    needs = (NodeNeeds("workers", kernel_modules=("iscsi_tcp",)),)
    assert not messages("kernel-modules", lab(text, node_needs=needs))


@pytest.mark.parametrize(
    ("command", "modules"),
    [
        (["modprobe", "rbd"], ["rbd"]),
        (["sh", "-c", "modprobe -v dm-crypt dm_snapshot\nexec x"], ["dm_crypt", "dm_snapshot"]),
        (["sh", "-c", "which modprobe; echo done"], []),
        (["sh", "-c", "modprobe $MODULE"], []),
        ([3, None], []),
    ],
)
def test_the_modules_that_a_command_loads(command: list[object], modules: list[str]) -> None:
    assert modules_loaded({"command": command}) == modules


@pytest.mark.parametrize(
    ("image", "built_for"),
    [
        ("registry.test/pause-arm64:3.1", "arm64"),
        ("registry.test/agent:v1.2-aarch64", "arm64"),
        ("registry.test/agent:v1.2@sha256:arm64", None),
        ("amd64.registry.test/agent:v1", None),
        ("agent:v1-x86_64", "amd64"),
        ("registry.test/charm64/agent", None),
        ("registry.test/agent:1.0", None),
    ],
)
def test_some_images_say_what_they_are_built_for(image: str, built_for: str | None) -> None:
    assert architecture(image) == built_for


def test_an_image_of_another_architecture_is_an_error_and_unknown_ones_are_counted() -> None:
    arm = pod().replace("test/image:1", "test/image:1-arm64")
    (message,) = messages("architectures", lab(arm))
    assert message.startswith("K517 container `c` of `StatefulSet c0/w` in `001-c0` has the image `test/image:1-arm64`")
    assert not messages("architectures", lab(arm.replace("arm64", "amd64"), pod()))
    unknown_vendor = talos_kit.text("- {name: n1, role: worker}")
    assert not messages("architectures", rendering({"a": arm}, criteria=TALOS, cluster=unknown_vendor))
    assert unknowns(lab(arm, pod())) == ("the architectures of 1 of 2 images, whose names do not say",)
    gadget = pod(both("{example.test/gadget: 1}"))
    assert unknowns(lab(gadget))[1] == "how much `example.test/gadget` there is on `control`, `disk`, `plain`"


@pytest.mark.parametrize("path", ["'C:\\data'", "relative", ".", "''", "//var/lib", "/home/../var/x"])
def test_a_path_is_normalized_and_one_that_does_not_begin_at_the_root_passed_over(path: str) -> None:
    assert not messages("host-paths", lab(volume(path)))


@pytest.mark.parametrize("more", ["os: {name: windows}, ", "nodeSelector: {kubernetes.io/os: windows}, "])
def test_pods_for_windows_mount_no_paths_of_talos(more: str) -> None:
    text = pod(more=f"{more}volumes: [{{name: v, hostPath: {{path: /data}}}}], ")
    assert not messages("host-paths", lab(text))
