"""uninstall.sh: reverse order, what it keeps, with a stub and with real Helm 3 and 4."""

from __future__ import annotations

import os
import shutil
import signal
import time
from typing import TYPE_CHECKING

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.helm_site import CONFIGMAP, SHELLS, SYSTEM_PATH, Site, archive, index, write_bundle
from helm.stub_helm import StubHelm
from helm_binaries import helm_binaries
from plan_factory import TALOS, chart, component, namespace_manifest, plan

if TYPE_CHECKING:
    from pathlib import Path

RELEASES = {"001-op-pre": "op-pre", "002-op": "op", "003-user": "user"}

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.test{annotations}
spec:
  group: example.test
  scope: Namespaced
  names: {{kind: Widget, plural: widgets, singular: widget}}
  versions:
  - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}
"""
KEEP = "\n  annotations: {helm.sh/resource-policy: keep}"


def bundle_in(directory: Path, repository: str = "https://charts.example.test") -> Path:
    operator = component(
        "op",
        namespace="op-home",
        pre_manifests=(namespace_manifest("op-home"),),
        chart=chart("op", repository=repository),
    )
    user = component("user", dependencies=("op",), chart=chart("user", repository=repository))
    return write_bundle(plan(operator, user, criteria=TALOS), directory / "bundle")


@pytest.fixture
def stub(tmp_path: Path) -> StubHelm:
    made = StubHelm.create(tmp_path / "stub")
    for release in RELEASES.values():
        made.answer("list", f"^{release}$", f"{release}\n")
    return made


@pytest.fixture
def site(tmp_path: Path, stub: StubHelm) -> Site:
    return Site(bundle_in(tmp_path), stub.path, tmp_path / "home")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("version", "wait"), [("v3.17.0", "--wait"), ("v4.2.0", "--wait=legacy")])
def test_releases_go_in_reverse_order(site: Site, stub: StubHelm, shell: str, version: str, wait: str) -> None:
    (stub.path.parent / "version").write_text(version)
    site.shell = shell
    assert site.run("uninstall.sh", "--timeout", "3m").returncode == 0
    homes = {"user": "user", "op": "op-home", "op-pre": "groundswell"}
    assert stub.writes() == [
        ["uninstall", release, "--namespace", home, "--timeout", "3m", wait] for release, home in homes.items()
    ]


def test_missing_releases_are_skipped(site: Site, stub: StubHelm) -> None:
    stub.answer("list", "^op$", "")
    done = site.run("uninstall.sh")
    assert done.returncode == 0
    assert "release op in namespace op-home is not installed" in done.stdout
    assert [call[1] for call in stub.writes()] == ["user", "op-pre"]


def test_a_failure_stops(site: Site, stub: StubHelm) -> None:
    stub.fail("op", 3)
    done = site.run("uninstall.sh")
    assert done.returncode == 3
    assert "002-op failed" in done.stderr
    assert [call[1] for call in stub.writes()] == ["user", "op"]


def test_only_and_dry_run(site: Site, stub: StubHelm) -> None:
    assert site.run("uninstall.sh", "--only", "op").returncode == 0
    assert [call[1] for call in stub.writes()] == ["op", "op-pre"]
    stub.forget()
    done = site.run("uninstall.sh", "--dry-run", "--context", "c")
    commands = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    assert commands[0] == "helm uninstall user --namespace user --timeout 10m --wait --kube-context c"
    assert len(commands) == 3
    assert not stub.writes()


@pytest.mark.parametrize("arguments", [["--force"], ["op"], ["--only"], ["--timeout", "3"], ["--dry-run=x"]])
def test_wrong_usage_exits_2(site: Site, stub: StubHelm, arguments: list[str]) -> None:
    assert site.run("uninstall.sh", *arguments).returncode == 2
    assert not stub.calls()


@pytest.mark.parametrize(
    ("manifest", "kept"),
    [
        ("", ""),
        ("---\n# Source: x\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n", ""),
        ("---\nkind: Namespace\nmetadata:\n  name: a\n", "Namespace a"),
        ("---\r\nmetadata:\r\n  name: a\r\nkind: Namespace\r\n", "Namespace a"),
        ('---\n"kind": "Namespace" # yes\n"metadata":\n  "name": "a"\n', "Namespace a"),
        (CRD.format(annotations=""), "CustomResourceDefinition widgets.example.test"),
        (CRD.format(annotations=KEEP), ""),
        ("kind: Namespace\nmetadata: {name: a}\n", "Namespace a"),
        ('kind: Namespace\n"metadata":{"labels":{"name":"b"},"name":"a"}\n', "Namespace a"),
        (
            "metadata: {labels: {x: '}', name: b}, z: \"name: c\",\n  name: a, labels: {name: c}}\nkind: Namespace\n",
            "Namespace a",
        ),
        ("metadata:\n  {labels: {name: b},\n   'name': 'a',\n  }\nkind: Namespace\n", "Namespace a"),
        ("kind: Namespace\nmetadata:\n    labels:\n      name: b\n    # who\n    name: a\n", "Namespace a"),
        ("kind: Namespace\nmetadata: {name: a, annotations: {helm.sh/resource-policy: keep}}\n", ""),
        ("kind: Namespace\nmetadata: {name: a}\nspec: {finalizers: [{name: x}]}\n", "Namespace a"),
        ('kind: Namespace\nmetadata:\n  annotations:\n    "helm.sh/resource-policy": "keep"\n', ""),
        ("kind: Namespace\nmetadata:\n  annotations:\n    helm.sh/resource-policy: delete\n", "Namespace"),
        (f"{CRD.format(annotations=KEEP)}---\nkind: Namespace\nmetadata:\n  name: b\n", "Namespace b"),
        ("kind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: |\n    ---\n    kind: Namespace\n", ""),
        ("kind: Policy\nspec:\n  match:\n    kind: Namespace\n", ""),
        ("kind: RoleBinding\nsubjects:\n- kind: Namespace\n", ""),
        ("kind: List\nitems:\n- kind: Namespace\n  metadata: {name: a}\n", "a List of"),
        ('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}\n', "an object of"),
        ('{"kind":"Namespace","metadata":{"annotations":{"helm.sh/resource-policy":"keep"}}}\n', ""),
        ('{"kind":"ConfigMap","metadata":{"name":"a"}}\n', ""),
    ],
)
@pytest.mark.parametrize("awk", ["default", "busybox"])
def test_a_release_that_would_take_others_with_it_is_kept_and_named(
    site: Site, stub: StubHelm, manifest: str, kept: str, awk: str
) -> None:
    if awk == "busybox":
        site.environment()
        program = shutil.which("busybox", path=SYSTEM_PATH)
        if program is None:
            pytest.skip("busybox is not installed")
        (site.home / "bin/awk").symlink_to(program)
    stub.answer("get", "op", manifest)
    done = site.run("uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert ("op" in [call[1] for call in stub.writes()]) == (not kept)
    if kept:
        assert f"    {kept}" in done.stdout
        assert "kept releases: op" in done.stdout
    else:
        assert "kept" not in done.stdout
    stub.forget()
    assert site.run("uninstall.sh", "--delete-crds-and-namespaces").returncode == 0
    assert len(stub.writes()) == 3


@pytest.mark.parametrize("shell", SHELLS)
def test_only_a_dry_run_prints_a_script(site: Site, stub: StubHelm, shell: str) -> None:
    site.shell = shell
    stub.answer("get", "op", f"{CRD.format(annotations='')}---\nkind: Namespace\nmetadata:\n  name: b\n")
    stub.answer("list", "^user$", "")
    told = site.run("uninstall.sh").stdout.splitlines()
    at = next(number for number, line in enumerate(told) if line.startswith("==> 002-op: kept: release op "))
    assert told[at + 1 : at + 3] == ["    CustomResourceDefinition widgets.example.test", "    Namespace b"]
    assert all(line.startswith(("==> ", "    ")) for line in told)
    script = site.run("uninstall.sh", "--dry-run").stdout.splitlines()
    assert "#     Namespace b" in script
    assert [line for line in script if not line.startswith("#")] == [
        "helm uninstall op-pre --namespace groundswell --timeout 10m --wait"
    ]


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_real_releases_go_and_what_others_need_stays(server: FakeApi, tmp_path: Path, major: str) -> None:
    server.reset()
    server.files["index.yaml"] = index(("op", "1.0.0"), ("user", "1.0.0"))
    crd = CRD.format(annotations="")
    flow = crd.replace("widgets", "gadgets").replace("\n  name: gadgets.example.test", " {name: gadgets.example.test}")
    server.files["op-1.0.0.tgz"] = archive("op", {"crd.yaml": crd, "flow.yaml": flow})
    server.files["user-1.0.0.tgz"] = archive("user", {"c.yaml": CONFIGMAP.format(name="c")})
    env = {"KUBECONFIG": os.fspath(server.kubeconfig(tmp_path / "kubeconfig"))}
    site = Site(bundle_in(tmp_path, f"{server.url}/charts"), helm_binaries()[major], tmp_path / "home", env=env)
    installed = site.run("install.sh")
    assert installed.returncode == 0, installed.stderr
    script = site.run("uninstall.sh", "--dry-run")
    assert script.returncode == 0
    assert all(line.startswith(("#", "helm uninstall ")) for line in script.stdout.splitlines())
    assert len(server.objects("secrets")) == 3
    done = site.run("uninstall.sh")
    assert done.returncode == 0, done.stderr
    for name in ("widgets", "gadgets"):
        assert f"\n    CustomResourceDefinition {name}.example.test\n" in done.stdout
    assert set(server.objects("secrets")) == {"op-home/sh.helm.release.v1.op.v1"}
    assert "widgets.example.test" in server.objects("customresourcedefinitions")
    assert "op-home" in server.objects("namespaces")
    assert site.run("uninstall.sh", "--delete-crds-and-namespaces").returncode == 0
    assert not server.objects("secrets")
    assert not server.objects("customresourcedefinitions")
    assert "op-home" in server.objects("namespaces")
    again = site.run("install.sh")
    assert again.returncode == 0, again.stderr


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_a_killed_uninstallation_is_finished_or_recovered(server: FakeApi, tmp_path: Path, major: str) -> None:
    server.reset()
    server.files["index.yaml"] = index(("op", "1.0.0"), ("user", "1.0.0"))
    for name in ("op", "user"):
        server.files[f"{name}-1.0.0.tgz"] = archive(name, {"c.yaml": CONFIGMAP.format(name=name)})
    env = {"KUBECONFIG": os.fspath(server.kubeconfig(tmp_path / "kubeconfig"))}
    site = Site(bundle_in(tmp_path, f"{server.url}/charts"), helm_binaries()[major], tmp_path / "home", env=env)
    assert site.run("install.sh").returncode == 0
    for finish in (["install.sh", "--recover", "--from", "user"], ["uninstall.sh", "--only", "user"]):
        server.rules = [Rule("DELETE .*/configmaps", hang=10)]
        server.log.clear()
        process = site.start("uninstall.sh", "--only", "user")
        while not any(request.method == "RULE" for request in server.log):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        server.rules = []
        refused = site.run("install.sh", "--skip-constraints", "--from", "user")
        assert refused.returncode == 1
        assert "is uninstalling" in refused.stderr
        finished = site.run(*finish)
        assert finished.returncode == 0, finished.stderr
    assert not [key for key in server.objects("secrets") if key.startswith("user/")]


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_without_the_right_to_read_releases_nothing_is_taken_for_gone(
    server: FakeApi, tmp_path: Path, major: str
) -> None:
    server.reset()
    server.rules = [Rule("GET .*/secrets", 403, "Forbidden")]
    env = {"KUBECONFIG": os.fspath(server.kubeconfig(tmp_path / "kubeconfig"))}
    done = Site(bundle_in(tmp_path), helm_binaries()[major], tmp_path / "home", env=env).run("uninstall.sh")
    assert done.returncode == 1
    assert "cannot read the releases in namespace user" in done.stderr
