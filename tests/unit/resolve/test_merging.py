"""Merging: what each layer's say does to what lower layers said."""

from __future__ import annotations

from typing import Any

import pytest

from catalog_kit import document, refused, resolve_texts, resolved, texts


def two(lower: str, upper: str, *, files: dict[str, str] | None = None) -> dict[str, str]:
    """A catalog in which `upper` (rank 1) says something on `a` on top of `lower` (the base)."""
    return texts(
        {
            "base": f"componentRefs:\n- name: a\n{_ref(lower)}",
            "eks": f"criteria: {{service: eks}}\ncomponentRefs:\n- name: a\n{_ref(upper)}",
        },
        components={"a": "", "b": "", "c": ""},
        files=files,
    )


def _ref(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())


def values(lower: str, upper: str) -> Any:
    return resolved(two(f"overrides: {lower}", f"overrides: {upper}"), "--service eks")["a"].values


def test_maps_recurse_and_lists_and_scalars_replace() -> None:
    assert values("{m: {x: 1, l: [1, 2]}, s: a}", "{m: {z: 2, l: [3]}, s: b}") == {
        "m": {"x": 1, "z": 2, "l": [3]},
        "s": "b",
    }


def test_null_deletes_what_lower_layers_said_and_nothing_else() -> None:
    """An ephemeral volume is replaced by a claim; no empty `emptyDir` is left behind."""
    lower = "{storage: {emptyDir: {sizeLimit: 1Gi}, keep: 1}}"
    upper = "{storage: {emptyDir: null, claim: {size: 50Gi}}}"
    assert values(lower, upper) == {"storage": {"keep": 1, "claim": {"size": "50Gi"}}}


def test_what_a_null_deleted_does_not_come_back_with_a_later_map() -> None:
    recipes = {
        "base": "componentRefs: [{name: a, overrides: {m: {x: 1, w: 2}}}]",
        "eks": "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {m: null}}]",
        "both": "criteria: {service: eks, intent: training}\ncomponentRefs: [{name: a, overrides: {m: {z: 3}}}]",
    }
    catalog = texts(recipes, components={"a": ""})
    assert resolved(catalog, "--service eks --intent training")["a"].values == {"m": {"z": 3}}


def test_a_list_may_replace_a_scalar_and_the_other_way() -> None:
    assert values("{x: 1, z: [1]}", "{x: [1], z: 1}") == {"x": [1], "z": 1}


def test_null_and_absence_are_no_type() -> None:
    assert values("{x: null, z: {}}", "{x: {a: 1}, z: null}") == {"x": {"a": 1}}


@pytest.mark.parametrize(
    ("lower", "upper"), [("{x: 1}", "{x: {a: 1}}"), ("{x: {a: 1}}", "{x: [1]}"), ("{x: [1]}", "{x: {}}")]
)
def test_a_map_that_meets_a_scalar_or_list_is_refused_without_showing_values(lower: str, upper: str) -> None:
    lower, upper = (text.replace("1", "secret") for text in (lower, upper))
    catalog = two(f"overrides: {lower}", f"overrides: {upper}")
    ((code, message),) = refused(catalog, "--service eks")
    assert code == "R201"
    assert "a.x" in message
    assert "secret" not in message
    changed = two(f"overrides: {lower}", f"overrides: {upper}\nreplace: [x]")
    assert (
        resolved(changed, "--service eks")["a"].values
        != resolved(two(f"overrides: {lower}", ""), "--service eks")["a"].values
    )


def test_replace_drops_what_lower_layers_said_but_not_what_the_same_ref_says() -> None:
    files = {"components/a/values-more.yaml": "m: {file: 1}\n"}
    upper = "valuesFiles: [components/a/values-more.yaml]\noverrides: {m: {own: 2}}\nreplace: [m]"
    catalog = two("overrides: {m: {lower: 0}, other: 1}", upper, files=files)
    assert resolved(catalog, "--service eks")["a"].values == {"m": {"file": 1, "own": 2}, "other": 1}


def test_values_files_come_in_order_and_before_overrides() -> None:
    files = {"components/a/values-1.yaml": "x: 1\nw: 1\nz: 1\n", "components/a/values-2.yaml": "w: 2\nz: 2\n"}
    upper = "valuesFiles: [components/a/values-1.yaml, components/a/values-2.yaml]\noverrides: {z: 3}"
    assert resolved(two("", upper, files=files), "--service eks")["a"].values == {"x": 1, "w": 2, "z": 3}


def test_the_defaults_of_a_component_lie_below_everything() -> None:
    catalog = two("overrides: {x: base}", "", files={"components/a/values.yaml": "x: default\nz: default\n"})
    component = resolved(catalog, "--service eks")["a"]
    assert component.values == {"x": "base", "z": "default"}
    assert [origin.layer for origin in component.origins["x",]] == ["component a", "recipe base"]


