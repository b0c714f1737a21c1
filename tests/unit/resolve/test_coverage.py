"""A query is answered whole or not at all."""

from __future__ import annotations

from itertools import product

import pytest

from catalog_kit import codes, document, refused, resolve_in, resolve_texts, sound, texts
from groundswell.catalog.files import Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.diagnostics.diagnostic import Severity
from groundswell.resolve.coverage import kept_apart
from groundswell.resolve.nearest import nearest_complete

RECIPES = texts(
    {
        "eks-ubuntu": "criteria: {service: eks, os: ubuntu}\ncomponentRefs: [{name: a}]",
        "eks": "criteria: {service: eks}",
        "metal": "criteria: {service: metal}",
        "talos": "criteria: {os: talos}",
        "ubuntu": "criteria: {os: ubuntu}",
        "h100": "criteria: {accelerator: h100}",
    },
    components={"a": ""},
)
LISTED = RECIPES | {
    "recipes/support.yaml": document(
        "Support",
        "support",
        """
        combinations:
        - {service: [eks], os: [ubuntu], accelerator: [h100], level: installed}
        - {service: [metal], os: [talos, ubuntu], level: renders}
        """,
    )
}


def test_every_dimension_must_be_carried_by_an_applied_recipe() -> None:
    found = refused(RECIPES, "--service gke --os talos --intent training")
    assert found == [
        ("R102", "no recipe that applies carries intent `training`"),
        ("R102", "no recipe that applies carries service `gke`"),
    ]


def test_a_value_that_only_a_more_specific_recipe_carries_names_what_would_help() -> None:
    catalog = texts({"deep": "criteria: {service: eks, os: ubuntu}\ncomponentRefs: [{name: a}]"}, components={"a": ""})
    assert [code for code, _ in refused(catalog, "--service eks")] == ["R102"]


def test_the_values_that_recipes_carry_are_shown_with_a_guess() -> None:
    _, findings = resolve_texts(RECIPES, "--service metla")
    assert "did you mean `metal`?" in findings[0].help
    assert "eks, metal" in findings[0].help


def test_allow_unsupported_never_softens_the_first_rule() -> None:
    assert [code for code, _ in refused(LISTED, "--service gke --allow-unsupported")] == ["R102"]


def test_a_combination_off_the_support_list_is_refused_with_the_nearest_complete_queries() -> None:
    resolution, findings = resolve_texts(LISTED, "--service eks --os talos")
    assert resolution is None
    assert codes(findings) == ["R103"]
    assert findings[0].help.startswith(
        "nearest complete queries: --service metal --os talos | --service eks --accelerator h100 --os ubuntu"
    )


def test_allow_unsupported_turns_the_second_rule_into_a_warning() -> None:
    resolution, findings = resolve_texts(LISTED, "--service eks --os talos --allow-unsupported")
    assert resolution is not None
    assert [(finding.code, finding.severity) for finding in findings] == [("R103", Severity.WARNING)]


@pytest.mark.parametrize(
    "options", ["--service eks", "--service eks --accelerator h100", "--os talos", "--accelerator h100"]
)
def test_a_query_fits_when_each_dimension_that_it_states_is_in_one_line(options: str) -> None:
    resolution, findings = resolve_texts(LISTED, options)
    assert resolution is not None
    assert not findings


def test_dimensions_of_two_lines_do_not_make_one_combination() -> None:
    assert [code for code, _ in refused(LISTED, "--service metal --accelerator h100")] == ["R103"]


def test_a_catalog_without_a_support_list_has_the_first_rule_only() -> None:
    resolution, findings = resolve_texts(RECIPES, "--service metal --accelerator h100")
    assert resolution is not None
    assert not findings


def test_a_recipe_of_a_layer_without_a_support_list_is_held_to_the_first_rule_only() -> None:
    upper = {"recipes/gke.yaml": document("Recipe", "gke", "criteria: {service: gke}")}
    resolution, _ = resolve_texts((LISTED, upper), "--service gke --os talos")
    assert resolution is not None
    assert [code for code, _ in refused((LISTED, upper), "--service eks --os talos")] == ["R103"]


