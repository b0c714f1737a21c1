"""One run tells what is wrong with the options, the resolution, the plan and the cluster, and writes nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from catalog_kit import texts
from command import groundswell

if TYPE_CHECKING:
    from pathlib import Path

    from command import Outcome

UBUNTU = ("--service", "eks", "--os", "ubuntu", "--platform", "mine")
TALOS = ("--service", "metal", "--os", "talos", "--platform", "mine")
CYCLE = "{name: x, dependencyRefs: [nfd]}, {name: nfd, dependencyRefs: [x]}"
OLD = '{name: K8s.server.version, value: "< 1.20"}'


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """For `ubuntu` a cycle, and a constraint that no cluster satisfies; on Talos a pod that its namespace refuses."""
    recipes = {
        "mine": "criteria: {platform: mine}\ncomponentRefs: [{name: x}]",
        "ubuntu-mine": f"criteria: {{platform: mine, os: ubuntu}}\ncomponentRefs: [{CYCLE}]\nconstraints: [{OLD}]",
    }
    for name, text in texts(recipes, components={"x": "talos: {privileged: true}"}).items():
        if name != "recipes/base.yaml":
            (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "own" / name).write_text(text)
    return tmp_path / "own"


def errors(outcome: Outcome) -> list[str]:
    assert outcome.code == 1
    return re.findall(r"^error\[(\w+)\]", outcome.err, re.MULTILINE)


def test_options_resolution_and_plan_are_told_together(catalog: Path, tmp_path: Path) -> None:
    own = (*UBUNTU, "--catalog", catalog)
    wrong = ("--deployer", "helm", "--repo", "https://git.example.test/x", "--talos-version", "1.12.0", "--set", "x:y")
    done = groundswell("bundle", *own, *wrong, "-o", tmp_path / "out")
    assert errors(done) == ["R303", "R304", "R304", "R208", "P102"]
    assert not (tmp_path / "out").exists()
    for command in (("plan",), ("resolve",), ("check",)):
        shown = groundswell(*command, *own, "--set", "x:y")
        # `check` may also have to say that there is no helm to render with.
        assert re.findall(r"error\[(\w+)\]", shown.err + shown.out)[:3] == ["R303", "R208", "P102"], command


def test_the_node_layer_does_not_hide_what_the_deployers_find(catalog: Path, tmp_path: Path) -> None:
    wrong = ("--talos-version", "0.1.0", "--deployer", "helm", "--repo", "https://git.example.test/x")
    done = groundswell("bundle", *TALOS, *wrong, "--catalog", catalog, "-o", tmp_path / "out")
    assert errors(done) == ["R304", "T103", "D111"]


def test_a_cluster_that_does_not_fit_does_not_hide_what_is_wrong_with_the_plan(catalog: Path, tmp_path: Path) -> None:
    path = catalog / "recipes/ubuntu-mine.yaml"
    path.write_text(path.read_text().replace("< 1.20", ">= 1.99"))
    snapshot = tmp_path / "snapshot.yaml"
    server = {"type": "K8s", "subtypes": [{"subtype": "server", "data": {"version": "v1.33.1"}}]}
    document = {"apiVersion": "aicr.run/v1alpha2", "kind": "Snapshot", "measurements": [server]}
    snapshot.write_text(json.dumps(document))
    done = groundswell("plan", *UBUNTU, "--catalog", catalog, "--snapshot", snapshot)
    assert {"R401", "P102"} <= set(errors(done)), done.err
