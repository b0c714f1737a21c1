"""Namespaces across a whole plan: one owner each, there in time, and open to the privileged pods that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.plan.plan import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.deploy.documents import ApiObject
    from groundswell.deploy.manifests import Inspected
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component

# Pod Security as Talos configures the API server leaves out this namespace and enforces `baseline` on all others.
_EXEMPT = "kube-system"


def namespace_findings(plan: Plan, inspected: Mapping[str, Sequence[Inspected]]) -> Iterator[Diagnostic]:
    """Findings about the Namespaces that the plan's local charts bring; `inspected` holds their manifests by folder."""
    declared = [
        (folder, namespace)
        for folder in plan.folders
        for manifest in inspected.get(folder.name, ())
        for namespace in manifest.namespaces
    ]
    yield from _owned_twice(declared)
    yield from _too_late(plan, declared)
    if plan.resolution.criteria.get("os") == "talos":
        for component in plan.components.values():
            if component.privileged and component.namespace not in plan.namespaces_owned | {_EXEMPT}:
                yield _not_admitted(component)


def _owned_twice(declared: Sequence[tuple[Folder, ApiObject]]) -> Iterator[Diagnostic]:
    owners: dict[str, tuple[Folder, ApiObject]] = {}
    for folder, namespace in declared:
        first, other = owners.setdefault(namespace.name, (folder, namespace))
        if other is not namespace:
            both = f"`{first.release}` and `{folder.release}`" if first is not folder else f"`{folder.release}` twice"
            yield codes.NAMESPACE_TWICE(
                f"Namespace `{namespace.name}` is made by {both}",
                namespace.node.find(("metadata", "name")),
                related=[Related(other.node.find(("metadata", "name")), "made here first")],
                help="leave it to one component",
            )


def _too_late(plan: Plan, declared: Sequence[tuple[Folder, ApiObject]]) -> Iterator[Diagnostic]:
    users = {component.namespace: component.name for component in reversed(list(plan.components.values()))}
    for folder, namespace in declared:
        if folder.phase is not Phase.PRE and namespace.name in users:
            user = users.get(namespace.name) if folder.namespace != namespace.name else folder.component
            yield codes.NAMESPACE_TOO_LATE(
                f"Namespace `{namespace.name}` is made by `{folder.release}`, but `{user}` is installed into it",
                namespace.node.find(("metadata", "name")),
                help=f"list the file under `preManifestFiles` of `{user}`",
            )


def _not_admitted(component: Component) -> Diagnostic:
    return codes.NOT_ADMITTED(
        f"`{component.name}` needs privileged pods, but no `-pre` opens its namespace `{component.namespace}` to them",
        field_place(component, "namespace"),
        help="add its Namespace under `preManifestFiles`",
    )
