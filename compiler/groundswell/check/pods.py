"""Pods and pod templates in objects: built-in workloads, and custom resources with a template at the usual place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.check.objects import KubeObject, mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.source.located import Json

_PLACES = {
    ("", "Pod"): ("spec",),
    ("", "PodTemplate"): ("template", "spec"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template", "spec"),
}
_USUAL = ("spec", "template", "spec")
_JOBS = ("spec", "jobTemplate", "spec", "template", "spec")


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """A pod that an object is or will make: its metadata, its spec, and where the spec stands in the object."""

    owner: KubeObject
    path: tuple[str, ...]
    metadata: Mapping[str, Json]
    spec: Mapping[str, Json]


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
