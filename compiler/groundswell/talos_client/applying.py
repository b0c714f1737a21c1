"""Bringing running machines to their definition, one at a time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.diagnostics.diagnostic import Severity, failed
from groundswell.talos_client.cpu_manager import state_finding
from groundswell.talos_client.prepare import PATCH
from groundswell.talos_client.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos_client.prepare import Change
    from groundswell.talos_client.talosctl import Talosctl

_OLD_IMAGE = frozenset([codes.DRIFT_SCHEMATIC.code, codes.DRIFT_VERSION.code])
_SETTLE_PAUSE = 5.0  # seconds between two looks at a machine that has just been changed


class Applied(NamedTuple):
    """What a run came to: what went wrong, or differs although no patch and no image would change it.

    `as_defined` are the hosts that are so now, `besides` those that also have what the plan warned of.
    """

    findings: tuple[Diagnostic, ...]
    as_defined: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


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
        self._step = ""

    def apply(self, changes: Sequence[Change]) -> Applied:
        """Apply them, and compare the machines that take nothing, too."""
        drift: dict[str, tuple[Diagnostic, ...]] = {}
        pending = [change for change in changes if change.action != "nothing"]
        try:
            if pending:
                self._tell("waiting until the cluster is healthy")
                if problem := self._health(pending[0]):
                    text = f"the cluster is not healthy, so nothing was changed: {problem}"
                    return Applied((self._failed(pending, text),))
            while pending:
                name = pending[0].host.name.value
                findings, drift[name] = self._one(pending[0], pending)
                if findings:
                    return Applied(findings)
                del pending[0]
            for change in changes:
                if change.action == "nothing":
                    self._tell(f"{change.host.name.value}: comparing")
                    drift[change.host.name.value] = self._verified(change)
        except KeyboardInterrupt:
            return Applied((self._interrupted(pending or changes),))
        return _applied({name: drift[name] for name in (change.host.name.value for change in changes)})

    def _tell(self, step: str) -> None:
        self._step = step
        self._say(step)

    def _one(self, change: Change, pending: Sequence[Change]) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
        """Change one machine: why it failed, and else what it still has besides its definition."""
        name = change.host.name.value
        then = f", then run the same command again: it goes on with {_names(pending)}"
        if change.policy and (kept := state_finding(self._talosctl.ask, change.host, change.policy, then)):
            return (kept,), ()
        for what, words, limit in self._steps(change):
            self._tell(f"{name}: {what}")
            answer = self._talosctl.act(change.node, words, limit)
            if answer.problem:
                return (self._failed(pending, f"`{name}`: {what} failed: {answer.problem}"),), ()
        self._tell(f"{name}: waiting until the cluster is healthy")
        if problem := self._health(change):
            return (self._failed(pending, f"the cluster is not healthy after the change of `{name}`: {problem}"),), ()
        self._tell(f"{name}: comparing")
        drift = self._compare(change)
        if failed(drift):
            text = f"`{name}` is not as defined after its change"
            if change.image and {item.code for item in drift} & _OLD_IMAGE:
                text = f"`{name}` came back with the image that it had, as Talos does when a new one does not start"
            return (*drift, self._failed(pending, text)), ()
        return (), drift

    def _steps(self, change: Change) -> Iterable[tuple[str, list[str], float | None]]:
        waiting = ["--wait", "--timeout", f"{self._wait:g}s"]
        if change.patch:
            mode = "staged" if change.reboot else "no-reboot"
            yield (
                "patching, to take effect with the reboot" if change.reboot else "patching",
                [*PATCH, change.patch, "--mode", mode],
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
            drift = self._verified(change)
            if not failed(drift) or time.monotonic() >= until:
                return drift
            time.sleep(min(_SETTLE_PAUSE, max(0.0, until - time.monotonic())))

    def _verified(self, change: Change) -> tuple[Diagnostic, ...]:
        return verify(self._talosctl.ask, change.host, change.machine, self._cluster.target)

    def _failed(self, pending: Sequence[Change], text: str) -> Diagnostic:
        help_ = f"mend this and run the same command again: it goes on with {_names(pending)}"
        return codes.STEP_FAILED(text, pending[0].host.name.span, help=help_)

    def _interrupted(self, pending: Sequence[Change]) -> Diagnostic:
        text = f"interrupted at this step: {self._step}"
        help_ = (
            "Talos goes on with what it was told to do: wait until the machine is back and run the same command again; "
            f"it goes on with {_names(pending)}"
        )
        return codes.INTERRUPTED(text, pending[0].host.name.span, help=help_)


def _applied(drift: Mapping[str, tuple[Diagnostic, ...]]) -> Applied:
    """What a run came to that got to its end. Warnings were told with the plan."""
    more = {name: [item for item in found if item.severity is not Severity.HINT] for name, found in drift.items()}
    return Applied(
        tuple(item for found in more.values() for item in found if item.severity is Severity.ERROR),
        tuple(name for name, found in more.items() if not found),
        tuple(name for name, found in more.items() if found and not failed(found)),
    )


def _names(pending: Iterable[Change]) -> str:
    return ", ".join(f"`{change.host.name.value}`" for change in pending)
