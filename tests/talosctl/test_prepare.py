"""`groundswell talos prepare`, with a recorded talosctl on PATH."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from command import groundswell
from groundswell.model.cluster_document import read_cluster
from groundswell.source.emitter import emit
from groundswell.talos.machines import host_machines
from groundswell.talos.patch import patch, patch_text
from groundswell.talos_client.saved import Replay
from groundswell.talos_client.verify import verify
from talos_kit import text
from talos_merge import applied, generated
from talosctl.recordings import DATA, configuration, hardware, image, kernel, stream

if TYPE_CHECKING:
    from pathlib import Path

    from command import Outcome
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from talosctl.recordings import Recorded

CP, STORE = "10.0.0.1", "10.0.0.2"
VERSION = "v1.13.2"
HOSTS = f"""
- name: cp-1
  address: {CP}
  role: controlplane
  installDisk: /dev/sda
- name: store-1
  address: {STORE}
  installDisk: /dev/sda
  prep:
    hugepages: {{2Mi: [512, 256], 1Gi: 4}}
    vfio:
      - address: "{DATA}"
    kernelModules: [nvme_tcp]
    kernelArgs: [consoleblank=600]
"""
LOADED = ("vfio_pci", "vfio_iommu_type1", "nvme_tcp")
ARGUMENTS = ("iommu=pt", "hugepagesz=1G", "hugepages=4", "consoleblank=600")
GENTLE = ("--settle", "0", "--wait", "5")


def cluster_file(tmp_path: Path, version: str = VERSION) -> Path:
    path = tmp_path / "lab.yaml"
    path.write_text(text(HOSTS, version=version))
    return path


def definition(host: str, version: str = VERSION) -> tuple[Machine, Target]:
    cluster, _ = read_cluster(text(HOSTS, version=version).encode(), "lab.yaml")
    assert cluster is not None
    (machine,) = [item for item in host_machines(cluster, ())[0] if item.name == host]
    return machine, cluster.target


def base(version: str = VERSION) -> str:
    """What `gen config` wrote."""
    documents = generated(version, control_plane=False)
    return "---\n".join(emit(document) for document in documents)


def merged(host: str, version: str = VERSION) -> str:
    """A machine configuration that has everything of the host's patch."""
    documents = generated(version, control_plane=host.startswith("cp-"))
    return "---\n".join(emit(document) for document in applied(documents, patch(*definition(host, version))))


def patch_of(host: str, version: str = VERSION) -> str:
    return patch_text(patch(*definition(host, version)))


def schematic_id(host: str) -> str:
    return definition(host)[0].schematic.id


def put_control_plane(machines: Recorded, version: str = VERSION) -> None:
    """As defined."""
    files = {**hardware(CP, version), **kernel(), **image(CP, version, schematic_id("cp-1"))}
    machines.put(CP, {**files, **configuration(CP, merged("cp-1", version))})


def as_defined(version: str = VERSION) -> dict[str, str]:
    """What the storage host answers once it is as defined."""
    kept = kernel(drivers={DATA: "vfio-pci"}, pages=(512, 256), whole=4, modules=LOADED, arguments=ARGUMENTS)
    done = {**image(STORE, version, schematic_id("store-1")), **configuration(STORE, merged("store-1", version))}
    return {**hardware(STORE, version), **kept, **done}


def put_new_store(machines: Recorded) -> None:
    """A machine with the plain image and configuration, which becomes as defined by patch and upgrade."""
    machines.put(
        STORE, {**hardware(STORE), **kernel(), **image(STORE, VERSION, "3" * 64), **configuration(STORE, base())}
    )
    machines.put(f"{STORE}+patched", configuration(STORE, merged("store-1")))
    machines.put(f"{STORE}+upgraded", as_defined())


def prepare(machines: Recorded, tmp_path: Path, *options: str, version: str = VERSION) -> Outcome:
    return groundswell("talos", "prepare", cluster_file(tmp_path, version), *options, env=machines.env)


