"""Workloads: what makes pods from a template, and how it replaces them.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/apps/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/batch/validation/validation.go
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.pod_requests import containers_at
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import LABEL, label, share
from groundswell.check.validation.pods import mounts
from groundswell.check.validation.selectors import matches
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_ENDING = ("OnFailure", "Never")
_ROLLING = "RollingUpdate"
_QUARTER = "25%"
_LONGEST_WAIT = 600
_SOME_AT_ONCE = 37
"""The minor from which on a StatefulSet replaces as many pods at a time as it says."""
_OF_INDEXED = ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy")


def deployment(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A Deployment, which replaces some pods at a time, or all."""
    yield from _always(value, mapping(value.get("selector")))
    yield from _strategy(value, "strategy")
    rolling = _rolling(value, "strategy")
    if (
        rolling is not None
        and _nothing(rolling, "maxSurge", _QUARTER)
        and _nothing(rolling, "maxUnavailable", _QUARTER)
    ):
        yield Fault(("strategy", "rollingUpdate", "maxUnavailable"), "must not be 0 where `maxSurge` is")
    wait, ready = value.get("progressDeadlineSeconds", _LONGEST_WAIT), value.get("minReadySeconds") or 0
    if isinstance(wait, int) and isinstance(ready, int) and wait <= ready:
        yield Fault(("progressDeadlineSeconds",), f"must be more than `minReadySeconds`, which is {ready}")


