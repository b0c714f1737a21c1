"""The README of a bundle names the command that makes the same bytes again, and it does."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest

import talos_kit
from command import groundswell, tree

if TYPE_CHECKING:
    from pathlib import Path

KIND = ("--service", "kind", "--intent", "inference")
GIT = ("--repo", "https://git.example.test/a/b.git")
OPTIONS = {
    "nothing": KIND,
    "argocd alone": (*KIND, "--deployer", "argocd", *GIT),
    "argocd alone, unknown repository": (*KIND, "--deployer", "argocd", "--name", "groundswell"),
    "helm alone": (*KIND, "--deployer", "helm"),
    "both, the other way round": (*KIND, "--deployer", "helm", "--deployer", "argocd", *GIT),
    "a place and names": (
        *(*KIND, *GIT, "--revision", "v1.0", "--path", "clusters/a b", "--name", "blue", "--project", "team"),
        *("--argocd-namespace", "gitops", "--destination", "https://10.0.0.1:6443", "--cascade-delete"),
    ),
    "another Talos version": (
        *("--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training", *GIT),
        *("--talos-version", "v1.12.0"),
    ),
    "a Cluster file": ("--cluster", "lab.yaml", *GIT),
}


def command_in(readme: str) -> list[str]:
    """The words of the command that is said to give the same bytes again."""
    (text,) = re.findall(r"`(groundswell bundle --recipe [^`]*)` gives the same bytes again", readme)
    return shlex.split(text)[1:]


@pytest.mark.parametrize("case", OPTIONS)
def test_the_command_in_the_readme_gives_the_same_bytes_again(case: str, tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(
        talos_kit.text("- {name: w1, installDisk: /dev/sda}", more="criteria: {service: metal, intent: training}")
    )
    out = tmp_path / "out"
    done = groundswell("bundle", *OPTIONS[case], "-o", out, cwd=tmp_path)
    assert done.code == 0, done.err
    before = tree(out)
    stand_ins = {"BUNDLE": str(out), "BUNDLE/recipe.yaml": str(out / "recipe.yaml"), "CLUSTER": "lab.yaml"}
    words = [stand_ins.get(word, word) for word in command_in(before["README.md"].decode())]
    again = groundswell(*words, cwd=tmp_path)
    assert again.code == 0, again.err
    assert tree(out) == before


def test_the_first_line_gives_the_bundle_its_repository_and_changes_nothing_else(tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    options = (*KIND, "--deployer", "argocd", "--name", "blue")
    assert groundswell("bundle", *options, "-o", out).code == 0
    assert groundswell("bundle", *options, *GIT, "-o", other).code == 0
    (text,) = re.findall(r"`(groundswell bundle [^`]*)`", (out / "README.md").read_text().partition("\n")[0])
    stand_ins = {"BUNDLE": str(out), "BUNDLE/recipe.yaml": str(out / "recipe.yaml"), "REPOSITORY": GIT[1]}
    assert groundswell(*[stand_ins.get(word, word) for word in shlex.split(text)[1:]]).code == 0
    assert tree(out) == tree(other)
