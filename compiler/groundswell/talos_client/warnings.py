"""What goes wrong on the way from what a machine runs to its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.version import parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from groundswell.talos_client.running import Running

_MINORS_AT_ONCE = 2  # to 1.14 from 1.12 on, to 1.13 from 1.11 on
_POLICY = "cpuManagerPolicy"


def way_findings(host: Host, machine: Machine, target: Target, state: Running) -> Iterator[Diagnostic]:
    """Versions that are not reached in one step, and a kubelet that would not start."""
    name, at = host.name.value, host.name.span
    has, _ = parse_version(state.version)
    if has is not None and has[:3] > target.version[:3]:
        yield codes.DOWNGRADE(f"`{name}` runs Talos {has}, newer than {target.version}", at)
    release = has.release if has else None
    if release and release < (target.version.major, target.version.minor - _MINORS_AT_ONCE):
        between = f"v{target.version.major}.{target.version.minor - _MINORS_AT_ONCE}"
        text = f"Talos {state.version} of `{name}` is too old for an upgrade to {target.version}"
        yield codes.UPGRADE_TOO_FAR(text, at, help=f"upgrade to {between} first")
    wanted, running = machine.kubelet.get(_POLICY), _policy(state.configuration)
    if wanted is not None and wanted != running:
        text = f"the CPU manager of `{name}` changes from `{running}` to `{wanted}`"
        yield codes.CPU_MANAGER(text, at, help="delete /var/lib/kubelet/cpu_manager_state on the machine")


def _policy(configuration: tuple[Json, ...]) -> str:
    """The CPU manager's policy, in either form of the kubelet's settings."""
    for document in configuration:
        kubelet = (document.get("machine") or {}).get("kubelet") or {}
        settings = document.get("config") if document.get("kind") == "KubeletConfig" else kubelet.get("extraConfig")
        if isinstance(settings, dict) and _POLICY in settings:
            return str(settings[_POLICY])
    return "none"
