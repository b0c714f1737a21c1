"""What a resolution with errors still says for certain, so that the same run also tells what is wrong with its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Severity
from groundswell.resolve.conflicts import disputes
from groundswell.resolve.resolution import ClusterNeeds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component, Resolution
    from groundswell.resolve.stack import Stack

_OF_OPTIONS = frozenset(
    code.code
    for code in (
        codes.ENFORCED,
        codes.UNKNOWN_COMPONENT,
        codes.OVERLAPPING_SETTINGS,
        codes.BAD_SETTING,
        codes.NO_EFFECT,
    )
)
"""Errors on values that somebody meant to give some component."""


def draft(
    resolution: Resolution,
    stacks: Mapping[str, Stack],
    findings: Iterable[Diagnostic],
    doubtful: Collection[str] = (),
) -> Resolution | None:
    """The resolution without what its errors leave open; None when nothing is left.

    A component that may be there or not is switched off, as one that others may rely on. What else is open of a
    component is left out. So a plan of the draft has no finding that is but the consequence of an error.
    `doubtful` names components that an error which names no layer is about: one that the user wanted to leave out, or
    one that should be there.
    """
    left_open = {name: _open(stack) | ({"enabled"} if name in doubtful else set()) for name, stack in stacks.items()}
    components = tuple(_certain(item, left_open[item.name], doubtful) for item in resolution.components)
    if not any(item.enabled for item in components) and any("enabled" in keys for keys in left_open.values()):
        return None
    return without_doubtful_values(resolution._replace(components=components), findings)


def without_doubtful_values(resolution: Resolution, findings: Iterable[Diagnostic]) -> Resolution:
    """The resolution without what plans ask of values, if errors concern options, which might have set any."""
    if not any(finding.severity is Severity.ERROR and finding.code in _OF_OPTIONS for finding in findings):
        return resolution
    return resolution._replace(components=tuple(map(_without_values, resolution.components)))


def _open(stack: Stack) -> set[str]:
    """The keys of a component's ref for which an error leaves open what holds; `overrides` stands for all values."""
    found = {path[0] for tree in (stack.fields, stack.entries) for path, _ in disputes(tree)}
    if stack.values.findings or any(disputes(stack.values)):
        found.add("overrides")
    return found | stack.untaken


def _certain(component: Component, left_open: set[str], doubtful: Collection[str]) -> Component:
    dependencies = tuple(name for name in component.dependencies if name not in doubtful)
    certain = component._replace(
        enabled=component.enabled and "enabled" not in left_open,
        namespace="" if "namespace" in left_open else component.namespace,
        dependencies=() if "dependencyRefs" in left_open else dependencies,
        manifests=() if "manifestFiles" in left_open else component.manifests,
        pre_manifests=() if "preManifestFiles" in left_open else component.pre_manifests,
    )
    return _without_values(certain) if "overrides" in left_open else certain


def _without_values(component: Component) -> Component:
    needs = component.cluster_needs
    return component._replace(cluster_needs=ClusterNeeds(cni=needs.cni, places=needs.places))
