"""talos/README.md: which files belong to which machine, and the commands that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.enumeration import listed
from groundswell.talos.patch import patch
from groundswell.talos.target import Base, Form
from groundswell.talos.wants import CONTROL_PLANES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.talos.cluster import Cluster
    from groundswell.talos.machine import Machine
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.target import Target

_CLASSES = {
    CONTROL_PLANES: "control planes",
    "all": "control planes, and every machine without a row of its own",
    "workers": "workers without accelerators",
    "accelerated": "machines with accelerators",
}
_ID_DIGITS = 12
_PREPARE = """\
`groundswell talos prepare FILE`, with the Cluster file that this is made from, says what each machine takes to be as
defined: an upgrade, a part of its patch, and what has left the file. `--apply` does it, one machine at a time, and
`--verify` compares. Without it:"""


def schematic_path(schematic: Schematic) -> str:
    """A schematic's path under `talos/`: it is known by the start of its ID."""
    return f"schematics/{schematic.id[:_ID_DIGITS]}.yaml"


def class_readme(machines: Sequence[Machine], target: Target) -> str:
    """The README of a bundle without a Cluster file."""
    names = [machine.name for machine in machines]
    rows = [(_class(machine.name, names), machine) for machine in machines]
    # The last class is the one of most machines that have work.
    generate = _use("CLUSTER", "https://ENDPOINT:6443", target, machines[-1], "ADDRESS") if machines else ""
    return _joined(
        _head(target),
        _table("Machines", rows, target),
        _post(machines, target),
        generate,
        _first_start(machines),
        _running(machines, target),
    )


def host_readme(cluster: Cluster, machines: Sequence[Machine]) -> str:
    """The README of a cluster whose hosts are known."""
    target = cluster.target
    rows = [(f"`{machine.name}`", machine) for machine in machines]
    addresses = {host.name.value: host.address.value for host in cluster.hosts if host.address}
    steps = [
        _use(cluster.name, cluster.endpoint, target, machine, addresses.get(machine.name, "ADDRESS"))
        for machine in machines[:1]
    ]
    return _joined(
        _head(target),
        _table("Host", rows, target),
        _post(machines, target),
        *steps,
        _first_start(machines),
        _running(machines, target, of_cluster=True),
    )


def _class(name: str, present: Sequence[str]) -> str:
    if name == "all" and len(present) == 1:
        return "every machine"
    if name == "all" and CONTROL_PLANES in present:
        return "every machine without a row of its own"
    return _CLASSES[name]


def _head(target: Target) -> str:
    secure = ", Secure Boot" if target.secureboot else ""
    return f"""\
# Machines

For Talos {target.version} on {target.platform}{secure}. A schematic says what is in a machine's image: extensions
and kernel arguments. A patch holds the rest of the machine's configuration.

Commands run in a directory of your own: what they write holds secrets and does not belong here. `layer` is this folder.

```
layer=PATH/TO/THIS/FOLDER
```"""


def _table(head: str, rows: Iterable[tuple[str, Machine]], target: Target) -> str:
    lines = [f"| {head} | Patch | Schematic | Installer image |", "| --- | --- | --- | --- |"]
    for what, machine in rows:
        path, image = schematic_path(machine.schematic), target.installer(machine.schematic)
        own = f"`patches/{machine.name}.yaml`" if patch(machine, target) else "none"
        lines.append(f"| {what} | {own} | `{path}` | `{image}` |")
    return "## Which file for which machine\n\n" + "\n".join(lines)


def _post(machines: Sequence[Machine], target: Target) -> str:
    """The factory must have seen a schematic before it can build from it."""
    schematics = {machine.schematic.id: machine.schematic for machine in machines}
    commands = "\n".join(
        f'curl -fsS -X POST --data-binary "@$layer/{schematic_path(item)}" {target.factory}/schematics\n# {item.id}'
        for item in schematics.values()
    )
    return f"""\
## 1. Make the schematics known

The factory builds only from schematics that were posted to it once. Each command must print the ID below it.

```
{commands}
```"""


