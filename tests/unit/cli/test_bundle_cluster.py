"""`bundle --cluster FILE`: both layers from one file, and what is said where they would come apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import talos_kit
from command import ROOT, Outcome, groundswell

if TYPE_CHECKING:
    from pathlib import Path

PLUGINS = ("generic-device-plugin", "sriov-network-device-plugin")
CRITERIA = "criteria: {service: metal, intent: training}"
DEVICE = '- {name: w1, prep: {vfio: [{address: "0000:41:00.0", kind: KIND}]}}'


def bundled(hosts: str, path: Path, *options: str | Path) -> Outcome:
    (path / "lab.yaml").write_text(talos_kit.text(hosts, more=CRITERIA), encoding="utf-8")
    where = ("--repo", "https://git.example.test/a/b.git", "-o", "out")
    return groundswell("bundle", "--cluster", "lab.yaml", *where, *options, cwd=path)


def folders(path: Path) -> set[str]:
    """The names of a bundle's folders without their numbers."""
    return {item.name[4:] for item in (path / "out").iterdir() if item.name[0].isdecimal()}


def test_disks_of_the_kernel_need_no_plugin(tmp_path: Path) -> None:
    done = bundled("- {name: sata-1, installDisk: /dev/sda, prep: {kernelModules: [iscsi_tcp]}}", tmp_path)
    assert done.code == 0, done.err
    assert "T25" not in done.err
    assert not folders(tmp_path) & set(PLUGINS)
    assert "groundswell.dev/host" not in (tmp_path / "out/talos/patches/sata-1.yaml").read_text()


def test_only_the_plugin_that_is_needed_comes(tmp_path: Path) -> None:
    done = bundled(DEVICE.replace("KIND", "network"), tmp_path)
    assert done.code == 0, done.err
    assert "T25" not in done.err
    assert folders(tmp_path) & set(PLUGINS) == {"sriov-network-device-plugin"}


def test_a_device_that_no_pod_can_have_is_told_and_bound_all_the_same(tmp_path: Path) -> None:
    done = bundled(DEVICE.replace("KIND", "nvme"), tmp_path)
    assert done.code == 0
    assert "warning[T251]" in done.err
    assert "--> lab.yaml:10:" in done.err
    assert not folders(tmp_path) & set(PLUGINS)
    assert "PCIDriverRebindConfig" in (tmp_path / "out/talos/patches/w1.yaml").read_text()


def test_a_setting_has_the_last_word_and_is_accounted_for(tmp_path: Path) -> None:
    device = DEVICE.replace("KIND", "nvme, iommuGroup: 7")
    done = bundled(device, tmp_path, "--set-json", "generic-device-plugin:hosts.w1.worker-nvme=[8]")
    assert done.code == 0, done.err
    assert "T25" not in done.err
    (values,) = (tmp_path / "out").glob("*-generic-device-plugin/values.yaml")
    assert "worker-nvme:\n        - 8\n" in values.read_text()


def test_a_catalog_that_has_no_mixin_for_the_plugin_is_told_at_the_device(tmp_path: Path) -> None:
    (tmp_path / "mine/mixins").mkdir(parents=True)
    text = (ROOT / "mixins/generic-device-plugin.yaml").read_text(encoding="utf-8")
    text = text.replace("metadata:\n", "metadata:\n  replace: true\n").replace("      create: true\n", "")
    (tmp_path / "mine/mixins/generic-device-plugin.yaml").write_text(text, encoding="utf-8")
    done = bundled(DEVICE.replace("KIND", "nvme, iommuGroup: 7"), tmp_path, "--catalog", "mine")
    assert done.code == 0
    assert "warning[T253]" in done.err
    assert "--> lab.yaml:10:" in done.err


def test_a_resolved_recipe_for_other_devices_is_refused(tmp_path: Path) -> None:
    device = DEVICE.replace("KIND", "nvme, iommuGroup: 7")
    assert bundled(device, tmp_path).code == 0
    (tmp_path / "recipe.yaml").write_bytes((tmp_path / "out/recipe.yaml").read_bytes())
    assert bundled(device, tmp_path, "--recipe", "recipe.yaml").code == 0
    done = bundled(device.replace("7", "8"), tmp_path, "--recipe", "recipe.yaml")
    assert done.code == 1
    assert "error[T254]" in done.err
    assert "--> recipe.yaml:" in done.err
