"""Pods for every control of the Pod Security Standards, some that keep it and some that break it.

All are valid to the API server, which judges validity before security. Each starts from a pod that `restricted` admits,
except the few that say otherwise, so that what a case adds is what decides.
"""

from __future__ import annotations

import copy
from itertools import chain
from typing import TYPE_CHECKING

from e2e.access_cases import host, kernel, privileges, volumes
from e2e.identity_cases import confinement, identity, shapes, windows
from e2e.pods import container

if TYPE_CHECKING:
    from e2e.pods import Json


def cases() -> dict[str, dict[str, Json]]:
    """All pods by a name that says what is special."""
    made: dict[str, dict[str, Json]] = {}
    groups = (host(), privileges(), volumes(), kernel(), confinement(), identity(), windows(), shapes())
    for name, value in chain.from_iterable(groups):
        assert name not in made, name
        made[name] = copy.deepcopy(value)
    return made


def ephemeral_containers() -> dict[str, dict[str, Json]]:
    """Containers that are added to a running pod to debug it, by a name that says what is special."""
    return {
        "like the rest": container("debug"),
        "bare": {"name": "debug", "image": "example.com/x:1"},
        "privileged": container("debug", security={"privileged": True, "allowPrivilegeEscalation": None}),
        "traces": container("debug", security={"capabilities": {"drop": ["ALL"], "add": ["SYS_PTRACE"]}}),
        "root": container("debug", security={"runAsUser": 0, "runAsNonRoot": False}),
        "unconfined": container("debug", security={"seccompProfile": {"type": "Unconfined"}}),
    }
