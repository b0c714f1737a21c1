"""Catalogs on top of each other: own files first, patches, replacements, duplicates, accounting."""

from __future__ import annotations

import pytest

from catalog_kit import codes, component, document, load_texts, places, resolve_texts, resolved, sound, texts
from groundswell.resolve.resolution import ClusterNeeds

LOWER = texts(
    {
        "gke": "criteria: {service: gke}\ncomponentRefs: [{name: a, overrides: {x: low, k: 1}}, {name: b}]",
        "h100": "criteria: {accelerator: h100}\nmixins: [mix]",
    },
    mixins={"mix": "componentRefs: [{name: b, overrides: {m: 1}}]"},
    components={
        "a": "aliases: [first]\ntalos: {privileged: true}\nconstraints: [{name: K8s.server.version, value: '>= 1.30'}]",
        "b": "",
    },
    files={"components/a/values.yaml": "d: low\n"},
)


def patch(kind: str, name: str, spec: str) -> str:
    return document(kind, name, spec, ", patch: true")


def replacing(kind: str, name: str, spec: str) -> str:
    return document(kind, name, spec, ", replace: true")


def test_a_patched_recipe_keeps_what_the_patch_does_not_say() -> None:
    upper = {"recipes/gke.yaml": patch("Recipe", "gke", "componentRefs: [{name: b, overrides: {x: 1}}]")}
    found = resolved((LOWER, upper), "--service gke")
    assert found["a"].values == {"d": "low", "k": 1, "x": "low"}
    assert found["b"].values == {"x": 1}
    assert found["b"].origins["x",][0].file == "layer-2/recipes/gke.yaml"


def test_a_patch_wins_over_what_it_patches_without_being_its_rival() -> None:
    upper = {"recipes/gke.yaml": patch("Recipe", "gke", "componentRefs: [{name: a, overrides: {x: high}}]")}
    assert resolved((LOWER, upper), "--service gke")["a"].values["x"] == "high"


def test_a_replaced_recipe_is_written_anew() -> None:
    upper = {"recipes/gke.yaml": replacing("Recipe", "gke", "criteria: {service: gke}\ncomponentRefs: [{name: b}]")}
    assert resolved((LOWER, upper), "--service gke").keys() == {"b"}


def test_a_third_layer_patches_the_second_and_may_replace_all() -> None:
    middle = {"recipes/gke.yaml": patch("Recipe", "gke", "componentRefs: [{name: a, overrides: {x: middle, z: 1}}]")}
    top = {"recipes/gke.yaml": patch("Recipe", "gke", "componentRefs: [{name: a, overrides: {x: top}}]")}
    assert resolved((LOWER, middle, top), "--service gke")["a"].values == {"d": "low", "k": 1, "x": "top", "z": 1}
    anew = {"recipes/gke.yaml": replacing("Recipe", "gke", "criteria: {service: gke}\ncomponentRefs: [{name: a}]")}
    assert resolved((LOWER, middle, anew), "--service gke")["a"].values == {"d": "low"}


def test_a_document_of_a_taken_name_is_a_duplicate_unless_it_says_how_it_stands_to_it() -> None:
    upper = {
        "recipes/gke.yaml": document("Recipe", "gke", ""),
        "mixins/mix.yaml": document("Mixin", "mix", ""),
        "components/a/component.yaml": component("a"),
        "recipes/h100.yaml": document("Recipe", "h100", "", ", patch: true, replace: true"),
    }
    findings = load_texts(LOWER, upper).findings
    assert [item[:2] for item in places(findings)] == [
        ("M201", "layer-2/components/a/component.yaml"),
        ("M201", "layer-2/mixins/mix.yaml"),
        ("M201", "layer-2/recipes/gke.yaml"),
        ("M104", "layer-2/recipes/h100.yaml"),
    ]
    hints = [finding.help for finding in findings]
    assert all("patch" in hint and "replace" in hint for hint in hints), hints


