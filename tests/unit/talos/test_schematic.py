from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundswell.source.span import Span
from groundswell.talos.go_yaml import spelled, unsettled
from groundswell.talos.schematic import customized, schematic
from groundswell.talos.schematic_file import read_schematic, schematic_findings
from groundswell.talos.target import Target
from groundswell.talos.version import TalosVersion

RECORDED = json.loads(Path(__file__).with_name("go_yaml_spellings.json").read_text(encoding="utf-8"))
TARGET = Target(TalosVersion(1, 13, 2))
EMPTY = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba"
OTHER_OPTIONS = "`overlay.options` holds more than words with a text, a whole number or a truth value"
TWO_SPELLINGS = "`on` is spelled differently by factories before and after version 0.9"


def of(**customization: Any) -> dict[str, Any]:
    return {"customization": customization}


def extensions(*names: str, **customization: Any) -> dict[str, Any]:
    return of(systemExtensions={"officialExtensions": [f"siderolabs/{name}" for name in names]}, **customization)


def overlay(name: str, image: str, **customization: Any) -> dict[str, Any]:
    return {"overlay": {"name": name, "image": f"siderolabs/{image}"}, "customization": customization}


# From the Image Factory's own tests, the documentation of Talos, other tools, and the factory's Go type;
# documented IDs that are wrong stand here as the factory's type gives them.
VECTORS: list[tuple[dict[str, Any], str]] = [
    ({}, EMPTY),
    ({"customization": None}, EMPTY),
    (of(extraKernelArgs=[]), EMPTY),
    (of(bootloader="none"), EMPTY),
    (of(extraKernelArgs=["noapic", "nolapic"]), "9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c"),
    (
        of(extraKernelArgs=["noapic", "nolapic"], systemExtensions={}),
        "9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c",
    ),
    (of(meta=[{"key": 10, "value": "foo"}]), "d308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f"),
    (
        of(secureboot={"includeWellKnownCertificates": True}),
        "fa8e05f142a851d3ee568eb0a8e5841eaf6b0ebc8df9a63df16ac5ed2c04f3e6",
    ),
    (of(diskImage={"sectorSize": 4096}), "92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea"),
    (overlay("rpi_generic", "sbc-raspberrypi"), "ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9"),
    (
        extensions("gvisor", "intel-ucode", extraKernelArgs=["net.ifnames=0"]),
        "b8e8fbbe1b520989e6c52c8dc8303070cb42095997e76e812fa8892393e1d176",
    ),
    (extensions("gvisor"), "d9ff89777e246792e7642abd3220a616afb4e49822382e4213a2e528ab826fe5"),
    (extensions("qemu-guest-agent"), "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515"),
    (extensions("xen-guest-agent"), "53b20d86399013eadfd44ee49804c1fef069bfdee3b43f3f3f5a2f57c03338ac"),
    (extensions("iscsi-tools", "util-linux-tools"), "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245"),
    (extensions("util-linux-tools", "iscsi-tools"), "ffdc59f4fd5b62784876a03c3e31a81fbfecc871eaa7f27aca33b9f5ff1ec96e"),
    (extensions("drbd", "zfs"), "98442b5bb4e8d050f30978ce3e6ec22e7bf534d57cafcd51313235128057e612"),
    (of(extraKernelArgs=["hihi", "hehe"]), "ff5083b14ccb03821ea738d712ac08a82b44d2693013622059edaae286665239"),
    (
        extensions("tailscale", extraKernelArgs=["net.ifnames=0"]),
        "104c23dfe7c5bfeff6a4cc7e166d8b3bba0f371760592c7677c90c822bb1d109",
    ),
    (
        extensions("intel-ucode", extraKernelArgs=["net.ifnames=0"]),
        "9e8cc193609699825d61c039c7738d81cf29c7b20f2a91d8f5c540511b9ea0b4",
    ),
    (overlay("bananapi_m64", "sbc-allwinner"), "8e11dcb3"),
    (overlay("rockpi4", "sbc-rockchip"), "25d2690b"),
    (overlay("jetson_nano", "sbc-jetson"), "c7d6f36c"),
    (of(extraKernelArgs=["vga=791"]), "eea1f9534c46d95c"),
    (
        overlay("rpi_generic", "sbc-raspberrypi", systemExtensions={"officialExtensions": ["siderolabs/iscsi-tools"]}),
        "f47e6cd2634c7a96",
    ),
    (extensions("intel-ucode"), "2d61dd07b20062062ea671b4d01873506103b67c0f7a4c3fb6cf4ee85585dcb8"),
    (
        extensions("nvidia-open-gpu-kernel-modules-production", "nvidia-container-toolkit-production"),
        "1deaeeb1ea2e7901c21c109368a7261f52dfd9a91e9d7eea83cfd0f0e1b7d488",
    ),
    (of(bootloader="grub"), "39d496b2cbdb6265"),
    (of(bootloader="SD-Boot"), "9ed5fecdacb36b5c"),
    (of(bootloader="dual-boot"), "43a1a6104d8dcd65"),
    (
        of(secureboot={"includeWellKnownCertificates": True, "enrollKeys": "force"}),
        "51e6baa0e88e8c3517231638007ba433f3fdde58a21c303221928f4cd7796036",
    ),
    (
        of(meta=[{"key": 10, "value": '{"externalIPs":["1.2.3.4"]}'}]),
        "fe866116408a5a13dab7d5003eb57a00954ea81ebeec3fbbcd1a6d4462a00036",
    ),
    (of(meta=[{"value": "10", "key": 10}]), "0ac9343472404c1c063fb45cef244fa5d97f67ce9b1dbf243333f514b8cd290f"),
    (
        of(extraKernelArgs=["talos.environment=A: B"]),
        "efc6ea63392f1588039cb5af739bce1d08357afa8564dfa6293826dc3b9d52bc",
    ),
    (
        of(embeddedMachineConfiguration="apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: n1\nauto: off\n"),
        "73f5c74bfd6f545bde76f29fe6407bb836bfeafb26be5a5dc9143ebcbdc93b13",
    ),
    ({"owner": "alice"}, "325e789382e85e76ab77e38cb320a816e2c9550cb5afe960b21f75e06605e2e9"),
]


