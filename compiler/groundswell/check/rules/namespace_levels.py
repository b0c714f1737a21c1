"""No namespace is opened wider than its pods need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.admission import admissions, minors_judged, needed_level
from groundswell.check.pod_makers import may_make_pods
from groundswell.check.pod_security.levels import ENFORCE, Level
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import RenderedFolder, Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each Namespace whose label allows more than any of its pods asks for.

    Not judged are namespaces without pods, those of programs that may make pods themselves, such as operators, and all
    as long as a folder could not be rendered.
    """
    if not rendering.whole:
        return
    for name, admission in admissions(rendering).items():
        namespace, level = admission.namespace, admission.policy.level
        if namespace is None or level is Level.RESTRICTED:
            continue
        templates = [item for item in rendering.pods if item.owner.namespace == name]
        users = [folder for folder in rendering.folders.values() if _lives_in(name, folder)]
        needed = min(
            (needed_level(item, admission.policy, minors_judged(rendering.target)) for item in templates), default=level
        )
        if needed > level and not any(may_make_pods(folder.objects) for folder in users):
            message = (
                f"the Namespace `{name}` allows `{level.label}` pods, and `{needed.label}` is enough for all of"
                f" `{', '.join(dict.fromkeys(folder.component.name for folder in users))}`"
            )
            talos = rendering.plan.resolution.criteria.get("os") == "talos"
            advice = f"label it `{ENFORCE}: {needed.label}`"
            if talos and "groundswell.dev/managed" in namespace.labels:
                advice = "leave the Namespace out of `preManifestFiles`: what Talos enforces by default is enough"
            yield about(codes.NAMESPACE_WIDE, rendering.folders[namespace.folder], message, namespace, advice=advice)


def _lives_in(namespace: str, folder: RenderedFolder) -> bool:
    return folder.row.namespace == namespace or any(item.namespace == namespace for item in folder.objects)


RULE = Rule(
    "namespace-levels",
    str(__doc__),
    (codes.NAMESPACE_WIDE,),
    "https://kubernetes.io/docs/concepts/security/pod-security-admission/",
    judge,
)
