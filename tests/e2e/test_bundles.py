"""A bundle for Talos, installed twice and uninstalled on a real cluster that enforces what Talos enforces."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from e2e.bundle_site import ENFORCE, TALOS, Cluster, compile_bundle, told
from e2e.cluster_objects import Key, Objects, key, objects, settled, versions
from e2e.renderings import Renderings, renderings
from groundswell.deploy.scopes import Scope, scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from e2e.audit import Write

pytestmark = [pytest.mark.e2e, pytest.mark.helm]

FOLDERS = (
    "001-gadgets",
    "002-widgets",
    "003-widgets-post",
    "004-settings",
    "005-agent-pre",
    "006-agent",
    "007-monitor-pre",
    "008-monitor",
)
WORKLOADS = {"Deployment": "readyReplicas", "DaemonSet": "numberReady"}
OWN = "privileged-agent"
OWNED = dict.fromkeys(("meta.helm.sh/release-name", "meta.helm.sh/release-namespace"))
BRINGS_OTHERS = ("Namespace", "CustomResourceDefinition")

Run = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Story:
    """What was seen while a bundle was installed, installed again, uninstalled, and in part installed anew.

    Before that last step, the site makes the Namespace of the component `agent` its own. `refused` is the run with too
    few labels on it, `anew` what is there when it has those that were asked for.
    """

    installed: Objects
    renderings: Mapping[str, Renderings]
    again: Objects
    uninstall: Run
    uninstalled: Objects
    refused: Run
    anew: Objects
    writes: list[Write]
    writes_again: list[Write]

    def names(self, folder: str) -> list[Key]:
        """What names the objects of a folder in the cluster."""
        rendered = self.renderings[folder]
        return [key(item, rendered.namespace if _namespaced(item) else "") for item in rendered.argocd]

    def created(self, folder: str) -> list[Write]:
        """The writes by which Helm created the objects of a folder, and no others."""
        names = self.names(folder)
        return [write for write in self.writes if write.by_helm and write.created and key(write.answer) in names]


def _namespaced(item: Mapping[str, Any]) -> bool:
    group = item["apiVersion"].rpartition("/")[0]
    own = {"Widget": True, "Gadget": False}
    return own.get(item["kind"], scope(group, item["kind"]) is Scope.NAMESPACED)


def tell(cluster: Cluster, bundle: Path) -> Story:
    api = cluster.plane.api
    _done(cluster.install(bundle, "--timeout", "2m"))
    installed = settled(api)
    writes = cluster.writes()
    rendered = renderings(cluster, bundle)
    before = len(cluster.writes())
    _done(cluster.install(bundle, "--timeout", "2m"))
    again = settled(api)
    writes_again = cluster.writes()[before:]
    uninstall = _done(cluster.run(bundle, "uninstall.sh"))
    uninstalled = settled(api)
    parts = ("--only", "agent", "--only", "monitor", "--timeout", "2m")
    cluster.mark(OWN, annotations=OWNED, labels=dict.fromkeys(_labels(installed, OWN)))
    refused = cluster.install(bundle, *parts)
    cluster.mark(OWN, labels=_advice(refused))
    _done(cluster.install(bundle, *parts))
    return Story(
        installed=installed,
        renderings=rendered,
        again=again,
        uninstall=uninstall,
        uninstalled=uninstalled,
        refused=refused,
        anew=objects(api),
        writes=writes,
        writes_again=writes_again,
    )


def _labels(found: Objects, namespace: str) -> dict[str, str]:
    labels: dict[str, str] = found["", "Namespace", "", namespace]["metadata"]["labels"]
    return {name: value for name, value in labels.items() if name != "kubernetes.io/metadata.name"}


def _advice(run: Run) -> dict[str, str]:
    """The labels in the command that a refusal gives."""
    found = re.search(rf"kubectl label --overwrite namespace {OWN} (.*)", run.stderr)
    assert found, run.stderr
    return dict(word.split("=") for word in found[1].split())


def _done(run: Run) -> Run:
    assert run.returncode == 0, run.stdout + run.stderr
    return run


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Story]:
    directory = tmp_path_factory.mktemp("bundles")
    return told(directory, compile_bundle(directory / "bundle", "--os", "talos"), TALOS, tell)


@pytest.fixture(params=["3", "4"])
def story(request: pytest.FixtureRequest, stories: dict[str, Story]) -> Story:
    return stories[request.param]


def test_objects_are_created_once_each_and_in_the_planned_order(story: Story) -> None:
    end = -1
    for folder in FOLDERS:
        created = story.created(folder)
        assert sorted(key(write.answer) for write in created) == sorted(story.names(folder))
        assert min(write.at for write in created) > end
        end = max(write.at for write in created)


def test_a_folder_is_begun_when_the_pods_of_the_one_before_are_ready(story: Story) -> None:
    begun = {folder: min(write.at for write in story.created(folder)) for folder in FOLDERS}
    waited = 0
    for folder, following in pairwise(FOLDERS):
        for name in story.names(folder):
            if name[1] in WORKLOADS:
                assert next(_ready(story, name)) < begun[following]
                waited += 1
    assert waited == 2


def _ready(story: Story, name: Key) -> Iterator[int]:
    """When the pods of a workload were all ready."""
    for write in story.writes:
        if write.part == "status" and write.code == 200 and key(write.answer) == name:
            status = write.answer["status"]
            wanted = write.answer["spec"].get("replicas", status.get("desiredNumberScheduled"))
            if wanted and status.get(WORKLOADS[name[1]]) == wanted:
                yield write.at


def test_namespaces_are_labelled_before_their_first_pod(story: Story) -> None:
    labelled = {
        write.name: write.at
        for write in story.writes
        if write.created and write.resource == "namespaces" and write.answer["metadata"]["labels"].get(ENFORCE)
    }
    assert sorted(labelled) == ["privileged-agent", "privileged-exporter"]
    for namespace, at in labelled.items():
        pods = [write.at for write in story.writes if write.resource == "pods" and write.namespace == namespace]
        assert len(pods) >= 2
        assert min(pods) > at


def test_no_pod_is_rejected(story: Story) -> None:
    assert [write for write in story.writes if "violates PodSecurity" in str(write.answer.get("message"))] == []


def test_a_second_run_changes_nothing(story: Story) -> None:
    assert versions(story.again) == versions(story.installed)
    assert len({write.name for write in story.writes_again if write.by_helm and write.created}) == len(FOLDERS)
    others = {write.verb for write in story.writes_again if write.by_helm and not write.release}
    assert others <= {"patch"}  # Helm sends some that change nothing


def test_helm_installs_the_objects_that_argocd_renders(story: Story) -> None:
    for folder, rendered in story.renderings.items():
        assert rendered.helm == rendered.argocd, folder


def test_argocd_would_change_nothing_but_who_manages_a_namespace(story: Story) -> None:
    for rendered in story.renderings.values():
        for before, after in rendered.applied:
            if after["kind"] == "Namespace":
                assert before["metadata"]["labels"].pop("app.kubernetes.io/managed-by") == "Helm"
                assert after["metadata"]["labels"].pop("app.kubernetes.io/managed-by") == "groundswell"
            assert _without_managers(after) == _without_managers(before)


def _without_managers(item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "metadata": {**item.get("metadata", {}), "managedFields": None}}


def test_helm_3_and_4_leave_the_same_objects(stories: dict[str, Story]) -> None:
    three, four = stories["3"], stories["4"]
    for folder in FOLDERS:
        for name in three.names(folder):
            assert _lasting(three.installed[name]) == _lasting(four.installed[name])


def _lasting(item: Mapping[str, Any]) -> dict[str, Any]:
    """An object without what differs from cluster to cluster."""
    mine = {"uid", "resourceVersion", "creationTimestamp", "managedFields"}
    metadata = {field: value for field, value in item["metadata"].items() if field not in mine}
    spec = {field: value for field, value in item.get("spec", {}).items() if field not in {"clusterIP", "clusterIPs"}}
    return {**item, "metadata": metadata, "spec": spec, "status": None}


def test_uninstalling_leaves_crds_and_namespaces_and_nothing_else(story: Story) -> None:
    bundle = {name for folder in FOLDERS for name in story.names(folder)}
    left = bundle & story.uninstalled.keys()
    assert left == {name for name in bundle if name[1] in BRINGS_OTHERS}
    assert len(left) == 4
    namespaces = {name for name in story.installed if name[1] == "Namespace"}
    for name in (*left, *namespaces):
        assert versions(story.uninstalled)[name] == versions(story.installed)[name]
    assert "kept releases: gadgets (" in story.uninstall.stdout
    assert not [name for name in story.uninstalled if name[1] == "Pod"]


def test_a_namespace_of_the_sites_own_needs_the_labels_and_stays_the_sites(story: Story) -> None:
    assert story.refused.returncode == 1
    assert f"Namespace {OWN} exists, belongs to no Helm release, and lacks labels" in story.refused.stderr
    assert "install.sh: 005-agent-pre failed: " in story.refused.stderr
    assert "006-agent" not in story.refused.stdout
    assert _labels(story.anew, OWN) == _advice(story.refused)
    assert not OWNED.keys() & story.anew["", "Namespace", "", OWN]["metadata"]["annotations"].keys()
    assert story.anew["apps", "DaemonSet", OWN, "agent"]["status"]["numberReady"] == 2


def test_a_namespace_that_was_left_serves_again(story: Story) -> None:
    name = ("", "Namespace", "", "privileged-exporter")
    assert versions(story.anew)[name] == versions(story.installed)[name]
    assert story.anew["apps", "DaemonSet", "privileged-exporter", "monitor-exporter"]["status"]["numberReady"] == 2
