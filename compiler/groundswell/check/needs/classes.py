"""An object needs the class, the issuer or the secret store that it names, where the bundle brings one of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.crds import is_crd
from groundswell.check.needs.need import Need
from groundswell.check.objects import mapping

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

# Fields that hold the name of an object of the cluster, wherever they stand, and its group and kind.
_NAMES = {
    "storageClassName": ("storage.k8s.io", "StorageClass"),
    "priorityClassName": ("scheduling.k8s.io", "PriorityClass"),
    "runtimeClassName": ("node.k8s.io", "RuntimeClass"),
    "ingressClassName": ("networking.k8s.io", "IngressClass"),
    "deviceClassName": ("resource.k8s.io", "DeviceClass"),
    "gatewayClassName": ("gateway.networking.k8s.io", "GatewayClass"),
    "volumeSnapshotClassName": ("snapshot.storage.k8s.io", "VolumeSnapshotClass"),
}
# Fields that hold a map with a name and a kind; the group, and the kind where none is written.
_REFERENCES = {
    "issuerRef": ("cert-manager.io", "Issuer"),
    "secretStoreRef": ("external-secrets.io", "SecretStore"),
}
_ANNOTATIONS = {
    "cert-manager.io/cluster-issuer": ("cert-manager.io", "ClusterIssuer"),
    "cert-manager.io/issuer": ("cert-manager.io", "Issuer"),
}
_OF_THE_CLUSTER = frozenset({"ClusterIssuer", "ClusterSecretStore", *(kind for _, kind in _NAMES.values())})


class Reference(NamedTuple):
    """What an object names: group, kind and name."""

    group: str
    kind: str
    name: str


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each reference to an object that the bundle brings."""
    brought: dict[tuple[Reference, str], tuple[str, ...]] = {}
    for item in rendering.objects:
        key = _key(Reference(item.group, item.kind, item.name), item.namespace)
        brought[key] = (*brought.get(key, ()), item.folder)
    for item in rendering.objects:
        if is_crd(item):
            continue
        for reference in dict.fromkeys(references(item)):
            if folders := brought.get(_key(reference, item.namespace)):
                yield Need(item, folders, f"the {reference.kind} {reference.name}")


def _key(reference: Reference, namespace: str) -> tuple[Reference, str]:
    return reference, "" if reference.kind in _OF_THE_CLUSTER else namespace


def references(item: KubeObject) -> Iterator[Reference]:
    """Everything that an object names by one of the known fields and annotations."""
    for key, (group, kind) in _ANNOTATIONS.items():
        if isinstance(name := item.annotations.get(key), str):
            yield Reference(group, kind, name)
    pending: list[Json] = [item.data]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += [child for child in node if isinstance(child, dict | list)]
            continue
        yield from _named(node)
        pending += [child for child in node.values() if isinstance(child, dict | list)]


def _named(node: Mapping[str, Json]) -> Iterator[Reference]:
    for key in node.keys() & _NAMES.keys():
        if isinstance(node[key], str):
            yield Reference(*_NAMES[key], node[key])
    for key in node.keys() & _REFERENCES.keys():
        target = mapping(node[key])
        group, kind = _REFERENCES[key]
        if isinstance(target.get("name"), str):
            yield Reference(str(target.get("group") or group), str(target.get("kind") or kind), target["name"])
