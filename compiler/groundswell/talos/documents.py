"""Every document of a Talos machine configuration that patches write, each made in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from groundswell.source.emitter import Quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.source.located import Json

Document: TypeAlias = "dict[str, Json]"

DELETE = "delete"
"""What `$patch` says in a document that takes the one of its kind out of the configuration."""


def quoted(settings: Mapping[str, str]) -> Document:
    """A map of texts: Talos takes no numbers as values of sysctls, sysfs and labels."""
    return {key: Quoted(value) for key, value in settings.items()}


def pod_security(exemptions: Sequence[str]) -> Document:
    """The part of PodSecurity's configuration that adds exempt namespaces to those of the base."""
    return {
        "apiVersion": "pod-security.admission.config.k8s.io/v1alpha1",
        "kind": "PodSecurityConfiguration",
        "exemptions": {"namespaces": list(exemptions)},
    }


def rebind(address: str, driver: str) -> Document:
    """Binds a PCI device to a driver (1.10). Unquoted, some addresses are numbers to YAML 1.1."""
    return _document("PCIDriverRebindConfig", {"name": Quoted(address), "targetDriver": driver})


def hostname(name: str) -> Document:
    """The host name (1.12). The generated `auto: stable` must be switched off for it."""
    return _document("HostnameConfig", {"auto": Quoted("off"), "hostname": name})


def no_hostname() -> Document:
    """Takes the host name out, so that Talos makes one up, as `talosctl gen config` has it."""
    return _document("HostnameConfig", {"auto": "stable", "hostname": {"$patch": DELETE}})


def sysfs(settings: Mapping[str, str]) -> Document:
    """Values under /sys (1.14)."""
    return _document("SysfsConfig", {"params": quoted(settings)})


def sysctls(settings: Mapping[str, str]) -> Document:
    """Sysctls (1.14)."""
    return _document("SysctlConfig", {"params": quoted(settings)})


def kernel_module(name: str, parameters: Sequence[str]) -> Document:
    """One kernel module (1.14)."""
    return _document("KernelModuleConfig", _module(name, parameters))


def kubelet(settings: Mapping[str, Json]) -> Document:
    """The kubelet's settings (1.14)."""
    return _document("KubeletConfig", {"config": dict(settings)})


def node(labels: Mapping[str, str], annotations: Mapping[str, str]) -> Document:
    """The Kubernetes node's labels and annotations (1.14)."""
    parts = {"labels": quoted(labels), "annotations": quoted(annotations)}
    return _document("KubeNodeConfig", {name: part for name, part in parts.items() if part})


def admission_control(exemptions: Sequence[str]) -> Document:
    """Namespaces without Pod Security (1.14, control planes only)."""
    return _document("KubeAdmissionControlConfig", {"name": "PodSecurity", "configuration": pod_security(exemptions)})


def no_flannel() -> Document:
    """No CNI from Talos (1.14, control planes only). Where the document is not there, Talos passes over this one."""
    return _document("KubeFlannelCNIConfig", {"$patch": DELETE})


def flannel() -> Document:
    """The CNI of Talos as `talosctl gen config` has it (1.14, control planes only), where it was taken out."""
    return _document("KubeFlannelCNIConfig", {"backendType": "vxlan", "backendPort": 4789})


def no_kube_proxy() -> Document:
    """No kube-proxy from Talos (1.14, control planes only)."""
    return _document("KubeProxyConfig", {"enabled": False})


def cluster_network(*, cni: bool, kube_proxy: bool) -> Document:
    """The CNI and kube-proxy as fields of the cluster; nothing where Talos installs its own."""
    network: Document = {} if cni else {"network": {"cni": {"name": "none"}}}
    return network | ({} if kube_proxy else {"proxy": {"disabled": True}})


def unattended_install(image: str, disk: str) -> Document:
    """The installer image and the disk to install to (1.14). A patch without the disk deletes the base's selector."""
    selector = {"diskSelector": {"match": _selector(disk)}}
    return _document("UnattendedInstallConfig", {"installer": {"image": image}, "provisioning": selector})


def v1alpha1(
    *,
    machine: Mapping[str, Json],
    cluster: Mapping[str, Json],
) -> Document:
    """The document of all settings that have none of their own; parts without content are left out."""
    parts = {"machine": machine, "cluster": cluster}
    return {name: filled for name, part in parts.items() if (filled := {k: v for k, v in part.items() if v})}


def modules(parameters: Mapping[str, Sequence[str]]) -> list[Document]:
    """Kernel modules as fields of the machine."""
    return [_module(name, values) for name, values in parameters.items()]


def _module(name: str, parameters: Sequence[str]) -> Document:
    return {"name": name, "parameters": list(parameters)} if parameters else {"name": name}


def _selector(disk: str) -> str:
    """The CEL expression for a disk by its device or by a link to it."""
    return f'disk.dev_path == "{disk}"' if disk.count("/") <= len("//") else f'"{disk}" in disk.symlinks'


def _document(kind: str, content: Document) -> Document:
    return {"apiVersion": "v1alpha1", "kind": kind, **content}
