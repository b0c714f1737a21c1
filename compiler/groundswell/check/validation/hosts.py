"""What pods have of their node: its system, its namespaces, its name, its settings.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.pod_requests import containers_at
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import FORMS, subdomain
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context, Path
    from groundswell.source.located import Json

_USERS = 33
"""The minor from which on `hostUsers` counts; before, it is left out by default."""
_NAMED = 35
"""The minor from which on `hostnameOverride` counts."""
_SETTINGS = 29
"""The minor from which on no pod sets what the network of the node has."""
_LONGEST_HOST = 64
_ANY = ("appArmorProfile", "seLinuxOptions", "seccompProfile", "runAsUser", "runAsGroup")
_POD = (
    *_ANY,
    *("fsGroup", "fsGroupChangePolicy", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"),
)
_CONTAINER = (
    *_ANY,
    *("capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount"),
)
"""What the security contexts of pods and containers have that Windows does not."""


def on_host(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """What a pod wants of its node, and cannot have, or not together."""
    yield from _system(value)
    if value.get("hostUsers") is False and context.minor >= _USERS:
        for field in ("hostNetwork", "hostPID", "hostIPC"):
            if value.get(field) is True:
                yield Fault((field,), "must not be true where `hostUsers` is false")
    if context.minor >= _NAMED:
        yield from _name(value)
    if context.minor >= _SETTINGS:
        yield from _settings(value)


def _system(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Fields for another system than the one that a pod says it is for."""
    system = mapping(value.get("os")).get("name")
    contexts: list[tuple[Path, tuple[str, ...], Mapping[str, Json]]] = [
        (("securityContext",), _POD, mapping(value.get("securityContext"))),
        *(
            ((*map(str, place), "securityContext"), _CONTAINER, mapping(container.get("securityContext")))
            for place, container in containers_at(value)
        ),
    ]
    for path, fields, found in contexts:
        others = {"linux": ("windowsOptions",), "windows": fields}.get(str(system), ())
        for field in others:
            if found.get(field) is not None:
                yield Fault((*path, field), f"must not be there in a pod for `{system}`")
    if system == "windows":
        there = [field for field in ("hostUsers", "shareProcessNamespace") if value.get(field) is not None]
        there += [field for field in ("hostPID", "hostIPC") if value.get(field) is True]
        yield from (Fault((field,), "must not be there in a pod for `windows`") for field in there)
        if contexts[0][2].get("sysctls"):
            yield Fault(("securityContext", "sysctls"), "must not be there in a pod for `windows`")


def _name(value: Mapping[str, Json]) -> Iterator[Fault]:
    """A name that the pod has in place of its own."""
    name = value.get("hostnameOverride")
    if name is None:
        return
    if isinstance(name, str) and (not subdomain(name) or len(name) > _LONGEST_HOST):
        wanted = FORMS["subdomain"].wanted.replace("253", str(_LONGEST_HOST))
        yield Fault(("hostnameOverride",), f"must be {wanted}, not {shown(name)}", codes.BAD_NAME)
    for field in ("hostNetwork", "setHostnameAsFQDN"):
        if value.get(field) is True:
            yield Fault(("hostnameOverride",), f"must not be there where `{field}` is true")


def _settings(value: Mapping[str, Json]) -> Iterator[Fault]:
    """Settings of the network, which is that of the node."""
    entries = sequence(mapping(value.get("securityContext")).get("sysctls")) if value.get("hostNetwork") is True else []
    for index, entry in enumerate(entries):
        name = mapping(entry).get("name")
        if isinstance(name, str) and name.startswith(("net.", "net/")):
            path = ("securityContext", "sysctls", str(index), "name")
            yield Fault(path, f"is a setting of the node where `hostNetwork` is true: {shown(name)}")
