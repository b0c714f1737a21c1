"""Every value reaches something in its chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.check.chart_files import UnreadableChartError
from groundswell.check.chart_values import known_values, words_in
from groundswell.check.places import placed_below
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.chart_values import ChartValues, Path
    from groundswell.check.rendering import RenderedFolder, Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each path that a chart neither has a default for, nor a schema, nor reads in a template.

    A map without defaults is free-form. Values that only the component's own manifests read are fine.
    """
    for rendered in rendering.folders.values():
        component = rendered.component
        if rendered.chart is None or not component.values:
            continue
        try:
            known = known_values(rendered.chart)
        except UnreadableChartError:
            continue
        own = words_in(item.text for item in (*component.manifests, *component.pre_manifests))
        for path in known.unknown(component.values):
            if path[-1] not in own:
                yield _found(rendered, known, path)


def _found(rendered: RenderedFolder, known: ChartValues, path: Path) -> Found:
    component, chart = rendered.component, rendered.component.chart
    title = f"{chart.name} {chart.version}" if chart else ""
    message = f"`{format_path(path)}` of `{component.name}` is no value of the chart `{title}`"
    advice = _advice(known, path)
    return about(codes.UNKNOWN_VALUE, rendered, message, place=placed_below(component, path), advice=advice)


def _advice(known: ChartValues, path: Path) -> str:
    """The value that was meant: one with a name like it beside it, else the only one of that name elsewhere."""
    paths = list(known.paths())
    beside = {other[-1] for other in paths if other[:-1] == path[:-1]}
    guess = nearest(path[-1], beside)
    if guess:
        return f"did you mean `{format_path((*path[:-1], guess))}`?"
    elsewhere = [other for other in paths if other[-1] == path[-1]]
    return f"the chart has `{format_path(elsewhere[0])}`" if len(elsewhere) == 1 else ""


RULE = Rule(
    "value-paths",
    str(__doc__),
    (codes.UNKNOWN_VALUE,),
    "https://helm.sh/docs/chart_template_guide/values_files/",
    judge,
)
