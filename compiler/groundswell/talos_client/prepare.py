"""What would bring running machines to their definition. Nothing is changed here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.patch import patch_text
from groundswell.talos_client.beyond import described
from groundswell.talos_client.boot_loader import boot_findings
from groundswell.talos_client.cpu_manager import new_policy, state_finding
from groundswell.talos_client.difference import RECORD_NAME, difference
from groundswell.talos_client.running import running
from groundswell.talos_client.warnings import beyond_findings, network_findings, way_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host, Placed
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from groundswell.talos_client.difference import Difference
    from groundswell.talos_client.running import Running
    from groundswell.talos_client.talosctl import Talosctl

PATCH = ("patch", "machineconfig", "--patch")
"""The words of `talosctl` before a patch."""

_BASE = "the base of its configuration may be of another form: see `baseConfig`"


class Change(NamedTuple):
    """What one machine takes. Without an image and a patch it is as defined.

    `patch` is what its configuration lacks and what is taken out of it, `image` the one to upgrade to; `reasons` say
    why in words, `removes` what goes. A patch with an image is staged, so that one reboot serves both. `policy` is the
    CPU manager's where it changes.
    """

    host: Host
    machine: Machine
    image: str = ""
    patch: str = ""
    reboot: bool = False
    reasons: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    policy: str = ""

    @property
    def node(self) -> str:
        """The address."""
        assert self.host.address is not None
        return self.host.address.value

    @property
    def action(self) -> str:
        """What happens, in a few words."""
        if self.image:
            return "upgrade and reboot"
        if not self.patch:
            return "nothing"
        return "patch and reboot" if self.reboot else "patch live"


def plan_change(
    talosctl: Talosctl, host: Host, machine: Machine, target: Target
) -> tuple[Change | None, tuple[Diagnostic, ...]]:
    """What one machine takes, by what it runs and by a dry run of the patch for its configuration.

    Returns:
        The change, None when it cannot be told, and findings.
    """
    if host.address is None:
        return None, (codes.NO_ADDRESS(f"host `{host.name.value}` has no address", host.name.span),)
    state = running(talosctl.ask, host.address.value)
    if state.problem:
        return None, (_unanswered(host.name.value, host.address, state),)
    change = Change(host, machine)
    if reasons := _image_reasons(machine, target, state):
        change = change._replace(image=target.installer(machine.schematic), reasons=reasons)
    differs = difference(machine, target, state.configuration)
    policy = new_policy(machine, state.configuration, differs.beyond)
    findings = (
        *way_findings(host, target, state),
        *boot_findings(talosctl.ask, host, machine, state),
        *_state_findings(talosctl, host, policy),
        *network_findings(host, differs.beyond),
        *beyond_findings(host, differs.beyond),
    )
    if not differs.patch:
        return change, findings
    text = patch_text(differs.patch)
    tried = talosctl.act(change.node, [*PATCH, text, "--dry-run"])
    if tried.problem:
        refused = f"Talos refuses the patch of `{host.name.value}`: {tried.problem}"
        return None, (*findings, codes.STEP_FAILED(refused, host.name.span, help=_refused(target, state)))
    reboot = bool(change.image) or differs.pages or bool(re.search(r"\bwith a reboot\b", tried.text))
    reasons = (*change.reasons, *_patch_reasons(differs))
    removes = tuple(described(item) for item in differs.beyond.left)
    return change._replace(patch=text, reboot=reboot, reasons=reasons, removes=removes, policy=policy), findings


def _state_findings(talosctl: Talosctl, host: Host, policy: str) -> Iterator[Diagnostic]:
    """That a kubelet would not start with another policy; an error only once the machine is to be changed."""
    if policy and (kept := state_finding(talosctl.ask, host, policy)):
        yield kept.as_warning()


def _unanswered(name: str, address: Placed[str], state: Running) -> Diagnostic:
    if state.version:  # it answers, so it is configured
        return codes.NO_ANSWER(f"`{name}` ({address.value}) does not tell what it runs: {state.problem}", address.span)
    text = f"`{name}` ({address.value}) does not answer: {state.problem}"
    help_ = "a machine that has no configuration yet gets it from the patch, as talos/README.md says"
    return codes.NO_ANSWER(text, address.span, help=help_)


def _image_reasons(machine: Machine, target: Target, state: Running) -> tuple[str, ...]:
    reasons = []
    if state.schematic != machine.schematic.id:
        reasons.append(f"schematic {_short(state.schematic)} -> {_short(machine.schematic.id)}")
    if state.version != str(target.version):
        reasons.append(f"Talos {state.version} -> {target.version}")
    return tuple(reasons)


def _patch_reasons(differs: Difference) -> tuple[str, ...]:
    reasons = [f"configuration: {', '.join(differs.lacks)}"] if differs.lacks else []
    if gone := [described(item) for item in differs.beyond.left]:
        reasons.append(f"no longer defined: {', '.join(gone)}")
    if differs.beyond.record:
        reasons.append(f"no longer needed: {RECORD_NAME}")
    return (*reasons, "the kubelet counts hugepages when it starts") if differs.pages else tuple(reasons)


def _refused(target: Target, state: Running) -> str:
    """Why a patch may be refused: it is written for the version that is not there yet, or for another base."""
    if state.version == str(target.version):
        return _BASE
    return (
        f"it is written for {target.version}, and {state.version} runs: upgrade the machine by itself first, or {_BASE}"
    )


def _short(schematic: str) -> str:
    return schematic[:12] or "none"
