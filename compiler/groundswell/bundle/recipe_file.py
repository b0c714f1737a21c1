"""A resolution as a document: `recipe.yaml` of a bundle, self-contained, and `provenance.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from groundswell.catalog.value_path import format_path
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.resolve.resolution import ClusterNeeds, Component, Manifest, Origin, Resolution
    from groundswell.source.located import Json

_encode = json.JSONEncoder(ensure_ascii=False).encode


def recipe_yaml(resolution: Resolution) -> str:
    """The text of `recipe.yaml`; `model.resolved` reads it back to an equal resolution."""
    spec: dict[str, Json] = {"criteria": dict(resolution.criteria)}
    if resolution.nodes is not None:
        spec["nodes"] = resolution.nodes
    if resolution.talos_version:
        spec["talosVersion"] = Quoted(resolution.talos_version)
    spec |= {
        "catalogDigest": resolution.catalog_digest,
        "appliedOverlays": list(resolution.applied),
        "mixins": list(resolution.mixins),
        "constraints": [
            {key: value for key, value in constraint._asdict().items() if key != "aicr" or value}
            for constraint in resolution.constraints
        ],
        "components": [_component(item) for item in resolution.components],
    }
    document = {
        "apiVersion": "groundswell.dev/v1alpha1",
        "kind": "ResolvedRecipe",
        "metadata": {"name": "resolved"},
        "spec": spec,
    }
    return emit(document)


def provenance_json(resolution: Resolution) -> str:
    """For each component: every field and every path of its values, with the layers that set it, the winner last.

    One layer's say is one line.
    """
    components = {
        item.name: {
            "fields": dict(sorted(item.field_origins.items())),
            "values": {format_path(path): origins for path, origins in sorted(item.origins.items())},
        }
        for item in resolution.components
    }
    return _lines({"components": components}, "\n") + "\n"


def _lines(value: Mapping[str, Any] | Sequence[Origin], end: str) -> str:
    """Maps as JSON, an entry to a line, down to lists of origins. `end` ends a line and indents the next."""
    below = end + " "
    if not value:
        return "{}"
    if isinstance(value, Mapping):
        entries = [f"{_encode(key)}: {_lines(item, below)}" for key, item in value.items()]
        return f"{{{below}{f',{below}'.join(entries)}{end}}}"
    return f"[{below}{f',{below}'.join(_encode(_origin(item)) for item in value)}{end}]"


def _component(item: Component) -> dict[str, Json]:
    document: dict[str, Json] = {
        "name": item.name,
        "description": item.description,
        "enabled": item.enabled,
        "namespace": item.namespace,
    }
    if item.chart:
        chart = item.chart
        document["chart"] = {"repository": chart.repository, "name": chart.name, "version": Quoted(chart.version)}
    document |= {
        "dependencyRefs": list(item.dependencies),
        "values": item.values,
        "manifests": _manifests(item.manifests),
        "preManifests": _manifests(item.pre_manifests),
        "crds": item.crds,
        "ignoreDifferences": list(item.ignore_differences),
        "argocdHealth": dict(item.argocd_health),
        "privileged": item.privileged,
        "nodeNeeds": [
            {
                "on": needs.on,
                "extensions": list(needs.extensions),
                "kernelModules": list(needs.kernel_modules),
                "kernelArgs": list(needs.kernel_args),
                "sysctls": dict(needs.sysctls),
            }
            for needs in item.node_needs
        ],
        **({"clusterNeeds": needs} if (needs := _cluster_needs(item.cluster_needs)) else {}),
        "origins": [{"path": list(path), "writes": _compact(origins)} for path, origins in item.origins.items()],
        "fieldOrigins": {name: _full(origins) for name, origins in item.field_origins.items()},
    }
    return document


def _cluster_needs(needs: ClusterNeeds) -> dict[str, Json]:
    """What is asked of the cluster, without what is not said."""
    path = list(needs.replacement) or None
    said = {"cni": needs.cni, "kubeProxy": needs.kube_proxy, "kubeProxyReplacement": path}
    return {key: value for key, value in said.items() if value is not None}


def _manifests(manifests: Sequence[Manifest]) -> list[dict[str, Json]]:
    return [{"file": manifest.file, "text": manifest.text} for manifest in manifests]


def _full(origins: Sequence[Origin]) -> list[Mapping[str, Json]]:
    return [_origin(origin) for origin in origins]


def _compact(origins: Sequence[Origin]) -> list[Mapping[str, Json]]:
    """Origins without the value of the winner, which stands in the values."""
    *others, winner = origins
    last = _origin(winner)
    if winner.action == "set":
        del last["value"]
    return [*map(_origin, others), last]


def _origin(origin: Origin) -> dict[str, Json]:
    return {
        "layer": origin.layer,
        "file": origin.file,
        "line": origin.line,
        "column": origin.column,
        "reason": origin.reason,
        "action": origin.action,
        "value": origin.value,
    }
