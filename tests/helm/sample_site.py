"""A small plan for tests of the scripts' arguments: a `-pre`, an HTTP chart, an OCI chart, a component of manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helm.helm_site import manifest_only, rows
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from groundswell.plan.plan import Plan
    from helm.helm_site import Site

OBJECT = manifest("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: {{ .Release.Namespace }}\n")


def sample() -> Plan:
    return plan(
        component("gpu", namespace="privileged-gpu", pre_manifests=(namespace_manifest("privileged-gpu"),)),
        component(
            "oci",
            chart=chart("oci-chart", "v2.0.0", "oci://registry.example.test/charts"),
            namespace="kube-system",
            crds="separate",
            dependencies=("gpu",),
        ),
        manifest_only("extra", manifests=(OBJECT,), dependencies=("oci",)),
        criteria=TALOS,
        constraints=(constraint("OS.release.ID", "talos"),),
    )


def digest(site: Site, folder: str) -> str:
    return "groundswell-digest=" + rows(site.bundle)[folder]["digest"]
