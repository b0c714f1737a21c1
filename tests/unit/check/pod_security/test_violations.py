from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from groundswell.check.pod_security.evaluate import CONTROLS, Violation, violations
from groundswell.check.pod_security.levels import Level, Policy
from groundswell.check.pod_security.pod import Pod

if TYPE_CHECKING:
    from groundswell.check.pod_security.pod import Path

BASELINE = Policy(Level.BASELINE)
RESTRICTED = Policy(Level.RESTRICTED)
NEWEST = 37

HARDENED: dict[str, Any] = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}


def judged(spec: dict[str, Any], policy: Policy, server: int = NEWEST) -> tuple[Violation, ...]:
    return violations(Pod.of({"spec": spec}), policy, server)


def found(spec: dict[str, Any], policy: Policy, server: int = NEWEST) -> list[tuple[str, Path]]:
    return [(violation.control.id, violation.path) for violation in judged(spec, policy, server)]


def ids(spec: dict[str, Any], policy: Policy, server: int = NEWEST) -> set[str]:
    return {name for name, _ in found(spec, policy, server)}


def test_a_driver_pod_breaks_the_baseline_at_each_field_it_sets() -> None:
    spec = {
        "hostPID": True,
        "initContainers": [{"name": "init", "ports": [{"containerPort": 1}, {"hostPort": 9400}]}],
        "containers": [
            {"name": "a"},
            {"name": "driver", "securityContext": {"privileged": True, "capabilities": {"add": ["KILL", "SYS_ADMIN"]}}},
        ],
        "volumes": [{"name": "tmp", "emptyDir": {}}, {"name": "dev", "hostPath": {"path": "/dev"}}],
    }
    assert found(spec, BASELINE) == [
        ("hostNamespaces", ("spec", "hostPID")),
        ("hostPathVolumes", ("spec", "volumes", 1, "hostPath")),
        ("hostPorts", ("spec", "initContainers", 0, "ports", 1, "hostPort")),
        ("privileged", ("spec", "containers", 1, "securityContext", "privileged")),
        ("capabilities_baseline", ("spec", "containers", 1, "securityContext", "capabilities", "add", 1)),
    ]
    assert judged(spec, Policy(Level.PRIVILEGED)) == ()


def test_messages_name_the_container_and_what_it_sets() -> None:
    spec = {
        "containers": [{"name": "driver", "securityContext": {"privileged": True}}, {"ports": [{"hostPort": 80}]}],
        "volumes": [{"name": "dev", "hostPath": {"path": "/dev"}}],
    }
    assert [violation.message for violation in judged(spec, BASELINE)] == [
        "the pod mounts the host's `/dev` as volume `dev`",
        "container `1` takes port 80 of the host",
        "container `driver` sets `privileged: true`",
    ]


def test_a_bare_container_lacks_what_restricted_asks_for_at_the_places_where_it_belongs() -> None:
    base = ("spec", "containers", 0, "securityContext")
    assert found({"containers": [{"name": "c"}]}, RESTRICTED) == [
        ("capabilities_restricted", (*base, "capabilities", "drop")),
        ("allowPrivilegeEscalation", (*base, "allowPrivilegeEscalation")),
        ("seccompProfile_restricted", (*base, "seccompProfile", "type")),
        ("runAsNonRoot", (*base, "runAsNonRoot")),
    ]
    assert judged({"containers": [{"name": "c"}]}, BASELINE) == ()
    assert judged({"containers": [{"name": "c", "securityContext": HARDENED}]}, RESTRICTED) == ()


def test_a_stricter_control_takes_the_place_of_the_one_it_overrides() -> None:
    spec = {
        "containers": [{"name": "c", "securityContext": {**HARDENED, "capabilities": {"add": ["SYS_TIME"]}}}],
        "volumes": [{"name": "v", "hostPath": {"path": "/"}}],
    }
    assert ids(spec, BASELINE) == {"capabilities_baseline", "hostPathVolumes"}
    assert ids(spec, RESTRICTED) == {"capabilities_restricted", "restrictedVolumes"}


@pytest.mark.parametrize("minor", [34, 35])
def test_an_unmasked_proc_is_told_once(minor: int) -> None:
    spec = {"containers": [{"name": "c", "securityContext": {**HARDENED, "procMount": "Unmasked"}}]}
    assert ids(spec, BASELINE, minor) == {"procMount"}
    assert ids(spec, RESTRICTED, minor) == {"procMount" if minor == 34 else "procMount_restricted"}


