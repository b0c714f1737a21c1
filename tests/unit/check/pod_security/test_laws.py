"""Laws of the evaluator over any pod, well formed or not."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundswell.check.pod_security.evaluate import violations
from groundswell.check.pod_security.levels import Level, Policy
from groundswell.check.pod_security.pod import Pod

_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "ALL", "Unconfined", "windows", "c"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "name", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def _fields(**known: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Mappings with any of the fields, each as it should be or of any other shape."""
    return st.fixed_dictionaries({}, optional={key: value | _ANYTHING for key, value in known.items()})


_PROFILE = _fields(type=st.sampled_from(["RuntimeDefault", "Localhost", "Unconfined"]))
_SECURITY = _fields(
    privileged=st.booleans(),
    allowPrivilegeEscalation=st.booleans(),
    runAsNonRoot=st.booleans(),
    runAsUser=st.integers(0, 1),
    procMount=st.sampled_from(["Default", "Unmasked"]),
    seccompProfile=_PROFILE,
    appArmorProfile=_PROFILE,
    seLinuxOptions=_fields(type=st.sampled_from(["container_t", "spc_t"]), user=st.just("u")),
    capabilities=_fields(
        add=st.lists(st.sampled_from(["KILL", "SYS_ADMIN"]) | _ANYTHING, max_size=2), drop=st.just(["ALL"])
    ),
    sysctls=st.lists(_fields(name=st.just("kernel.sem")), max_size=2),
    windowsOptions=_fields(hostProcess=st.booleans()),
)
_HANDLER = _fields(httpGet=_fields(host=st.just("h")), tcpSocket=_fields(host=st.just("h")))
_CONTAINERS = st.lists(
    _fields(
        name=st.just("c"),
        securityContext=_SECURITY,
        ports=st.lists(_fields(hostPort=st.integers(0, 1)), max_size=2),
        livenessProbe=_HANDLER,
        lifecycle=_fields(preStop=_HANDLER),
    ),
    max_size=2,
)
_SPEC = _fields(
    hostNetwork=st.booleans(),
    hostUsers=st.booleans(),
    os=_fields(name=st.just("windows")),
    securityContext=_SECURITY,
    containers=_CONTAINERS,
    initContainers=_CONTAINERS,
    volumes=st.lists(_fields(name=st.just("v"), hostPath=st.just({}), nfs=st.just({}), emptyDir=st.just({}))),
)
_PODS = _fields(metadata=_fields(annotations=_ANYTHING), spec=_SPEC).map(Pod.of)
_MINORS = st.integers(0, 45)


@given(_PODS, _MINORS)
def test_every_pod_is_judged_and_each_level_admits_no_more_than_the_one_below(pod: Pod, minor: int) -> None:
    privileged, baseline, restricted = (violations(pod, Policy(level, minor), 45) for level in Level)
    assert privileged == ()
    # A pod for Windows that sets what only Linux has is not valid, and `restricted` does not look there.
    if baseline and not pod.runs_on_windows:
        assert restricted


@given(_PODS, _MINORS, st.sampled_from(Level))
def test_latest_means_the_rules_of_the_server(pod: Pod, minor: int, level: Level) -> None:
    assert violations(pod, Policy(level), minor) == violations(pod, Policy(level, minor), 45)
    assert violations(pod, Policy(level, 45), minor) == violations(pod, Policy(level, minor), minor)


@given(_PODS, st.integers(19, 44))
def test_later_rules_of_the_baseline_differ_only_in_hosts_of_probes_where_they_forbid_more(
    pod: Pod, minor: int
) -> None:
    before = {(each.path, each.message) for each in violations(pod, Policy(Level.BASELINE, minor), 45)}
    after = violations(pod, Policy(Level.BASELINE, minor + 1), 45)
    new = [each for each in after if (each.path, each.message) not in before]
    assert all(each.control.id == "hostProbesAndHostLifecycle" and minor == 33 for each in new)
