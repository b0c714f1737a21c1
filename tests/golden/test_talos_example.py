"""The worked example under bundles/four-hosts: one bundle, and its node layer for three versions of Talos."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from command import ROOT, groundswell, tree
from helm_binaries import helm_binaries

EXAMPLE = ROOT / "bundles" / "four-hosts"
CLUSTER = EXAMPLE / "cluster.yaml"
BUNDLE = EXAMPLE / "bundle"
REPOSITORY = ("--repo", "https://git.example.test/platform/clusters.git", "--path", "bundles/four-hosts/bundle")
STATED = "v1.13.2"
VERSIONS = {"talos-1.11": "v1.11.6", "talos-1.13": STATED, "talos-1.14": "v1.14.1"}
SCHEMAS = Path(__file__).parents[3] / "shared" / "talos-schema"
OWN_FILES = {"checksums.txt", "bundle.yaml"}
DEVICES = re.compile(r"0000:[0-9a-f]{2}:00\.[01]")
GENERIC, SRIOV = "generic-device-plugin", "sriov-network-device-plugin"


def rendered(version: str, directory: Path, *options: str | Path) -> tuple[str, Path]:
    """The node layer of the example for another version: what was said, and where it is."""
    text = CLUSTER.read_text(encoding="utf-8")
    assert text.count(STATED) == 1
    file = directory / CLUSTER.name
    file.write_text(text.replace(STATED, version), encoding="utf-8")
    done = groundswell("talos", "render", file, "-o", directory / "out", *options)
    assert done.code == 0, done.err
    return done.err, directory / "out"


def objects(folder: str, major: str) -> list[dict[str, Any]]:
    """What a folder of the bundle installs."""
    (path,) = BUNDLE.glob(f"[0-9][0-9][0-9]-{folder}")
    words: list[str | Path] = [helm_binaries()[major], "template", folder, path, "--values", path / "values.yaml"]
    done = subprocess.run([*words, "--kube-version", "1.35"], capture_output=True, check=True)
    return [item for item in yaml.safe_load_all(done.stdout) if item]


def documents(version: str, host: str) -> list[dict[str, Any]]:
    """A host's patch for one of the versions."""
    return list(yaml.safe_load_all((EXAMPLE / version / "patches" / f"{host}.yaml").read_bytes()))


def test_the_committed_bundle_is_what_compiles(tmp_path: Path, update_golden: bool) -> None:
    arguments = ("bundle", "--cluster", CLUSTER, *REPOSITORY, "-o")
    if update_golden:
        assert groundswell(*arguments, BUNDLE).code == 0
    done = groundswell(*arguments, tmp_path / "out")
    assert done.code == 0, done.err
    assert "warning" not in done.err
    assert tree(tmp_path / "out") == tree(BUNDLE)


def test_the_resolved_recipe_and_the_file_compile_to_the_same_bytes(tmp_path: Path) -> None:
    done = groundswell(
        "bundle", "--recipe", BUNDLE / "recipe.yaml", "--cluster", CLUSTER, *REPOSITORY, "-o", tmp_path / "out"
    )
    assert done.code == 0, done.err
    assert tree(tmp_path / "out") == tree(BUNDLE)


@pytest.mark.parametrize("name", VERSIONS)
def test_the_node_layers_are_what_renders(name: str, tmp_path: Path, update_golden: bool) -> None:
    schemas = ("--talos-schema", SCHEMAS) if SCHEMAS.is_dir() else ()
    said, made = rendered(VERSIONS[name], tmp_path, *schemas)
    if update_golden:
        text = CLUSTER.read_text(encoding="utf-8").replace(STATED, VERSIONS[name])
        (tmp_path / "again.yaml").write_text(text, encoding="utf-8")
        assert groundswell("talos", "render", tmp_path / "again.yaml", "-o", EXAMPLE / name).code == 0
    assert tree(made) == tree(EXAMPLE / name)
    # Before 1.13 containers do not get GPUs by CDI.
    assert ("warning" in said) == (name == "talos-1.11")


def test_the_bundle_holds_the_node_layer_of_its_version() -> None:
    alone = {path: data for path, data in tree(EXAMPLE / "talos-1.13").items() if path not in OWN_FILES}
    assert tree(BUNDLE / "talos") == alone


