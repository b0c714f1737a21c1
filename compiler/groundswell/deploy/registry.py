"""The deployers that are installed: this project's own and those of third parties."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundswell.deploy.deployer import Deployer

GROUP = "groundswell.deployers"
BUILT_IN = ("argocd", "helm")


def deployer_names() -> tuple[str, ...]:
    """The names of all deployers, sorted. Looking for third parties' takes a few milliseconds."""
    return tuple(sorted({*BUILT_IN, *(entry.name for entry in entry_points(group=GROUP))}))


def load_deployer(name: str) -> Deployer | None:
    """The deployer of this name, or None when there is none. Built-in ones do without the search for entry points."""
    if name in BUILT_IN:
        deployer: Deployer = import_module(f"groundswell.deploy.{name}").DEPLOYER
        return deployer
    for entry in entry_points(group=GROUP, name=name):
        found: Deployer = entry.load()
        return found
    return None
