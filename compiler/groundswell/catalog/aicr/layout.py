"""What the files of an AICR catalog are, by their paths.

The rules are those of the project's own loader, down to matching parts of paths: what it passes over is passed over
here as well, so that both read the same catalog.
"""

from __future__ import annotations

from enum import Enum

REGISTRY = "registry.yaml"
BASE = "overlays/base.yaml"


class Role(Enum):
    """What a file is for."""

    REGISTRY = "registry"
    BASE = "base"
    OVERLAY = "overlay"
    MIXIN = "mixin"
    PART = "part"
    """A file that others name: values, manifests, health checks."""
    NONE = "none"


def role(path: str) -> Role:
    """The role of the file at a path from the catalog's root."""
    name = path.rpartition("/")[2]
    if path == REGISTRY:
        return Role.REGISTRY
    if "checks/" in path or ("components/" in path and not path.startswith("mixins/")):
        return Role.PART
    if not name.endswith(".yaml") or name in {"data-v1.yaml", REGISTRY}:
        return Role.NONE
    if path.startswith("mixins/"):
        return Role.MIXIN
    return Role.BASE if name == "base.yaml" and "overlays/" in path else Role.OVERLAY


def walked(paths: list[str]) -> list[str]:
    """Paths in the order of a walk through the directories: later ones win where two documents have one name."""
    return sorted(paths, key=lambda path: path.split("/"))
