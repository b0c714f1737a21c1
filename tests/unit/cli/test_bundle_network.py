"""A bundle with the cluster's CNI: both layers fit, it comes first, and one command of the README installs it alone."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import talos_kit
from command import ROOT, Outcome, groundswell
from helm.helm_site import SHELLS, Site
from helm.stub_helm import StubHelm

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = """\
apiVersion: groundswell.dev/v1alpha1
kind: Recipe
metadata:
  name: lab
spec:
  criteria:
    platform: lab
  mixins:
    - cilium
  componentRefs:
    - name: app
"""
APP = """\
apiVersion: groundswell.dev/v1alpha1
kind: Component
metadata:
  name: app
spec:
  description: Needs a network like everything else
  helm:
    repository: https://charts.example.test/stable
    chart: app
    version: 1.0.0
  namespace: app
"""
CRITERIA = ("--service", "metal", "--accelerator", "h100", "--intent", "training", "--platform", "lab")
REPO = ("--repo", "https://git.example.test/a/b.git")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for path, text in {"recipes/lab.yaml": RECIPE, "components/app/component.yaml": APP}.items():
        (tmp_path / "mine" / path).parent.mkdir(parents=True)
        (tmp_path / "mine" / path).write_text(text, encoding="utf-8")
    return tmp_path


def bundled(lab: Path, *options: str, system: str = "talos") -> Outcome:
    words = ("--catalog", "mine", *CRITERIA, "--os", system, "--allow-unsupported", *REPO, "-o", "out", *options)
    return groundswell("bundle", *words, cwd=lab)


def bundle(lab: Path, *options: str, system: str = "talos") -> Path:
    done = bundled(lab, *options, system=system)
    assert done.code == 0, done.err
    return lab / "out"


def network(path: Path) -> dict[str, Any]:
    """What a patch says on the cluster."""
    found: dict[str, Any] = yaml.safe_load(path.read_text())["cluster"]
    return found


def section(out: Path, heading: str = "First of all: the network") -> str:
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", (out / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def command(out: Path) -> str:
    found = re.search(r"^```sh\n(.*?)\n```$", section(out), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_patches_and_values_agree(lab: Path) -> None:
    out = bundle(lab)
    assert network(out / "talos/patches/controlplanes.yaml") == {
        "network": {"cni": {"name": "none"}},
        "proxy": {"disabled": True},
    }
    values = yaml.safe_load((out / "001-cilium/values.yaml").read_text())
    assert values["kubeProxyReplacement"] is True
    assert (values["k8sServiceHost"], values["k8sServicePort"]) == ("localhost", 7445)
    assert values["ipam"] == {"mode": "kubernetes"}
    assert values["cgroup"] == {"autoMount": {"enabled": False}, "hostRoot": "/sys/fs/cgroup"}
    assert "SYS_MODULE" not in (out / "001-cilium/values.yaml").read_text()


def test_everything_comes_after_it_also_what_the_mixin_does_not_know(lab: Path) -> None:
    out = bundle(lab)
    folders = yaml.safe_load((out / "bundle.yaml").read_text())["spec"]["folders"]
    assert folders[0]["name"] == "001-cilium"
    assert "app" in {folder["component"] for folder in folders}
    assert all(folder["wave"] > folders[0]["wave"] for folder in folders[1:])
    waves = {path.parent.name: yaml.safe_load(path.read_text()) for path in out.glob("*/application.yaml")}
    wave = {name: int(item["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"]) for name, item in waves.items()}
    assert [name for name, number in wave.items() if number <= wave["001-cilium"]] == ["001-cilium"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_of_the_readme_installs_it_alone(lab: Path, shell: str) -> None:
    out = bundle(lab)
    assert command(out) == "./install.sh --only cilium"
    assert "`001-cilium`" in section(out)
    stub = StubHelm.create(lab / "stub", "v4.3.1")
    done = Site(out, stub.path, lab / "home", shell=shell).run(*command(out).removeprefix("./").split())
    assert done.returncode == 0, done.stderr
    (write,) = stub.writes()
    assert write[:4] == ["upgrade", "--install", "cilium", "cilium"]
    assert write[write.index("--namespace") + 1] == "kube-system"
    # Argo CD, which takes the release over, makes it of the very same.
    application = yaml.safe_load((out / "001-cilium/application.yaml").read_text())["spec"]
    source = application["source"]
    assert (source["helm"]["releaseName"], application["destination"]["namespace"]) == ("cilium", "kube-system")
    given = {word: write[write.index(word) + 1] for word in ("--repo", "--version", "--values")}
    assert given == {"--repo": source["repoURL"], "--version": source["targetRevision"], "--values": "values.yaml"}
    assert yaml.safe_load(source["helm"]["values"]) == yaml.safe_load((out / "001-cilium/values.yaml").read_text())


def test_what_the_network_needs_is_part_of_the_step(lab: Path) -> None:
    recipe = RECIPE.replace("    - name: app\n", "    - name: app\n    - name: cilium\n      dependencyRefs: [app]\n")
    (lab / "mine/recipes/lab.yaml").write_text(recipe, encoding="utf-8")
    out = bundle(lab)
    assert command(out) == "./install.sh --only app --only cilium"
    assert "`001-app` and `002-cilium`" in section(out)
    stub = StubHelm.create(lab / "stub")
    done = Site(out, stub.path, lab / "home").run("install.sh", "--only", "app", "--only", "cilium")
    assert done.returncode == 0, done.stderr
    assert [call[2] for call in stub.writes()] == ["app", "cilium"]


def test_without_install_sh_the_readme_says_it_in_helms_words(lab: Path) -> None:
    out = bundle(lab, "--deployer", "argocd")
    assert "install.sh" not in section(out)
    stub = StubHelm.create(lab / "stub")
    environment = Site(out, stub.path, lab / "home").environment()
    subprocess.run(["sh", "-e", "-c", command(out)], env=environment, cwd=out, check=True)
    (write,) = stub.writes()
    values = ["--values", "001-cilium/values.yaml"]
    assert write == [
        *("upgrade", "--install", "cilium", "cilium", "--repo", "https://helm.cilium.io", "--version", "1.19.6"),
        *("--namespace", "kube-system", *values, "--wait"),
    ]
    assert (out / values[1]).is_file()
    assert "Argo CD" in section(out)
    assert "`./install.sh` without" not in section(out)


def test_left_out_neither_half_is_there(lab: Path) -> None:
    out = bundle(lab, "--without", "cilium")
    assert not section(out)
    assert not [
        path.name for path in out.glob("talos/patches/*") if "proxy" in path.read_text() or "cni" in path.read_text()
    ]
    assert not list(out.glob("talos/patches/controlplanes.yaml"))


MADE = [
    ("metal", "ubuntu", "With kubeadm that is `kubeadm init`, and no manifest of a CNI after it."),
    ("eks", "ubuntu", "On a provider's cluster the provider's own CNI must be off."),
    ("gke", "cos", "On a provider's cluster the provider's own CNI must be off."),
    ("aks", "ubuntu", "On a provider's cluster the provider's own CNI must be off."),
    ("kind", "", "In the configuration of a kind cluster that is `disableDefaultCNI: true` under `networking`."),
    ("", "ubuntu", "`kubeadm init`, and no manifest of a CNI after it. On a provider's cluster"),
]


@pytest.mark.parametrize(("service", "system", "how"), MADE, ids=[service or "any" for service, *_ in MADE])
def test_elsewhere_it_comes_first_too_and_the_readme_says_how_the_cluster_is_made(
    lab: Path, service: str, system: str, how: str
) -> None:
    stated = {"--service": service, "--os": system, "--platform": "lab"}
    words = [word for option, value in stated.items() if value for word in (option, value)]
    done = groundswell("bundle", "--catalog", "mine", *words, "--allow-unsupported", *REPO, "-o", "out", cwd=lab)
    assert done.code == 0, done.err
    out = lab / "out"
    folders = yaml.safe_load((out / "bundle.yaml").read_text())["spec"]["folders"]
    assert folders[0]["name"] == "001-cilium"
    assert all(folder["wave"] > folders[0]["wave"] for folder in folders[1:])
    assert not (out / "talos").exists()
    assert "7445" not in (out / "001-cilium/values.yaml").read_text()
    assert command(out) == "./install.sh --only cilium"
    assert "The cluster must come without a CNI, for `cilium` to take the place." in section(out)
    assert how in section(out)
    assert "Talos" not in section(out)
    needed = section(out, "What must be in place first")
    assert "* `cilium` needs a cluster that comes with no CNI, from the bootstrap on" in needed


def test_elsewhere_the_value_that_replaces_kube_proxy_decides(lab: Path) -> None:
    out = bundle(lab, "--set", "cilium:kubeProxyReplacement=true", system="ubuntu")
    assert "The cluster must come without a CNI and kube-proxy, for `cilium`" in section(out)
    assert "`kubeadm init` with `--skip-phases=addon/kube-proxy`, and no manifest of a CNI after it." in section(out)


def test_kube_proxy_off_and_not_replaced_is_an_error_and_one_statement_settles_it(lab: Path) -> None:
    keep = ("--set", "cilium:kubeProxyReplacement=false")
    done = bundled(lab, *keep)
    assert done.code == 1
    assert (
        "error[P107]: Talos installs no kube-proxy, and `cilium` does not have `kubeProxyReplacement: true`" in done.err
    )
    shipped = (ROOT / "components/cilium/component.yaml").read_text(encoding="utf-8").splitlines()
    line = shipped.index("    kubeProxy: false") + 1
    assert re.search(rf"--> \S*components/cilium/component\.yaml:{line}:", done.err)
    patch = "apiVersion: groundswell.dev/v1alpha1\nkind: Component\nmetadata: {name: cilium, patch: true}\n"
    path = lab / "mine/components/cilium/component.yaml"
    path.parent.mkdir()
    path.write_text(patch + "spec: {cluster: {kubeProxy: true}}\n", encoding="utf-8")
    done = bundled(lab)
    assert done.code == 1
    assert "error[P107]: `cilium` has `kubeProxyReplacement: true`, and Talos installs kube-proxy beside it" in done.err
    out = bundle(lab, *keep)
    assert network(out / "talos/patches/controlplanes.yaml") == {"network": {"cni": {"name": "none"}}}
    assert section(out).startswith("\nTalos installs no CNI here, for `cilium`")


def test_a_cluster_file_and_its_recipe_lead_to_the_same(lab: Path) -> None:
    criteria = "criteria: {service: metal, accelerator: h100, intent: training, platform: lab}"
    hosts = "- {name: cp1, role: controlplane}\n- {name: w1}\n- {name: g1, accelerated: true}"
    (lab / "lab.yaml").write_text(talos_kit.text(hosts, more=criteria), encoding="utf-8")
    where = ("--catalog", "mine", "--cluster", "lab.yaml", "--allow-unsupported", *REPO)
    done = groundswell("bundle", *where, "-o", "out", cwd=lab)
    assert done.code == 0, done.err
    assert network(lab / "out/talos/patches/cp1.yaml")["network"] == {"cni": {"name": "none"}}
    assert "cluster" not in yaml.safe_load((lab / "out/talos/patches/w1.yaml").read_text())
    assert command(lab / "out") == "./install.sh --only cilium"
    done = groundswell("talos", "render", "--catalog", "mine", "lab.yaml", "-o", "node-layer", cwd=lab)
    assert done.code == 0, done.err
    assert (lab / "node-layer/patches/cp1.yaml").read_bytes() == (lab / "out/talos/patches/cp1.yaml").read_bytes()
    done = groundswell("bundle", "--recipe", "out/recipe.yaml", "--cluster", "lab.yaml", *REPO, "-o", "again", cwd=lab)
    assert done.code == 0, done.err
    assert (lab / "again/checksums.txt").read_bytes() == (lab / "out/checksums.txt").read_bytes()


def test_the_shipped_component_states_both_halves() -> None:
    shipped = yaml.safe_load((ROOT / "components/cilium/component.yaml").read_text(encoding="utf-8"))
    assert shipped["spec"]["cluster"] == {
        "cni": "none",
        "kubeProxy": False,
        "kubeProxyReplacementPath": "kubeProxyReplacement",
    }
