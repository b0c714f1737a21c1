"""Whether a component's chart is one chart, from a place that a published bundle may name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.resolve.chart_version import EXACT_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component

_CREDENTIALS = re.compile(r"[^/]*//[^/]*@")


def chart_findings(component: Component) -> Iterator[Diagnostic]:
    """A version that Helm reads as a range, and a user or password in the repository. For every deployer alike."""
    chart = component.chart
    if chart is None:
        return
    if not re.fullmatch(EXACT_VERSION, chart.version):
        yield codes.MOVING_VERSION(
            f"chart version `{chart.version}` of `{component.name}` does not name one version",
            field_place(component, "version"),
            help="write the exact version with its three numbers, such as `1.2.3`",
        )
    if _CREDENTIALS.match(chart.repository):
        yield codes.CREDENTIALS(
            f"the repository of `{component.name}` holds a user or password",
            field_place(component, "repository"),
            help="remove them from the URL",
        )
