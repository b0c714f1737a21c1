"""Custom resources that Argo CD counts as ready the moment they exist, because nothing tells it otherwise."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.deploy.actions import MASK
from groundswell.deploy.documents import objects
from groundswell.deploy.folders import manifests_of
from groundswell.deploy.scopes import Scope, scope
from groundswell.diagnostics.codes import deployer as codes

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from groundswell.deploy.documents import ApiObject
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Manifest


def ready_at_once(plan: Plan, rules: Container[str]) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """The `group/Kind` of custom resources in manifests that no later wave waits for, and a hint at the first of each.

    Manifests of the last wave are left out, since nothing follows it; what charts bring is not seen here. `rules` are
    the `group_Kind` that the bundle has health rules for; `data/health-checks.txt` lists those of Argo CD 3.2 itself.
    """
    known = frozenset((Path(__file__).parent / "data" / "health-checks.txt").read_text(encoding="utf-8").split())
    # A pattern costs ten times what a name does, and all but two are names.
    patterns = [name for name in known if "*" in name]
    last = max((folder.wave for folder in plan.folders), default=0)
    hints: dict[str, Diagnostic] = {}
    for folder in plan.folders:
        if folder.wave == last:
            continue
        for found in _custom_resources(_manifests(plan, folder)):
            name = f"{found.group}/{found.kind}"
            if (
                name in hints
                or f"{found.group}_{found.kind}" in rules
                or name in known
                or any(fnmatchcase(name, pattern) for pattern in patterns)
            ):
                continue
            hints[name] = codes.READY_AT_ONCE(
                f"under Argo CD, a `{name}` of `{folder.component}` counts as ready as soon as it exists",
                found.place,
                help=f"if later waves need more, give `argocdHealth` a rule for `{found.group}_{found.kind}`",
            )
    return tuple(sorted(hints)), tuple(hints.values())


def _manifests(plan: Plan, folder: Folder) -> tuple[Manifest, ...]:
    component = plan.components[folder.component]
    return manifests_of(folder, component) if folder.local else ()


def _custom_resources(manifests: tuple[Manifest, ...]) -> Iterator[ApiObject]:
    for manifest in manifests:
        for document in manifest.documents:
            for found in objects(document.values):
                # A group or kind that only rendering tells is left out.
                rendered = not found.kind or MASK in found.group + found.kind
                if not rendered and found.group and scope(found.group, found.kind) is Scope.UNKNOWN:
                    yield found
