"""The API's answers become measurements; what they leave open is said."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from groundswell.snapshot.accelerators import KNOWN, accelerator_of
from groundswell.snapshot.answers import Answers
from groundswell.snapshot.facts import measure
from groundswell.snapshot.nodes import read_node
from groundswell.snapshot.systems import release
from snapshot_api import answers

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.snapshot.snapshot import Snapshot, Subtype


def measured(name: str) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    version, nodes = answers(name)
    return measure(Answers(version, tuple(nodes)))


def subtype(snapshot: Snapshot, type_: str, name: str) -> Subtype:
    found = snapshot.subtype(type_, name)
    assert found is not None
    return found


def said(findings: tuple[Diagnostic, ...], code: str) -> list[str]:
    return [finding.message for finding in findings if finding.code == code]


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("Talos (v1.11.2)", ("talos", "v1.11.2")),
        ("Ubuntu 24.04.3 LTS", ("ubuntu", "24.04")),
        ("Container-Optimized OS from Google", ("cos", "")),
        ("Oracle Linux Server 8.10", ("ol", "8.10")),
        ("Amazon Linux 2023.6.20241010", ("amzn", "2023")),
        ("Amazon Linux 2", ("amzn", "2")),
        ("Bottlerocket OS 1.20.0 (aws-k8s-1.29)", ("bottlerocket", "1.20.0")),
        ("Red Hat Enterprise Linux CoreOS 416.94.202410021119-0", ("rhcos", "4.16")),
        ("Red Hat Enterprise Linux 9.4 (Plow)", ("rhel", "9.4")),
        ("Debian GNU/Linux 12 (bookworm)", ("debian", "12")),
        ("Flatcar Container Linux by Kinvolk 3975.2.0 (Oklo)", ("flatcar", "3975.2.0")),
        ("Rocky Linux 9.4 (Blue Onyx)", ("rocky", "9.4")),
        ("SUSE Linux Enterprise Server 15 SP5", ("sles", "15.5")),
        ("Windows Server 2022 Datacenter", ("windows", "")),
        ("K3s v1.31.4+k3s1", None),
        ("", None),
    ],
)
def test_operating_systems_by_their_image(image: str, expected: object) -> None:
    assert release(image) == expected


@pytest.mark.parametrize(
    ("product", "expected"),
    [
        ("NVIDIA-H100-80GB-HBM3", "h100"),
        ("NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", "h100"),
        ("NVIDIA-H200", "h200"),
        ("NVIDIA-GB200", "gb200"),
        ("NVIDIA-GH200-480GB", "gh200"),
        ("NVIDIA-L40S", "l40s"),
        ("NVIDIA-L40-SHARED", "l40"),
        ("NVIDIA-A100-SXM4-80GB", "a100"),
        ("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "rtx-pro-6000"),
        ("NVIDIA-RTX-A1000", None),
        ("NVIDIA-RTX-6000-Ada-Generation", None),
        ("nvidia-h100-mega-80gb", "h100"),
        ("", None),
    ],
)
def test_accelerators_by_their_product(product: str, expected: str | None) -> None:
    assert accelerator_of(product, KNOWN) == expected


def test_a_name_of_a_catalogs_own_may_be_longer_than_a_known_one() -> None:
    assert accelerator_of("NVIDIA-H100-NVL", {*KNOWN, "h100-nvl"}) == "h100-nvl"


@pytest.mark.parametrize(
    ("provider_id", "expected"),
    [
        ("aws:///eu-central-1a/i-0f00", "eks"),
        ("gce://project/zone/node", "gke"),
        ("azure:///subscriptions/x", "aks"),
        ("ocid1.instance.oc1.eu-frankfurt-1.abc", "oke"),
        ("oci://x", "oke"),
        ("linode://1234", "lke"),
        ("kind://docker/kind/kind-worker", "kind"),
        ("openstack:///x", "openstack"),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_providers_by_the_provider_id(provider_id: str, expected: str) -> None:
    assert read_node({"spec": {"providerID": provider_id}}).provider == expected


def test_a_uniform_cluster_has_all_its_readings_as_data() -> None:
    snapshot, findings = measured("metal-h100-talos")
    assert not findings
    assert subtype(snapshot, "K8s", "server").data == {
        "version": "v1.34.1",
        "platform": "linux/amd64",
        "goVersion": "go1.24.4",
    }
    assert subtype(snapshot, "OS", "release").data == {
        "ID": "talos",
        "VERSION_ID": "v1.11.2",
        "PRETTY_NAME": "Talos (v1.11.2)",
        "KERNEL_VERSION": "6.12.48-talos",
        "OPERATING_SYSTEM": "linux",
    }
    assert subtype(snapshot, "OS", "sysctl").data == {"/proc/sys/kernel/osrelease": "6.12.48-talos"}
    node = subtype(snapshot, "K8s", "node")
    assert node.items == ()
    assert node.data["kubelet-version"] == "v1.34.1"
    assert "provider" not in node.data
    assert subtype(snapshot, "GPU", "hardware").data == {
        "gpu-present": True,
        "detection-source": "nvidia.com/gpu.product",
        "product": "NVIDIA-H100-80GB-HBM3",
        "model": "h100",
        "gpu-count": 8,
    }


def test_what_differs_stands_under_each_node_and_is_said() -> None:
    snapshot, findings = measured("mixed")
    kernels = subtype(snapshot, "OS", "sysctl")
    assert kernels.data == {}
    assert [(item.context["node"], dict(item.data)) for item in kernels.items] == [
        ("w-1", {"/proc/sys/kernel/osrelease": "6.8.0-85-generic"}),
        ("w-2", {"/proc/sys/kernel/osrelease": "6.5.0-45-generic"}),
        ("w-3", {"/proc/sys/kernel/osrelease": "6.8.0-85-generic"}),
        ("w-4", {}),
    ]
    assert said(findings, "I305") == [
        "the nodes differ in `accelerator`: `NVIDIA-A100-SXM4-80GB` on w-2; `NVIDIA-H100-80GB-HBM3` on w-1",
        "the nodes differ in `os-image`: `Ubuntu 24.04.3 LTS` on w-1, w-2; `Ubuntu 22.04.5 LTS` on w-3",
        "the nodes differ in `kernel-version`: `6.8.0-85-generic` on w-1, w-3; `6.5.0-45-generic` on w-2",
        "the nodes differ in `kubelet-version`: `v1.33.5` on w-1, w-2; `v1.32.9` on w-3",
    ]
    assert said(findings, "I304") == [
        "the operating system on w-4 is not known",
        "the kernel on w-4 is not known",
        "the kubelet's version on w-4 is not known",
    ]


def test_labels_and_taints_know_their_nodes() -> None:
    snapshot, _ = measured("mixed")
    assert subtype(snapshot, "NodeTopology", "summary").data["node-count"] == 4
    labels = subtype(snapshot, "NodeTopology", "label")
    assert labels.data["nvidia.com/gpu.product.NVIDIA-A100-SXM4-80GB"] == "NVIDIA-A100-SXM4-80GB|w-2"
    assert labels.data["kubernetes.io/os"] == "linux|w-1,w-2,w-3,w-4"
    (item,) = [item for item in labels.items if item.context == {"key": "kubernetes.io/os", "value": "linux"}]
    assert item.data == {"node-count": 4, "node-list": "w-1,w-2,w-3,w-4", "truncated": False}
    taints = subtype(measured("eks-h100-ubuntu")[0], "NodeTopology", "taint")
    nodes = "ip-10-0-1-21.eu-central-1.compute.internal,ip-10-0-1-22.eu-central-1.compute.internal"
    assert taints.data == {"nvidia.com/gpu": f"NoSchedule|present|{nodes}"}


def test_two_effects_of_one_taint_are_told_apart() -> None:
    _, nodes = answers("kind")
    nodes[0]["spec"]["taints"] = [
        {"key": "k", "effect": "NoSchedule"},
        {"key": "k", "effect": "NoExecute", "value": "v"},
    ]
    snapshot, _ = measure(Answers(None, tuple(nodes)))
    assert subtype(snapshot, "NodeTopology", "taint").data == {
        "k.NoExecute": "v|kind-control-plane",
        "k.NoSchedule": "|kind-control-plane",
    }


def test_what_the_api_never_tells_is_a_hint() -> None:
    snapshot, findings = measured("gke-h100-cos")
    assert [finding.code for finding in findings] == ["I306"]
    assert "`Container-Optimized OS from Google`" in findings[0].message
    assert "VERSION_ID" not in subtype(snapshot, "OS", "release").data
    assert subtype(snapshot, "GPU", "hardware").data["model"] == "h100"


def test_accelerators_without_a_product_are_named() -> None:
    version, nodes = answers("metal-h100-talos")
    for node in nodes:
        node["metadata"]["labels"] = {}
    _, findings = measure(Answers(version, tuple(nodes)))
    (finding,) = findings
    assert finding.message == "there is no label `nvidia.com/gpu.product` on gpu-1, gpu-2, which announce accelerators"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Answers({}, None, missing=("the API server does not tell the node list: no",)), "the node list: no"),
        (Answers({"gitVersion": "v1.34.1"}, ()), "the cluster has no node"),
        (Answers({}, None), "holds no version"),
        (Answers({"gitVersion": 1}, None), "holds no version"),
    ],
)
def test_gaps_in_the_answers_are_said(given: Answers, text: str) -> None:
    _, findings = measure(given)
    assert any(text in message for message in said(findings, "I304"))


def test_a_provider_on_some_nodes_only_is_said() -> None:
    version, nodes = answers("kind")
    del nodes[1]["spec"]["providerID"]
    _, findings = measure(Answers(version, tuple(nodes)))
    assert said(findings, "I305") == [
        "the nodes differ in `provider`: `none` on kind-worker; `kind` on kind-control-plane"
    ]


def test_an_unknown_system_is_said() -> None:
    version, nodes = answers("kind")
    nodes[1]["status"]["nodeInfo"]["osImage"] = "K3s v1.31.4+k3s1"
    _, findings = measure(Answers(version, tuple(nodes)))
    assert "the operating system `K3s v1.31.4+k3s1` on kind-worker is not one that is known here" in said(
        findings, "I304"
    )


@pytest.mark.parametrize(
    "node", [{}, {"metadata": None}, {"metadata": [], "spec": 1, "status": "x"}, {"spec": {"taints": [1, {}]}}]
)
def test_a_node_of_any_form_is_survived(node: Any) -> None:
    version, nodes = answers("kind")
    before = copy.deepcopy(nodes)
    _, findings = measure(Answers(version, (*nodes, node)))
    assert said(findings, "I304")
    assert nodes == before


def test_the_order_of_nodes_does_not_matter() -> None:
    version, nodes = answers("mixed")
    assert measure(Answers(version, tuple(nodes))) == measure(Answers(version, tuple(reversed(nodes))))
