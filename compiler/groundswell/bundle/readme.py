"""README.md of a bundle: what it installs and in which order, what it needs, and how to deploy it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.first_step import first_step
from groundswell.deploy.command import BUNDLE, CLUSTER, bundle_command
from groundswell.diagnostics.enumeration import listed
from groundswell.plan.network import replaced
from groundswell.plan.plan import Phase
from groundswell.resolve.constraints import joined, needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.deploy.deployer import BuiltFolder, Emitted, Settings
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component

_ORDERS = {
    "argocd": "Argo CD installs the folders wave by wave and waits until each wave is ready.",
    "helm": "`install.sh` installs them by number and waits until each one is ready.",
}
_NODES = {"all": "every node", "workers": "worker nodes", "accelerated": "nodes with accelerators"}


def readme(
    plan: Plan,
    folders: Mapping[str, BuiltFolder],
    emitted: Sequence[Emitted],
    settings: Settings,
    *,
    node_layer: bool = False,
) -> str:
    """The text of the README: notices first, then the plan, the needs, and each deployer's own section."""
    notices = [item.notice for item in emitted if item.notice]
    parts = [
        *notices,
        _title(plan),
        _plan(plan, folders, settings.deployers),
        _needs(plan, node_layer=node_layer),
        first_step(plan, folders, settings.deployers),
        *(item.readme for item in emitted),
        _about(settings),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _title(plan: Plan) -> str:
    criteria = plan.resolution.criteria
    named = ", ".join(f"{dimension} {value}" for dimension, value in criteria.items())
    nodes = f", {plan.resolution.nodes} nodes" if plan.resolution.nodes is not None else ""
    return f"# Bundle for {named or 'a recipe without criteria'}{nodes}"


def _plan(plan: Plan, folders: Mapping[str, BuiltFolder], deployers: Sequence[str]) -> str:
    rows = [_row(plan, folder, folders[folder.name]) for folder in plan.folders]
    table = _table(("Wave", "Folder", "Installs", "Version", "Namespace"), rows)
    order = [_ORDERS[name] for name in deployers if name in _ORDERS]
    text = "\n\n".join([f"## What is installed\n\n{table}", *([" ".join(order)] if order else [])])
    if plan.provided:
        names = ", ".join(f"`{name}`" for name in plan.provided)
        text += f"\n\nSwitched off here although others need them, so the cluster must have them already: {names}."
    return text


def _row(plan: Plan, folder: Folder, built: BuiltFolder) -> tuple[str, ...]:
    component = plan.components[folder.component]
    what = {
        Phase.PRE: f"what `{component.name}` needs before it",
        Phase.MAIN: component.description or component.name,
        Phase.POST: f"what follows `{component.name}`",
    }[folder.phase]
    if folder.owns:
        what = "Namespace " + ", ".join(f"`{name}`" for name in folder.owns)
        what += (
            " and more"
            if any("/manifests/" in file.path and "/templates/" not in file.path for file in built.files)
            else ""
        )
    version = component.chart.version if component.chart and not folder.local else ""
    return (str(folder.wave), f"`{folder.name}`", what, version, f"`{folder.namespace}`")


def _needs(plan: Plan, *, node_layer: bool) -> str:
    """What must be there before the first folder."""
    lines = [f"* `{name}` must be `{value}`" for name, value in joined(needed(plan.resolution.constraints)).items()]
    talos = plan.resolution.criteria.get("os") == "talos"
    for component in plan.components.values():
        if parts := replaced(plan.resolution.criteria, component):
            lines.append(_without(component.name, parts, talos))
        if talos:
            lines += _node_needs(component)
    if not lines:
        return ""
    text = "## What must be in place first\n\n" + "\n".join(lines)
    if node_layer:
        text += (
            "\n\n`talos/` has the machine configuration patches and schematics for this; `talos/README.md` says how."
        )
    return text


def _without(name: str, parts: Iterable[str], talos: bool) -> str:
    without = listed(f"no {part}" for part in parts)
    where = "control planes that install" if talos else "a cluster that comes with"
    return f"* `{name}` needs {where} {without}, from the bootstrap on"


def _node_needs(component: Component) -> list[str]:
    """A line for each kind of nodes, whatever number of blocks of the component asks something of it."""
    asked: dict[str, dict[str, dict[str, None]]] = {}
    for needs in component.node_needs:
        said = {
            "system extensions": needs.extensions,
            "kernel modules": needs.kernel_modules,
            "kernel arguments": needs.kernel_args,
            "sysctls": [f"{key}={value}" for key, value in needs.sysctls.items()],
        }
        for title, items in said.items():
            if items:
                asked.setdefault(needs.on, {}).setdefault(title, {}).update(dict.fromkeys(items))
    return [
        f"* `{component.name}` needs on {_NODES[on]}: "
        + "; ".join(f"{title} {_codes(items)}" for title, items in parts.items())
        for on, parts in asked.items()
    ]


def _codes(items: Iterable[str]) -> str:
    return ", ".join(f"`{item}`" for item in items)


def _about(settings: Settings) -> str:
    again = f"`{bundle_command(settings)}` gives the same bytes again, with this directory for `{BUNDLE}`"
    again += f" and its Cluster file for `{CLUSTER}`" if settings.cluster else ""
    files = {
        "bundle.yaml": "criteria, digests and every folder, for programs",
        "recipe.yaml": "the resolved recipe; " + again,
        "provenance.json": "which layer set each value, with file and line",
        "checksums.txt": "for `sha256sum -c checksums.txt`; `groundswell verify .` also sees files that were added",
    }
    return "## Files\n\n" + "\n".join(f"* `{name}`: {text}" for name, text in files.items())


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
