"""Pods: what their containers share.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.pod_requests import containers_at
from groundswell.check.validation.containers import exactly_one, given, of_pod, repeated
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import VALUE, label_value
from groundswell.check.validation.resources import container_resource, container_resources
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.check.validation.fault import Context, Path
    from groundswell.source.located import Json

_VOLUME = "io.k8s.api.core.v1.Volume"
_FILED = frozenset(f"metadata.{field}" for field in ("name", "namespace", "uid", "labels", "annotations"))
"""The fields of a pod that a file can have the value of."""
_OWN_RESOURCES = 34
"""The minor from which on a pod has resources besides those of its containers."""
_MOST_SERVERS = 3
_GRACE = 30
_RUNNING = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")


def pod_spec(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """What is wrong with a pod beyond each of its parts, but for mounts: some volumes come from elsewhere."""
    if value.get("containers") == []:
        yield Fault(("containers",), "must not be empty")
    yield from _names(value)
    yield from _host_ports(value)
    yield from _starting(value)
    yield from _waiting(value)
    if context.minor >= _OWN_RESOURCES:
        yield from _resources(mapping(value.get("resources")))
    yield from repeated(value, "schedulingGates", "name")
    if value.get("dnsPolicy") == "None" and not mapping(value.get("dnsConfig")).get("nameservers"):
        yield Fault(("dnsConfig",), "needs `nameservers` where `dnsPolicy` is `None`")
    if value.get("shareProcessNamespace") is True and value.get("hostPID") is True:
        yield Fault(("shareProcessNamespace",), "must not be true where `hostPID` is")
    yield from (
        fault._replace(path=("overhead", *fault.path[1:]))
        for fault in container_resources({"limits": mapping(value.get("overhead"))}, ())
    )


def mounts(spec: Mapping[str, Json], path: Path, others: Iterable[str] = ()) -> Iterator[Fault]:
    """Mounts of volumes that a pod does not have; `others` are volumes that come from elsewhere."""
    names = [*(mapping(volume).get("name") for volume in sequence(spec.get("volumes"))), *others]
    for place, container in containers_at(spec):
        for field in ("volumeMounts", "volumeDevices"):
            for index, mount in enumerate(sequence(container.get(field))):
                name = mapping(mount).get("name")
                if isinstance(name, str) and name and name not in names:
                    at = (*path, *map(str, place), field, str(index), "name")
                    yield Fault(at, f"names the volume {shown(name)}, which the pod does not have")


def volume(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A volume has one source. One that has none is an empty directory."""
    known = mapping(context.definitions[_VOLUME].get("properties"))
    found = given(value, (field for field in known if field != "name"))
    if len(found) > 1:
        yield Fault((), f"must have one source, not {' and '.join(f'`{field}`' for field in found)}")


