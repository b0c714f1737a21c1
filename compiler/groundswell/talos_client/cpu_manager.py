"""The file in which a kubelet keeps its CPU manager's policy: with another policy it does not start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.record import Area
from groundswell.talos_client.held import maps_of
from groundswell.talos_client.question import read

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine
    from groundswell.talos_client.beyond import Beyond
    from groundswell.talos_client.question import Ask

_STATE = "/var/lib/kubelet/cpu_manager_state"
_POLICY = "cpuManagerPolicy"
_NONE = "none"


def new_policy(machine: Machine, configuration: tuple[Json, ...], beyond: Beyond) -> str:
    """The policy that a machine's CPU manager changes to, "" when it keeps the one that it has."""
    taken_out = any(item.area is Area.KUBELET and item.key == _POLICY for item in beyond.left)
    wanted = machine.kubelet.get(_POLICY, _NONE if taken_out else None)
    return "" if wanted is None or wanted == _policy(configuration) else str(wanted)


def state_finding(ask: Ask, host: Host, policy: str, then: str = "") -> Diagnostic | None:
    """The finding that a kubelet still has the state of another policy; None when it can start with this one.

    The host must have an address. `then` is what to do after the file is gone.
    """
    assert host.address is not None
    answer = ask(host.address.value, read(_STATE))
    if answer.absent:
        return None
    if not answer.problem and _kept(answer.text) == policy:
        return None
    reason = f"is not told: {answer.problem}" if answer.problem else f"is for `{_kept(answer.text)}`"
    name = host.name.value
    text = f"the CPU manager of `{name}` becomes `{policy}`, and its state file {reason}"
    remove = f"kubectl debug node/NODE -n kube-system --image=busybox -- rm /host{_STATE}"
    steps = f"drain the node of `{name}`, then `{remove}`{then}; at the end `kubectl uncordon NODE`"
    return codes.CPU_MANAGER(text, host.name.span, help=steps)


def _kept(text: str) -> str:
    """The policy that a state file is for."""
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return "?"
    return str(state.get("policyName", "?")) if isinstance(state, dict) else "?"


def _policy(configuration: tuple[Json, ...]) -> str:
    """The policy in a configuration, in either form of the kubelet's settings."""
    stated = (found[_POLICY] for found in maps_of(configuration, Area.KUBELET) if _POLICY in found)
    return str(next(stated, _NONE))