def test_two_documents_of_one_layer_are_duplicates_even_as_patches() -> None:
    text = patch("Recipe", "gke", "componentRefs: [{name: b, overrides: {x: 1}}]")
    upper = {"recipes/gke.yaml": text, "recipes/gke-too.yaml": text}
    assert codes(load_texts(LOWER, upper).findings) == ["M201"]
    same = texts({"a": "criteria: {service: x}"})
    assert codes(load_texts(same | {"recipes/b.yaml": same["recipes/a.yaml"]}).findings) == ["M201"]


def test_a_patch_needs_something_to_patch() -> None:
    upper = {
        "recipes/gek.yaml": patch("Recipe", "gek", ""),
        "mixins/mxi.yaml": replacing("Mixin", "mxi", ""),
        "components/c/component.yaml": patch("Component", "c", "namespace: c"),
    }
    assert codes(load_texts(LOWER, upper).findings) == ["M207", "M207", "M207"]


def test_a_patch_of_a_recipe_keeps_base_and_criteria() -> None:
    for spec in ("criteria: {service: gke}", "base: h100", "criteria: {}"):
        assert codes(load_texts(LOWER, {"recipes/gke.yaml": patch("Recipe", "gke", spec)}).findings) == ["M104"]


def test_a_patched_component_states_only_what_it_changes() -> None:
    spec = (
        "helm: {version: 9.9.9}\naliases: [other]\nnodeCountPaths: [n.odes]\n"
        "talos: {nodes: [{on: all, extensions: [x/z]}]}"
    )
    upper = {
        "components/a/component.yaml": patch("Component", "a", spec),
        "components/a/values.yaml": "d: high\nnew: 1\n",
    }
    found = resolved((LOWER, upper), "--service gke --nodes 2 --set other:s=1 --set first:t=1")["a"]
    assert found.values == {"d": "high", "k": 1, "n": {"odes": 2}, "new": 1, "s": 1, "t": 1, "x": "low"}
    assert found.chart is not None
    assert (found.chart.name, found.chart.version, found.namespace, found.description) == (
        "a",
        "9.9.9",
        "a",
        "A sample",
    )
    assert (found.privileged, [needs.extensions for needs in found.node_needs]) == (True, [("x/z",)])
    assert found.field_origins["version"][-1].file == "layer-2/components/a/component.yaml"


def test_a_patch_can_say_that_a_component_needs_no_privileges() -> None:
    upper = {"components/a/component.yaml": patch("Component", "a", "talos: {privileged: false}\naliases: [first]")}
    assert not resolved((LOWER, upper), "--service gke")["a"].privileged


def test_patched_mixins_take_part_where_the_mixin_does() -> None:
    upper = {"mixins/mix.yaml": patch("Mixin", "mix", "componentRefs: [{name: b, overrides: {m: 2, p: 3}}]")}
    assert resolved((LOWER, upper), "--service gke --accelerator h100")["b"].values == {"m": 2, "p": 3}


def test_paths_are_looked_up_in_the_own_layer_first() -> None:
    lower = texts(
        {"low": "criteria: {service: low}\ncomponentRefs: [{name: a, valuesFiles: [components/a/values-x.yaml]}]"},
        components={"a": ""},
        files={"components/a/values-x.yaml": "who: lower\n"},
    )
    upper = {
        "components/a/values-x.yaml": "who: upper\n",
        "recipes/up.yaml": document(
            "Recipe",
            "up",
            "criteria: {service: up}\ncomponentRefs: [{name: a, valuesFiles: [components/a/values-x.yaml]}]",
        ),
    }
    assert resolved((lower, upper), "--service low")["a"].values == {"who": "lower"}
    assert resolved((lower, upper), "--service up")["a"].values == {"who": "upper"}
    del upper["components/a/values-x.yaml"]
    assert resolved((lower, upper), "--service up")["a"].values == {"who": "lower"}