def test_unset_reaches_helm_as_null_and_a_higher_layer_may_set_again() -> None:
    catalog = two("unset: [p.httpGet, q]", "overrides: {q: {x: 1}}")
    component = resolved(catalog, "--service eks")["a"]
    assert component.values == {"p": {"httpGet": None}, "q": {"x": 1}}
    assert component.origins["p", "httpGet"][-1].action == "unset"


def test_unset_wins_over_what_lower_layers_said() -> None:
    assert resolved(two("overrides: {p: {x: 1}}", "unset: [p]"), "--service eks")["a"].values == {"p": None}


def test_unset_below_a_scalar_is_a_clash_of_types() -> None:
    assert [code for code, _ in refused(two("overrides: {p: 1}", "unset: [p.x]"), "--service eks")] == ["R201"]


def test_dependencies_and_manifests_unite_in_order() -> None:
    files = {f"components/a/manifests/{name}.yaml": f"apiVersion: v1\nkind: K{name}\n" for name in "xyz"}
    lower = "dependencyRefs: [b]\nmanifestFiles: [components/a/manifests/y.yaml]"
    upper = "dependencyRefs: [c, b]\nmanifestFiles: [components/a/manifests/x.yaml, components/a/manifests/y.yaml]"
    component = resolved(two(lower, upper, files=files), "--service eks")["a"]
    assert component.dependencies == ("b", "c")
    assert [manifest.name for manifest in component.manifests] == ["y.yaml", "x.yaml"]


def test_without_takes_out_inherited_entries_and_a_higher_layer_may_add_them_again() -> None:
    catalog = two("dependencyRefs: [b, c]", "without: {dependencyRefs: [b]}")
    assert resolved(catalog, "--service eks")["a"].dependencies == ("c",)
    again = two("dependencyRefs: [b, c]", "without: {dependencyRefs: [b]}\ndependencyRefs: [b]")
    assert resolved(again, "--service eks")["a"].dependencies == ("c", "b")


def test_fields_of_a_ref_are_merged_like_values() -> None:
    component = resolved(two("version: 1.10.0\nnamespace: low", "namespace: high"), "--service eks")["a"]
    assert component.chart is not None
    assert (component.chart.version, component.namespace) == ("1.10.0", "high")
    assert [origin.layer for origin in component.field_origins["namespace"]] == [
        "component a",
        "recipe base",
        "recipe eks",
    ]


def test_a_component_is_disabled_by_the_highest_layer_that_says_anything() -> None:
    assert not resolved(two("enabled: true", "enabled: false"), "--service eks")["a"].enabled
    assert resolved(two("enabled: false", "enabled: true"), "--service eks")["a"].enabled


def siblings(one: str, other: str, both: str = "") -> dict[str, str]:
    """Two recipes of equal rank say something on `a`, and perhaps one with the criteria of both above them."""
    recipes = {
        "base": "componentRefs: [{name: a, overrides: {m: {x: 0}}, dependencyRefs: [b]}, {name: b}]",
        "one": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, {one}}}]",
        "other": f"criteria: {{os: talos}}\ncomponentRefs: [{{name: a, {other}}}]",
    }
    if both:
        recipes["both"] = f"criteria: {{service: eks, os: talos}}\ncomponentRefs: [{{name: a, {both}}}]"
    return texts(recipes, components={"a": "", "b": ""})


TIES = {
    "a value": ("overrides: {m: {x: 1}}", "overrides: {m: {x: 2}}", "overrides: {m: {x: 3}}"),
    "a number and its text": ("overrides: {m: {x: 1}}", 'overrides: {m: {x: "1"}}', "overrides: {m: {x: 3}}"),
    "true and 1": ("overrides: {m: {x: 1}}", "overrides: {m: {x: true}}", "overrides: {m: {x: 3}}"),
    "a list": ("overrides: {l: [1, 2]}", "overrides: {l: [2, 1]}", "overrides: {l: [3]}"),
    "a value and its deletion": ("overrides: {m: {x: 1}}", "overrides: {m: {x: null}}", "overrides: {m: {x: 3}}"),
    "a value and the deletion of its map": ("overrides: {m: {x: 1}}", "overrides: {m: null}", "overrides: {m: null}"),
    "an empty map and its deletion": ("overrides: {m: {}}", "overrides: {m: null}", "overrides: {m: null}"),
    "a deletion and unset": ("overrides: {m: {x: null}}", "unset: [m.x]", "overrides: {m: {x: 3}}"),
    "a map and the scalar that replaces it": (
        "overrides: {m: {x: 1}}",
        "overrides: {m: 5}, replace: [m]",
        "overrides: {m: 6}, replace: [m]",
    ),
    "a map and a scalar where nothing stands": (
        "overrides: {k: {x: 1}}",
        "overrides: {k: 5}",
        "overrides: {k: 6}, replace: [k]",
    ),
    "the version": ("version: 1.0.0", "version: 1.1.0", "version: 1.2.0"),
    "the namespace": ("namespace: p", "namespace: q", "namespace: r"),
    "whether it is installed": ("enabled: false", "enabled: true", "enabled: true"),
    "an entry taken out and put in": (
        "without: {dependencyRefs: [b]}",
        "dependencyRefs: [b]",
        "dependencyRefs: [b]",
    ),
}


