"""What lies between a machine's configuration and its definition, and the patch that leads from one to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.patch import patch
from groundswell.talos.record import Area
from groundswell.talos_client.beyond import beyond
from groundswell.talos_client.held import maps_of
from groundswell.talos_client.remaining import remaining
from groundswell.talos_client.removal import united, without

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from groundswell.talos_client.beyond import Beyond


RECORD_NAME = "the record of the definition"
"""What the only annotation of patches is called to people."""

_ANNOTATIONS = frozenset(["machine.nodeAnnotations", "KubeNodeConfig.annotations"])


class Difference(NamedTuple):
    """`lacking` is what of the definition's patch a configuration does not hold, `beyond` what it holds besides."""

    lacking: tuple[Document, ...]
    beyond: Beyond

    @property
    def patch(self) -> tuple[Document, ...]:
        """The documents that make the configuration as defined. In each, Talos takes out before it adds."""
        more = self.beyond
        return (*more.alone, *united((*more.removals, *more.record, *more.restored, *self.lacking)))

    @property
    def pages(self) -> bool:
        """Whether hugepages of NUMA nodes change."""
        return any("hugepages" in key for found in maps_of(self.patch, Area.SYSFS) for key in found)

    @property
    def lacks(self) -> tuple[str, ...]:
        """What of the definition is lacking, by the kinds of documents and the sections of the one without a kind."""
        return tuple(name for document in self.lacking for name in _named(document))


def difference(machine: Machine, target: Target, configuration: Sequence[Json]) -> Difference:
    """Compare a configuration with a definition."""
    more = beyond(machine, target.form, configuration)
    left = without(without(configuration, more.alone), more.removals)
    return Difference(remaining(patch(machine, target), united((*left, *more.restored))), more)


def _named(document: Document) -> list[str]:
    if document.get("kind") == "KubeNodeConfig":
        names = [f"KubeNodeConfig.{key}" for key in ("labels", "annotations") if key in document]
    elif "kind" in document:
        return [" ".join(str(document[key]) for key in ("kind", "name") if key in document)]
    else:
        names = [f"{section}.{key}" for section, content in document.items() for key in content]
    return [RECORD_NAME if name in _ANNOTATIONS else name for name in names]
