"""A site whose bundle has one of each: a `-pre` that owns a Namespace, charts from a repository, a `-post`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from helm.helm_site import CONFIGMAP, Site, archive, index, write_bundle
from helm_binaries import helm_binaries
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from pathlib import Path

    from helm.fakeapi import FakeApi

NAMESPACE = "privileged-gpu"


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