def projection(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """A part of a projected volume has one source at most."""
    known = mapping(context.definitions["io.k8s.api.core.v1.VolumeProjection"].get("properties"))
    if len(found := given(value, known)) > 1:
        yield Fault((), f"must have one source, not {' and '.join(f'`{field}`' for field in found)}")


def downward_file(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A file in a volume with facts on the pod."""
    yield from exactly_one(value, ("fieldRef", "resourceFieldRef"))
    field, resource = mapping(value.get("fieldRef")).get("fieldPath"), value.get("resourceFieldRef")
    if isinstance(field, str) and not of_pod(field, _FILED):
        yield Fault(("fieldRef", "fieldPath"), f"is no field for files: {shown(field)}")
    if isinstance(resource, dict) and not resource.get("containerName"):
        yield Fault(("resourceFieldRef",), "`containerName` is missing")


def projected(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A projected volume, whose parts are files of their own."""
    seen = set()
    for index, source in enumerate(sequence(value.get("sources"))):
        for field in ("secret", "configMap", "downwardAPI"):
            for at, item in enumerate(sequence(mapping(mapping(source).get(field)).get("items"))):
                path = mapping(item).get("path")
                if isinstance(path, str) and path:
                    if path in seen:
                        yield Fault(
                            ("sources", str(index), field, "items", str(at), "path"), f"stands twice: {shown(path)}"
                        )
                    seen.add(path)


def name_servers(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """Where a pod looks for names, as far as its system looks."""
    if len(sequence(value.get("nameservers"))) > _MOST_SERVERS:
        yield Fault(("nameservers",), f"must not be more than {_MOST_SERVERS}")


def toleration(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What is tolerated: every taint only with `Exists`, for a time only what evicts."""
    operator = value.get("operator")
    if not value.get("key") and operator != "Exists":
        yield Fault(("operator",), "must be `Exists` where there is no `key`")
    text = value.get("value")
    if operator == "Exists" and text:
        yield Fault(("value",), "must not be there with the operator `Exists`")
    elif operator in (None, "", "Equal") and isinstance(text, str) and not label_value(text):
        yield Fault(("value",), f"must be {VALUE}, not {shown(text)}", codes.BAD_NAME)
    if value.get("tolerationSeconds") is not None and value.get("effect") != "NoExecute":
        yield Fault(("effect",), "must be `NoExecute` where `tolerationSeconds` is given")


def spread(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """How pods are spread: over how many domains only where pods wait for them."""
    if value.get("minDomains") is not None and value.get("whenUnsatisfiable") == "ScheduleAnyway":
        yield Fault(("minDomains",), "must only be there where `whenUnsatisfiable` is `DoNotSchedule`")


def _names(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Containers that start first and are called like one that runs. Those of one list are told by its schema."""
    names = [mapping(item).get("name") for item in sequence(value.get("containers"))]
    for index, item in enumerate(sequence(value.get("initContainers"))):
        name = mapping(item).get("name")
        if isinstance(name, str) and name and name in names:
            yield Fault(("initContainers", str(index), "name"), f"is that of another container: {shown(name)}")


def _host_ports(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Ports of the node that two containers want, or, in the node's network, other ones than those that are open."""
    seen = set()
    for at, item in enumerate(sequence(value.get("containers"))):
        for index, entry in enumerate(sequence(mapping(item).get("ports"))):
            port = mapping(entry)
            wanted = port.get("hostPort")
            if not isinstance(wanted, int) or not wanted:
                continue
            path = ("containers", str(at), "ports", str(index), "hostPort")
            key = (str(port.get("protocol") or "TCP"), str(port.get("hostIP") or ""), wanted)
            if key in seen:
                yield Fault(path, f"stands twice: `{wanted}`")
            seen.add(key)
            if value.get("hostNetwork") is True and port.get("containerPort") != wanted:
                yield Fault(path, "must equal `containerPort` in the network of the node")


def _starting(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Containers that end before the others start have neither probes nor hooks."""
    for index, item in enumerate(sequence(value.get("initContainers"))):
        container = mapping(item)
        if container.get("restartPolicy") != "Always":
            for field in given(container, _RUNNING):
                yield Fault(("initContainers", str(index), field), "must only be there with `restartPolicy: Always`")


def _resources(resources: Mapping[str, Json]) -> Iterator[Fault]:
    """The resources of a pod as a whole, of which there are fewer than of containers."""
    yield from container_resources(resources)
    for part in ("limits", "requests"):
        for name in mapping(resources.get(part)):
            if not container_resource(name) and name not in {"cpu", "memory"} and not name.startswith("hugepages-"):
                yield Fault(("resources", part, name), "is no resource of a pod as a whole", codes.BAD_QUANTITY)


def _waiting(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Containers that wait when they begin or end, and no longer than they are given to end."""
    most = value.get("terminationGracePeriodSeconds")
    most = _GRACE if most is None else most
    for place, container in containers_at(value):
        for hook in ("preStop", "postStart"):
            wait = mapping(mapping(mapping(container.get("lifecycle")).get(hook)).get("sleep")).get("seconds")
            if isinstance(wait, int) and isinstance(most, int) and not 0 <= wait <= most:
                path = (*map(str, place), "lifecycle", hook, "sleep", "seconds")
                yield Fault(path, f"must be 0 to `terminationGracePeriodSeconds`, which is {most}, not {wait}")
