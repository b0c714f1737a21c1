"""Mixins: they patch what is there, may create and enforce, and never win by accident."""

from __future__ import annotations

import pytest

from catalog_kit import places, refused, resolve_texts, resolved, texts


def mixed(recipe: str, *mixins: str, components: tuple[str, ...] = ("a", "b")) -> dict[str, str]:
    """A recipe for `eks` with its say on `a`, and the mixins `m0`, `m1`, … with theirs."""
    names = [f"m{index}" for index in range(len(mixins))]
    return texts(
        {"eks": f"criteria: {{service: eks}}\nmixins: [{', '.join(names)}]\ncomponentRefs: [{{name: a, {recipe}}}]"},
        mixins={name: f"componentRefs: [{spec}]" for name, spec in zip(names, mixins, strict=True)},
        components=dict.fromkeys(components, ""),
    )


def test_a_mixin_patches_a_component_that_is_present() -> None:
    component = resolved(mixed("overrides: {x: 1}", "{name: a, overrides: {z: 2}, namespace: high}"), "--service eks")[
        "a"
    ]
    assert (component.values, component.namespace) == ({"x": 1, "z": 2}, "high")
    assert component.origins["z",][0].reason == "recipe eks names it"


def test_a_mixin_adds_a_component_only_with_create() -> None:
    assert resolved(mixed("overrides: {}", "{name: b, overrides: {x: 1}}"), "--service eks").keys() == {"a"}
    created = resolved(mixed("overrides: {}", "{name: b, create: true, overrides: {x: 1}}"), "--service eks")
    assert created["b"].values == {"x": 1}


def test_a_mixin_before_the_one_that_creates_a_component_patches_it_too() -> None:
    catalog = mixed("overrides: {}", "{name: b, overrides: {x: 1}}", "{name: b, create: true}")
    assert resolved(catalog, "--service eks")["b"].values == {"x": 1}


def test_mixins_come_in_the_order_of_their_first_mention() -> None:
    catalog = texts(
        {
            "eks": "criteria: {service: eks}\nmixins: [late, early]\ncomponentRefs: [{name: a}]",
            "both": "criteria: {service: eks, os: talos}\nmixins: [early, other]",
            "talos": "criteria: {os: talos}",
        },
        mixins=dict.fromkeys(("early", "late", "other"), ""),
        components={"a": ""},
    )
    resolution, _ = resolve_texts(catalog, "--service eks --os talos")
    assert resolution is not None
    assert resolution.mixins == ("late", "early", "other")


