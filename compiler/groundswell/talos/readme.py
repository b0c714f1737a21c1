"""talos/README.md: which files belong to which machine, and the commands that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.talos.target import Base, Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.target import Target

_CLASSES = {
    "all": "control planes, and every machine without a row of its own",
    "workers": "workers without accelerators",
    "accelerated": "machines with accelerators",
}
_ID_DIGITS = 12


def schematic_path(schematic: Schematic) -> str:
    """A schematic's path under `talos/`: it is known by the start of its ID."""
    return f"schematics/{schematic.id[:_ID_DIGITS]}.yaml"


def class_readme(machines: Sequence[Machine], target: Target) -> str:
    """The README of a bundle without a Cluster file."""
    names = [machine.name for machine in machines]
    rows = [(_class(machine.name, names), machine) for machine in machines]
    generate = _generate("CLUSTER", "https://ENDPOINT:6443", target, machines[0] if machines else None, "ADDRESS")
    return _joined(
        _head(target), _table("Machines", rows, target), _post(machines, target), generate, _running(machines, target)
    )


def host_readme(cluster: Cluster, machines: Sequence[Machine]) -> str:
    """The README of a cluster whose hosts are known."""
    target = cluster.target
    rows = [(f"`{machine.name}`", machine) for machine in machines]
    addresses = {host.name.value: host.address.value for host in cluster.hosts if host.address}
    steps = [
        _generate(cluster.name, cluster.endpoint, target, machine, addresses.get(machine.name, "ADDRESS"))
        for machine in machines[:1]
    ]
    return _joined(
        _head(target), _table("Host", rows, target), _post(machines, target), *steps, _running(machines, target)
    )


def _class(name: str, present: Sequence[str]) -> str:
    if name == "all" and len(present) == 1:
        return "every machine"
    return _CLASSES[name]


def _head(target: Target) -> str:
    secure = ", Secure Boot" if target.secureboot else ""
    return f"""\
# Machines

For Talos {target.version} on {target.platform}{secure}. A schematic says what is in a machine's image: system extensions and kernel
arguments. A patch holds the rest of the machine's configuration. Commands run in this folder."""


def _table(head: str, rows: Iterable[tuple[str, Machine]], target: Target) -> str:
    lines = [f"| {head} | Patch | Schematic | Installer image |", "| --- | --- | --- | --- |"]
    for what, machine in rows:
        path, image = schematic_path(machine.schematic), target.installer(machine.schematic)
        lines.append(f"| {what} | `patches/{machine.name}.yaml` | `{path}` | `{image}` |")
    return "## Which file for which machine\n\n" + "\n".join(lines)


def _post(machines: Sequence[Machine], target: Target) -> str:
    """The factory must have seen a schematic before it can build from it."""
    schematics = {machine.schematic.id: machine.schematic for machine in machines}
    commands = "\n".join(
        f"curl -fsS -X POST --data-binary @{schematic_path(item)} {target.factory}/schematics\n# {item.id}"
        for item in schematics.values()
    )
    return f"""\
## 1. Make the schematics known

The factory builds only from schematics that were posted to it once. Each command must print the ID below it.

```
{commands}
```"""


def _generate(name: str, endpoint: str, target: Target, machine: Machine | None, address: str) -> str:
    if machine is None:
        return ""
    if target.base is Base.LEGACY:
        return ""
    role = "controlplane" if machine.control_plane else "worker"
    return f"""\
## 2. A new machine

Make the configuration anew from `gen config` and the machine's one patch, and apply it to the machine, started from an image of its
schematic. For another machine: its patch, its address, and `controlplane` or `worker`.

```
talosctl gen config {name} {endpoint} --with-secrets secrets.yaml --talos-version {target.version} \\
  --output-types {role} --output {machine.name}.yaml --config-patch @patches/{machine.name}.yaml
talosctl apply-config --insecure --nodes {address} --file {machine.name}.yaml
```"""


def _running(machines: Sequence[Machine], target: Target) -> str:
    lines = [
        "A change of a schematic takes an upgrade, one machine at a time: `talosctl upgrade --nodes ADDRESS --image IMAGE` with the "
        "image of the table. A new image in the patch alone changes nothing on a running machine.",
        *_notes(machines, target),
    ]
    return "## A running machine\n\n" + "\n".join(f"* {line}" for line in lines)


def _notes(machines: Sequence[Machine], target: Target) -> Iterator[str]:
    lists = [
        name
        for name, used in (
            ("modules", any(m.software.modules for m in machines)),
            ("exempt namespaces", any(m.exemptions for m in machines)),
        )
        if used
    ]
    if target.form is Form.FIELDS:
        growing = lists
    else:
        growing = [name for name in lists if name != "modules"]
    if growing:
        yield (
            f"Talos appends to lists: a patch that is applied to a running machine a second time doubles its {' and '.join(growing)}. "
            "Apply the whole configuration instead, made anew as above."
        )
    else:
        yield "The patches can be applied again (`talosctl patch machineconfig --patch @FILE`): a second time changes nothing."
    if any(machine.sysfs for machine in machines):
        yield "The kubelet counts hugepages when it starts: after a change of their number restart the machine."
    if any(machine.kubelet for machine in machines):
        yield (
            "A change of the CPU manager's policy takes effect only once `/var/lib/kubelet/cpu_manager_state` is deleted, by a privileged "
            "pod, and the kubelet restarted."
        )
    if any(machine.rebinds for machine in machines):
        yield "`talosctl read /sys/bus/pci/devices/ADDRESS/uevent` shows the driver of a device as the kernel has it."


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