def test_the_default_values_that_a_component_names_are_of_its_own_layer() -> None:
    lower = texts(
        {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]"},
        components={"a": "valuesFiles: [components/a/values.yaml]"},
        files={"components/a/values.yaml": "who: lower\nx: 1\n"},
    )
    names = "valuesFiles: [components/a/values.yaml]"
    upper = {
        "components/a/component.yaml": patch("Component", "a", names),
        "components/a/values.yaml": "who: upper\n",
    }
    assert resolved((lower, upper), "--service eks")["a"].values == {"who": "upper", "x": 1}
    # A file that got lost is missed, although there is one of that name below.
    del upper["components/a/values.yaml"]
    (finding,) = load_texts(lower, upper).findings
    assert finding.code == "M202"
    assert finding.span is not None
    assert finding.span.file == "layer-2/components/a/component.yaml"


def test_a_lower_layer_does_not_see_files_of_a_higher_one() -> None:
    spec = "criteria: {service: low}\ncomponentRefs: [{name: a, valuesFiles: [components/a/values-x.yaml]}]"
    lower = texts({"low": spec}, components={"a": ""})
    assert codes(load_texts(lower, {"components/a/values-x.yaml": "who: upper\n"}).findings) == ["M202"]


def test_values_without_a_document_of_their_layer_would_not_be_read() -> None:
    findings = load_texts(LOWER, {"components/a/values.yaml": "d: high\n"}).findings
    assert codes(findings) == ["M206"]
    assert "patch: true" in findings[0].help


def test_a_support_list_patches_nothing() -> None:
    listed = document("Support", "support", "combinations: [{service: [gke], level: resolves}]", ", patch: true")
    assert codes(load_texts(LOWER, {"recipes/support.yaml": listed}).findings) == ["M101"]


def test_a_broken_document_is_not_missed_a_second_time() -> None:
    lower = LOWER | {"components/b/component.yaml": component("b", "nonsense: 1")}
    assert codes(load_texts(lower).findings) == ["M101"]


def test_the_digest_tells_catalogs_apart_and_not_their_order() -> None:
    one = sound(LOWER).digest
    assert sound(dict(reversed(LOWER.items()))).digest == one
    assert sound(LOWER | {"components/a/values.yaml": "d: other\n"}).digest != one
    assert resolve_texts(LOWER, "--service gke")[0] == resolve_texts(dict(reversed(LOWER.items())), "--service gke")[0]


def test_a_patch_of_what_is_asked_of_the_cluster_keeps_what_it_does_not_say() -> None:
    lower = texts(
        {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]"},
        components={"a": "cluster: {cni: none, kubeProxy: false, kubeProxyReplacementPath: x.y}"},
    )
    upper = {"components/a/component.yaml": patch("Component", "a", "cluster: {kubeProxy: true}")}
    needs = resolved((lower, upper), "--service eks")["a"].cluster_needs
    assert needs == ClusterNeeds("none", kube_proxy=True, replacement=("x", "y"))
    assert {key: span.file.split("/")[0] for key, span in needs.places.items()} == {
        "cni": "layer-1",
        "kubeProxy": "layer-2",
        "kubeProxyReplacementPath": "layer-1",
    }
    untouched = {"components/a/component.yaml": patch("Component", "a", "talos: {privileged: true}")}
    assert resolved((lower, untouched), "--service eks")["a"].cluster_needs.kube_proxy is False


@pytest.mark.parametrize(
    ("cluster", "code"),
    [
        ("{cni: cilium}", "M104"),
        ("{cni: null}", "M103"),
        ("{kubeProxy: 'off'}", "M103"),
        ("{kubeProxyReplacementPath: 'a..b'}", "M211"),
        ("{proxy: false}", "M101"),
    ],
)
def test_what_cannot_be_asked_of_the_cluster(cluster: str, code: str) -> None:
    found = load_texts(texts(components={"a": f"cluster: {cluster}"})).findings
    assert code in [finding.code for finding in found], found
