"""Every pod is admitted by the Pod Security level of its namespace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.admission import admissions, minors_judged, needed_level, pod_of
from groundswell.check.pod_security.evaluate import violations
from groundswell.check.pod_security.levels import ENFORCE
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


class _Refused(NamedTuple):
    """A template, what is enforced on its pods, why they are refused, and the minor of the first server to do so."""

    template: PodTemplate
    admission: Admission
    violations: Sequence[Violation]
    minor: int


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each pod template that is refused, with the fields that it is refused for.

    It is a warning where only later versions of Kubernetes refuse it, which the constraints allow as well.
    """
    levels = admissions(rendering)
    for template in rendering.pods:
        admission = levels.get(template.owner.namespace)
        refused = _refused(rendering, template, admission) if admission is not None else None
        if refused:
            yield _found(rendering, rendering.folders[template.owner.folder], refused)


def _refused(rendering: Rendering, template: PodTemplate, admission: Admission) -> _Refused | None:
    pod = pod_of(template)
    for minor in minors_judged(rendering.target):
        found = violations(pod, admission.policy, minor)
        if found:
            return _Refused(template, admission, found, minor)
    return None


def _found(rendering: Rendering, rendered: RenderedFolder, refused: _Refused) -> Found:
    template, admission, found, minor = refused
    item = template.owner
    shown = [f"{each.message} at `{_where(template, each)}` ({each.control.id})" for each in found[:_SHOWN]]
    others = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    rules = dict.fromkeys(each.control.rule for each in found[:_SHOWN])
    policy = f"enforces `{admission.policy.level.label}` ({admission.reason})"
    later = minor > rendering.target.minor
    since = f", from Kubernetes 1.{minor} on, which the constraints allow," if later else ""
    message = (
        f"the namespace `{item.namespace}` {policy} and{since} refuses the pods of `{item.title}` in"
        f" `{rendered.folder.name}`: {'; '.join(shown)}{others}. The rule: {'; '.join(rules)}"
    )
    advice = _advice(rendering, rendered, refused)
    result = about(codes.POD_REFUSED, rendered, message, item, path=_path(template, found[0]), advice=advice)
    return result.as_warning() if later else result


def _where(template: PodTemplate, found: Violation) -> str:
    """The field's path in the object, as people write it."""
    path = _path(template, found)
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _path(template: PodTemplate, found: Violation) -> tuple[str | int, ...]:
    return (*template.path[:-1], *found.path) if template.path[-1] == "spec" else template.path


def _advice(rendering: Rendering, rendered: RenderedFolder, refused: _Refused) -> str:
    template, admission, _, _ = refused
    needed = needed_level(template, admission.policy, minors_judged(rendering.target))
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
