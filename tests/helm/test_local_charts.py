"""Local charts under real Helm 3 and 4, deployed as Helm does it and rendered as Argo CD does it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from groundswell.deploy.folders import build_folders
from helm_binaries import helm_binaries
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.resolve.resolution import Component, Manifest

pytestmark = pytest.mark.helm

MAJORS = ("3", "4")
KUBE = "1.34.0"

# What a manifest can see, printed, so that any difference between two ways of rendering shows as another object.
CONTEXT = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-context
  namespace: {{ .Release.Namespace }}
  labels:
    app.kubernetes.io/managed-by: {{ .Release.Service }}
    helm.sh/chart: "{{ .Chart.Name }}-{{ .Chart.Version }}"
data:
  app: {{ .Chart.AppVersion | quote }}
  install: "{{ .Release.IsInstall }} {{ .Release.IsUpgrade }} {{ .Release.Revision }}"
  values: {{ toJson .Values | quote }}
  one: {{ index .Values "gpu-operator" "driver" "version" | quote }}
  unset: {{ hasKey (index .Values "gpu-operator" "driver") "gone" | quote }}
  missing: {{ (index .Values "gpu-operator").nothing | default "fallback" | quote }}
  {{- if .Capabilities.APIVersions.Has "apps/v1" }}
  api: {{ .Capabilities.KubeVersion.Version }}
  {{- end }}
"""
VALUES = {"driver": {"version": "580.1", "gone": None, "big": 12}, "yes": "no", "toolkit": {"enabled": True}}

NASTY = {
    "escaped.yaml": """\
kind: PrometheusRule
apiVersion: monitoring.coreos.com/v1
metadata: {name: rules, namespace: "{{ .Release.Namespace }}"}
spec:
  text: 'on {{ "{{" }} $labels.node {{ "}}" }} and {{ `{{ $value | humanize }}` }}'
""",
    "crlf.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: crlf
data:
  a: |
    one
    two
""".replace("\n", "\r\n"),
    "inner-marker.yaml": """\
---
apiVersion: v1
kind: ConfigMap
metadata: {name: inner}
data:
  stream: |
    a: 1
    ---
    kind: Namespace
    ...
    -----BEGIN CERTIFICATE-----
---   # another
apiVersion: v1
kind: ConfigMap
metadata: {name: second}
...
""",
    "blank-end.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: blank-end}
data:
  text: |+
    kept


---
apiVersion: v1
kind: ConfigMap
metadata: {name: blank-end-of-file}
data:
  text: |+
    kept


""",
    "comments.yaml": "# nothing but\n---\n# comments\n",
    "trimmed.yaml": "{{- if true }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: trimmed}\n{{- end -}}\n",
    "unended.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unended}\ndata: {a: 'b'}",
    "named.yaml": """\
{{ define "x" }}y{{ end -}}
apiVersion: v1
kind: ConfigMap
metadata: {name: named-{{ include "x" . }}}
""",
    "list.yaml": """\
apiVersion: v1
kind: List
metadata: {name: items}
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: listed}}
""",
}


def nasty() -> tuple[Manifest, ...]:
    return tuple(manifest(text, f"components/x/manifests/{name}") for name, text in NASTY.items())


def built(*components: Component, **options: Any) -> dict[str, BuiltFolder]:
    folders, findings = build_folders(plan(*components, **options))
    assert [finding for finding in findings if finding.code != "D113"] == []
    return folders


def written(folders: Iterable[BuiltFolder], root: Path) -> None:
    for file in (file for folder in folders for file in folder.files):
        path = root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)


