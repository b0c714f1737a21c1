"""Constraints against facts: the rules of versions, nodes that differ, names that lead nowhere."""

from __future__ import annotations

import pytest

from groundswell.resolve.resolution import Constraint
from groundswell.snapshot.evaluate import Check, evaluate
from groundswell.snapshot.snapshot import Item, Measurement, Snapshot, Subtype


def constraint(name: str, value: str, *, aicr: bool = False) -> Constraint:
    return Constraint(name, value, "mixin os-test", "catalog/mixins/os-test.yaml", 7, 14, aicr)


def check(name: str, value: str, *subtypes: Subtype, kind: str = "OS", aicr: bool = False) -> Check:
    checks, findings = evaluate([constraint(name, value, aicr=aicr)], Snapshot((Measurement(kind, subtypes),)))
    assert len(findings) == (checks[0].holds is not True)
    return checks[0]


@pytest.mark.parametrize(
    ("value", "found", "expected"),
    [
        # no operator: the very text
        ("ubuntu", "ubuntu", True),
        ("ubuntu", " ubuntu ", True),
        ("ubuntu", "Ubuntu", False),
        ("24.04", "24.04", True),
        ("24.04", "24.04.2", True),
        ("24.04", "24.10", False),
        # provider suffixes, release candidates and a leading v do not count
        (">= 1.29", "v1.31.4-eks-5d632ec", True),
        (">= 1.29", "v1.30.5-gke.1014001", True),
        (">= 1.29", "v1.29.0+k3s1", True),
        (">= 1.29", "v1.28.9-eks-036c24b", False),
        (">= 1.29", "1.29", True),
        (">= 1.29", "v1.29.0-rc.1", True),
        (">= 1.34.3-gke.1318000", "1.34.3-gke.1000000", False),
        (">= 1.34.3-gke.1318000", "1.34.4-gke.1", True),
        (">= 1.34.3-gke.1318000", "v1.34.3-eks-5d632ec", True),
        ("1.33.2-gke.5", "v1.33.2-gke.6", False),
        (">= 1.9", "1.10", True),
        (">= v24.6.0", "24.6.1", True),
        (">= 6.8", "6.14.0-1018-aws", True),
        (">= 6.8", "6.5.0-45-generic", False),
        # as many numbers as the constraint states
        ("> 1.30", "1.30.5", False),
        ("> 1.30", "1.31.0", True),
        ("<= 1.30", "1.30.5", True),
        ("< 1.35", "1.35.2", False),
        (">= 1.32.4", "1.32.3", False),
        (">= 1.32.4", "1.32", False),
        ("== 1.30", "1.30.5", True),
        ("== 1.30.0", "1.30.5", False),
        ("== 1.30", "v1.30.0", True),
        ("!= 1.30", "1.30.5", False),
        ("== 24", "24.04", True),
        ("== 24.04", "24", False),
        ("!= ubuntu", "talos", True),
        ("== ubuntu", "ubuntu", True),
        # conjunctions
        (">= 1.30, < 1.35", "1.34.9", True),
        (">= 1.30, < 1.35", "1.35.0", False),
        # what is no version cannot be compared
        (">= 1.29", "unknown", None),
        (">= 1.29", "1.2.3.4", None),
        (">= 1.28", "1.28rc1", None),
        (">= one", "1.30", None),
        (">= ", "1.30", None),
        ("1.34 ||", "1.34", None),
    ],
)
def test_rules_of_values(value: str, found: str, expected: bool | None) -> None:
    assert check("OS.a.k", value, Subtype("a", {"k": found})).holds is expected


@pytest.mark.parametrize(
    ("value", "found", "expected"),
    [
        # order by as many numbers as both have, equality by three
        (">= 1.32.4", "1.32", True),
        ("> 1.30", "1.30.5", False),
        ("== 1.30", "1.30.5", False),
        ("== 1.30", "v1.30.0", True),
        ("!= 1.30", "1.30.5", True),
        ("== 24", "24.04", False),
    ],
)
def test_rules_of_values_in_catalogs_of_the_aicr_layout(value: str, found: str, expected: bool | None) -> None:
    assert check("OS.a.k", value, Subtype("a", {"k": found}), aicr=True).holds is expected


