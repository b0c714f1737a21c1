"""The Argo CD deployer: Applications in waves, the root that hands them out, and the rules that make waves wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.deploy.argocd.application import children
from groundswell.deploy.argocd.gate import PATCH_FILE, health_rules, patch
from groundswell.deploy.argocd.placement import place, placeholder_notice
from groundswell.deploy.argocd.readiness import ready_at_once
from groundswell.deploy.argocd.readme import section
from groundswell.deploy.argocd.root import root_files
from groundswell.deploy.deployer import Emitted, Settings
from groundswell.diagnostics.codes import deployer as codes
from groundswell.source.emitter import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.deploy.deployer import BuiltFolder, Deployer
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan


class ArgoCd:
    """Emits one Application per folder, the root chart around them, and the patch for `argocd-cm`."""

    name = "argocd"
    reads = frozenset(Settings._fields)

    def check(self, settings: Settings) -> tuple[Diagnostic, ...]:
        """What is wrong with where the bundle will live, and under which names."""
        return place(settings)[1]

    def emit(self, plan: Plan, folders: Mapping[str, BuiltFolder], settings: Settings) -> Emitted:
        """Make the files. Findings about settings have no place, those about components their layer's where known."""
        placement, unusable = place(settings)
        applications, wrong = children(plan, folders, placement)
        rules, rivals = health_rules(plan)
        at_once, hints = ready_at_once(plan, rules)
        return Emitted(
            files=(
                *applications,
                *root_files(placement),
                File(PATCH_FILE, emit(patch(rules)).encode()),
            ),
            readme=section(plan, folders, placement, rules, at_once),
            findings=(*unusable, *wrong, *rivals, *hints, *_ungated(plan)),
            notice=placeholder_notice(settings),
        )


def _ungated(plan: Plan) -> Iterator[Diagnostic]:
    if len({folder.wave for folder in plan.folders}) == 1:
        yield codes.NOTHING_GATES(
            "the bundle has a single wave, so Argo CD waits for nothing in it",
            help="that is fine where nothing depends on anything; else say so with `dependencyRefs`",
        )


DEPLOYER: Deployer = ArgoCd()
