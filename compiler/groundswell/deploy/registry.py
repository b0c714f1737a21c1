"""The deployers that are installed: this project's own and those of third parties."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

    from groundswell.deploy.deployer import Deployer

GROUP = "groundswell.deployers"
BUILT_IN = ("argocd", "helm")


def deployer_names() -> tuple[str, ...]:
    """The names of all deployers, sorted."""
    return tuple(sorted({*BUILT_IN, *(entry.name for entry in _installed())}))


def load_deployer(name: str) -> Deployer | None:
    """The deployer of this name, or None when there is none. Built-in ones do without the search for entry points."""
    if name in BUILT_IN:
        deployer: Deployer = import_module(f"groundswell.deploy.{name}").DEPLOYER
        return deployer
    for entry in _installed().select(name=name):
        found: Deployer = entry.load()
        return found
    return None


def _installed() -> EntryPoints:
    from importlib.metadata import entry_points  # noqa: PLC0415  slow to import, and only third parties' need it

    return entry_points(group=GROUP)
