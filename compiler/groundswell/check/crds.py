"""CustomResourceDefinitions among the objects: the kinds that a bundle itself defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.check.objects import KubeObject, mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.source.located import Json

GROUP = "apiextensions.k8s.io"


@dataclass(frozen=True, slots=True)
class Crd:
    """A definition: the kind it defines, whether that lives in namespaces, and each served version with its schema."""

    definition: KubeObject
    group: str
    kind: str
    plural: str
    namespaced: bool
    versions: Mapping[str, Mapping[str, Json]]

    @property
    def ahead(self) -> bool:
        """Whether Helm creates it before the rest of its chart: only files of `crds/` are."""
        return "/crds/" in self.definition.source and "/templates/" not in self.definition.source

    @property
    def apis(self) -> Iterator[str]:
        """What Helm calls the APIs that it brings: `group/version` and `group/version/Kind`."""
        for version in self.versions:
            yield f"{self.group}/{version}"
            yield f"{self.group}/{version}/{self.kind}"


def is_crd(item: KubeObject) -> bool:
    """Whether an object defines a kind."""
    return item.kind == "CustomResourceDefinition" and item.group == GROUP


def crds_of(objects: Iterable[KubeObject]) -> Iterator[Crd]:
    """The definitions among objects; those that say too little are passed over."""
    for item in objects:
        if is_crd(item):
            spec = mapping(item.data.get("spec"))
            names = mapping(spec.get("names"))
            versions = {
                str(version.get("name")): mapping(mapping(version.get("schema")).get("openAPIV3Schema"))
                for version in map(mapping, sequence(spec.get("versions")))
                if version.get("served") is True
            }
            yield Crd(
                item,
                str(spec.get("group", "")),
                str(names.get("kind", "")),
                str(names.get("plural", "")),
                spec.get("scope") != "Cluster",
                versions,
            )
