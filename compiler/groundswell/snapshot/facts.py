"""The API's answers as measurements, and what they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import files as codes
from groundswell.snapshot.accelerators import KNOWN, PRODUCT_LABEL, accelerator_of
from groundswell.snapshot.nodes import read_node, sound
from groundswell.snapshot.snapshot import Item, Measurement, Reading, Snapshot, Subtype, some, written
from groundswell.snapshot.systems import release
from groundswell.snapshot.topology import topology

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.snapshot.answers import Answers
    from groundswell.snapshot.nodes import Node
    from groundswell.source.located import Json

# The readings of K8s.node that should be the same everywhere; the others follow from these or identify a node.
_COMPARED = ("provider", "os-image", "kernel-version", "kubelet-version", "container-runtime-id")
_REPORTED = {"osImage": "operating system", "kernelVersion": "kernel", "kubeletVersion": "kubelet's version"}


def measure(answers: Answers) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """Everything that the answers tell.

    A reading that is the same on all nodes stands in a subtype's `data`, one that differs in `items`, one for each
    node.

    Returns:
        The snapshot; a warning for each fact that is missing (`INCOMPLETE`) or differs, a hint for each that the API
        never tells.
    """
    findings = [codes.INCOMPLETE(text) for text in answers.missing]
    nodes = sorted((read_node(item) for item in answers.nodes or ()), key=lambda node: node.name)
    if answers.nodes is not None and not nodes:
        findings.append(codes.INCOMPLETE("the cluster has no node, so nothing is known of any"))
    kubernetes = []
    if answers.version is not None:
        kubernetes += _server(answers.version, findings)
    measurements = []
    if nodes:
        kubernetes.append(_by_node("node", {node.name: _node(node) for node in nodes}))
        measurements += [*_accelerators(nodes, findings), _systems(nodes, findings), topology(nodes)]
        findings += _gaps(nodes)
        findings += _differences(nodes)
    first = (Measurement("K8s", tuple(kubernetes)),) if kubernetes else ()
    return Snapshot((*first, *measurements), answers.taken), tuple(findings)


def _server(answer: Json, findings: list[Diagnostic]) -> list[Subtype]:
    keys = {"version": "gitVersion", "platform": "platform", "goVersion": "goVersion"}
    told = {key: answer.get(name) for key, name in keys.items()}
    data = {key: sound(value) for key, value in told.items() if isinstance(value, str) and value}
    if "version" not in data:
        findings.append(codes.INCOMPLETE("the API server's answer holds no version"))
    return [Subtype("server", data)]


def _node(node: Node) -> dict[str, Reading]:
    runtime = node.info.get("containerRuntimeVersion", "")
    name, separator, version = runtime.partition("://")
    readings = {
        "provider": node.provider,
        "provider-id": node.provider_id,
        "container-runtime-id": runtime,
        "container-runtime-name": name if separator else "",
        "container-runtime-version": version,
        "kubelet-version": node.info.get("kubeletVersion", ""),
        "kernel-version": node.info.get("kernelVersion", ""),
        "operating-system": node.info.get("operatingSystem", ""),
        "os-image": node.info.get("osImage", ""),
    }
    return {key: value for key, value in readings.items() if value}


def _systems(nodes: Sequence[Node], findings: list[Diagnostic]) -> Measurement:
    found: dict[str, dict[str, Reading]] = {}
    kernels: dict[str, dict[str, Reading]] = {}
    for node in nodes:
        image, kernel = node.info.get("osImage", ""), node.info.get("kernelVersion", "")
        identifier, version = release(image) or ("", "")
        readings = {
            "ID": identifier,
            "VERSION_ID": version,
            "PRETTY_NAME": image,
            "KERNEL_VERSION": kernel,
            "OPERATING_SYSTEM": node.info.get("operatingSystem", ""),
        }
        found[node.name] = {key: value for key, value in readings.items() if value}
        # The kernel's version in nodeInfo is what uname tells, which is this very file.
        kernels[node.name] = {"/proc/sys/kernel/osrelease": kernel} if kernel else {}
    for image in sorted({node.info.get("osImage", "") for node in nodes} - {""}):
        where = _where([node.name for node in nodes if node.info.get("osImage") == image])
        if release(image) is None:
            findings.append(codes.INCOMPLETE(f"the operating system `{image}` {where} is not one that is known here"))
        elif not (release(image) or ("", ""))[1]:
            findings.append(codes.NOT_TOLD(f"`{image}` {where} does not tell its version"))
    return Measurement("OS", (_by_node("release", found), _by_node("sysctl", kernels)))


def _accelerators(nodes: Sequence[Node], findings: list[Diagnostic]) -> list[Measurement]:
    found: dict[str, dict[str, Reading]] = {}
    for node in nodes:
        product, label = node.product
        if not product:
            continue
        model = accelerator_of(product, KNOWN)
        count = node.labels.get("nvidia.com/gpu.count", "")
        found[node.name] = {"gpu-present": True, "detection-source": label, "product": product}
        found[node.name] |= {"model": model} if model else {}
        found[node.name] |= {"gpu-count": int(count)} if count.isdecimal() else {}
    silent = [node.name for node in nodes if node.accelerators and node.name not in found]
    if silent or not found:
        who = f"{_where(silent)}, which announce accelerators," if silent else "on any node"
        hint = "GPU feature discovery sets it; until it runs, state --accelerator where there are accelerators"
        findings.append(codes.NOT_TOLD(f"there is no label `{PRODUCT_LABEL}` {who}".rstrip(","), help=hint))
    findings += _difference("accelerator", {name: written(readings["product"]) for name, readings in found.items()})
    return [Measurement("GPU", (_by_node("hardware", found),))] if found else []


def _by_node(name: str, readings: Mapping[str, Mapping[str, Reading]]) -> Subtype:
    """Readings that all nodes share as data, the rest as one item for each node."""
    first = next(iter(readings.values()))
    data = {key: value for key, value in first.items() if all(item.get(key) == value for item in readings.values())}
    rest = {node: {key: value for key, value in item.items() if key not in data} for node, item in readings.items()}
    items = tuple(Item({"node": node}, item) for node, item in rest.items()) if any(rest.values()) else ()
    return Subtype(name, data, items)


def _gaps(nodes: Sequence[Node]) -> list[Diagnostic]:
    findings = []
    for key, what in _REPORTED.items():
        silent = [node.name for node in nodes if not node.info.get(key)]
        if silent:
            findings.append(codes.INCOMPLETE(f"the {what} {_where(silent)} is not known"))
    return findings


def _differences(nodes: Sequence[Node]) -> list[Diagnostic]:
    readings = {node.name: _node(node) for node in nodes}
    findings = []
    for key in _COMPARED:
        findings += _difference(key, {node: written(item.get(key, "")) for node, item in readings.items()})
    return findings


def _difference(what: str, by_node: Mapping[str, str]) -> list[Diagnostic]:
    """One warning when nodes differ, the most frequent value first."""
    groups: dict[str, list[str]] = {}
    for node, value in by_node.items():
        groups.setdefault(value, []).append(node)
    if what != "provider":  # a node without one tells something; other gaps are reported as such
        groups.pop("", None)
    groups = dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))
    if len(groups) <= 1:
        return []
    listed = "; ".join(f"`{value or 'none'}` {_where(names)}" for value, names in groups.items())
    return [codes.DIFFERS(f"the nodes differ in `{what}`: {listed}")]


def _where(names: Sequence[str]) -> str:
    return f"on {some(names)}"
