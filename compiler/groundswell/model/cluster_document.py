"""From a Cluster file to the cluster that it describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.codes.source import DUPLICATE_KEY, LOSSY_FLOAT
from groundswell.diagnostics.diagnostic import Related, Severity, ordered
from groundswell.diagnostics.suggest import suggestion
from groundswell.model.cluster import ClusterDocument, ClusterSpec
from groundswell.model.cluster_layers import Layer, contradictions, layered
from groundswell.model.conditions import Criteria
from groundswell.model.parse import validate
from groundswell.source.reader import read_one
from groundswell.talos.cluster import Cluster, Device, Host, Instance, Placed, Prep
from groundswell.talos.cpus import parse_cpus
from groundswell.talos.device_kinds import DeviceKind
from groundswell.talos.target import Base, Form, Target
from groundswell.talos.version import TalosVersion, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.model.cluster import HostModel, TalosTarget
    from groundswell.model.cluster_layers import Path, Stated
    from groundswell.source.located import Located
    from groundswell.source.span import Span
    from groundswell.talos.cpus import CpuSet

_STAND_IN = TalosVersion(1, 13, 0)


def read_cluster(data: bytes, file: str) -> tuple[Cluster | None, tuple[Diagnostic, ...]]:
    """Read a Cluster file. `file` names it in places.

    Returns:
        The cluster, None when the file has not the form of one, and everything that is wrong with its text, form,
        version and groups. With errors among them the cluster serves to find more of them, and for nothing else.
    """
    document, findings = read_one(data, file)
    if document is None:
        return None, findings
    model, refused, kept = validate(ClusterDocument, document)
    doubted = {finding.span for finding in findings if finding.severity is Severity.ERROR}
    # A number whose text was kept lost nothing; where the text itself is wrong, what follows from it is no news.
    findings = tuple(item for item in findings if item.code != LOSSY_FLOAT.code or item.span not in kept)
    findings += tuple(item for item in refused if item.span not in doubted)
    if model is None:
        return None, ordered(findings)
    described, found = _cluster(model, document)
    return described, ordered((*findings, *found))


def readable_criteria(data: bytes, file: str) -> dict[str, str] | None:
    """The criteria of a Cluster file in which something else is wrong; None where they are in doubt themselves."""
    document, findings = read_one(data, file)
    if document is None or not isinstance(document.data, dict) or document.data.get("kind") != "Cluster":
        return None
    wrong = [item for item in findings if item.severity is Severity.ERROR]
    if "spec" not in document or any(item.code == DUPLICATE_KEY.code for item in wrong):
        return None
    spec = document["spec"]
    if "criteria" not in spec:
        known = {to_camel(name) for name in ClusterSpec.model_fields}
        certain = isinstance(spec.data, dict) and spec.data.keys() <= known  # another key may be meant for it
        return _criteria(Criteria.model_construct()) if certain else None
    place = spec["criteria"]
    lines = range(place.span.line, place.span.end_line + 1)
    model, _, _ = validate(Criteria, place)
    doubted = any(item.span is None or item.span.line in lines for item in wrong)
    return None if doubted or model is None or any(_criteria_findings(model, spec)) else _criteria(model)


def _cluster(model: ClusterDocument, document: Located) -> tuple[Cluster, Iterable[Diagnostic]]:
    spec, place = model.spec, document["spec"]
    target, found = _target(spec.talos, place["talos"])
    reader = _Hosts(spec, place)
    hosts = tuple(reader.host(host, item) for host, item in zip(spec.hosts, place["hosts"].elements(), strict=True))
    found += (*_criteria_findings(spec.criteria, place), *reader.findings, *reader.unused(), *_twice(hosts))
    described = Cluster(
        name=model.metadata.name,
        criteria=_criteria(spec.criteria),
        target=target,
        version_span=place["talos"]["version"].span,
        endpoint=spec.talos.endpoint,
        hosts=hosts,
        exemptions=tuple(dict.fromkeys(spec.talos.pod_security_exemptions)),
        set_hostnames=spec.talos.set_hostnames,
    )
    return described, found


def _target(model: TalosTarget, place: Located) -> tuple[Target, tuple[Diagnostic, ...]]:
    """The target. With a version that cannot be compiled for another stands in, so that the rest is checked."""
    version, findings = parse_version(model.version, place["version"].span)
    version = version or _STAND_IN
    target = Target(version, model.factory_url, model.platform, model.secureboot, Base(model.base_config))
    if model.set_hostnames and target.base is Base.LEGACY and target.hostname_form is Form.DOCUMENTS:
        text = "host names cannot be set on a configuration that an earlier Talos wrote"
        findings = (*findings, codes.STORED_HOSTNAME(text, place["setHostnames"].span))
    return target, findings


def _criteria(model: Criteria) -> dict[str, str]:
    stated = {key: value for key, value in model.model_dump().items() if value not in (None, "", "any")}
    return {**stated, "os": "talos"}


def _criteria_findings(model: Criteria, place: Located) -> Iterable[Diagnostic]:
    if model.os not in (None, "", "any", "talos"):
        yield codes.NOT_TALOS(f"the criteria state `os: {model.os}`", place["criteria"]["os"].span)


def _twice(hosts: Sequence[Host]) -> Iterable[Diagnostic]:
    """Hosts that share a name or an address."""
    for what in ("name", "address"):
        first: dict[str, Span] = {}
        for host in hosts:
            placed: Placed[str] | None = getattr(host, what)
            if placed is None:
                continue
            if placed.value in first:
                text = f"two hosts have the {what} `{placed.value}`"
                yield codes.NAME_TWICE(text, placed.span, related=[Related(first[placed.value], "the first one")])
            first.setdefault(placed.value, placed.span)


class _Hosts:
    """Reads the hosts of one document and collects what is wrong with them."""

    def __init__(self, spec: ClusterSpec, place: Located) -> None:
        self.findings: list[Diagnostic] = []
        self._place = place
        self._defaults = [Layer("the defaults", spec.defaults, place["defaults"])] if spec.defaults else []
        self._groups = {
            name: Layer(f"group `{name}`", item, place["groups"][name]) for name, item in spec.groups.items()
        }
        for layer in (*self._defaults, *self._groups.values()):
            self.findings += contradictions(layer)
        self._named: set[str] = set()

    def unused(self) -> Iterable[Diagnostic]:
        """Groups that no host named."""
        for name in self._groups:
            if name not in self._named:
                at = self._place["groups"].key_span(name)
                yield codes.UNUSED_GROUP(f"no host is in the group `{name}`", at)

    def host(self, model: HostModel, place: Located) -> Host:
        """One host with what its layers give it."""
        groups = [self._groups[name] for name in self._known(model, place)]
        own = Layer(f"host `{model.name}`", model, place)
        stated, findings = layered(self._defaults, groups, own)
        self.findings += (*contradictions(own), *findings)
        values = _Values(stated, self.findings)
        return Host(
            name=Placed(model.name, place["name"].span),
            address=Placed(model.address, place["address"].span) if model.address else None,
            control_plane=values.plain("role") == "controlplane",
            accelerated=values.plain("accelerated") is True,
            install_disk=values.one("installDisk"),
            install_disk_controller=values.one("installDiskController"),
            management_nic=values.one("managementNIC"),
            cpu_vendor=values.one("cpuVendor"),
            cpus=values.one("cpus"),
            memory_gib=values.one("memoryGiB"),
            numa_nodes=values.one("numaNodes"),
            labels=values.below("nodeLabels"),
            prep=_prep(values),
        )

    def _known(self, model: HostModel, place: Located) -> Iterable[str]:
        for index, name in enumerate(model.groups):
            if name in self._groups:
                self._named.add(name)
                yield name
            else:
                text, span = f"there is no group `{name}`", place["groups"][index].span
                self.findings.append(codes.UNKNOWN_GROUP(text, span, help=suggestion(name, self._groups)))


def _prep(values: _Values) -> Prep:
    return Prep(
        hugepages_2mi=values.elements("prep", "hugepages", "2Mi"),
        hugepages_1gi=values.one("prep", "hugepages", "1Gi"),
        isolated=values.cpus("prep", "isolatedCPUs"),
        housekeeping=values.cpus("prep", "housekeepingCPUs"),
        devices=tuple(
            Device(
                Placed(item["address"], place["address"].span),
                item.get("driver", "vfio-pci"),
                DeviceKind(item["kind"]) if item.get("kind") else None,
                _child(item, place, "iommuGroup"),
            )
            for item, place in values.pairs("prep", "vfio")
        ),
        extensions=values.united("prep", "extensions"),
        modules=values.united("prep", "kernelModules"),
        module_parameters={
            name: Placed(tuple(item.value), item.span)
            for name, item in values.below("prep", "kernelModuleParameters").items()
        },
        kernel_args=values.united("prep", "kernelArgs"),
        sysctls=values.below("prep", "sysctls"),
        instances=tuple(
            Instance(
                Placed(item["name"], place["name"].span),
                _child(item, place, "numaNode"),
                values.as_cpus(_child(item, place, "cpus")),
                values.as_cpus(_child(item, place, "housekeepingCPUs")),
            )
            for item, place in values.pairs("prep", "instances")
        ),
    )


def _child(item: Mapping[str, Any], place: Located, key: str) -> Placed[Any] | None:
    return Placed(item[key], place[key].span) if item.get(key) is not None else None


class _Values:
    """The layered settings of one host by path."""

    def __init__(self, stated: Mapping[Path, tuple[Stated, ...]], findings: list[Diagnostic]) -> None:
        self._stated = stated
        self._findings = findings

    def one(self, *path: str) -> Placed[Any] | None:
        """The value at a path with its place."""
        found = self._stated.get(path)
        return Placed(found[-1].value, found[-1].place.span) if found else None

    def plain(self, *path: str) -> Any:  # noqa: ANN401  the model has checked the type
        """The value at a path, None where nobody states it."""
        placed = self.one(*path)
        return placed.value if placed else None

    def united(self, *path: str) -> tuple[Placed[Any], ...]:
        """Every element that any layer states."""
        return tuple(Placed(item.value, item.place.span) for item in self._stated.get(path, ()))

    def pairs(self, *path: str) -> Iterable[tuple[Any, Located]]:
        """The elements of a list with their places."""
        for item in self._stated.get(path, ()):
            yield from zip(item.value, item.place.elements(), strict=True)

    def elements(self, *path: str) -> tuple[Placed[Any], ...]:
        """The elements of a list of scalars."""
        return tuple(Placed(value, place.span) for value, place in self.pairs(*path))

    def below(self, *path: str) -> dict[str, Placed[Any]]:
        """Everything one level below a path."""
        depth = len(path)
        return {
            items[-1].path[-1]: Placed(items[-1].value, items[-1].place.span)
            for found, items in self._stated.items()
            if found[:depth] == path and len(found) == depth + 1
        }

    def cpus(self, *path: str) -> Placed[CpuSet] | None:
        """A set of CPUs."""
        return self.as_cpus(self.one(*path))

    def as_cpus(self, placed: Placed[str] | None) -> Placed[CpuSet] | None:
        """A text as a set of CPUs; one that cannot be read is a finding, and the empty set stands in for it."""
        if placed is None:
            return None
        found = parse_cpus(placed.value)
        if found is None:
            self._findings.append(codes.BAD_CPUS(f"`{placed.value}` is not a list of CPUs", placed.span))
        return Placed(found or frozenset(), placed.span)