def _use(name: str, endpoint: str, target: Target, machine: Machine, address: str) -> str:
    """How a patch gets onto a machine, with one machine as the example."""
    if target.base is Base.LEGACY:
        return f"""\
## 2. Apply the patches

The patches are for configurations that an earlier Talos wrote. For each machine its patch:

```
talosctl patch machineconfig --nodes {address} --patch "@$layer/patches/{machine.name}.yaml"
```"""
    role = "controlplane" if machine.control_plane else "worker"
    options = [f"--output-types {role} --output {machine.name}.yaml"]
    if target.form is Form.DOCUMENTS and not machine.install_disk:
        # A patch without the disk would delete the one of the generated configuration.
        options.append(f"--install-disk DISK --install-image {target.installer(machine.schematic)}")
    if patch(machine, target):
        options.append(f'--config-patch "@$layer/patches/{machine.name}.yaml"')
    lines = "".join(f" \\\n  {option}" for option in options)
    return f"""\
## 2. A new machine

Make the configuration from `gen config` and the machine's one patch, and apply it to the machine, started from an image
of its schematic. For another machine: its patch, image and address, and `controlplane` or `worker`.

```
talosctl gen config {name} {endpoint} --with-secrets secrets.yaml --talos-version {target.version}{lines}
talosctl apply-config --insecure --nodes {address} --file {machine.name}.yaml
```"""


def _first_start(machines: Sequence[Machine]) -> str:
    """What must follow the bootstrap where Talos installs no CNI or no kube-proxy."""
    without = _without_network(machines)
    if not without:
        return ""
    return f"""\
## 3. The first start

Talos installs {without} here. After `talosctl bootstrap` no node becomes ready before the component that takes
the place runs, and a machine that has waited for about ten minutes is restarted. So install it at once: the bundle's
README has the command, under "First of all: the network"."""


def _without_network(machines: Sequence[Machine]) -> str:
    software = [machine.software for machine in machines]
    parts = {"no CNI": all(item.cni for item in software), "no kube-proxy": all(item.kube_proxy for item in software)}
    return listed(text for text, installed in parts.items() if not installed)


def _running(machines: Sequence[Machine], target: Target, *, of_cluster: bool = False) -> str:
    lines = "\n".join(f"* {line}" for line in _notes(machines, target))
    return "\n\n".join(part for part in ("## A running machine", _PREPARE if of_cluster else "", lines) if part)


def _notes(machines: Sequence[Machine], target: Target) -> Iterator[str]:
    yield (
        "A change of a schematic takes an upgrade, machine by machine:\n"
        "  `talosctl upgrade --nodes ADDRESS --image IMAGE` with the image of the table.\n"
        "  A new image in the patch alone changes nothing on a running machine."
    )
    growing = _growing(machines, target)
    if growing:
        generated = "Make the whole configuration anew instead, as above, and apply that."
        remedy = "Take them out of the patch first." if target.base is Base.LEGACY else generated
        yield (
            "Talos appends to lists: a patch applied to a running machine a second time doubles its "
            f"{listed(growing)}.\n  {remedy}"
        )
    else:
        yield "The patches can be applied again (`talosctl patch machineconfig --patch @FILE`) and then change nothing."
    if any(machine.sysfs for machine in machines):
        yield "The kubelet counts hugepages when it starts: after a change of their number restart the machine."
    if any(machine.kubelet for machine in machines):
        yield (
            "A kubelet does not start with another CPU manager policy than the one in its state file, and without it\n"
            "  no pod starts that could delete the file. So before a patch changes the policy, from the default too\n"
            "  (`none`), drain the node and delete the file:\n"
            "  `kubectl debug node/NODE -n kube-system --image=busybox -- rm /host/var/lib/kubelet/cpu_manager_state`"
        )
    if _without_network(machines):
        yield "What Talos has installed it does not delete: a CNI and kube-proxy that run already stay."
    if any(machine.rebinds for machine in machines):
        yield "`talosctl read /sys/bus/pci/devices/ADDRESS/uevent` shows the driver of a device as the kernel has it."


def _growing(machines: Sequence[Machine], target: Target) -> list[str]:
    """What Talos would double when a patch is applied twice: lists without a key to merge by."""
    split = target.form is Form.DOCUMENTS
    modules = any(machine.software.modules for machine in machines)
    parameters = any(values for machine in machines for values in machine.software.modules.values())
    lists = (
        ("kernel modules", modules and not split),
        ("parameters of kernel modules", parameters and split),
        ("exempt namespaces", any(machine.exemptions for machine in machines)),
    )
    return [name for name, grows in lists if grows]


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
