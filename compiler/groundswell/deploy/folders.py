"""A plan's folders with the files that every deployer shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.catalog.value_path import format_path
from groundswell.deploy.admission import namespace_findings
from groundswell.deploy.chart_source import chart_findings
from groundswell.deploy.deployer import BuiltFolder
from groundswell.deploy.digests import folder_digest
from groundswell.deploy.file_size import too_large_values
from groundswell.deploy.local_chart import local_chart, sorted_values
from groundswell.deploy.manifests import inspect
from groundswell.deploy.places import value_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.plan.plan import Phase
from groundswell.source.emitter import emit
from groundswell.source.numbers import Risk, numbers_at_risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.deploy.manifests import Inspected
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component, Manifest


def build_folders(plan: Plan) -> tuple[dict[str, BuiltFolder], tuple[Diagnostic, ...]]:
    """Make every folder of a plan, by its name, in the plan's order.

    A folder for a chart holds the values that the chart gets; a local chart holds manifests, Namespaces and values.
    With findings that are errors the folders are complete in form, but not to be used.
    """
    findings: list[Diagnostic] = []
    inspected: dict[str, tuple[Inspected, ...]] = {}
    built: dict[str, BuiltFolder] = {}
    for folder in plan.folders:
        component = plan.components[folder.component]
        if folder.local:
            results = [inspect(item, beside_namespace=bool(folder.owns)) for item in manifests_of(folder, component)]
            inspected[folder.name] = tuple(manifest for manifest, _ in results)
            findings += [problem for _, problems in results for problem in problems]
            files, problems = local_chart(plan, folder, inspected[folder.name])
            findings += (*problems, *too_large_values(component, files["values.yaml"]))
        else:
            files = {"values.yaml": emit(sorted_values(component.values))}
        built[folder.name] = _built(folder, files, component)
    findings += namespace_findings(plan, inspected)
    for component in plan.components.values():
        findings += (*chart_findings(component), *_numbers(component))
    return built, tuple(findings)


def manifests_of(folder: Folder, component: Component) -> tuple[Manifest, ...]:
    """The manifests that a local chart's folder holds."""
    return component.pre_manifests if folder.phase is Phase.PRE else component.manifests


def _built(folder: Folder, files: dict[str, str], component: Component) -> BuiltFolder:
    inside = [(path, text.encode()) for path, text in sorted(files.items())]
    digest = folder_digest(inside, None if folder.local else component.chart)
    return BuiltFolder(folder, tuple(File(f"{folder.name}/{path}", data) for path, data in inside), digest)


def _numbers(component: Component) -> Iterator[Diagnostic]:
    """The numbers among a component's values that templates may print otherwise."""
    for found in numbers_at_risk(sorted_values(component.values)):
        path = format_path((component.name, *map(str, found.path)))
        effect = "loses digits" if found.risk is Risk.DIGITS else "can reach a template's text in exponent form"
        yield codes.NUMBER_AT_RISK(
            f"`{path}`: {found.value} {effect}",
            value_place(component, found.path),
            help="write it in quotes if the chart takes text there",
        )
