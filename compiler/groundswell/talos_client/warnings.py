"""What goes wrong on the way from what a machine runs to its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.diagnostics.enumeration import listed
from groundswell.talos.record import Area
from groundswell.talos.version import parse_version
from groundswell.talos.wants import CNI, KUBE_PROXY
from groundswell.talos_client.beyond import described

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host
    from groundswell.talos.target import Target
    from groundswell.talos_client.beyond import Beyond
    from groundswell.talos_client.running import Running

# The ways that installers take (compatibility/talosMINOR in Talos): to 1.13 from 1.11 to 1.14.
_MINORS_AT_ONCE, _MINORS_BACK = 2, 1
_TALOS_OWN = {CNI: "CNI", KUBE_PROXY: "kube-proxy"}


def way_findings(host: Host, target: Target, state: Running) -> Iterator[Diagnostic]:
    """Versions that are not reached in one step."""
    name, at = host.name.value, host.name.span
    has, _ = parse_version(state.version)
    release = has.release if has else None
    if release and release > (target.version.major, target.version.minor + _MINORS_BACK):
        between = f"v{target.version.major}.{target.version.minor + _MINORS_BACK}"
        text = f"Talos {state.version} of `{name}` is too new for a way back to {target.version}"
        yield codes.DOWNGRADE_TOO_FAR(text, at, help=f"correct `talos.version`, or go back to {between} first")
    elif has is not None and has[:3] > target.version[:3]:
        yield codes.DOWNGRADE(f"`{name}` runs Talos {has}, newer than {target.version}", at)
    if release and release < (target.version.major, target.version.minor - _MINORS_AT_ONCE):
        between = f"v{target.version.major}.{target.version.minor - _MINORS_AT_ONCE}"
        text = f"Talos {state.version} of `{name}` is too old for an upgrade to {target.version}"
        yield codes.UPGRADE_TOO_FAR(text, at, help=f"upgrade to {between} first")


def network_findings(host: Host, beyond: Beyond) -> Iterator[Diagnostic]:
    """What of the cluster's network Talos installs again, beside what took its place."""
    back = [_TALOS_OWN[item.key] for item in beyond.left if item.area is Area.NETWORK]
    if back:
        text = f"`{host.name.value}` will have Talos install its own {listed(back)} again"
        yield codes.NETWORK_BACK(text, host.name.span, help="first take out of the cluster what took the place of it")


def beyond_findings(host: Host, beyond: Beyond) -> Iterator[Diagnostic]:
    """What a configuration holds besides the definition and no patch of ours takes out."""
    name, at = f"`{host.name.value}`", host.name.span
    edit = "`talosctl edit machineconfig`" + (f" with `--nodes {host.address.value}`" if host.address else "")
    for item in beyond.unknown:
        text = f"{name} has {described(item)}, which is not in the definition"
        yield codes.UNKNOWN_SETTING(text, at, help=f"add it to the file, or take it out: {edit}")
    if beyond.others:
        listed = ", ".join(described(item) for item in beyond.others)
        yield codes.OTHER_SETTINGS(f"{name} also has {listed}", at)
