"""The pods of Argo Workflows, which write a pod's parts in their own way."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.source.located import Json

WORKFLOWS = "argoproj.io"

_Made: TypeAlias = "tuple[tuple[str | int, ...], Mapping[str, Json], Mapping[str, Json]]"

_PARENTS = (("spec",), ("spec", "workflowSpec"))
_SHARED = ("hostNetwork", "nodeSelector", "affinity", "tolerations", "securityContext")
_LISTS = ("volumes", "initContainers", "sidecars")


def workflow_pods(data: Mapping[str, Json]) -> Iterator[_Made]:
    """For each template that is a pod: where it stands, the pod's metadata, and its spec put together.

    A template's own settings come before those of the workflow.
    """
    for parent in _PARENTS:
        spec: Json = data
        for key in parent:
            spec = mapping(mapping(spec).get(key))
        for index, item in enumerate(sequence(spec.get("templates"))):
            template = mapping(item)
            main = mapping(template.get("container")) or mapping(template.get("script"))
            containers = [main] if main else sequence(mapping(template.get("containerSet")).get("containers"))
            if containers:
                path = (*parent, "templates", index)
                yield path, mapping(template.get("metadata")), _pod(spec, template, containers)


def _pod(spec: Mapping[str, Json], template: Mapping[str, Json], containers: list[Json]) -> Mapping[str, Json]:
    pod = {key: template.get(key, spec.get(key)) for key in _SHARED if key in template or key in spec}
    lists = {key: [*sequence(spec.get(key)), *sequence(template.get(key))] for key in _LISTS}
    named = [{"name": "main", **mapping(item)} for item in containers]
    return {
        **pod,
        "volumes": lists["volumes"],
        "initContainers": lists["initContainers"],
        "containers": [*named, *lists["sidecars"]],
    }
