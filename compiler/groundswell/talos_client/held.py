"""What a configuration holds in the areas that patches write, item by item, each with the patch that takes it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.talos.documents import DELETE
from groundswell.talos.record import RECORD, Area, module_item
from groundswell.talos.target import Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document

Path: TypeAlias = "tuple[str, ...]"

IDENTITY = ("apiVersion", "kind", "name")
MODULES: Path = ("machine", "kernel", "modules")
KUBELET: Path = ("machine", "kubelet", "extraConfig")

_ADMISSION: Path = ("cluster", "apiServer", "admissionControl")
_NAMESPACES: Path = ("configuration", "exemptions", "namespaces")
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

    `removal` is the patch that takes it out, None where Talos has none: from lists of texts nothing can be deleted.
    `alone`: it deletes so much that nothing may be added in the same document.
    """

    area: Area
    key: str
    text: str
    removal: Document | None
    alone: bool = False

    @property
    def form(self) -> Form:
        """Whether it is a field or in a document of its own."""
        return Form.DOCUMENTS if self.removal and "kind" in self.removal else Form.FIELDS


def items(configuration: Iterable[Json]) -> Iterator[Item]:
    """Everything that a configuration holds in these areas, in either form."""
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
        yield from (Item(Area.EXEMPTIONS, name, name, None) for name in _exempted(document))


def record_of(configuration: Iterable[Json]) -> tuple[Json, Document] | None:
    """The record of the definition that was applied last, and the patch that takes it out; None without one."""
    for document in configuration:
        path = _path(document, *_ANNOTATIONS)
        held = _map_at(document, path) if path else {}
        if RECORD in held:
            return held[RECORD], _removal(document, (*path, RECORD))
    return None


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
    patch: Json = _PATCH
    for key in reversed(path):
        patch = {key: patch}
    return {**_identity(document), **patch}


def _of_list(path: Path, name: str) -> Document:
    """The first key of an item besides `$patch` is what Talos finds it by."""
    patch: Json = [{"name": name, **_PATCH}]
    for key in reversed(path):
        patch = {key: patch}
    return dict(patch)


def _identity(document: Json) -> Document:
    return {key: document[key] for key in IDENTITY if key in document} if "kind" in document else {}


def _module_text(module: Json) -> str:
    parameters = module.get("parameters")
    texts = [str(item) for item in parameters] if isinstance(parameters, list) else []
    return module_item(str(module.get("name", "")), texts)


def _exempted(document: Json) -> list[str]:
    """The namespaces that Pod Security does not apply to."""
    plugins = _list_at(document, _ADMISSION) if "kind" not in document else []
    plugins += [document] if document.get("kind") == "KubeAdmissionControlConfig" else []
    named = [_at(plugin, _NAMESPACES) for plugin in plugins if plugin.get("name") == "PodSecurity"]
    return [str(name) for names in named if isinstance(names, list) for name in names]


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
