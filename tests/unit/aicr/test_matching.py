"""Which overlays apply, in which order, and which queries are refused."""

from __future__ import annotations

import pytest

from aicr_kit import component, outcome, refused, resolution, sound, texts
from catalog_kit import resolve_in


def criteria(spec: str, base: str = "") -> str:
    return (f"base: {base}\n" if base else "") + f"criteria: {spec}"


def applied(overlays: dict[str, str], options: str) -> tuple[str, ...]:
    return resolution(texts(overlays), options).applied


def test_a_value_matches_only_a_query_that_states_it() -> None:
    overlays = {
        "eks": criteria("{service: eks}"),
        "eks-h100": criteria("{service: eks, accelerator: h100}"),
        "gke": criteria("{service: gke}"),
        "wide": criteria("{service: any, accelerator: ''}"),
    }
    assert applied(overlays, "--service eks") == ("base", "wide", "eks")
    assert applied(overlays, "--service eks --accelerator h100") == ("base", "wide", "eks", "eks-h100")


def test_an_overlay_without_criteria_is_a_base_and_no_match() -> None:
    overlays = {"shared": "constraints: []", "eks": criteria("{service: eks}", "shared"), "alone": ""}
    assert applied(overlays, "--service eks") == ("base", "shared", "eks")


def test_chains_ignore_the_criteria_of_ancestors() -> None:
    overlays = {
        "oke-ol": criteria("{service: oke, os: ol}"),
        "oke-ubuntu": criteria("{service: oke, os: ubuntu}", "oke-ol"),
    }
    assert applied(overlays, "--service oke --os ubuntu") == ("base", "oke-ol", "oke-ubuntu")


def test_only_matching_descendants_take_a_match_out_of_the_candidates() -> None:
    """`eks` stays a candidate of its own, although `eks-ubuntu`, which does not match, descends from it."""
    overlays = {
        "eks": criteria("{service: eks}"),
        "eks-ubuntu": criteria("{service: eks, os: ubuntu}", "eks"),
        "aaa": criteria("{service: eks}"),
    }
    assert applied(overlays, "--service eks") == ("base", "aaa", "eks")


def setting(value: str) -> str:
    return f"\ncomponentRefs: [{{name: app, overrides: {{by: {value}}}}}]"


def test_precedence_is_by_candidate_so_a_general_base_of_a_late_one_wins() -> None:
    overlays = {
        "eks": criteria("{service: eks}") + setting("eks"),
        "eks-h100-training": criteria("{service: eks, accelerator: h100, intent: training}", "eks"),
        "any-h100-training": criteria("{accelerator: h100, intent: training}") + setting("any"),
    }
    options = "--service eks --accelerator h100 --intent training"
    assert applied(overlays, options) == ("base", "any-h100-training", "eks", "eks-h100-training")
    assert component(texts(overlays), options).values == {"by": "eks"}


def test_a_base_shared_by_candidates_is_applied_once_with_the_first() -> None:
    overlays = {
        "eks": criteria("{service: eks}") + setting("eks"),
        "a": criteria("{service: eks, intent: training}", "eks") + setting("a"),
        "b": criteria("{service: eks, os: ubuntu}", "eks"),
    }
    assert applied(overlays, "--service eks --intent training --os ubuntu") == ("base", "eks", "a", "b")
    assert component(texts(overlays), "--service eks --intent training --os ubuntu").values == {"by": "a"}


def test_names_decide_between_candidates_of_equal_number() -> None:
    overlays = {
        "b": criteria("{service: eks}") + setting("b"),
        "a": criteria("{service: any, os: ubuntu}") + setting("a"),
    }
    assert component(texts(overlays), "--service eks --os ubuntu").values == {"by": "b"}


def test_the_number_of_nodes_matches_like_any_value() -> None:
    overlays = {
        "eks": criteria("{service: eks}"),
        "eight": criteria("{service: eks, nodes: 8}"),
        "zero": criteria("{nodes: 0}"),
    }
    catalog = sound(texts(overlays))
    found = {nodes: resolve_in(catalog, f"--service eks --nodes {nodes}")[0] for nodes in (7, 8)}
    assert {nodes: item and item.applied for nodes, item in found.items()} == {
        7: ("base", "zero", "eks"),
        8: ("base", "zero", "eks", "eight"),
    }


@pytest.mark.parametrize(("typed", "meant"), [("openshift", "ocp"), ("OpenShift", "ocp")])
def test_other_names_for_a_value_are_understood(typed: str, meant: str) -> None:
    found = resolution(texts({"ocp": criteria("{service: ocp}")}), f"--service {typed}")
    assert found.applied == ("base", "ocp")
    assert found.criteria == {"service": meant}


def test_a_name_for_any_counts_as_not_stated() -> None:
    found = resolution(texts({"h100": criteria("{accelerator: h100}")}), "--service vanilla --accelerator h100")
    assert found.criteria == {"accelerator": "h100"}


def test_a_dimension_that_no_overlay_carries_is_refused() -> None:
    overlays = {"eks": criteria("{service: eks}")}
    assert refused(texts(overlays), "--service eks --os talos") == [
        ("R102", "no recipe that applies carries os `talos`")
    ]
    assert [code for code, _ in refused(texts(overlays), "")] == ["R101"]


def test_the_root_is_its_file_whatever_its_name() -> None:
    content = texts({"eks": criteria("{service: eks}", "base")})
    content["overlays/base.yaml"] = content["overlays/base.yaml"].replace("name: base", "name: root")
    assert resolution(content).applied == ("base", "eks")


GATED = {
    "gke-cos": criteria("{service: gke, os: cos}"),
    "gke-cos-training": criteria("{service: gke, os: cos, intent: training}", "gke-cos"),
    "gke-ubuntu": criteria("{service: gke, os: ubuntu, accelerator: h100}"),
    "h100": criteria("{accelerator: h100}"),
    "eks": criteria("{service: eks}"),
    "eks-ubuntu": criteria("{service: eks, os: ubuntu}"),
}


@pytest.mark.parametrize(
    ("options", "systems"),
    [
        ("--service gke", "cos"),
        ("--service gke --intent training", "cos"),
        ("--service gke --accelerator h100", "cos, ubuntu"),
    ],
)
def test_a_service_that_exists_for_certain_systems_only_needs_one(options: str, systems: str) -> None:
    found, findings = outcome(texts(GATED), options)
    assert found is None
    assert [(item.code, item.help) for item in findings] == [("M404", f"state --os with one of: {systems}")]


@pytest.mark.parametrize("options", ["--service eks", "--service gke --os cos", "--accelerator h100"])
def test_the_guard_lets_pass_what_an_overlay_covers(options: str) -> None:
    assert resolution(texts(GATED), options)


def test_the_guard_looks_at_service_and_accelerator_together() -> None:
    """Nothing is made for eks with h100 as such, and only ubuntu would bring something."""
    assert [code for code, _ in refused(texts(GATED), "--service eks --accelerator h100")] == ["M404"]
