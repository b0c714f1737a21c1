"""The preflight with real Helm 3 and 4: which clusters fit, which do not, and which cannot be asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.helm_site import Site, write_bundle
from helm_binaries import helm_binaries
from plan_factory import component, constraint, plan

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from groundswell.resolve.resolution import Constraint

pytestmark = pytest.mark.helm

TALOS_ONLY = constraint("OS.release.ID", "talos", "mixin os-talos", "mixins/os-talos.yaml")


@pytest.fixture(params=["3", "4"])
def helm(request: pytest.FixtureRequest) -> Path:
    return helm_binaries()[str(request.param)]


def check(api: FakeApi, helm: Path, directory: Path, *constraints: Constraint) -> CompletedProcess[str]:
    bundle = write_bundle(plan(component("app"), constraints=constraints), directory / "bundle")
    env = {"KUBECONFIG": os.fspath(api.kubeconfig(directory / "kubeconfig"))}
    done = Site(bundle, helm, directory / "home", env=env).run("install.sh", "--check")
    assert api.writes() == []
    return done


def test_one_node_of_another_system_is_named_with_the_layer_that_forbids_it(
    api: FakeApi, helm: Path, tmp_path: Path
) -> None:
    api.add_node("odd", "Ubuntu 24.04.2 LTS")
    done = check(api, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 1
    assert "the cluster does not fit this bundle" in done.stderr
    line = "- OS.release.ID == talos, asked for by mixin os-talos (mixins/os-talos.yaml:1): does not hold on"
    assert f"{line} odd (Ubuntu 24.04.2 LTS)\n" in done.stderr
    assert "--skip-constraints" in done.stderr


def test_every_finding_is_told_at_once_and_many_nodes_are_counted(api: FakeApi, helm: Path, tmp_path: Path) -> None:
    for number in range(8):
        api.add_node(f"u{number}", "Ubuntu 22.04.5 LTS", "5.15.0-1051-aws")
    done = check(
        api,
        helm,
        tmp_path,
        TALOS_ONLY,
        constraint("K8s.server.version", ">= 1.34, < 1.36", "recipe h100"),
        constraint("OS.release.KERNEL_VERSION", ">= 6.1"),
        constraint("GPU.hardware.gpu-count", ">= 8"),
    )
    assert done.returncode == 1
    found = [line for line in done.stderr.splitlines() if line.startswith("- ")]
    assert len(found) == 4
    assert (
        "K8s.server.version >= 1.34, asked for by recipe h100 (recipes/test.yaml:1): the API server is v1.33.0"
        in found[0]
    )
    assert "u4 (Ubuntu 22.04.5 LTS) and 3 more" in found[1]
    assert "u0 (5.15.0-1051-aws)" in found[2]
    assert (
        "GPU.hardware.gpu-count >= 8, asked for by recipe test (recipes/test.yaml:1): the API server cannot tell"
        in found[3]
    )


def test_no_visible_node_is_no_cluster_that_fits(api: FakeApi, helm: Path, tmp_path: Path) -> None:
    api.remove_nodes()
    done = check(api, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 1
    assert "the cluster does not fit" in done.stderr
    assert "no node is visible" in done.stderr


def test_without_the_right_to_list_nodes_the_right_is_named(api: FakeApi, helm: Path, tmp_path: Path) -> None:
    message = 'nodes is forbidden: User "bob" cannot list resource "nodes" in API group "" at the cluster scope'
    api.rules = [Rule("GET /api/v1/nodes", 403, "Forbidden", message)]
    done = check(api, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 1
    assert "this user may not list nodes" in done.stderr
    assert "does not fit" not in done.stderr


def test_a_bundle_that_asks_nothing_of_nodes_needs_no_right_to_list_them(
    api: FakeApi, helm: Path, tmp_path: Path
) -> None:
    api.rules = [Rule("GET /api/v1/nodes", 403, "Forbidden")]
    assert check(api, helm, tmp_path, constraint("K8s.server.version", ">= 1.32")).returncode == 0


def test_a_server_that_fails_is_not_a_cluster_that_does_not_fit(api: FakeApi, helm: Path, tmp_path: Path) -> None:
    api.rules = [Rule("GET /api/v1/nodes", 500, "InternalError", "the database is down")]
    done = check(api, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 1
    assert "cannot check whether the cluster fits" in done.stderr
    assert "the database is down" in done.stderr


def test_a_cluster_that_is_away_is_not_a_cluster_that_does_not_fit(helm: Path, tmp_path: Path) -> None:
    with FakeApi() as gone:
        pass
    done = check(gone, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 1
    assert "cannot check whether the cluster fits" in done.stderr


def test_skip_constraints_asks_nothing(api: FakeApi, helm: Path, tmp_path: Path) -> None:
    bundle = write_bundle(plan(component("app"), constraints=(TALOS_ONLY,)), tmp_path / "bundle")
    env = {"KUBECONFIG": os.fspath(api.kubeconfig(tmp_path / "kubeconfig"))}
    done = Site(bundle, helm, tmp_path / "home", env=env).run("install.sh", "--skip-constraints", "--charts", "nowhere")
    assert "archives are missing" in done.stderr
    assert api.log == []


# What the server says, constraints that hold for it, constraints that do not.
VERSIONS = {
    "v1.31.4-eks-5d632ec": (
        [">= 1.29", "< 1.32", "== 1.31.4", "== 1.31", "> 1.31.3", "<= 1.31", "<= 1.31.4", "!= 1.31.5", "1.31"],
        [">= 1.32", "!= 1.31.4", "!= 1.31", "1.31.3"],
    ),
    "v1.29.0-rc.1": ([">= 1.29", "1.29.0"], ["> 1.29", "< 1.29", "== 1.29.1"]),
    "v1.34.3-gke.1000000": ([">= 1.34.3", ">= 1.34.3-eks.5", "< 1.34.3-gke.1318000"], [">= 1.34.3-gke.1318000"]),
    "v1.34.4-gke.1": ([">= 1.34.3-gke.1318000"], ["== 1.34.4-gke.2"]),
    "v1.10.0+k3s1": ([">= 1.9", "> 1.9.9"], ["<= 1.9"]),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_versions_of_the_server_compare_as_numbers(api: FakeApi, helm: Path, tmp_path: Path, version: str) -> None:
    api.version = version
    holding, failing = VERSIONS[version]
    name = "K8s.server.version"
    good = check(api, helm, tmp_path, *(constraint(name, value) for value in holding))
    assert good.returncode == 0, good.stderr
    bad = check(api, helm, tmp_path, *(constraint(name, value) for value in failing))
    assert bad.stderr.count("the API server is") == len(failing)


@pytest.mark.parametrize(
    ("image", "identity", "holding", "failing"),
    [
        ("Talos (v1.11.2)", "talos", ["1.11.2", ">= 1.10", "< 1.12"], ["< 1.11.2", "1.11.3"]),
        ("Ubuntu 24.04.2 LTS", "ubuntu", ["24.04", ">= 22.04", "!= 24.10"], ["24.10", "< 24.04"]),
        ("Container-Optimized OS from Google", "cos", [], [">= 100", "!= 100"]),
        ("Red Hat Enterprise Linux 9.4 (Plow)", "rhel", ["9.4", "> 8"], ["9.5"]),
        ("Amazon Linux 2023.6.20241010", "amazonlinux", ["2023"], ["2"]),
        ("Amazon Linux AMI 2017.09", "amzn", ["2017.09", ">= 2017.08"], ["2017.10"]),
        ("Oracle Linux Server 8.10", "ol", [">= 8.9"], ["8.1"]),
    ],
)
def test_systems_and_their_versions_are_known_by_the_image_of_the_node(  # noqa: PLR0917  pytest passes them by name
    api: FakeApi, helm: Path, tmp_path: Path, image: str, identity: str, holding: list[str], failing: list[str]
) -> None:
    api.remove_nodes()
    api.add_node("one", image)
    name = "OS.release.VERSION_ID"
    asked = [constraint("OS.release.ID", identity), *(constraint(name, value) for value in holding)]
    good = check(api, helm, tmp_path, *asked)
    assert good.returncode == 0, good.stderr
    other = constraint("OS.release.ID", f"!= {identity}")
    bad = check(api, helm, tmp_path, other, *(constraint(name, value) for value in failing))
    assert bad.stderr.count(f"does not hold on one ({image})") == len(failing) + 1


def test_a_node_that_waits_for_its_network_does_not_hold_the_preflight_up(
    api: FakeApi, helm: Path, tmp_path: Path
) -> None:
    api.remove_nodes()
    api.add_node("cp1", "Talos (v1.13.2)")
    node = api.objects("nodes")["cp1"]
    reason = {"reason": "KubeletNotReady", "message": "cni plugin not initialized"}
    node["status"]["conditions"] = [{"type": "Ready", "status": "False", **reason}]
    node["spec"] = {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}
    done = check(api, helm, tmp_path, TALOS_ONLY)
    assert done.returncode == 0, done.stderr
    assert "1 node(s)" in done.stdout
