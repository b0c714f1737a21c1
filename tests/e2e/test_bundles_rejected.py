"""The same charts without the mixin, on a cluster that enforces the baseline: stopped there, and brought to an end."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from command import groundswell
from e2e.bundle_site import CATALOG, ENFORCE, UBUNTU, UNLABELLED, Cluster, chart_archives, compile_bundle, told
from e2e.cluster_objects import Key, Objects, eventually, objects, settled, versions
from helm.helm_site import rows
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

    from e2e.audit import Write

pytestmark = [pytest.mark.e2e, pytest.mark.helm]

Run = subprocess.CompletedProcess[str]

BEFORE = ("001-gadgets", "002-widgets", "003-widgets-post", "004-settings")
AGENT: Key = ("apps", "DaemonSet", "agent", "agent")
EXPORTER: Key = ("apps", "DaemonSet", "monitor", "monitor-exporter")
REJECTED = {
    "agent": 'hostPath volumes (volume "state"),'
    ' privileged (container "agent" must not set securityContext.privileged=true)',
    "monitor": "host namespaces (hostNetwork=true, hostPID=true),"
    ' hostPath volumes (volume "root"), hostPort (container "exporter" uses hostPort 9100)',
}
_VIOLATES = re.compile(r'pods "(.*)-[a-z0-9]{5}" is forbidden: violates PodSecurity "baseline:latest": (.*)')

_REFUSES = re.compile(
    r"the namespace `(?P<namespace>.*?)` enforces `baseline` .*"
    r" the pods of `DaemonSet .*?/(?P<name>.*?)` in `(?P<folder>.*?)`"
)


@dataclass(frozen=True)
class Story:
    """What was seen while folders failed, one after the other, until their namespaces had labels."""

    stopped: Run
    at_stop: Objects
    writes_to_stop: list[Write]
    resumed: Run
    writes_resumed: list[Write]
    finished: Run
    writes_finished: list[Write]
    at_end: Objects
    writes: list[Write]


def tell(cluster: Cluster, bundle: Path) -> Story:
    api = cluster.plane.api
    stopped = cluster.install(bundle, "--timeout", "10s")
    at_stop, first = objects(api), cluster.writes()
    cluster.mark("agent", labels={ENFORCE: "privileged"})
    resumed = cluster.install(bundle, "--resume", "--no-wait")
    eventually(lambda: "monitor" in _rejections(cluster.writes()))
    second = cluster.writes()[len(first) :]
    cluster.mark("monitor", labels={ENFORCE: "privileged"})
    eventually(lambda: all(_ready(objects(api), daemon) for daemon in (AGENT, EXPORTER)))
    at_end, count = settled(api), len(cluster.writes())
    finished = cluster.install(bundle, "--resume")
    writes = cluster.writes()
    return Story(stopped, at_stop, first, resumed, second, finished, writes[count:], at_end, writes)


def _ready(found: Objects, daemon: Key) -> bool:
    return bool(found[daemon]["status"].get("numberReady") == 2)


def _rejections(writes: list[Write]) -> dict[str, set[str]]:
    """Why pods were rejected, by namespace."""
    found: dict[str, set[str]] = {}
    for write in writes:
        if write.resource == "pods" and write.code == 403:
            found.setdefault(write.namespace, set()).add(str(write.answer["message"]))
    return found


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_bundle(tmp_path_factory.mktemp("unlabelled") / "bundle", "--os", "ubuntu")


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory, bundle: Path) -> dict[str, Story]:
    return told(tmp_path_factory.mktemp("rejected"), bundle, UBUNTU, tell)


@pytest.fixture(params=["3", "4"])
def story(request: pytest.FixtureRequest, stories: dict[str, Story]) -> Story:
    return stories[request.param]


def test_the_api_server_rejects_the_privileged_pods_and_no_others(story: Story) -> None:
    reasons = {
        namespace: {found[2] for message in messages if (found := _VIOLATES.fullmatch(message))}
        for namespace, messages in _rejections(story.writes).items()
    }
    assert reasons == {namespace: {reason} for namespace, reason in REJECTED.items()}


def test_check_names_before_what_the_api_server_rejects(story: Story, bundle: Path, tmp_path: Path) -> None:
    without = compile_bundle(tmp_path / "bundle", "--catalog", UNLABELLED, "--os", "talos")
    digests = [[row["digest"] for row in rows(of).values()] for of in (without, bundle)]
    assert digests[0] == digests[1]
    charts = chart_archives(tmp_path / "charts")
    found = _refused_pods("--catalog", UNLABELLED, charts=charts)
    rejected = {
        (namespace, pods[1])
        for namespace, messages in _rejections(story.writes).items()
        for message in messages
        if (pods := _VIOLATES.fullmatch(message))
    }
    assert {(item["namespace"], item["name"]) for item in found} == rejected
    assert {(item["folder"], item["file"]) for item in found} == {
        ("005-agent", "catalog-unlabelled/components/agent/component.yaml"),
        ("006-monitor", "catalog/components/monitor/component.yaml"),
    }
    assert _refused_pods(charts=charts) == []


def _refused_pods(*catalogs: str | Path, charts: Path) -> list[dict[str, str]]:
    """What `check` says of the pods of the catalog for Talos: nothing but what is refused, and by whom."""
    query = ("--catalog", CATALOG, *catalogs, "--os", "talos", "--charts", charts, "--format", "json")
    done = groundswell("check", *query, env={"GROUNDSWELL_HELM": str(helm_binaries()["3"])})
    findings = [item for item in json.loads(done.out) if item["code"].startswith("K4")]
    return [
        {**said.groupdict(), "file": item["file"].partition("tests/e2e/")[2]}
        for item in findings
        if (said := _REFUSES.match(item["message"])) or pytest.fail(item["message"])
    ]


def test_the_run_stops_at_the_folder_whose_pods_are_rejected(story: Story, bundle: Path) -> None:
    assert tuple(rows(bundle)) == (*BEFORE, "005-agent", "006-monitor")
    assert story.stopped.returncode == 1
    text = story.stopped.stderr
    failed, newest, *events, refused, advice = text[text.index("install.sh: 005-agent failed") :].splitlines()
    assert failed == "install.sh: 005-agent failed: release agent in namespace agent, component agent"
    assert newest == "install.sh: warnings in namespace agent since this folder began:"
    assert any(
        re.search(r"Z DaemonSet agent: FailedCreate: .* violates PodSecurity .*privileged", line) for line in events
    )
    assert "`groundswell check` tells which pods a namespace does not admit" in refused
    assert advice.endswith(" To go on: the same command with --from 005-agent, or with --resume")
    assert "006-monitor" not in story.stopped.stdout
    assert not [write for write in story.writes_to_stop if write.by_helm and "monitor" in (write.name, write.namespace)]


def test_resuming_leaves_what_was_done_and_goes_on_where_it_stopped(story: Story) -> None:
    assert story.resumed.returncode == 0
    lines = story.resumed.stdout.splitlines()
    assert lines.count("    deployed already") == len(BEFORE)
    for folder, component in zip(BEFORE, ("gadgets", "widgets", "widgets-post", "settings"), strict=True):
        at = next(at for at, line in enumerate(lines) if line.startswith(f"==> {folder}: release {component} "))
        assert lines[at + 1] == "    deployed already"
    by_helm = [write for write in story.writes_resumed if write.by_helm]
    assert {write.namespace or write.name for write in by_helm} == {"agent", "monitor"}
    earlier = [name for name in story.at_stop if {"gadgets", "widgets", "settings"} & set(name)]
    assert len(earlier) > 10
    assert {name: versions(story.at_end)[name] for name in earlier} == {
        name: versions(story.at_stop)[name] for name in earlier
    }


def test_labels_of_the_sites_own_survive_runs_that_create_namespaces(story: Story) -> None:
    for namespace in ("agent", "monitor"):
        labels = story.at_end["", "Namespace", "", namespace]["metadata"]["labels"]
        assert labels[ENFORCE] == "privileged"
        assert labels["name"] == namespace  # as Helm creates it


def test_resuming_a_finished_run_writes_nothing(story: Story) -> None:
    assert story.finished.returncode == 0
    assert story.finished.stdout.count("deployed already") == len(BEFORE) + 2
    assert not [write for write in story.writes_finished if write.by_helm]
