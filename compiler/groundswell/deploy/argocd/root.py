"""The root: a tiny Helm chart at the top of the bundle, and the Application that points at it.

Argo CD renders the chart with the commit it has resolved for the root, and the chart writes that commit into its
children. So a change of content reaches a child only when the root applies it, in the order of the waves.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.deploy.argocd.placement import LOCAL_CLUSTER
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from groundswell.deploy.argocd.placement import Placement
    from groundswell.source.located import Json

_DATA = Path(__file__).parent / "data"


def root_files(placement: Placement) -> tuple[File, ...]:
    """The root Application and the files of its chart. Nothing but the Application depends on the settings."""
    chart = {
        "apiVersion": "v2",
        "name": "bundle-root",
        "description": "The Applications of this bundle, for Argo CD alone",
        "type": "application",
        "version": Quoted("0.0.0"),
    }
    return (
        File("app-of-apps.yaml", emit(_root(placement)).encode()),
        File("Chart.yaml", emit(chart).encode()),
        File("values.yaml", emit({"revision": ""}, {("revision",): "set by app-of-apps.yaml"}).encode()),
        File("templates/applications.yaml", (_DATA / "applications.yaml").read_bytes()),
        File(".helmignore", (_DATA / "helmignore").read_bytes()),
    )


def _root(placement: Placement) -> dict[str, Json]:
    # Client-side apply and comparison only: with the server-side ones, children's waves stood still or did not hold.
    annotations = {"argocd.argoproj.io/compare-options": "ServerSideDiff=false"}
    if placement.path:
        # Commits elsewhere in the repository then leave the children at the commit that they have.
        annotations["argocd.argoproj.io/manifest-generate-paths"] = "."
    metadata: dict[str, Json] = {
        "name": placement.name,
        "namespace": placement.namespace,
        "annotations": annotations,
    }
    if placement.finalizers:
        metadata["finalizers"] = list(placement.finalizers)
    parameter = {"name": "revision", "value": "$ARGOCD_APP_REVISION", "forceString": True}
    spec = {
        "project": placement.project,
        "source": {
            "repoURL": placement.repository,
            "path": placement.path or ".",
            "targetRevision": placement.revision,
            "helm": {"releaseName": placement.name, "parameters": [parameter]},
        },
        "destination": {"server": LOCAL_CLUSTER, "namespace": placement.namespace},
        "syncPolicy": {
            "automated": {"prune": True, "selfHeal": True},
            # A degraded child fails the root's sync; endless, refreshed retries then take up the commit that mends it.
            "retry": {
                "limit": -1,
                "refresh": True,
                "backoff": {"duration": Quoted("10s"), "factor": 2, "maxDuration": Quoted("3m")},
            },
        },
    }
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}
