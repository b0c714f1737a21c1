"""The strict model of a Cluster file. What values mean together is checked in `talos`, with findings of its own."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from groundswell.model.conditions import Criteria
from groundswell.model.fields import DISK_PATTERN, Authored, Name, Namespace, Text, Word
from groundswell.talos.target import OFFICIAL_FACTORY

_FACTORY = re.compile(r"https?://[a-z0-9.-]+(:[0-9]+)?")
_ENDPOINT = re.compile(r"https://[A-Za-z0-9.:\[\]-]+")
_HOSTNAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", re.IGNORECASE)
_DIGITS_AND_DOTS = re.compile(r"[0-9.]+")
_MODULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def _factory(url: str) -> str:
    if not _FACTORY.fullmatch(url):
        msg = f"must be the URL of an Image Factory without a path, such as {OFFICIAL_FACTORY}"
        raise ValueError(msg)
    return url


def _endpoint(url: str) -> str:
    if not _ENDPOINT.fullmatch(url):
        msg = "must be the URL of the Kubernetes API, such as https://10.0.0.10:6443"
        raise ValueError(msg)
    return url


def _address(text: str) -> str:
    try:
        ip_address(text)
    except ValueError:
        # What looks like an IPv4 address must be one.
        if not _HOSTNAME.fullmatch(text) or _DIGITS_AND_DOTS.fullmatch(text):
            msg = "must be an IP address or a host name"
            raise ValueError(msg) from None
    return text


def _module(name: str) -> str:
    if not _MODULE.fullmatch(name):
        msg = "must be the name of a kernel module, such as nvme_tcp"
        raise ValueError(msg)
    return name


def _modules(parameters: dict[str, list[str]]) -> dict[str, list[str]]:
    for name in parameters:
        if not _MODULE.fullmatch(name):
            msg = f"must name kernel modules, not `{name}`"
            raise ValueError(msg)
    return parameters


def _not_exempt(namespace: str) -> str:
    if namespace == "kube-system":
        msg = "must not hold kube-system, which is exempt already"
        raise ValueError(msg)
    return namespace


def _count(number: int) -> int:
    if number < 0:
        msg = "must not be negative"
        raise ValueError(msg)
    return number


def _some(number: int) -> int:
    if number < 1:
        msg = "must be at least 1"
        raise ValueError(msg)
    return number


Count = Annotated[int, AfterValidator(_count), Field(json_schema_extra={"minimum": 0})]
Number = Annotated[int, AfterValidator(_some), Field(json_schema_extra={"minimum": 1})]


Disk = Annotated[str, StringConstraints(pattern=DISK_PATTERN)]
Factory = Annotated[str, AfterValidator(_factory), Field(json_schema_extra={"pattern": f"^{_FACTORY.pattern}$"})]
Endpoint = Annotated[str, AfterValidator(_endpoint), Field(json_schema_extra={"pattern": f"^{_ENDPOINT.pattern}$"})]
# Those that the Image Factory makes installers for (pkg/machinery/platforms in Talos), as it spells them.
Platform = Literal[
    "metal",
    "akamai",
    "aws",
    "azure",
    "cloudstack",
    "digital-ocean",
    "equinixMetal",
    "exoscale",
    "gcp",
    "hcloud",
    "nocloud",
    "opennebula",
    "openstack",
    "oracle",
    "scaleway",
    "upcloud",
    "vmware",
    "vultr",
]
Module = Annotated[str, AfterValidator(_module), Field(json_schema_extra={"pattern": f"^{_MODULE.pattern}$"})]
ModuleParameters = Annotated[
    dict[str, list[Word]],
    AfterValidator(_modules),
    Field(json_schema_extra={"propertyNames": {"pattern": f"^{_MODULE.pattern}$"}}),
]
Exemption = Annotated[
    Namespace, AfterValidator(_not_exempt), Field(json_schema_extra={"not": {"const": "kube-system"}})
]


class ClusterMetadata(Authored):
    """The cluster's name."""

    name: Name


class TalosTarget(Authored):
    """What is compiled for."""

    version: Word
    factory_url: Factory = Field(OFFICIAL_FACTORY, alias="factoryURL")
    platform: Platform = "metal"
    secureboot: bool = False
    endpoint: Endpoint
    base_config: Literal["generated", "legacy"] = "generated"
    set_hostnames: bool = False
    pod_security_exemptions: list[Exemption] = []


class HugepagesModel(Authored):
    """Pages of 2 MiB per NUMA node, from node 0, and pages of 1 GiB over the whole machine."""

    per_node: list[Count] = Field([], alias="2Mi")
    whole: Number | None = Field(None, alias="1Gi")


class DeviceModel(Authored):
    """A PCI device for user space. Kind and IOMMU group say how pods get it."""

    address: str
    driver: Literal["vfio-pci", "uio_pci_generic"] = "vfio-pci"
    kind: Literal["network", "accelerator", "nvme", "storage", "gpu", "other"] | None = None
    iommu_group: Count | None = None


class InstanceModel(Authored):
    """A program with CPUs of its own."""

    name: Name
    numa_node: Count | None = None
    cpus: str | None = None
    housekeeping_cpus: str | None = Field(None, alias="housekeepingCPUs")


class PrepModel(Authored):
    """How a host is prepared."""

    hugepages: HugepagesModel | None = None
    isolated_cpus: str | None = Field(None, alias="isolatedCPUs")
    housekeeping_cpus: str | None = Field(None, alias="housekeepingCPUs")
    vfio: list[DeviceModel] = []
    extensions: list[Word] = []
    kernel_modules: list[Module] = []
    kernel_module_parameters: ModuleParameters = {}
    kernel_args: list[Text] = []
    sysctls: dict[str, Text] = {}
    instances: list[InstanceModel] = []


class HostSettings(Authored):
    """What can be said about a host, a group of hosts, or all of them."""

    role: Literal["controlplane", "worker"] | None = None
    accelerated: bool | None = None
    install_disk: Disk | None = None
    install_disk_controller: str | None = None
    management_nic: str | None = Field(None, alias="managementNIC")
    cpu_vendor: Literal["intel", "amd"] | None = None
    cpus: Number | None = None
    memory_gib: Number | None = Field(None, alias="memoryGiB")
    numa_nodes: Number | None = None
    node_labels: dict[str, str] = {}
    prep: PrepModel | None = None


class HostModel(HostSettings):
    """One machine."""

    name: Name
    address: Annotated[str, AfterValidator(_address)] | None = None
    groups: list[Name] = []


class ClusterSpec(Authored):
    """One cluster. Defaults are said about every host, groups about those that name them."""

    # A Cluster file is about Talos, whether its criteria say so or not.
    model_config = ConfigDict(
        json_schema_extra={
            "if": {"required": ["criteria"]},
            "then": {"properties": {"criteria": {"properties": {"os": {"enum": ["talos", "any", "", None]}}}}},
        }
    )

    criteria: Criteria = Criteria.model_construct()
    talos: TalosTarget
    defaults: HostSettings | None = None
    groups: dict[str, HostSettings] = {}
    hosts: Annotated[list[HostModel], Field(min_length=1)]


class ClusterDocument(Authored):
    """A Cluster file."""

    api_version: Literal["groundswell.dev/v1alpha1"]
    kind: Literal["Cluster"]
    metadata: ClusterMetadata
    spec: ClusterSpec
