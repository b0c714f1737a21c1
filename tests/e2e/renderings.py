"""A folder's objects as Helm installed them, and as Argo CD would make them of the folder's Application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from e2e.cluster_objects import path_of, served
from helm.helm_site import rows

if TYPE_CHECKING:
    from pathlib import Path

    from e2e.bundle_site import Cluster

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Renderings:
    """One folder's objects, in order.

    `applied` has, for each that Argo CD makes, the object that is there (empty where it is not), and the one that
    would be there after Argo CD had applied its own.
    """

    namespace: str
    helm: list[Object]
    argocd: list[Object]
    applied: list[tuple[Object, Object]]


def renderings(cluster: Cluster, bundle: Path) -> dict[str, Renderings]:
    """Both renderings of every folder of an installed bundle."""
    apis = served(cluster.plane.api)
    found = {}
    for folder, row in rows(bundle).items():
        (application,) = documents((bundle / folder / "application.yaml").read_text())
        namespace = application["spec"]["destination"]["namespace"]
        argocd = _as_argocd_renders(cluster, bundle / folder, application["spec"], apis)
        applied = [_applied(cluster, item, namespace) for item in argocd]
        found[folder] = Renderings(namespace, _as_helm_installed(cluster, row), argocd, applied)
    return found


def documents(text: str) -> list[Object]:
    """The objects in a text of YAML."""
    return [item for item in yaml.load_all(text, yaml.CSafeLoader) if item]


def _as_argocd_renders(cluster: Cluster, folder: Path, spec: Object, apis: list[str]) -> list[Object]:
    """With the command that Argo CD's repository server runs."""
    source, options = spec["source"], []
    chart = folder
    if "chart" in source:
        chart = cluster.charts / f"{source['chart']}-{source['targetRevision']}.tgz"
    if "values" in source["helm"]:
        values = cluster.plane.directory / "argocd-values.yaml"
        values.write_text(source["helm"]["values"])
        options = ["--values", str(values)]
    for api in apis:
        options += ["--api-versions", api]
    version = cluster.plane.api.get("/version").json()["gitVersion"].partition("-")[0]
    name, namespace = source["helm"]["releaseName"], spec["destination"]["namespace"]
    words = ["template", chart, "--name-template", name, "--namespace", namespace, "--kube-version", version]
    return documents(cluster.ask_helm(*words, "--include-crds", *options))


def _as_helm_installed(cluster: Cluster, row: dict[str, str]) -> list[Object]:
    """What Helm keeps of the release, after those of the chart's `crds/`, of which it keeps nothing."""
    found = documents(cluster.ask_helm("get", "manifest", row["release"], "--namespace", row["namespace"]))
    if "crds-dir" not in row["flags"]:
        return found
    return documents(cluster.ask_helm("show", "crds", cluster.charts / f"{row['chart']}-{row['version']}.tgz")) + found


def _applied(cluster: Cluster, item: Object, namespace: str) -> tuple[Object, Object]:
    """The object before and after Argo CD's way of applying it, which is not carried out."""
    path = path_of(cluster.plane.api, item, namespace)
    options = {"dryRun": "All", "fieldManager": "argocd-controller", "force": "true", "fieldValidation": "Strict"}
    media = {"Content-Type": "application/apply-patch+yaml"}
    there = cluster.plane.api.get(path)
    before = there.json() if there.is_success else {}
    return before, cluster.call("PATCH", path, item, params=options, headers=media)
