"""Pods and pod templates in objects: built-in workloads, and custom resources wherever a template stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check.objects import KubeObject, mapping, sequence
from groundswell.check.workflow_pods import WORKFLOWS, workflow_pods

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.source.located import Json

Path: TypeAlias = "tuple[str | int, ...]"

_USUAL = ("spec", "template", "spec")
_JOBS = ("spec", "jobTemplate", "spec", "template", "spec")
_PLACES = {("", "Pod"): ("spec",), ("", "PodTemplate"): ("template", "spec"), ("batch", "CronJob"): _JOBS}


class PodTemplate(NamedTuple):
    """A pod that an object is or will make: its metadata, its spec, and where the spec stands in the object.

    A `path` that does not end with `spec` is that of a part which the spec is put together from.
    """

    owner: KubeObject
    path: Path
    metadata: Mapping[str, Json]
    spec: Mapping[str, Json]

    @property
    def for_windows(self) -> bool:
        """Whether the pod says that it runs on Windows, or selects such nodes."""
        selected = mapping(self.spec.get("nodeSelector")).get("kubernetes.io/os")
        return "windows" in (mapping(self.spec.get("os")).get("name"), selected)


def pod_templates(objects: Iterable[KubeObject]) -> Iterator[PodTemplate]:
    """Every pod that the objects are or will make. In the spec of a template that is one there are containers."""
    for item in objects:
        own = _PLACES.get((item.group, item.kind))
        for path in (own,) if own else (_USUAL, _JOBS):
            holder: Json = item.data
            for key in path[:-1]:
                holder = mapping(holder).get(key)
            spec = mapping(mapping(holder).get(path[-1]))
            if sequence(spec.get("containers")):
                yield PodTemplate(item, path, mapping(mapping(holder).get("metadata")), spec)
        if item.group == WORKFLOWS:
            yield from (PodTemplate(item, *made) for made in workflow_pods(item.data))
        if item.custom:
            yield from (found for found in _nested(item) if found.path not in {_USUAL, _JOBS})


def _nested(item: KubeObject) -> Iterator[PodTemplate]:
    """The templates anywhere in a custom resource: maps with metadata, if any, and the spec of a pod.

    Operators of many kinds take them at many depths. The `spec` of the resource itself is none, though some take a few
    fields of a pod there.
    """
    pending: list[tuple[Path, Json]] = [((key,), value) for key, value in item.data.items() if key != "metadata"]
    while pending:
        path, node = pending.pop()
        if isinstance(node, dict):
            spec = node.get("spec")
            if isinstance(spec, dict) and _runs(spec.get("containers")):
                yield PodTemplate(item, (*path, "spec"), mapping(node.get("metadata")), spec)
            pending += [((*path, key), below) for key, below in node.items() if isinstance(below, (dict, list))]
        elif isinstance(node, list):
            pending += [((*path, index), below) for index, below in enumerate(node) if isinstance(below, (dict, list))]


def _runs(containers: Json) -> bool:
    """Whether these are containers that can run: patches of pods lack images, and patterns of policies names."""
    found = [mapping(item) for item in sequence(containers)]
    texts = [item.get(key) for item in found for key in ("name", "image")]
    return bool(texts) and all(isinstance(text, str) and text and "*" not in text for text in texts)
