from __future__ import annotations

import pytest

from groundswell.talos.cpus import format_cpus, parse_cpus
from groundswell.talos.extensions import extension_finding
from groundswell.talos.schematic import schematic
from groundswell.talos.target import Base, Form, Target
from groundswell.talos.version import TalosVersion, parse_version


def version(text: str) -> TalosVersion:
    parsed, _ = parse_version(text)
    assert parsed is not None
    return parsed


@pytest.mark.parametrize(
    ("text", "tag"), [("v1.10.0", "v1.10.0"), ("1.14.1", "v1.14.1"), ("v1.15.0-beta.0", "v1.15.0-beta.0")]
)
def test_a_version_is_the_tag_of_an_image(text: str, tag: str) -> None:
    parsed, findings = parse_version(text)
    assert (str(parsed), findings) == (tag, ())


@pytest.mark.parametrize("text", ["1.13", "v1.13.x", "latest", "", "v1.9.6", "v0.14.0", "v1.13.02"])
def test_what_is_no_version_to_compile_for(text: str) -> None:
    parsed, findings = parse_version(text)
    assert parsed is None
    assert [finding.code for finding in findings] == ["T103"]


def test_a_version_newer_than_known_is_compiled_with_a_warning() -> None:
    parsed, findings = parse_version("v1.16.0")
    assert parsed == TalosVersion(1, 16, 0)
    assert [finding.code for finding in findings] == ["T104"]


@pytest.mark.parametrize(
    ("text", "base", "form", "hostname"),
    [
        ("v1.10.9", Base.GENERATED, Form.FIELDS, Form.FIELDS),
        ("v1.11.6", Base.GENERATED, Form.FIELDS, Form.FIELDS),
        ("v1.12.0", Base.GENERATED, Form.FIELDS, Form.DOCUMENTS),
        ("v1.13.9", Base.GENERATED, Form.FIELDS, Form.DOCUMENTS),
        ("v1.14.0", Base.GENERATED, Form.DOCUMENTS, Form.DOCUMENTS),
        ("v1.14.0", Base.LEGACY, Form.FIELDS, Form.DOCUMENTS),
        ("v1.15.0", Base.LEGACY, Form.FIELDS, Form.DOCUMENTS),
        ("v1.15.0", Base.GENERATED, Form.DOCUMENTS, Form.DOCUMENTS),
    ],
)
def test_the_base_configuration_and_not_only_the_version_decides_the_form(
    text: str, base: Base, form: Form, hostname: Form
) -> None:
    target = Target(version(text), base=base)
    assert (target.form, target.hostname_form) == (form, hostname)


def test_the_installer_image_follows_from_version_platform_and_secure_boot() -> None:
    empty = schematic({})
    assert empty is not None
    name = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba"
    assert Target(version("v1.14.0")).installer(empty) == f"factory.talos.dev/metal-installer/{name}:v1.14.0"
    secure = Target(version("v1.10.3"), "http://factory.example.test:8080", "nocloud", secureboot=True)
    assert secure.installer(empty) == f"factory.example.test:8080/nocloud-installer-secureboot/{name}:v1.10.3"


@pytest.mark.parametrize(
    ("name", "release", "factory", "code", "hint"),
    [
        ("siderolabs/iscsi-tools", "v1.10.0", "", None, ""),
        ("siderolabs/uhid", "v1.13.0", "", None, ""),
        ("siderolabs/uhid", "v1.12.11", "", "T110", "it is available from Talos v1.13 on"),
        ("siderolabs/iscsi-tool", "v1.13.0", "", "T110", "did you mean `siderolabs/iscsi-tools`?"),
        ("iscsi-tools", "v1.13.0", "", "T110", "did you mean `siderolabs/iscsi-tools`?"),
        ("siderolabs/xyzzy", "v1.14.0", "", "T110", ""),
        ("siderolabs/xyzzy", "v1.15.0", "", "T111", ""),
        ("example/own", "v1.13.0", "https://factory.example.test", "T111", ""),
        ("siderolabs/i915-ucode", "v1.13.0", "", "T112", "write `siderolabs/i915`"),
        (
            "siderolabs/nvidia-container-toolkit",
            "v1.13.0",
            "https://factory.example.test",
            "T112",
            "write `siderolabs/nvidia-container-toolkit-lts`",
        ),
    ],
)
def test_names_of_extensions(name: str, release: str, factory: str, code: str | None, hint: str) -> None:
    target = Target(version(release), factory) if factory else Target(version(release))
    finding = extension_finding(name, target, None)
    assert (finding and finding.code, finding.help if finding else "") == (code, hint)


@pytest.mark.parametrize(
    ("text", "cpus", "form"),
    [
        ("0", {0}, "0"),
        ("0-3", {0, 1, 2, 3}, "0-3"),
        ("4,0-1", {0, 1, 4}, "0-1,4"),
        ("1,2,3,5,6", {1, 2, 3, 5, 6}, "1-3,5-6"),
        ("0-8:2/4,9", {0, 1, 4, 5, 8, 9}, "0-1,4-5,8-9"),
        ("1-7:1/2", {1, 3, 5, 7}, "1,3,5,7"),
    ],
)
def test_lists_of_cpus(text: str, cpus: set[int], form: str) -> None:
    assert parse_cpus(text) == frozenset(cpus)
    assert format_cpus(cpus) == form


@pytest.mark.parametrize(
    "text", ["", "a", "3-1", "1,,2", "1-", "-1", "0-3,2", "0-99999", "1 2", "nohz,1-3", "0-4:3/2", "0-4:0/2"]
)
def test_what_is_no_list_of_cpus(text: str) -> None:
    assert parse_cpus(text) is None
