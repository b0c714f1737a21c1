"""The merge patch for Argo CD's `argocd-cm`: the health rules that waves rely on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.resolve.health_key import APPLICATION, HEALTH_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.source.span import Span

PATCH_FILE = "argocd/argocd-cm-patch.yaml"
KEY_PREFIX = "resource.customizations.health."


def health_rules(plan: Plan) -> tuple[Mapping[str, str], tuple[Diagnostic, ...]]:
    """Lua by `group_Kind`: the rule for Applications, then those that the plan's components bring, sorted."""
    rules: dict[str, str] = {}
    owners = {APPLICATION: "groundswell"}
    places: dict[str, Span | None] = {}
    findings = []
    for component in plan.components.values():
        for kind, lua in component.argocd_health.items():
            place = field_place(component, f"argocdHealth.{kind}")
            if not re.fullmatch(HEALTH_KEY, kind):
                findings.append(
                    codes.BAD_HEALTH_KEY(
                        f"`argocdHealth` of `{component.name}` has the key `{kind}`",
                        place,
                        help="write the API group, an underscore and the kind, such as `nvidia.com_ClusterPolicy`",
                    )
                )
            elif kind == APPLICATION or rules.setdefault(kind, lua) != lua:
                other = places.get(kind)
                findings.append(
                    codes.RIVAL_HEALTH_RULES(
                        f"`{owners[kind]}` and `{component.name}` bring different health rules for `{kind}`",
                        place,
                        related=[Related(other, f"the rule of `{owners[kind]}`")] if other else [],
                        help="take one of them out",
                    )
                )
            owners.setdefault(kind, component.name)
            places.setdefault(kind, place)
    rule = (Path(__file__).parent / "data" / "gate.lua").read_text(encoding="utf-8")
    return {APPLICATION: rule} | dict(sorted(rules.items())), tuple(findings)


def patch(rules: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What `kubectl patch --type merge` adds to `argocd-cm`: one key per rule, everything else left alone."""
    return {"data": {KEY_PREFIX + kind: lua for kind, lua in rules.items()}}