@pytest.mark.parametrize(("document", "expected"), VECTORS)
def test_ids_are_those_of_the_image_factory(document: dict[str, Any], expected: str) -> None:
    built = schematic(document)
    assert built is not None
    assert built.id.startswith(expected)
    read, findings = read_schematic(json.dumps(document).encode(), "s.yaml")
    assert read is not None, findings
    assert read.schematic == built


@pytest.mark.parametrize(("text", "form"), RECORDED["spelled"].items())
def test_texts_are_spelled_as_by_go_yaml_of_both_generations(text: str, form: str) -> None:
    assert spelled(text, 10) == form


@pytest.mark.parametrize("text", RECORDED["differ"])
def test_texts_that_the_generations_spell_differently_are_refused(text: str) -> None:
    assert unsettled(text)
    with pytest.raises(ValueError, match=r"spelled|blanks|beyond"):
        spelled(text, 10)
    document = of(extraKernelArgs=["a", text])
    assert schematic(document) is None
    source = json.dumps(document, ensure_ascii=False)
    _, findings = read_schematic(source.encode(), "s.yaml")
    # Some of these characters YAML does not take unescaped.
    assert {finding.code for finding in findings} in ({"T101"}, {"S101"}), findings
    assert all(finding.span and finding.span.column > source.index('"a"') for finding in findings)


def test_the_whole_text_in_the_order_of_the_factorys_type() -> None:
    built = schematic(
        {
            "customization": {
                "diskImage": {"sectorSize": 512},
                "secureboot": {"includeWellKnownCertificates": True, "enrollKeys": "manual"},
                "bootloader": "grub",
                "systemExtensions": {"officialExtensions": ["siderolabs/zfs", None]},
                "meta": [{"value": "a\nb\n"}],
                "extraKernelArgs": ["a=b", "-c", "1"],
            },
            "overlay": {"options": {"b": 1, "a": True, "Z": "x: y"}, "name": "rpi_5"},
            "owner": "bob",
        }
    )
    assert built is not None
    assert (
        built.data.decode()
        == """\
owner: bob
overlay:
    image: ""
    name: rpi_5
    options:
        Z: 'x: y'
        a: true
        b: 1
customization:
    extraKernelArgs:
        - a=b
        - -c
        - "1"
    meta:
        - key: 0
          value: |
            a
            b
    systemExtensions:
        officialExtensions:
            - siderolabs/zfs
    bootloader: grub
    secureboot:
        enrollKeys: manual
        includeWellKnownCertificates: true
    diskImage:
        sectorSize: 512
"""
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("customization:\n", "{}"),
        ("customization: ~\noverlay:\n", "{}"),
        ("customization: {systemExtensions: null, meta: }\n", "{}"),
        ("customization: {extraKernelArgs: [a, null, ~, b]}\n", "customization: {extraKernelArgs: [a, b]}"),
        (
            "customization: {extraKernelArgs: [1, 0x10, 1.10]}\n",
            'customization: {extraKernelArgs: ["1", "0x10", "1.10"]}',
        ),
        ("customization: {extraKernelArgs: [true, 010]}\n", 'customization: {extraKernelArgs: ["true", "010"]}'),
        ("customization: {meta: [{key: 0xa, value: 12}]}\n", 'customization: {meta: [{key: 10, value: "12"}]}'),
        (
            "customization: {secureboot: {includeWellKnownCertificates: yes}}\n",
            "customization: {secureboot: {includeWellKnownCertificates: true}}",
        ),
        ("customization: {secureboot: {includeWellKnownCertificates: off}}\n", "customization: {secureboot: {}}"),
        ("customization: {bootloader: GRUB}\n", "customization: {bootloader: grub}"),
        ("overlay: {options: {a: 010x, b: 5}}\n", 'overlay: {options: {b: 5, a: "010x"}}'),
    ],
)
def test_what_the_factory_takes_is_read_as_it_reads_it(text: str, same: str) -> None:
    found, findings = read_schematic(text.encode(), "s.yaml")
    other, _ = read_schematic(same.encode(), "s.yaml")
    assert not findings
    assert found is not None
    assert other is not None
    assert found.schematic == other.schematic


