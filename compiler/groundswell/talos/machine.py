"""What one machine, or every machine of a class, gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json
    from groundswell.talos.schematic import Schematic


class Software(NamedTuple):
    """What hosts and components ask for together.

    `modules` holds each module's parameters. `cni` and `kube_proxy` say whether Talos installs its own.
    """

    extensions: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    modules: Mapping[str, tuple[str, ...]] = {}
    sysctls: Mapping[str, str] = {}
    cni: bool = True
    kube_proxy: bool = True


class Machine(NamedTuple):
    """Everything about one machine that goes into a schematic or a patch.

    `name` is the host's or the class's and names the files. `rebinds` maps PCI addresses to drivers. `hostname` and
    `install_disk` are None where the base configuration decides. `annotations` are the node's.
    """

    name: str
    schematic: Schematic
    software: Software
    control_plane: bool = False
    hostname: str | None = None
    install_disk: str | None = None
    sysfs: Mapping[str, str] = {}
    rebinds: Mapping[str, str] = {}
    kubelet: Mapping[str, Json] = {}
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
    exemptions: tuple[str, ...] = ()
