from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from command import ROOT, groundswell, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TALOS = ("--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training")
KIND = ("--service", "kind", "--intent", "inference")


def test_a_bundle_verifies_until_anything_changes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert groundswell("bundle", *TALOS, "-o", out).code == 0
    assert groundswell("verify", out).code == 0
    changes: dict[str, Callable[[Path], object]] = {
        "changed": lambda copy: (copy / "install.sh").write_text("#!/bin/sh\n"),
        "added": lambda copy: (copy / "001-cert-manager" / "extra.yaml").write_text("a: 1\n"),
        "removed": lambda copy: (copy / "bundle.yaml").unlink(),
        "linked": lambda copy: (copy / "link").symlink_to("README.md"),
    }
    for name, change in changes.items():
        copy = tmp_path / name
        shutil.copytree(out, copy)
        change(copy)
        assert groundswell("verify", copy).code == 3, name


@pytest.mark.parametrize(
    "words",
    [
        ("plan", *KIND, "--os", "talos", "--os", "ubuntu"),
        ("plan", *KIND, "--accelerator", "h100", "--gpu", "gb200"),
        ("catalog", "new", "recipe", "x", "--service", "kind", "--service", "eks"),
        ("talos", "render", "x.yaml", "-o", "one", "-o", "two"),
    ],
)
def test_an_option_of_one_value_is_given_once(words: tuple[str, ...], tmp_path: Path) -> None:
    done = groundswell(*words, cwd=tmp_path)
    assert done.code == 2
    assert "is given 2 times and takes one value" in done.err
    assert tree(tmp_path) == {}


def test_options_that_may_be_repeated_and_flags_are_taken_as_they_come() -> None:
    sets = ("--set", "cert-manager:a=1", "--set", "cert-manager:b=2", "--allow-unsupported", "--allow-unsupported")
    assert groundswell("plan", *KIND, *sets).code == 0


def test_the_talos_bundle_has_the_namespace_folder_right_before_the_chart() -> None:
    done = groundswell("plan", *TALOS, "--format", "json")
    folders = json.loads(done.out)["folders"]
    names = [folder["name"].partition("-")[2] for folder in folders]
    before, chart = names.index("gpu-operator-pre"), names.index("gpu-operator")
    assert chart == before + 1
    assert [folders[before]["wave"] % 4, folders[chart]["wave"] % 4] == [0, 1]
    assert folders[before]["level"] == folders[chart]["level"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (("--service", "eks", "--os", "talos"), ["eks", "talos", "--service metal", "--os ubuntu"]),
        (("--os", "rhel"), ["os", "rhel", "--os"]),
        ((), ["criteria"]),
        (("--service", "", "--os", "any"), ["criteria"]),
        (("--service", "kin"), ["did you mean `kind`"]),
    ],
)
def test_what_is_not_covered_writes_nothing(query: tuple[str, ...], words: list[str], tmp_path: Path) -> None:
    done = groundswell("bundle", *query, "-o", tmp_path / "out")
    assert (done.code, done.out) == (1, "")
    assert not (tmp_path / "out").exists()
    assert all(word in done.err for word in words), done.err


def test_unset_criteria_are_one_and_the_same() -> None:
    spellings = [KIND, (*KIND, "--os", "any"), (*KIND, "--os", ""), ("--service", " Kind ", "--intent", "INFERENCE")]
    assert len({groundswell("resolve", *words).out for words in spellings}) == 1


