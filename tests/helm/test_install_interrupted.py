"""install.sh interrupted, with real Helm 3 and 4: what a signal, a kill or a failed hook leaves, and how it goes on."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.gpu_site import NAMESPACE, release_state, site_for
from helm.helm_site import SHELLS, Site
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.helm

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


@pytest.fixture(params=["3", "4"])
def site(request: pytest.FixtureRequest, api: FakeApi, tmp_path: Path) -> Site:
    return site_for(request.param, api, tmp_path)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not come to this"
        time.sleep(0.02)


def reached(api: FakeApi) -> bool:
    return any(request.method == "RULE" for request in api.log)


@pytest.mark.parametrize("whole_group", [False, True], ids=["TERM to the script", "Ctrl-C"])
@pytest.mark.parametrize(("major", "shell"), [("3", "sh"), ("4", "dash"), ("4", "bash"), ("4", "busybox ash")])
def test_a_signal_ends_the_run_with_the_release_recorded_as_failed(
    api: FakeApi, tmp_path: Path, major: str, shell: str, *, whole_group: bool
) -> None:
    if shell not in SHELLS:
        pytest.skip(f"{shell} is not installed")
    site = site_for(major, api, tmp_path)
    site.home.mkdir()
    site.shell = shell
    api.rules = [Rule("POST .*/configmaps", hang=10), Rule(r"PUT .*/secrets/.*\.gpu\.", hang=0.5)]
    process = site.start("install.sh", "--skip-constraints")
    wait_for(lambda: reached(api))
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    assert process.wait(timeout=20) == 130
    assert release_state(api, "gpu") == "failed", "Helm was left behind, still at work"
    _, err = process.communicate()
    assert "stopped by a signal at 002-gpu" in err
    assert "--from 002-gpu" in err
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


def test_a_first_installation_that_failed_is_told_of_its_hooks_and_recovered(api: FakeApi, tmp_path: Path) -> None:
    for major in helm_binaries():
        api.reset()
        site = site_for(major, api, tmp_path / major, **{"hook.yaml": FIRST_HOOK})
        site.home.mkdir(exist_ok=True)
        gpu = ["--skip-constraints", "--only", "002-gpu"]
        api.add_namespace(NAMESPACE)
        api.rules = [Rule("POST .*/jobs", 500, "InternalError")]
        assert site.run("install.sh", *gpu).returncode == 1
        assert release_state(api, "gpu") == "failed"
        told = site.run("install.sh", *gpu, "--recover")
        assert "injected" in told.stderr
        api.rules = []
        api.log.clear()
        recovered = site.run("install.sh", *gpu, "--recover")
        assert recovered.returncode == 0, recovered.stderr
        assert f"POST /apis/batch/v1/namespaces/{NAMESPACE}/jobs/first" in api.writes()
        assert "hooks" not in recovered.stderr


def test_without_recover_the_missing_hooks_are_told(site: Site, api: FakeApi) -> None:
    api.rules = [Rule("POST .*/configmaps", 500, "InternalError")]
    gpu = ["--skip-constraints", "--only", "gpu"]
    assert site.run("install.sh", *gpu).returncode == 1
    api.rules = []
    again = site.run("install.sh", *gpu)
    assert again.returncode == 0
    assert "without the chart's install hooks" in again.stderr


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
