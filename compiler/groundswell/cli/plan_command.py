"""`groundswell plan`: the waves and folders that a query leads to."""

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


@click.command("plan", cls=Command)
@query_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="The form on stdout.",
)
@diagnostics_option
def command(form: str, diagnostics: str, **rest: Any) -> None:
    """Show the waves and folders of a query."""
    from groundswell.cli.planning import plan_or_stop

    planned = plan_or_stop(rest, diagnostics)
    report_or_stop(planned.findings, planned.sources, diagnostics)
    click.echo(_json(planned.plan) if form == "json" else _table(planned.plan))


def _table(plan: Plan) -> str:
    rows = []
    for folder in plan.folders:
        chart = plan.components[folder.component].chart
        what = f"{chart.name} {chart.version}" if chart and not folder.local else "manifests"
        waits = ", ".join(plan.dependencies[folder.component])
        rows.append((str(folder.wave), folder.name, what, folder.namespace, waits))
    text = table(("WAVE", "FOLDER", "INSTALLS", "NAMESPACE", "WAITS FOR"), rows)
    if plan.provided:
        text += f"\nswitched off, taken as present: {', '.join(plan.provided)}"
    return text


def _json(plan: Plan) -> str:
    folders = [
        {
            "number": int(folder.number),
            "name": folder.name,
            "component": folder.component,
            "phase": folder.phase.name.lower(),
            "level": folder.level,
            "wave": folder.wave,
            "namespace": folder.namespace,
            "kind": "local" if folder.local else "chart",
        }
        for folder in plan.folders
    ]
    edges = {name: list(targets) for name, targets in sorted(plan.dependencies.items())}
    document = {"folders": folders, "dependencies": edges, "provided": list(plan.provided)}
    return json.dumps(document, indent=2, ensure_ascii=False)