def test_a_failed_run_leaves_the_old_bundle(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert groundswell("bundle", *KIND, "-o", out).code == 0
    before = tree(out)
    assert groundswell("bundle", *KIND, "--set", "nothing:a=1", "-o", out).code == 1
    assert tree(out) == before


def test_every_wrong_option_is_reported_in_one_run(tmp_path: Path) -> None:
    options = (
        *("--set", "gpu-operator:driver.enabled=true", "--set", "gpuoperator:driver.enabled=false"),
        *("--set", "no-path", "--set-json", "nfd:a={", "--without", "nobody", "--system-node-selector", "a"),
        *("--system-node-toleration", "a:Sometimes", "--set-file", "nfd:x=missing.yaml"),
    )
    done = groundswell("bundle", *TALOS, *options, "-o", tmp_path / "out", "--diagnostics", "json")
    codes = [finding["code"] for finding in json.loads(done.err)]
    assert done.code == 1
    assert sorted(codes) == ["R205", "R301", "R302", "R303", "R303", "R303", "R303", "R303"]


def test_settings_keep_their_types() -> None:
    options = (
        *("--set", "nfd:a=true", "--set", "nfd:b=007", "--set", "nfd:c=12", "--set", "nfd:d=1.10"),
        *("--set", "nfd:e=[x]"),
        *("--set-string", "nfd:f=true", "--set-json", 'nfd:g={"h": [1, 2.5, null]}', "--set", r"nfd:i\.j/k=yes"),
    )
    done = groundswell("resolve", *TALOS, *options, "--values", "--format", "json")
    refs = {ref["name"]: ref for ref in json.loads(done.out)["componentRefs"]}
    values = refs["nfd"]["values"]
    texts = {"b": "007", "d": "1.10", "e": "[x]", "f": "true", "i.j/k": "yes"}
    wanted = {"a": True, "c": 12, "g": {"h": [1, 2.5, None]}, **texts}
    assert {key: values[key] for key in wanted} == wanted


def test_a_text_does_not_replace_a_list() -> None:
    options = ("--set-json", 'gpu-operator:daemonsets.tolerations=[{"key": "a"}]')
    assert groundswell("resolve", *TALOS, *options).code == 0
    listed = groundswell("resolve", *TALOS, "--values", "--format", "json").out
    path = _list_path(json.loads(listed))
    done = groundswell("resolve", *TALOS, "--set", f"{path}=text")
    assert done.code == 1
    assert "list" in done.err


def test_json_may_take_the_place_of_a_map_and_a_text_may_not() -> None:
    path = "kube-prometheus-stack:grafana"
    assert groundswell("resolve", *TALOS, "--set", f"{path}=x").code == 1
    assert groundswell("resolve", *TALOS, "--set-json", f"{path}=[]").code == 0


def _list_path(document: dict[str, object]) -> str:
    """Some path of the reference bundle whose value is a list."""
    refs = document["componentRefs"]
    assert isinstance(refs, list)
    for ref in refs:
        stack: list[tuple[str, object]] = [("", ref["values"])]
        while stack:
            path, value = stack.pop()
            if isinstance(value, list) and value:
                return f"{ref['name']}:{path.lstrip('.')}"
            if isinstance(value, dict):
                stack += [(f"{path}.{key}", child) for key, child in value.items() if "." not in key]
    raise AssertionError


def test_a_disabled_dependency_counts_as_present() -> None:
    done = groundswell("plan", *TALOS, "--without", "cert-manager", "--format", "json")
    plan = json.loads(done.out)
    assert plan["provided"] == ["cert-manager"]
    assert not [folder for folder in plan["folders"] if folder["component"] == "cert-manager"]


def test_explain_shows_layers_places_and_reasons() -> None:
    done = groundswell("explain", "gpu-operator.driver.enabled", *TALOS, cwd=ROOT)
    assert "gpu-operator.driver.enabled = false" in done.out
    assert "mixin os-talos: false  [mixins/os-talos.yaml:" in done.out
    assert "because recipe talos names it" in done.out


def test_explain_says_what_a_code_means() -> None:
    done = groundswell("explain", "r203")
    assert done.code == 0
    assert "R203" in done.out
    assert groundswell("explain", "R999").code == 1
    for code in ("R20", "r20", "R", "R2033"):
        told = groundswell("explain", code)
        assert told.code == 1
        assert f"there is no code {code.upper()}" in told.err
    assert "no code" not in groundswell("explain", "r20", *TALOS).err


def test_usage_errors_exit_with_2() -> None:
    assert groundswell("bundle", *KIND).code == 2
    assert groundswell("bundle", *KIND, "-o", "").code == 2
    assert groundswell("bundle", *KIND, "-o", "x", "--deployer", "flax").code == 2
    assert groundswell("plan", "--nodes", "-1").code == 2
    assert "Did you mean 'bundle'?" in groundswell("bundel").err


def test_a_reader_that_goes_away_is_no_error_message(tmp_path: Path) -> None:
    words = f"{sys.executable} -m groundswell explain R203 {' '.join(TALOS)} | head -c 1"
    done = subprocess.run(["sh", "-c", words], capture_output=True, check=False, text=True, cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_catalog_list_and_check() -> None:
    assert "the catalog is sound" in groundswell("catalog", "check").out
    listed = json.loads(groundswell("catalog", "list", "--format", "json").out)
    assert {"gpu-operator", "nfd"} <= {component["name"] for component in listed["components"]}


def test_one_deployer_alone(tmp_path: Path) -> None:
    assert groundswell("bundle", *KIND, "--deployer", "helm", "-o", tmp_path / "helm").code == 0
    assert not list((tmp_path / "helm").rglob("application.yaml"))
    assert groundswell("bundle", *KIND, "--deployer", "argocd", "-o", tmp_path / "argo").code == 0
    assert not (tmp_path / "argo" / "install.sh").exists()


def test_an_option_that_no_deployer_reads_is_an_error(tmp_path: Path) -> None:
    options = ("--repo", "https://git.example.test/r.git", "--cascade-delete", "--project", "default", "--name", "mine")
    done = groundswell("bundle", *KIND, "--deployer", "helm", *options, "-o", tmp_path / "out", "--diagnostics", "json")
    assert done.code == 1
    assert sorted(item["message"].split("`")[1] for item in json.loads(done.err)) == [
        "--cascade-delete",
        "--project",
        "--repo",
    ]
    assert not (tmp_path / "out").exists()
    assert groundswell("bundle", *KIND, "--deployer", "helm", "--name", "mine", "-o", tmp_path / "out").code == 0


def test_what_a_catalog_refuses_to_read_is_not_opened_for_a_quotation(tmp_path: Path) -> None:
    recipes = tmp_path / "catalog" / "recipes"
    recipes.mkdir(parents=True)
    os.mkfifo(recipes / "pipe.yaml")
    secret = tmp_path / "secret"
    secret.write_text("not for everybody\n")
    (recipes / "out.yaml").symlink_to(secret)
    (recipes / "endless.yaml").symlink_to("/dev/zero")
    done = groundswell("plan", *KIND, "--catalog", tmp_path / "catalog")
    assert done.code == 1
    assert done.err.count("error[M212]") == 3
    assert "not for everybody" not in done.err


@pytest.mark.parametrize("options", [("--recipe", "/dev/zero"), (*KIND, "--set-file", "nfd:a=/dev/zero")])
def test_an_input_without_end_is_refused(options: tuple[str, ...]) -> None:
    done = groundswell("plan", *options)
    assert done.code == 1
    assert "more than" in done.err


def test_a_full_disk_is_no_internal_error() -> None:
    words = f"{sys.executable} -m groundswell plan {' '.join(KIND)} >/dev/full"
    done = subprocess.run(["sh", "-c", words], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


def test_commands_to_copy_are_quoted_for_the_shell(tmp_path: Path) -> None:
    out = tmp_path / "a $(b)"
    done = groundswell("bundle", *KIND, "-o", out)
    assert f"'{out}/install.sh' --check" in done.out


@pytest.mark.parametrize(
    ("wrong", "guess"),
    [
        ("gpu-operator.driverr", "; did you mean `driver`?"),
        ("gpu-operator.driver.enabeld", "; did you mean `driver.enabled`?"),
        ("gpu-operator.versoin", "; did you mean `version`?"),
        ("gpu-operator.zzzz", ""),
    ],
)
def test_a_mistyped_path_is_answered_with_the_one_that_was_meant(wrong: str, guess: str) -> None:
    done = groundswell("explain", wrong, "--service", "kind", "--intent", "inference")
    assert done.code == 1
    assert done.err.endswith(f"Error: no layer sets anything at `{wrong}`{guess}\n")
