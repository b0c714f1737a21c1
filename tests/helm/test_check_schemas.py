"""`groundswell check` with the published schemas: what the command says and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command import groundswell
from helm.check_site import check, run_check, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm

VARIABLE = "      - {name: A, value: '%d'}\n"
CHART = {
    "Chart.yaml": "apiVersion: v2\nname: odd\nversion: 1.0.0\n",
    "templates/a.yaml": (
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}], selectr: {a: b}}\n"
        "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
        "spec:\n  containers:\n  - name: c\n    image: i\n    env:\n" + VARIABLE % 1 + VARIABLE % 2
    ),
}


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, Path]:
    """A catalog, and the chart that it is about."""
    for path, text in CHART.items():
        file = tmp_path / "charts" / "odd" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return write_catalog(tmp_path / "catalog", {"odd": ""}), tmp_path / "charts"


def severities(out: str) -> list[str]:
    return sorted(f"{item['code']} {item['severity']}" for item in json.loads(out))


def test_what_argo_cd_cannot_apply_is_an_error_and_a_warning_where_only_helm_installs(
    site: tuple[Path, Path], tmp_path: Path
) -> None:
    catalog, charts = site
    helm = helm_binaries()["4"]
    words = ("--kube-version", "1.35", "--format", "json")
    done = run_check(catalog, helm, *words, charts=charts)
    assert done.code == 1
    assert severities(done.out) == ["K202 error", "K206 error"]
    for name, expected in (("argocd", "error"), ("helm", "warning")):
        bundle = tmp_path / name
        extra = ("--repo", "https://git.example.test/x.git") if name == "argocd" else ()
        query = ("--catalog", catalog, "--service", "small", "--deployer", name, *extra)
        compiled = groundswell("bundle", *query, "-o", bundle)
        assert compiled.code == 0, compiled.err
        done = check(helm, bundle, "--charts", charts, *words)
        assert severities(done.out) == [f"K202 {expected}", f"K206 {expected}"]
        assert done.code == (expected == "error")


def test_the_summary_says_when_the_schemas_are_those_of_another_version(site: tuple[Path, Path]) -> None:
    catalog, charts = site
    helm = helm_binaries()["3"]
    done = run_check(catalog, helm, "--kube-version", "1.99", charts=charts)
    assert "hint[K111]: objects were held against the schemas of Kubernetes 1." in done.out
    assert "\n  schemas: of 1." in done.out
    old = run_check(catalog, helm, "--kube-version", "1.20", charts=charts)
    assert "\n  schemas: not judged" in old.out
    right = run_check(catalog, helm, "--kube-version", "1.35", charts=charts)
    assert "schemas:" not in right.out


def test_a_version_outside_of_the_constraints_is_a_warning_and_none_a_usage_error(tmp_path: Path) -> None:
    catalog = write_catalog(
        tmp_path, {"labels": ""}, recipe="constraints:\n  - {name: K8s.server.version, value: '>= 1.32'}\n"
    )
    helm = helm_binaries()["3"]
    done = run_check(catalog, helm, "--kube-version", "1.31")
    assert (
        "warning[K112]: the objects are judged for Kubernetes 1.31.0, which the constraint `>= 1.32` excludes"
        in done.out
    )
    assert done.code == 0
    assert "K112" not in run_check(catalog, helm, "--kube-version", "1.32").out
    wrong = run_check(catalog, helm, "--kube-version", "2.0")
    assert wrong.code == 2
    assert "'2.0' is no version of Kubernetes" in wrong.err
