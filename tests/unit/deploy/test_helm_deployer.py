"""What the Helm deployer adds to a bundle: constant scripts, the preflight's values, its part of the README."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from groundswell.deploy.deployer import Emitted, Settings
from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm import DEPLOYER
from groundswell.deploy.helm.preflight import preflight_values
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

CONSTANT = ("install.sh", "uninstall.sh", "preflight/Chart.yaml", "preflight/templates/NOTES.txt")


def emitted(*components: Any, constraints: Any = (), criteria: Any = TALOS) -> Emitted:
    made = plan(*components, constraints=constraints, criteria=criteria)
    folders, _ = build_folders(made)
    return DEPLOYER.emit(made, folders, Settings())


def test_files_and_their_modes() -> None:
    files = {file.path: file.executable for file in emitted(component("a")).files}
    assert files == {
        "install.sh": True,
        "uninstall.sh": True,
        "install.tsv": False,
        "preflight/Chart.yaml": False,
        "preflight/take-ownership.yaml": False,
        "preflight/templates/NOTES.txt": False,
        "preflight/values.yaml": False,
    }


def test_scripts_and_templates_do_not_depend_on_the_plan() -> None:
    one = {file.path: file.data for file in emitted(component("a")).files}
    other = {
        file.path: file.data
        for file in emitted(
            component("x", pre_manifests=(namespace_manifest("x"),), crds="crds-dir"),
            constraints=(constraint("OS.release.ID", "talos"),),
        ).files
    }
    assert {path for path in one if one[path] == other[path]} >= set(CONSTANT)
    assert one["install.tsv"] != other["install.tsv"]
    assert b"@" + b"common.sh.in@" not in one["install.sh"]


def test_fixed_yaml_reads_the_same_everywhere() -> None:
    files = {file.path: file.data for file in emitted(component("a")).files}
    assert yaml.safe_load(files["preflight/take-ownership.yaml"]) == {"groundswell.dev/take-ownership": True}
    assert yaml.safe_load(files["preflight/Chart.yaml"])["version"] == "0.0.0"


@pytest.mark.parametrize(
    ("name", "value", "tests"),
    [
        ("K8s.server.version", ">= 1.32", [("kubernetes", ">=", [1, 32])]),
        ("K8s.server.version", "1.32.1", [("kubernetes", "==", [1, 32, 1])]),
        ("K8s.server.version", "1.32", [("kubernetes", "==", [1, 32])]),
        ("K8s.server.version", "== 1.32", [("kubernetes", "==", [1, 32])]),
        ("K8s.server.version", ">= 1.30, < v1.35", [("kubernetes", ">=", [1, 30]), ("kubernetes", "<", [1, 35])]),
        ("OS.release.VERSION_ID", "24.04", [("nodes", "==", [24, 4])]),
        ("OS.release.VERSION_ID", "!= 9", [("nodes", "!=", [9])]),
        ("OS.release.KERNEL_VERSION", "> 6.1", [("nodes", ">", [6, 1])]),
        ("OS.sysctl./proc/sys/kernel/osrelease", ">= 6.8", [("nodes", ">=", [6, 8])]),
    ],
)
def test_comparisons_become_tests(name: str, value: str, tests: list[tuple[str, str, list[int]]]) -> None:
    values, findings = preflight_values([constraint(name, value)])
    assert not findings
    assert [
        (where, test["operator"], test["numbers"]) for where in ("kubernetes", "nodes") for test in values[where]
    ] == tests


def test_what_aicr_catalogs_call_equal_has_three_numbers() -> None:
    asked = constraint("K8s.server.version", "== 1.32")._replace(aicr=True)
    values, _ = preflight_values([asked])
    assert [test["numbers"] for test in values["kubernetes"]] == [[1, 32, 0]]


def test_a_build_is_compared_for_the_server_only() -> None:
    server, _ = preflight_values([constraint("K8s.server.version", ">= 1.34.3-gke.1318000")])
    assert server["kubernetes"][0]["build"] == {"provider": "gke", "number": 1318000}
    kernel, _ = preflight_values([constraint("OS.release.KERNEL_VERSION", ">= 6.8.0-gke.5")])
    assert "build" not in kernel["nodes"][0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GPU.hardware.gpu-count", ">= 8"),
        ("OS.release.ID", "acmelinux"),
        ("OS.release.ID", ">= talos"),
        ("OS.release.VERSION_ID", "noble"),
        ("K8s.server.version", ">= "),
        ("K8s.server.version", "== latest"),
    ],
)
def test_what_no_server_can_answer_is_told_at_once_and_makes_the_preflight_fail(name: str, value: str) -> None:
    asked = constraint(name, value, "recipe h100", "recipes/h100.yaml")
    values, (finding,) = preflight_values([asked])
    assert values["kubernetes"] == values["nodes"] == []
    assert values["unanswerable"] == [{"constraint": f"{name} {value}", "source": "recipe h100 (recipes/h100.yaml:1)"}]
    assert (finding.code, finding.severity.value) == ("D302", "warning")
    assert finding.span is not None
    assert finding.span.file == "recipes/h100.yaml"


def test_the_readme_says_what_is_checked_and_what_is_not() -> None:
    asked = (constraint("OS.release.ID", "talos"), constraint("GPU.hardware.gpu-count", ">= 8"))
    text = emitted(component("a", crds="crds-dir"), constraints=asked).readme
    assert text.startswith("## Helm\n")
    assert "- OS.release.ID == talos\n" in text
    assert text.index("No API server can answer") < text.index("- GPU.hardware.gpu-count >= 8\n")
    assert "helm pull a --repo https://charts.example.test/stable --version 1.0.0 --destination charts" in text
    assert "### CRDs" in text
    bare = emitted(component("b", chart=None, manifests=(manifest("kind: ConfigMap\nmetadata:\n  name: x\n"),))).readme
    assert "### CRDs" not in bare
    assert "helm pull" not in bare
    assert "--values" not in bare
    assert "states nothing that it could check" in bare


def test_a_command_in_the_readme_is_quoted() -> None:
    text = emitted(component("a", chart=chart("a", "1;id", "oci://r.test/x"))).readme
    assert "helm pull oci://r.test/x/a --version '1;id' --destination charts" in text
