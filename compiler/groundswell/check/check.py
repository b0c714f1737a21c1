"""The whole of a check: charts, rendering, rules, suppressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from groundswell.check import cache
from groundswell.check.charts import find_charts
from groundswell.check.places import folder_place
from groundswell.check.render import Renderer
from groundswell.check.rule import judge
from groundswell.check.schedule import render_all
from groundswell.check.suppress import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from groundswell.check.charts import Sources
    from groundswell.check.helm import Helm
    from groundswell.check.rendering import Rendering
    from groundswell.check.rule import Rule
    from groundswell.check.subject import Subject
    from groundswell.check.suppress import Suppression
    from groundswell.check.target import Target
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Chart
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, what was judged and what was not, and the digests of the archives that were used.

    `schemas` says which ones of built-in kinds were taken, "" when they were the target's. `unknown` are phrases for
    what was not evaluated or could not be judged.
    """

    findings: tuple[Diagnostic, ...]
    target: Target
    judged: tuple[str, ...]
    unjudged: tuple[str, ...]
    objects: int
    suppressed: int
    schemas: str
    unknown: tuple[str, ...]
    digests: Mapping[Chart, str]


def check(
    subject: Subject,
    target: Target,
    sources: Sources,
    suppressions: Sequence[Suppression] = (),
    *,
    progress: Callable[[str], None] = lambda _: None,
    cluster: Cluster | None = None,
) -> Report:
    """Render every folder of a subject and judge the objects with all rules, those on hosts where there is a `cluster`.

    `progress` is told the name of each folder that was rendered. Nothing is written but the user's cache.
    """
    charts, missing = find_charts(_wanted(subject), sources)
    renderer = Renderer(sources.helm, sources.environment, target, online=sources.pull)
    rendering, failures = render_all(
        subject, charts, target, renderer, progress=progress, meanwhile=partial(_load, subject.plan)
    )
    from groundswell.check.schema_limits import limits  # noqa: PLC0415  as above
    from groundswell.check.unknown import unknowns  # noqa: PLC0415  as above

    rendering = replace(rendering, cluster=cluster, assumed=_assumed(sources.helm, target))
    unjudged = tuple(folder.name for folder in subject.plan.folders if folder.name not in rendering.folders)
    components = {folder.component for folder in subject.plan.folders if folder.name in unjudged}
    kept, suppressed = apply(judge(rendering, _rules()), suppressions, components)
    limited = limits(rendering)
    cache.prune()
    return Report(
        findings=(*missing, *failures, *limited.findings, *kept),
        target=target,
        judged=tuple(rendering.folders),
        unjudged=unjudged,
        objects=len(rendering.objects),
        suppressed=suppressed,
        schemas=limited.schemas,
        unknown=((limited.rules,) if limited.rules else ()) + unknowns(rendering),
        digests=_digests(rendering),
    )


def _load(plan: Plan) -> None:
    """Load what the objects will be judged with."""
    _rules()
    if plan.resolution.criteria.get("os") == "talos":
        import groundswell.check.talos_nodes  # noqa: F401, PLC0415  read while helm works


def _rules() -> tuple[Rule, ...]:
    from groundswell.check.rules import RULES  # noqa: PLC0415  read while helm works

    return RULES


def _wanted(subject: Subject) -> dict[Chart, Span | None]:
    """The charts of the folders, each with the place in the catalog that asks for it."""
    wanted: dict[Chart, Span | None] = {}
    for folder in subject.plan.folders:
        component = subject.plan.components[folder.component]
        if not folder.local and component.chart is not None:
            wanted.setdefault(component.chart, folder_place(component, folder))
    return wanted


def _assumed(helm: Helm, target: Target) -> frozenset[str]:
    from groundswell.check.served_apis import newest, served_names  # noqa: PLC0415  as above

    return helm.apis - set(served_names(target.minor)) if target.minor <= newest() else frozenset()


def _digests(rendering: Rendering) -> dict[Chart, str]:
    """Of the archives that were read whole and rendered: only what was seen to be a chart is worth locking."""
    return {
        rendered.component.chart: rendered.chart.digest
        for rendered in rendering.folders.values()
        if rendered.component.chart and rendered.chart and rendered.chart.archive
    }
