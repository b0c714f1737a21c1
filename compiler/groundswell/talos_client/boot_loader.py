"""Machines whose boot loader makes a command line of its own, so that kernel arguments of the image do not reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos_client import answers
from groundswell.talos_client.question import get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine
    from groundswell.talos_client.question import Ask
    from groundswell.talos_client.running import Running


def boot_findings(ask: Ask, host: Host, machine: Machine, state: Running) -> Iterator[Diagnostic]:
    """An old installation by GRUB, which takes its arguments from the configuration unless that says otherwise.

    From Talos 1.14 on, a configuration with install settings in a document of their own leaves it no choice.
    """
    install = _install(state.configuration)
    if install is None or install.get("grubUseUKICmdline") is True or not machine.software.kernel_args:
        return
    assert host.address is not None
    security = answers.resources(ask(host.address.value, get("securitystate")).text) or ()
    by_image = any(item.flag("bootedWithUKI") for item in security)
    if by_image or not (security or install.get("extraKernelArgs")):
        return
    text = f"`{host.name.value}` boots by GRUB, and kernel arguments of the image do not reach its command line"
    yield codes.OWN_COMMAND_LINE(text, host.name.span)


def _install(configuration: tuple[Json, ...]) -> Json:
    """The install settings as fields; None without them."""
    for document in configuration:
        machine = document.get("machine")
        if "kind" not in document and isinstance(machine, dict) and isinstance(machine.get("install"), dict):
            return machine["install"]
    return None
