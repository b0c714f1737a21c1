"""What the shipped recipes know about accelerators reaches the plan, and nothing of it where it makes no sense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from catalog_kit import codes, document, resolve_in
from groundswell.catalog.files import SHIPPED, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.resolve.leaves import value_at
from unit.catalog.test_matrix import shipped

if TYPE_CHECKING:
    from groundswell.catalog.entries import Catalog
    from groundswell.resolve.resolution import Component

BOARDS = {"a100", "b200", "h100", "h200"}
CARDS = {"l40s", "rtx-pro-6000"}
ALL = sorted(BOARDS | CARDS | {"gb200"})
COUNT = "--set slurm:nodesets.gpu.extraConfMap.Gres=gpu:4"
LIMIT = "--set 'slurm:nodesets.gpu.slurmd.resources.limits.nvidia\\.com/gpu=4'"


def components(options: str) -> dict[str, Component]:
    resolution, findings = resolve_in(shipped(), options)
    assert resolution is not None, findings
    return {item.name: item for item in resolution.components}


def on_talos(accelerator: str) -> dict[str, Component]:
    stated = f"--accelerator {accelerator}" if accelerator else ""
    return components(f"--service metal --os talos --intent inference {stated}")


def asked(component: Component) -> tuple[set[str], set[str]]:
    """Extensions and kernel modules that a component asks for."""
    needs = component.node_needs
    extensions = {name.removeprefix("siderolabs/") for item in needs for name in item.extensions}
    return extensions, {name for item in needs for name in item.kernel_modules}


def at(component: Component, *keys: str) -> Any:
    return value_at(component.values, keys)


@pytest.mark.parametrize("accelerator", ["", *ALL])
def test_talos_gets_the_fabric_manager_for_boards_alone_and_all_of_one_branch(accelerator: str) -> None:
    extensions, modules = asked(on_talos(accelerator)["gpu-operator"])
    assert {name.rpartition("-")[2] for name in extensions} == {"lts"}
    # Without a word on the accelerator it may be any.
    assert ("nvidia-fabricmanager-lts" in extensions) == (accelerator in BOARDS | {""})
    assert ("ib_umad" in modules) == (accelerator in {"b200", ""})
    assert "nvidia_uvm" in modules


@pytest.mark.parametrize("accelerator", ALL)
def test_compute_domains_are_for_what_nvlink_joins(accelerator: str) -> None:
    assert ("nvidia-dra-driver-gpu" in on_talos(accelerator)) == (accelerator not in CARDS)


@pytest.mark.parametrize("accelerator", ALL)
def test_the_operator_knows_what_the_gpu_has(accelerator: str) -> None:
    operator = components(f"--service metal --os ubuntu --intent training --accelerator {accelerator}")["gpu-operator"]
    assert at(operator, "migManager", "enabled") == (False if accelerator == "l40s" else None)
    blackwell = accelerator in {"b200", "gb200", "rtx-pro-6000"}
    assert at(operator, "driver", "kernelModuleType") == ("open" if blackwell else None)


@pytest.mark.parametrize("accelerator", ALL)
def test_a_slurm_node_has_the_gpus_of_its_machine_or_the_user_is_asked(accelerator: str) -> None:
    query = f"--service metal --os ubuntu --intent training --platform slurm --accelerator {accelerator}"
    if accelerator in CARDS:
        assert codes(resolve_in(shipped(), query)[1]) == ["R306", "R306"]
        assert codes(resolve_in(shipped(), f"{query} {COUNT}")[1]) == ["R306"]
        query = f"{query} {COUNT} {LIMIT}"
    count = 8 if accelerator in BOARDS else 4
    nodes = at(components(query)["slinky-slurm"], "nodesets", "gpu")
    assert nodes["extraConfMap"]["Gres"] == f"gpu:{count}"
    assert nodes["slurmd"]["resources"]["limits"]["nvidia.com/gpu"] == count


def test_what_is_stated_wins_over_the_board() -> None:
    query = f"--service metal --os ubuntu --intent training --platform slurm --accelerator h100 {COUNT} {LIMIT}"
    assert at(components(query)["slinky-slurm"], "nodesets", "gpu", "extraConfMap", "Gres") == "gpu:4"


SITE = """\
base: {accelerator}
criteria: {{platform: slurm}}
componentRefs:
  - name: slinky-slurm
    overrides:
      nodesets: {{gpu: {{extraConfMap: {{Gres: "gpu:2"}}, slurmd: {{resources: {{limits: {{nvidia.com/gpu: 2}}}}}}}}}}
  - name: gpu-operator
    overrides: {{driver: {{kernelModuleType: proprietary}}}}
"""


@pytest.mark.parametrize("base", [*sorted(BOARDS | CARDS), "gb200-slurm"])
def test_a_recipe_of_a_site_wins_over_the_board_and_the_kernel_modules(base: str) -> None:
    spec = SITE.format(accelerator=base)
    if base == "gb200-slurm":
        spec = spec.replace("platform: slurm", "intent: training")
    found = components_of_site(spec, base.partition("-slurm")[0])
    nodes = at(found["slinky-slurm"], "nodesets", "gpu")
    assert (nodes["extraConfMap"]["Gres"], nodes["slurmd"]["resources"]["limits"]["nvidia.com/gpu"]) == ("gpu:2", 2)
    assert at(found["gpu-operator"], "driver", "kernelModuleType") == "proprietary"


def test_a_patch_of_the_component_states_the_cards_of_a_machine() -> None:
    patch = {
        "components/slinky-slurm/component.yaml": document("Component", "slinky-slurm", "", ", patch: true"),
        "components/slinky-slurm/values.yaml": "nodesets: {gpu: {extraConfMap: {Gres: 'gpu:2'}, slurmd: {resources: "
        "{limits: {nvidia.com/gpu: 2}}}}}\n",
    }
    query = "--service metal --os ubuntu --intent training --platform slurm --accelerator l40s"
    resolution, findings = resolve_in(with_shipped(patch), query)
    assert resolution is not None, findings


def with_shipped(texts: dict[str, str]) -> Catalog:
    """The shipped catalog under a layer of the given files."""
    below = read_files([Layer(SHIPPED, shipped_root())])[0]
    above = {f"catalog/{path}": text.encode() for path, text in texts.items()}
    loaded = load(below._replace(layers=(SHIPPED, "catalog"), content={**below.content, **above}))
    assert loaded.catalog is not None, loaded.findings
    return loaded.catalog


def components_of_site(spec: str, accelerator: str) -> dict[str, Component]:
    catalog = with_shipped({"recipes/site.yaml": document("Recipe", "site", spec)})
    query = f"--service metal --os ubuntu --intent training --platform slurm --accelerator {accelerator}"
    resolution, findings = resolve_in(catalog, query)
    assert resolution is not None, findings
    return {item.name: item for item in resolution.components}


def test_nodes_without_gpus_need_no_count() -> None:
    slurm = components("--service kind --intent training --platform slurm")["slinky-slurm"]
    assert at(slurm, "nodesets", "gpu", "extraConfMap", "Gres") is None
