"""Controls over the profiles that confine a container's processes: AppArmor, SELinux, seccomp."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision, except_windows
from groundswell.check.pod_security.levels import Level
from groundswell.check.pod_security.pod import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Pod

_CONFINED = ("RuntimeDefault", "Localhost")
_APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
_SELINUX_TYPES = ("container_t", "container_init_t", "container_kvm_t")


def _profile_types(pod: Pod, field: str) -> Iterator[Finding]:
    for part in pod.parts():
        if isinstance(part.security(field), dict) and part.security(field, "type") not in _CONFINED:
            yield part.security_finding((field, "type"), f"sets `{field}.type: {part.security(field, 'type')}`")


def _annotation(key: str, value: str) -> Finding:
    return Finding(("metadata", "annotations", key), f"the pod's annotation `{key}` sets the profile `{value}`")


def _app_armor(pod: Pod) -> Iterator[Finding]:
    yield from _profile_types(pod, "appArmorProfile")
    for key, value in pod.annotations.items():
        if key.startswith(_APP_ARMOR) and value not in ("", "runtime/default") and not value.startswith("localhost/"):
            yield _annotation(key, value)


def _selinux(pod: Pod, types: tuple[str, ...]) -> Iterator[Finding]:
    for part in pod.parts():
        kind = part.security("seLinuxOptions", "type")
        if kind and kind not in types:
            yield part.security_finding(("seLinuxOptions", "type"), f"sets `seLinuxOptions.type: {kind}`")
        for field in ("user", "role"):
            if value := part.security("seLinuxOptions", field):
                yield part.security_finding(("seLinuxOptions", field), f"sets `seLinuxOptions.{field}: {value}`")


def _seccomp_annotations(pod: Pod) -> Iterator[Finding]:
    keys = [_SECCOMP_POD, *(f"{_SECCOMP_CONTAINER}{container.get('name')}" for container in pod.containers())]
    for key in keys:
        value = pod.annotations.get(key, "runtime/default")
        if value not in ("runtime/default", "docker/default") and not value.startswith("localhost/"):
            yield _annotation(key, value)


def _seccomp_baseline(pod: Pod) -> Iterator[Finding]:
    yield from _profile_types(pod, "seccompProfile")


def _seccomp_restricted(pod: Pod) -> Iterator[Finding]:
    yield from _profile_types(pod, "seccompProfile")
    if not isinstance(pod.spec.security("seccompProfile"), dict):
        for container in pod.containers():
            if not isinstance(container.security("seccompProfile"), dict):
                message = "does not set `seccompProfile.type: RuntimeDefault`, nor does the pod"
                yield container.security_finding(("seccompProfile", "type"), message)


CONTROLS = (
    Control(
        "appArmorProfile",
        Level.BASELINE,
        "an AppArmor profile is the runtime's default or one of the host's",
        (Revision(0, _app_armor),),
    ),
    Control(
        "seLinuxOptions",
        Level.BASELINE,
        "SELinux types are those of ordinary containers, user and role are unset",
        (
            Revision(0, partial(_selinux, types=_SELINUX_TYPES)),
            Revision(31, partial(_selinux, types=(*_SELINUX_TYPES, "container_engine_t"))),
        ),
    ),
    Control(
        "seccompProfile_baseline",
        Level.BASELINE,
        "a seccomp profile is the runtime's default or one of the host's",
        (Revision(0, _seccomp_annotations), Revision(19, _seccomp_baseline)),
    ),
    Control(
        "seccompProfile_restricted",
        Level.RESTRICTED,
        "the pod or every container sets a seccomp profile, the runtime's default or one of the host's",
        (Revision(19, _seccomp_restricted), Revision(25, except_windows(_seccomp_restricted))),
        overrides="seccompProfile_baseline",
    ),
)
