"""What the API server is asked to create because of an object: the object, and what Kubernetes makes of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

_NO_PODS = frozenset({"Pod", "PodTemplate"})
"""Kinds whose template is a pod already, or never becomes one by itself."""


class Request(NamedTuple):
    """One creation: what is created, in which namespace, with which labels, and the object that it is because of.

    `made` is "" for that object itself, else what it becomes: "its pods".
    """

    user: KubeObject
    group: str
    version: str
    kind: str
    labels: Mapping[str, Json]
    made: str = ""

    @property
    def namespace(self) -> str:
        """Where it is created: what controllers make is beside the object that they make it of."""
        return self.user.namespace


@lru_cache(maxsize=1)
def requests_of(rendering: Rendering) -> tuple[Request, ...]:
    """Every creation. Webhooks are asked about each, and most rules of theirs name pods, which few bundles hold."""
    found: list[Request] = []
    for item in rendering.objects:
        found.append(Request(item, item.group, item.version, item.kind, item.labels))
        found += _beside(item)
    for template in rendering.pods:
        owner = template.owner
        if owner.namespace and not (owner.group == "" and owner.kind in _NO_PODS):
            found.append(Request(owner, "", "v1", "Pod", mapping(template.metadata.get("labels")), "its pods"))
    return tuple(found)


def _beside(item: KubeObject) -> Iterator[Request]:
    """What controllers make of an object besides pods."""
    spec = mapping(item.data.get("spec"))
    if (item.group, item.kind) == ("apps", "Deployment"):
        yield Request(item, "apps", "v1", "ReplicaSet", _labels(spec.get("template")), "its ReplicaSet")
    elif (item.group, item.kind) == ("batch", "CronJob"):
        yield Request(item, "batch", "v1", "Job", _labels(spec.get("jobTemplate")), "its Jobs")
    elif (item.group, item.kind) == ("apps", "StatefulSet"):
        selected = mapping(mapping(spec.get("selector")).get("matchLabels"))
        for claim in sequence(spec.get("volumeClaimTemplates")):
            labels = {**_labels(claim), **selected}
            yield Request(item, "", "v1", "PersistentVolumeClaim", labels, "its claims")


def _labels(template: Json) -> Mapping[str, Json]:
    return mapping(mapping(mapping(template).get("metadata")).get("labels"))
