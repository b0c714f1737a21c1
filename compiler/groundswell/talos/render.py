"""The files of the node layer: schematics, patches and the README that says how to use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.diagnostics.diagnostic import failed, ordered
from groundswell.talos.kubernetes import kubernetes_findings
from groundswell.talos.machines import class_machines, host_machines
from groundswell.talos.patch import patch, patch_text
from groundswell.talos.readme import class_readme, host_readme, schematic_path
from groundswell.talos.target import Target
from groundswell.talos.unreached import unreached
from groundswell.talos.version import parse_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component
    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine
    from groundswell.talos.schema import Schemas


def talos_files(
    plan: Plan, version: str, schemas: Schemas | None = None
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """The node layer of a plan without a Cluster file: one patch and one schematic per class of machines.

    Returns:
        Files under `talos/`, none when a finding is an error or the criteria do not say `os: talos`, and every finding.
    """
    if plan.resolution.criteria.get("os") != "talos":
        return (), ()
    parsed, findings = parse_version(version)
    if parsed is None:
        return (), findings
    target = Target(parsed)
    machines, found = class_machines(_components(plan), target)
    refused = [*kubernetes_findings(plan.resolution.constraints, parsed, None)]
    files, unfit = _files(machines, target, schemas)
    readme = class_readme(machines, target)
    return _done((*files, File("talos/README.md", readme.encode())), (*findings, *found, *refused, *unfit))


def render(
    cluster: Cluster, plan: Plan | None, schemas: Schemas | None = None
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """The node layer of a cluster: one patch per host, one schematic per distinct set. Without a plan, its hosts alone.

    Returns:
        Files under `talos/`, none when a finding is an error, and every finding.
    """
    components = _components(plan) if plan else ()
    machines, found = host_machines(cluster, components)
    absent = unreached(cluster, components, plan.resolution.criteria if plan else {})
    constraints = plan.resolution.constraints if plan else ()
    refused = [*kubernetes_findings(constraints, cluster.target.version, cluster.version_span)]
    files, unfit = _files(machines, cluster.target, schemas)
    readme = host_readme(cluster, machines)
    return _done((*files, File("talos/README.md", readme.encode())), (*found, *absent, *refused, *unfit))


def _components(plan: Plan) -> Sequence[Component]:
    return [plan.components[name] for name in sorted(plan.components)]


def _files(
    machines: Iterable[Machine], target: Target, schemas: Schemas | None
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    files: dict[str, File] = {}
    findings: list[Diagnostic] = []
    for machine in machines:
        documents = patch(machine, target)
        if schemas is not None:
            findings += schemas.findings(documents, target.version, machine.name)
        made = {f"talos/{schematic_path(machine.schematic)}": machine.schematic.data}
        if documents:
            made[f"talos/patches/{machine.name}.yaml"] = patch_text(documents).encode()
        files |= {path: File(path, data) for path, data in made.items()}
    return tuple(files.values()), tuple(findings)


def _done(files: Iterable[File], findings: Iterable[Diagnostic]) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    found = ordered(findings)
    return () if failed(found) else tuple(sorted(files, key=lambda file: file.path)), found
