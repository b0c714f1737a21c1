"""Which recipes apply to a query, in which order, and for which reason."""

from __future__ import annotations

import pytest

from catalog_kit import refused, resolve_texts, resolved, texts
from groundswell.resolve.query import stated

SERVICES = texts(
    {
        "eks": "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {who: eks}}]",
        "eks-training": "base: eks\ncriteria: {intent: training}\ncomponentRefs: [{name: a, overrides: {who: both}}]",
        "training": "criteria: {intent: training}\ncomponentRefs: [{name: b}]",
        "always": "criteria: {}\ncomponentRefs: [{name: a, overrides: {who: always}}]",
        "gpu": "componentRefs: [{name: b, overrides: {gpu: true}}]",
        "h100": "base: gpu\ncriteria: {accelerator: h100}",
    },
    components={"a": "", "b": ""},
)


def applied(options: str) -> tuple[str, ...]:
    resolution, findings = resolve_texts(SERVICES, options)
    assert not findings
    assert resolution is not None
    return resolution.applied


def test_recipes_apply_by_rank_then_depth_then_name() -> None:
    assert applied("--service eks --intent training") == ("base", "always", "eks", "training", "eks-training")


def test_a_dimension_left_out_never_pulls_in_recipes_that_state_it() -> None:
    assert applied("--service eks") == ("base", "always", "eks")


def test_a_base_without_criteria_comes_with_the_recipe_that_names_it() -> None:
    assert applied("--accelerator h100") == ("base", "always", "gpu", "h100")
    assert "gpu" not in applied("--service eks")


@pytest.mark.parametrize("value", ["''", "any", "ANY", "' any '"])
def test_any_and_the_empty_text_are_the_same_as_leaving_a_dimension_out(value: str) -> None:
    assert applied(f"--service eks --intent {value}") == applied("--service eks")


def test_values_are_trimmed_and_lower_case() -> None:
    assert applied("--service ' EKS ' --gpu H100") == applied("--service eks --accelerator h100")
    assert stated({"service": " Eks", "os": None}) == {"service": "eks"}


@pytest.mark.parametrize("unset", ["", "accelerator: any", "accelerator: ''", "accelerator: null"])
def test_an_unset_criterion_of_a_recipe_adds_nothing_to_its_rank(unset: str) -> None:
    """With `any` counted, `loose` would have the rank of `tight` and its value would win or tie."""
    catalog = texts(
        {
            "loose": f"criteria: {{service: eks, {unset}}}\ncomponentRefs: [{{name: a, overrides: {{x: loose}}}}]",
            "tight": "criteria: {service: eks, intent: training}\ncomponentRefs: [{name: a, overrides: {x: tight}}]",
        },
        components={"a": ""},
    )
    assert resolved(catalog, "--service eks --intent training")["a"].values == {"x": "tight"}


def test_the_highest_rank_wins_whatever_the_names() -> None:
    values = resolved(SERVICES, "--service eks --intent training")["a"].values
    assert values == {"who": "both"}


def test_a_query_without_criteria_is_refused_even_when_a_recipe_always_applies() -> None:
    assert [code for code, _ in refused(SERVICES, "--nodes 3")] == ["R101"]
    assert [code for code, _ in refused(SERVICES, "--service any")] == ["R101"]


def test_the_reason_of_each_layer_is_told() -> None:
    component = resolved(SERVICES, "--service eks --accelerator h100")
    reasons = [origin.reason for origin in component["a"].origins["who",]]
    assert reasons == ["it applies to every query", "the query says service eks"]
    (gpu,) = component["b"].origins["gpu",]
    assert (gpu.layer, gpu.reason) == ("recipe gpu", "it is a base of h100")


def test_a_base_of_many_names_one_of_them() -> None:
    recipes = {f"r{index}": "base: shared\ncriteria: {service: eks}" for index in range(5)}
    shared = {"shared": "componentRefs: [{name: a, overrides: {x: 1}}]"}
    (origin,) = resolved(texts(recipes | shared, components={"a": ""}), "--service eks")["a"].origins["x",]
    assert origin.reason.startswith("it is a base of r0 and of ")
