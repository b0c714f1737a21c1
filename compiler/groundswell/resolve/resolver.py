"""A query and a catalog become a resolution: match, order, merge, mixins, constraints, coverage, accounting."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, failed, ordered
from groundswell.resolve.hosts import missing_plugins, place_hosts
from groundswell.resolve.layers import Kind, Layer, unplaced
from groundswell.resolve.merging import merged, taking_part
from groundswell.resolve.options import REASON, apply_options, unknown, unresolved
from groundswell.resolve.required import unstated
from groundswell.resolve.resolution import Chart, Component, Resolution
from groundswell.resolve.stack import asked, health_origins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, ConstraintEntry, Mixin, Recipe
    from groundswell.resolve.draft import Doubts
    from groundswell.resolve.layers import Applied
    from groundswell.resolve.options import Enforced
    from groundswell.resolve.query import Query
    from groundswell.resolve.resolution import Constraint
    from groundswell.resolve.stack import Stack


_CHART = frozenset({"repository", "chart", "version"})
_RIVALS = 2  # so many writes can be in dispute


class Attempt(NamedTuple):
    """What a query came to: a resolution, None when a finding is an error; and every finding, causes first.

    A query that is but part of what somebody asked has none either. Where there is none, `draft` is what can be judged
    of it all the same (`resolve.draft`), None when nothing can.
    """

    resolution: Resolution | None
    findings: tuple[Diagnostic, ...]
    draft: Resolution | None = None


def resolve(catalog: Catalog, query: Query) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    """Resolve a query: the resolution, or None when a finding is an error; and every finding, causes first."""
    resolution, findings, _ = attempt(catalog, query)
    return resolution, findings


def attempt(catalog: Catalog, query: Query) -> Attempt:
    """Resolve a query as far as its errors allow (docs/resolution.md)."""
    query = query._replace(criteria=catalog.semantics.meaning(query.criteria))
    recipes = catalog.semantics.order(catalog.recipes, query)
    findings = _coverage(catalog, query, [recipe for recipe, _ in recipes])
    if failed(findings):
        return Attempt(None, ordered((*findings, *unresolved(catalog, query))))
    applied = taking_part(catalog, query, recipes)
    stacks = merged(catalog, applied)
    disputed = frozenset(name for name, stack in stacks.items() if _is_disputed(catalog, stack))
    present = {name: stack for name, stack in stacks.items() if stack.enabled or name in disputed}
    not_left_out = _leave_out(catalog, query, present)
    doubts = _doubts(catalog, query, present, disputed & present.keys(), not_left_out)
    doubtful = doubts.components if doubts else frozenset[str]()
    certain = {name: stack for name, stack in present.items() if name not in doubtful}
    wrong = [name for name in not_left_out if name not in doubtful]
    findings += [unknown(f"`--without {name}`", name, catalog, present) for name in wrong]
    if query.hosts:
        findings += missing_plugins(query.hosts, stacks)
        place_hosts(query.hosts, catalog.components, {name: stack.values for name, stack in present.items()})
    enforced = _enforced(applied)
    findings += apply_options(catalog, query, present, enforced, doubtful)
    _enforce(stacks, enforced)
    findings += [finding for stack in stacks.values() for finding in stack.findings()]
    findings += unstated(catalog, certain, query.criteria.get("accelerator"), doubts)
    findings += _remarks(catalog, applied, present)
    findings += catalog.semantics.conflicts(applied, stacks)
    constraints, unsatisfiable = catalog.semantics.constraints(_constraints(catalog, applied, certain))
    findings += unsatisfiable
    findings += [finding for stack in certain.values() for finding in _incomplete(catalog, stack)]
    components = [_component(catalog, stacks[name], query, enabled=name in present) for name in sorted(stacks)]
    resolution = _resolution(catalog, query, applied, constraints, components)
    if not failed(findings) and not query.partial:
        return Attempt(resolution, ordered(findings))
    from groundswell.resolve.draft import NONE, draft  # noqa: PLC0415  a query without errors needs none

    return Attempt(None, ordered(findings), draft(catalog, query, resolution, stacks, doubts or NONE, findings))


def _is_disputed(catalog: Catalog, stack: Stack) -> bool:
    """Whether the layers leave open if a component is enabled."""
    if stack.fields.says("enabled") < _RIVALS:
        return False
    return any(path == ("enabled",) for path, _ in catalog.semantics.disputes(stack.fields))


def _doubts(
    catalog: Catalog, query: Query, present: Mapping[str, Stack], disputed: frozenset[str], not_left_out: list[str]
) -> Doubts | None:
    """What the errors so far leave open; None without such errors."""
    absent = any(catalog.aliases.get(item.component, item.component) not in present for item in query.settings)
    missing = query.hosts and query.hosts.plugins.keys() - present.keys()
    if not (disputed or not_left_out or absent or missing or query.partial):
        return None
    from groundswell.resolve.draft import doubts  # noqa: PLC0415  a query without errors needs none

    return doubts(catalog, query, present, disputed, not_left_out)


def _coverage(catalog: Catalog, query: Query, recipes: Sequence[Recipe]) -> list[Diagnostic]:
    """What the recipes leave unanswered, with what to ask instead."""
    findings = list(catalog.semantics.coverage(catalog, query, recipes))
    if findings:
        from groundswell.resolve.nearest import advised  # noqa: PLC0415  a query that is answered needs no advice

        findings = advised(catalog, query, findings)
    return findings


def _remarks(catalog: Catalog, applied: Applied, present: Iterable[str]) -> Iterator[Diagnostic]:
    """What the documents that take part have to be told."""
    documents: tuple[tuple[Recipe | Mixin, Layer], ...] = (*applied.recipes, *applied.mixins)
    for document, _ in documents:
        yield from document.remarks
    for name in present:
        yield from catalog.components[name].remarks


def _enforced(applied: Applied) -> Enforced:
    """What the mixins enforce on each component, in their order."""
    found: Enforced = {}
    for mixin, layer in applied.mixins:
        enforcing = Layer(Kind.ENFORCED, layer.name, f"{layer.reason}, and it is enforced")
        for ref in mixin.refs:
            if ref.enforce:
                found.setdefault(ref.name, []).append((ref.enforce, enforcing))
    return found


def _enforce(stacks: Mapping[str, Stack], enforced: Enforced) -> None:
    """Lay what is enforced on top of everything else."""
    for name in sorted(enforced.keys() & stacks.keys()):
        for values, layer in enforced[name]:
            stacks[name].values.overlay(values, layer)


def _leave_out(catalog: Catalog, query: Query, present: dict[str, Stack]) -> list[str]:
    """Take the components of `--without` out of the plan's ones; the names that are none of them come back."""
    unknown_names = []
    for name, option in {catalog.aliases.get(option, option): option for option in query.without}.items():
        if name in present:
            layer = Layer(Kind.SETTING, f"--without {option}", REASON)
            present.pop(name).fields.overlay(unplaced({"enabled": False}), layer)
        else:
            unknown_names.append(option)
    return unknown_names


