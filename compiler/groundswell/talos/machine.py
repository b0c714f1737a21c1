"""What one machine, or every machine of a class, gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json
    from groundswell.talos.schematic import Schematic


@dataclass(frozen=True, slots=True)
class Software:
    """What hosts and components ask for together. `modules` holds each module's parameters."""

    extensions: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    modules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sysctls: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything about one machine that goes into a schematic or a patch.

    `name` is the host's or the class's and names the files. `rebinds` maps PCI addresses to drivers. `hostname` and
    `install_disk` are None where the base configuration decides.
    """

    name: str
    schematic: Schematic
    software: Software
    control_plane: bool = False
    hostname: str | None = None
    install_disk: str | None = None
    sysfs: Mapping[str, str] = field(default_factory=dict)
    rebinds: Mapping[str, str] = field(default_factory=dict)
    kubelet: Mapping[str, Json] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    exemptions: tuple[str, ...] = ()
