"""Pods with profiles, users and systems of all kinds, and pods of uncommon shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.pods import container, pod

if TYPE_CHECKING:
    from e2e.pods import Cases, Json

_SELINUX: tuple[dict[str, str], ...] = (
    {},
    {"type": ""},
    {"type": "container_t"},
    {"type": "container_init_t"},
    {"type": "container_kvm_t"},
    {"type": "container_engine_t"},
    {"type": "spc_t"},
    {"level": "s0:c123,c456"},
    {"user": "system_u"},
    {"role": "system_r"},
    {"type": "spc_t", "user": "u", "role": "r"},
)
_PROFILES: tuple[dict[str, str], ...] = (
    {"type": "RuntimeDefault"},
    {"type": "Localhost", "localhostProfile": "p.json"},
    {"type": "Unconfined"},
)


def confinement() -> Cases:
    for profile in _PROFILES:
        kind = profile["type"]
        for field in ("seccompProfile", "appArmorProfile"):
            yield f"pod {field} {kind}", pod(security={field: profile})
            yield f"container {field} {kind}", pod(container(security={field: profile}))
        yield (
            f"only container seccomp {kind}",
            pod(container(security={"seccompProfile": profile}), security={"seccompProfile": None}),
        )
    yield "no seccomp", pod(security={"seccompProfile": None})
    yield (
        "seccomp in one of two",
        pod(container(security={"seccompProfile": _PROFILES[0]}), container("d"), security={"seccompProfile": None}),
    )
    yield (
        "seccomp unconfined in pod, default in container",
        pod(container(security={"seccompProfile": _PROFILES[0]}), security={"seccompProfile": _PROFILES[2]}),
    )
    for value in ("runtime/default", "localhost/p", "unconfined"):
        key = "container.apparmor.security.beta.kubernetes.io/c"
        yield f"apparmor annotation {value}", pod(annotations={key: value})
    for key in ("seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/c"):
        for value in ("runtime/default", "docker/default", "localhost/p", "unconfined"):
            yield f"annotation {key} {value}", pod(annotations={key: value}, security={"seccompProfile": None})
    for index, options in enumerate(_SELINUX):
        yield f"pod selinux {index} {options}", pod(security={"seLinuxOptions": options})
        yield f"container selinux {index} {options}", pod(container(security={"seLinuxOptions": options}))


def identity() -> Cases:
    for users in (None, True, False):
        spec = {} if users is None else {"hostUsers": users}
        yield f"hostUsers {users}", pod(**spec)
        yield f"non-root unset, hostUsers {users}", pod(security={"runAsNonRoot": None}, **spec)
        yield f"root allowed, hostUsers {users}", pod(security={"runAsNonRoot": False}, **spec)
        yield f"user 0, hostUsers {users}", pod(security={"runAsUser": 0, "runAsNonRoot": False}, **spec)
        yield (
            f"container user 0, hostUsers {users}",
            pod(container(security={"runAsUser": 0, "runAsNonRoot": False}), **spec),
        )
    yield "user 1000", pod(container(security={"runAsUser": 2000}), security={"runAsUser": 1000})
    yield "user 0 and non-root", pod(container(security={"runAsUser": 0}))
    yield "only container non-root", pod(container(security={"runAsNonRoot": True}), security={"runAsNonRoot": None})
    yield (
        "non-root in one of two",
        pod(container(security={"runAsNonRoot": True}), container("d"), security={"runAsNonRoot": None}),
    )
    yield "pod non-root, container not", pod(container(security={"runAsNonRoot": False}))
    yield (
        "container non-root, pod not",
        pod(container(security={"runAsNonRoot": True}), security={"runAsNonRoot": False}),
    )


def windows() -> Cases:
    plain = {"name": "c", "image": "example.com/x:1"}
    windows: dict[str, Json] = {"os": {"name": "windows"}}
    for non_root in (True, None):
        yield (
            f"windows, non-root {non_root}",
            pod(plain, **windows, security={"seccompProfile": None, "runAsNonRoot": non_root}),
        )
    for place in ("pod", "container"):
        options = {"windowsOptions": {"hostProcess": True}}
        inner = {**plain, "securityContext": options} if place == "container" else plain
        outer = {"seccompProfile": None, "runAsNonRoot": None, **(options if place == "pod" else {})}
        yield f"host process in {place}", pod(inner, **windows, hostNetwork=True, security=outer)
    yield (
        "host process false",
        pod(plain, **windows, security={"seccompProfile": None, "windowsOptions": {"hostProcess": False}}),
    )
    yield "linux by name", pod(plain, os={"name": "linux"}, security={"seccompProfile": None})


def shapes() -> Cases:
    bare = {"name": "c", "image": "example.com/x:1"}
    privileged = {"privileged": True, "allowPrivilegeEscalation": None}
    yield "restricted", pod()
    yield "bare", {"spec": {"containers": [bare]}}
    yield (
        "null fields",
        {"metadata": {"annotations": None}, "spec": {"containers": [{**bare, "securityContext": None}]}},
    )
    yield "two containers, one bare", pod(container(), {**bare, "name": "d"})
    yield "privileged init container", pod(initContainers=[container("i", security=privileged)])
    yield (
        "host port in init container",
        pod(initContainers=[container("i", ports=[{"containerPort": 80, "hostPort": 80}])]),
    )
    yield (
        "sidecar with host in probe",
        pod(
            initContainers=[
                container("i", restartPolicy="Always", livenessProbe={"tcpSocket": {"port": 80, "host": "10.0.0.1"}})
            ]
        ),
    )
    yield "root in init container", pod(initContainers=[container("i", security={"runAsUser": 0})])
    yield (
        "everything",
        pod(
            container(
                security={**privileged, "capabilities": {"add": ["SYS_ADMIN"]}, "runAsUser": 0, "runAsNonRoot": False},
                ports=[{"containerPort": 80, "hostPort": 80}],
            ),
            hostNetwork=True,
            hostPID=True,
            volumes=[{"name": "v", "hostPath": {"path": "/"}}],
            security={"runAsNonRoot": None, "seccompProfile": _PROFILES[2], "sysctls": []},
        ),
    )
