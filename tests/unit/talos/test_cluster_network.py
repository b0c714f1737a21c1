"""Components that are the cluster's network: what of it Talos is told not to install, where, and in which form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import talos_kit
import talos_merge
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.source.span import Span
from groundswell.talos.render import talos_files
from groundswell.talos.schema import read_schemas
from groundswell.talos.version import parse_version
from groundswell.talos_client.remaining import remaining
from plan_factory import TALOS, component, plan

SCHEMAS = Path(__file__).parents[4] / "shared" / "talos-schema"

HOSTS = """\
- {name: cp1, role: controlplane, installDisk: /dev/sda}
- {name: w1, installDisk: /dev/sda}
- {name: gpu1, accelerated: true, installDisk: /dev/sda}
"""
FIELDS = {"network": {"cni": {"name": "none"}}, "proxy": {"disabled": True}}
DOCUMENTS: list[dict[str, Any]] = [
    {"apiVersion": "v1alpha1", "kind": "KubeFlannelCNIConfig", "$patch": "delete"},
    {"apiVersion": "v1alpha1", "kind": "KubeProxyConfig", "enabled": False},
]
TARGETS = [
    ("v1.10.9", "generated"),
    ("v1.11.6", "generated"),
    ("v1.13.2", "generated"),
    ("v1.14.1", "legacy"),
    ("v1.14.1", "generated"),
    ("v1.15.0", "generated"),
]


def network(name: str = "bridge", cni: str | None = "none", kube_proxy: Any = False, line: int = 9) -> Any:
    file = f"components/{name}/component.yaml"
    places = {"cni": Span(file, line, 12, line, 16), "kubeProxy": Span(file, line + 1, 18, line + 1, 23)}
    return component(name, cluster_needs=ClusterNeeds(cni, kube_proxy, places=places))


def source(version: str, base: str = "generated") -> str:
    return talos_kit.text(HOSTS, version=version, talos=f"baseConfig: {base}")


def asked_of_the_cluster(documents: list[Any]) -> tuple[Any, list[Any]]:
    """What a patch says on the cluster's network: as fields, and as documents."""
    kinds = [document["kind"] for document in DOCUMENTS]
    fields: dict[str, Any] = {}
    for document in documents:
        fields |= document.get("cluster", {})
    return fields, [document for document in documents if document.get("kind") in kinds]


@pytest.mark.parametrize(("version", "base"), TARGETS)
def test_control_planes_are_told_and_nobody_else(version: str, base: str) -> None:
    asked = plan(network(), talos_kit.gpus(), criteria=TALOS)
    split = version >= "v1.14" and base == "generated"
    documents = talos_kit.patch_of(source(version, base), "cp1", asked)
    assert asked_of_the_cluster(documents) == (({}, DOCUMENTS) if split else (FIELDS, []))
    for host in ("w1", "gpu1"):
        assert asked_of_the_cluster(talos_kit.patch_of(source(version, base), host, asked)) == ({}, [])


@pytest.mark.parametrize(("version", "base"), TARGETS)
def test_without_such_a_component_nothing_is_said(version: str, base: str) -> None:
    for other in (component("app"), network(cni="flannel", kube_proxy=True), network(cni=None, kube_proxy=None)):
        documents = talos_kit.patch_of(source(version, base), "cp1", plan(other, criteria=TALOS))
        assert asked_of_the_cluster(documents) == ({}, [])


def test_each_half_stands_alone() -> None:
    def said(needs: Any, version: str) -> Any:
        return asked_of_the_cluster(talos_kit.patch_of(source(version), "cp1", plan(needs, criteria=TALOS)))

    only_cni, only_proxy = network(kube_proxy=None), network(cni=None)
    assert said(only_cni, "v1.13.2") == ({"network": FIELDS["network"]}, [])
    assert said(only_proxy, "v1.13.2") == ({"proxy": FIELDS["proxy"]}, [])
    assert said(only_cni, "v1.14.1") == ({}, DOCUMENTS[:1])
    assert said(only_proxy, "v1.14.1") == ({}, DOCUMENTS[1:])


def test_exempt_namespaces_stay_beside_it() -> None:
    text = talos_kit.text(HOSTS, talos="podSecurityExemptions: [storage]")
    documents = talos_kit.patch_of(text, "cp1", plan(network(), criteria=TALOS))
    assert documents[0]["cluster"].keys() == {"apiServer", "network", "proxy"}


