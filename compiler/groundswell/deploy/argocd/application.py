"""One Application per folder: what the root chart hands to Argo CD (shapes: Argo CD's Application CRD, version 3.2)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.deploy.places import component_place, field_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.deploy.argocd.placement import Placement
    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Chart, Component
    from groundswell.source.located import Json, PathKey

BUNDLE_LABEL = "groundswell.dev/bundle"
MARKER = "bundle revision"
"""The comment by which the root chart finds the line that it replaces (`data/applications.yaml`)."""

_REVISION = ("spec", "source", "targetRevision")

SIZE_LIMIT = 200 * 1024
"""Client-side apply stores the whole object once more in an annotation of at most 256 KiB."""

_ADDRESS = re.compile(r"oci://(\d+\.\d+\.\d+\.\d+:\d+)/", re.ASCII)


def child_name(folder: Folder, placement: Placement) -> str:
    """The Application's name: the release's, behind the bundle's where the user named it."""
    return placement.prefix + folder.release


def chart_repository(chart: Chart) -> str:
    """The chart's repository as Argo CD spells it: without its scheme, an OCI one is a repository of Helm charts.

    Argo CD appends the chart's name whatever the repository ends in, so `oci://host/a` with chart `a` is `host/a/a`.
    """
    return chart.repository.removeprefix("oci://").rstrip("/")


def children(
    plan: Plan, folders: Mapping[str, BuiltFolder], placement: Placement
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """The `application.yaml` of every folder, and what keeps one from working."""
    files = []
    findings: list[Diagnostic] = []
    owned = plan.namespaces_owned
    for folder in plan.folders:
        component = plan.components[folder.component]
        values = folders[folder.name].text("values.yaml")
        application = _child(folder, component, values, placement, creates_namespace=folder.namespace not in owned)
        comments: dict[tuple[PathKey, ...], str] = {_REVISION: MARKER} if folder.local else {}
        files.append(File(f"{folder.name}/application.yaml", emit(application, comments).encode()))
        findings += _findings(folder, component, application, placement)
    return tuple(files), tuple(findings)


def _child(
    folder: Folder, component: Component, values: str, placement: Placement, *, creates_namespace: bool
) -> dict[str, Json]:
    metadata = {
        "name": child_name(folder, placement),
        "namespace": placement.namespace,
        "labels": {BUNDLE_LABEL: placement.name},
        "annotations": {
            "argocd.argoproj.io/sync-wave": Quoted(str(folder.wave)),
            # Server-side apply of an Application reaches into its status, which has no subresource of its own.
            "argocd.argoproj.io/sync-options": "ServerSideApply=false",
            "groundswell.dev/wave-gate": "strict",
        },
    }
    if placement.finalizers:
        metadata["finalizers"] = list(placement.finalizers)
    spec: dict[str, Json] = {
        "project": placement.project,
        "source": _source(folder, component, values, placement),
        "destination": {"server": placement.server, "namespace": folder.namespace},
    }
    # Empty fields are left out: Argo CD drops them from the stored object, and the root would differ for ever.
    differences = [{key: value for key, value in entry.items() if value} for entry in component.ignore_differences]
    if differences:
        spec["ignoreDifferences"] = differences
    spec["syncPolicy"] = {
        "automated": {"prune": True, "selfHeal": True},
        "syncOptions": _sync_options(creates_namespace=creates_namespace, respects_differences=bool(differences)),
        # Finite: while a sync runs, even between its retries, it keeps the source that it started with.
        "retry": {"limit": 10, "backoff": {"duration": Quoted("5s"), "factor": 2, "maxDuration": Quoted("3m")}},
    }
    # Each entry of the history holds the whole source, inlined values included.
    spec["revisionHistoryLimit"] = 3
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}


def _source(folder: Folder, component: Component, values: str, placement: Placement) -> dict[str, Json]:
    helm: dict[str, Json] = {"releaseName": folder.release}
    chart = component.chart
    if folder.local or chart is None:
        where = {"repoURL": placement.repository, "path": placement.inside(folder.name)}
        return {**where, "targetRevision": placement.revision, "helm": helm}
    if component.crds == "separate":
        helm["skipCrds"] = True
    # Text, not `valuesObject`: it arrives byte for byte, an `unset` null included, and compares as one string.
    if values.strip() not in {"", "{}"}:
        helm["values"] = values
    where = {"repoURL": chart_repository(chart), "chart": chart.name}
    return {**where, "targetRevision": Quoted(chart.version), "helm": helm}


def _sync_options(*, creates_namespace: bool, respects_differences: bool) -> list[str]:
    options = ["ServerSideApply=true", "SkipDryRunOnMissingResource=true"]
    options += ["CreateNamespace=true"] * creates_namespace
    # Without it a sync still writes the fields that the comparison leaves out.
    options += ["RespectIgnoreDifferences=true"] * respects_differences
    return options


def _findings(
    folder: Folder, component: Component, application: dict[str, Json], placement: Placement
) -> Iterator[Diagnostic]:
    name = application["metadata"]["name"]
    if name == placement.name:
        yield codes.NAME_OF_ROOT(
            f"component `{folder.component}` and the root Application are both called `{name}`",
            component_place(component),
            help="name the root with `--name`",
        )
    size = _stored_size(application)
    if size > SIZE_LIMIT:
        yield codes.TOO_LARGE(
            f"the Application of `{folder.release}` is {size / 1024:.1f} KiB large, more than {SIZE_LIMIT // 1024} KiB",
            field_place(component, "version"),
            help="shorten its values, for example by moving large texts into a manifest",
        )
    if not folder.local and component.chart is not None:
        yield from _registry(component, component.chart.repository)


def _registry(component: Component, repository: str) -> Iterator[Diagnostic]:
    address = _ADDRESS.match(repository)
    if address:
        yield codes.NEEDS_SECRET(
            f"Argo CD takes `{address[1]}`, the registry of `{component.name}`, for an HTTP repository",
            field_place(component, "repository"),
            help='give the registry a host name, or add a repository Secret with `enableOCI: "true"` for it',
        )


def _stored_size(application: dict[str, Json]) -> int:
    """Bytes of the object in the annotation, as Go writes it: compact JSON, `<`, `>` and `&` as six-byte escapes."""
    text = json.dumps(application, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode()) + 5 * sum(map(text.count, "<>&"))
