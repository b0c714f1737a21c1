"""The Pod Security policy that each namespace will enforce."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.pod_security.evaluate import REVISED, violations
from groundswell.check.pod_security.levels import ENFORCE, Level, Policy, enforced
from groundswell.check.pod_security.pod import Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import Rendering
    from groundswell.check.target import Target

_TALOS = Policy(Level.BASELINE)
_NOTHING = Policy(Level.PRIVILEGED)
"""What Kubernetes itself enforces where a Namespace has no label."""

_EXEMPT = "kube-system"


class Admission(NamedTuple):
    """What is enforced on the pods of a namespace, and why: "the default of Talos".

    `namespace` is the Namespace whose label says so, None where there is none. In an exempt namespace it means nothing.
    """

    policy: Policy
    reason: str
    namespace: KubeObject | None = None


def admissions(rendering: Rendering) -> Mapping[str, Admission]:
    """By namespace, for every one in which the bundle has objects.

    On Talos a namespace without a label enforces `baseline`, and `kube-system` is exempt, as are the namespaces that
    the Cluster file names.
    """
    talos = rendering.plan.resolution.criteria.get("os") == "talos"
    exempt = {_EXEMPT, *(rendering.cluster.exemptions if rendering.cluster else ())} if talos else set()
    default = Admission(_TALOS, "the default of Talos") if talos else Admission(_NOTHING, "the default of Kubernetes")
    made = {item.name: item for item in rendering.objects if item.kind == "Namespace" and not item.group}
    found = {}
    for name in sorted({item.namespace for item in rendering.objects} - {""}):
        labelled = made.get(name)
        texts = {key: value for key, value in labelled.labels.items() if isinstance(value, str)} if labelled else {}
        if name in exempt:
            found[name] = Admission(_NOTHING, "exempt")
        elif ENFORCE in texts:
            found[name] = Admission(enforced(texts, default.policy), "by its label", labelled)
        else:
            found[name] = Admission(enforced(texts, default.policy), default.reason)
    return found


def pod_of(template: PodTemplate) -> Pod:
    """A pod template as the evaluator takes it."""
    return Pod.of({"metadata": template.metadata, "spec": template.spec})


def minors_judged(target: Target) -> list[int]:
    """The minor of the target, and every later one that it may come to and that brings other rules."""
    last = target.last_minor
    later = [minor for minor in REVISED if minor > target.minor and (last is None or minor <= last)]
    return [target.minor, *later]


def needed_level(template: PodTemplate, policy: Policy, minors: Iterable[int]) -> Level:
    """The strictest level that admits the pods of a template, in the version of the rules that `policy` states.

    `minors` are those of the API servers that have to admit them.
    """
    pod, minors = pod_of(template), tuple(minors)
    for level in sorted(Level, reverse=True):
        if not any(violations(pod, Policy(level, policy.minor), minor) for minor in minors):
            return level
    return Level.PRIVILEGED
