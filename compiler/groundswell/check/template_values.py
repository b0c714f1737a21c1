"""The values that the template of an object reads: what a finding about the object can point to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.chart_files import UnreadableChartError, files_of
from groundswell.plan.plan import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder
    from groundswell.check.value_reads import Reads

_SUBCHART = re.compile(r"/charts/([^/]+)")
_VALUE = re.compile(rb"\.Values\.([\w.]+)")


def subcharts(item: KubeObject) -> list[str]:
    """The subcharts that an object's template is in, outermost first; none for a template of the chart itself."""
    return _SUBCHART.findall(item.source)


def values_read(rendered: RenderedFolder, item: KubeObject, telling: re.Pattern[str]) -> list[str]:
    """The values with telling names that the template of an object reads, as the chart's user writes their paths."""
    if rendered.chart is None:
        return []
    text = _files(rendered.chart).get(item.source.partition("/")[2], b"")
    prefix = "".join(f"{subchart}." for subchart in subcharts(item))
    found = dict.fromkeys(value.decode().rstrip(".") for value in _VALUE.findall(text))
    return [f"{prefix}{value}" for value in found if telling.search(value)]


def reads_of_template(rendered: RenderedFolder, item: KubeObject) -> Reads | None:
    """The values that the template of an object reads, by whatever it includes too; None when it is not at hand.

    Their paths are those of the chart that the template is in.
    """
    component = rendered.component
    if rendered.folder.local:
        manifests = component.pre_manifests if rendered.folder.phase is Phase.PRE else component.manifests
        reads = _reads_of(tuple(manifest.text for manifest in manifests), ())
        return reads.below.get(component.name, reads)
    return None if rendered.chart is None else _reads_in(rendered.chart, item.source.partition("/")[2])


def _files(chart: ChartAt) -> Mapping[str, bytes]:
    """The files of a chart, none when it cannot be read."""
    try:
        return dict(files_of(chart))
    except UnreadableChartError:
        return {}


@lru_cache(maxsize=32)
def _reads_in(chart: ChartAt, file: str) -> Reads | None:
    texts = {
        name: data.decode(errors="replace")
        for name, data in _files(chart).items()
        if name == file or (b"{{" in data and b"define" in data)
    }
    return _reads_of((texts.pop(file),), tuple(texts.values())) if file in texts else None


def _reads_of(own: tuple[str, ...], others: tuple[str, ...]) -> Reads:
    from groundswell.check.template_text import templates_of  # noqa: PLC0415  only findings ask
    from groundswell.check.value_flow import reads_of  # noqa: PLC0415  as above

    return reads_of([templates_of(own)], [templates_of(others)])