CONFLICTS = {
    "mixin and recipe": ("overrides: {x: 1}", ["{name: a, overrides: {x: 2}}"]),
    "mixin and recipe, a deletion": ("overrides: {x: 1}", ["{name: a, overrides: {x: null}}"]),
    "mixin and recipe, a field": ("version: 1.0.0", ["{name: a, version: 2.0.0}"]),
    "two mixins": ("overrides: {}", ["{name: a, overrides: {x: 1}}", "{name: a, overrides: {x: 2}}"]),
    "two that enforce": ("overrides: {}", ["{name: a, enforce: {x: 1}}", "{name: a, enforce: {x: 2}}"]),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_a_mixin_that_differs_is_refused(case: str) -> None:
    recipe, mixins = CONFLICTS[case]
    assert [code for code, _ in refused(mixed(recipe, *mixins), "--service eks")] == ["R204"]


def test_a_field_is_named_as_it_is_written() -> None:
    ((_, message),) = refused(mixed("enabled: true", "{name: a, enabled: false}"), "--service eks")
    assert message == "recipe eks and mixin m0 set `enabled` of `a` to two values"


def test_a_mixin_conflicts_with_a_recipe_of_its_own_name() -> None:
    catalog = texts(
        {"talos": "criteria: {os: talos}\nmixins: [talos]\ncomponentRefs: [{name: a, overrides: {x: 1}}]"},
        mixins={"talos": "componentRefs: [{name: a, overrides: {x: 2}}]"},
        components={"a": ""},
    )
    resolution, findings = resolve_texts(catalog, "--os talos")
    assert resolution is None
    assert places(findings) == [("R204", "catalog/mixins/talos.yaml", 5, 44)]
    assert findings[0].related[0].span.file == "catalog/recipes/talos.yaml"


def test_equal_values_and_the_defaults_of_the_component_are_no_conflict() -> None:
    catalog = mixed("overrides: {x: 1}", "{name: a, overrides: {x: 1, d: 2}}")
    catalog["components/a/values.yaml"] = "d: 1\n"
    assert resolved(catalog, "--service eks")["a"].values == {"d": 2, "x": 1}


def test_a_mixin_may_take_out_what_a_recipe_put_in() -> None:
    catalog = mixed("dependencyRefs: [a, b]", "{name: a, without: {dependencyRefs: [a]}}")
    assert resolved(catalog, "--service eks")["a"].dependencies == ("b",)


def test_enforce_wins_over_recipes_and_mixins() -> None:
    catalog = mixed(
        "overrides: {d: {on-node: 1, x: 1}}", "{name: a, enforce: {d: {x: 9}}}", "{name: a, overrides: {d: {x: 3}}}"
    )
    component = resolved(catalog, "--service eks")["a"]
    assert component.values == {"d": {"on-node": 1, "x": 9}}
    assert component.origins["d", "x"][-1].layer == "mixin m0"


@pytest.mark.parametrize("setting", ["a:d.x=1", "a:d=null", "a:d.x=null"])
def test_enforce_binds_settings(setting: str) -> None:
    catalog = mixed("overrides: {d: {x: 2}}", "{name: a, enforce: {d: {x: 9}}}")
    resolution, findings = resolve_texts(catalog, f"--service eks --set {setting}")
    assert resolution is None
    assert places(findings) == [("R205", "catalog/mixins/m0.yaml", 5, 46)]
    assert "--set a:d" in findings[0].message


@pytest.mark.parametrize("option", ["--set a:d=5", "--set-json a:d=[]", "--set a:d.x.z=5", "--storage-class fast"])
@pytest.mark.parametrize("below", ["overrides: {}", "overrides: {d: {x: 2, z: 3}}"])
def test_an_option_of_another_type_than_an_enforced_value_is_one_error_with_one_place(option: str, below: str) -> None:
    catalog = mixed(below, "{name: a, enforce: {d: {x: 9, z: 8}}}")
    catalog["components/a/component.yaml"] += "  storageClassPaths: [d]\n"
    _, findings = resolve_texts(catalog, f"--service eks {option}")
    assert places(findings) == [("R205", "catalog/mixins/m0.yaml", 5, 46)]
    assert findings[0].related == ()


def test_a_setting_that_agrees_with_an_enforced_value_is_no_fault() -> None:
    catalog = mixed("overrides: {}", "{name: a, enforce: {d: {x: 9}}}")
    assert resolved(catalog, "--service eks --set a:d.x=9")["a"].values == {"d": {"x": 9}}


def test_an_enforced_map_over_a_scalar_is_refused_at_the_mixin() -> None:
    catalog = mixed("overrides: {d: text}", "{name: a, enforce: {d: {x: 9}}}")
    _, findings = resolve_texts(catalog, "--service eks")
    assert ("R201", "catalog/mixins/m0.yaml", 5, 39) in places(findings)
    assert "--set" not in findings[0].help


def test_an_enforced_value_decides_a_tie_of_recipes() -> None:
    catalog = mixed("overrides: {x: 1}", "{name: a, enforce: {x: 3}}")
    catalog |= {
        "recipes/other.yaml": texts({"o": "criteria: {os: v}\ncomponentRefs: [{name: a, overrides: {x: 2}}]"})[
            "recipes/o.yaml"
        ]
    }
    assert resolved(catalog, "--service eks --os v")["a"].values == {"x": 3}


def test_what_a_mixin_says_on_a_component_that_is_left_out_changes_nothing() -> None:
    catalog = mixed("overrides: {}, enabled: false", "{name: a, enforce: {x: 3}}", "{name: b, create: true}")
    assert not resolved(catalog, "--service eks")["a"].enabled
