"""`groundswell resolve`: the recipe that a query leads to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop
from groundswell.cli.options import diagnostics_option, query_options
from groundswell.cli.table import table

if TYPE_CHECKING:
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component, Resolution


@click.command("resolve", cls=Command)
@query_options
@click.option("--values", is_flag=True, help="Also the merged Helm values of each component.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["yaml", "json", "table"]),
    default="yaml",
    show_default=True,
    help="The form on stdout.",
)
@diagnostics_option
def command(values: bool, form: str, diagnostics: str, **rest: Any) -> None:
    """Show the recipe that a query leads to."""
    from groundswell.cli.planning import plan_or_stop

    planned = plan_or_stop(rest, diagnostics, quiet=form == "table")
    report_or_stop(planned.findings, planned.sources, diagnostics)
    if form == "table":
        click.echo(_table(planned.plan.resolution))
        if planned.checks:
            from groundswell.cli.snapshot_file import checks_table

            click.echo("\n" + checks_table(planned.checks, planned.sources))
        return
    document = _document(planned.plan, values=values)
    if form == "json":
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    from groundswell.source.emitter import emit

    click.echo(emit(document), nl=False)


def _document(plan: Plan, *, values: bool) -> dict[str, Any]:
    from groundswell.resolve.constraints import joined

    resolution = plan.resolution
    criteria: dict[str, Any] = dict(resolution.criteria)
    if resolution.nodes is not None:
        criteria["nodes"] = resolution.nodes
    order = dict.fromkeys(folder.component for folder in plan.folders)
    return {
        "criteria": criteria,
        "appliedOverlays": list(resolution.applied),
        "mixins": list(resolution.mixins),
        "constraints": [{"name": name, "value": value} for name, value in joined(resolution.constraints).items()],
        "componentRefs": [_ref(item, values=values) for item in resolution.components],
        "deploymentOrder": list(order),
    }


def _ref(item: Component, *, values: bool) -> dict[str, Any]:
    chart = item.chart
    document: dict[str, Any] = {
        "name": item.name,
        "type": "Helm",
        "source": chart.repository if chart else "",
        "chart": chart.name if chart else "",
        "version": chart.version if chart else "",
        "namespace": item.namespace,
        "dependencyRefs": list(item.dependencies),
        "manifestFiles": [manifest.file.partition("/")[2] for manifest in item.manifests],
        "preManifestFiles": [manifest.file.partition("/")[2] for manifest in item.pre_manifests],
        "enabled": item.enabled,
        "overrides": _overrides(item),
    }
    if values:
        document["values"] = item.values
    return document


def _overrides(item: Component) -> dict[str, Any]:
    """The values that a layer above the component's own defaults decided."""
    found: dict[str, Any] = {}
    for path, origins in item.origins.items():
        if origins[-1].layer.startswith("component ") or origins[-1].action == "delete":
            continue
        target = found
        for key in path[:-1]:
            target = target.setdefault(key, {})
        target[path[-1]] = origins[-1].value
    return found


def _table(resolution: Resolution) -> str:
    rows = [
        (
            item.name,
            item.chart.version if item.chart else "",
            item.namespace,
            "yes" if item.enabled else "no",
            item.chart.repository if item.chart else "manifests only",
        )
        for item in resolution.components
    ]
    head = f"recipes: {', '.join(resolution.applied)}\nmixins:  {', '.join(resolution.mixins) or 'none'}\n"
    return head + table(("COMPONENT", "VERSION", "NAMESPACE", "ENABLED", "SOURCE"), rows)
