"""A resolution becomes a plan: edges, levels, phases, waves and numbered folders (docs/plan.md)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundswell.deploy.manifests import owned_namespaces
from groundswell.diagnostics.codes import plan as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related, failed, ordered
from groundswell.diagnostics.suggest import suggestion
from groundswell.plan.graph import find_cycles, levels
from groundswell.plan.network import network_components, network_findings, wait_for_network
from groundswell.plan.plan import Folder, Phase, Plan
from groundswell.resolve.stack import reference
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.resolve.resolution import Component, Origin, Resolution

_RELEASE_LIMIT = 53
_LEAST_DIGITS = 3

Edges = dict[str, dict[str, "Span | None"]]
"""For each component the ones that it waits for, with the place that says so; None for an implied edge."""


def build_plan(resolution: Resolution) -> tuple[Plan | None, tuple[Diagnostic, ...]]:
    """Put the enabled components in order.

    Returns:
        The plan, or None when a finding is an error; and every finding.
    """
    components = {item.name: item for item in resolution.components if item.enabled}
    disabled = {item.name for item in resolution.components if not item.enabled}
    findings: list[Diagnostic] = []
    if not components:
        findings.append(codes.EMPTY_PLAN("every component is disabled or left out"))
    owners = _owned(components)
    edges = _edges(components, disabled, owners, findings)
    wait_for_network(edges, network_components(resolution.criteria, components))
    findings += network_findings(resolution.criteria, components)
    findings += _cycles(edges, components)
    findings += (*_names(components), *_both_phases(components))
    if failed(findings):
        return None, ordered(findings)
    dependencies = {name: tuple(sorted(targets)) for name, targets in edges.items()}
    level = levels(dependencies)
    folders = _folders(components, level, owners)
    wanted = {name for component in components.values() for name in component.dependencies}
    plan = Plan(resolution, folders, components, dependencies, tuple(sorted(wanted & disabled)))
    return plan, ordered(findings)


def _owned(components: Mapping[str, Component]) -> dict[str, tuple[str, ...]]:
    """The Namespaces that each component's `-pre` creates."""
    return {name: owned_namespaces(component.pre_manifests) for name, component in components.items()}


def _edges(
    components: Mapping[str, Component],
    disabled: set[str],
    owners: Mapping[str, tuple[str, ...]],
    findings: list[Diagnostic],
) -> Edges:
    """Declared edges, and one to the owner of the namespace that a component installs into."""
    owner_of = {namespace: name for name in sorted(owners) for namespace in owners[name]}
    edges: Edges = {}
    for name, component in components.items():
        targets = edges[name] = {}
        for dependency in component.dependencies:
            place = _place(component.field_origins.get(f"dependencyRefs.{dependency}", ()))
            if dependency in components:
                targets[dependency] = place
            elif dependency not in disabled:
                hint = suggestion(dependency, (components.keys() | disabled) - {name})
                hint = hint or f"add `{dependency}` to a recipe that applies to this query"
                text = f"`{name}` depends on `{dependency}`, which is not in the plan"
                findings.append(codes.MISSING_DEPENDENCY(text, place, help=hint))
        owner = owner_of.get(component.namespace, name)
        if owner != name:
            targets.setdefault(owner, None)
    return edges


def _place(origins: tuple[Origin, ...]) -> Span | None:
    if not origins or not origins[-1].line:
        return None
    origin = origins[-1]
    return Span(origin.file, origin.line, origin.column, origin.line, origin.column + len(str(origin.value)))


def _cycles(edges: Edges, components: Mapping[str, Component]) -> list[Diagnostic]:
    findings = []
    for cycle in find_cycles({name: tuple(targets) for name, targets in edges.items()}):
        steps = list(pairwise(cycle))
        places = [(edges[a][b], f"`{a}` waits for `{b}`") for a, b in steps]
        related = [Related(span, label) for span, label in places[1:] if span]
        text = "components wait for each other: " + " -> ".join(f"`{name}`" for name in cycle)
        implied = [(a, b) for a, b in steps if b not in components[a].dependencies]
        hint = "; ".join(f"`{a}` installs into a namespace of `{b}`" for a, b in implied)
        findings.append(codes.CYCLE(text, places[0][0], related=related, help=hint))
    return findings


def _phases(component: Component) -> list[Phase]:
    phases = [Phase.PRE] if component.pre_manifests else []
    phases.append(Phase.MAIN)
    if component.chart and component.manifests:
        phases.append(Phase.POST)
    return phases


def _names(components: Mapping[str, Component]) -> list[Diagnostic]:
    findings = []
    for name, component in sorted(components.items()):
        for phase in _phases(component):
            release, place = name + phase.suffix, _phase_place(component, phase)
            if phase is not Phase.MAIN and release in components:
                text = f"the component `{release}` has the name of the folder {phase.name.lower()} of `{name}`"
                other = _phase_place(components[release], Phase.MAIN)
                related = [Related(other, f"the component `{release}`")] if other else []
                hint = f"rename `{release}` or `{name}`"
                findings.append(codes.NAME_COLLISION(text, place, related=related, help=hint))
            if len(release) > _RELEASE_LIMIT:
                text = (
                    f"the release name `{release}` has {len(release)} characters, at most {_RELEASE_LIMIT} are allowed"
                )
                findings.append(codes.NAME_TOO_LONG(text, place, help=f"shorten the name of `{name}`"))
    return findings


def _both_phases(components: Mapping[str, Component]) -> Iterator[Diagnostic]:
    """Manifests that stand in the folder before the component and in a later one of it."""
    for name, component in sorted(components.items()):
        before = {manifest.file for manifest in component.pre_manifests}
        for manifest in component.manifests:
            if manifest.file in before:
                path = reference(manifest)
                first = _place(component.field_origins.get(f"preManifestFiles.{path}", ()))
                text = f"`{name}` has the manifest `{path}` in two of its folders, where it makes the same objects"
                place = _place(component.field_origins.get(f"manifestFiles.{path}", ()))
                related = [Related(first, "it is also before the component")] if first else []
                yield codes.BOTH_PHASES(text, place, related=related, help="leave it out of one of the lists")


def _phase_place(component: Component, phase: Phase) -> Span | None:
    """The place that gives a component this phase: its first manifest there, else whatever was first said on it."""
    manifests = {Phase.PRE: "preManifestFiles.", Phase.POST: "manifestFiles."}.get(phase, "")
    said = [origins for key, origins in component.field_origins.items() if manifests and key.startswith(manifests)]
    places = (_place(origins) for origins in (*said, *component.field_origins.values()))
    return next((place for place in places if place), None)


def _folders(
    components: Mapping[str, Component], level: Mapping[str, int], owners: Mapping[str, tuple[str, ...]]
) -> tuple[Folder, ...]:
    """Folders in the order (level, component, phase), numbered from 1."""
    steps = [(level[name], name, phase) for name in components for phase in _phases(components[name])]
    width = max(_LEAST_DIGITS, len(str(len(steps))))
    return tuple(
        Folder(
            number=str(index).zfill(width),
            component=name,
            phase=phase,
            level=depth,
            namespace=components[name].namespace,
            local=phase is not Phase.MAIN or components[name].chart is None,
            owns=owners[name] if phase is Phase.PRE else (),
        )
        for index, (depth, name, phase) in enumerate(sorted(steps), start=1)
    )
