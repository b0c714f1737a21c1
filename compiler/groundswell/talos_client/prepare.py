"""What would bring running machines to their definition, and doing it, one machine at a time."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.patch import patch, patch_text
from groundswell.talos_client.remaining import doubled_modules, remaining
from groundswell.talos_client.running import running
from groundswell.talos_client.verify import verify
from groundswell.talos_client.warnings import way_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from groundswell.talos_client.talosctl import Talosctl

_PATCH = ("patch", "machineconfig", "--patch")
_HELP_REFUSED = "the base of its configuration may be of another form: see `baseConfig`"
_WITH_REBOOT = re.compile(r"\bwith a reboot\b")
_SETTLE_PAUSE = 5.0  # seconds between two looks at a machine that has just been changed


@dataclass(frozen=True, slots=True)
class Change:
    """What one machine takes. Without an image and a patch it is as defined.

    `patch` is what its configuration lacks, `image` the one to upgrade to; `reasons` say why in words. A patch with an
    image is staged, so that one reboot serves both.
    """

    host: Host
    machine: Machine
    image: str = ""
    patch: str = ""
    reboot: bool = False
    reasons: tuple[str, ...] = ()

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
    """What one machine takes, by what it runs and by a dry run of what its configuration lacks. Nothing is changed.

    Returns:
        The change, None when it cannot be told, and findings.
    """
    name = host.name.value
    if host.address is None:
        return None, (codes.NO_ADDRESS(f"host `{name}` has no address", host.name.span),)
    state = running(talosctl.ask, host.address.value)
    if state.problem:
        text = f"`{name}` ({host.address.value}) does not answer: {state.problem}"
        help_ = "a machine that has no configuration yet gets it from the patch, as talos/README.md says"
        return None, (codes.NO_ANSWER(text, host.address.span, help=help_),)
    findings = tuple(way_findings(host, machine, target, state))
    reasons = []
    if state.schematic != machine.schematic.id:
        reasons.append(f"schematic {_short(state.schematic)} -> {_short(machine.schematic.id)}")
    if state.version != str(target.version):
        reasons.append(f"Talos {state.version} -> {target.version}")
    image = target.installer(machine.schematic) if reasons else ""
    rest = remaining(patch(machine, target), state.configuration)
    if not rest:
        return Change(host, machine, image, reasons=tuple(reasons)), findings
    text = patch_text(rest)
    tried = talosctl.act(host.address.value, [*_PATCH, text, "--dry-run"])
    if tried.problem:
        refused = f"Talos refuses the patch of `{name}`: {tried.problem}"
        return None, (*findings, codes.STEP_FAILED(refused, host.name.span, help=_HELP_REFUSED))
    reasons.append("configuration: " + ", ".join(_named(rest)))
    if pages := "hugepages" in text:
        reasons.append("the kubelet counts hugepages when it starts")
    doubled = [
        codes.OTHER_PARAMETERS(f"`{name}` lists the module `{module}` with other parameters", host.name.span)
        for module in doubled_modules(rest, state.configuration)
    ]
    reboot = pages or bool(image) or bool(_WITH_REBOOT.search(tried.text))
    return Change(host, machine, image, text, reboot=reboot, reasons=tuple(reasons)), (*findings, *doubled)


class Applying:
    """Applies changes in order and stops at the first failure.

    `wait` is how long, in seconds, a machine may take to come back and the cluster to be healthy, `settle` how long a
    changed machine may take until it is as defined. `say` is told each step before it is done.
    """

    def __init__(
        self, talosctl: Talosctl, cluster: Cluster, say: Callable[[str], None], *, wait: float, settle: float
    ) -> None:
        self._talosctl = talosctl
        self._cluster = cluster
        self._say = say
        self._wait = wait
        self._settle = settle

    def apply(self, changes: Sequence[Change]) -> tuple[Diagnostic, ...]:
        """Apply them; what is returned is empty when all machines are as defined now."""
        pending = [change for change in changes if change.action != "nothing"]
        if not pending:
            return ()
        self._say("waiting until the cluster is healthy")
        if problem := self._health(pending[0]):
            return (self._failed(pending, f"the cluster is not healthy, so nothing was changed: {problem}"),)
        for index, change in enumerate(pending):
            if findings := self._one(change, pending[index:]):
                return findings
        return ()

    def _one(self, change: Change, pending: Sequence[Change]) -> tuple[Diagnostic, ...]:
        name = change.host.name.value
        for what, words, limit in self._steps(change):
            self._say(f"{name}: {what}")
            answer = self._talosctl.act(change.node, words, limit)
            if answer.problem:
                return (self._failed(pending, f"`{name}`: {what} failed: {answer.problem}"),)
        self._say(f"{name}: waiting until the cluster is healthy")
        if problem := self._health(change):
            return (self._failed(pending, f"the cluster is not healthy after the change of `{name}`: {problem}"),)
        self._say(f"{name}: comparing")
        if drift := self._compare(change):
            return (*drift, self._failed(pending, f"`{name}` is not as defined after its change"))
        return ()

    def _steps(self, change: Change) -> Iterable[tuple[str, list[str], float | None]]:
        waiting = ["--wait", "--timeout", f"{self._wait:g}s"]
        if change.patch:
            mode = "staged" if change.reboot else "no-reboot"
            yield (
                "patching, to take effect with the reboot" if change.reboot else "patching",
                [
                    *_PATCH,
                    change.patch,
                    "--mode",
                    mode,
                ],
                None,
            )
        if change.image:
            yield f"upgrading to {change.image}", ["upgrade", "--image", change.image, *waiting], self._wait
        elif change.reboot:
            yield "rebooting", ["reboot", *waiting], self._wait

    def _health(self, change: Change) -> str:
        """Why the cluster is not healthy, "" when it is: all machines of the file are to be there, as members of it."""
        hosts = [host for host in self._cluster.hosts if host.address]
        planes = [host.address.value for host in hosts if host.address and host.control_plane]
        workers = [host.address.value for host in hosts if host.address and not host.control_plane]
        words = ["health", "--wait-timeout", f"{self._wait:g}s"]
        if not planes:
            # Only control planes can judge the cluster; without any in the file, the members that Talos knows count.
            return self._talosctl.act(change.node, [*words, "--server=false"], self._wait).problem
        words += ["--control-plane-nodes", ",".join(planes)]
        words += ["--worker-nodes", ",".join(workers)] if workers else []
        return self._talosctl.act(planes[0], words, self._wait).problem

    def _compare(self, change: Change) -> tuple[Diagnostic, ...]:
        """What differs still when the machine has had its time to settle."""
        until = time.monotonic() + self._settle
        while True:
            drift = verify(self._talosctl.ask, change.host, change.machine, self._cluster.target)
            if not drift or time.monotonic() >= until:
                return drift
            time.sleep(min(_SETTLE_PAUSE, max(0.0, until - time.monotonic())))

    def _failed(self, pending: Sequence[Change], text: str) -> Diagnostic:
        names = ", ".join(f"`{change.host.name.value}`" for change in pending)
        help_ = f"mend this and run the same command again: it goes on with {names}"
        return codes.STEP_FAILED(text, pending[0].host.name.span, help=help_)


def _named(documents: Iterable[object]) -> list[str]:
    """What remains of a patch, by the kinds of its documents and the sections of the one without a kind."""
    found = []
    for document in documents:
        assert isinstance(document, dict)
        if "kind" in document:
            found.append(" ".join(str(document[key]) for key in ("kind", "name") if key in document))
        else:
            found += [f"{section}.{key}" for section, content in document.items() for key in content]
    return found


def _short(schematic: str) -> str:
    return schematic[:12] or "none"
