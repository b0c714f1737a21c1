"""Running machines against their definition: each difference is a finding at its place in the file, with its cause.

Whether a device is bound is asked of the kernel: Talos's status resource repeats what was requested. So is the number
of pages: the kernel may grant fewer than were written.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.kernel_settings import setting_path
from groundswell.talos.page_arguments import KIB_1GI, KIB_2MI
from groundswell.talos.record import Area
from groundswell.talos_client import answers
from groundswell.talos_client.beyond import described
from groundswell.talos_client.difference import difference
from groundswell.talos_client.held import maps_of
from groundswell.talos_client.kernel_facts import pages
from groundswell.talos_client.question import get, listing, read
from groundswell.talos_client.running import running
from groundswell.talos_client.warnings import beyond_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target
    from groundswell.talos_client.question import Ask, Question
    from groundswell.talos_client.running import Running

_DRIVER = re.compile(r"(?m)^DRIVER=(\S+)$")
_NODES = listing("/sys/devices/system/node")
_NODE = re.compile(r"node([0-9]+)")
_APPLY = "run `groundswell talos prepare FILE --apply`"
# Parts of a configuration, by their sections and kinds, that the checks of the kernel say nothing about.
_TOLD_BY_NOTHING_ELSE = frozenset(
    [
        *("machine.kubelet", "machine.nodeLabels", "machine.network", "cluster.apiServer"),
        *("cluster.network", "cluster.proxy", "HostnameConfig", "KubeletConfig", "KubeNodeConfig.labels"),
        *("KubeAdmissionControlConfig", "KubeFlannelCNIConfig", "KubeProxyConfig"),
    ]
)


def verify(ask: Ask, host: Host, machine: Machine, target: Target) -> tuple[Diagnostic, ...]:
    """Compare one machine with its definition. The host must have an address.

    Returns:
        A finding for each difference and for each thing that could not be compared; none when all is as defined.
    """
    assert host.address is not None
    state = running(ask, host.address.value)
    if state.problem:
        text = f"`{host.name.value}` cannot be compared: {state.problem}"
        return (codes.UNVERIFIED(text, host.address.span),)
    return tuple(_Comparison(ask, host, machine, target, state).findings())


def _file_of(sysctl: str) -> str:
    return f"/proc/sys/{setting_path(sysctl)}"


class _UntoldError(Exception):
    """The machine does not tell something; the finding says what."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class _Comparison:
    """One machine, its definition, what it runs, and what its configuration lacks of the patch."""

    def __init__(self, ask: Ask, host: Host, machine: Machine, target: Target, state: Running) -> None:
        assert host.address is not None
        self._ask = ask
        self._host = host
        self._node = host.address
        self._name = f"`{host.name.value}`"
        self._machine = machine
        self._target = target
        self._state = state
        self._differs = difference(machine, target, state.configuration)
        self._other_image = state.schematic != machine.schematic.id

    def findings(self) -> Iterator[Diagnostic]:
        """Every difference; what is not told does not keep the rest from being compared."""
        checks = (self._image, self._arguments, self._whole_pages, self._pages, self._modules, self._sysctls)
        for check in (*checks, self._devices, self._configuration):
            try:
                yield from check()
            except _UntoldError as error:
                yield error.finding
        yield from beyond_findings(self._host, self._differs.beyond)

    def _text(self, question: Question, what: str) -> str:
        answer = self._ask(self._node.value, question)
        if answer.problem:
            text = f"{self._name} does not tell {what}: {answer.problem}"
            raise _UntoldError(codes.UNVERIFIED(text, self._node.span))
        return answer.text

    def _image(self) -> Iterator[Diagnostic]:
        at = self._host.name.span
        if self._other_image:
            has = f"schematic `{self._state.schematic}`" if self._state.schematic else "an image without a schematic"
            text = f"{self._name} runs {has}, not `{self._machine.schematic.id}`"
            yield codes.DRIFT_SCHEMATIC(text, at, help=f"it was not upgraded to its image: {_APPLY}")
        if self._state.version != str(self._target.version):
            text = f"{self._name} runs Talos {self._state.version}, not {self._target.version}"
            yield codes.DRIFT_VERSION(text, at, help=f"{_APPLY}, or correct `talos.version`")

    @cached_property
    def _line(self) -> list[str]:
        """The words of the kernel's command line."""
        return self._text(read("/proc/cmdline"), "its kernel's command line").split()

    def _arguments(self) -> Iterator[Diagnostic]:
        line = self._line
        cause = "the boot loader has a command line of its own: an old installation by GRUB, see `grubUseUKICmdline`"
        if self._other_image:
            cause = f"another schematic is running: {_APPLY}"
        for argument in self._machine.software.kernel_args:
            if argument.startswith("-"):
                removed = argument[1:]
                wrong = any(word == removed or word.startswith(f"{removed}=") for word in line)
                text = f"the kernel of {self._name} was started with what `{argument}` removes"
            else:
                wrong = argument not in line
                text = f"the kernel of {self._name} was started without `{argument}`"
            if wrong:
                yield codes.DRIFT_ARGUMENTS(text, self._place_of(argument), help=cause)

    def _place_of(self, argument: str) -> Span:
        """Where the host itself asks for an argument, else the host."""
        stated = (item.span for item in self._host.prep.kernel_args if item.value == argument)
        return next(stated, self._host.name.span)

    def _whole_pages(self) -> Iterator[Diagnostic]:
        """The 1 GiB pages of all NUMA nodes together: the kernel spreads them."""
        wanted = self._host.prep.hugepages_1gi
        if wanted is None:
            return
        names = answers.names(self._text(_NODES, "its NUMA nodes"))
        nodes = [int(found[1]) for name in names if (found := _NODE.fullmatch(name))]
        has = sum(self._count(node, KIB_1GI) for node in nodes)
        if has != wanted.value:
            asked = f"hugepages={wanted.value}" in self._line
            cause = "the kernel found no more memory for them at boot" if asked else "the kernel was not asked at boot"
            text = f"{self._name} has {has} pages of 1 GiB, not {wanted.value}"
            yield codes.DRIFT_PAGES(text, wanted.span, help=cause)

    def _pages(self) -> Iterator[Diagnostic]:
        cause = "memory is in pieces: restart the machine, or ask for fewer pages"
        if self._differs.pages:
            cause = f"its configuration does not ask for them: {_APPLY}"
        for node, wanted in enumerate(self._host.prep.hugepages_2mi):
            has = self._count(node, KIB_2MI)
            if has != wanted.value:
                text = f"NUMA node {node} of {self._name} has {has} pages of 2 MiB, not {wanted.value}"
                yield codes.DRIFT_PAGES(text, wanted.span, help=cause)

    def _count(self, node: int, kib: int) -> int:
        size = "2 MiB" if kib == KIB_2MI else "1 GiB"
        return answers.number(self._text(pages(node, kib), f"the {size} pages of NUMA node {node}")) or 0

    @cached_property
    def _loaded(self) -> frozenset[str]:
        """The modules in the kernel: those with a folder in /sys/module, and from Talos 1.14 on all built-in ones."""
        folders = answers.names(self._text(listing("/sys/module"), "its kernel modules"))
        told = self._ask(self._node.value, get("modules"))
        return frozenset((*folders, *(item.id for item in answers.resources(told.text) or ())))

    def _modules(self) -> Iterator[Diagnostic]:
        wanted = self._machine.software.modules
        loaded = self._loaded if wanted else frozenset()
        for name in wanted:
            if name in loaded:
                continue
            cause = f"the kernel has no such module or refused it: see `talosctl dmesg --nodes {self._node.value}`"
            if any(f"'{name}'" in str(document) for document in self._differs.lacking):
                cause = f"its configuration does not list it: {_APPLY}"
            elif self._other_image:
                cause = f"another schematic is running, which may lack its extension: {_APPLY}"
            yield codes.DRIFT_MODULES(f"{self._name} has not loaded `{name}`", self._host.name.span, help=cause)

    def _sysctls(self) -> Iterator[Diagnostic]:
        own = {_file_of(key): placed.span for key, placed in self._host.prep.sysctls.items()}
        for key, value in self._machine.software.sysctls.items():
            path = _file_of(key)
            at = own.get(path, self._host.name.span)
            answer = self._ask(self._node.value, read(path))
            if answer.absent:
                text = f"the kernel of {self._name} has no sysctl `{key}`"
                yield codes.DRIFT_SYSCTL(text, at, help=f"correct the name, or load the module that has {path}")
            elif answer.problem:
                yield codes.UNVERIFIED(f"{self._name} does not tell `{key}`: {answer.problem}", at)
            elif answer.text.split() != value.split():
                has = " ".join(answer.text.split())
                text = f"the sysctl `{key}` of {self._name} is `{has}`, not `{value}`"
                yield codes.DRIFT_SYSCTL(text, at, help=self._other_value(key))

    def _other_value(self, key: str) -> str:
        """Why a sysctl has not the value that is stated."""
        lacking = maps_of(self._differs.lacking, Area.SYSCTLS)
        if setting_path(key) in {setting_path(other) for found in lacking for other in found}:
            return f"its configuration does not set it: {_APPLY}"
        return f"the kernel refused it or something else wrote it: see `talosctl dmesg --nodes {self._node.value}`"

    def _configuration(self) -> Iterator[Diagnostic]:
        """What only the configuration tells: what is lacking there, and what an earlier definition left."""
        at = self._host.name.span
        if lacking := [part for part in self._differs.lacks if part.split()[0] in _TOLD_BY_NOTHING_ELSE]:
            text = f"the configuration of {self._name} lacks {', '.join(f'`{part}`' for part in lacking)}"
            yield codes.DRIFT_CONFIGURATION(text, at, help=_APPLY)
        for item in self._differs.beyond.left:
            text = f"{self._name} still has {described(item)}, which is no longer defined"
            yield codes.DRIFT_LEFT(text, at, help=f"{_APPLY}, which takes it out")
        for item in self._differs.beyond.changed:
            text = f"the configuration of {self._name} has other parameters for {described(item)}"
            yield codes.DRIFT_CONFIGURATION(text, at, help=_APPLY)

    def _devices(self) -> Iterator[Diagnostic]:
        loaded = self._loaded if self._host.prep.devices else frozenset()
        for device in self._host.prep.devices:
            address, at = device.address.value, device.address.span
            answer = self._ask(self._node.value, read(f"/sys/bus/pci/devices/{address}/uevent"))
            if answer.absent:
                text = f"{self._name} has no device `{address}`"
                yield codes.DRIFT_DRIVER(text, at, help="correct the address, as `lspci -D` or `talos discover` has it")
                continue
            if answer.problem:
                raise _UntoldError(codes.UNVERIFIED(f"{self._name} does not tell `{address}`: {answer.problem}", at))
            found = _DRIVER.search(answer.text)
            has = found[1] if found else ""
            if has != device.driver:
                bound = f"is bound to `{has}`" if has else "has no driver"
                text = f"`{address}` of {self._name} {bound}, not to `{device.driver}`"
                yield codes.DRIFT_DRIVER(text, at, help=self._unbound(address, device.driver, loaded))

    def _unbound(self, address: str, driver: str, loaded: frozenset[str]) -> str:
        """Why a device is not bound to its driver."""
        if any(document.get("name") == address for document in self._differs.lacking):
            return f"its configuration does not rebind it: {_APPLY}"
        module = driver.replace("-", "_")
        if module not in loaded:
            return f"the module `{module}` is not loaded"
        return (
            "the kernel did not take it: a wrong address before it, or a device in use, holds it up: "
            f"see `talosctl dmesg --nodes {self._node.value}`"
        )
