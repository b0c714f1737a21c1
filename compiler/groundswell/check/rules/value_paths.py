"""Every value reaches something in its chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.check.chart_values import words_in
from groundswell.check.places import placed_below
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.chart_values import Path
    from groundswell.check.rendering import RenderedFolder, Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each path that a chart neither has a default for, nor a schema, nor reads in a template.

    A map without defaults is free-form. Values that only the component's own manifests read are fine.
    """
    for rendered in rendering.folders.values():
        component = rendered.component
        if not rendered.unknown:
            continue
        own = words_in(item.text for item in (*component.manifests, *component.pre_manifests))
        for path, advice in rendered.unknown:
            if path[-1] not in own:
                yield _found(rendered, path, advice)


def _found(rendered: RenderedFolder, path: Path, advice: str) -> Found:
    component, chart = rendered.component, rendered.component.chart
    title = f"{chart.name} {chart.version}" if chart else ""
    message = f"`{format_path(path)}` of `{component.name}` is no value of the chart `{title}`"
    return about(codes.UNKNOWN_VALUE, rendered, message, place=placed_below(component, path), advice=advice)


RULE = Rule(
    "value-paths",
    str(__doc__),
    (codes.UNKNOWN_VALUE,),
    "https://helm.sh/docs/chart_template_guide/values_files/",
    judge,
)
