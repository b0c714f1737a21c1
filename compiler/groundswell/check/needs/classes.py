"""An object needs the class, the issuer or the secret store that it names, where the bundle brings one of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check.crds import is_crd
from groundswell.check.needs.need import Need
from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

Path: TypeAlias = "tuple[str | int, ...]"

# Fields and annotations that hold the name of an object of the cluster, wherever they stand, and its group and kind.
_NAMES = {
    "storageClassName": ("storage.k8s.io", "StorageClass"),
    "storageClass": ("storage.k8s.io", "StorageClass"),
    "volume.beta.kubernetes.io/storage-class": ("storage.k8s.io", "StorageClass"),
    "volumeAttributesClassName": ("storage.k8s.io", "VolumeAttributesClass"),
    "priorityClassName": ("scheduling.k8s.io", "PriorityClass"),
    "runtimeClassName": ("node.k8s.io", "RuntimeClass"),
    "ingressClassName": ("networking.k8s.io", "IngressClass"),
    "kubernetes.io/ingress.class": ("networking.k8s.io", "IngressClass"),
    "deviceClassName": ("resource.k8s.io", "DeviceClass"),
    "gatewayClassName": ("gateway.networking.k8s.io", "GatewayClass"),
    "volumeSnapshotClassName": ("snapshot.storage.k8s.io", "VolumeSnapshotClass"),
    "volumeGroupSnapshotClassName": ("groupsnapshot.storage.k8s.io", "VolumeGroupSnapshotClass"),
    "cert-manager.io/cluster-issuer": ("cert-manager.io", "ClusterIssuer"),
}
# Fields that hold a map with a name and a kind, or a list of such maps; the group, and the kind where none is written.
_REFERENCES = {
    "issuerRef": ("cert-manager.io", "Issuer"),
    "secretStoreRef": ("external-secrets.io", "SecretStore"),
    "secretStoreRefs": ("external-secrets.io", "SecretStore"),
    "storeRef": ("external-secrets.io", "SecretStore"),
    "generatorRef": ("generators.external-secrets.io", ""),
}
_ISSUER = "cert-manager.io/issuer"
_KEYS = frozenset({_ISSUER, *_NAMES, *_REFERENCES})
_OF_THE_CLUSTER = frozenset({"ClusterSecretStore", *(kind for _, kind in _NAMES.values())})


class Reference(NamedTuple):
    """What an object names: group, kind and name."""

    group: str
    kind: str
    name: str


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each reference to an object that the bundle brings."""
    brought: dict[Reference, list[KubeObject]] = {}
    for item in rendering.objects:
        if item.installed:
            brought.setdefault(Reference(item.group, item.kind, item.name), []).append(item)
    for item in rendering.objects:
        if is_crd(item):
            continue
        for reference, path in references(item).items():
            folders = [other.folder for other in brought.get(reference, ()) if _reaches(item, other)]
            if folders:
                yield Need(item, tuple(folders), f"the {reference.kind} {reference.name}", path=path)


def _reaches(item: KubeObject, other: KubeObject) -> bool:
    """Whether an object that is named is meant: it is beside the one that names it, or none of a namespace."""
    return other.kind in _OF_THE_CLUSTER or other.namespace in {"", item.namespace}


def references(item: KubeObject) -> dict[Reference, Path]:
    """Everything that an object names by one of the known fields and annotations, and where it does first."""
    found: dict[Reference, Path] = {}
    pending: list[tuple[Path, Json]] = [((), item.data)]
    while pending:
        path, node = pending.pop()
        below = node.items() if isinstance(node, dict) else enumerate(node)
        for key, reference in _named(node) if isinstance(node, dict) and not _KEYS.isdisjoint(node) else ():
            found.setdefault(reference, (*path, *key))
        pending += [((*path, key), child) for key, child in below if isinstance(child, dict | list)]
    return found


def _named(node: Mapping[str, Json]) -> Iterator[tuple[Path, Reference]]:
    for key, value in node.items():
        if key in _NAMES and isinstance(value, str):
            yield (key,), Reference(*_NAMES[key], value)
        elif key in _REFERENCES:
            group, kind = _REFERENCES[key]
            listed: list[tuple[Path, Json]] = [((key, index), item) for index, item in enumerate(sequence(value))]
            for path, item in listed or [((key,), value)]:
                target = mapping(item)
                if isinstance(target.get("name"), str):
                    named = Reference(_text(target, "group", group), _text(target, "kind", kind), target["name"])
                    yield (*path, "name"), named
        elif key == _ISSUER and isinstance(value, str):
            group = _text(node, f"{_ISSUER}-group", "cert-manager.io")
            yield (key,), Reference(group, _text(node, f"{_ISSUER}-kind", "Issuer"), value)


def _text(node: Mapping[str, Json], key: str, default: str) -> str:
    return str(node.get(key) or default)
