"""What the options of install.sh change in its calls, seen by a stub in Helm's place."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from helm.helm_site import SHELLS, Site, archive, write_bundle
from helm.sample_site import digest, sample
from helm.stub_helm import StubHelm
from plan_factory import chart, component, plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def stub(tmp_path: Path) -> StubHelm:
    return StubHelm.create(tmp_path / "stub")


@pytest.fixture
def site(tmp_path: Path, stub: StubHelm) -> Site:
    return Site(write_bundle(sample(), tmp_path / "bundle"), stub.path, tmp_path / "home")


def test_a_dry_run_calls_nothing_and_prints_what_a_real_run_calls(site: Site, stub: StubHelm, tmp_path: Path) -> None:
    values = tmp_path / "it's $(mine), é.yaml"
    values.write_text("color: red\n")
    options = ["--context", "it's; $(touch PWNED)", "--kubeconfig", "my config", "--take-ownership"]
    options += ["--values", f"gpu={values}", "--timeout", "1h30m", "--no-wait"]
    printed = site.run("install.sh", "--dry-run", *options)
    assert printed.returncode == 0
    assert not stub.calls()
    subprocess.run(["sh", "-c", printed.stdout], env=site.environment(), cwd=site.bundle, check=True)
    by_hand, stdin = [call[::3] for call in stub.calls()], stub.stdin()
    stub.forget()
    assert site.run("install.sh", *options).returncode == 0
    assert by_hand == [call[::3] for call in stub.calls() if call.arguments[0] != "list"]
    assert stdin == stub.stdin() == "color: red\n"


def test_context_and_kubeconfig_reach_every_call(site: Site, stub: StubHelm) -> None:
    site.env["KUBECONFIG"] = "a.yaml:/b/c.yaml::d e.yaml"
    assert site.run("install.sh", "--context", "far away", "--kubeconfig", "here.yaml").returncode == 0
    for call in stub.calls():
        assert call.arguments[-4:] == ["--kubeconfig", f"{site.home}/here.yaml", "--kube-context", "far away"]
        assert call.kubeconfig == f"{site.home}/a.yaml:/b/c.yaml:{site.home}/d e.yaml"


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_variables_that_change_helms_mind_do_not_reach_it(site: Site, stub: StubHelm, script: str) -> None:
    names = ("NAMESPACE", "DRIVER", "DEBUG", "KUBECONTEXT", "KUBETOKEN", "KUBEAPISERVER", "KUBEASUSER", "MAX_HISTORY")
    site.env |= {f"HELM_{name}": "true" for name in names} | {"CDPATH": "/:/tmp"}
    assert site.run(script).returncode == 0
    assert {call.hostile for call in stub.calls()} == {0}


def test_values_come_last_and_reach_the_components_chart_only(site: Site, stub: StubHelm) -> None:
    site.home.mkdir(exist_ok=True)
    (site.home / "a,b.yaml").write_text("color: blue\n")
    assert site.run("install.sh", "--values", "gpu=a,b.yaml").returncode == 0
    values = {call[2]: [call[at + 1] for at, word in enumerate(call) if word == "--values"] for call in stub.writes()}
    plain = ["values.yaml"]
    assert values == {"gpu-pre": plain, "gpu": [*plain, "-"], "oci": plain, "extra": plain}
    assert stub.stdin() == "color: blue\n"
    labels = {call[2]: call[call.index("--labels") + 1] for call in stub.writes()}
    assert labels["gpu"] == "groundswell-digest=own-values"


def test_values_for_a_component_without_a_chart_and_two_files_for_one_are_refused(site: Site, stub: StubHelm) -> None:
    assert site.run("install.sh", "--values", "extra=/etc/hostname").returncode == 2
    assert site.run("install.sh", "--values", "gpu=/etc/hostname", "--values", "gpu=/etc/hosts").returncode == 2
    assert not stub.calls()


BESIDE_CHECK = {
    "--only": "gpu",
    "--from": "gpu",
    "--resume": "",
    "--recover": "",
    "--take-ownership": "",
    "--no-wait": "",
    "--timeout": "5m",
    "--values": "gpu=/dev/null",
    "--charts": ".",
}


@pytest.mark.parametrize("option", BESIDE_CHECK)
def test_what_a_check_would_not_use_is_refused_beside_it(site: Site, stub: StubHelm, option: str) -> None:
    for given in ([option, BESIDE_CHECK[option], "--check"], ["--check", option, BESIDE_CHECK[option]]):
        done = site.run("install.sh", *(word for word in given if word))
        assert done.returncode == 2
        assert f"{option} would do nothing" in done.stderr
    assert not stub.calls()


def test_every_option_is_used_by_a_check_or_refused_beside_it(site: Site) -> None:
    used = {"--check", "--dry-run", "--skip-constraints", "--kubeconfig", "--context", "--help"}
    listed = set(re.findall(r"^  (--[a-z-]+)", site.run("install.sh", "--help").stdout, re.MULTILINE))
    assert listed == used | set(BESIDE_CHECK)


@pytest.mark.parametrize("option", ["--resume", "--recover"])
def test_a_dry_run_refuses_what_only_a_cluster_could_tell(site: Site, stub: StubHelm, option: str) -> None:
    done = site.run("install.sh", "--dry-run", option)
    assert (done.returncode, "would do nothing" in done.stderr) == (2, True)
    assert not stub.calls()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--values", "gpu=/dev/null", "--only", "001-gpu-pre"], "--values gpu"),
        (["--values", "gpu=/dev/null", "--only", "oci"], "--values gpu"),
        (["--values", "oci=/dev/null", "--values", "gpu=/dev/null", "--from", "oci"], "--values gpu"),
        (["--charts", ".", "--only", "extra"], "--charts"),
        (["--charts", ".", "--only", "001-gpu-pre"], "--charts"),
        (["--from", "oci", "--only", "gpu", "--only", "oci"], "--only gpu"),
        (["--from", "002-gpu", "--only", "001-gpu-pre", "--only", "gpu"], "--only 001-gpu-pre"),
    ],
)
def test_an_option_that_bears_on_no_folder_of_the_run_is_refused(
    site: Site, stub: StubHelm, arguments: list[str], told: str
) -> None:
    for shell in SHELLS:
        done = Site(site.bundle, site.helm, site.home, shell).run("install.sh", *arguments)
        assert done.returncode == 2
        assert f"{told}:" in done.stderr
    assert not stub.calls()


def test_take_ownership_reaches_every_release_and_the_guard_of_namespaces(site: Site, stub: StubHelm) -> None:
    assert site.run("install.sh", "--take-ownership").returncode == 0
    assert all("--take-ownership" in call for call in stub.writes())
    assert ["../preflight/take-ownership.yaml" in call for call in stub.writes()] == [True, False, False, False]
    assert (site.bundle / "preflight/take-ownership.yaml").is_file()


def test_missing_archives_are_all_listed_before_the_first_call(site: Site, stub: StubHelm, tmp_path: Path) -> None:
    done = site.run("install.sh", "--charts", os.fspath(tmp_path))
    assert done.returncode == 1
    assert "gpu-1.0.0.tgz" in done.stderr
    assert "oci-chart-v2.0.0.tgz" in done.stderr
    assert not stub.calls()


@pytest.mark.parametrize(
    ("version", "file"), [("1.0.0+b", "1.0.0_b"), ("1.0.0+b", "1.0.0+b"), ("v1.0.0", "1.0.0"), ("1.0.0", "v1.0.0")]
)
def test_archives_stand_in_for_repositories(tmp_path: Path, stub: StubHelm, version: str, file: str) -> None:
    bundle = write_bundle(plan(component("app", chart=chart("the-chart", version))), tmp_path / "bundle")
    site = Site(bundle, stub.path, tmp_path)
    charts = tmp_path / "my, charts"
    charts.mkdir()
    (charts / f"the-chart-{file}.tgz").write_bytes(archive("the-chart", {}))
    assert site.run("install.sh", "--charts", "my, charts").returncode == 0
    (call,) = stub.writes()
    assert call[3] == f"{charts}/the-chart-{file}.tgz"
    assert "--repo" not in call
    assert "--version" not in call


def test_resume_skips_what_is_deployed_with_the_same_digest(site: Site, stub: StubHelm) -> None:
    stub.answer("list", digest(site, "001-gpu-pre"), "gpu-pre\n")
    stub.answer("list", digest(site, "002-gpu"), "gpu\n")
    assert site.run("install.sh", "--resume").returncode == 0
    assert [call[2] for call in stub.writes()] == ["oci", "extra"]
    stub.forget()
    assert site.run("install.sh", "--resume", "--values", "gpu=/dev/null").returncode == 0
    assert [call[2] for call in stub.writes()] == ["gpu", "oci", "extra"]


@pytest.mark.parametrize(
    ("state", "revision", "manifest_text", "cure"),
    [
        ("pending-install", "1", "kind: ConfigMap\n", ["uninstall", "gpu", "--wait"]),
        ("pending-install", "3", "kind: PersistentVolumeClaim\n", ["rollback", "gpu", "3"]),
        ("pending-upgrade", "5", "", ["rollback", "gpu"]),
        ("pending-rollback", "5", "", ["rollback", "gpu"]),
        ("uninstalling", "2", "", ["uninstall", "gpu", "--wait"]),
    ],
)
def test_a_stuck_release_stops_the_run_and_recover_ends_it(  # noqa: PLR0917  pytest passes them by name
    site: Site, stub: StubHelm, state: str, revision: str, manifest_text: str, cure: list[str]
) -> None:
    stub.answer("list", "^gpu$", "gpu\n")
    stub.answer("status", "gpu", f"NAME: gpu\nSTATUS: {state}\nREVISION: {revision}\n")
    stub.answer("get", "gpu", manifest_text)
    refused = site.run("install.sh")
    assert refused.returncode == 1
    assert f"release gpu in namespace privileged-gpu is {state}" in refused.stderr
    assert "--recover" in refused.stderr
    assert [call[2] for call in stub.writes()] == ["gpu-pre"]
    stub.forget()
    assert site.run("install.sh", "--from", "002-gpu", "--recover").returncode == 0
    first, second, *_ = stub.writes()
    assert first == [*cure, "--namespace", "privileged-gpu", "--timeout", "10m"]
    assert second[:3] == ["upgrade", "--install", "gpu"]


def test_old_crds_are_named_on_upgrades_only(tmp_path: Path, stub: StubHelm) -> None:
    item = component("runner", chart=chart("run-er", "0.9.0", "oci://r.example.test/x"), crds="crds-dir")
    bundle = write_bundle(plan(item), tmp_path / "bundle")
    site = Site(bundle, stub.path, tmp_path)
    assert site.run("install.sh").stderr == ""
    stub.answer("list", "--superseded", "runner\n")
    command = "helm show crds oci://r.example.test/x/run-er --version 0.9.0 | kubectl apply --server-side"
    upgraded = site.run("install.sh")
    assert upgraded.returncode == 0
    assert command in upgraded.stderr
    assert "Helm left the CRDs of these releases as they were (commands above): runner" in upgraded.stderr
    assert not any("show" in call.arguments for call in stub.calls())
    stub.answer("list", digest(site, "001-runner"), "runner\n")
    assert site.run("install.sh").stderr == ""
