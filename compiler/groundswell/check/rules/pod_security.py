"""Every pod is admitted by the Pod Security level of its namespace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.admission import admissions, needed_level, pod_of
from groundswell.check.pod_security.evaluate import violations
from groundswell.check.pod_security.levels import ENFORCE
from groundswell.check.pods import pod_templates
from groundswell.check.rule import Found, Rule, about
from groundswell.check.template_values import values_read
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.check.admission import Admission
    from groundswell.check.pod_security.evaluate import Violation
    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import RenderedFolder, Rendering

_SHOWN = 2
_TELLING = re.compile(r"privilege|security|capabilit|host|seccomp|apparmor|selinux|sysctl|root|volume", re.IGNORECASE)


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each pod template that is refused, with the fields that it is refused for."""
    levels = admissions(rendering)
    for rendered in rendering.folders.values():
        for template in pod_templates(rendered.objects):
            admission = levels.get(template.owner.namespace)
            if admission is not None:
                refused = violations(pod_of(template), admission.policy, rendering.target.minor)
                if refused:
                    yield _found(rendering, rendered, template, admission, refused)


def _found(
    rendering: Rendering,
    rendered: RenderedFolder,
    template: PodTemplate,
    admission: Admission,
    refused: Sequence[Violation],
) -> Found:
    item = template.owner
    shown = [f"{found.message} at `{_where(template, found)}` ({found.control.id})" for found in refused[:_SHOWN]]
    others = f" and {len(refused) - _SHOWN} more" if len(refused) > _SHOWN else ""
    rules = dict.fromkeys(found.control.rule for found in refused[:_SHOWN])
    policy = f"enforces `{admission.policy.level.label}` ({admission.reason})"
    message = (
        f"the namespace `{item.namespace}` {policy} and refuses the pods of `{item.title}` in `{rendered.folder.name}`:"
        f" {'; '.join(shown)}{others}. The rule: {'; '.join(rules)}"
    )
    return about(codes.POD_REFUSED, rendered, message, item, advice=_advice(rendering, rendered, template, admission))


def _where(template: PodTemplate, found: Violation) -> str:
    """The field's path in the object, as people write it."""
    path = (*template.path[:-1], *found.path)
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _advice(rendering: Rendering, rendered: RenderedFolder, template: PodTemplate, admission: Admission) -> str:
    needed = needed_level(template, admission.policy, rendering.target.minor)
    name, namespace = rendered.component.name, template.owner.namespace
    if admission.namespace is not None:
        fix = f"label the Namespace `{namespace}` with `{ENFORCE}: {needed.label}`"
    elif rendering.plan.resolution.criteria.get("os") == "talos":
        fix = (
            f"give `{name}` a manifest with the Namespace `{namespace}` under `preManifestFiles`, which the bundle"
            " labels, and say `talos: {privileged: true}` in its component"
        )
    else:
        label = f"labelled `{ENFORCE}: {needed.label}`"
        fix = f"give `{name}` a manifest with the Namespace `{namespace}`, {label}, under `preManifestFiles`"
    values = [f"`{value}`" for value in values_read(rendered, template.owner, _TELLING)]
    return f"{fix}; or change what its template reads: {', '.join(values[:_SHOWN])}" if values else fix


RULE = Rule(
    "pod-security",
    str(__doc__),
    (codes.POD_REFUSED,),
    "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    judge,
)
