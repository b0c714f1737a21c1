"""`groundswell talos discover`, with a recorded talosctl on PATH."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from command import groundswell
from groundswell.talos_client.discover import discover
from groundswell.talos_client.inventory import read_inventory, to_document, to_tsv
from groundswell.talos_client.question import VERSION, Answer
from groundswell.talos_client.running import running
from talosctl.recordings import DATA, GPU, INSTALL, hardware, image, kernel, maintenance, stream, version_text

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.talos_client.question import Question
    from talosctl.recordings import Recorded

A, B = "10.0.0.1", "10.0.0.2"
FIELDS = (
    *("dev_path", "size", "symlinks", "bus_path", "busPath", "readonly", "cdrom", "logicalCPUs", "coreCount", "index"),
    *("threadCount", "manufacturer", "metadata", "linkName", "address", "masterIndex", "linkIndex", "sizeMiB"),
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3)


def configured(node: str, version: str = "v1.13.2") -> dict[str, str]:
    return {**hardware(node, version), **image(node, version, "5" * 64), **kernel(pages=(512, 256), whole=4)}


def test_a_configured_machine_tells_everything_in_two_passes(machines: Recorded) -> None:
    machines.put(A, configured(A))
    done = groundswell("talos", "discover", A, env=machines.env)
    assert (done.code, done.err) == (0, "")
    (found,) = yaml.safe_load(done.out)["machines"]
    assert found["version"] == "v1.13.2"
    assert found["schematic"] == "5" * 64
    assert found["memoryMib"] == 131072
    assert found["system"]["serial"] == f"S-{A}"
    assert found["processors"]["cpus"] == 32
    assert found["processors"]["siblings"][0] == "0,16"
    assert len(found["processors"]["siblings"]) == 16
    assert [node["pages2mi"] for node in found["numaNodes"]] == [512, 256]
    assert [node["pages1gi"] for node in found["numaNodes"]] == [4, 0]
    assert found["numaNodes"][1]["cpus"] == "8-15,24-31"
    devices = {device["address"]: device for device in found["devices"]}
    assert (devices[DATA]["iommuGroup"], devices[DATA]["numaNode"], devices[DATA]["driver"]) == (15, 1, "nvme")
    disks = {disk["path"]: disk for disk in found["disks"]}
    assert disks["/dev/nvme0n1"]["address"] == INSTALL
    assert "/dev/sr0" not in disks


def test_questions_about_resources_come_before_those_about_files_and_nothing_else_is_asked(machines: Recorded) -> None:
    machines.put(A, configured(A))
    groundswell("talos", "discover", A, env=machines.env)
    verbs = [words[0] for _, words, _ in machines.calls()]
    first_file = next(index for index, verb in enumerate(verbs) if verb in {"read", "list"})
    assert set(verbs[:first_file]) == {"get", "version"}
    assert set(verbs[first_file:]) == {"read", "list"}
    numa = [words[1] for _, words, _ in machines.calls("read") if words[1].endswith("/numa_node")]
    assert sorted(path.split("/")[-2] for path in numa) == sorted([INSTALL, DATA, "0000:61:00.0"])


def test_drivers_are_those_that_the_kernel_has_and_not_those_of_the_boot(machines: Recorded) -> None:
    machines.put(A, {**configured(A), **kernel(drivers={DATA: "vfio-pci", "0000:61:00.0": ""})})
    (found,) = json.loads(groundswell("talos", "discover", A, "--format", "json", env=machines.env).out)["machines"]
    drivers = {device["address"]: device.get("driver", "") for device in found["devices"]}
    assert drivers[DATA] == "vfio-pci"
    assert drivers["0000:61:00.0"] == ""
    assert drivers[INSTALL] == "nvme"


def test_cores_of_talos_1_14_give_the_siblings_also_in_maintenance_mode(machines: Recorded) -> None:
    cores = stream(A, "CPUCores", {f"0-{core}": {"logicalCPUs": [core, core + 8]} for core in range(8)})
    machines.put(A, {**maintenance(A, "v1.14.0"), "get/cpucores.json": cores})
    done = groundswell("talos", "discover", A, "--insecure", "--format", "json", env=machines.env)
    (found,) = json.loads(done.out)["machines"]
    assert found["processors"]["siblings"][3] == "3,11"
    assert found["processors"]["cpus"] == 16


def test_maintenance_mode_is_marked_and_exits_3(machines: Recorded) -> None:
    machines.put(A, maintenance(A, gpu=True))
    done = groundswell("talos", "discover", A, "--insecure", env=machines.env)
    assert done.code == 3
    assert "T304" in done.err
    (found,) = yaml.safe_load(done.out)["machines"]
    assert found["maintenance"] is True
    assert "numaNodes" not in found
    assert GPU in {device["address"] for device in found["devices"]}
    assert all("--insecure" in options for _, _, options in machines.calls())
    assert not machines.calls("read", "list")


def test_the_wrong_mode_is_said_with_what_to_do(machines: Recorded) -> None:
    machines.put(A, maintenance(A))
    done = groundswell("talos", "discover", A, env=machines.env)
    assert (done.code, done.out) == (1, "")
    assert "T302" in done.err
    assert "--insecure" in done.err


def test_a_machine_that_does_not_answer_leaves_the_others(machines: Recorded) -> None:
    machines.put(A, configured(A))
    done = groundswell("talos", "discover", A, B, env=machines.env)
    assert done.code == 1
    assert f"`{B}` does not answer" in done.err
    assert [item["node"] for item in yaml.safe_load(done.out)["machines"]] == [A]


def test_a_fact_that_is_refused_is_named_and_exits_3(machines: Recorded) -> None:
    machines.put(A, configured(A))
    (machines.home / A / "read/proc/cpuinfo").unlink()
    machines.put(A, {"read/proc/cpuinfo.problem": "rpc error: code = PermissionDenied desc = not authorized\n"})
    done = groundswell("talos", "discover", A, env=machines.env)
    assert done.code == 3
    assert "siblings of CPUs" in done.err
    assert "not authorized" in done.err
    assert yaml.safe_load(done.out)["machines"][0]["missing"][0]["what"] == "siblings of CPUs"


def test_a_dump_replays_to_the_same_inventory_and_asks_nobody(machines: Recorded, tmp_path: Path) -> None:
    machines.put(A, configured(A))
    machines.put(B, {**configured(B), "get/memorymodules.json.problem": "rpc error: refused"})
    (machines.home / B / "get/memorymodules.json").unlink()
    live = groundswell("talos", "discover", A, B, "--dump-dir", tmp_path / "dump", env=machines.env)
    asked = len(machines.calls())
    kept = groundswell("talos", "discover", "--replay", tmp_path / "dump", env=machines.env)
    assert (kept.code, kept.out, kept.err) == (live.code, live.out, live.err)
    assert live.code == 3
    assert len(machines.calls()) == asked
    assert (tmp_path / "dump" / A / "read/proc/cmdline").exists() is False
    assert (tmp_path / "dump" / A / "read/sys/devices/system/node/online").read_text() == "0-1\n"


def test_a_replay_of_maintenance_mode_stays_incomplete(machines: Recorded, tmp_path: Path) -> None:
    machines.put(A, maintenance(A))
    live = groundswell("talos", "discover", A, "--insecure", "--dump-dir", tmp_path / "dump", env=machines.env)
    kept = groundswell("talos", "discover", "--replay", tmp_path / "dump")
    assert (kept.code, kept.out, kept.err) == (3, live.out, live.err)


def test_replay_needs_a_dump_and_takes_no_address(tmp_path: Path) -> None:
    assert "T305" in groundswell("talos", "discover", "--replay", tmp_path).err
    assert groundswell("talos", "discover", "--replay", tmp_path, A).code == 2
    assert groundswell("talos", "discover").code == 2


def test_the_table_has_one_line_per_thing_with_the_same_columns(machines: Recorded) -> None:
    machines.put(A, configured(A))
    out = groundswell("talos", "discover", A, "--format", "tsv", env=machines.env).out
    rows = [line.split("\t") for line in out.splitlines()]
    assert {len(row) for row in rows} == {9}
    (data,) = [row for row in rows if row[-1] == DATA and row[1] == "pci"]
    assert data[5:8] == ["1", "15", "nvme"]
    kinds = {row[1] for row in rows}
    assert kinds >= {"system", "talos", "cpu", "core", "memory", "numa", "hugepages", "disk", "link", "pci"}


def test_the_table_says_what_is_not_told(machines: Recorded) -> None:
    machines.put(A, maintenance(A))
    machines.put(B, {**maintenance(B), "get/pcidevices.json": "{"})
    done = groundswell("talos", "discover", A, B, "--insecure", "--format", "tsv", env=machines.env)
    assert done.code == 3
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert {len(row) for row in rows} == {9}
    assert [row[0] for row in rows if row[1] == "maintenance"] == [A, B]
    assert [row[:4] for row in rows if row[1] == "missing"] == [[B, "missing", "pcidevices", "the answer is not JSON"]]


def test_the_management_card_is_found_under_a_bond_and_a_vlan(machines: Recorded) -> None:
    links = {
        "eth0": {"index": 2, "masterIndex": 5, "busPath": "0000:61:00.0"},
        "eth1": {"index": 3, "masterIndex": 5, "busPath": "0000:62:00.0"},
        "eth2": {"index": 4, "busPath": "0000:63:00.0"},
        "bond0": {"index": 5, "kind": "bond"},
        "bond0.7": {"index": 6, "linkIndex": 5, "kind": "vlan"},
        "veth1": {"index": 7, "linkIndex": 4, "kind": "veth"},
    }
    addresses = {
        "1": {"address": f"{A}/24", "linkName": "bond0.7"},
        "2": {"address": "169.254.0.1/32", "linkName": "veth1"},
    }
    machines.put(A, configured(A))
    machines.put(A, {"get/links.json": stream(A, "Links", links), "get/addresses.json": stream(A, "A", addresses)})
    (found,) = json.loads(groundswell("talos", "discover", A, "--format", "json", env=machines.env).out)["machines"]
    carried = {link["name"]: link.get("addresses") for link in found["links"]}
    assert carried == {"eth0": [f"{A}/24"], "eth1": [f"{A}/24"], "eth2": None}


def test_options_lead_every_call_to_the_cluster(machines: Recorded, tmp_path: Path) -> None:
    machines.put(A, configured(A))
    options = ("--talosconfig", tmp_path / "tc", "--context", "lab", "--endpoint", "10.0.0.9", "--endpoint", "10.0.0.8")
    groundswell("talos", "discover", A, *options, env=machines.env)
    for _, _, options_given in machines.calls():
        assert options_given["--talosconfig"] == str(tmp_path / "tc")
        assert (options_given["--context"], options_given["--endpoints"]) == ("lab", "10.0.0.9,10.0.0.8")


def test_without_talosctl_nothing_is_tried(tmp_path: Path) -> None:
    done = groundswell("talos", "discover", A, env={"PATH": str(tmp_path)})
    assert done.code == 1
    assert "T301" in done.err


def program(home: Path, script: str) -> dict[str, str]:
    """A `talosctl` of a test's own, and the PATH that it is on."""
    home.mkdir(exist_ok=True)
    (home / "talosctl").write_text(f"#!/bin/sh\n{script}\n")
    (home / "talosctl").chmod(0o755)
    return {"PATH": f"{home}{os.pathsep}{os.environ['PATH']}"}


