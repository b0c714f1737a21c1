"""From the shared options to a plan, or to an exit with what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from groundswell.cli.findings import stop
from groundswell.cli.options import take_inputs
from groundswell.cli.resolving import resolve_inputs
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.plan.build import build_plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.cli.node_layer import ClusterFile
    from groundswell.cli.resolving import Resolved
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.snapshot.evaluate import Check

    WithoutPlan = Callable[[RunSources], tuple[Diagnostic, ...]]


class Planned(NamedTuple):
    """A plan with the warnings so far; the resolution is in the plan. `checks` are those of a snapshot."""

    plan: Plan
    findings: tuple[Diagnostic, ...]
    sources: RunSources
    checks: tuple[Check, ...] = ()


def plan_of(resolved: Resolved) -> tuple[Plan | None, tuple[Diagnostic, ...]]:
    """The plan, None when a finding is an error; and every finding, those about the resolution among them.

    With errors in the resolution, whatever does not follow from them is told of its plan, too.
    """
    judged = resolved.resolution or resolved.draft
    if judged is None:
        return None, resolved.findings
    plan, found = build_plan(judged)
    return plan if resolved.resolution else None, (*resolved.findings, *found)


def _wrong_version(version: str, resolved: Resolved) -> tuple[Diagnostic, ...]:
    """Errors for `--talos-version`, as far as criteria are known."""
    judged = resolved.resolution or resolved.draft
    criteria = judged.criteria if judged else resolved.criteria
    if criteria and criteria.get("os") != "talos":
        return (codes.NO_EFFECT("`--talos-version` does nothing without `os: talos`"),)
    from groundswell.talos.version import parse_version

    return tuple(finding for finding in parse_version(version)[1] if failed([finding]))


def plan_or_stop(
    arguments: dict[str, Any],
    diagnostics: str,
    *,
    quiet: bool = False,
    talos_version: str | None = None,
    cluster: ClusterFile | None = None,
    before: tuple[Diagnostic, ...] = (),
    without_plan: WithoutPlan | None = None,
) -> Planned:
    """Take the shared options out of a command's arguments and plan; errors are reported and exit with 1.

    `talos_version` takes the place of the one that recipes state, unless there is a `cluster`. `before` are findings
    that belong to the run whatever comes of the plan; `without_plan` is asked for more of them when there is none.

    The checks against a snapshot are shown on stderr, unless `quiet` and nothing is wrong.
    """
    inputs = take_inputs(arguments)
    resolved = resolve_inputs(cluster.beside(inputs) if cluster else inputs)
    if resolved.checks and not (quiet and resolved.resolution):
        from groundswell.cli.snapshot_file import show_checks

        show_checks(resolved.checks, resolved.sources, diagnostics)
    if talos_version is not None and cluster is None:
        before = (*before, *_wrong_version(talos_version, resolved))
    plan, found = plan_of(resolved)
    findings = (*before, *found)
    if plan is None:
        more = without_plan(resolved.sources) if without_plan else ()
        stop((*findings, *more), resolved.sources, diagnostics)
    if talos_version is not None:
        plan = plan._replace(resolution=plan.resolution._replace(talos_version=talos_version))
    return Planned(plan, findings, resolved.sources, resolved.checks)
