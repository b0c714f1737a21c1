"""What components ask of machines, merged with what hosts are prepared for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import talos_kit
from groundswell.resolve.resolution import NodeNeeds
from groundswell.source.span import Span
from plan_factory import constraint, plan
from talos_kit import asking, gpus

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component

HOSTS = """\
- {name: cp1, role: controlplane}
- {name: gpu1, accelerated: true}
- {name: w1}
"""


def placed(item: Component, line: int) -> Component:
    """The component with a place for its needs, as the catalog gives."""
    at = Span(f"components/{item.name}/component.yaml", line, 9, line + 3, 1)
    return item._replace(node_needs=tuple(replace(needs, span=at) for needs in item.node_needs))


def test_each_host_gets_what_its_classes_are_asked_for() -> None:
    asked = plan(
        gpus(),
        asking("storage", "workers", extensions=("siderolabs/iscsi-tools",), kernel_modules=("iscsi_tcp",)),
        asking("agent", "all", sysctls={"a.b": "1"}),
    )
    source = talos_kit.text(HOSTS)
    iscsi, gpu = ["siderolabs/iscsi-tools"], sorted(talos_kit.GPU_EXTENSIONS)
    expected = {
        "cp1": ([], []),
        "w1": (iscsi, ["iscsi_tcp"]),
        "gpu1": (iscsi + gpu, [*talos_kit.GPU_MODULES, "iscsi_tcp"]),
    }
    for host, (extensions, modules) in expected.items():
        customization = talos_kit.schematic_of(source, host, asked)
        assert customization.get("systemExtensions", {}).get("officialExtensions", []) == extensions
        (document,) = talos_kit.patch_of(source, host, asked)
        machine = document["machine"]
        assert [module["name"] for module in machine.get("kernel", {}).get("modules", [])] == modules
        assert machine["sysctls"] == {"a.b": "1"}


def test_kernel_arguments_stand_in_the_one_order_and_once() -> None:
    asked = plan(
        asking("zeta", "all", kernel_args=("zz=1", "quiet")), asking("alpha", "all", kernel_args=("aa=1", "iommu=pt"))
    )
    source = talos_kit.text(
        """\
- name: w1
  cpuVendor: intel
  prep:
    kernelArgs: [own=1, zz=1, "console=tty0", "console=ttyS0",
      talos.network.interface.ignore=eth0, talos.network.interface.ignore=eth1]
    housekeepingCPUs: 0-1
    isolatedCPUs: 4-7,2,3
    hugepages: {1Gi: 16}
    vfio: [{address: "0000:04:00.0"}]
