"""What objects need of each other: one module per way in which one object can need another."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.needs import classes, definitions, namespaces, webhooks

if TYPE_CHECKING:
    from groundswell.check.needs.need import Need
    from groundswell.check.rendering import Rendering


@lru_cache(maxsize=1)
def needs_of(rendering: Rendering) -> tuple[Need, ...]:
    """Every need between objects of different folders. Several rules ask, one after the other."""
    sources = (definitions, namespaces, classes, webhooks)
    return tuple(
        need for source in sources for need in source.needs(rendering) if need.user.folder not in need.providers
    )
