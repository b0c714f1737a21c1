"""Bundles from a catalog of the AICR layout: both deployers, local charts that real Helm renders."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml
from click.testing import CliRunner

from aicr_kit import texts
from groundswell.cli.app import app
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm

CUSTOM = """\
{{- $app := index .Values "app" }}
{{- if ne (toString (index $app "enabled")) "false" }}
---
apiVersion: example.test/v1
kind: Tuning
metadata:
  annotations:
    "helm.sh/hook": post-install,post-upgrade
    "helm.sh/hook-weight": "10"
  labels:
    helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
  name: tuning
  namespace: {{ .Release.Namespace }}
spec: {{ toYaml $app.tuning | nindent 2 }}
{{- end }}
"""
NAMESPACE = """\
apiVersion: v1
kind: Namespace
metadata:
  name: privileged-app
  labels: {app.kubernetes.io/managed-by: aicr, aicr.run/os: talos, pod-security.kubernetes.io/enforce: privileged}
"""
CATALOG = texts(
    {
        "talos": "criteria: {os: talos}\nmixins: [os-talos]\ncomponentRefs:\n"
        "  - {name: app, manifestFiles: [components/app/manifests/tuning.yaml], "
        "overrides: {tuning: {depth: 3, none: null}, chart: {default: null}}}\n"
        "  - {name: plain, manifestFiles: [components/plain/manifests/map.yaml], dependencyRefs: [app]}",
    },
    mixins={
        "os-talos": "constraints: [{name: OS.release.ID, value: talos}]\ncomponentRefs:\n"
        "  - {name: app, namespace: privileged-app, preManifestFiles: [components/app/manifests/ns.yaml]}"
    },
    files={
        "components/app/manifests/tuning.yaml": CUSTOM,
        "components/app/manifests/ns.yaml": NAMESPACE,
        "components/plain/manifests/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n",
    },
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("aicr")
    for path, text in CATALOG.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    output = tmp_path_factory.mktemp("aicr-bundle") / "bundle"
    words = [
        "bundle",
        "--catalog",
        str(root),
        "--os",
        "talos",
        "--repo",
        "https://git.example.test/r.git",
        "-o",
        str(output),
    ]
    outcome = CliRunner().invoke(app, words, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.stderr
    return output


def test_both_deployers_have_every_folder(bundle: Path) -> None:
    folders = sorted(path.name for path in bundle.glob("[0-9]*"))
    assert folders == ["001-app-pre", "002-app", "003-app-post", "004-plain"]
    assert all((bundle / folder / "application.yaml").is_file() for folder in folders)
    table = (bundle / "install.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in table if not line.startswith("#")] == folders


def test_a_null_that_stays_reaches_helm_as_null(bundle: Path) -> None:
    assert yaml.safe_load((bundle / "002-app/values.yaml").read_text()) == {
        "chart": {"default": None},
        "tuning": {"depth": 3, "none": None},
    }


@pytest.mark.parametrize("major", ["3", "4"])
def test_local_charts_render_without_hooks(bundle: Path, major: str) -> None:
    rendered = {}
    for chart in bundle.glob("[0-9]*/Chart.yaml"):
        words = [str(helm_binaries()[major]), "template", "x", str(chart.parent)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert "helm.sh/hook" not in done.stdout
        rendered[chart.parent.name] = [item for item in yaml.safe_load_all(done.stdout) if item]
    [tuning] = rendered["003-app-post"]
    assert tuning["metadata"]["namespace"] == "privileged-app"
    assert tuning["metadata"]["labels"] == {"helm.sh/chart": "the-app-1.10.0"}
    assert tuning["spec"] == {"depth": 3}
    [namespace] = rendered["001-app-pre"]
    assert namespace["metadata"]["labels"]["groundswell.dev/os"] == "talos"
    assert [item["kind"] for item in rendered["004-plain"]] == ["ConfigMap"]


def test_the_recipe_of_the_bundle_compiles_to_the_same_bundle(bundle: Path, tmp_path: Path) -> None:
    words = [
        "bundle",
        "--recipe",
        str(bundle / "recipe.yaml"),
        "--repo",
        "https://git.example.test/r.git",
        "-o",
        str(tmp_path / "again"),
    ]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    assert {path.relative_to(bundle): path.read_bytes() for path in bundle.rglob("*") if path.is_file()} == {
        path.relative_to(tmp_path / "again"): path.read_bytes()
        for path in (tmp_path / "again").rglob("*")
        if path.is_file()
    }
