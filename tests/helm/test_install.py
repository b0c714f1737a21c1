"""install.sh with real Helm 3 and 4 against a stand-in API server: the same writes, and what is left after failures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.gpu_site import NAMESPACE, release_state, site_for
from helm.helm_site import CONFIGMAP, Site, archive, index, write_bundle
from helm_binaries import helm_binaries
from plan_factory import chart, component, plan

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm


@pytest.fixture(params=["3", "4"])
def site(request: pytest.FixtureRequest, api: FakeApi, tmp_path: Path) -> Site:
    return site_for(request.param, api, tmp_path)


def first_writes() -> list[str]:
    def secret(namespace: str, release: str) -> list[str]:
        secrets = f"/api/v1/namespaces/{namespace}/secrets"
        name = f"sh.helm.release.v1.{release}.v1"
        return [f"POST {secrets}/{name}", f"PUT {secrets}/{name}"]

    return sorted(
        [
            *(f"POST /api/v1/namespaces/{name}" for name in ("groundswell", NAMESPACE, "app", "app")),
            *secret("groundswell", "gpu-pre"),
            *secret(NAMESPACE, "gpu"),
            *secret("app", "app"),
            *secret("app", "app-post"),
            f"POST /api/v1/namespaces/{NAMESPACE}/configmaps/gpu",
            "POST /api/v1/namespaces/app/configmaps/app",
            "POST /api/v1/namespaces/app/configmaps/post",
        ]
    )


def test_an_installation_makes_the_same_writes_under_both_majors(site: Site, api: FakeApi) -> None:
    done = site.run("install.sh")
    assert done.returncode == 0, done.stderr
    assert api.writes() == first_writes()
    assert api.objects("configmaps")[f"{NAMESPACE}/gpu"]["data"] == {"color": "green"}
    labels = api.objects("namespaces")[NAMESPACE]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "privileged"
    assert labels["groundswell.dev/managed"] == "true"


def test_a_second_run_writes_nothing_but_helms_records(site: Site, api: FakeApi) -> None:
    assert site.run("install.sh").returncode == 0
    api.log.clear()
    done = site.run("install.sh")
    assert done.returncode == 0, done.stderr
    assert all("/secrets" in write for write in api.writes())
    api.log.clear()
    resumed = site.run("install.sh", "--resume")
    assert resumed.stdout.count("deployed already") == 4
    assert api.writes() == []


def test_a_release_passes_between_the_majors(api: FakeApi, tmp_path: Path) -> None:
    site = site_for("3", api, tmp_path)
    assert site.run("install.sh").returncode == 0
    for major in ("4", "3"):
        site.helm = helm_binaries()[major]
        api.log.clear()
        done = site.run("install.sh")
        assert done.returncode == 0, done.stderr
        assert all("/secrets" in write for write in api.writes())


def test_check_writes_nothing_even_where_no_namespace_is(site: Site, api: FakeApi) -> None:
    done = site.run("install.sh", "--check")
    assert done.returncode == 0
    assert "OS.release.ID == talos holds" in done.stdout
    assert api.writes() == []


def test_a_dry_run_asks_no_cluster(site: Site, api: FakeApi) -> None:
    assert site.run("install.sh", "--dry-run").returncode == 0
    assert api.log == []


def test_own_values_and_archives(site: Site, api: FakeApi, tmp_path: Path) -> None:
    (tmp_path / "charts, é").mkdir()
    for name in ("gpu-chart-1.0.0.tgz", "app-chart-1.0.0.tgz"):
        (tmp_path / "charts, é" / name).write_bytes(api.files[name])
    api.files.clear()
    (tmp_path / "own, é.yaml").write_text("color: red\n")
    options = ["--charts", "charts, é"]
    done = site.run("install.sh", *options, "--values", "app=own, é.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert api.objects("configmaps")["app/app"]["data"] == {"color": "red"}
    resumed = site.run("install.sh", *options, "--resume", cwd=tmp_path)
    assert resumed.stdout.count("deployed already") == 3
    assert api.objects("configmaps")["app/app"]["data"] == {"color": "none"}


def test_a_chart_called_like_a_directory_of_the_bundle(api: FakeApi, tmp_path: Path) -> None:
    api.files["index.yaml"] = index(("preflight", "1.0.0"))
    api.files["preflight-1.0.0.tgz"] = archive("preflight", {"c.yaml": CONFIGMAP.format(name="real")})
    named = plan(component("x", chart=chart("preflight", repository=f"{api.url}/charts")))
    bundle = write_bundle(named, tmp_path / "bundle")
    env = {"KUBECONFIG": os.fspath(api.kubeconfig(tmp_path / "kubeconfig"))}
    for helm in helm_binaries().values():
        assert Site(bundle, helm, tmp_path / "home", env=env).run("install.sh").returncode == 0
    assert "x/real" in api.objects("configmaps")


def test_a_failed_folder_stops_the_run_and_resume_goes_on(site: Site, api: FakeApi) -> None:
    api.rules = [Rule("POST .*/app/configmaps", 500, "InternalError")]
    failed = site.run("install.sh")
    assert failed.returncode == 1
    assert "003-app failed: release app in namespace app" in failed.stderr
    assert release_state(api, "app-post") == "absent"
    api.rules = []
    resumed = site.run("install.sh", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.count("deployed already") == 2
    assert [release_state(api, release) for release in ("app", "app-post")] == ["deployed"] * 2


OTHERS: dict[str, Any] = {"meta.helm.sh/release-name": "other", "meta.helm.sh/release-namespace": "other"}
PRIVILEGED = {
    f"pod-security.kubernetes.io/{mode}{suffix}": value
    for mode in ("enforce", "audit", "warn")
    for suffix, value in (("", "privileged"), ("-version", "latest"))
}


@pytest.mark.parametrize(
    ("labels", "annotations", "suffices"),
    [
        ({}, {}, False),
        ({}, OTHERS, False),
        (PRIVILEGED, {}, True),
        (PRIVILEGED, OTHERS, True),
        (PRIVILEGED | {"pod-security.kubernetes.io/enforce": "baseline"}, {}, False),
    ],
    ids=["unowned", "other owner", "unowned but labelled", "other owner but labelled", "another level"],
)
def test_a_namespace_that_exists_is_left_as_it_is_or_stops_the_run(
    site: Site, api: FakeApi, labels: dict[str, str], annotations: dict[str, str], *, suffices: bool
) -> None:
    api.add_namespace(NAMESPACE, labels=dict(labels), annotations=dict(annotations))
    done = site.run("install.sh", "--only", "gpu")
    live = api.objects("namespaces")[NAMESPACE]["metadata"]
    assert (live["labels"], live["annotations"]) == (labels, annotations)
    if suffices:
        assert done.returncode == 0, done.stderr
        assert release_state(api, "gpu") == "deployed"
        return
    assert done.returncode == 1
    assert f"kubectl label --overwrite namespace {NAMESPACE}" in done.stderr
    assert "--take-ownership" in done.stderr
    assert release_state(api, "gpu") == "absent"
    adopted = site.run("install.sh", "--only", "gpu", "--take-ownership")
    assert adopted.returncode == 0, adopted.stderr
    live = api.objects("namespaces")[NAMESPACE]["metadata"]
    assert PRIVILEGED.items() <= live["labels"].items()
    assert live["annotations"]["meta.helm.sh/release-name"] == "gpu-pre"
    assert site.run("install.sh", "--only", "gpu").returncode == 0


def test_a_namespace_that_is_going_away_stops_the_run(site: Site, api: FakeApi) -> None:
    api.add_namespace(NAMESPACE, labels=dict(PRIVILEGED), phase="Terminating")
    done = site.run("install.sh", "--only", "gpu")
    assert done.returncode == 1
    assert "is being terminated" in done.stderr


def test_a_label_taken_away_by_hand_comes_back(site: Site, api: FakeApi) -> None:
    assert site.run("install.sh", "--only", "gpu").returncode == 0
    del api.objects("namespaces")[NAMESPACE]["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
    done = site.run("install.sh", "--only", "gpu")
    assert done.returncode == 0, done.stderr
    labels = api.objects("namespaces")[NAMESPACE]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "privileged"
