"""What a factory took already, so that it is not posted again: kept in the user's cache, by factory and content."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check import cache

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.talos.schematic import Schematic


class Posted(NamedTuple):
    """The schematics that one factory knows under the IDs computed here."""

    factory: str
    folder: Path

    def knows(self, schematic: Schematic) -> bool:
        """Whether the factory took exactly these bytes and answered with their ID."""
        return cache.load(self._path(schematic)) == schematic.id.encode()

    def add(self, schematic: Schematic) -> None:
        """Remember a schematic; a cache that cannot be written is done without."""
        cache.store(self._path(schematic), schematic.id.encode())

    def _path(self, schematic: Schematic) -> Path:
        return self.folder / cache.key_of(self.factory, schematic.data)


def posted(factory: str) -> Posted:
    """What this user posted to a factory."""
    return Posted(factory, cache.folder("schematics"))
