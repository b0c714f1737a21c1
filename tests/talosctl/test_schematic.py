"""`groundswell talos schematic` and `render`; an HTTP server on this machine stands in for the Image Factory."""

from __future__ import annotations

import hashlib
import json
import time
from typing import TYPE_CHECKING

import pytest
import yaml

from command import groundswell, tree
from talos_kit import text
from talosctl.image_factory import Factory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EMPTY = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba"
GVISOR = "b8e8fbbe1b520989e6c52c8dc8303070cb42095997e76e812fa8892393e1d176"
HOSTS = """
- {name: cp-1, address: 10.0.0.1, role: controlplane}
- name: gv-1
  address: 10.0.0.2
  prep: &prep {extensions: [siderolabs/gvisor, siderolabs/intel-ucode], kernelArgs: [net.ifnames=0]}
- {name: gv-2, address: 10.0.0.3, prep: *prep}
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports come again in other runs, and what was posted to one is remembered."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def factory() -> Iterator[Factory]:
    with Factory() as server:
        yield server


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    path = tmp_path / "lab.yaml"
    path.write_text(text(HOSTS))
    return path


def test_ids_and_images_are_printed_once_per_distinct_set(lab: Path) -> None:
    done = groundswell("talos", "schematic", lab)
    assert done.code == 0, done.err
    assert f"{EMPTY}  cp-1        factory.talos.dev/metal-installer/{EMPTY}:v1.13.2" in done.out
    assert f"{GVISOR}  gv-1, gv-2  factory.talos.dev/metal-installer/{GVISOR}:v1.13.2" in done.out


def test_a_schematic_in_the_factorys_own_format_has_its_published_id(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("customization:\n  extraKernelArgs: [noapic, nolapic]\n")
    done = groundswell("talos", "schematic", path, "--talos-version", "v1.14.0", "--format", "json")
    (row,) = json.loads(done.out)
    assert row["id"] == "9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c"
    assert row["image"].endswith(":v1.14.0")
    assert hashlib.sha256(row["schematic"].encode()).hexdigest() == row["id"]


def test_upload_posts_each_schematic_and_agrees_on_the_ids(lab: Path, factory: Factory) -> None:
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url + "/")
    assert (done.code, "error" in done.err) == (0, False)
    assert {hashlib.sha256(body).hexdigest() for body in factory.posted} == {EMPTY, GVISOR}


def test_without_upload_nothing_is_asked(lab: Path, factory: Factory) -> None:
    groundswell("talos", "schematic", lab, "--factory", factory.url)
    assert factory.posted == []


def test_the_files_own_factory_is_the_default(tmp_path: Path, factory: Factory) -> None:
    path = tmp_path / "lab.yaml"
    path.write_text(text(HOSTS, talos=f"factoryURL: {factory.url}"))
    done = groundswell("talos", "schematic", path, "--upload")
    assert done.code == 0, done.err
    assert len(factory.posted) == 2


def test_a_busy_factory_is_asked_again(lab: Path, factory: Factory) -> None:
    factory.answers = [(503, {"Retry-After": "0"}, "busy"), (429, {"Retry-After": "0"}, "slowly")]
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url)
    assert (done.code, "error" in done.err) == (0, False)
    assert len(factory.posted) == 4


def test_another_id_and_a_refusal_are_errors_with_what_the_factory_said(lab: Path, factory: Factory) -> None:
    factory.answers = [(201, {}, json.dumps({"id": "f" * 64})), (400, {}, "yaml: construct errors: line 2\n")]
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url)
    assert done.code == 1
    assert "T321" in done.err
    assert f"as `{'f' * 64}`" in done.err
    assert "HTTP 400 yaml: construct errors: line 2" in done.err
    assert EMPTY in done.out


def test_what_a_factory_took_is_not_posted_again_unless_asked(lab: Path, factory: Factory, tmp_path: Path) -> None:
    upload = ("talos", "schematic", lab, "--upload", "--factory")
    first, second = groundswell(*upload, factory.url), groundswell(*upload, factory.url + "/")
    assert (first.code, second.code) == (0, 0)
    assert len(factory.posted) == 2
    both = (f"schematic `{EMPTY}` of `cp-1`", f"schematic `{GVISOR}` of `gv-1`, `gv-2`")
    assert first.err.splitlines() == [f"posted to {factory.url}: {item}" for item in both]
    passed_over = f"passed over, since it was posted to {factory.url} before: "
    assert second.err.splitlines() == [f"{passed_over}{item}" for item in both]
    assert not groundswell(*upload, factory.url, "--diagnostics", "json").err.strip("[]\n")
    with Factory() as other:
        assert groundswell(*upload, other.url).code == 0
        assert len(other.posted) == 2
    assert groundswell(*upload, factory.url, "--again").code == 0
    assert len(factory.posted) == 4
    for entry in (tmp_path / "cache" / "groundswell" / "schematics").iterdir():
        entry.write_text("damaged")
    assert groundswell(*upload, factory.url).code == 0
    assert len(factory.posted) == 6
    assert groundswell("talos", "schematic", lab, "--again").code == 2


def test_what_a_factory_did_not_take_is_posted_again(lab: Path, factory: Factory) -> None:
    factory.answers = [(201, {}, json.dumps({"id": "f" * 64})), (400, {}, "no")]
    for _ in range(2):
        groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url)
    assert len(factory.posted) == 4


def test_a_factory_that_is_not_there_is_tried_once_and_each_schematic_is_named(lab: Path) -> None:
    with Factory() as server:
        gone = server.url
    start = time.monotonic()
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", gone, "--timeout", "2")
    assert time.monotonic() - start < 12  # the pauses of one schematic are 7 seconds
    assert done.code == 1
    assert f"schematic `{EMPTY}` of `cp-1` is not posted: the Image Factory `{gone}` cannot be reached" in done.err
    assert f"schematic `{GVISOR}` of `gv-1`, `gv-2` is not posted" in done.err


def test_a_factory_that_stays_busy_is_left_alone_after_the_first_schematic(lab: Path, factory: Factory) -> None:
    factory.answers = [(503, {"Retry-After": "0"}, "down for work")] * 9
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url)
    assert done.code == 1
    assert done.err.count("HTTP 503 down for work") == 2
    assert len(factory.posted) == 4


def test_an_answer_that_is_no_schematic_is_an_error(lab: Path, factory: Factory) -> None:
    factory.answers = [(200, {}, "<html>"), (302, {"Location": "https://elsewhere.example"}, "")]
    done = groundswell("talos", "schematic", lab, "--upload", "--factory", factory.url)
    assert done.code == 1
    assert "without an ID" in done.err
    assert "HTTP 302" in done.err


def test_the_proxy_of_the_environment_is_used(lab: Path, factory: Factory) -> None:
    done = groundswell(
        "talos", "schematic", lab, "--upload", "--factory", "http://factory.invalid", "--timeout", "5",
        env={"HTTP_PROXY": factory.url, "http_proxy": "", "NO_PROXY": "", "no_proxy": ""},
    )  # fmt: skip
    # The stand-in gets the whole URL as path, as a proxy does, and has no such route.
    assert "HTTP 404 no such route" in done.err
    assert len(factory.posted) == 2


def test_render_writes_what_belongs_to_each_machine_and_nothing_twice(lab: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = groundswell("talos", "render", lab, "-o", out)
    assert done.code == 0, done.err
    files = tree(out)
    assert {name for name in files if name.startswith("patches/")} == {
        "patches/cp-1.yaml", "patches/gv-1.yaml", "patches/gv-2.yaml",
    }  # fmt: skip
    assert sorted(name for name in files if name.startswith("schematics/")) == [
        f"schematics/{EMPTY[:12]}.yaml",
        f"schematics/{GVISOR[:12]}.yaml",
    ]
    assert yaml.safe_load(files["patches/gv-1.yaml"])["machine"]["install"]["image"].endswith(f"{GVISOR}:v1.13.2")
    assert groundswell("talos", "render", lab, "-o", out).code == 0
    assert tree(out) == files
    assert groundswell("verify", out).code == 0


def test_render_with_criteria_has_what_components_ask_for(tmp_path: Path) -> None:
    path = tmp_path / "lab.yaml"
    hosts = "- {name: cp-1, role: controlplane}\n- {name: gpu-1, accelerated: true}\n"
    criteria = "criteria: {service: metal, accelerator: h100, intent: training}"
    path.write_text(text(hosts, more=criteria))
    done = groundswell("talos", "render", path, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    files = {name: data.decode() for name, data in tree(tmp_path / "out").items()}
    assert "nvidia_uvm" in files["patches/gpu-1.yaml"]
    assert "nvidia" not in files["patches/cp-1.yaml"]
    bundle = tmp_path / "bundle"
    query = ("--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training")
    assert groundswell("bundle", *query, "-o", bundle).code == 0
    recipe = groundswell("talos", "render", path, "--recipe", bundle / "recipe.yaml", "-o", tmp_path / "again")
    assert recipe.code == 0, recipe.err
    assert tree(tmp_path / "again") == tree(tmp_path / "out")
    path.write_text(text(hosts, more=criteria.replace("h100", "gb200")))
    other = groundswell("talos", "render", path, "--recipe", bundle / "recipe.yaml", "-o", tmp_path / "again")
    assert other.code == 1
    assert "accelerator `gb200`" in other.err


def test_a_file_without_criteria_has_the_node_layer_that_its_bundle_has(tmp_path: Path) -> None:
    path = tmp_path / "lab.yaml"
    path.write_text(text("- {name: cp-1, role: controlplane}\n- {name: gpu-1, accelerated: true}\n"))
    done = groundswell("bundle", "--cluster", path, "-o", tmp_path / "bundle")
    assert done.code == 0, done.err
    done = groundswell("talos", "render", path, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    inside = {name.removeprefix("talos/"): data for name, data in tree(tmp_path / "bundle").items() if "talos/" in name}
    alone = {name: data for name, data in tree(tmp_path / "out").items() if name in inside}
    assert b"nvidia_uvm" in inside["patches/gpu-1.yaml"]
    assert alone == inside


@pytest.mark.parametrize(
    "vfio",
    [
        '{address: "0000:41:00.0"}',
        '{address: "0000:41:00.0", kind: nvme}',
        '{address: "0000:41:00.0", kind: nvme, iommuGroup: 3}, {address: "0000:42:00.0", kind: network, iommuGroup: 3}',
    ],
)
def test_each_command_on_a_cluster_file_finds_the_same_in_it(tmp_path: Path, vfio: str) -> None:
    path = tmp_path / "lab.yaml"
    path.write_text(text(f"- {{name: w-1, accelerated: true, memoryGiB: 8, prep: {{vfio: [{vfio}]}}}}\n"))
    commands = {
        "render": ("talos", "render", path, "-o", tmp_path / "out"),
        "schematic": ("talos", "schematic", path),
        "bundle": ("bundle", "--cluster", path, "-o", tmp_path / "bundle"),
    }
    found = {}
    for name, command in commands.items():
        done = groundswell(*command, "--diagnostics", "json")
        told = [(item["code"], item["message"]) for item in json.loads(done.err)]
        found[name] = (done.code, [item for item in told if item[0].startswith("T") and item[0] != "T360"])
    assert found["render"] == found["bundle"] == found["schematic"]
    assert {code for code, _ in found["render"][1]} & {"T250", "T251", "T252"}


def test_a_schematic_that_the_factory_would_refuse_is_told_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("customization:\n")
    done = groundswell("talos", "schematic", path)
    assert (done.code, done.out.split()[-3]) == (0, EMPTY), done.err
    path.write_text("customization:\n  extensions: []\n  extraKernelArgs: [on]\n")
    done = groundswell("talos", "schematic", path)
    assert done.code == 1
    assert "s.yaml:2:3" in done.err
    assert "s.yaml:3:21" in done.err
    path.write_text("customization:\n  systemExtensions: {officialExtensions: [siderolabs/iscsi-tool]}\n")
    assert groundswell("talos", "schematic", path).code == 0
    done = groundswell("talos", "schematic", path, "--talos-version", "v1.13.2")
    assert done.code == 1
    assert "did you mean `siderolabs/iscsi-tools`?" in done.err


def test_wrong_files_are_said_at_their_place(tmp_path: Path) -> None:
    path = tmp_path / "lab.yaml"
    path.write_text(text("- {name: a, prep: {kernelArgs: [a b]}}\n"))
    for command in (("schematic",), ("render", "-o", tmp_path / "out"), ("prepare",)):
        done = groundswell("talos", command[0], path, *command[1:])
        assert done.code == 1
        assert "T120" in done.err
        assert "lab.yaml:9:" in done.err
    assert groundswell("talos", "schematic", tmp_path / "missing.yaml").code == 1
    assert not (tmp_path / "out").exists()
