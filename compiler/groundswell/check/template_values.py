"""The values that the template of an object reads: what a finding about the object can point to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.chart_files import UnreadableChartError, chart_files

if TYPE_CHECKING:
    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder

_SUBCHART = re.compile(r"/charts/([^/]+)")
_VALUE = re.compile(rb"\.Values\.([\w.]+)")


def subcharts(item: KubeObject) -> list[str]:
    """The subcharts that an object's template is in, outermost first; none for a template of the chart itself."""
    return _SUBCHART.findall(item.source)


def values_read(rendered: RenderedFolder, item: KubeObject, telling: re.Pattern[str]) -> list[str]:
    """The values with telling names that the template of an object reads, as the chart's user writes their paths."""
    if rendered.chart is None:
        return []
    inside = item.source.partition("/")[2]
    try:
        text = next((data for name, data in chart_files(rendered.chart.path) if name == inside), b"")
    except UnreadableChartError:
        return []
    prefix = "".join(f"{subchart}." for subchart in subcharts(item))
    found = dict.fromkeys(value.decode().rstrip(".") for value in _VALUE.findall(text))
    return [f"{prefix}{value}" for value in found if telling.search(value)]
