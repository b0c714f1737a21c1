"""A local chart: one component's manifests, with its values and what they must know of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.deploy.kube_version import kube_version
from groundswell.deploy.namespaces import namespace_file
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.deploy.manifests import Inspected
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component
    from groundswell.source.located import Json

# Local charts are versioned by their bundle, in Git; Helm only asks for some version.
_VERSION = "0.0.0"


def local_chart(
    plan: Plan, folder: Folder, inspected: Sequence[Inspected]
) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The files of a local chart by their path inside the folder, and findings about its Namespaces."""
    component = plan.components[folder.component]
    files = {"Chart.yaml": _chart_yaml(plan, folder, component), "values.yaml": _values_yaml(component)}
    findings: list[Diagnostic] = []
    for path, text in _manifest_files(inspected):
        files[path] = text
        files["templates/manifests.yaml"] = constant("manifests.yaml")
    for declared in (namespace for manifest in inspected for namespace in manifest.namespaces):
        text, problems = namespace_file(declared, component.name, talos=plan.resolution.criteria.get("os") == "talos")
        files[f"templates/namespace-{declared.name}.yaml"] = text
        files["templates/_namespace.tpl"] = constant("_namespace.tpl")
        findings += problems
    return files, tuple(findings)


@cache
def constant(name: str) -> str:
    """A file that every bundle holds in the same form, from this package's data."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def sorted_values(value: Json) -> Json:
    """Values with the keys of every map in order, so that no reordering in a catalog changes a bundle."""
    if isinstance(value, Mapping):
        return {key: sorted_values(value[key]) for key in sorted(value)}
    return [sorted_values(item) for item in value] if isinstance(value, list) else value


def _chart_yaml(plan: Plan, folder: Folder, component: Component) -> str:
    """The chart's metadata. Its annotations are what `templates/manifests.yaml` shows to manifests as theirs."""
    data: dict[str, Json] = {
        "apiVersion": "v2",
        "name": folder.release,
        "version": Quoted(_VERSION),
        "type": "application",
    }
    if allowed := kube_version(plan.resolution.constraints):
        data["kubeVersion"] = Quoted(allowed)
    chart = component.chart
    data["annotations"] = {
        "groundswell.dev/component": Quoted(component.name),
        "groundswell.dev/namespace": Quoted(folder.namespace),
        "groundswell.dev/chart": Quoted(chart.name if chart else component.name),
        "groundswell.dev/chart-version": Quoted(chart.version if chart else _VERSION),
    }
    return emit(data)


def _values_yaml(component: Component) -> str:
    """The component's values under its name, without what it unsets: Helm drops a null of `-f`, but keeps one here."""
    return emit({component.name: sorted_values(_without_nulls(component.values))})


def _without_nulls(values: Mapping[str, Json]) -> dict[str, Json]:
    return {
        key: _without_nulls(value) if isinstance(value, Mapping) else value
        for key, value in values.items()
        if value is not None
    }


def _manifest_files(inspected: Sequence[Inspected]) -> Iterator[tuple[str, str]]:
    """The manifests under distinct names: a second `x.yaml` becomes `x-2.yaml`, also where only the case differs."""
    taken: set[str] = set()
    for manifest in inspected:
        if not manifest.text and manifest.namespaces:
            continue
        stem, dot, extension = manifest.name.rpartition(".")
        name, count = manifest.name, 1
        while name.lower() in taken:
            count += 1
            name = f"{stem}-{count}{dot}{extension}" if dot else f"{manifest.name}-{count}"
        taken.add(name.lower())
        yield f"manifests/{name}", manifest.text
