"""Cluster files for tests, and what is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from groundswell.diagnostics.diagnostic import failed, ordered
from groundswell.model.cluster_document import read_cluster
from groundswell.resolve.resolution import NodeNeeds
from groundswell.talos.render import render
from plan_factory import component

if TYPE_CHECKING:
    from groundswell.bundle.files import File
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component

FILE = "lab.yaml"


def text(hosts: str, *, version: str = "v1.13.2", talos: str = "", more: str = "") -> str:
    """A Cluster file. `hosts` is the list's text, `talos` and `more` are further lines of `talos` and of `spec`."""
    return (
        "apiVersion: groundswell.dev/v1alpha1\n"
        "kind: Cluster\n"
        "metadata: {name: lab}\n"
        "spec:\n"
        f"  talos:\n    version: {version}\n    endpoint: https://10.0.0.10:6443\n"
        + _indented(talos, 4)
        + _indented(more, 2)
        + "  hosts:\n"
        + _indented(hosts, 4)
    )


def rendered(source: str, plan: Plan | None = None) -> tuple[dict[str, File], tuple[Diagnostic, ...]]:
    """The files of a Cluster file by path, and every finding."""
    described, findings = read_cluster(source.encode(), FILE)
    if described is None:
        return {}, findings
    files, more = render(described, plan)
    found = ordered((*findings, *more))
    return {} if failed(found) else {file.path: file for file in files}, found


def patch_of(source: str, host: str, plan: Plan | None = None) -> list[Any]:
    """The documents of a host's patch. There must be no error."""
    files, findings = rendered(source, plan)
    assert files, findings
    return list(yaml.safe_load_all(files[f"talos/patches/{host}.yaml"].data))


def schematic_of(source: str, host: str, plan: Plan | None = None) -> dict[str, Any]:
    """The customization of a host's schematic, found by the image in its patch."""
    files, findings = rendered(source, plan)
    assert files, findings
    patch = files[f"talos/patches/{host}.yaml"].data.decode()
    (found,) = [file for path, file in files.items() if path.startswith("talos/schematics/") and path[17:29] in patch]
    customization: dict[str, Any] = yaml.safe_load(found.data)["customization"]
    return customization


def asking(name: str, on: str, **needs: Any) -> Component:
    """A component with one `talos` block."""
    return component(name, node_needs=(NodeNeeds(on, **needs),))


GPU_MODULES = ("nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset")
GPU_EXTENSIONS = ("siderolabs/nvidia-open-gpu-kernel-modules-lts", "siderolabs/nvidia-container-toolkit-lts")


def gpus(name: str = "gpu-operator") -> Component:
    """A component that asks for GPUs as the catalog's does."""
    return asking(name, "accelerated", extensions=GPU_EXTENSIONS, kernel_modules=GPU_MODULES)


def _indented(lines: str, blanks: int) -> str:
    return "".join(f"{' ' * blanks}{line}\n" for line in lines.strip("\n").split("\n") if line)
