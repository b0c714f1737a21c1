"""A plan with every kind of folder, built and emitted for Argo CD: what several tests look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from groundswell.deploy.argocd import DEPLOYER
from groundswell.deploy.deployer import BuiltFolder, Emitted, Settings
from groundswell.deploy.folders import build_folders
from groundswell.resolve.resolution import Chart
from plan_factory import chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.plan.plan import Plan

REPOSITORY = "https://git.example.test/platform/clusters.git"
SETTINGS = Settings(repo=REPOSITORY)
CLUSTER_POLICY = 'return { status = "Healthy", message = "" }\n'

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sample\n  namespace: {{ .Release.Namespace }}\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata:\n  name: policy\n"

HOSTILE: dict[str, Any] = {
    "text": "{{ .Values.revision }} ${1} $ARGOCD_APP_REVISION %s\n",
    "application": "spec:\n  source:\n    targetRevision: v9  # bundle revision\n---\nkind: Application\n",
    "big": 8388608,
    "version": "1.10",
    "answer": "y",
    "y": "n",
    "zero": 0,
    "unset": None,
}


def sample_plan() -> Plan:
    """Charts from HTTP and OCI, a `-pre` with and without a Namespace, a `-post`, and a manifest-only component."""
    return plan(
        component("cert-manager", chart=chart("cert-manager", "v1.18.2"), values=HOSTILE),
        component(
            "gpu-operator",
            namespace="privileged-gpu-operator",
            chart=chart("gpu-operator", "v26.3.2"),
            dependencies=("cert-manager",),
            values={"driver": {"enabled": False}},
            pre_manifests=(namespace_manifest("privileged-gpu-operator"),),
            manifests=(manifest(POLICY, "components/gpu-operator/manifests/policy.yaml"),),
            crds="separate",
            argocd_health={"nvidia.com_ClusterPolicy": CLUSTER_POLICY},
            ignore_differences=(
                {"group": "", "kind": "Secret", "name": "ca", "jsonPointers": ["/data"], "jqPathExpressions": []},
            ),
        ),
        component(
            "kai-scheduler",
            chart=Chart("oci://ghcr.example.test/kai-scheduler/", "kai-scheduler", "104.1.0+up4.9.0"),
            dependencies=("gpu-operator",),
            pre_manifests=(manifest(CONFIG_MAP, "components/kai-scheduler/manifests/settings.yaml"),),
        ),
        component("quota", namespace="kai-scheduler", chart=None, manifests=(manifest(CONFIG_MAP),)),
        constraints=(constraint("K8s.server.version", ">= 1.32"), constraint("OS.release.ID", "talos")),
    )


def built_folders(of: Plan) -> Mapping[str, BuiltFolder]:
    """The shared files of every folder."""
    folders, findings = build_folders(of)
    assert not [finding for finding in findings if finding.severity.value == "error"]
    return folders


def emitted(of: Plan | None = None, settings: Settings = SETTINGS) -> Emitted:
    """What the deployer makes of a plan (the sample when none is given)."""
    of = of or sample_plan()
    return DEPLOYER.emit(of, built_folders(of), settings)


def texts(result: Emitted) -> dict[str, str]:
    """The emitted files' texts by path."""
    return {file.path: file.data.decode() for file in result.files}


def applications(result: Emitted) -> dict[str, Any]:
    """The emitted children as parsed, by the folder they stand in."""
    suffix = "/application.yaml"
    return {
        path.removesuffix(suffix): yaml.safe_load(text) for path, text in texts(result).items() if path.endswith(suffix)
    }


def root(result: Emitted) -> Any:
    """The root Application as parsed."""
    return yaml.safe_load(texts(result)["app-of-apps.yaml"])
