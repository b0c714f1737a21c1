"""The preflight of a bundle for Talos, asked of a real API server: nodes of several kinds, none, and rights too few."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from e2e.bundle_site import TALOS, UBUNTU, chart_archives, compile_bundle
from e2e.cluster_objects import objects
from helm.helm_site import Site
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from e2e.control_plane import ControlPlane

pytestmark = [pytest.mark.e2e, pytest.mark.helm]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("preflight")
    chart_archives(directory / "charts")
    compile_bundle(directory / "bundle", "--os", "talos")
    return directory


@pytest.fixture(params=["3", "4"])
def site(request: pytest.FixtureRequest, directory: Path, cluster: ControlPlane) -> Site:
    env = {"KUBECONFIG": str(cluster.kubeconfig)}
    return Site(directory / "bundle", helm_binaries()[request.param], directory / "home", env=env)


def _install(site: Site, *options: str) -> subprocess.CompletedProcess[str]:
    # A check reads no chart, and refuses options that it would not use.
    charts = () if "--check" in options else ("--charts", str(site.bundle.with_name("charts")))
    return site.run("install.sh", *charts, *options)


def _call(cluster: ControlPlane, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = cluster.api.request(method, path, json=body)
    assert answer.is_success, answer.text
    content: dict[str, Any] = answer.json()
    return content


@contextmanager
def _made(cluster: ControlPlane, path: str, *bodies: dict[str, Any]) -> Iterator[None]:
    """Objects that are there until the context is left."""
    for body in bodies:
        _call(cluster, "POST", path, body)
    try:
        yield
    finally:
        for body in bodies:
            _call(cluster, "DELETE", f"{path}/{body['metadata']['name']}")


def _nodes(*systems: str) -> list[dict[str, Any]]:
    info = {"architecture": "amd64", "operatingSystem": "linux", "kernelVersion": "6.12.1-talos"}
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"machine-{number}"},
            "status": {"nodeInfo": {**info, "osImage": system}},
        }
        for number, system in enumerate(systems)
    ]


def _kubeconfig(cluster: ControlPlane, token: str, target: Path) -> Path:
    """The cluster's kubeconfig with another user."""
    content = json.loads(cluster.kubeconfig.read_text())
    content["users"][0]["user"] = {"token": token}
    target.write_text(json.dumps(content))
    return target


def test_nodes_of_the_wanted_system_fit_and_a_check_writes_nothing(site: Site, cluster: ControlPlane) -> None:
    with _made(cluster, "/api/v1/nodes", *_nodes(TALOS, TALOS)):
        before = objects(cluster.api).keys()
        done = _install(site, "--check")
        assert done.returncode == 0, done.stderr
        version = cluster.api.get("/version").json()["gitVersion"]
        assert done.stdout.splitlines() == [
            "==> preflight: does the cluster fit?",
            f"The cluster fits: Kubernetes {version}, 2 node(s)",
            "- K8s.server.version >= 1.32 holds",
            "- OS.release.ID == talos holds",
        ]
        assert objects(cluster.api).keys() == before


def test_one_node_of_another_system_is_named_and_nothing_is_installed(site: Site, cluster: ControlPlane) -> None:
    with _made(cluster, "/api/v1/nodes", *_nodes(TALOS, UBUNTU, TALOS)):
        before = objects(cluster.api).keys()
        done = _install(site)
        assert done.returncode == 1
        assert "the cluster does not fit this bundle:" in done.stderr
        place = "mixin os-talos (catalog/mixins/os-talos.yaml:5)"
        finding = f"\n- OS.release.ID == talos, asked for by {place}: does not hold on machine-1 ({UBUNTU})\n"
        assert finding in done.stderr
        assert objects(cluster.api).keys() == before


def test_a_cluster_without_nodes_does_not_fit(site: Site) -> None:
    done = _install(site, "--check")
    assert done.returncode == 1
    assert "- no node is visible, so nothing can be said about their operating system" in done.stderr


def test_who_may_not_list_nodes_is_told_so_and_needs_no_other_right(
    site: Site, cluster: ControlPlane, tmp_path: Path
) -> None:
    accounts = "/api/v1/namespaces/default/serviceaccounts"
    rbac = "/apis/rbac.authorization.k8s.io/v1"
    subject = {"kind": "ServiceAccount", "name": "somebody", "namespace": "default"}
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "node-lister"}
    rule = {"apiGroups": [""], "resources": ["nodes"], "verbs": ["list"]}
    role = {"metadata": {"name": "node-lister"}, "rules": [rule]}
    with _made(cluster, accounts, {"metadata": {"name": "somebody"}}), _made(cluster, "/api/v1/nodes", *_nodes(TALOS)):
        token = _call(cluster, "POST", f"{accounts}/somebody/token", {"spec": {}})["status"]["token"]
        site.env["KUBECONFIG"] = str(_kubeconfig(cluster, token, tmp_path / "kubeconfig"))
        done = _install(site, "--check")
        assert done.returncode == 1
        assert 'User "system:serviceaccount:default:somebody" cannot list resource "nodes"' in done.stderr
        assert done.stderr.endswith("install.sh: this user may not list nodes: grant it, or use --skip-constraints\n")
        binding = {"metadata": {"name": "node-lister"}, "subjects": [subject], "roleRef": reference}
        with _made(cluster, f"{rbac}/clusterroles", role), _made(cluster, f"{rbac}/clusterrolebindings", binding):
            done = _install(site, "--check")
            assert done.returncode == 0, done.stderr
