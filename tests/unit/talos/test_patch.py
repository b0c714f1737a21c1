"""Patches in the form of each contract, and every rule of Talos that a generator of patches can break."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import talos_kit
import talos_merge
from groundswell.source.reader import read
from groundswell.talos.schema import Schemas, read_schemas
from groundswell.talos.version import TalosVersion, parse_version
from plan_factory import plan

SCHEMAS = Path(__file__).parents[4] / "shared" / "talos-schema"

HOSTS = """\
- name: cp1
  role: controlplane
  installDisk: /dev/sda
  prep: {sysctls: {a.b: "1"}}
- name: nvme1
  installDisk: /dev/disk/by-id/nvme-SYSTEM
  cpuVendor: intel
  numaNodes: 2
  nodeLabels: {example.test/storage: "yes"}
  prep:
    hugepages: {2Mi: [4096, 2048], 1Gi: 16}
    housekeepingCPUs: 0-3
    kernelArgs: [quiet]
    kernelModuleParameters: {nvme_tcp: [x=1]}
    vfio: [{address: "0000:04:00.0", kind: network}, {address: "0000:3b:00.0", kind: network}]
    sysctls: {vm.max_map_count: 1048576}
    instances:
      - {name: s0, numaNode: 0, cpus: 4-7, housekeepingCPUs: "8"}
      - {name: s1, numaNode: 1, cpus: 36-39}