@pytest.mark.parametrize("case", TIES)
def test_equal_rank_ties_are_refused_whatever_the_names_and_decided_by_a_higher_rank(case: str) -> None:
    one, other, both = TIES[case]
    for first, second in ((one, other), (other, one)):
        findings = refused(siblings(first, second), "--service eks --os talos")
        assert {code for code, _ in findings} == {"R203"}, findings
        assert any("`one`" in message and "`other`" in message for _, message in findings)
        resolution, left = resolve_texts(siblings(first, second, both), "--service eks --os talos")
        assert resolution is not None, left


def test_a_tie_names_both_places() -> None:
    _, (finding,) = resolve_texts(
        siblings("overrides: {m: {x: 1}}", "overrides: {m: {x: 2}}"), "--service eks --os talos"
    )
    assert finding.span is not None
    assert finding.span[:3] == ("catalog/recipes/one.yaml", 6, 48)
    assert finding.related[0].span[:3] == ("catalog/recipes/other.yaml", 6, 48)


def test_equal_values_at_equal_rank_are_no_tie() -> None:
    same = "overrides: {m: {x: {w: 1, z: [a]}}}"
    reordered = "overrides: {m: {x: {z: [a], w: 1}}}"
    catalog = siblings(same + ", replace: [m.x]", reordered + ", replace: [m.x]")
    assert resolved(catalog, "--service eks --os talos")["a"].values == {"m": {"x": {"w": 1, "z": ["a"]}}}


def test_only_what_a_layer_says_in_the_end_counts() -> None:
    files = {"components/a/values-one.yaml": "m: {x: 1}\n"}
    catalog = siblings("valuesFiles: [components/a/values-one.yaml], overrides: {m: {x: 2}}", "overrides: {m: {x: 2}}")
    assert resolved(catalog | files, "--service eks --os talos")["a"].values == {"m": {"x": 2}}


def test_an_ancestor_is_no_rival() -> None:
    catalog = texts(
        {
            "eks": "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {x: 1}}]",
            "eks-more": "base: eks\ncriteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {x: 2}}]",
        },
        components={"a": ""},
    )
    assert resolved(catalog, "--service eks")["a"].values == {"x": 2}


def test_an_option_decides_a_tie_of_values() -> None:
    catalog = siblings("overrides: {m: {x: 1}}", "overrides: {m: {x: 2}}")
    assert resolved(catalog, "--service eks --os talos --set a:m.x=3")["a"].values == {"m": {"x": 3}}


def test_a_tie_of_three_names_every_rival_of_the_last() -> None:
    recipes = {
        name: f"criteria: {{{dimension}: v}}\ncomponentRefs: [{{name: a, overrides: {{x: {name}}}}}]"
        for name, dimension in (("r1", "service"), ("r2", "os"), ("r3", "intent"))
    }
    findings = refused(texts(recipes, components={"a": ""}), "--service v --os v --intent v")
    assert [code for code, _ in findings] == ["R203", "R203"]


def bare(ref: str) -> dict[str, str]:
    """A component that has no chart of its own, and what a recipe says on it."""
    spec = "description: A sample\nnamespace: a\n"
    files = {
        "components/a/component.yaml": document("Component", "a", spec),
        "components/a/manifests/m.yaml": "apiVersion: v1\nkind: ConfigMap\n",
    }
    return texts({"eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, {ref}}}]"}, files=files)


MANIFESTS = "manifestFiles: [components/a/manifests/m.yaml]"
CHART = "repository: https://charts.example.test, chart: c, version: 1.0.0"


@pytest.mark.parametrize("ref", [MANIFESTS, CHART, f"{CHART}, {MANIFESTS}", "enabled: false"])
def test_a_component_has_a_chart_or_manifests_unless_it_is_disabled(ref: str) -> None:
    component = resolved(bare(ref), "--service eks")["a"]
    assert (component.chart is not None, bool(component.manifests)) == ("chart" in ref, "manifest" in ref)


@pytest.mark.parametrize("ref", ["enabled: true", "version: 1.0.0", f"version: 1.0.0, {MANIFESTS}"])
def test_a_component_without_a_complete_chart_and_manifests_alone_is_refused(ref: str) -> None:
    assert [code for code, _ in refused(bare(ref), "--service eks")] == ["R209"]
