"""CustomResourceDefinitions among the objects: the kinds that a bundle itself defines."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.definition_properties import keys_in, trimmed
from groundswell.check.definition_text import undescribed
from groundswell.check.objects import KubeObject, mapping, sequence
from groundswell.source.bare_values import read_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.source.located import Json

GROUP = "apiextensions.k8s.io"


class Crd(NamedTuple):
    """A definition: the kind that it defines, whether that lives in namespaces, and the versions that are served."""

    definition: KubeObject
    group: str
    kind: str
    plural: str
    namespaced: bool
    versions: tuple[str, ...]

    @property
    def ahead(self) -> bool:
        """Whether Helm creates it before the rest of its chart: only files of `crds/` are."""
        return self.definition.verbatim

    @property
    def apis(self) -> Iterator[str]:
        """What Helm calls the APIs that it brings: `group/version` and `group/version/Kind`."""
        for version in self.versions:
            yield f"{self.group}/{version}"
            yield f"{self.group}/{version}/{self.kind}"

    def schema(self, version: str, names: frozenset[str]) -> Mapping[str, Json] | None:
        """The schema of a served version, for values whose keys are among `names`; None for any other version.

        Only here schemas that were put off are read, and of these no more than such values ask for.
        """
        if version not in self.versions:
            return None
        data = _whole(self.definition.whole, names) if self.definition.whole else self.definition.data
        for item in map(mapping, sequence(mapping(data.get("spec")).get("versions"))):
            if str(item.get("name")) == version:
                return mapping(mapping(item.get("schema")).get("openAPIV3Schema"))
        return None


def is_crd(item: KubeObject) -> bool:
    """Whether an object defines a kind."""
    return item.kind == "CustomResourceDefinition" and item.group == GROUP


def complete(definition: KubeObject) -> Mapping[str, Json]:
    """A definition with the schemas that were put off, though without descriptions."""
    return _whole(definition.whole, None) if definition.whole else definition.data


def crds_of(objects: Iterable[KubeObject]) -> Iterator[Crd]:
    """The definitions among objects."""
    for item in objects:
        if is_crd(item):
            spec = mapping(item.data.get("spec"))
            names = mapping(spec.get("names"))
            versions = map(mapping, sequence(spec.get("versions")))
            yield Crd(
                item,
                str(spec.get("group", "")),
                str(names.get("kind", "")),
                str(names.get("plural", "")),
                spec.get("scope") != "Cluster",
                tuple(str(version.get("name")) for version in versions if version.get("served") is True),
            )


def keys_of(objects: Iterable[KubeObject]) -> frozenset[str]:
    """Every key in objects, which tells how much of a schema they can be held against."""
    return frozenset(key for item in objects for key in keys_in(item.data))


@lru_cache(maxsize=64)
def _whole(text: bytes, names: frozenset[str] | None) -> Mapping[str, Json]:
    documents, errors = read_values(undescribed(text if names is None else trimmed(text, names)), "definition")
    if errors and names is not None:
        return _whole(text, None)
    return mapping(documents[0][1]) if documents else {}