- {name: gpu1, accelerated: true, installDisk: /dev/nvme0n1}
- {name: sata1, installDisk: /dev/sda, prep: {extensions: [siderolabs/iscsi-tools], kernelModules: [iscsi_tcp]}}
"""
NAMES = ("cp1", "nvme1", "gpu1", "sata1")
TARGETS = [
    ("v1.10.9", "generated"),
    ("v1.11.6", "generated"),
    ("v1.12.1", "generated"),
    ("v1.13.2", "generated"),
    ("v1.13.2", "legacy"),
    ("v1.14.1", "legacy"),
    ("v1.14.1", "generated"),
    ("v1.15.0", "generated"),
]
PLAN = plan(talos_kit.gpus(), criteria={"os": "talos"})
SYSFS = {
    "devices.system.node.node0.hugepages.hugepages-2048kB.nr_hugepages": "4096",
    "devices.system.node.node1.hugepages.hugepages-2048kB.nr_hugepages": "2048",
}
KUBELET = {"cpuManagerPolicy": "static", "reservedSystemCPUs": "0-3,8", "topologyManagerPolicy": "restricted"}
RECORD = {
    "groundswell.dev/definition": json.dumps(
        {
            "devices": ["0000:04:00.0", "0000:3b:00.0"],
            "modules": ["nvme_tcp x=1", "vfio_iommu_type1", "vfio_pci"],
            "sysctls": ["vm.max_map_count"],
            "sysfs": sorted(SYSFS),
            "labels": ["example.test/storage", "groundswell.dev/host"],
            "kubelet": sorted(KUBELET),
        },
        separators=(",", ":"),
    )
}


def source(version: str, base: str = "generated", *, hostnames: bool = False) -> str:
    lines = f"baseConfig: {base}\npodSecurityExemptions: [storage]\nsetHostnames: {str(hostnames).lower()}"
    return talos_kit.text(HOSTS, version=version, talos=lines)


def patch(host: str, version: str, base: str = "generated", *, hostnames: bool = False) -> list[Any]:
    return talos_kit.patch_of(source(version, base, hostnames=hostnames), host, PLAN)


def image(documents: list[Any]) -> str:
    found = re.search(r"factory\.talos\.dev/metal-installer/[0-9a-f]{64}:v[0-9.]+", json.dumps(documents))
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("version", "base"), [target for target in TARGETS if target[0] < "v1.14" or target[1] == "legacy"]
)
def test_up_to_1_13_and_on_legacy_bases_settings_are_fields(version: str, base: str) -> None:
    documents = patch("nvme1", version, base)
    rebinds = [
        {"apiVersion": "v1alpha1", "kind": "PCIDriverRebindConfig", "name": name, "targetDriver": "vfio-pci"}
        for name in ("0000:04:00.0", "0000:3b:00.0")
    ]
    assert documents == [
        {
            "machine": {
                "install": {"disk": "/dev/disk/by-id/nvme-SYSTEM", "image": image(documents)},
                "kernel": {
                    "modules": [
                        {"name": "vfio_pci"},
                        {"name": "vfio_iommu_type1"},
                        {"name": "nvme_tcp", "parameters": ["x=1"]},
                    ]
                },
                "sysctls": {"vm.max_map_count": "1048576"},
                "sysfs": SYSFS,
                "kubelet": {"extraConfig": KUBELET},
                "nodeLabels": {"example.test/storage": "yes", "groundswell.dev/host": "nvme1"},
                "nodeAnnotations": RECORD,
            }
        },
        *rebinds,
    ]


@pytest.mark.parametrize("version", ["v1.14.1", "v1.15.0"])
def test_from_1_14_on_settings_are_documents_on_a_generated_base(version: str) -> None:
    documents = patch("nvme1", version)
    assert all(document.pop("apiVersion") == "v1alpha1" for document in documents)
    assert documents == [
        {
            "kind": "UnattendedInstallConfig",
            "installer": {"image": image(documents)},
            "provisioning": {"diskSelector": {"match": '"/dev/disk/by-id/nvme-SYSTEM" in disk.symlinks'}},
        },
        {"kind": "KernelModuleConfig", "name": "vfio_pci"},
        {"kind": "KernelModuleConfig", "name": "vfio_iommu_type1"},
        {"kind": "KernelModuleConfig", "name": "nvme_tcp", "parameters": ["x=1"]},
        {"kind": "SysctlConfig", "params": {"vm.max_map_count": "1048576"}},
        {"kind": "SysfsConfig", "params": SYSFS},
        {"kind": "KubeletConfig", "config": KUBELET},
        {
            "kind": "KubeNodeConfig",
            "labels": {"example.test/storage": "yes", "groundswell.dev/host": "nvme1"},
            "annotations": RECORD,
        },
        {"kind": "PCIDriverRebindConfig", "name": "0000:04:00.0", "targetDriver": "vfio-pci"},
        {"kind": "PCIDriverRebindConfig", "name": "0000:3b:00.0", "targetDriver": "vfio-pci"},
    ]


def test_a_disk_is_selected_by_its_device_or_by_a_link() -> None:
    (install, *_) = patch("gpu1", "v1.14.1")
    assert install["provisioning"]["diskSelector"]["match"] == 'disk.dev_path == "/dev/nvme0n1"'


def test_no_patch_takes_the_generated_disk_away() -> None:
    """Laid on a configuration, install settings without a disk delete the disk of that configuration."""
    source = talos_kit.text("- {name: w1}\n", version="v1.14.1")
    files, findings = talos_kit.rendered(source)
    assert not files
    assert [finding.code for finding in findings] == ["T236"]
    assert findings[0].span is not None
    assert (findings[0].span.line, findings[0].span.column) == (9, 14)
    for version, base in (("v1.13.2", "generated"), ("v1.14.1", "legacy")):
        talos = f"baseConfig: {base}"
        (document,) = talos_kit.patch_of(talos_kit.text("- {name: w1}", version=version, talos=talos), "w1")
        assert list(document["machine"]["install"]) == ["image"]


@pytest.mark.parametrize(("version", "base"), TARGETS)
def test_exempt_namespaces_reach_control_planes_only(version: str, base: str) -> None:
    configuration = {
        "apiVersion": "pod-security.admission.config.k8s.io/v1alpha1",
        "kind": "PodSecurityConfiguration",
        "exemptions": {"namespaces": ["storage"]},
    }
    documents = patch("cp1", version, base)
    if version >= "v1.14" and base == "generated":
        found = [document for document in documents if document["kind"] == "KubeAdmissionControlConfig"]
        assert [document["configuration"] for document in found] == [configuration]
    else:
        plugins = documents[0]["cluster"]["apiServer"]["admissionControl"]
        assert plugins == [{"name": "PodSecurity", "configuration": configuration}]
    for worker in NAMES[1:]:
        assert "PodSecurity" not in json.dumps(patch(worker, version, base))


def test_without_exemptions_asked_for_there_are_none() -> None:
    assert "PodSecurity" not in json.dumps(talos_kit.patch_of(talos_kit.text(HOSTS), "cp1", PLAN))


@pytest.mark.parametrize("version", ["v1.11.6", "v1.12.1", "v1.13.2", "v1.14.1"])
def test_a_host_name_switches_off_the_generated_one(version: str) -> None:
    documents = patch("sata1", version, hostnames=True)
    found = [document for document in documents if document.get("kind") == "HostnameConfig"]
    if version == "v1.11.6":
        assert documents[0]["machine"]["network"] == {"hostname": "sata1"}
        assert not found
    else:
        assert found == [{"apiVersion": "v1alpha1", "kind": "HostnameConfig", "auto": "off", "hostname": "sata1"}]


@pytest.mark.parametrize(("version", "base"), TARGETS)
@pytest.mark.parametrize("host", NAMES)
def test_every_patch_keeps_the_rules_of_strategic_merge(version: str, base: str, host: str) -> None:
    files, _ = talos_kit.rendered(source(version, base), PLAN)
    data = files[f"talos/patches/{host}.yaml"].data
    documents = list(yaml.safe_load_all(data))
    # YAML 1.1 and 1.2 read it alike: addresses, `off` and numbers are text.
    read_documents, findings = read(data, "patch.yaml")
    assert [document.data for document in read_documents] == documents
    assert findings == ()
    # No JSON patch; one document per kind and name; the legacy document has known sections only.
    assert all(isinstance(document, dict) for document in documents)
    identities = [(document.get("kind"), document.get("name")) for document in documents]
    assert len(set(identities)) == len(identities)
    assert all(document.keys() <= {"machine", "cluster"} for document in documents if "kind" not in document)
    # Never both forms.
    exclusive = {
        "KubeletConfig",
        "KubeNodeConfig",
        "UnattendedInstallConfig",
        "KernelModuleConfig",
        "SysctlConfig",
        "SysfsConfig",
    }
    kinds = {document.get("kind") for document in documents}
    assert not (None in kinds and kinds & exclusive)
    text = data.decode()
    # Arguments come with the image; nothing is removed; nothing is empty, which a merge would ignore.
    assert not re.search(r"extraKernelArgs|grubUseUKICmdline|\$patch|quiet|hugepagesz", text)
    assert not re.search(r": (?:\{\}|\[\]|null|0|\"\")$", text, re.MULTILINE)
    # The kubelet's protected fields.
    assert not re.search(r"authentication|cgroupRoot|staticPodPath|resolvConf|rotateCertificates", text)
    # Modules before the devices that need them.
    if "PCIDriverRebindConfig" in text:
        assert text.index("vfio_iommu_type1") < text.index("PCIDriverRebindConfig")
        assert 'name: "0000:04:00.0"' in text


@pytest.mark.parametrize(("version", "base"), TARGETS)
@pytest.mark.parametrize("host", NAMES)
def test_applied_twice_only_lists_without_a_key_grow(version: str, base: str, host: str) -> None:
    documents = patch(host, version, base)
    split = version >= "v1.14" and base == "generated"
    config = talos_merge.generated(version if base == "generated" else "v1.13.0", control_plane=host == "cp1")
    once = talos_merge.applied(config, documents)
    twice = talos_merge.applied(once, documents)
    readme = talos_kit.rendered(source(version, base), PLAN)[0]["talos/README.md"].data.decode()
    for what, (before, after) in {
        "exempt namespaces": (_exempt(once), _exempt(twice)),
        "its kernel modules": (_modules(once), _modules(twice)),
        "parameters of kernel modules": (_parameters(once), _parameters(twice)),
    }.items():
        assert before == after or what in readme, what
    if host == "gpu1" and split:
        assert once == twice
    assert ("its kernel modules" in readme) == (not split)
    assert ("parameters of kernel modules" in readme) == split
    _without_lists(once)
    _without_lists(twice)
    assert once == twice


def _exempt(config: list[Any]) -> list[Any]:
    return re.findall(
        r"storage", json.dumps([document for document in config if "PodSecurity" in json.dumps(document)])
    )


def _modules(config: list[Any]) -> list[Any]:
    modules: list[Any] = config[0]["machine"].get("kernel", {}).get("modules", [])
    return modules


def _parameters(config: list[Any]) -> list[Any]:
    return [value for document in config for value in document.get("parameters", [])]


def _without_lists(config: list[Any]) -> None:
    """Take out what is known to grow."""
    config[0]["machine"].pop("kernel", None)
    config[0]["cluster"].pop("apiServer", None)
    for document in config:
        document.pop("parameters", None)
        if document.get("kind") == "KubeAdmissionControlConfig":
            del document["configuration"]["exemptions"]


def test_one_line_of_the_cluster_file_gives_a_device_all_it_needs() -> None:
    text = talos_kit.text('- {name: w1, prep: {vfio: [{address: "0000:04:00.0", driver: uio_pci_generic}]}}')
    (fields, rebind) = talos_kit.patch_of(text, "w1")
    assert fields["machine"]["kernel"]["modules"] == [{"name": "uio_pci_generic"}]
    assert (rebind["name"], rebind["targetDriver"]) == ("0000:04:00.0", "uio_pci_generic")


@pytest.mark.parametrize(
    ("prep", "kubelet"),
    [
        ("{housekeepingCPUs: 0-1}", None),
        ("{isolatedCPUs: 2-3}", None),
        ("{isolatedCPUs: 2-3, housekeepingCPUs: 0-1}", {"cpuManagerPolicy": "static", "reservedSystemCPUs": "0-1"}),
        (
            "{housekeepingCPUs: 0-1, instances: [{name: a, cpus: 2-3, numaNode: 0}, {name: b, cpus: 4-5}]}",
            {"cpuManagerPolicy": "static", "reservedSystemCPUs": "0-1"},
        ),
        (
            "{isolatedCPUs: 2-7, instances: [{name: a, cpus: 2-3, numaNode: 0, housekeepingCPUs: 8-9}]}",
            {"cpuManagerPolicy": "static", "reservedSystemCPUs": "8-9", "topologyManagerPolicy": "restricted"},
        ),
    ],
)
def test_the_static_cpu_manager_needs_reserved_cpus_and_topology_needs_every_numa_node(prep: str, kubelet: Any) -> None:
    machine = talos_kit.patch_of(talos_kit.text(f"- {{name: w1, prep: {prep}}}"), "w1")[0]["machine"]
    assert machine.get("kubelet", {}).get("extraConfig") == kubelet


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    if not SCHEMAS.is_dir():
        pytest.skip("the official schemas are not here")
    found, findings = read_schemas({path.name: path.read_bytes() for path in SCHEMAS.iterdir()})
    assert not findings
    assert len(found.by_release) > 1
    return found


@pytest.mark.parametrize(
    "files", [{}, {"readme.txt": b""}, {"v1.13.json": b"{"}, {"v1.13.json": b"{}"}, {"v1.13.json": b"[]"}]
)
def test_what_is_no_schema(files: dict[str, bytes]) -> None:
    found, findings = read_schemas(files)
    assert not found.by_release
    assert [finding.code for finding in findings] == ["T241"]


def parsed(version: str) -> TalosVersion:
    found, _ = parse_version(version)
    assert found is not None
    return found


@pytest.mark.parametrize(("version", "base"), TARGETS)
@pytest.mark.parametrize("host", NAMES)
def test_patches_fit_the_official_schemas(schemas: Schemas, version: str, base: str, host: str) -> None:
    assert schemas.findings(patch(host, version, base), parsed(version), host) == ()


def test_host_names_fit_the_official_schemas(schemas: Schemas) -> None:
    for version in ("v1.11.6", "v1.12.1", "v1.13.2", "v1.14.1"):
        assert schemas.findings(patch("sata1", version, hostnames=True), parsed(version), "sata1") == ()


@pytest.mark.parametrize(
    ("document", "version", "message"),
    [
        (
            {"machine": {"sysctls": {"a": 1}}},
            "v1.13.2",
            "the v1alpha1 document of `w1`: `machine.sysctls.a`: 1 is not of type 'string'",
        ),
        (
            {"apiVersion": "v1alpha1", "kind": "SysctlConfig", "params": {"a": 1}},
            "v1.14.0",
            "SysctlConfig of `w1`: `params.a`: 1 is not of type 'string'",
        ),
        (
            {"apiVersion": "v1alpha1", "kind": "PCIDriverRebindConfig", "name": "a", "driver": "b"},
            "v1.10.0",
            "PCIDriverRebindConfig of `w1`: ``: Additional properties are not allowed ('driver' was unexpected)",
        ),
        (
            {"customization": {"extraKernelArgs": []}},
            "v1.13.2",
            "the v1alpha1 document of `w1`: ``: Additional properties are not allowed ('customization' was unexpected)",
        ),
    ],
)
def test_what_the_schemas_refuse_is_told_by_kind_and_path(
    schemas: Schemas, document: Any, version: str, message: str
) -> None:
    found = schemas.findings([document], parsed(version), "w1")
    assert [(finding.code, finding.message) for finding in found] == [("T240", message)]


@pytest.mark.parametrize(
    ("version", "base"),
    [("v1.11.6", "generated"), ("v1.13.2", "generated"), ("v1.14.1", "generated"), ("v1.14.1", "legacy")],
)
@pytest.mark.parametrize(
    "modules", ["kernelModules: []", "kernelModules: [nvme_tcp]", "kernelModuleParameters: {a: [x=1]}"]
)
@pytest.mark.parametrize("exempt", ["[]", "[store]"])
def test_the_readme_says_what_a_patch_doubles_when_it_is_applied_again(
    version: str, base: str, modules: str, exempt: str
) -> None:
    hosts = f"- {{name: cp, role: controlplane, installDisk: /dev/sda, prep: {{{modules}, sysctls: {{a: '1'}}}}}}"
    source = talos_kit.text(hosts, version=version, talos=f"baseConfig: {base}\npodSecurityExemptions: {exempt}")
    files, _ = talos_kit.rendered(source)
    patch = talos_kit.patch_of(source, "cp")
    split = version.startswith("v1.14") and base == "generated"
    once = talos_merge.applied(
        talos_merge.generated(version if base == "generated" else "v1.13.0", control_plane=True), patch
    )
    readme = files["talos/README.md"].data.decode()
    assert ("can be applied again" in readme) == (talos_merge.applied(once, patch) == once)
    assert ("exempt namespaces" in readme) == (exempt != "[]")
    assert ("parameters of kernel modules" in readme) == (split and "Parameters" in modules)
    assert ("doubles its kernel modules" in readme) == (not split and modules != "kernelModules: []")