def test_a_container_wins_over_the_pod_where_the_pod_gives_the_default() -> None:
    container = {"name": "c", "securityContext": {**HARDENED, "runAsNonRoot": None, "seccompProfile": None}}
    good = {"runAsNonRoot": True, "seccompProfile": {"type": "Localhost", "localhostProfile": "p"}}
    assert judged({"securityContext": good, "containers": [container]}, RESTRICTED) == ()
    bad = {"runAsNonRoot": False, "seccompProfile": {"type": "Unconfined"}}
    assert found({"securityContext": bad, "containers": [container]}, RESTRICTED) == [
        ("seccompProfile_restricted", ("spec", "securityContext", "seccompProfile", "type")),
        ("runAsNonRoot", ("spec", "securityContext", "runAsNonRoot")),
    ]


@pytest.mark.parametrize(
    ("sysctl", "since"),
    [
        ("net.ipv4.ip_local_reserved_ports", 27),
        ("net.ipv4.tcp_keepalive_time", 29),
        ("net.ipv4.tcp_rmem", 32),
        ("net.ipv4.tcp_notsent_lowat", 37),
    ],
)
def test_a_sysctl_is_safe_from_its_version_on(sysctl: str, since: int) -> None:
    spec = {"securityContext": {"sysctls": [{"name": "kernel.shm_rmid_forced"}, {"name": sysctl}]}}
    for minor in range(25, 40):
        expected = [] if minor >= since else [("sysctls", ("spec", "securityContext", "sysctls", 1, "name"))]
        assert found(spec, Policy(Level.BASELINE, minor), server=40) == expected
        assert found(spec, BASELINE, server=minor) == expected


def test_a_namespace_pinned_beyond_the_server_is_judged_by_the_servers_rules() -> None:
    spec = {"containers": [{"name": "c", "livenessProbe": {"httpGet": {"host": "10.0.0.1", "port": 80}}}]}
    assert ids(spec, Policy(Level.BASELINE, 36), server=33) == set()
    assert ids(spec, Policy(Level.BASELINE, 36), server=34) == {"hostProbesAndHostLifecycle"}
    assert ids(spec, Policy(Level.BASELINE, 33), server=36) == set()


def test_a_user_namespace_lets_root_in_from_1_35_on_but_never_shows_all_of_proc_to_restricted_pods() -> None:
    security = {**HARDENED, "runAsNonRoot": False, "runAsUser": 0, "procMount": "Unmasked"}
    spec = {"hostUsers": False, "containers": [{"name": "c", "securityContext": security}]}
    assert ids(spec, RESTRICTED, server=34) == {"runAsNonRoot", "runAsUser", "procMount"}
    assert ids(spec, RESTRICTED, server=35) == {"procMount_restricted"}
    assert ids(spec, BASELINE, server=34) == {"procMount"}
    assert ids(spec, BASELINE, server=35) == set()


def test_windows_pods_need_not_set_what_windows_does_not_have() -> None:
    spec = {"os": {"name": "windows"}, "containers": [{"name": "c", "securityContext": {"runAsNonRoot": True}}]}
    linux = {"capabilities_restricted", "allowPrivilegeEscalation", "seccompProfile_restricted"}
    assert ids(spec, RESTRICTED) == set()
    assert ids(spec, Policy(Level.RESTRICTED, 24)) == linux
    assert ids({**spec, "os": {"name": "linux"}}, RESTRICTED) == linux


def test_annotations_count_where_the_version_knows_them() -> None:
    app_armor = "container.apparmor.security.beta.kubernetes.io/c"
    seccomp = "container.seccomp.security.alpha.kubernetes.io/c"
    pod = Pod.of(
        {
            "metadata": {"annotations": {app_armor: "unconfined", seccomp: "unconfined"}},
            "spec": {"containers": [{"name": "c"}]},
        }
    )
    assert [each.path for each in violations(pod, BASELINE, NEWEST)] == [("metadata", "annotations", app_armor)]
    assert [each.path[-1] for each in violations(pod, Policy(Level.BASELINE, 18), NEWEST)] == [app_armor, seccomp]


def test_a_volume_without_a_source_is_an_empty_directory() -> None:
    container = {"name": "c", "securityContext": HARDENED}
    volumes = [{"name": "a"}, {"name": "b", "hostPath": None}, {"name": "c", "emptyDir": None}]
    assert judged({"containers": [container], "volumes": volumes}, RESTRICTED) == ()


def test_containers_added_to_debug_a_pod_are_judged_too() -> None:
    spec = {"ephemeralContainers": [{"name": "debug", "securityContext": {"privileged": True}}]}
    assert found(spec, BASELINE) == [
        ("privileged", ("spec", "ephemeralContainers", 0, "securityContext", "privileged"))
    ]


def test_controls_have_one_identifier_each_rising_revisions_and_override_baseline_ones() -> None:
    by_id = {control.id: control for control in CONTROLS}
    assert len(by_id) == len(CONTROLS) == 19
    for control in CONTROLS:
        since = [revision.since for revision in control.revisions]
        assert since == sorted(set(since))
        if control.overrides:
            assert control.level is Level.RESTRICTED
            assert by_id[control.overrides].level is Level.BASELINE
