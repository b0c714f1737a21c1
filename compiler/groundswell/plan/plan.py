"""The resolution put in order: numbered folders, each with its wave."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.resolve.resolution import Component, Resolution

WAVES_PER_LEVEL = 4


class Phase(IntEnum):
    """The steps within one component; the number is the offset of the step's wave. 3 is reserved for readiness."""

    PRE = 0
    MAIN = 1
    POST = 2

    @property
    def suffix(self) -> str:
        """What the phase adds to the component's name to make the folder's and the release's name."""
        return {Phase.PRE: "-pre", Phase.MAIN: "", Phase.POST: "-post"}[self]


class Folder(NamedTuple):
    """One folder of the bundle: one Helm release, one Argo CD Application.

    `number` is as wide as the largest number of the plan needs and never less than three digits. `namespace` is the
    component's. `owns` are the Namespaces that this folder's release creates (only a `-pre` does).
    """

    number: str
    component: str
    phase: Phase
    level: int
    namespace: str
    local: bool
    owns: tuple[str, ...] = ()

    @property
    def release(self) -> str:
        """The Helm release's and the Application's name: the component's with the phase's suffix."""
        return self.component + self.phase.suffix

    @property
    def name(self) -> str:
        """The folder's name in the bundle."""
        return f"{self.number}-{self.release}"

    @property
    def wave(self) -> int:
        """`level * 4 + phase`: every edge of the graph goes from a lower wave to a higher one."""
        return self.level * WAVES_PER_LEVEL + self.phase


class Plan(NamedTuple):
    """Folders in the order in which they are installed, with the components they come from.

    `components` holds the enabled ones by name. `dependencies` are the effective edges: component to the components it
    waits for, disabled ones left out, implied ones included. `provided` are the disabled components that others need.
    """

    resolution: Resolution
    folders: tuple[Folder, ...]
    components: Mapping[str, Component]
    dependencies: Mapping[str, tuple[str, ...]]
    provided: tuple[str, ...]

    @property
    def namespaces_owned(self) -> frozenset[str]:
        """Every Namespace that some `-pre` of the plan creates."""
        return frozenset(name for folder in self.folders for name in folder.owns)