def test_support_lists_of_layers_unite() -> None:
    more = "combinations: [{service: [eks], os: [talos], level: resolves}]"
    upper = {"recipes/support.yaml": document("Support", "support", more)}
    for options in ("--service eks --os talos", "--service metal --os talos"):
        resolution, _ = resolve_texts((LISTED, upper), options)
        assert resolution is not None


def test_suggestions_keep_as_much_of_the_query_as_they_can_and_add_no_platform() -> None:
    listed = "combinations: [{service: [eks, metal], os: [talos], platform: [kubeflow], level: resolves}]"
    catalog = sound(RECIPES | {"recipes/support.yaml": document("Support", "support", listed)})
    assert nearest_complete(catalog, {"service": "metal", "os": "ubuntu"}) == ["--service metal --os talos"]


def test_a_catalog_without_a_support_list_suggests_what_it_has_recipes_for() -> None:
    _, findings = resolve_texts(RECIPES, "--service ekz --accelerator h100")
    assert findings[0].help.endswith(
        "nearest complete queries: --accelerator h100 | --service eks | --service eks --os ubuntu"
    )


NEEDING = texts(
    {
        "eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]",
        "gke": "criteria: {service: gke}",
        "metal": "criteria: {service: metal}\ncomponentRefs: [{name: a, overrides: {x: {count: 3}}}]",
        "talos": "criteria: {os: talos}",
        "ubuntu": "criteria: {os: ubuntu}",
    },
    components={"a": "requiredValues: [{path: x.count, what: how many}, {path: 'x.a\\.b', what: who}]"},
    files={
        "recipes/support.yaml": document(
            "Support",
            "support",
            "combinations: [{service: [eks, gke, metal], os: [talos], level: resolves}]",
        )
    },
)


def test_equally_near_queries_that_need_no_more_come_first_and_others_say_what_they_need() -> None:
    catalog = sound(NEEDING)
    assert nearest_complete(catalog, {"os": "talos", "service": "aks"}) == [
        "--service gke --os talos",
        r"--service eks --os talos --set 'a:x.count=…' --set 'a:x.a\.b=…'",
        r"--service metal --os talos --set 'a:x.a\.b=…'",
    ]
    # What was asked for weighs more than what must be added.
    near = nearest_complete(catalog, {"os": "ubuntu", "service": "eks"})
    assert near == [r"--service eks --os talos --set 'a:x.count=…' --set 'a:x.a\.b=…'"]
    for options in near:
        resolution, findings = resolve_in(catalog, options)
        assert resolution is not None, findings


def test_values_that_the_list_knows_are_kept_apart_just_when_no_line_has_them_together() -> None:
    catalog = sound(LISTED)
    for criteria, apart in (
        ({"service": "metal", "os": "talos"}, False),
        ({"service": "metal", "accelerator": "h100"}, True),
        ({"service": "metal", "accelerator": "mi300"}, False),
        ({"service": "metal", "os": "talos", "platform": "slurm"}, False),
        ({"service": "metal", "accelerator": "h100", "platform": "slurm"}, True),
    ):
        assert kept_apart(catalog, criteria) is apart, criteria
    assert not kept_apart(sound(RECIPES), {"service": "metal", "accelerator": "h100"})


def test_every_query_that_the_shipped_catalog_suggests_is_one_that_it_answers() -> None:
    files, _ = read_files([Layer("groundswell", shipped_root())])
    catalog = load(files).catalog
    assert catalog is not None
    stated = {
        "service": ("eks", "metal", "gke"),
        "accelerator": ("", "gb200", "l40s"),
        "os": ("talos", "ubuntu"),
        "intent": ("", "training"),
        "platform": ("", "slurm"),
    }
    asked = [dict(zip(stated, values, strict=True)) for values in product(*stated.values())]
    suggested = {
        query
        for criteria in asked
        for query in nearest_complete(catalog, {key: value for key, value in criteria.items() if value})
    }
    assert len(suggested) > 3
    for options in sorted(suggested):
        resolution, findings = resolve_in(catalog, options)
        assert resolution is not None, (options, findings)