def test_a_dry_run_says_what_each_machine_takes_and_changes_nothing(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    done = prepare(machines, tmp_path)
    assert done.code == 0, done.err
    assert "cp-1     10.0.0.1  nothing" in done.out
    assert "store-1  10.0.0.2  upgrade and reboot  schematic 333333333333 -> " in done.out
    assert 'nr_hugepages: "512"' in done.out
    assert not machines.calls("upgrade", "reboot", "health")
    assert all("--dry-run" in options for _, _, options in machines.calls("patch"))


def test_json_has_the_whole_plan(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    plan = json.loads(prepare(machines, tmp_path, "--format", "json").out)
    assert [item["takes"] for item in plan] == ["nothing", "upgrade and reboot"]
    assert plan[1]["image"] == f"factory.talos.dev/metal-installer/{schematic_id('store-1')}:{VERSION}"
    assert plan[0]["patch"] is None


def test_a_patch_alone_is_live_and_with_hugepages_it_takes_a_reboot(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, as_defined())
    config = merged("store-1").replace("- name: nvme_tcp", "- name: nvme_rdma")
    machines.put(STORE, configuration(STORE, config))
    (_, item) = json.loads(prepare(machines, tmp_path, "--format", "json").out)
    assert (item["takes"], item["reboot"]) == ("patch live", False)
    assert item["patch"] == "machine:\n  kernel:\n    modules:\n      - name: nvme_tcp\n"
    machines.put(STORE, configuration(STORE, merged("store-1").replace('"512"', '"256"')))
    (_, item) = json.loads(prepare(machines, tmp_path, "--format", "json").out)
    assert (item["takes"], item["reboot"]) == ("patch and reboot", True)


def test_a_machine_whose_talos_wants_a_reboot_for_the_patch_gets_one(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    told = (
        "Dry run summary:\nApplied configuration with a reboot: this config change can't be applied in immediate mode\n"
    )
    machines.put(STORE, {**as_defined(), "dry-run.txt": told})
    machines.put(STORE, configuration(STORE, merged("store-1").replace("- name: nvme_tcp", "- name: nvme_rdma")))
    (_, item) = json.loads(prepare(machines, tmp_path, "--format", "json").out)
    assert item["takes"] == "patch and reboot"


@pytest.mark.parametrize("version", ["v1.11.3", "v1.13.2", "v1.14.0"])
def test_a_machine_that_has_the_patch_takes_nothing(machines: Recorded, tmp_path: Path, version: str) -> None:
    put_control_plane(machines, version)
    machines.put(STORE, as_defined(version))
    plan = json.loads(prepare(machines, tmp_path, "--format", "json", version=version).out)
    assert [item["takes"] for item in plan] == ["nothing", "nothing"]
    assert not machines.calls("patch")


@pytest.mark.parametrize(
    ("has", "code"),
    [
        ("v1.10.9", "T335"),
        ("v1.14.0", "T336"),
        ("v1.15.0", "T338"),
        ("v1.11.0", ""),
        ("v1.13.1", ""),
        ("v1.13.3", "T336"),
    ],
)
def test_a_version_that_is_not_reached_in_one_step_is_said(
    machines: Recorded, tmp_path: Path, has: str, code: str
) -> None:
    put_control_plane(machines)
    machines.put(STORE, {**as_defined(), **image(STORE, has, schematic_id("store-1"))})
    done = prepare(machines, tmp_path)
    assert done.code == (code in {"T335", "T338"})
    assert [found for found in ("T335", "T336", "T338") if found in done.err] == [code] * bool(code)


CPU_STATE = "read/var/lib/kubelet/cpu_manager_state"


def put_cpus(machines: Recorded, tmp_path: Path) -> Path:
    """A Cluster file that asks for the static CPU manager, and the storage host without it."""
    path = tmp_path / "lab.yaml"
    cpus = "  prep: {isolatedCPUs: 4-7, housekeepingCPUs: 0-3}\n"
    path.write_text(text(f"- name: store-1\n  address: {STORE}\n  installDisk: /dev/sda\n{cpus}"))
    machines.put(STORE, {**as_defined(), CPU_STATE: '{"policyName":"none","defaultCpuSet":"","checksum":1}'})
    return path


def test_another_policy_of_the_cpu_manager_names_the_file_that_keeps_the_old_one(
    machines: Recorded, tmp_path: Path
) -> None:
    path = put_cpus(machines, tmp_path)
    done = groundswell("talos", "prepare", path, env=machines.env)
    assert done.code == 0
    told = "warning[T334]: the CPU manager of `store-1` becomes `static`, and its state file is for `none`"
    assert told in done.err
    assert "drain the node of `store-1`, then `kubectl debug" in done.err
    assert "rm /host/var/lib/kubelet/cpu_manager_state`; at the end `kubectl uncordon NODE`" in done.err
    machines.put(STORE, {CPU_STATE: '{"policyName":"static"}'})
    assert "T334" not in groundswell("talos", "prepare", path, env=machines.env).err
    (machines.home / STORE / CPU_STATE).unlink()
    assert "T334" not in groundswell("talos", "prepare", path, env=machines.env).err
    machines.put(STORE, {f"{CPU_STATE}.problem": "rpc error: not authorized"})
    assert (
        "its state file is not told: rpc error: not author"
        in groundswell("talos", "prepare", path, env=machines.env).err
    )
    static = "machine: {kubelet: {extraConfig: {cpuManagerPolicy: static}}}\n"
    machines.put(STORE, configuration(STORE, static))
    assert "T334" not in groundswell("talos", "prepare", path, env=machines.env).err


def test_apply_stops_before_a_machine_whose_kubelet_would_not_start(machines: Recorded, tmp_path: Path) -> None:
    path = put_cpus(machines, tmp_path)
    done = groundswell("talos", "prepare", path, "--apply", *GENTLE, env=machines.env)
    assert done.code == 1
    assert "error[T334]: the CPU manager of `store-1` becomes `static`" in done.err
    assert "then run the same command again: it goes on with `store-1`" in done.err
    assert not [call for call in machines.calls("patch", "upgrade", "reboot") if "--dry-run" not in call[2]]
    (machines.home / STORE / CPU_STATE).unlink()
    groundswell("talos", "prepare", path, "--apply", *GENTLE, env=machines.env)
    assert [words[0] for _, words, options in machines.calls("patch", "upgrade") if "--dry-run" not in options] == [
        "patch",
        "upgrade",
    ]


def test_a_module_without_parameters_is_there_with_any(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, as_defined())
    config = merged("store-1").replace("- name: nvme_tcp", "- name: nvme_tcp\n        parameters: [x=1]")
    machines.put(STORE, configuration(STORE, config))
    plan = json.loads(prepare(machines, tmp_path, "--format", "json").out)
    assert [item["takes"] for item in plan] == ["nothing", "nothing"]


def test_apply_patches_and_upgrades_with_one_reboot_waits_and_compares(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 0, done.err
    changing = [
        (node, words[0])
        for node, words, options in machines.calls("patch", "upgrade", "reboot", "health")
        if "--dry-run" not in options
    ]
    assert changing == [(CP, "health"), (STORE, "patch"), (STORE, "upgrade"), (CP, "health")]
    (patched,) = [options for _, _, options in machines.calls("patch") if "--mode" in options]
    assert patched["--mode"] == "staged"
    assert patched["--patch"] == patch_of("store-1").replace("    disk: /dev/sda\n", "")  # the base has it
    health = machines.calls("health")[0][2]
    assert (health["--control-plane-nodes"], health["--worker-nodes"]) == (CP, STORE)
    upgrade = machines.calls("upgrade")[0][2]
    assert upgrade["--image"].endswith(f"{schematic_id('store-1')}:{VERSION}")
    assert "\nas defined: cp-1, store-1\n" in done.err
    again = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert again.code == 0
    assert "store-1  10.0.0.2  nothing" in again.out
    assert len(machines.calls("upgrade")) == 1


def test_apply_says_of_which_machines_it_knows_and_never_more_than_verify(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    rebind = '---\napiVersion: v1alpha1\nkind: PCIDriverRebindConfig\nname: "0000:99:00.0"\ntargetDriver: x\n'
    machines.put(STORE, {**as_defined(), **configuration(STORE, merged("store-1") + rebind)})
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 0
    assert "\nas defined: cp-1\n" in done.err
    assert "\nas defined, but for what the warnings above name: store-1\n" in done.err
    assert prepare(machines, tmp_path, "--verify").code == 3
    done = prepare(machines, tmp_path, "--apply", "--host", "cp-1", *GENTLE)
    assert [line for line in done.err.splitlines() if "as defined" in line] == ["as defined: cp-1"]


def test_apply_compares_machines_that_take_nothing(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, {**as_defined(), "list/sys/module.txt": "vfio_pci\nvfio_iommu_type1\n"})
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert "store-1  10.0.0.2  nothing" in done.out
    assert (done.code, "error[T346]" in done.err) == (1, True)
    assert "as defined: cp-1\n" in done.err


def test_a_boot_loader_that_takes_no_arguments_from_the_image_is_told_before(
    machines: Recorded, tmp_path: Path
) -> None:
    put_control_plane(machines)
    by_grub = merged("store-1").replace("    grubUseUKICmdline: true\n", "    extraKernelArgs: [a=b]\n")
    told = "warning[T340]: `store-1` boots by GRUB, and kernel arguments of the image do not reach its command line"
    security = "get/securitystate.json"
    for grub, answer, found in (
        (by_grub, {"secureBoot": False, "bootedWithUKI": False}, True),
        (by_grub, {"secureBoot": False, "bootedWithUKI": True}, False),
        (by_grub.replace("    extraKernelArgs: [a=b]\n", ""), {"bootedWithUKI": False}, True),
        (merged("store-1"), {"bootedWithUKI": False}, False),
    ):
        machines.put(STORE, {**as_defined(), **configuration(STORE, grub)})
        machines.put(STORE, {security: stream(STORE, "SecurityStates", {"securitystate": answer})})
        assert (told in prepare(machines, tmp_path).err) == found
    (machines.home / STORE / security).unlink()
    machines.put(STORE, configuration(STORE, by_grub))
    assert told in prepare(machines, tmp_path).err
    machines.put(STORE, configuration(STORE, by_grub.replace("    extraKernelArgs: [a=b]\n", "")))
    assert "T340" not in prepare(machines, tmp_path).err


def test_apply_stops_at_the_first_failure_and_says_how_to_go_on(machines: Recorded, tmp_path: Path) -> None:
    for node in (CP, STORE):
        machines.put(
            node, {**hardware(node), **kernel(), **image(node, VERSION, "3" * 64), **configuration(node, base())}
        )
    machines.put(CP, {"upgrade.problem": "error pulling upgrade image: 404 Not Found"})
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 1
    assert "T331" in done.err
    assert "404 Not Found" in done.err
    assert "run the same command again: it goes on with `cp-1`, `store-1`" in done.err
    assert [node for node, _, options in machines.calls("patch", "upgrade") if "--dry-run" not in options] == [CP, CP]


def test_a_machine_that_fell_back_on_its_old_image_is_said(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    machines.put(f"{STORE}+upgraded", image(STORE, VERSION, "3" * 64))
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 1
    assert "`store-1` came back with the image that it had" in done.err


def test_an_interrupted_run_says_what_goes_on_and_how_to_continue(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    home, started = tmp_path / "wrapper", tmp_path / "started"
    home.mkdir()
    real = machines.home / "bin" / "talosctl"
    hangs = f'case "$1" in upgrade) touch "{started}"; exec sleep 60;; esac'
    (home / "talosctl").write_text(f'#!/bin/sh\n{hangs}\nexec "{real}" "$@"\n')
    (home / "talosctl").chmod(0o755)
    words = ["talos", "prepare", str(cluster_file(tmp_path)), "--apply", *GENTLE]
    env = {**os.environ, **machines.env, "PATH": f"{home}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen(
        [sys.executable, "-m", "groundswell", *words], env=env, stderr=subprocess.PIPE, start_new_session=True
    ) as run:
        until = time.monotonic() + 60
        while not started.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        said = run.communicate(timeout=30)[1].decode()
    assert run.returncode == 1
    assert "error[T337]: interrupted at this step: store-1: upgrading to factory.talos.dev/" in said
    assert "wait until the machine is back and run the same command again; it goes on with `store-1`" in said
    assert "Traceback" not in said


def test_a_configuration_that_cannot_be_read_is_not_patched(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, {**as_defined(), **configuration(STORE, "machine: [")})
    for option in ((), ("--apply", *GENTLE), ("--verify",)):
        done = prepare(machines, tmp_path, *option)
        assert done.code in {1, 3}
        assert "its machine configuration cannot be read" in done.err
    assert not machines.calls("patch", "upgrade", "health")


def test_an_unhealthy_cluster_is_not_touched(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    machines.put(CP, {"health.problem": "healthcheck error: etcd is not healthy"})
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 1
    assert "etcd is not healthy" in done.err
    assert not [call for call in machines.calls("patch", "upgrade") if "--dry-run" not in call[2]]


def test_a_machine_that_is_not_as_defined_after_its_change_stops_the_run(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    machines.put(
        f"{STORE}+upgraded",
        kernel(drivers={DATA: "vfio-pci"}, pages=(512, 100), whole=4, modules=LOADED, arguments=ARGUMENTS),
    )
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 1
    assert "T344" in done.err
    assert "NUMA node 1 of `store-1` has 100 pages of 2 MiB, not 256" in done.err


def test_a_live_patch_is_applied_without_a_reboot(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, as_defined())
    machines.put(STORE, configuration(STORE, merged("store-1").replace("- name: nvme_tcp", "- name: nvme_rdma")))
    machines.put(f"{STORE}+patched", configuration(STORE, merged("store-1")))
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 0, done.err
    assert not machines.calls("upgrade", "reboot")
    assert machines.calls("patch")[-1][2]["--mode"] == "no-reboot"


def test_a_patch_that_talos_refuses_stops_before_anything(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    put_new_store(machines)
    machines.put(STORE, {"patch.problem": "kubelet config is already set in v1alpha1 config (.machine.kubelet)"})
    done = prepare(machines, tmp_path, "--apply", *GENTLE)
    assert done.code == 1
    assert "already set in v1alpha1 config" in done.err
    assert "baseConfig" in done.err
    assert not machines.calls("upgrade", "health")


def test_verify_of_machines_as_defined_exits_0(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, as_defined())
    done = prepare(machines, tmp_path, "--verify")
    assert (done.code, "error" in done.err) == (0, False)
    assert "store-1  as defined" in done.out


PAGES = "read/sys/devices/system/node/node0/hugepages/hugepages-{}kB/nr_hugepages"
DRIFTS = {
    "schematic": (image(STORE, VERSION, "3" * 64), "T341", "was not upgraded"),
    "version": (image(STORE, "v1.13.1", schematic_id("store-1")), "T342", "runs Talos v1.13.1"),
    "argument": ({"read/proc/cmdline": " ".join(ARGUMENTS[:3])}, "T343", "grubUseUKICmdline"),
    "pages": ({PAGES.format(2048): "511\n"}, "T344", "in pieces"),
    "whole-pages": ({PAGES.format(1048576): "3\n"}, "T344", "no more memory"),
    "driver": ({f"read/sys/bus/pci/devices/{DATA}/uevent": "DRIVER=nvme\n"}, "T345", "did not take it"),
    "unbound": ({f"read/sys/bus/pci/devices/{DATA}/uevent": "PCI_ID=1\n"}, "T345", "has no driver"),
    "module": ({"list/sys/module.txt": "vfio_pci\nvfio_iommu_type1\n"}, "T346", "talosctl dmesg"),
    "vfio-module": ({"list/sys/module.txt": "nvme_tcp\n"}, "T346", "`vfio_pci`"),
    "untold": ({"read/proc/cmdline.problem": "rpc error: not authorized"}, "T347", "not authorized"),
}


def compared(machines: Recorded) -> tuple[Diagnostic, ...]:
    """The storage host against its definition, answered from the recordings themselves."""
    cluster, _ = read_cluster(text(HOSTS).encode(), "lab.yaml")
    assert cluster is not None
    return verify(Replay(machines.home), cluster.hosts[1], *definition("store-1"))


@pytest.mark.parametrize("drift", DRIFTS)
def test_each_drift_has_its_place_and_cause(machines: Recorded, drift: str) -> None:
    files, code, cause = DRIFTS[drift]
    machines.put(STORE, as_defined())
    assert compared(machines) == ()
    for name in files:
        (machines.home / STORE / name.removesuffix(".problem")).unlink()
    machines.put(STORE, files)
    found = compared(machines)
    assert code in {item.code for item in found}
    assert all(item.span and item.span.file == "lab.yaml" for item in found)
    assert any(cause in f"{item.message} {item.help}" for item in found if item.code == code)


def test_drift_exits_3_and_shows_the_line_that_asks_for_it(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, {**as_defined(), f"read/sys/bus/pci/devices/{DATA}/uevent": "DRIVER=nvme\n"})
    done = prepare(machines, tmp_path, "--verify")
    assert done.code == 3
    assert "error[T345]" in done.err
    assert f'- address: "{DATA}"' in done.err
    assert "cp-1     as defined" in done.out
    assert "store-1  1 difference" in done.out


def test_what_the_configuration_lacks_is_the_cause(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, {**as_defined(), **kernel(arguments=ARGUMENTS, whole=4), **configuration(STORE, base())})
    done = prepare(machines, tmp_path, "--verify", "--diagnostics", "json")
    assert done.code == 3
    helps = {item["message"]: item["help"] for item in json.loads(done.err)}
    assert "does not rebind it" in helps[f"`{DATA}` of `store-1` is bound to `nvme`, not to `vfio-pci`"]
    assert "does not list it" in helps["`store-1` has not loaded `nvme_tcp`"]
    assert "does not ask for them" in helps["NUMA node 0 of `store-1` has 0 pages of 2 MiB, not 512"]


def test_a_built_in_module_counts_as_loaded_where_talos_tells_it(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    machines.put(STORE, as_defined())
    machines.put(
        STORE,
        {
            "list/sys/module.txt": "vfio_pci\nvfio_iommu_type1\n",
            "get/modules.json": stream(STORE, "KernelModuleStatuses", {"nvme_tcp": {"type": "built-in"}}),
        },
    )
    assert prepare(machines, tmp_path, "--verify").code == 0


def test_hosts_are_chosen_by_name_and_a_wrong_name_is_guessed(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    assert prepare(machines, tmp_path, "--verify", "--host", "cp-1").code == 0
    done = prepare(machines, tmp_path, "--host", "cp-l")
    assert done.code == 1
    assert "did you mean `cp-1`?" in done.err
    assert prepare(machines, tmp_path, "--verify", "--apply").code == 2


def test_a_machine_without_a_configuration_is_pointed_to_the_readme(machines: Recorded, tmp_path: Path) -> None:
    put_control_plane(machines)
    done = prepare(machines, tmp_path)
    assert done.code == 1
    assert "`store-1` (10.0.0.2) does not answer" in done.err
    assert "README.md" in done.err