def helm(major: str, *arguments: str) -> str:
    done = subprocess.run([helm_binaries()[major], *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def objects(major: str, path: Path, namespace: str, *options: str) -> list[dict[str, Any]]:
    text = helm(major, "template", "any-name", str(path), "--kube-version", KUBE, "--namespace", namespace, *options)
    return sorted(
        filter(None, yaml.safe_load_all(text)), key=lambda item: (item["kind"], str(item["metadata"].get("name")))
    )


def as_helm(major: str, root: Path, folder: BuiltFolder) -> list[dict[str, Any]]:
    """As the install script upgrades it: the values with `-f`, an owner of Namespaces released into `groundswell`."""
    path = root / folder.folder.name
    where = "groundswell" if folder.folder.owns else folder.folder.namespace
    return objects(major, path, where, "--values", str(path / "values.yaml"), "--is-upgrade", "--set", "other=1")


def as_argo_cd(major: str, root: Path, folder: BuiltFolder) -> list[dict[str, Any]]:
    """As Argo CD renders it: no values, the destination's namespace."""
    return objects(major, root / folder.folder.name, folder.folder.namespace, "--include-crds")


def test_every_local_chart_lints_and_gives_equal_objects(tmp_path: Path) -> None:
    pre = (namespace_manifest("privileged-gpu"), namespace_manifest("second", "x/second.yaml"), manifest(CONTEXT))
    gpu = component(
        "gpu-operator", namespace="privileged-gpu", values=VALUES, pre_manifests=pre, manifests=nasty(), privileged=True
    )
    own = component("own", chart=None, manifests=nasty(), pre_manifests=nasty()[1:5])
    limits = [constraint("K8s.server.version", ">= 1.32"), constraint("K8s.server.version", "< 1.36")]
    folders = built(gpu, own, criteria=TALOS, constraints=limits)
    written(folders.values(), tmp_path)
    local = [folder for folder in folders.values() if folder.folder.local]
    assert len(local) == 4
    for folder in local:
        for major in MAJORS:
            helm(major, "lint", "--strict", str(tmp_path / folder.folder.name), "--kube-version", KUBE)
        first = as_helm("3", tmp_path, folder)
        assert (
            first
            == as_helm("4", tmp_path, folder)
            == as_argo_cd("3", tmp_path, folder)
            == as_argo_cd("4", tmp_path, folder)
        )
        assert first


@pytest.mark.parametrize("major", MAJORS)
def test_nasty_manifests_arrive_as_meant(major: str, tmp_path: Path) -> None:
    folders = built(component("own", chart=None, manifests=nasty()))
    written(folders.values(), tmp_path)
    (folder,) = folders.values()
    found = {item["metadata"]["name"]: item for item in as_helm(major, tmp_path, folder) if item["kind"] != "List"}
    ends = {"blank-end", "blank-end-of-file"}
    assert set(found) == {"rules", "crlf", "inner", "second", "trimmed", "unended", "named-y", *ends}
    assert {found[name]["data"]["text"] for name in ends} == {"kept\n\n\n"}
    assert found["rules"]["spec"]["text"] == "on {{ $labels.node }} and {{ $value | humanize }}"
    assert found["crlf"]["data"]["a"] == "one\ntwo\n"
    assert found["inner"]["data"]["stream"].startswith("a: 1\n---\nkind: Namespace\n...\n-----BEGIN")


def test_a_manifest_sees_its_component_in_every_folder_and_under_every_tool(tmp_path: Path) -> None:
    where: dict[str, dict[str, Any]] = {
        "pre": {"pre_manifests": (namespace_manifest("privileged-gpu"), manifest(CONTEXT))},
        "post": {"manifests": (manifest(CONTEXT),)},
        "own": {"manifests": (manifest(CONTEXT),), "chart": None},
    }
    seen = []
    for place, fields in where.items():
        common = {"namespace": "privileged-gpu", "values": VALUES, "chart": chart("upstream", "v1.10.0")}
        folders = built(component("gpu-operator", **(common | fields)))
        written(folders.values(), tmp_path / place)
        folder = next(item for item in folders.values() if item.folder.local)
        for rendered in (as_helm, as_argo_cd):
            for major in MAJORS:
                items = rendered(major, tmp_path / place, folder)
                seen += [(place, item) for item in items if item["kind"] == "ConfigMap"]
    assert len(seen) == 12
    first = seen[0][1]
    assert first["metadata"] == {
        "name": "gpu-operator-context",
        "namespace": "privileged-gpu",
        "labels": {"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": "upstream-v1.10.0"},
    }
    assert first["data"]["install"] == "true false 1"
    assert (first["data"]["one"], first["data"]["unset"], first["data"]["missing"]) == ("580.1", "false", "fallback")
    assert all(item == first for place, item in seen if place != "own")
    # Without a chart of its own, a component is its own chart.
    assert {item["metadata"]["labels"]["helm.sh/chart"] for place, item in seen if place == "own"} == {
        "gpu-operator-0.0.0"
    }
    assert all(item["data"] | {"app": ""} == first["data"] | {"app": ""} for _, item in seen)


@pytest.mark.parametrize("major", MAJORS)
def test_a_namespace_file_is_yaml_as_it_stands_and_the_same_when_rendered(major: str, tmp_path: Path) -> None:
    annotations = "  annotations:\n    a: |\n      b: 'c'\n\n      }} # d\n"
    tricky = manifest(f"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: one\n{annotations}")
    folders = built(component("gpu", namespace="one", pre_manifests=(tricky,)), criteria=TALOS)
    written(folders.values(), tmp_path)
    folder = folders["001-gpu-pre"]
    as_it_stands = yaml.safe_load(folder.text("templates/namespace-one.yaml"))
    assert as_helm(major, tmp_path, folder) == [as_it_stands]
    assert as_it_stands["metadata"]["annotations"]["a"] == "b: 'c'\n\n}} # d\n"


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(
    ("version", "fits"),
    [
        ("v1.32.0-eks-5d632ec", True),
        ("v1.35.9-gke.1014001", True),
        ("v1.32.0-rc.1", True),
        ("v1.31.14-eks-5d632ec", False),
        ("v1.36.0", False),
        ("v1.36.0-eks-1", False),
    ],
)
def test_the_range_of_kubernetes_versions_takes_providers_suffixes(
    major: str, version: str, fits: bool, tmp_path: Path
) -> None:
    limits = [constraint("K8s.server.version", ">= 1.32, < 1.36")]
    folders = built(component("own", chart=None, manifests=nasty()[4:6]), constraints=limits)
    written(folders.values(), tmp_path)
    command = [str(helm_binaries()[major]), "template", "x", str(tmp_path / "001-own"), "--kube-version", version]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is fits, done.stderr
    assert fits or "incompatible with Kubernetes" in done.stderr
