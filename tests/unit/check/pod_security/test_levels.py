from __future__ import annotations

import pytest

from groundswell.check.pod_security.levels import ENFORCE, ENFORCE_VERSION, Level, Policy, enforced

TALOS = Policy(Level.BASELINE)


@pytest.mark.parametrize(
    ("labels", "policy"),
    [
        ({}, Policy(Level.BASELINE)),
        ({"app": "x", "pod-security.kubernetes.io/warn": "restricted"}, Policy(Level.BASELINE)),
        ({ENFORCE: "privileged", ENFORCE_VERSION: "latest"}, Policy(Level.PRIVILEGED)),
        ({ENFORCE: "restricted", ENFORCE_VERSION: "v1.30"}, Policy(Level.RESTRICTED, 30)),
        ({ENFORCE_VERSION: "v1.25"}, Policy(Level.BASELINE, 25)),
        ({ENFORCE: "Privileged"}, Policy(Level.RESTRICTED)),
        ({ENFORCE: "baseline", ENFORCE_VERSION: "1.30"}, Policy(Level.BASELINE)),
        ({ENFORCE: "baseline", ENFORCE_VERSION: "v1.030"}, Policy(Level.BASELINE)),
    ],
)
def test_labels_say_which_policy_a_namespace_enforces(labels: dict[str, str], policy: Policy) -> None:
    assert enforced(labels, TALOS) == policy


def test_labels_that_are_missing_leave_the_clusters_default() -> None:
    assert enforced({ENFORCE: "privileged"}, Policy(Level.RESTRICTED, 31)) == Policy(Level.PRIVILEGED, 31)
    assert enforced({}, Policy(Level.RESTRICTED, 31)) == Policy(Level.RESTRICTED, 31)


def test_policies_read_as_the_api_server_prints_them() -> None:
    assert str(Policy(Level.BASELINE)) == "baseline:latest"
    assert str(Policy(Level.RESTRICTED, 30)) == "restricted:v1.30"
