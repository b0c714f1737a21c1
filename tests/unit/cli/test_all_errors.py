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
    for name, text in texts(recipes, components={"x": "talos: {privileged: true}", "gone": ""}).items():
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


NAMES = ("--name", "A_b", "--project", "X_", "--argocd-namespace", "N_", "--destination", "q", "--repo", "x y")
GATE = ["D202"] * 5


def test_what_needs_no_plan_is_told_without_one(catalog: Path, tmp_path: Path) -> None:
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine").touch()
    beside = (*NAMES, "--talos-version", "9", "--talos-schema", schemas, "--catalog", catalog, "-o", taken)
    done = groundswell("bundle", *TALOS, *beside, "--set", "nope:x=1")
    assert errors(done) == ["R301", "T103", "T241", *GATE, "I103"]
    # Not even with criteria that nobody has recipes for, and then the options are told that no plan can help.
    done = groundswell("bundle", *TALOS, *beside, "--intent", "no", "--set", "nope:x=1", "--set", "x:x=1")
    assert errors(done) == ["R102", "R301", "T103", "T241", *GATE, "I103"]
    done = groundswell("bundle", *beside, "--recipe", tmp_path / "absent.yaml", "--set", "x")
    assert errors(done) == ["M212", "R303", "T103", "T241", *GATE, "I103"]
    assert [path.name for path in taken.iterdir()] == ["mine"]


def test_options_are_held_against_the_catalog_where_there_is_no_plan(catalog: Path, tmp_path: Path) -> None:
    off = ("--set", "nfd:x=1", "--set", "nfd:x=2", "--set", "nothing:x=1", "--without", "nfdd")
    done = groundswell("plan", "--catalog", catalog, "--platform", "no", *off)
    assert errors(done) == ["R102", "R301", "R301", "R302"]
    assert "did you mean `nfd`?" in done.err
    done = groundswell("bundle", *UBUNTU, "--intent", "no", "--talos-version", "9", "-o", tmp_path / "out")
    assert errors(done) == ["R102", "R102", "R304"]


CLUSTER = """
apiVersion: groundswell.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  criteria: {service: metal, platform: mine}
  talos: {version: 1.12.0, endpoint: "https://10.0.0.10:6443"}
  hosts: [{name: one, role: controlplane, installDisk: /dev/sda}]
"""


@pytest.mark.parametrize(
    ("written", "instead", "codes"),
    [
        ("1.12.0", "1.12.0, secureboot: no", ["S110"]),
        ("installDisk", "installDsk", ["M101"]),
        ("hosts:", "hots:", ["M101", "M102"]),
        ("1.12.0", "1.2.0", ["T103"]),
        ("role:", "groups: [none], role:", ["T231"]),
        ("role:", "prep: {isolatedCPUs: 1-2, housekeepingCPUs: 1-2}, role:", ["T202"]),
    ],
)
def test_what_is_wrong_with_a_cluster_file_does_not_hide_what_is_wrong_with_the_plan(
    written: str, instead: str, codes: list[str], catalog: Path, tmp_path: Path
) -> None:
    file = tmp_path / "lab.yaml"
    file.write_text(CLUSTER.replace(written, instead))
    own = ("--catalog", catalog, "--set", "nope:x=1", "--os", "talos")
    done = groundswell("bundle", "--cluster", file, *own, *NAMES, "-o", tmp_path / "out")
    assert sorted(errors(done)) == sorted([*codes, "R301", "R304", *GATE])
    done = groundswell("check", "--cluster", file, *own)
    assert {*codes, "R301", "R304"} <= set(re.findall(r"error\[(\w+)\]", done.out))
    path = catalog / "recipes/mine.yaml"
    path.write_text(path.read_text().replace("{name: x}", "{name: x, dependencyRefs: [gone]}"))
    done = groundswell("talos", "render", file, "--catalog", catalog, "-o", tmp_path / "out")
    assert sorted(errors(done)) == sorted([*codes, "P101"])


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("platform: mine", "platfom: mine"),
        ("platform: mine", "platform: no"),
        ("criteria:", "critera:"),
        ("mine}", "mine, os: ubuntu}"),
        ("spec:", "spec: ]"),
        ("kind: Cluster", "kind: Recipe"),
    ],
)
def test_criteria_in_doubt_lead_to_nothing(written: str, instead: str, catalog: Path, tmp_path: Path) -> None:
    file = tmp_path / "lab.yaml"
    file.write_text(CLUSTER.replace(written, instead))
    own = ("--catalog", catalog, "--set", "nope:x=1", "--set", "x")
    done = groundswell("bundle", "--cluster", file, *own, *NAMES, "-o", tmp_path / "out")
    wrong, *others = sorted(errors(done), key=lambda code: code in {"R303", *GATE})
    assert wrong[0] in "SMT"
    assert others == ["R303", *GATE]


def test_what_unread_hosts_may_bring_is_not_missed(catalog: Path, tmp_path: Path) -> None:
    """The mixin of a device plugin comes along with the hosts that have devices for it."""
    needy = "instancePaths: [pods]\nrequiredValues: [{path: pods, what: the instances}]"
    recipe = "criteria: {platform: mine, service: metal}\ncomponentRefs: [{name: w, dependencyRefs: [sriov]}]"
    more = texts({"metal-mine": recipe}, components={"w": needy})
    for name in ("recipes/metal-mine.yaml", "components/w/component.yaml"):
        (catalog / name).parent.mkdir(parents=True, exist_ok=True)
        text = more[name].replace("sriov", "sriov-network-device-plugin")
        (catalog / name).write_text(text)
    file = tmp_path / "lab.yaml"
    options = ("--catalog", catalog, "--set", "sriov-network-device-plugin:x=1", "-o", tmp_path / "out")
    file.write_text(CLUSTER)
    assert errors(groundswell("bundle", "--cluster", file, *options)) == ["R301", "R306", "P101"]
    file.write_text(CLUSTER.replace("installDisk", "installDsk"))
    assert errors(groundswell("bundle", "--cluster", file, *options)) == ["M101"]


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
