"""`groundswell talos configure`: from an inventory to a Cluster file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from command import groundswell
from groundswell.diagnostics.diagnostic import failed
from groundswell.model.cluster_document import read_cluster
from groundswell.talos.render import render
from talosctl.recordings import DATA, INSTALL, NIC, hardware, image, kernel, maintenance

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.talos.cluster import Cluster
    from talosctl.recordings import Recorded

A, B, C = "10.0.0.1", "10.0.0.2", "10.0.0.3"

EXISTING = """\
# The lab in the cellar. Ask before you touch anything.
apiVersion: groundswell.dev/v1alpha1
kind: Cluster
metadata: {name: lab}   # short for laboratory
spec:
  talos:
    version: v1.13.2
    endpoint: https://10.0.0.10:6443
  hosts:
    # the old one
    - name: worker-1
      address: 10.0.0.1
      role: controlplane   # for now
      installDisk: /dev/sda   # the small one
    # more to come

  # groups follow
  criteria: {}
"""


def inventory(machines: Recorded, path: Path, nodes: dict[str, dict[str, str]], *options: str) -> Path:
    for node, files in nodes.items():
        machines.put(node, files)
    groundswell("talos", "discover", *nodes, *options, "-o", path, env=machines.env)
    return path


def configured(node: str, **more: Any) -> dict[str, str]:
    return {**hardware(node, **more), **image(node, "v1.13.2", "5" * 64), **kernel()}


def read(text: str) -> Cluster:
    cluster, findings = read_cluster(text.encode(), "lab.yaml")
    assert cluster is not None
    assert not findings
    files, found = render(cluster, None)
    assert files, found
    assert not failed(found)
    return cluster


def typed(answers: str, *arguments: str | Path) -> tuple[int, str, str]:
    """A run of the command with somebody typing."""
    words = [sys.executable, "-m", "groundswell", *map(str, arguments)]
    done = subprocess.run(words, input=answers.encode(), capture_output=True, check=False, env=os.environ)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_defaults_make_a_cluster_file_that_renders(machines: Recorded, tmp_path: Path) -> None:
    nodes = {
        A: configured(A, hostname="alpha.example"),
        B: configured(B),
        C: configured(C, gpu=True),
    }
    facts = inventory(machines, tmp_path / "facts.yaml", nodes)
    done = groundswell("talos", "configure", facts, "--yes")
    assert (done.code, done.err) == (0, "")
    cluster = read(done.out)
    assert [host.name.value for host in cluster.hosts] == ["alpha", "worker-1", "gpu-1"]
    assert [host.control_plane for host in cluster.hosts] == [True, False, False]
    assert [host.accelerated for host in cluster.hosts] == [False, False, True]
    assert str(cluster.target.version) == "v1.13.2"
    assert cluster.endpoint == f"https://{A}:6443"
    (alpha, *_) = cluster.hosts
    placed = (alpha.install_disk, alpha.install_disk_controller, alpha.management_nic, alpha.cpu_vendor)
    assert [item.value for item in placed if item] == ["/dev/disk/by-id/nvme-eui.nvme0n1", INSTALL, NIC, "amd"]
    numbers = (alpha.cpus, alpha.memory_gib, alpha.numa_nodes)
    assert [item.value for item in numbers if item] == [32, 128, 2]
    assert all(not host.prep.devices and not host.prep.isolated for host in cluster.hosts)


def test_three_plain_machines_are_three_control_planes(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "f.json", {node: configured(node) for node in (A, B, C)}, "--format", "json")
    cluster = read(groundswell("talos", "configure", facts, "--yes").out)
    assert [host.name.value for host in cluster.hosts] == ["cp-1", "cp-2", "cp-3"]


def test_machines_in_maintenance_mode_leave_out_what_they_do_not_tell(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: maintenance(A)}, "--insecure")
    done = groundswell("talos", "configure", facts, "--yes")
    assert "numaNodes" not in done.out
    assert read(done.out).hosts[0].cpus is not None


def test_an_interview_prepares_a_host(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A)})
    answers = "lab\n\n\nworker\n\nstore-1\n\nyes\n\n512,256\n4\n\n\n"
    code, out, err = typed(answers, "talos", "configure", facts)
    assert code == 0, err
    host = read(out.replace("role: worker", "role: controlplane")).hosts[0]
    assert host.name.value == "store-1"
    assert f'- address: "{DATA}"\n            kind: nvme\n            iommuGroup: 15\n' in out
    assert [device.address.value for device in host.prep.devices] == [DATA]
    assert [count.value for count in host.prep.hugepages_2mi] == [512, 256]
    assert host.prep.hugepages_1gi is not None
    assert host.prep.hugepages_1gi.value == 4
    # Two cores of each NUMA node, with their siblings, are left to the system.
    assert host.prep.isolated is not None
    assert host.prep.isolated.value == frozenset([*range(2, 8), *range(10, 16), *range(18, 24), *range(26, 32)])
    assert host.prep.housekeeping is not None
    assert host.prep.housekeeping.value == frozenset([0, 1, 8, 9, 16, 17, 24, 25])


def test_answers_that_cannot_be_used_are_asked_for_again(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A)})
    devices = f"{INSTALL}\n0000:99:00.0\n{DATA}\n"
    answers = f"Lab 1\nlab\nhttp://x\n\nv1.2\n\n\n\n\n\nyes\n{devices}1,2,3\n0\n0\n99\nnone\n"
    code, out, err = typed(answers, "talos", "configure", facts)
    assert code == 0, err
    for said in (
        "must be lower-case letters", "must be a URL", "not a full Talos version", "install disk's controller",
        "no device 0000:99:00.0", "has 2 NUMA nodes", "no free CPUs 99",
    ):  # fmt: skip
        assert said in err
    assert read(out).hosts[0].prep.devices


def test_append_keeps_every_line_and_adds_what_is_new(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A), B: configured(B)})
    file = tmp_path / "lab.yaml"
    file.write_text(EXISTING)
    done = groundswell("talos", "configure", facts, "--yes", "--append", file)
    assert done.code == 0, done.err
    assert "hint[T312]" in done.err
    text = file.read_text()
    added = [line for line in text.splitlines() if line not in EXISTING.splitlines()]
    assert [line for line in text.splitlines() if line not in added] == EXISTING.splitlines()
    assert text.index("name: worker-2") < text.index("# more to come")
    hosts = read(text).hosts
    assert [host.name.value for host in hosts] == ["worker-1", "worker-2"]
    again = groundswell("talos", "configure", facts, "--yes", "--append", file)
    assert again.code == 0
    assert file.read_text() == text


def test_findings_about_an_appended_file_show_its_lines_as_they_are_now(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A), B: configured(B)})
    file = tmp_path / "lab.yaml"
    text = EXISTING.replace("  criteria: {}\n", "  groups:\n    unused: {role: worker}\n")
    file.write_text(text)
    done = groundswell("talos", "configure", facts, "--yes", "--append", file)
    assert done.code == 0, done.err
    number = file.read_text().splitlines().index("    unused: {role: worker}") + 1
    assert number > 19
    assert f"lab.yaml:{number}:5" in done.err
    assert "lab.yaml:19:" not in done.err
    copy = groundswell("talos", "configure", facts, "--yes", "--append", file, "-o", tmp_path / "new.yaml")
    assert "new.yaml:" in copy.err


def test_one_machine_twice_in_an_inventory_is_refused_and_nothing_is_written(
    machines: Recorded, tmp_path: Path
) -> None:
    facts = inventory(machines, tmp_path / "facts.json", {A: configured(A)}, "--format", "json")
    document = json.loads(facts.read_text())
    document["machines"] *= 2
    facts.write_text(json.dumps(document))
    done = groundswell("talos", "configure", facts, "--yes", "-o", tmp_path / "lab.yaml")
    assert done.code == 1
    assert f"two hosts have the address `{A}`" in done.err
    assert not (tmp_path / "lab.yaml").exists()


def test_a_name_that_no_host_can_have_is_not_taken_from_the_machine(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A, hostname="Node_1;reboot")})
    done = groundswell("talos", "configure", facts, "--yes")
    assert read(done.out).hosts[0].name.value == "cp-1"


def test_a_device_in_a_group_that_the_machine_needs_is_neither_suggested_nor_taken(
    machines: Recorded, tmp_path: Path
) -> None:
    files = configured(A)
    shared = files["list/sys/kernel/iommu_groups.txt"].replace(f"14/devices/{INSTALL}", f"15/devices/{INSTALL}")
    facts = inventory(machines, tmp_path / "facts.yaml", {A: {**files, "list/sys/kernel/iommu_groups.txt": shared}})
    answers = f"lab\n\n\n\n\n\n\nyes\n{DATA}\n\n0\n0\nnone\n"
    code, out, err = typed(answers, "talos", "configure", facts)
    assert code == 0, err
    assert "PCI devices for vfio-pci [none]" in err
    assert f"{DATA} is in IOMMU group 15 with {INSTALL}, which is the install disk's controller" in err
    assert not read(out).hosts[0].prep.devices


def test_append_with_an_output_leaves_the_file_alone(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {B: configured(B)})
    file, new = tmp_path / "lab.yaml", tmp_path / "new.yaml"
    file.write_text(EXISTING)
    assert groundswell("talos", "configure", facts, "--yes", "--append", file, "-o", new).code == 0
    assert file.read_text() == EXISTING
    assert "worker-2" in new.read_text()


def test_a_list_in_flow_style_is_refused_and_stays(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {B: configured(B)})
    file = tmp_path / "lab.yaml"
    head = EXISTING.partition("  hosts:\n")[0]
    file.write_text(head + "  hosts: [{name: a, address: 10.0.0.1, role: controlplane}]\n")
    before = file.read_text()
    done = groundswell("talos", "configure", facts, "--yes", "--append", file)
    assert done.code == 1
    assert "T311" in done.err
    assert file.read_text() == before


def test_an_existing_output_is_not_overwritten(machines: Recorded, tmp_path: Path) -> None:
    facts = inventory(machines, tmp_path / "facts.yaml", {A: configured(A)})
    (tmp_path / "lab.yaml").write_text("mine")
    done = groundswell("talos", "configure", facts, "--yes", "-o", tmp_path / "lab.yaml")
    assert done.code == 1
    assert (tmp_path / "lab.yaml").read_text() == "mine"


def test_a_machine_without_a_fit_disk_is_said(machines: Recorded, tmp_path: Path) -> None:
    files = configured(A)
    files["get/disks.json"] = ""
    facts = inventory(machines, tmp_path / "facts.yaml", {A: files})
    done = groundswell("talos", "configure", facts, "--yes")
    assert "T313" in done.err
    assert "installDisk" not in done.out


@pytest.mark.parametrize(
    ("text", "code"),
    [("kind: Cluster\n", "M103"), ("machines: 1", "M103"), ("a: [", "S101")],
)
def test_what_is_no_inventory_is_refused(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "facts.yaml").write_text(text)
    done = groundswell("talos", "configure", tmp_path / "facts.yaml", "--yes")
    assert done.code == 1
    assert f"error[{code[0]}" in done.err
