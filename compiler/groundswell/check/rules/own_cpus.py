"""Pods that drive devices or hugepages with whole CPUs get these CPUs for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.nodes import candidates
from groundswell.check.pod_requests import containers, guaranteed, pod_requests, requested_at, whole_cpus
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.nodes import Node
    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each template whose pods share the CPUs that they ask for whole.

    Only pods with hugepages or devices of the hosts are judged: for others it does not matter.
    """
    if rendering.cluster is None:
        return
    for template in rendering.pods:
        nodes = candidates(rendering, template.spec)
        special = any(node.prepares(name) for node in nodes for name in pod_requests(template.spec))
        if special and any(whole_cpus(item) for item in containers(template.spec)):
            problem = _problem(template, nodes)
            if problem:
                rendered = rendering.folders[template.owner.folder]
                message = f"the pods of `{template.owner.title}` in `{rendered.folder.name}` get no CPUs of their own:"
                path = (*template.path, *requested_at(template.spec, "cpu"))
                yield about(codes.NO_OWN_CPUS, rendered, f"{message} {problem}", template.owner, path=path)


def _problem(template: PodTemplate, nodes: list[Node]) -> str:
    if not any(node.exclusive_cpus != 0 for node in nodes):
        return "no host that they may run on has isolated and housekeeping CPUs"
    if not guaranteed(template.spec):
        return "the limits of CPU and memory are not those of the requests in every container"
    return ""


RULE = Rule(
    "own-cpus",
    str(__doc__),
    (codes.NO_OWN_CPUS,),
    "https://kubernetes.io/docs/tasks/administer-cluster/cpu-management-policies/",
    judge,
)
