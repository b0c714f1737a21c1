"""install.sh with real Helm 3 and 4 against a stand-in API server: the same writes, and what is left after failures."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.helm_site import CONFIGMAP, Site, archive, index, write_bundle
from helm_binaries import helm_binaries
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.helm

NAMESPACE = "privileged-gpu"
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.test
spec:
  group: example.test
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""
FIRST_HOOK = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: first
  annotations: {helm.sh/hook: pre-install}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: x, image: x}]}}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[FakeApi]:
    with FakeApi() as api:
        yield api


@pytest.fixture
def api(server: FakeApi) -> FakeApi:
    server.reset()
    return server


@pytest.fixture(params=["3", "4"])
def site(request: pytest.FixtureRequest, api: FakeApi, tmp_path: Path) -> Site:
    return site_for(request.param, api, tmp_path)


def site_for(major: str, api: FakeApi, directory: Path, **chart_templates: str) -> Site:
    """A `-pre` that owns a Namespace, a chart from an HTTP repository in it, and a component with a `-post`."""
    repository = f"{api.url}/charts"
    api.files["index.yaml"] = index(("gpu-chart", "1.0.0"), ("app-chart", "1.0.0"))
    api.files["gpu-chart-1.0.0.tgz"] = archive("gpu-chart", {"c.yaml": CONFIGMAP.format(name="gpu")} | chart_templates)
    api.files["app-chart-1.0.0.tgz"] = archive("app-chart", {"c.yaml": CONFIGMAP.format(name="app")})
    post = manifest("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: post\n  namespace: {{ .Release.Namespace }}\n")
    bundle = write_bundle(
        plan(
            component(
                "gpu",
                chart=chart("gpu-chart", repository=repository),
                namespace=NAMESPACE,
                pre_manifests=(namespace_manifest(NAMESPACE),),
                values={"color": "green"},
            ),
            component("app", chart=chart("app-chart", repository=repository), dependencies=("gpu",), manifests=(post,)),
            criteria=TALOS,
            constraints=(constraint("OS.release.ID", "talos"), constraint("K8s.server.version", ">= 1.32")),
        ),
        directory / "bundle, é",
    )
    kubeconfig = os.fspath(api.kubeconfig(directory / "kube config"))
    return Site(bundle, helm_binaries()[major], directory / "home", env={"KUBECONFIG": kubeconfig})


def release_state(api: FakeApi, release: str) -> str:
    """The state of the newest revision, from the labels of Helm's Secrets."""
    secrets = [secret["metadata"]["labels"] for key, secret in api.objects("secrets").items() if f".{release}.v" in key]
    return str(max(secrets, key=lambda labels: int(labels["version"]))["status"]) if secrets else "absent"


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not come to this"
        time.sleep(0.02)


