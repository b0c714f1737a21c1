"""A cluster's facts in the form of a Snapshot: measurements by type, subtypes with readings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.enumeration import first_few

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAMED = 3
"""How many nodes a finding names."""

Reading: TypeAlias = "str | int | bool"


@dataclass(frozen=True, slots=True)
class Item:
    """One of several records of a subtype: what it is (`context`), and what was measured (`data`)."""

    context: Mapping[str, str]
    data: Mapping[str, Reading]


@dataclass(frozen=True, slots=True)
class Subtype:
    """Readings by key. `items` hold what differs, such as one record for each node."""

    name: str
    data: Mapping[str, Reading] = field(default_factory=dict)
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Measurement:
    """All that was measured of one type: K8s, OS, GPU, NodeTopology, …."""

    type: str
    subtypes: tuple[Subtype, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The facts of one cluster. `taken` is a time as text, empty when unknown."""

    measurements: tuple[Measurement, ...]
    taken: str = ""

    def subtype(self, type_: str, name: str) -> Subtype | None:
        """The first subtype of this name in the first measurement of this type."""
        measurement = next((item for item in self.measurements if item.type == type_), None)
        subtypes = measurement.subtypes if measurement else ()
        return next((item for item in subtypes if item.name == name), None)


def written(reading: Reading) -> str:
    """A reading as constraints see it."""
    return str(reading).lower() if isinstance(reading, bool) else str(reading)


def some(nodes: Sequence[str]) -> str:
    """The nodes' names in a finding: the first few, and how many more there are."""
    return first_few(nodes, _NAMED)