"""
    )
    assert talos_kit.schematic_of(source, "w1", asked)["extraKernelArgs"] == [
        "intel_iommu=on",
        "iommu=pt",
        "hugepagesz=1G",
        "hugepages=16",
        "isolcpus=2-7",
        "rcu_nocbs=2-7",
        "nohz_full=2-7",
        "aa=1",
        "zz=1",
        "quiet",
        "own=1",
        "console=tty0",
        "console=ttyS0",
        "talos.network.interface.ignore=eth0",
        "talos.network.interface.ignore=eth1",
    ]


def test_isolation_without_effect_is_said_up_to_1_14_and_not_from_1_15_on() -> None:
    hosts = "- {name: w1, installDisk: /dev/sda, prep: {isolatedCPUs: 2-7, housekeepingCPUs: 0-1}}"
    arguments = "nohz_full=2-7", "rcu_nocbs=2-7"
    for given, told in ((arguments[:1], "`nohz_full` has"), (arguments, "`nohz_full` and `rcu_nocbs` have")):
        stated = f"- {{name: w1, prep: {{kernelArgs: [{', '.join(given)}]}}}}"
        (finding,) = (item for item in talos_kit.rendered(talos_kit.text(stated))[1] if item.code == "T124")
        assert finding.message == f"{told} no effect on stock kernels of Talos v1.13.2"
    for version, codes in (("v1.13.2", ["T124"]), ("v1.14.9", ["T124"]), ("v1.15.0", [])):
        _, findings = talos_kit.rendered(talos_kit.text(hosts, version=version))
        assert [finding.code for finding in findings] == codes


def test_an_amd_host_has_no_argument_for_intel_and_the_microcode_of_its_vendor() -> None:
    source = talos_kit.text('- {name: w1, cpuVendor: amd, prep: {vfio: [{address: "0000:04:00.0"}]}}')
    assert talos_kit.schematic_of(source, "w1") == {
        "extraKernelArgs": ["iommu=pt"],
        "systemExtensions": {"officialExtensions": ["siderolabs/amd-ucode"]},
    }


def test_the_host_of_the_kernel_path_gets_none_of_it() -> None:
    source = talos_kit.text("- {name: sata1, prep: {extensions: [siderolabs/iscsi-tools]}}")
    (document,) = talos_kit.patch_of(source, "sata1")
    assert list(document["machine"]) == ["install"]
    assert "extraKernelArgs" not in talos_kit.schematic_of(source, "sata1")


def only(findings: tuple[Diagnostic, ...]) -> Diagnostic:
    (finding,) = findings
    return finding


def test_a_host_against_a_component_is_shown_with_both_places() -> None:
    asked = plan(placed(asking("agent", "all", sysctls={"vm.max_map_count": "262144"}), 31))
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1, prep: {sysctls: {vm.max_map_count: 1}}}"), asked)
    finding = only(findings)
    assert finding.code == "T220"
    assert finding.message == ("the sysctl `vm.max_map_count` is `1` for host `w1` and `262144` for component `agent`")
    assert finding.span is not None
    assert finding.span.file == "lab.yaml"
    assert [(place.span.file, place.span.line) for place in finding.related] == [
        ("components/agent/component.yaml", 31)
    ]


def test_two_components_that_ask_for_different_arguments_are_one_finding_however_many_hosts() -> None:
    asked = plan(
        placed(asking("a", "all", kernel_args=("iommu=pt",)), 5),
        placed(asking("b", "all", kernel_args=("iommu=off",)), 6),
    )
    _, findings = talos_kit.rendered(talos_kit.text(HOSTS), asked)
    finding = only(findings)
    assert (
        finding.message
        == "the kernel argument `iommu` is `iommu=off` for component `b` and `iommu=pt` for component `a`"
    )
    assert finding.span is not None
    assert (finding.span.line, [place.span.line for place in finding.related]) == (6, [5])


def test_module_parameters_join_a_module_that_others_ask_for() -> None:
    source = talos_kit.text(
        "- name: gpu1\n  accelerated: true\n  prep: {kernelModuleParameters: {nvidia: [NVreg_Open=1, x=2]}}\n"
    )
    (document,) = talos_kit.patch_of(source, "gpu1", plan(gpus()))
    assert document["machine"]["kernel"]["modules"][0] == {"name": "nvidia", "parameters": ["NVreg_Open=1", "x=2"]}


def test_names_of_modules_with_dashes_and_underscores_are_one_module() -> None:
    source = talos_kit.text(
        '- {name: w1, prep: {kernelModules: [vfio-pci, vfio_pci], vfio: [{address: "0000:04:00.0"}]}}'
    )
    modules = talos_kit.patch_of(source, "w1")[0]["machine"]["kernel"]["modules"]
    assert modules == [{"name": "vfio_pci"}, {"name": "vfio_iommu_type1"}]


@pytest.mark.parametrize(
    ("needs", "code", "named"),
    [
        (
            {
                "extensions": (
                    "siderolabs/nvidia-open-gpu-kernel-modules-lts",
                    "siderolabs/nvidia-container-toolkit-production",
                )
            },
            "T113",
            ("nvidia-container-toolkit-production", "nvidia-open-gpu-kernel-modules-lts"),
        ),
        (
            {
                "extensions": (*talos_kit.GPU_EXTENSIONS, "siderolabs/nonfree-kmod-nvidia-lts"),
                "kernel_modules": talos_kit.GPU_MODULES,
            },
            "T113",
            ("nonfree-kmod-nvidia-lts", "nvidia-container-toolkit-lts", "nvidia-open-gpu-kernel-modules-lts"),
        ),
        (
            {"extensions": talos_kit.GPU_EXTENSIONS, "kernel_modules": ("nvidia", "nvidia_uvm")},
            "T114",
            ("the module `nvidia_drm`", "the module `nvidia_modeset`"),
        ),
        (
            {"kernel_modules": talos_kit.GPU_MODULES},
            "T114",
            ("a driver extension", "the container toolkit"),
        ),
    ],
)
def test_half_a_driver_or_parts_of_two_branches(
    needs: dict[str, tuple[str, ...]], code: str, named: tuple[str, ...]
) -> None:
    asked = plan(asking("gpu-operator", "accelerated", **needs))
    _, findings = talos_kit.rendered(talos_kit.text("- {name: gpu1, accelerated: true}"), asked)
    finding = only(findings)
    assert finding.code == code
    assert (
        finding.message
        == {
            "T113": f"{', '.join(f'`siderolabs/{name}`' for name in named)} do not belong together",
            "T114": f"NVIDIA GPUs also need {', '.join(named)}",
        }[code]
    )


def test_gpus_below_1_13_get_the_sysctl_of_their_toolkit_and_a_warning() -> None:
    source = talos_kit.text("- {name: gpu1, accelerated: true}", version="v1.12.4")
    files, findings = talos_kit.rendered(source, plan(gpus()))
    assert files
    assert [finding.code for finding in findings] == ["T115"]
    (document,) = talos_kit.patch_of(source, "gpu1", plan(gpus()))
    assert document["machine"]["sysctls"] == {"net.core.bpf_jit_harden": "1"}
    other = source.replace("accelerated: true", 'accelerated: true, prep: {sysctls: {net.core.bpf_jit_harden: "0"}}')
    _, findings = talos_kit.rendered(other, plan(gpus()))
    assert "T220" in {finding.code for finding in findings}


def test_a_component_that_finds_no_machine_is_reported() -> None:
    several = placed(gpus(), 40)
    several = several._replace(node_needs=several.node_needs * 3)
    asked = plan(several, criteria={"os": "talos", "accelerator": "h100"})
    files, findings = talos_kit.rendered(talos_kit.text("- {name: w1}"), asked)
    assert files
    finding = only(findings)
    assert finding.code == "T221"
    assert finding.span is not None
    assert finding.span.line == 40
    _, findings = talos_kit.rendered(talos_kit.text("- {name: c1, role: controlplane}"), plan(asking("a", "workers")))
    assert [item.code for item in findings] == ["T221"]


def test_that_there_are_no_accelerators_is_no_news_where_the_query_states_none() -> None:
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1}"), plan(gpus(), criteria={"os": "talos"}))
    assert not findings


def test_a_sysctl_in_two_spellings_is_one() -> None:
    source = talos_kit.text('- {name: w1, prep: {sysctls: {vm/max_map_count: "1"}}}')
    same, other = (asking("a", "all", sysctls={"vm.max_map_count": value}) for value in "12")
    assert talos_kit.patch_of(source, "w1", plan(same))[0]["machine"]["sysctls"] == {"vm.max_map_count": "1"}
    _, findings = talos_kit.rendered(source, plan(other))
    finding = only(findings)
    assert finding.code == "T220"
    assert "the sysctl `vm/max_map_count` is `1` for host `w1` and `2` for component `a`" in finding.message


def test_a_finding_about_one_item_is_at_its_place_and_not_at_the_blocks() -> None:
    items = {
        ("extensions", "siderolabs/zsf"): "T110",
        ("kernelArgs", "a b"): "T120",
        ("sysctls", "vm.nr_hugepages"): "T207",
    }
    asked = asking(
        "a", "workers", extensions=("siderolabs/zsf",), kernel_args=("a b",), sysctls={"vm.nr_hugepages": "1"}
    )
    spans = {item: Span("components/a/component.yaml", 20 + n, 1, 20 + n, 9) for n, item in enumerate(items)}
    (needs,) = asked.node_needs
    asked = placed(asked._replace(node_needs=(replace(needs, places=spans),)), 9)
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1, prep: {hugepages: {2Mi: [8]}}}"), plan(asked))
    assert {finding.code: finding.span for finding in findings} == {items[item]: spans[item] for item in items}


def test_needs_know_nothing_of_their_place_when_compared() -> None:
    assert NodeNeeds("all") == NodeNeeds("all", span=Span("x", 1, 1, 1, 2))


def test_an_overlong_command_line_is_refused() -> None:
    arguments = ", ".join(f"module.parameter_{number}=0123456789" for number in range(120))
    _, findings = talos_kit.rendered(talos_kit.text(f"- {{name: w1, prep: {{kernelArgs: [{arguments}]}}}}"))
    assert only(findings).code == "T123"


@pytest.mark.parametrize(
    ("needs", "hosts"),
    [
        ({"kernel_args": ("hugepagesz=1G", "hugepages=40")}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("hugepages=16384",)}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("hugepages=8192",)}, "memoryGiB: 32, prep: {hugepages: {2Mi: [8192]}}"),
        ({"sysctls": {"vm.nr_hugepages": "16384"}}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("default_hugepagesz=1G",), "sysctls": {"vm.nr_hugepages": "32"}}, "memoryGiB: 32, prep: {}"),
        ({"sysctls": {"vm/nr_hugepages": "16384"}}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("hugepages=32", "default_hugepagesz=1G")}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("hugepagesz=2M", "default_hugepagesz=1G", "hugepages=32")}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("default_hugepagesz=1024M", "hugepages=0:16,1:16")}, "memoryGiB: 32, prep: {}"),
        ({"kernel_args": ("default_hugepagesz=1G", "hugepagesz=2M", "hugepages=16384")}, "memoryGiB: 32, prep: {}"),
    ],
)
def test_pages_that_a_component_asks_for_count_against_the_memory_of_a_host(needs: Any, hosts: str) -> None:
    asked = plan(placed(asking("storage", "workers", **needs), 12))
    _, findings = talos_kit.rendered(talos_kit.text(f"- {{name: w1, {hosts}}}"), asked)
    finding = next(item for item in findings if item.code == "T206")
    assert finding.span is not None
    assert (finding.span.file, finding.span.line) == ("components/storage/component.yaml", 12)
    _, findings = talos_kit.rendered(talos_kit.text(f"- {{name: w1, {hosts.replace('32', '64')}}}"), asked)
    assert "T206" not in {item.code for item in findings}


def test_the_same_pages_of_a_host_and_a_component_count_once() -> None:
    asked = plan(asking("storage", "workers", kernel_args=("hugepagesz=1G", "hugepages=20")))
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1, memoryGiB: 32, prep: {hugepages: {1Gi: 20}}}"), asked)
    assert not findings


@pytest.mark.parametrize(
    ("argument", "code"), [("isolcpus=0-3", "T202"), ("intel_iommu=off", "T213"), ("hugepages=3", "T121")]
)
def test_kernel_arguments_of_a_component_are_held_against_what_the_host_states(argument: str, code: str) -> None:
    asked = plan(placed(asking("storage", "workers", kernel_args=(argument,)), 12))
    host = "housekeepingCPUs: 0-1, hugepages: {1Gi: 2}, vfio: [{address: '0000:04:00.0', kind: network}]"
    _, findings = talos_kit.rendered(talos_kit.text(f"- {{name: w1, prep: {{{host}}}}}"), asked)
    finding = next(item for item in findings if item.code == code)
    assert finding.span is not None
    assert finding.span.file == "components/storage/component.yaml"


def test_pages_of_a_host_against_the_sysctl_of_a_component() -> None:
    asked = plan(placed(asking("storage", "workers", sysctls={"vm.nr_hugepages": "1024"}), 12))
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1, prep: {hugepages: {2Mi: [8]}}}"), asked)
    finding = only(findings)
    assert finding.code == "T207"
    assert finding.span is not None
    assert (finding.span.line, [place.span.file for place in finding.related]) == (12, ["lab.yaml"])


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("v1.13.2", ">= 1.32", True),
        ("v1.13.2", ">= 1.36", True),
        ("v1.13.2", ">= 1.37", False),
        ("v1.13.2", "< 1.31", False),
        ("v1.10.0", ">= 1.34", False),
        ("v1.15.0", "< 1.33", False),
        ("v1.14.0", "== 1.32.4", True),
    ],
)
def test_a_talos_that_cannot_run_the_kubernetes_asked_for(version: str, wanted: str, fits: bool) -> None:
    asked = plan(gpus(), constraints=[constraint("K8s.server.version", wanted)])
    files, findings = talos_kit.rendered(
        talos_kit.text("- {name: gpu1, accelerated: true, installDisk: /dev/sda}", version=version), asked
    )
    found = [finding for finding in findings if finding.code == "T222"]
    assert bool(found) != fits
    assert bool(files) == fits
    for finding in found:
        assert finding.span is not None
        assert (finding.span.file, finding.span.line) == ("lab.yaml", 6)
        assert [place.span.file for place in finding.related] == ["recipes/test.yaml"]
