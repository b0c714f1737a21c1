"""Plans for tests, built without a catalog: components, their folders, levels and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundswell.deploy.documents import take_apart
from groundswell.plan.plan import Folder, Phase, Plan
from groundswell.resolve.resolution import Chart, Component, Constraint, Resolution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.resolve.resolution import Manifest

TALOS = {"os": "talos"}


def chart(name: str, version: str = "1.0.0", repository: str = "https://charts.example.test/stable") -> Chart:
    return Chart(repository, name, version)


def manifest(text: str, file: str = "components/sample/manifests/sample.yaml") -> Manifest:
    return take_apart(file, text)


def constraint(name: str, value: str, layer: str = "recipe test", file: str = "recipes/test.yaml") -> Constraint:
    return Constraint(name, value, layer, file, 1, 1)


def namespace_manifest(name: str, file: str = "components/sample/manifests/namespace.yaml") -> Manifest:
    return manifest(f"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n", file)


def component(name: str, **fields: Any) -> Component:
    """A component with a chart of its own name; `chart=None` makes it manifest-only."""
    defaults: dict[str, Any] = {
        "name": name,
        "description": "",
        "enabled": True,
        "namespace": name,
        "chart": chart(name),
        "dependencies": (),
        "values": {},
        "manifests": (),
        "pre_manifests": (),
        "crds": "none",
        "ignore_differences": (),
        "argocd_health": {},
        "privileged": False,
        "node_needs": (),
        "origins": {},
        "field_origins": {},
    }
    return Component(**(defaults | fields))


def plan(
    *components: Component,
    criteria: Mapping[str, str] | None = None,
    levels: Mapping[str, int] | None = None,
    constraints: Sequence[Constraint] = (),
    owns: Mapping[str, tuple[str, ...]] | None = None,
) -> Plan:
    """Put components in order as the plan stage does.

    `levels` overrides the longest path over `dependencies`, `owns` the Namespaces of a component's `-pre`.
    """
    named = {item.name: item for item in sorted(components, key=lambda item: item.name)}
    depth = dict(levels or {})

    def level(name: str) -> int:
        if name not in depth:
            waits = [level(other) for other in named[name].dependencies if other in named]
            depth[name] = 1 + max(waits, default=-1)
        return depth[name]

    steps = [
        (level(item.name), item.name, phase, item)
        for item in named.values()
        for phase in Phase
        if _present(item, phase)
    ]
    steps.sort(key=lambda step: step[:3])
    width = max(3, len(str(len(steps))))
    folders = tuple(
        Folder(
            number=str(index).rjust(width, "0"),
            component=name,
            phase=phase,
            level=at,
            namespace=item.namespace,
            local=phase is not Phase.MAIN or item.chart is None,
            owns=_owned(item, owns) if phase is Phase.PRE else (),
        )
        for index, (at, name, phase, item) in enumerate(steps, start=1)
    )
    resolution = Resolution(
        criteria=dict(criteria or {}),
        nodes=None,
        applied=("base",),
        mixins=(),
        constraints=tuple(constraints),
        components=tuple(named.values()),
        catalog_digest="0" * 64,
    )
    edges = {name: tuple(other for other in item.dependencies if other in named) for name, item in named.items()}
    return Plan(resolution, folders, named, edges, ())


def _present(item: Component, phase: Phase) -> bool:
    if phase is Phase.PRE:
        return bool(item.pre_manifests)
    return phase is Phase.MAIN or (bool(item.manifests) and item.chart is not None)


def _owned(item: Component, owns: Mapping[str, tuple[str, ...]] | None) -> tuple[str, ...]:
    if owns is not None:
        return owns.get(item.name, ())
    # Imported here so that plans without Namespaces can be built while no deploy module is loaded.
    from groundswell.deploy.manifests import owned_namespaces  # noqa: PLC0415  see above

    return owned_namespaces(item.pre_manifests)
