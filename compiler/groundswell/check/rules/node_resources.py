"""The hosts of the Cluster file have the hugepages, devices, CPUs and memory that pods ask for."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.nodes import Node, candidates, nodes_of
from groundswell.check.objects import mapping
from groundswell.check.pod_requests import pod_requests, requested_at
from groundswell.check.quantity import format_bytes
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import Rendering

_COUNTS = {"Deployment": "replicas", "StatefulSet": "replicas", "ReplicaSet": "replicas"}


class _Problem(NamedTuple):
    """What is wrong with the pods of a template, with which resource ("" for none), and what to do."""

    text: str
    resource: str = ""
    advice: str = ""


class _Demand(NamedTuple):
    """What the pods of a template ask for each, and the nodes that they may run on."""

    template: PodTemplate
    requests: dict[str, Fraction]
    nodes: frozenset[str]


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each template whose pods fit on no host, and one where pods that fit alone do not together.

    Pods of a DaemonSet must fit on every host that has the labels they select.
    """
    if rendering.cluster is None:
        return
    demands = []
    for template in rendering.pods:
        nodes = candidates(rendering, template.spec)
        requests = pod_requests(template.spec)
        everywhere = candidates(rendering, template.spec, certain=True) if _is_daemon(template) else []
        problem = _nowhere(nodes) or _too_much(requests, nodes) or _too_much_somewhere(requests, everywhere)
        if problem:
            yield _found(rendering, template, problem)
        else:
            demands.append(_Demand(template, requests, frozenset(node.name for node in nodes)))
    yield from _together(rendering, demands)


def _is_daemon(template: PodTemplate) -> bool:
    return (template.owner.group, template.owner.kind) == ("apps", "DaemonSet")


def _nowhere(nodes: list[Node]) -> _Problem | None:
    return None if nodes else _Problem("may run on no host of the cluster: no node has the labels that they select")


def _too_much(requests: Mapping[str, Fraction], nodes: list[Node]) -> _Problem | None:
    """The first resource of which no node has enough; one that some node may have is passed over."""
    for resource, amount in requests.items():
        provided = [node.provides(resource) for node in nodes]
        known = [number for number in provided if number is not None]
        if amount > 0 and len(known) == len(provided) and max(known) < amount:
            has = f"no host that they may run on has more than {_shown(resource, max(known))}"
            return _Problem(f"ask for {_shown(resource, amount)} of `{resource}` each, and {has}", resource)
    return None


def _too_much_somewhere(requests: Mapping[str, Fraction], nodes: list[Node]) -> _Problem | None:
    """The first resource of which some node has too little, for pods that run on each of the nodes."""
    for resource, amount in requests.items():
        provided = [(node.name, node.provides(resource)) for node in nodes]
        short = [(name, number) for name, number in provided if number is not None and number < amount]
        if short:
            most = _shown(resource, max(number for _, number in short))
            hosts = ", ".join(f"`{name}`" for name, _ in short)
            text = f"ask for {_shown(resource, amount)} of `{resource}` each, and one runs on every host they select:"
            has = f"{hosts} {'have' if len(short) > 1 else 'has'} no more than {most}"
            return _Problem(f"{text} {has}", resource, "select the hosts that have it")
    return None


def _together(rendering: Rendering, demands: list[_Demand]) -> Iterator[Found]:
    """Pods that can only go to some hosts must fit on these hosts all at once."""
    by_name = {node.name: node for node in nodes_of(rendering)}
    reported: set[str] = set()
    for group in sorted({demand.nodes for demand in demands}, key=lambda names: (len(names), sorted(names))):
        asked: dict[str, Fraction] = defaultdict(Fraction)
        users: dict[str, list[_Demand]] = defaultdict(list)
        for demand in demands:
            for resource, amount in demand.requests.items() if demand.nodes <= group else ():
                asked[resource] += amount * _count(demand)
                users[resource].append(demand)
        for resource, amount in asked.items():
            provided = [by_name[name].provides(resource) for name in group]
            known = [number for number in provided if number is not None]
            if resource not in reported and len(known) == len(provided) and sum(known) < amount:
                reported.add(resource)
                hosts = ", ".join(f"`{name}`" for name in sorted(group))
                largest = max(users[resource], key=lambda demand: demand.requests[resource] * _count(demand))
                total = f"{_shown(resource, amount)} of `{resource}` on {hosts}"
                has = f"which have {_shown(resource, Fraction(sum(known)))}"
                problem = _Problem(f"and others that only go there ask for {total}, {has}", resource)
                yield _found(rendering, largest.template, problem)


def _count(demand: _Demand) -> int:
    """How many pods of a template run at the same time for good; 0 for those that end."""
    owner = demand.template.owner
    if _is_daemon(demand.template):
        return len(demand.nodes)
    if owner.kind in _COUNTS:
        replicas = mapping(owner.data.get("spec")).get(_COUNTS[owner.kind], 1)
        return replicas if isinstance(replicas, int) else 1
    return 1 if owner.kind == "Pod" and not owner.hook else 0


def _found(rendering: Rendering, template: PodTemplate, problem: _Problem) -> Found:
    rendered = rendering.folders[template.owner.folder]
    message = f"the pods of `{template.owner.title}` in `{rendered.folder.name}` {problem.text}"
    inside = requested_at(template.spec, problem.resource) if problem.resource else ("nodeSelector",)
    path = (*template.path, *inside)
    return about(codes.NO_SUCH_NODE, rendered, message, template.owner, path=path, advice=problem.advice)


def _shown(resource: str, amount: Fraction) -> str:
    if resource == "memory" or resource.startswith("hugepages-"):
        return format_bytes(amount)
    return str(amount) if amount.denominator == 1 else f"{float(amount):g}"


RULE = Rule(
    "node-resources",
    str(__doc__),
    (codes.NO_SUCH_NODE,),
    "https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/",
    judge,
)