def test_each_host_is_one_of_its_kind() -> None:
    image = re.compile(r"metal-installer/([0-9a-f]{64}):")
    texts = {host: (EXAMPLE / "talos-1.13" / "patches" / f"{host}.yaml").read_text() for host in
             ("control-1", "nvme-1", "gpu-1", "sata-1")}  # fmt: skip
    assert len({found[1] for text in texts.values() if (found := image.search(text))}) == len(texts)
    assert ["PCIDriverRebindConfig" in text for text in texts.values()] == [False, True, False, False]
    assert ["nvidia" in text for text in texts.values()] == [False, False, True, False]
    assert ["hugepages" in text for text in texts.values()] == [False, True, False, False]
    assert ["groundswell.dev/host" in text for text in texts.values()] == [False, True, False, False]
    assert "iscsi_tcp" in texts["sata-1"]


@pytest.mark.parametrize("name", VERSIONS)
def test_settings_stand_where_each_version_has_them(name: str) -> None:
    kinds = {item.get("kind", "v1alpha1") for item in documents(name, "nvme-1")}
    own = {"KernelModuleConfig", "SysfsConfig", "KubeletConfig", "KubeNodeConfig", "UnattendedInstallConfig"}
    assert kinds == {"PCIDriverRebindConfig"} | (own if name == "talos-1.14" else {"v1alpha1"})


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_both_layers_speak_of_the_same_devices(major: str) -> None:
    text = (EXAMPLE / "cluster.yaml").read_text(encoding="utf-8")
    wanted = {line for line in text.splitlines() if "kind: n" in line}
    bound = {item["name"] for item in documents("talos-1.13", "nvme-1") if item.get("kind") == "PCIDriverRebindConfig"}
    assert bound == {found[0] for line in wanted if (found := DEVICES.search(line))}
    (config,) = [item for item in objects(SRIOV, major) if item["kind"] == "ConfigMap"]
    (cards,) = json.loads(config["data"]["config.json"])["resourceList"]
    assert cards["resourceName"] == "worker-network"
    assert cards["selectors"] == {"drivers": ["vfio-pci"], "pciAddresses": ["0000:c4:00.0", "0000:c4:00.1"]}
    assert set(cards["selectors"]["pciAddresses"]) < bound
    (plugin,) = objects(GENERIC, major)
    (container,) = plugin["spec"]["template"]["spec"]["containers"]
    *_, option, device = container["args"]
    disks = json.loads(device)
    assert (option, disks["name"]) == ("--device", "worker-nvme")
    groups = [[path["path"] for path in group["paths"]] for group in disks["groups"]]
    assert groups == [[f"/dev/vfio/{number}", "/dev/vfio/vfio"] for number in (52, 53, 12, 13)]


@pytest.mark.helm
@pytest.mark.parametrize("plugin", [GENERIC, SRIOV])
def test_plugins_run_on_the_hosts_that_have_their_devices(plugin: str) -> None:
    (daemons,) = [item for item in objects(plugin, "3") if item["kind"] == "DaemonSet"]
    pod = daemons["spec"]["template"]
    terms = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    (rule,) = terms["nodeSelectorTerms"][0]["matchExpressions"]
    labels = documents("talos-1.13", "nvme-1")[0]["machine"]["nodeLabels"]
    assert labels == {rule["key"]: rule["values"][0]}
    assert daemons["spec"]["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    assert "@sha256:" in pod["spec"]["containers"][0]["image"]


@pytest.mark.helm
def test_hosts_alike_share_a_daemon_and_others_have_their_own(tmp_path: Path) -> None:
    (path,) = BUNDLE.glob(f"[0-9][0-9][0-9]-{GENERIC}")
    pools = {"a": [1, 2], "b": [1, 2], "c": [2]}
    values = {GENERIC: {"hosts": {host: {"worker-nvme": groups} for host, groups in pools.items()}}}
    (tmp_path / "more.yaml").write_text(json.dumps(values))
    words: list[str | Path] = [helm_binaries()["4"], "template", path, "--values", path / "values.yaml", "--values"]
    done = subprocess.run([*words, tmp_path / "more.yaml"], capture_output=True, check=True)
    made = [item for item in yaml.safe_load_all(done.stdout) if item]
    rules = [item["spec"]["template"]["spec"]["affinity"]["nodeAffinity"] for item in made]
    hosts = [
        rule["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"][0]["matchExpressions"][0]["values"]
        for rule in rules
    ]
    assert sorted(hosts) == [["a", "b"], ["c"], ["nvme-1"]]
    assert len({item["metadata"]["name"] for item in made}) == len(made)
