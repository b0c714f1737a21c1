"""The steps of docs/talos.md from the first image to the bundle, followed to the letter in one directory.

The machines, the Image Factory and the cluster are stand-ins; `groundswell` is the real one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from command import ROOT, groundswell
from docs.pages import blocks
from groundswell.cli.talos.layer import layer_or_stop
from groundswell.source.emitter import emit
from groundswell.talos.patch import patch
from talos_merge import applied, generated
from talosctl.image_factory import Factory
from talosctl.recordings import configuration, hardware, image, kernel, maintenance, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from talosctl.recordings import Recorded

PAGE = ROOT / "docs" / "talos.md"
EXAMPLE = ROOT / "bundles" / "four-hosts" / "cluster.yaml"
VERSION = "v1.13.2"
INSTALLED = {"control-1": "10.0.0.11", "nvme-1": "10.0.0.12"}
LIKE_NVME = {"gpu-1": "10.0.0.13", "sata-1": "10.0.0.14"}
ADDRESSES = [*INSTALLED.values(), *LIKE_NVME.values()]


@pytest.fixture
def factory() -> Iterator[Factory]:
    with Factory() as server:
        yield server


def steps() -> list[str]:
    """The commands of the chapter, block by block."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## From ISO to running stack\n")
    chapter, _, _ = rest.partition("\n## ")
    return [block.text for block in blocks(chapter) if "sh" in block.words]


def script(edited: Path) -> str:
    """All steps for one shell, with what the text between them says: the file is edited, all machines are installed."""
    parts = ["set -euo pipefail"]
    for text in steps():
        parts.append(text.replace("bundle/install.sh", "test -x bundle/install.sh #"))
        if "talos configure" in text:
            parts.append(f"cp {edited} cluster.yaml")
        if "apply-config" in text:
            lines = [line for line in text.replace("\\\n", " ").splitlines() if "nvme-1" in line]
            for name, address in LIKE_NVME.items():
                parts += [line.replace("nvme-1", name).replace("10.0.0.12", address) for line in lines]
    return "\n".join(parts) + "\ngroundswell talos render cluster.yaml -o node-layer\n"


def put_machines(machines: Recorded, cluster: Path) -> None:
    """In maintenance mode first, and as defined once they have their configurations."""
    layer = layer_or_stop(cluster, (), None, "text")
    for host, machine in zip(layer.cluster.hosts, layer.machines, strict=True):
        assert host.address is not None
        node = host.address.value
        machines.put(node, maintenance(node, VERSION))
        merged = applied(generated(VERSION, control_plane=host.control_plane), patch(machine, layer.cluster.target))
        pages = [item.value for item in host.prep.hugepages_2mi] or [0, 0]
        whole = host.prep.hugepages_1gi
        running = kernel(
            drivers=machine.rebinds,
            pages=(pages[0], pages[1]),
            whole=whole.value if whole else 0,
            modules=machine.software.modules,
            arguments=machine.software.kernel_args,
        )
        sysctls = {f"read/proc/sys/{key.replace('.', '/')}": value for key, value in machine.software.sysctls.items()}
        own = {**hardware(node, VERSION), **running, **sysctls, **image(node, VERSION, machine.schematic.id)}
        text = "---\n".join(emit(document) for document in merged)
        machines.put(f"{node}+applied", {**own, **configuration(node, text)})


def put_programs(home: Path) -> None:
    """The tools that reach the world do nothing; `groundswell` exits with 3 where the page says so."""
    real = f'"{sys.executable}" -m groundswell "$@"'
    told = '[ $? = 3 ] && case "$*" in *--insecure*) exit 0;; esac; exit 1'
    for name, text in {"curl": "exit 0", "kubectl": "exit 0", "groundswell": f"{real} && exit 0\n{told}"}.items():
        (home / name).write_text(f"#!/bin/sh\n{text}\n")
        (home / name).chmod(0o755)


def run(text: str, here: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the steps; whoever asks something gets the answer of somebody who takes the default."""
    words = ["bash", "-c", text]
    environment = {**os.environ, **env}
    return subprocess.run(
        words, input="\n" * 200, cwd=here, env=environment, capture_output=True, check=False, text=True
    )


def test_the_steps_run_as_they_stand_in_one_directory(
    tmp_path: Path, factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = recorded(tmp_path / "talosctl")
    put_programs(machines.home / "bin")
    edited = tmp_path / "edited.yaml"
    edited.write_text(EXAMPLE.read_text().replace("  talos:\n", f"  talos:\n    factoryURL: {factory.url}\n", 1))
    put_machines(machines, edited)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    here = tmp_path / "mine"
    here.mkdir()
    done = run(script(edited), here, machines.env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "as defined: control-1, nvme-1, gpu-1, sata-1\n" in done.stderr
    installed = [node for node, *_ in machines.calls("apply-config")]
    assert installed == ADDRESSES
    assert groundswell("verify", here / "bundle").code == 0
    assert {path.name for path in here.iterdir()} >= {"node-layer", "bundle", "control-1.yaml", "secrets.yaml"}