def reached(api: FakeApi) -> bool:
    return any(request.method == "RULE" for request in api.log)


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
    done = site.run("install.sh", "--charts", "charts, é", "--values", "gpu=own, é.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert api.objects("configmaps")[f"{NAMESPACE}/gpu"]["data"] == {"color": "red"}
    resumed = site.run("install.sh", "--charts", "charts, é", "--resume", cwd=tmp_path)
    assert resumed.stdout.count("deployed already") == 3
    assert api.objects("configmaps")[f"{NAMESPACE}/gpu"]["data"] == {"color": "green"}


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


@pytest.mark.parametrize("whole_group", [False, True], ids=["TERM to the script", "Ctrl-C"])
@pytest.mark.parametrize(("major", "shell"), [("3", "dash"), ("4", "dash"), ("4", "bash"), ("4", "busybox ash")])
def test_a_signal_ends_the_run_with_the_release_recorded_as_failed(
    api: FakeApi, tmp_path: Path, major: str, shell: str, *, whole_group: bool
) -> None:
    site = site_for(major, api, tmp_path)
    site.home.mkdir()
    site.shell = shell
    api.rules = [Rule("POST .*/configmaps", hang=10)]
    process = site.start("install.sh", "--skip-constraints")
    wait_for(lambda: reached(api))
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "stopped by a signal at 002-gpu" in err
    assert "--from 002-gpu" in err
    assert release_state(api, "gpu") == "failed"
    assert release_state(api, "app") == "absent"
    api.rules = []
    assert site.run("install.sh", "--skip-constraints", "--resume", "--only", "gpu").returncode == 0


def test_a_closed_terminal_does_not_end_the_run(site: Site, api: FakeApi) -> None:
    api.rules = [Rule("POST .*/configmaps", hang=0.3)]
    process = site.start("install.sh", "--skip-constraints")
    wait_for(lambda: reached(api))
    os.killpg(process.pid, signal.SIGHUP)
    process.communicate(timeout=20)
    assert process.returncode == 0
    assert release_state(api, "app-post") == "deployed"


def test_a_closed_output_is_no_success(site: Site, api: FakeApi) -> None:
    api.rules = [Rule("POST .*/configmaps", hang=0.3)]
    process = site.start("install.sh", "--skip-constraints")
    wait_for(lambda: reached(api))
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    process.wait(timeout=20)
    process.stderr = None if process.stderr is None else process.stderr.close()
    assert process.returncode != 0
    assert release_state(api, "gpu") == "deployed"


@pytest.mark.parametrize(
    ("templates", "cured_by"),
    [({}, "uninstall"), ({"crd.yaml": CRD}, "rollback")],
    ids=["plain", "with a CRD"],
)
def test_a_killed_installation_is_refused_then_recovered(
    api: FakeApi, tmp_path: Path, templates: dict[str, str], cured_by: str
) -> None:
    for major in helm_binaries():
        api.reset()
        site = site_for(major, api, tmp_path / major, **templates)
        site.home.mkdir(exist_ok=True)
        kill_at(site, api, f"POST .*/{NAMESPACE}/configmaps")
        assert release_state(api, "gpu") == "pending-install"
        refused = site.run("install.sh", "--skip-constraints", "--from", "002-gpu")
        assert refused.returncode == 1
        assert "is pending-install" in refused.stderr
        assert f"helm {cured_by} gpu" in refused.stderr
        api.log.clear()
        recovered = site.run("install.sh", "--recover", "--resume", "--skip-constraints")
        assert recovered.returncode == 0, recovered.stderr
        assert not [write for write in api.writes() if write.startswith("DELETE") and "customresource" in write]
        assert release_state(api, "gpu") == release_state(api, "app-post") == "deployed"


def test_a_killed_upgrade_is_refused_then_recovered(site: Site, api: FakeApi) -> None:
    assert site.run("install.sh", "--only", "gpu").returncode == 0
    kill_at(site, api, f"GET .*/{NAMESPACE}/configmaps")
    assert release_state(api, "gpu") == "pending-upgrade"
    assert site.run("install.sh").returncode == 1
    recovered = site.run("install.sh", "--recover", "--resume", "--skip-constraints")
    assert recovered.returncode == 0, recovered.stderr
    assert release_state(api, "gpu") == "deployed"


def test_a_killed_hook_runs_again_after_recovery(api: FakeApi, tmp_path: Path) -> None:
    for major in helm_binaries():
        api.reset()
        site = site_for(major, api, tmp_path / major, **{"hook.yaml": FIRST_HOOK})
        site.home.mkdir(exist_ok=True)
        api.store.jobs_complete = False
        process = site.start("install.sh", "--only", "gpu")
        wait_for(lambda: f"{NAMESPACE}/first" in api.objects("jobs"))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        assert release_state(api, "gpu") == "pending-install"
        api.store.jobs_complete = True
        api.log.clear()
        recovered = site.run("install.sh", "--only", "gpu", "--recover")
        assert recovered.returncode == 0, recovered.stderr
        assert f"POST /apis/batch/v1/namespaces/{NAMESPACE}/jobs/first" in api.writes()
        assert release_state(api, "gpu") == "deployed"


def kill_at(site: Site, api: FakeApi, pattern: str) -> None:
    """Kill script and Helm together while the server sits on a request."""
    api.rules = [Rule(pattern, hang=10)]
    api.log.clear()
    process = site.start("install.sh", "--skip-constraints")
    wait_for(lambda: reached(api))
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    api.rules = []
    time.sleep(0.1)
