"""The files of the node layer, with a Cluster file and without one."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest
import yaml

import talos_kit
from groundswell.talos.render import talos_files
from plan_factory import plan
from talos_kit import asking, gpus

if TYPE_CHECKING:
    from groundswell.plan.plan import Plan

TALOS = {"os": "talos"}


def by_path(bundle: Plan, version: str = "v1.13.2") -> dict[str, bytes]:
    files, findings = talos_files(bundle, version)
    assert not findings
    return {file.path: file.data for file in files}


def test_without_a_cluster_file_there_is_one_patch_per_class() -> None:
    files = by_path(plan(gpus(), asking("storage", "all", extensions=("siderolabs/iscsi-tools",)), criteria=TALOS))
    schematics = [path for path in files if path.startswith("talos/schematics/")]
    assert len(schematics) == 2
    patches = {"talos/patches/all.yaml", "talos/patches/accelerated.yaml"}
    assert set(files) == {"talos/README.md", *schematics, *patches}
    accelerated = yaml.safe_load(files["talos/patches/accelerated.yaml"])["machine"]
    assert [module["name"] for module in accelerated["kernel"]["modules"]] == list(talos_kit.GPU_MODULES)
    everywhere = yaml.safe_load(files["talos/patches/all.yaml"])["machine"]
    assert "kernel" not in everywhere
    extensions = {
        path: yaml.safe_load(files[path])["customization"]["systemExtensions"]["officialExtensions"]
        for path in schematics
    }
    assert sorted(extensions.values()) == [
        ["siderolabs/iscsi-tools"],
        [
            "siderolabs/iscsi-tools",
            "siderolabs/nvidia-container-toolkit-lts",
            "siderolabs/nvidia-open-gpu-kernel-modules-lts",
        ],
    ]


def test_accelerated_machines_are_workers_too() -> None:
    asked = plan(
        asking("a", "workers", kernel_modules=("m",)), asking("b", "accelerated", kernel_modules=("n",)), criteria=TALOS
    )
    files = by_path(asked, "v1.14.0")
    modules = {
        name: [document["name"] for document in yaml.safe_load_all(files.get(f"talos/patches/{name}.yaml", b""))]
        for name in ("all", "workers", "accelerated")
    }
    assert modules == {"all": [], "workers": ["m"], "accelerated": ["m", "n"]}


def test_from_1_14_on_a_class_leaves_image_and_disk_to_the_command() -> None:
    files = by_path(plan(gpus(), criteria=TALOS), "v1.14.0")
    kinds = {document["kind"] for document in yaml.safe_load_all(files["talos/patches/accelerated.yaml"])}
    assert kinds == {"KernelModuleConfig"}
    assert "talos/patches/all.yaml" not in files
    readme = files["talos/README.md"].decode()
    assert re.search(
        r"--install-disk DISK --install-image factory\.talos\.dev/metal-installer/[0-9a-f]{64}:v1\.14\.0", readme
    )
    assert re.search(r"\| control planes, and every machine without a row of its own \| none \|", readme)


def test_classes_with_equal_needs_share_a_schematic() -> None:
    files = by_path(plan(asking("a", "workers", kernel_modules=("m",)), criteria=TALOS))
    assert [path for path in files if "schematics" in path] == ["talos/schematics/376567988ad3.yaml"]


def test_a_schematic_file_is_the_text_that_the_factory_hashes() -> None:
    files = by_path(plan(gpus(), criteria=TALOS))
    readme = files["talos/README.md"].decode()
    for path, data in files.items():
        if "schematics" in path:
            digest = hashlib.sha256(data).hexdigest()
            assert path == f"talos/schematics/{digest[:12]}.yaml"
            assert f"# {digest}\n" in readme
            assert f"metal-installer/{digest}:v1.13.2" in readme


def test_other_systems_get_no_node_layer() -> None:
    assert talos_files(plan(gpus(), criteria={"os": "ubuntu"}), "v1.13.2") == ((), ())


def test_a_version_that_cannot_be_compiled_for_yields_nothing() -> None:
    files, findings = talos_files(plan(gpus(), criteria=TALOS), "1.13")
    assert not files
    assert [finding.code for finding in findings] == ["T103"]


def test_a_contradiction_between_components_yields_nothing() -> None:
    asked = plan(
        asking("a", "all", sysctls={"x.y": "1"}), asking("b", "accelerated", sysctls={"x.y": "2"}), criteria=TALOS
    )
    files, findings = talos_files(asked, "v1.13.2")
    assert not files
    assert [finding.code for finding in findings] == ["T220"]


def test_a_class_is_never_taken_for_a_host() -> None:
    files, _ = talos_kit.rendered(talos_kit.text("- {name: all}\n- {name: w1}"), plan(gpus()))
    assert {path for path in files if "patches" in path} == {"talos/patches/all.yaml", "talos/patches/w1.yaml"}


def test_another_factory_leaves_no_trace_of_the_official_one() -> None:
    source = talos_kit.text(
        "- {name: w1, installDisk: /dev/sda}",
        version="v1.14.0",
        talos="factoryURL: https://factory.example.test\nplatform: nocloud\nsecureboot: true",
    )
    files, _ = talos_kit.rendered(source)
    everything = b"".join(file.data for file in files.values()).decode()
    assert "factory.talos.dev" not in everything
    assert re.search(
        r"factory\.example\.test/nocloud-installer-secureboot/376567988ad3[0-9a-f]{52}:v1\.14\.0", everything
    )


def test_one_schematic_per_distinct_set_of_hosts() -> None:
    hosts = "- {name: a, cpuVendor: intel}\n- {name: b, cpuVendor: intel}\n- {name: c, cpuVendor: amd}"
    files, _ = talos_kit.rendered(talos_kit.text(hosts))
    assert len([path for path in files if "schematics" in path]) == 2


@pytest.mark.parametrize("base", ["generated", "legacy"])
def test_the_readme_says_how_the_patches_get_onto_machines(base: str) -> None:
    source = talos_kit.text(
        "- {name: w1, address: 10.0.0.21, installDisk: /dev/sda}", version="v1.14.0", talos=f"baseConfig: {base}"
    )
    readme = talos_kit.rendered(source)[0]["talos/README.md"].data.decode()
    generated = "talosctl gen config lab https://10.0.0.10:6443 --with-secrets secrets.yaml --talos-version v1.14.0"
    assert (generated in readme) == (base == "generated")
    patching = 'talosctl patch machineconfig --nodes 10.0.0.21 --patch "@$layer/patches/w1.yaml"'
    assert (patching in readme) == (base == "legacy")
    known = (
        'curl -fsS -X POST --data-binary "@$layer/schematics/376567988ad3.yaml" https://factory.talos.dev/schematics'
    )
    assert known in readme
    assert "`groundswell talos prepare FILE`, with the Cluster file" in readme


def test_the_order_of_hosts_and_components_changes_no_file_but_the_readme() -> None:
    one, other = gpus(), asking("agent", "all", kernel_args=("a=1",), sysctls={"x.y": "1"})
    hosts = ["- {name: a, accelerated: true}", "- {name: b}"]
    first, _ = talos_kit.rendered(talos_kit.text("\n".join(hosts)), plan(one, other))
    second, _ = talos_kit.rendered(talos_kit.text("\n".join(hosts[::-1])), plan(other, one))
    first.pop("talos/README.md")
    second.pop("talos/README.md")
    assert first == second
