"""The whole of a check: charts, rendering, rules, suppressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundswell.check.charts import find_charts
from groundswell.check.places import folder_place
from groundswell.check.render import Renderer
from groundswell.check.rule import judge
from groundswell.check.schedule import render_all
from groundswell.check.suppress import apply
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from groundswell.check.charts import Sources
    from groundswell.check.rendering import Rendering
    from groundswell.check.rule import Rule
    from groundswell.check.subject import Subject
    from groundswell.check.suppress import Suppression
    from groundswell.check.target import Target
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Chart
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, what was judged and what was not, and the digests of the archives that were used.

    `unknown` are phrases for what the rules on hosts could not judge.
    """

    findings: tuple[Diagnostic, ...]
    target: Target
    judged: tuple[str, ...]
    unjudged: tuple[str, ...]
    objects: int
    suppressed: int
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
    renderer = Renderer(sources.helm, sources.environment, target.version)
    rendering, failures = render_all(subject, charts, target, renderer, progress=progress, meanwhile=_rules)
    from groundswell.check.unknown import unknowns  # noqa: PLC0415  as above

    rendering = replace(rendering, cluster=cluster)
    unjudged = tuple(folder.name for folder in subject.plan.folders if folder.name not in rendering.folders)
    components = {folder.component for folder in subject.plan.folders if folder.name in unjudged}
    kept, suppressed = apply(judge(rendering, _rules()), suppressions, components)
    return Report(
        findings=(*missing, *failures, *_schemas(rendering), *kept),
        target=target,
        judged=tuple(rendering.folders),
        unjudged=unjudged,
        objects=len(rendering.objects),
        suppressed=suppressed,
        unknown=unknowns(rendering),
        digests={chart: found.digest for chart, found in charts.items() if found.archive},
    )


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


def _schemas(rendering: Rendering) -> Iterator[Diagnostic]:
    """Say so when built-in kinds could not be held against the schemas of the very target."""
    from groundswell.check.rules.schemas import schemas_for  # noqa: PLC0415  as above

    minor = rendering.target.minor
    known = schemas_for(minor)
    if known is None:
        advice = "install `groundswell[schemas]`"
        yield codes.NO_SCHEMAS(
            "objects of built-in kinds were not held against schemas: there are none here", help=advice
        )
    elif known.minor != minor:
        message = (
            f"objects were held against the schemas of Kubernetes 1.{known.minor}: there are none of 1.{minor} here"
        )
        yield codes.NO_SCHEMAS(message, help="install a newer `kubernetes-validate`")
