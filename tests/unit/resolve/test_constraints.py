"""Constraints: their form, their conjunction, and when no cluster can satisfy them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog_kit import codes, document, refused, resolve_texts, texts
from groundswell.resolve.constraints import joined, needed
from groundswell.resolve.versions import Condition, bounds, holds, implies, parse_conditions, parse_version, satisfiable
from plan_factory import constraint


def constrained(*entries: str, components: str = "") -> dict[str, str]:
    """Entries of the base, of a recipe for `eks` and of one for `eks` and `talos`, in this order."""
    heads = ["", "criteria: {service: eks}\n", "criteria: {service: eks, os: talos}\n"]
    named = zip(("base", "eks", "eks-talos"), heads, entries, strict=False)
    recipes = {name: f"{head}constraints: [{entry}]\ncomponentRefs: [{{name: a}}]" for name, head, entry in named}
    return texts({"talos": "criteria: {os: talos}"} | recipes, components={"a": components})


def version(value: str, more: str = "") -> str:
    return f'{{name: K8s.server.version, value: "{value}"{more}}}'


def conjuncts(catalog: dict[str, str], options: str = "--service eks --os talos") -> dict[str, str]:
    resolution, findings = resolve_texts(catalog, options)
    assert resolution is not None, findings
    return joined(resolution.constraints)


def test_constraints_of_one_name_are_a_conjunction_lowest_first() -> None:
    assert conjuncts(constrained(version(">= 1.30"), version("< 1.35"), version(">= 1.32"))) == {
        "K8s.server.version": ">= 1.30, < 1.35, >= 1.32"
    }


def test_equal_conjuncts_are_shown_once_but_both_layers_are_known() -> None:
    catalog = constrained(version(">= 1.30"), version(">= 1.30"))
    resolution, _ = resolve_texts(catalog, "--service eks")
    assert resolution is not None
    assert [item.layer for item in resolution.constraints] == ["recipe base", "recipe eks"]
    assert joined(resolution.constraints) == {"K8s.server.version": ">= 1.30"}


def test_a_component_of_the_plan_adds_its_own() -> None:
    catalog = constrained(version("< 1.40"), components=f"constraints: [{version('>= 1.34')}]")
    assert conjuncts(catalog, "--os talos") == {"K8s.server.version": ">= 1.34, < 1.40"}


def test_a_component_that_is_left_out_adds_none() -> None:
    catalog = constrained(version("< 1.40"), components=f"constraints: [{version('>= 1.50')}]")
    catalog["components/b/component.yaml"] = texts(components={"b": ""})["components/b/component.yaml"]
    assert codes(resolve_texts(catalog, "--os talos")[1]) == ["R208"]
    assert conjuncts(catalog, "--os talos --without a") == {"K8s.server.version": "< 1.40"}


@pytest.mark.parametrize(
    ("lower", "upper"),
    [(">= 1.30", "< 1.30"), ("> 1.30", "<= 1.30.0"), ("== 1.30", "!= 1.30"), ("1.30", "1.31"), ("< 0", ">= 0.0.0")],
)
def test_conditions_that_exclude_each_other_are_refused_with_the_lines(lower: str, upper: str) -> None:
    resolution, findings = resolve_texts(constrained(version(lower), version(upper)), "--service eks")
    assert resolution is None
    (finding,) = findings
    assert finding.code == "R208"
    assert finding.span is not None
    assert finding.span.file == "catalog/recipes/eks.yaml"
    assert [(item.span.file, item.span.line) for item in finding.related] == [("catalog/recipes/base.yaml", 5)]


def test_replace_with_a_reason_drops_what_lower_layers_ask() -> None:
    catalog = constrained(version("< 1.30"), version(">= 1.35", ", replace: true, reason: tried on 1.35"))
    assert conjuncts(catalog, "--service eks") == {"K8s.server.version": ">= 1.35"}


def test_every_unsatisfiable_name_is_reported() -> None:
    lower = "{name: a, value: x}, {name: b, value: x}"
    upper = "{name: a, value: z}, {name: b, value: z}"
    assert [code for code, _ in refused(constrained(lower, upper), "--service eks")] == ["R208", "R208"]


@pytest.mark.parametrize(
    "value", [">= ", "1.34 ||", ">= one", "= 1.30", "~1.30", "^1.30", ">= 1.30,", ">= 1.30 < 1.35", ">=1 || <2"]
)
def test_malformed_values_cannot_be_read(value: str) -> None:
    assert parse_conditions(value) is None


def test_well_formed_values() -> None:
    assert parse_conditions(">= 1.30, < 1.36") == (Condition(">=", "1.30"), Condition("<", "1.36"))
    assert parse_conditions("ubuntu") == (Condition("", "ubuntu"),)
    assert parse_conditions("v1.33.4") == (Condition("==", "v1.33.4"),)
    assert parse_conditions("v1.33.4", aicr=True) == (Condition("", "v1.33.4", aicr=True),)
    assert parse_conditions("!= ubuntu") == (Condition("!=", "ubuntu"),)


@pytest.mark.parametrize(
    ("condition", "fact", "expected"),
    [
        (">= 1.34", "v1.34.3-eks-ac2d5a0", True),
        (">= 1.29", "v1.31.4-eks-5d632ec", True),
        (">= 1.9", "1.10", True),
        ("< 1.10", "1.9", True),
        ("< 1.32", "v1.32.1+k3s1", False),
        ("== 1.34.7", "v1.34.7-gke.1", True),
        ("!= 1.34.7", "1.34.7", False),
        ("talos", "talos", True),
        ("talos", "Talos", False),
        (">= 1.30", "unknown", None),
    ],
)
def test_facts_are_compared_by_major_minor_and_patch(condition: str, fact: str, expected: object) -> None:
    (parsed,) = parse_conditions(condition) or ()
    assert holds(parsed, fact) is expected


def test_versions_are_read_with_and_without_prefix_and_suffix() -> None:
    assert parse_version("v1.34.3-eks-ac2d5a0") == (1, 34, 3)
    assert parse_version("1.34+") == (1, 34, 0)
    assert parse_version("1") == (1, 0, 0)
    assert parse_version("talos") is None
    assert parse_version("1.2.3.4") is None


def replacing(value: str) -> str:
    return version(value, ", replace: true, reason: tried")


def two_recipes(first: str, second: str, above: str = "") -> dict[str, str]:
    """Two recipes of one rank, whose names decide nothing, and one with the criteria of both."""
    recipes = {
        "base": "",
        "zebra": f"criteria: {{service: eks}}\nconstraints: [{first}]",
        "ant": f"criteria: {{os: talos}}\nconstraints: [{second}]",
        "both": f"criteria: {{service: eks, os: talos}}\nconstraints: [{above}]\ncomponentRefs: [{{name: a}}]",
    }
    return texts(recipes, components={"a": ""})


@pytest.mark.parametrize("pair", [(">= 1.30", "replacing"), ("replacing", ">= 1.30")])
def test_of_two_recipes_of_one_rank_none_replaces_what_the_other_asks(pair: tuple[str, str]) -> None:
    stated = [replacing(">= 1.28") if value == "replacing" else version(value) for value in pair]
    ((code, message),) = refused(two_recipes(*stated), "--service eks --os talos")
    assert code == "R203"
    assert message.startswith(f"recipe {'ant' if pair[1] == 'replacing' else 'zebra'} replaces the constraint `K8s")


def test_a_recipe_above_both_decides_and_equal_values_are_no_dispute() -> None:
    options = "--service eks --os talos"
    above = two_recipes(version(">= 1.30"), replacing(">= 1.28"), replacing(">= 1.33"))
    assert conjuncts(above, options) == {"K8s.server.version": ">= 1.33"}
    equal = two_recipes(version(">= 1.30"), replacing(">= 1.30"))
    assert conjuncts(equal, options) == {"K8s.server.version": ">= 1.30"}
    plain = two_recipes(version(">= 1.30"), replacing(">= 1.28"), version(">= 1.33"))
    assert [code for code, _ in refused(plain, options)] == ["R203"]


@pytest.mark.parametrize("order", ["low, top", "top, low"])
def test_of_two_mixins_none_replaces_what_the_other_asks(order: str) -> None:
    recipes = {"eks": f"criteria: {{service: eks}}\nmixins: [{order}]\ncomponentRefs: [{{name: a}}]"}
    mixins = {"low": f"constraints: [{version('>= 1.30')}]", "top": f"constraints: [{replacing('>= 1.28')}]"}
    catalog = texts(recipes, mixins, components={"a": ""})
    ((code, message),) = refused(catalog, "--service eks")
    assert code == "R204"
    assert message.startswith("mixin top replaces")


def test_a_mixin_replaces_what_recipes_ask() -> None:
    recipes = {"eks": f"criteria: {{service: eks}}\nmixins: [top]\nconstraints: [{version('< 1.28')}]"}
    recipes["eks"] += "\ncomponentRefs: [{name: a}]"
    catalog = texts(recipes, {"top": f"constraints: [{replacing('>= 1.28')}]"}, components={"a": ""})
    assert conjuncts(catalog, "--service eks") == {"K8s.server.version": ">= 1.28"}


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_a_component_replaces_nothing_that_another_asks(first: str, second: str) -> None:
    recipes = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}, {name: b}]"}
    components = {first: f"constraints: [{version('>= 1.30')}]", second: f"constraints: [{replacing('>= 1.28')}]"}
    found = conjuncts(texts(recipes, components=components), "--service eks")
    assert set(found["K8s.server.version"].split(", ")) == {">= 1.30", ">= 1.28"}


def test_a_patch_of_a_component_replaces_what_the_component_asks() -> None:
    recipes = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]"}
    lower = texts(recipes, components={"a": f"constraints: [{version('>= 1.40')}]"})
    patch = document("Component", "a", f"constraints: [{replacing('>= 1.28')}]", ", patch: true")
    resolution, findings = resolve_texts((lower, {"components/a/component.yaml": patch}), "--service eks")
    assert resolution is not None, findings
    assert joined(resolution.constraints) == {"K8s.server.version": ">= 1.28"}


def told(*asked: str) -> str:
    return joined(needed([constraint("K8s.server.version", value) for value in asked])).get("K8s.server.version", "")


def test_what_a_stricter_condition_covers_need_not_be_told() -> None:
    assert told(">= 1.32", ">= 1.29") == ">= 1.32"
    assert told(">= 1.29", ">= 1.32", ">= 1.32") == ">= 1.32"
    assert told(">= 1.30, < 1.36", ">= 1.32", "< 1.35.2") == ">= 1.32, < 1.35.2"
    assert told("> 1.32", ">= 1.32", "<= 1.34", "< 1.34") == "> 1.32, < 1.34"
    assert told(">= 1.32", "== 1.33", "< 1.36") == "== 1.33"
    assert told(">= 1.32, != 1.33.2", "1.34.1", ">= 1.31", "== 1.34") == "1.34.1"
    assert told(">= 1.32", "!= 1.31", "!= 1.33.2", "!= 1.33") == ">= 1.32, != 1.33"
    assert told("<= 1.34", "< 1.35", "> 1.32", ">= 1.33") == "<= 1.34, > 1.32"
    other = [constraint("OS.release.VERSION_ID", ">= 22"), constraint("K8s.server.version", ">= 1.32")]
    assert needed(other) == tuple(other)
    text = [constraint("OS.release.ID", value) for value in ("!= debian", "ubuntu", "== ubuntu", "!= rhel")]
    assert joined(needed(text)) == {"OS.release.ID": "ubuntu"}


def test_builds_of_one_version_do_not_cover_each_other() -> None:
    assert told("> 1.34.3-gke.5", ">= 1.34.3", "< 1.35") == "> 1.34.3-gke.5, < 1.35"
    assert told(">= 1.34.3-gke.5", "== 1.34.3") == ">= 1.34.3-gke.5, == 1.34.3"
    assert told(">= 1.34.3-gke.5", "> 1.34.3") == "> 1.34.3"


OPERANDS = st.sampled_from(["0", "0.34", "1", "1.2", "1.2.1", "1.2.1-gke.5", "1.3"])
BOUNDS = st.tuples(st.sampled_from([">=", ">", "<=", "<", "==", "!="]), OPERANDS)
FACTS = [
    "0.35.1",
    "1.1.9",
    "1.2.0",
    "1.2.1",
    "1.2.1-gke.4",
    "1.2.1-gke.5",
    "1.2.1-gke.6",
    "1.2.2",
    "1.3.0",
    "1.3.1",
    "2.0.0",
]
ASKED = st.lists(st.lists(BOUNDS.map(" ".join), min_size=1, max_size=2).map(", ".join), min_size=1, max_size=4)


@given(ASKED, st.sampled_from([*FACTS, "unknown"]))
def test_what_is_told_admits_the_same_clusters(asked: list[str], actual: str) -> None:
    def admitted(values: list[str]) -> bool:
        return all(holds(condition, actual) for value in values for condition in parse_conditions(value) or ())

    left = [item.value for item in needed([constraint("K8s.server.version", value) for value in asked])]
    assert admitted(left) == admitted(asked)


@given(ASKED, st.sampled_from(FACTS))
def test_no_range_of_a_chart_refuses_what_the_constraints_admit(asked: list[str], actual: str) -> None:
    """Builds count in the one and not in the other, so the chart's bounds may only be wider."""
    every = [condition for value in asked for condition in parse_conditions(value) or ()]
    if all(holds(condition, actual) for condition in every):
        version = parse_version(actual)
        assert version
        assert satisfiable(every)
        for lower, upper in map(bounds, every):
            assert lower is None or lower <= version
            assert upper is None or version < upper


def test_what_must_not_be_one_version_needs_no_less_of_another() -> None:
    """Text and a `!=` go together, and a reader does not look for a bound in it."""
    (out,) = parse_conditions("!= 0") or ()
    (least,) = parse_conditions(">= v0.34") or ()
    assert holds(out, "unknown")
    assert not holds(least, "unknown")
    assert not implies(out, least)
    asked = (constraint("K8s.server.version", "!= 0"), constraint("K8s.server.version", ">= v0.34"))
    assert needed(asked) == asked


@given(BOUNDS, BOUNDS, st.booleans())
def test_what_implies_another_admits_nothing_that_the_other_refuses(
    one: tuple[str, str], other: tuple[str, str], aicr: bool
) -> None:
    first, second = Condition(*one, aicr), Condition(*other, aicr)
    if implies(first, second):
        assert all(holds(second, fact) for fact in (*FACTS, "unknown") if holds(first, fact))