def daemon_set(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A DaemonSet, which replaces a pod before or after the next one runs."""
    yield from _always(value, mapping(value.get("selector")))
    rolling = _rolling(value, "updateStrategy")
    if rolling is None:
        return
    still, no_more = _nothing(rolling, "maxUnavailable", 1), _nothing(rolling, "maxSurge", 0)
    if still and no_more:
        yield Fault(("updateStrategy", "rollingUpdate", "maxUnavailable"), "must not be 0 where `maxSurge` is")
    elif not still and not no_more:
        message = "must not be more than 0 unless `maxUnavailable` is 0, and 1 is its default"
        yield Fault(("updateStrategy", "rollingUpdate", "maxSurge"), message)


def stateful_set(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A StatefulSet, whose pods get a volume for each claim."""
    claims = sequence(value.get("volumeClaimTemplates"))
    names = [mapping(mapping(claim).get("metadata")).get("name") for claim in claims]
    yield from _claims(claims)
    yield from _always(value, mapping(value.get("selector")), [name for name in names if isinstance(name, str)])
    yield from _strategy(value, "updateStrategy")
    rolling = _rolling(value, "updateStrategy") or {}
    if context.minor >= _SOME_AT_ONCE and _nothing(rolling, "maxUnavailable", 1):
        yield Fault(("updateStrategy", "rollingUpdate", "maxUnavailable"), "must not be 0")


def _claims(claims: list[Json]) -> Iterator[Fault]:
    """Claims without content, or whose names no volume can have."""
    for index, claim in enumerate(claims):
        path, name = ("volumeClaimTemplates", str(index)), mapping(mapping(claim).get("metadata")).get("name")
        if mapping(claim).get("spec") is None:
            yield Fault(path, "`spec` is missing")
        if name is None or (isinstance(name, str) and not label(name)):
            yield Fault((*path, "metadata", "name"), f"must be {LABEL}, not {shown(name or '')}", codes.BAD_NAME)


def replica_set(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A ReplicaSet."""
    yield from _always(value, mapping(value.get("selector")))


def replication_controller(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A ReplicationController, whose selector are labels; without one it has those of the template."""
    labels = mapping(value.get("selector"))
    if value.get("template") is None:
        yield Fault((), "`template` is missing")
    else:
        yield from _always(value, {"matchLabels": labels} if labels else None)
        if not labels and not mapping(mapping(mapping(value.get("template")).get("metadata")).get("labels")):
            yield Fault((), "needs `selector`, or labels in its template")


def job(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A Job, whose pods come to an end."""
    spec = _pod(value)
    if spec.get("restartPolicy") not in _ENDING:
        yield Fault(("template", "spec", "restartPolicy"), "must be one of `OnFailure`, `Never`")
    elif spec.get("restartPolicy") != "Never" and value.get("podFailurePolicy") is not None:
        yield Fault(("template", "spec", "restartPolicy"), "must be `Never` beside a `podFailurePolicy`")
    indexed = value.get("completionMode") == "Indexed"
    if indexed and value.get("completions") is None and value.get("parallelism") is not None:
        yield Fault((), "needs `completions` beside `parallelism` with the mode `Indexed`")
    for field in _OF_INDEXED if not indexed else ():
        if value.get(field) is not None:
            yield Fault((field,), "must only be there with the mode `Indexed`")
    yield from mounts(spec, ("template", "spec"))


def own_selector(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The selector of a Job by itself, which gets one unless it says that it brings its own."""
    spec = mapping(value.get("spec"))
    selector = mapping(spec.get("selector"))
    labels = mapping(mapping(mapping(spec.get("template")).get("metadata")).get("labels"))
    if spec.get("manualSelector") is not True:
        if selector.get("matchLabels") or selector.get("matchExpressions"):
            yield Fault(("spec", "selector"), "must only be there with `manualSelector: true`")
    elif spec.get("selector") is None:
        yield Fault(("spec",), "needs `selector` with `manualSelector: true`")
    elif not matches(selector, labels):
        yield Fault(("spec", "selector"), "does not match the labels of the template")


def failure_rule(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A rule on failed pods is about how they ended, or about their state."""
    if bool(value.get("onExitCodes")) == bool(value.get("onPodConditions")):
        yield Fault((), "must have either `onExitCodes` or `onPodConditions`")


def exit_codes(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """Codes with which containers end, from the lowest to the highest; those that fail never end with 0."""
    found = [code for code in sequence(value.get("values")) if isinstance(code, int)]
    if any(code >= following for code, following in pairwise(found)):
        yield Fault(("values",), "must go up from each to the next")
    if value.get("operator") == "In" and 0 in found:
        yield Fault(("values", str(found.index(0))), "must not be 0 with the operator `In`")


def cron_job(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A CronJob, which makes the selectors of its jobs itself."""
    spec = mapping(mapping(value.get("jobTemplate")).get("spec"))
    if spec.get("selector") is not None:
        yield Fault(("jobTemplate", "spec", "selector"), "must not be there, since it is made for each job")
    if spec.get("manualSelector") is True:
        yield Fault(("jobTemplate", "spec", "manualSelector"), "must not be true")


def pod(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A pod that is no template, whose images the API server looks at more closely."""
    for place, container in containers_at(mapping(value.get("spec"))):
        image = container.get("image")
        if isinstance(image, str) and image != image.strip():
            yield Fault(("spec", *map(str, place), "image"), f"must have no space around it: {shown(image)}")
    yield from mounts(mapping(value.get("spec")), ("spec",))
    yield from (fault.below("spec") for fault in _own_names(mapping(value.get("spec"))))


def host_names(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What pods of a workload are called as hosts. Those of a StatefulSet are not called what its template says."""
    yield from (fault.below("template", "spec") for fault in _own_names(_pod(value)))


def _own_names(spec: Mapping[str, Json]) -> Iterator[Fault]:
    for field in ("hostname", "subdomain"):
        text = spec.get(field)
        if isinstance(text, str) and text and not label(text):
            yield Fault((field,), f"must be {LABEL}, not {shown(text)}", codes.BAD_NAME)


def _pod(value: Mapping[str, Json]) -> Mapping[str, Json]:
    return mapping(mapping(value.get("template")).get("spec"))


def _always(
    value: Mapping[str, Json], selector: Mapping[str, Json] | None, others: Iterable[str] = ()
) -> Iterator[Fault]:
    """What all have in common whose pods run for ever: a selector that selects them, and no end."""
    template = mapping(value.get("template"))
    labels = mapping(mapping(template.get("metadata")).get("labels"))
    if selector is not None and value.get("selector") is not None:
        if not selector.get("matchLabels") and not selector.get("matchExpressions"):
            yield Fault(("selector",), "must not be empty")
        elif not matches(selector, labels):
            yield Fault(("selector",), "does not match the labels of the template")
    spec = _pod(value)
    if spec.get("restartPolicy") in _ENDING:
        yield Fault(("template", "spec", "restartPolicy"), "must be `Always`")
    if spec.get("activeDeadlineSeconds") is not None:
        yield Fault(("template", "spec", "activeDeadlineSeconds"), "must not be there")
    yield from mounts(spec, ("template", "spec"), others)


def _strategy(value: Mapping[str, Json], field: str) -> Iterator[Fault]:
    """The parameters of a strategy that another one was chosen in place of."""
    strategy = mapping(value.get(field))
    kind = strategy.get("type") or _ROLLING
    if kind != _ROLLING and strategy.get("rollingUpdate") is not None:
        yield Fault((field, "rollingUpdate"), f"must not be there with the type `{kind}`")


def _rolling(value: Mapping[str, Json], field: str) -> Mapping[str, Json] | None:
    """The parameters of a rolling update; None where another strategy is chosen."""
    strategy = mapping(value.get(field))
    return mapping(strategy.get("rollingUpdate")) if (strategy.get("type") or _ROLLING) == _ROLLING else None


def _nothing(rolling: Mapping[str, Json], field: str, default: Json) -> bool:
    """Whether a share is none; one that is left out is the default."""
    found = rolling.get(field)
    return share(default if found is None else found) == 0
