"""The objects of the stand-in API server: kinds, creation, updates, deletion. No schemas, defaulting or admission."""

from __future__ import annotations

import copy
import threading
import uuid
from typing import Any, NamedTuple

Object = dict[str, Any]
Key = tuple[str, str, str | None, str]
"""API group, plural, namespace, name."""


class Resource(NamedTuple):
    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def qualified(self) -> str:
        return f"{self.plural}.{self.group}" if self.group else self.plural


BUILT_IN = (
    Resource("", "v1", "namespaces", "Namespace", namespaced=False),
    Resource("", "v1", "nodes", "Node", namespaced=False),
    Resource("", "v1", "secrets", "Secret", namespaced=True),
    Resource("", "v1", "configmaps", "ConfigMap", namespaced=True),
    Resource("", "v1", "serviceaccounts", "ServiceAccount", namespaced=True),
    Resource("", "v1", "services", "Service", namespaced=True),
    Resource("", "v1", "events", "Event", namespaced=True),
    Resource("", "v1", "pods", "Pod", namespaced=True),
    Resource("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", namespaced=True),
    Resource("apps", "v1", "deployments", "Deployment", namespaced=True),
    Resource("batch", "v1", "jobs", "Job", namespaced=True),
    Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", namespaced=False),
)


class ApiError(Exception):
    """What the API server answers instead of an object."""

    def __init__(self, code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code, self.reason, self.message = code, reason, message


class Store:
    """Every object by its key. Methods are called with `lock` held."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.objects: dict[Key, Object] = {}
        self.custom: dict[Key, Resource] = {}
        self.jobs_complete = True
        self._revision = 100

    def resources(self) -> list[Resource]:
        return [*BUILT_IN, *self.custom.values()]

    def resource(self, group: str, version: str, plural: str) -> Resource:
        for known in self.resources():
            if (known.group, known.version, known.plural) == (group, version, plural):
                return known
        raise ApiError(404, "NotFound", "the server could not find the requested resource")

    def get(self, resource: Resource, namespace: str | None, name: str) -> Object:
        found = self.objects.get((resource.group, resource.plural, namespace, name))
        if found is None:
            raise ApiError(404, "NotFound", f'{resource.qualified} "{name}" not found')
        return found

    def create(self, resource: Resource, namespace: str | None, obj: Object) -> Object:
        name = obj["metadata"]["name"]
        if resource.namespaced:
            self._admit(resource, namespace, name)
        key = (resource.group, resource.plural, namespace, name)
        if key in self.objects:
            raise ApiError(409, "AlreadyExists", f'{resource.qualified} "{name}" already exists')
        obj["metadata"] |= {"uid": str(uuid.uuid4()), "generation": 1}
        if namespace:
            obj["metadata"]["namespace"] = namespace
        self._status(resource, obj)
        return self._put(resource, key, obj)

    def update(self, resource: Resource, namespace: str | None, name: str, obj: Object) -> Object:
        old = self.get(resource, namespace, name)
        for field in ("uid", "generation", "name", "namespace"):
            if field in old["metadata"]:
                obj["metadata"][field] = old["metadata"][field]
        obj.setdefault("status", old.get("status"))
        return self._put(resource, (resource.group, resource.plural, namespace, name), obj)

    def delete(self, resource: Resource, namespace: str | None, name: str) -> None:
        self.get(resource, namespace, name)
        key = (resource.group, resource.plural, namespace, name)
        del self.objects[key]
        if resource.kind == "Namespace":
            for other in [other for other in self.objects if other[2] == name]:
                del self.objects[other]
        if gone := self.custom.pop(key, None):
            for other in [other for other in self.objects if other[:2] == (gone.group, gone.plural)]:
                del self.objects[other]

    def _admit(self, resource: Resource, namespace: str | None, name: str) -> None:
        home = self.objects.get(("", "namespaces", None, namespace or ""))
        if home is None:
            raise ApiError(404, "NotFound", f'namespaces "{namespace}" not found')
        if home["status"]["phase"] == "Terminating":
            text = f'{resource.qualified} "{name}" is forbidden: unable to create new content in namespace {namespace}'
            raise ApiError(403, "Forbidden", f"{text} because it is being terminated")

    def _status(self, resource: Resource, obj: Object) -> None:
        if resource.kind == "Namespace":
            obj["status"] = {"phase": "Active"}
        if resource.kind == "CustomResourceDefinition":
            conditions = [{"type": kind, "status": "True"} for kind in ("NamesAccepted", "Established")]
            obj["status"] = {"conditions": conditions}
        if resource.kind == "Job":
            done = {"succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]}
            obj["status"] = done if self.jobs_complete else {"active": 1}
        if resource.kind == "PersistentVolumeClaim":
            obj["status"] = {"phase": "Pending"}

    def _put(self, resource: Resource, key: Key, obj: Object) -> Object:
        self._revision += 1
        obj["metadata"]["resourceVersion"] = str(self._revision)
        self.objects[key] = obj
        if resource.kind == "CustomResourceDefinition":
            spec = obj["spec"]
            names = spec["names"]
            self.custom[key] = Resource(
                spec["group"],
                spec["versions"][0]["name"],
                names["plural"],
                names["kind"],
                namespaced=spec["scope"] == "Namespaced",
            )
        return obj


def merge_patch(target: Any, patch: Any) -> Any:
    """A merge patch; strategic patches of the kinds above differ only in what begins with `$`."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if key.startswith("$"):
            continue
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged
