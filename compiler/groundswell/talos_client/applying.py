"""Bringing running machines to their definition, one at a time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.talos_client.prepare import PATCH
from groundswell.talos_client.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos_client.prepare import Change
    from groundswell.talos_client.talosctl import Talosctl

_OLD_IMAGE = frozenset([codes.DRIFT_SCHEMATIC.code, codes.DRIFT_VERSION.code])
_SETTLE_PAUSE = 5.0  # seconds between two looks at a machine that has just been changed


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

    def apply(self, changes: Sequence[Change]) -> tuple[Diagnostic, ...]:
        """Apply them; what is returned is empty when all machines are as defined now."""
        pending = [change for change in changes if change.action != "nothing"]
        if not pending:
            return ()
        try:
            self._tell("waiting until the cluster is healthy")
            if problem := self._health(pending[0]):
                return (self._failed(pending, f"the cluster is not healthy, so nothing was changed: {problem}"),)
            while pending:
                if findings := self._one(pending[0], pending):
                    return findings
                del pending[0]
        except KeyboardInterrupt:
            return (self._interrupted(pending),)
        return ()

    def _tell(self, step: str) -> None:
        self._step = step
        self._say(step)

    def _one(self, change: Change, pending: Sequence[Change]) -> tuple[Diagnostic, ...]:
        name = change.host.name.value
        for what, words, limit in self._steps(change):
            self._tell(f"{name}: {what}")
            answer = self._talosctl.act(change.node, words, limit)
            if answer.problem:
                return (self._failed(pending, f"`{name}`: {what} failed: {answer.problem}"),)
        self._tell(f"{name}: waiting until the cluster is healthy")
        if problem := self._health(change):
            return (self._failed(pending, f"the cluster is not healthy after the change of `{name}`: {problem}"),)
        self._tell(f"{name}: comparing")
        if drift := self._compare(change):
            text = f"`{name}` is not as defined after its change"
            if change.image and {item.code for item in drift} & _OLD_IMAGE:
                text = f"`{name}` came back with the image that it had, as Talos does when a new one does not start"
            return (*drift, self._failed(pending, text))
        return ()

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
            drift = verify(self._talosctl.ask, change.host, change.machine, self._cluster.target)
            if not failed(drift) or time.monotonic() >= until:
                return drift if failed(drift) else ()
            time.sleep(min(_SETTLE_PAUSE, max(0.0, until - time.monotonic())))

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


def _names(pending: Iterable[Change]) -> str:
    return ", ".join(f"`{change.host.name.value}`" for change in pending)
