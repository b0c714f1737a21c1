"""`groundswell snapshot` and `--snapshot FILE`, as a user runs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from catalog_kit import texts
from command import groundswell
from groundswell.source.reader import read_one
from snapshot_api import ANSWERS, SnapshotApi, answers, status

if TYPE_CHECKING:
    from pathlib import Path

    from command import Outcome


def kubeconfig(api: SnapshotApi, path: Path) -> Path:
    cluster = {"name": "c", "cluster": {"server": api.url}}
    context = {"name": "x", "context": {"cluster": "c", "user": "u"}}
    user = {"name": "u", "user": {"token": "t"}}
    document = {"apiVersion": "v1", "kind": "Config", "clusters": [cluster], "contexts": [context], "users": [user]}
    path.write_text(json.dumps(document))
    return path


def snapshot(cluster: str, path: Path) -> Path:
    groundswell("snapshot", "--replay", ANSWERS / cluster, "-o", path)
    return path


def catalog(directory: Path, recipes: dict[str, str], mixins: dict[str, str] | None = None) -> Path:
    for name, text in texts(recipes, mixins, {"app": ""}).items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text.replace("metadata: {name: base}", "metadata: {name: base, replace: true}"))
    return directory


def test_a_live_cluster_and_its_replay_give_the_same_snapshot(tmp_path: Path) -> None:
    version, nodes = answers("eks-h100-ubuntu")
    with SnapshotApi(version, nodes) as api:
        config = kubeconfig(api, tmp_path / "config")
        live = groundswell("snapshot", "--kubeconfig", config, "--context", "x", "--dump-dir", tmp_path / "dump")
        listed = groundswell("snapshot", "--context", "x", env={"KUBECONFIG": f"/missing:{config}"})
    assert (live.code, live.err) == (0, "")
    assert listed.code == 0
    replayed = groundswell("snapshot", "--replay", tmp_path / "dump")
    assert replayed.out == live.out
    document, findings = read_one(live.out.encode(), "out")
    assert not findings
    assert document is not None
    assert document.data["kind"] == "Snapshot"


def test_a_refused_node_list_is_said_and_exits_3_with_a_snapshot(tmp_path: Path) -> None:
    version, nodes = answers("kind")
    with SnapshotApi(version, nodes) as api:
        api.refuse["/api/v1/nodes"] = [(403, status(403, "nodes is forbidden"))]
        config = kubeconfig(api, tmp_path / "config")
        done = groundswell("snapshot", "--kubeconfig", config, "--context", "x", "-o", tmp_path / "s.yaml")
    assert done.code == 3
    assert "I304" in done.err
    assert "nodes is forbidden" in done.err
    assert "v1.34.0" in (tmp_path / "s.yaml").read_text()


def test_a_server_that_refuses_everything_leaves_no_file(tmp_path: Path) -> None:
    with SnapshotApi({}, []) as api:
        api.refuse = {"/version": [(401, status(401, "Unauthorized"))]}
        config = kubeconfig(api, tmp_path / "config")
        done = groundswell("snapshot", "--kubeconfig", config, "--context", "x", "-o", tmp_path / "s.yaml")
    assert (done.code, done.out) == (1, "")
    assert "I302" in done.err
    assert not (tmp_path / "s.yaml").exists()


@pytest.mark.parametrize("cluster", ["eks-h100-ubuntu", "metal-h100-talos", "gke-h100-cos", "kind"])
def test_complete_clusters_exit_0_and_json_says_the_same_as_yaml(cluster: str) -> None:
    in_yaml = groundswell("snapshot", "--replay", ANSWERS / cluster)
    in_json = groundswell("snapshot", "--replay", ANSWERS / cluster, "--format", "json")
    assert (in_yaml.code, in_json.code) == (0, 0)
    document, _ = read_one(in_yaml.out.encode(), "out")
    assert document is not None
    assert document.data == json.loads(in_json.out)


def test_replay_and_a_cluster_exclude_each_other() -> None:
    assert groundswell("snapshot", "--replay", ANSWERS / "kind", "--context", "x").code == 2


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    done = groundswell("snapshot", "--replay", ANSWERS / "kind", "-o", tmp_path / "no/such/s.yaml")
    assert done.code == 1
    assert "I308" in done.err


def test_found_criteria_narrow_and_what_nobody_carries_is_one_warning(tmp_path: Path) -> None:
    """A case from the field: a found os that no recipe carries is one warning, stated it is an error."""
    facts = str(snapshot("kind", tmp_path / "s.yaml"))
    query = ["resolve", "--format", "json", "--snapshot", facts, "--intent", "training"]
    done = groundswell(*query)
    assert done.code == 0
    assert json.loads(done.out)["criteria"] == {"service": "kind", "intent": "training", "nodes": 2}
    assert done.err.count("warning[") == 1
    assert "os `debian`" in done.err
    assert "K8s.server.version >= " in done.err
    stated = groundswell(*query, "--os", "debian")
    assert stated.code == 1
    assert "error[R102]" in stated.err


RECIPES = {
    "base": "componentRefs: [{name: app}]",
    "small": "criteria: {service: own}",
    "large": "criteria: {service: own, accelerator: own, os: own, platform: large}\nmixins: [fussy]",
}


def fussy(*constraints: str) -> dict[str, str]:
    return {"fussy": f"constraints: [{', '.join(constraints)}]"}


def run(tmp_path: Path, mixin: dict[str, str], cluster: str, *options: str) -> Outcome:
    own = catalog(tmp_path / "own", RECIPES, mixin)
    facts = snapshot(cluster, tmp_path / "s.yaml")
    # Every criterion is stated: what the cluster shows would bring recipes of the shipped catalog.
    query = ["--service", "own", "--accelerator", "own", "--os", "own", "--platform", "large"]
    return groundswell("resolve", "--catalog", own, "--snapshot", facts, *query, *options, cwd=tmp_path)


def test_a_failing_constraint_stops_and_no_smaller_recipe_is_taken(tmp_path: Path) -> None:
    mixin = fussy('{name: K8s.server.version, value: ">= 1.30"}', "{name: OS.release.ID, value: ubuntu}")
    done = run(tmp_path, mixin, "metal-h100-talos")
    assert (done.code, done.out) == (1, "")
    rows = [line.split() for line in done.err.splitlines() if "mixin fussy (own/mixins/fussy.yaml:5)" in line]
    assert rows[0][:5] == ["K8s.server.version", ">=", "1.30", "holds", "v1.34.1"]
    assert rows[1][:4] == ["OS.release.ID", "ubuntu", "FAILS", "talos"]
    assert "error[R401]" in done.err
    assert "--> own/mixins/fussy.yaml:5:" in done.err


def test_an_unanswerable_constraint_stops_too(tmp_path: Path) -> None:
    done = run(tmp_path, fussy('{name: OS.release.VERSION_ID, value: ">= 113"}'), "gke-h100-cos")
    assert (done.code, done.out) == (1, "")
    assert "error[R402]" in done.err
    assert "UNKNOWN" in done.err


def test_constraints_that_hold_are_part_of_the_table_and_beside_other_forms(tmp_path: Path) -> None:
    mixin = fussy("{name: OS.release.ID, value: talos}")
    in_table = run(tmp_path, mixin, "metal-h100-talos", "--format", "table")
    assert in_table.code == 0
    row = "OS.release.ID talos  holds    talos  mixin fussy (own/mixins/fussy.yaml:5)"
    assert row in in_table.out
    in_json = run(tmp_path, mixin, "metal-h100-talos", "--format", "json")
    assert in_json.code == 0
    assert row in in_json.err
    assert "K8s" not in json.loads(in_json.out)["criteria"]
    assert "holds" not in run(tmp_path, mixin, "metal-h100-talos", "--format", "json", "--diagnostics", "json").err


def test_a_resolved_recipe_is_held_against_a_cluster_as_it_is(tmp_path: Path) -> None:
    facts = snapshot("kind", tmp_path / "kind.yaml")
    query = ["--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training"]
    assert groundswell("bundle", *query, "-o", tmp_path / "bundle").code == 0
    recipe = tmp_path / "bundle/recipe.yaml"
    done = groundswell("resolve", "--recipe", recipe, "--snapshot", facts, "--format", "json")
    assert done.code == 1
    assert "the cluster does not have `OS.release.ID` `talos`" in done.err
    fits = groundswell("resolve", "--recipe", recipe, "--snapshot", snapshot("metal-h100-talos", tmp_path / "t.yaml"))
    assert fits.code == 0


def test_a_bundle_is_not_written_for_a_cluster_that_does_not_fit(tmp_path: Path) -> None:
    facts = snapshot("kind", tmp_path / "s.yaml")
    query = ["--service", "metal", "--os", "talos", "--intent", "training", "--accelerator", "h100"]
    done = groundswell("bundle", "--snapshot", facts, *query, "-o", tmp_path / "bundle")
    assert done.code == 1
    assert not (tmp_path / "bundle").exists()


@pytest.mark.parametrize(
    ("cluster", "said"),
    [
        ("mixed", "error[R404]: the nodes have no os in common: none known on w-4; `ubuntu` on w-1, w-2, w-3"),
        ("version-only", "error[R405]: the snapshot does not tell the os of the cluster, since it holds no nodes"),
    ],
)
def test_no_bundle_is_written_as_long_as_the_nodes_system_is_open(cluster: str, said: str, tmp_path: Path) -> None:
    facts = snapshot(cluster, tmp_path / "s.yaml")
    query = ["bundle", "--snapshot", str(facts), "--service", "metal", "--accelerator", "h100", "--intent", "training"]
    done = groundswell(*query, "-o", tmp_path / "bundle")
    assert done.code == 1
    assert said in done.err
    assert "`--os any` goes on without one" in done.err
    assert not (tmp_path / "bundle").exists()
    decided = groundswell(*query, "--os", "any", "-o", tmp_path / "bundle")
    assert said.partition(":")[0] not in decided.err
    assert "it has v1.33.5" in decided.err  # what else does not fit is told now


@pytest.mark.parametrize(("text", "code"), [("kind: Recipe\n", "I301"), ("a: [\n", "S1"), (None, "I301")])
def test_a_snapshot_that_cannot_be_read(tmp_path: Path, text: str | None, code: str) -> None:
    path = tmp_path / "s.yaml"
    if text is not None:
        path.write_text(text)
    done = groundswell("resolve", "--service", "kind", "--intent", "training", "--snapshot", path)
    assert done.code == 1
    assert f"error[{code}" in done.err