def test_what_a_wrapper_started_does_not_keep_its_run_from_ending(tmp_path: Path) -> None:
    start = time.monotonic()
    done = groundswell("talos", "discover", A, "--timeout", "0.3", env=program(tmp_path, "sleep 30"))
    assert time.monotonic() - start < 20
    assert "no answer within 0.3 seconds" in done.err


def test_a_warning_on_stderr_is_no_answer(machines: Recorded, tmp_path: Path) -> None:
    machines.put(A, {**configured(A), "get/extensions.json": "", "read/proc/cpuinfo": ""})
    told = groundswell("talos", "discover", A, env=machines.env).out
    real = machines.home / "bin" / "talosctl"
    script = f'echo "WARNING: the server is of another version" >&2; exec "{real}" "$@"'
    warned = groundswell("talos", "discover", A, env={**machines.env, **program(tmp_path / "p", script)})
    assert (warned.code, warned.out) == (0, told)


@pytest.mark.parametrize("address", ["10.0.0.1,10.0.0.2", "../up", "--nodes=x", "a b", "", "$(reboot)"])
def test_each_address_is_one_machine(address: str) -> None:
    done = groundswell("talos", "discover", "--", address)
    assert done.code == 2
    assert "is not the address of a machine" in done.err


@settings(max_examples=150, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3), _nested, max_leaves=8))
def test_whatever_a_machine_tells_becomes_facts_or_a_finding(spec: Any) -> None:
    def ask(node: str, question: Question, *, insecure: bool = False) -> Answer:  # noqa: ARG001  as asked
        if question.verb == VERSION:
            return Answer(version_text(A, "v1.13.2"))
        return Answer(stream(A, "any", {"one": spec, "two": dict.fromkeys(FIELDS, spec)}))

    facts, _ = discover(ask, A, maintenance=False)
    assert facts
    to_tsv([facts])
    read_inventory(json.dumps(to_document([facts])).encode(), "f")
    running(ask, A)


def test_a_talosctl_that_hangs_is_ended(tmp_path: Path) -> None:
    program = tmp_path / "talosctl"
    program.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    program.chmod(0o755)
    done = groundswell("talos", "discover", A, "--timeout", "0.2", env={"PATH": str(tmp_path)})
    assert done.code == 1
    assert "no answer within 0.2 seconds" in done.err
