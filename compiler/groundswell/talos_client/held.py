"""What a configuration holds in the areas that patches write, item by item, each with the patch that takes it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.talos import documents
from groundswell.talos.documents import DELETE
from groundswell.talos.record import RECORD, Area, module_item
from groundswell.talos.target import Form
from groundswell.talos.wants import CNI, KUBE_PROXY
from groundswell.talos_client.pod_security import plugin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document

Path: TypeAlias = "tuple[str, ...]"

IDENTITY = ("apiVersion", "kind", "name")
MODULES: Path = ("machine", "kernel", "modules")
KUBELET: Path = ("machine", "kubelet", "extraConfig")

_HOSTNAME: Path = ("machine", "network", "hostname")
_CNI: Path = ("cluster", "network", "cni")
_NO_PROXY: Path = ("cluster", "proxy", "disabled")
_PATCH = {"$patch": DELETE}
# Maps of settings: where they are in the document without a kind, and the document and key that they have of their own.
_MAPS: dict[Area, tuple[Path, str, str]] = {
    Area.SYSCTLS: (("machine", "sysctls"), "SysctlConfig", "params"),
    Area.SYSFS: (("machine", "sysfs"), "SysfsConfig", "params"),
    Area.LABELS: (("machine", "nodeLabels"), "KubeNodeConfig", "labels"),
    Area.KUBELET: (KUBELET, "KubeletConfig", "config"),
}
_ANNOTATIONS = (("machine", "nodeAnnotations"), "KubeNodeConfig", "annotations")
_DOCUMENTS = {Area.DEVICES: "PCIDriverRebindConfig", Area.MODULES: "KernelModuleConfig"}


class Item(NamedTuple):
    """One thing in one of the areas. `text` is what a record calls it; for a module `key` is the name alone.

    `removal` is the patch that takes it out. `alone`: it deletes so much that nothing may be added in the same
    document.
    """

    area: Area
    key: str
    text: str
    removal: Document
    alone: bool = False

    @property
    def form(self) -> Form:
        """Whether it is a field or in a document of its own."""
        return Form.DOCUMENTS if "kind" in self.removal else Form.FIELDS


def items(configuration: Sequence[Json], form: Form) -> Iterator[Item]:
    """Everything that a configuration holds in these areas, in either form; `form` is that of its base."""
    yield from _network(configuration, form)
    for document in configuration:
        for area, place in _MAPS.items():
            path = _path(document, *place)
            # The kubelet's fields are free in form. Talos 1.11 deletes none of them by its key, only all.
            alone = path == KUBELET
            for key in _map_at(document, path) if path else ():
                yield Item(area, key, key, _removal(document, path if alone else (*path, key)), alone)
        for area, kind in _DOCUMENTS.items():
            if document.get("kind") == kind:
                name = str(document.get("name", ""))
                text = _module_text(document) if area is Area.MODULES else name
                yield Item(area, name, text, {**_identity(document), **_PATCH}, alone=True)
        if "kind" not in document:
            for module in _list_at(document, MODULES):
                yield Item(Area.MODULES, module["name"], _module_text(module), _of_list(MODULES, module["name"]))
        yield from _exemptions(document)
        yield from _hostname(document)


def record_of(configuration: Iterable[Json]) -> tuple[Json, Document] | None:
    """The record of the definition that was applied last, and the patch that takes it out; None without one."""
    for document in configuration:
        path = _path(document, *_ANNOTATIONS)
        held = _map_at(document, path) if path else {}
        if RECORD in held:
            return held[RECORD], _removal(document, (*path, RECORD))
    return None


def maps_of(configuration: Iterable[Json], area: Area) -> Iterator[dict[str, Json]]:
    """The settings of an area that is a map, in either form: one map for each document that may have some."""
    for document in configuration:
        if path := _path(document, *_MAPS[area]):
            yield _map_at(document, path)


def kubelet_fields(configuration: Iterable[Json]) -> dict[str, Json]:
    """The kubelet's settings where they are fields."""
    found = (_map_at(document, KUBELET) for document in configuration if "kind" not in document)
    return next(found, {})


def _path(document: Json, fields: Path, kind: str, key: str) -> Path:
    """Where a document has a map, () when it is none that does."""
    if "kind" not in document:
        return fields
    return (key,) if document["kind"] == kind else ()


def _removal(document: Json, path: Path) -> Document:
    return {**_identity(document), **_below(path, _PATCH)}


def _of_list(path: Path, name: str) -> Document:
    """The first key of an item besides `$patch` is what Talos finds it by."""
    return _below(path, [{"name": name, **_PATCH}])


def _below(path: Path, patch: Json) -> Document:
    for key in reversed(path):
        patch = {key: patch}
    return dict(patch)


def _identity(document: Json) -> Document:
    return {key: document[key] for key in IDENTITY if key in document} if "kind" in document else {}


def _module_text(module: Json) -> str:
    parameters = module.get("parameters")
    texts = [str(item) for item in parameters] if isinstance(parameters, list) else []
    return module_item(str(module.get("name", "")), texts)


def _exemptions(document: Json) -> Iterator[Item]:
    if plugin := plugin_of(document):
        for name in plugin.namespaces:
            yield Item(Area.EXEMPTIONS, name, name, plugin.removal, alone=plugin.own)


def _hostname(document: Json) -> Iterator[Item]:
    """A host name that is set. Where it is a document, Talos is told again to make one up."""
    if "kind" not in document:
        name, removal = _at(document, _HOSTNAME), _removal(document, _HOSTNAME)
    else:
        name = document.get("hostname") if document["kind"] == "HostnameConfig" else None
        removal = documents.no_hostname()
    if isinstance(name, str) and name:
        yield Item(Area.HOSTNAME, name, name, removal)


def _network(configuration: Sequence[Json], form: Form) -> Iterator[Item]:
    """What keeps Talos from installing its own CNI and kube-proxy. A document that is not there does so, too."""
    if form is Form.DOCUMENTS and not any(item.get("kind") == "KubeFlannelCNIConfig" for item in configuration):
        yield Item(Area.NETWORK, CNI, CNI, documents.flannel())
    for document in configuration:
        if "kind" not in document and _at(document, (*_CNI, "name")) == "none":
            yield Item(Area.NETWORK, CNI, CNI, _removal(document, _CNI))
        if "kind" not in document and _at(document, _NO_PROXY) is True:
            yield Item(Area.NETWORK, KUBE_PROXY, KUBE_PROXY, _removal(document, _NO_PROXY))
        if document.get("kind") == "KubeProxyConfig" and document.get("enabled") is False:
            yield Item(Area.NETWORK, KUBE_PROXY, KUBE_PROXY, _removal(document, ("enabled",)))


def _at(document: Json, path: Sequence[str]) -> Json:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _map_at(document: Json, path: Path) -> dict[str, Json]:
    found = _at(document, path)
    return found if isinstance(found, dict) else {}


def _list_at(document: Json, path: Path) -> list[Json]:
    """The maps with a name in a list."""
    found = _at(document, path)
    listed = found if isinstance(found, list) else []
    return [item for item in listed if isinstance(item, dict) and isinstance(item.get("name"), str)]