def test_a_key_may_hold_dots_and_slashes() -> None:
    sysctl = Subtype("sysctl", {"/proc/sys/kernel/osrelease": "6.12.48-talos", "a.b.c": 3, "flag": True})
    assert check("OS.sysctl./proc/sys/kernel/osrelease", ">= 6.8", sysctl).holds is True
    assert check("OS.sysctl.a.b.c", "3", sysctl).holds is True
    assert check("OS.sysctl.flag", "true", sysctl).holds is True


NODES = Subtype(
    "release",
    {"ID": "ubuntu"},
    (Item({"node": "n1"}, {"VERSION_ID": "24.04"}), Item({"node": "n2"}, {"VERSION_ID": "22.04"})),
)


def test_a_constraint_on_nodes_must_hold_on_every_node() -> None:
    assert check("OS.release.ID", "ubuntu", NODES).holds is True
    both = check("OS.release.VERSION_ID", ">= 22.04", NODES)
    assert (both.holds, both.found) == (True, "24.04 (n1); 22.04 (n2)")
    one = check("OS.release.VERSION_ID", "24.04", NODES)
    assert (one.holds, one.found) == (False, "22.04 (n2)")


def test_a_node_of_which_nothing_is_known_cannot_be_judged() -> None:
    silent = Subtype("release", {}, (Item({"node": "n1"}, {"ID": "talos"}), Item({"node": "n2"}, {})))
    found = check("OS.release.ID", "talos", silent)
    assert (found.holds, found.found) == (None, "nothing known (n2)")
    assert check("OS.release.ID", "ubuntu", silent).holds is False


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("0", True),
        ("1", False),
        ("node=n1", True),
        ("VERSION_ID=22.04", False),
        ("2", None),
        ("node=x", None),
        ("-1", None),
    ],
)
def test_items_are_selected_by_number_or_by_a_reading(selector: str, expected: bool | None) -> None:
    assert check(f"OS.release[{selector}].VERSION_ID", "24.04", NODES).holds is expected


def test_a_selector_that_several_items_answer_is_refused() -> None:
    twice = Subtype("a", {}, (Item({"k": "x"}, {"v": "1"}), Item({"k": "x"}, {"v": "1"})))
    assert check("OS.a[k=x].v", "1", twice).found == "2 items are `[k=x]`"


def test_items_that_are_not_nodes_do_not_answer_a_plain_name() -> None:
    assert check("OS.a.v", "1", Subtype("a", {}, (Item({"k": "x"}, {"v": "1"}),))).holds is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("OS.release.MISSING", "the snapshot does not tell it"),
        ("OS.missing.ID", "the snapshot has no OS.missing"),
        ("os.release.ID", "the snapshot has no os.release"),
        ("K8s.server.version", "the snapshot has no K8s.server"),
        ("nccl-bandwidth", "the name is not of the form Type.Subtype.Key"),
        ("OS.release[0", "the name is not of the form Type.Subtype.Key"),
    ],
)
def test_names_that_lead_nowhere_are_unanswered(name: str, text: str) -> None:
    found = check(name, "x", NODES)
    assert (found.holds, found.found) == (None, text)


def test_findings_say_who_asks_and_what_is_there() -> None:
    snapshot = Snapshot((Measurement("OS", (NODES,)),))
    asked = [
        constraint("OS.release.ID", "talos"),
        constraint("OS.kmod.nvidia", "true"),
        constraint("OS.release.ID", "ubuntu"),
    ]
    checks, findings = evaluate(asked, snapshot)
    assert [item.holds for item in checks] == [False, None, True]
    assert [finding.code for finding in findings] == ["R401", "R402"]
    assert findings[0].message == (
        "the cluster does not have `OS.release.ID` `talos`, which mixin os-test asks for: it has ubuntu"
    )
    assert findings[0].span is not None
    assert (findings[0].span.line, findings[0].span.column) == (7, 14)