@pytest.mark.parametrize("version", ["v1.11.6", "v1.13.2", "v1.14.0"])
def test_without_a_cluster_file_control_planes_are_a_class_of_their_own(version: str) -> None:
    disks = talos_kit.asking("disks", "accelerated", kernel_modules=("dm_crypt",))
    files, findings = talos_files(plan(network(), disks, criteria=TALOS), version)
    assert not findings
    by_path = {file.path: file.data for file in files}
    patches = {
        name: list(yaml.safe_load_all(by_path.get(f"talos/patches/{name}.yaml", b"")))
        for name in ("controlplanes", "all", "accelerated")
    }
    assert asked_of_the_cluster(patches.pop("controlplanes")) == (
        ({}, DOCUMENTS) if version == "v1.14.0" else (FIELDS, [])
    )
    assert all(asked_of_the_cluster(documents) == ({}, []) for documents in patches.values())
    readme = by_path["talos/README.md"].decode()
    assert "| control planes | `patches/controlplanes.yaml` |" in readme
    assert "| every machine without a row of its own |" in readme
    assert "Talos installs no CNI and no kube-proxy here." in readme


def test_where_talos_installs_the_network_the_readme_is_silent() -> None:
    files, _ = talos_files(plan(talos_kit.gpus(), criteria=TALOS), "v1.13.2")
    text = "".join(file.data.decode() for file in files)
    assert "The first start" not in text
    assert "kube-proxy" not in text
    assert not [file.path for file in files if "controlplanes" in file.path]


def test_two_components_that_want_different_clusters_are_both_shown() -> None:
    asked = plan(network(), network("overlay", "flannel", kube_proxy=True, line=20), criteria=TALOS)
    _, with_file = talos_kit.rendered(source("v1.13.2"), asked)
    _, without_file = talos_files(asked, "v1.14.0")
    for findings in (with_file, without_file):
        assert [(item.code, item.message) for item in findings] == [
            (
                "T220",
                "the cluster setting `cni` is `flannel` for component `overlay` and `none` for component `bridge`",
            ),
            (
                "T220",
                "the cluster setting `kubeProxy` is `true` for component `overlay` and `false` for component `bridge`",
            ),
        ]
        assert [(item.span.file, item.span.line) for item in findings if item.span] == [
            ("components/overlay/component.yaml", 20),
            ("components/overlay/component.yaml", 21),
        ]
        assert [related.span.line for item in findings for related in item.related] == [9, 10]


def test_a_cluster_without_control_planes_cannot_be_told() -> None:
    _, (finding,) = talos_kit.rendered(talos_kit.text("- {name: w1}"), plan(network(), criteria=TALOS))
    assert finding.code == "T221"
    assert finding.span is not None
    assert (finding.span.file, finding.span.line) == ("components/bridge/component.yaml", 9)


@pytest.mark.parametrize("version", ["v1.11.6", "v1.13.2", "v1.14.1"])
def test_applied_again_it_changes_nothing_and_nothing_of_it_remains(version: str) -> None:
    documents = talos_kit.patch_of(source(version), "cp1", plan(network(), criteria=TALOS))
    generated = talos_merge.generated(version, control_plane=True)
    once = talos_merge.applied(generated, documents)
    assert talos_merge.applied(once, documents) == once
    assert talos_merge.applied(generated, remaining(documents, generated)) == once
    assert remaining(documents, generated) != ()
    assert remaining(documents, once) == ()
    assert "KubeFlannelCNIConfig" not in [document.get("kind") for document in once]


@pytest.mark.parametrize(("version", "base"), TARGETS)
def test_it_fits_the_official_schemas(version: str, base: str) -> None:
    if not SCHEMAS.is_dir():
        pytest.skip("the official schemas are not here")
    schemas, _ = read_schemas({path.name: path.read_bytes() for path in SCHEMAS.iterdir()})
    parsed, _ = parse_version(version)
    assert parsed is not None
    documents = talos_kit.patch_of(source(version, base), "cp1", plan(network(), criteria=TALOS))
    assert schemas.findings(documents, parsed, "cp1") == ()
    # The very kinds and fields are known there: each of these would be refused otherwise.
    wrong: dict[str, Any] = {"cluster": {"network": {"cni": {"name": "nothing"}}}}
    assert schemas.findings([wrong], parsed, "cp1") or version >= "v1.15"
    if version >= "v1.14":
        wrong = {"apiVersion": "v1alpha1", "kind": "KubeProxyConfig", "disabled": True}
        assert len(schemas.findings([wrong], parsed, "cp1")) == 1