@pytest.mark.parametrize(
    ("text", "code", "message", "help_"),
    [
        (
            "«extraKernelArgs»: []",
            "T102",
            "unknown key `extraKernelArgs`",
            "it belongs at `customization.extraKernelArgs`",
        ),
        (
            "customization: {«kernelArgs»: [a]}",
            "T102",
            "unknown key `customization.kernelArgs`",
            "did you mean `extraKernelArgs`?",
        ),
        ("«customisation»: {}", "T102", "unknown key `customisation`", "did you mean `customization`?"),
        ("customization: {extraKernelArgs: «a»}", "T102", "`customization.extraKernelArgs` must be a list", ""),
        ("customization: {extraKernelArgs: [«[a]»]}", "T102", "`customization.extraKernelArgs[0]` must be text", ""),
        ("customization: {diskImage: «4096»}", "T102", "`customization.diskImage` must be a map", ""),
        (
            "customization: {meta: [{key: «256»}]}",
            "T102",
            "`customization.meta[0].key` is out of range",
            "it can be 0 to 255",
        ),
        ('customization: {meta: [{key: «"0xa"»}]}', "T102", "`customization.meta[0].key` must be a whole number", ""),
        ("customization: {meta: [{key: «010»}]}", "T102", "`customization.meta[0].key` must be a whole number", ""),
        ("customization: {meta: [{key: «true»}]}", "T102", "`customization.meta[0].key` must be a whole number", ""),
        (
            "customization: {diskImage: {sectorSize: «-1»}}",
            "T102",
            "`customization.diskImage.sectorSize` is out of range",
            "it can be 0 to 4294967295",
        ),
        (
            "customization: {secureboot: {includeWellKnownCertificates: «Yes»}}",
            "T102",
            "`customization.secureboot.includeWellKnownCertificates` must be `true` or `false`",
            "",
        ),
        (
            "customization: {bootloader: «auto»}",
            "T102",
            "`customization.bootloader` must be one of none, dual-boot, sd-boot, grub, not `auto`",
            "",
        ),
        ("overlay: {options: {«a2»: x}}", "T102", OTHER_OPTIONS, ""),
        ("overlay: {options: {«a»: 0x10}}", "T102", OTHER_OPTIONS, ""),
        ("overlay: {options: {a: «on»}}", "T101", TWO_SPELLINGS, ""),
        ("customization: {extraKernelArgs: [a, «on»]}", "T101", TWO_SPELLINGS, ""),
    ],
)
def test_what_is_refused_is_told_at_its_place(text: str, code: str, message: str, help_: str) -> None:
    start, end = text.index("«"), text.index("»") - 1
    found, findings = read_schematic(text.replace("«", "").replace("»", "").encode(), "s.yaml")
    assert found is None
    assert [(item.code, item.message, item.help) for item in findings] == [(code, message, help_)]
    assert findings[0].span == Span("s.yaml", 1, start + 1, 1, end + 1)


def test_an_empty_body_is_refused_and_further_documents_are_ignored_with_a_warning() -> None:
    assert [item.code for item in read_schematic(b"# nothing\n", "s.yaml")[1]] == ["S105"]
    found, findings = read_schematic(b"{}\n---\nanything: goes\n", "s.yaml")
    assert found is not None
    assert found.schematic.id == EMPTY
    assert [(item.code, item.severity.value) for item in findings] == [("S106", "warning")]


def test_for_a_version_the_extensions_and_arguments_of_a_schematic_are_checked() -> None:
    text = """\
customization:
  systemExtensions: {officialExtensions: [siderolabs/zsf, siderolabs/i915-ucode, siderolabs/zfs]}
  extraKernelArgs: [hugepagesz=1G, hugepages=1, hugepagesz=2M, hugepages=2, a b]
"""
    found, findings = read_schematic(text.encode(), "s.yaml")
    assert not findings
    assert found is not None
    told = [
        (item.code, item.severity.value, item.span and item.span.line) for item in schematic_findings(found, TARGET)
    ]
    assert told == [("T110", "error", 2), ("T112", "warning", 2), ("T120", "warning", 3), ("T121", "warning", 3)]


def test_a_customization_has_its_extensions_sorted_once_and_its_arguments_in_order() -> None:
    document = customized(["b", "a", "b"], ["z", "a"])
    assert document["customization"]["systemExtensions"]["officialExtensions"] == ["a", "b"]
    assert document["customization"]["extraKernelArgs"] == ["z", "a"]