def _constraints(
    catalog: Catalog, applied: Applied, present: Mapping[str, Stack]
) -> Sequence[tuple[ConstraintEntry, Layer]]:
    """What everybody asks for, lowest layer first: components of the plan, recipes, mixins."""
    stated = []
    for name in sorted(present):
        default = Layer(Kind.COMPONENT, name, "it is in the plan")
        stated += [(entry, default) for entry in catalog.components[name].constraints]
    documents: tuple[tuple[Recipe | Mixin, Layer], ...] = (*applied.recipes, *applied.mixins)
    for document, layer in documents:
        stated += [(entry, layer) for entry in document.constraints]
    return stated


def _incomplete(catalog: Catalog, stack: Stack) -> Iterator[Diagnostic]:
    """An error for a component of which there is nothing to install, unless layers dispute what that is."""
    stated = _CHART & stack.fields.values().keys()
    if stated == _CHART or (stack.manifests and not stated):
        return
    disputed = {path[0] for tree in (stack.fields, stack.entries) for path, _ in catalog.semantics.disputes(tree)}
    if not disputed & {*_CHART, "manifestFiles"}:
        text = f"`{stack.name}` has no complete chart and no manifests"
        yield codes.INCOMPLETE_COMPONENT(text, catalog.components[stack.name].span)


def _resolution(
    catalog: Catalog,
    query: Query,
    applied: Applied,
    constraints: tuple[Constraint, ...],
    components: Iterable[Component],
) -> Resolution:
    recipes = [recipe for recipe, _ in applied.recipes]
    return Resolution(
        criteria=dict(query.criteria),
        nodes=query.nodes,
        applied=tuple(dict.fromkeys(recipe.name for recipe in recipes)),
        mixins=tuple(dict.fromkeys(mixin.name for mixin, _ in applied.mixins)),
        constraints=constraints,
        components=tuple(components),
        catalog_digest=catalog.digest,
        talos_version=next((item.talos_version for item in reversed(recipes) if item.talos_version), ""),
    )


def _component(catalog: Catalog, stack: Stack, query: Query, *, enabled: bool) -> Component:
    entry = catalog.components[stack.name]
    fields = stack.fields.values()
    chart = Chart(fields["repository"], fields["chart"], fields["version"]) if fields.keys() >= _CHART else None
    return Component(
        name=stack.name,
        description=entry.description,
        enabled=enabled,
        namespace=fields["namespace"],
        chart=chart,
        dependencies=tuple(stack.dependencies),
        values=stack.values.values(),
        manifests=tuple(manifest for manifest, _ in stack.manifests.values()),
        pre_manifests=tuple(manifest for manifest, _ in stack.pre_manifests.values()),
        crds=entry.crds,
        ignore_differences=entry.ignore_differences,
        argocd_health={kind: rule.lua for kind, rule in entry.argocd_health.items()},
        privileged=entry.privileged,
        node_needs=asked(entry.node_needs, query.criteria.get("accelerator")),
        origins=stack.values.origins(),
        field_origins=stack.field_origins() | health_origins(entry),
        cluster_needs=entry.cluster_needs,
    )
