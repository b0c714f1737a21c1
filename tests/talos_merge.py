"""How Talos lays a patch on a configuration: strategic merge, as far as these patches use it.

Documents are the same when kind and name are; maps merge, lists append, except that admission plugins merge by name; a
document that the configuration lacks is added. A disk selector is always the patch's: one without deletes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def applied(config: Sequence[Any], patch: Sequence[Any]) -> list[Any]:
    """The configuration after the patch; neither argument is changed."""
    merged = {_identity(document): document for document in config}
    for document in patch:
        key = _identity(document)
        merged[key] = _replaced(_merged(merged[key], document, ()), document) if key in merged else document
    return list(merged.values())


def generated(*, documents: bool, control_plane: bool) -> list[Any]:
    """What `talosctl gen config` writes, as far as patches touch it."""
    pod_security = {"defaults": {"enforce": "baseline"}, "exemptions": {"namespaces": ["kube-system"]}}
    if not documents:
        server = {"apiServer": {"admissionControl": [{"name": "PodSecurity", "configuration": pod_security}]}}
        machine = {"type": "worker", "kubelet": {"image": "kubelet:v1"}, "install": {"disk": "/dev/sda", "wipe": False}}
        return [{"machine": machine, "cluster": server if control_plane else {}}]
    return [
        {"machine": {"type": "worker"}, "cluster": {}},
        _document("UnattendedInstallConfig", provisioning={"diskSelector": {"match": 'disk.dev_path == "/dev/sda"'}}),
        _document("HostnameConfig", auto="stable"),
        _document("KubeletConfig", image="kubelet:v1", config={}),
        _document("KubeNodeConfig", labels={"a": ""}),
        *([_document("KubeAdmissionControlConfig", name="PodSecurity", configuration=pod_security)] * control_plane),
    ]


def _document(kind: str, **content: Any) -> dict[str, Any]:
    return {"apiVersion": "v1alpha1", "kind": kind, **content}


def _identity(document: Any) -> tuple[str, str]:
    return document.get("kind", ""), document.get("name", "")


def _replaced(merged: Any, patch: Any) -> Any:
    """What Talos takes over even where the patch says nothing: the expression of a disk selector (1.14)."""
    if merged.get("kind") != "UnattendedInstallConfig":
        return merged
    selector = patch.get("provisioning", {}).get("diskSelector")
    kept = {key: value for key, value in merged.get("provisioning", {}).items() if key != "diskSelector"}
    return {**merged, "provisioning": {**kept, "diskSelector": selector} if selector else kept}


def _merged(left: Any, right: Any, path: tuple[str, ...]) -> Any:
    if isinstance(left, dict) and isinstance(right, dict):
        both = {key: _merged(left[key], value, (*path, key)) if key in left else value for key, value in right.items()}
        return {**left, **both}
    if isinstance(left, list) and isinstance(right, list):
        if path[-1] == "admissionControl":
            named = {item["name"]: item for item in left}
            for item in right:
                named[item["name"]] = _merged(named.get(item["name"], {}), item, path)
            return list(named.values())
        return left + right
    return right
