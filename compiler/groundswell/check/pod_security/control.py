"""A control of the Pod Security Standards: a rule with the revisions that Kubernetes minors brought."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check.pod_security.pod import Finding, Pod

if TYPE_CHECKING:
    from groundswell.check.pod_security.levels import Level

Judge: TypeAlias = Callable[[Pod], Iterator[Finding]]
"""Yields what a pod has that a control forbids."""


class Revision(NamedTuple):
    """How a control judges from Kubernetes 1.`since` on, until its next revision."""

    since: int
    judge: Judge


class Control(NamedTuple):
    """One control, under the identifier that Kubernetes gives it.

    `level` is the lowest level that applies it, `rule` what it allows, in one sentence. `overrides` is the control that
    its own first revision, being stricter, takes the place of. Revisions stand in rising order.
    """

    id: str
    level: Level
    rule: str
    revisions: tuple[Revision, ...]
    overrides: str = ""

    def at(self, minor: int) -> Revision | None:
        """The revision that counts for the policy of Kubernetes 1.`minor`, None where the control did not exist."""
        return next((revision for revision in reversed(self.revisions) if revision.since <= minor), None)


def except_windows(judge: Judge) -> Judge:
    """The same control for pods of Linux only: on Windows the field cannot be set."""
    return lambda pod: iter(()) if pod.runs_on_windows else judge(pod)


def except_user_namespace(judge: Judge) -> Judge:
    """The same control for pods without a user namespace: in one, root is nobody on the host."""
    return lambda pod: iter(()) if pod.has_user_namespace else judge(pod)
