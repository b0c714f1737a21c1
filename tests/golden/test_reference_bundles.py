"""The committed bundles under bundles/ are what the shipped catalog compiles to, whatever the surroundings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from command import ROOT, groundswell, tree

if TYPE_CHECKING:
    from pathlib import Path

REPOSITORY = ("--repo", "https://git.example.test/platform/clusters.git")
BUNDLES = {
    "metal-h100-talos-training": (
        *("--service", "metal", "--accelerator", "h100", "--os", "talos"),
        *("--intent", "training"),
    ),
    "eks-h100-ubuntu-training-kubeflow": (
        *("--service", "eks", "--accelerator", "h100", "--os", "ubuntu"),
        *("--intent", "training", "--platform", "kubeflow"),
    ),
    "kind-inference": ("--service", "kind", "--intent", "inference"),
}


def options(name: str) -> tuple[str, ...]:
    return (*BUNDLES[name], *REPOSITORY, "--path", f"bundles/{name}")


@pytest.mark.parametrize("name", BUNDLES)
def test_the_committed_bundle_is_what_compiles(name: str, tmp_path: Path, update_golden: bool) -> None:
    committed = ROOT / "bundles" / name
    if update_golden:
        assert groundswell("bundle", *options(name), "-o", committed).code == 0
    done = groundswell("bundle", *options(name), "-o", tmp_path / "out")
    assert done.code == 0
    assert "error" not in done.err
    assert "warning" not in done.err
    assert tree(tmp_path / "out") == tree(committed)


def test_surroundings_do_not_show(tmp_path: Path) -> None:
    name = "metal-h100-talos-training"
    elsewhere = tmp_path / "somewhere else"
    elsewhere.mkdir()
    surroundings = (
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "XDG_CACHE_HOME": str(tmp_path / "cache")},
        {"PYTHONHASHSEED": "2", "TZ": "UTC", "LC_ALL": "tr_TR.UTF-8", "COLUMNS": "20", "HOME": "/nowhere"},
    )
    for index, env in enumerate(surroundings):
        done = groundswell("bundle", *options(name), "-o", tmp_path / str(index), cwd=elsewhere, env=env)
        assert done.code == 0, done.err
    assert tree(tmp_path / "0") == tree(tmp_path / "1") == tree(ROOT / "bundles" / name)


@pytest.mark.parametrize("name", BUNDLES)
def test_the_resolved_recipe_compiles_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    recipe = ROOT / "bundles" / name / "recipe.yaml"
    done = groundswell("bundle", "--recipe", recipe, *REPOSITORY, "--path", f"bundles/{name}", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert tree(tmp_path / "out") == tree(ROOT / "bundles" / name)
