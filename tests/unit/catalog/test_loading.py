"""Documents to a catalog: what fields take, what is reported once, and where words of YAML 1.1 are allowed."""

from __future__ import annotations

import pytest

from catalog_kit import codes, component, document, load_texts, places, resolved, sound, texts


def spec_of(more: str) -> dict[str, str]:
    return texts({"eks": "criteria: {service: eks}\ncomponentRefs: [{name: a}]"}, components={"a": more})


def test_a_text_field_keeps_its_text_without_a_warning_and_values_do_not() -> None:
    catalog = texts(
        {"eks": "criteria: {platform: 1.10}\ncomponentRefs: [{name: a, overrides: {image: {tag: 1.20}}}]"},
        components={"a": ""},
    )
    loaded = load_texts(catalog)
    assert loaded.catalog is not None
    assert places(loaded.findings) == [("S111", "catalog/recipes/eks.yaml", 6, 54)]


@pytest.mark.parametrize(
    "version", ["1", "v1", "1.2", "1.10", "1.x", "1.2.x", "latest", "'*'", "'^1.2.3'", "01.2.3", "1.2.3-"]
)
def test_a_version_that_helm_reads_as_a_range_is_told_once(version: str) -> None:
    recipe = f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, version: {version}}}]"
    loaded = load_texts(texts({"eks": recipe}, components={"a": ""}))
    assert places(loaded.findings) == [("M104", "catalog/recipes/eks.yaml", 6, 38)]
    assert "range" in loaded.findings[0].message


@pytest.mark.parametrize(
    "version", ["1.2.3", "v1.18.2", "104.1.0+up4.9.0", "0.1.0-alpha.5", "1.0.0-rc.1+build-7", "0.0.0-0"]
)
def test_an_exact_version_is_one(version: str) -> None:
    recipe = f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, version: '{version}'}}]"
    assert load_texts(texts({"eks": recipe}, components={"a": ""})).findings == ()


@pytest.mark.parametrize("user", ["u@", "u:p@", ":p@", "%75@", "@"])
@pytest.mark.parametrize("scheme", ["https", "http", "oci"])
def test_a_repository_names_neither_user_nor_password(user: str, scheme: str) -> None:
    recipe = f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, repository: '{scheme}://{user}h.test/c'}}]"
    (finding,) = load_texts(texts({"eks": recipe}, components={"a": ""})).findings
    assert (finding.code, "without user and password" in finding.message) == ("M104", True)


def test_the_plain_key_on_is_a_word_where_the_model_has_that_field() -> None:
    catalog = spec_of("talos:\n  nodes:\n  - on: workers\n    extensions: [x/z]\n")
    (needs,) = resolved(catalog, "--service eks")["a"].node_needs
    assert (needs.on, needs.extensions) == ("workers", ("x/z",))


def test_each_thing_that_a_component_asks_of_machines_knows_its_place() -> None:
    block = "  - on: all\n    extensions: [x/y, x/z]\n    kernelModules:\n    - a-b\n    sysctls:\n      vm.x: '1'\n"
    catalog = spec_of(f"talos:\n  nodes:\n{block}    kernelArgs: [k=1]\n")
    (needs,) = resolved(catalog, "--service eks")["a"].node_needs
    lines = catalog["components/a/component.yaml"].split("\n")
    asked = [("extensions", "x/z"), ("kernelModules", "a-b"), ("kernelArgs", "k=1"), ("sysctls", "vm.x")]
    places = [needs.place(*item) for item in asked]
    texts_there = [place and lines[place.line - 1][place.column - 1 : place.end_column - 1] for place in places]
    assert texts_there == ["x/z", "a-b", "k=1", "'1'"]
    assert needs.place("extensions", "x/other") == needs.span


@pytest.mark.parametrize(
    "more",
    [
        "on: 1",
        "talos: {on: all}",
        "talos: {nodes: [{on: all, sysctls: {on: '1'}}]}",
        "talos: {nodes: [{on: all, sysctls: {vm.x: on}}]}",
    ],
)
def test_the_plain_word_on_is_refused_everywhere_else(more: str) -> None:
    assert "S110" in codes(load_texts(spec_of(more)).findings)


def test_the_plain_word_on_is_refused_in_values_and_overrides() -> None:
    catalog = spec_of("") | {"components/a/values.yaml": "on: 1\n"}
    assert codes(load_texts(catalog).findings) == ["S110"]
    recipe = "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {on: 1}}]"
    assert codes(load_texts(texts({"eks": recipe}, components={"a": ""})).findings) == ["S110"]


def test_a_value_left_empty_is_reported_once() -> None:
    catalog = spec_of("")
    catalog["recipes/eks.yaml"] = document("Recipe", "eks", "base:\ncriteria:\ncomponentRefs:\n- name: a\n  version:")
    assert codes(load_texts(catalog).findings) == ["S109", "S109", "S109"]


def test_a_folder_and_its_component_have_one_name() -> None:
    catalog = spec_of("") | {"components/b/component.yaml": component("c")}
    assert places(load_texts(catalog).findings) == [("M104", "catalog/components/b/component.yaml", 3, 18)]


def test_an_alias_that_is_the_own_name_or_stands_twice_is_harmless() -> None:
    assert sound(spec_of("aliases: [a, x, x]")).aliases == {"a": "a", "x": "a"}


def test_an_alias_of_two_components_is_refused() -> None:
    catalog = texts(components={"a": "aliases: [b]", "b": "", "c": "aliases: [z]", "d": "aliases: [z]"})
    assert codes(load_texts(catalog).findings) == ["M215", "M215"]


def test_a_circle_of_bases_is_reported_once_and_so_is_a_recipe_that_is_its_own_base() -> None:
    recipes = {"a": "base: b", "b": "base: c", "c": "base: a", "d": "base: d", "leads-in": "base: a"}
    findings = load_texts(texts(recipes)).findings
    assert [finding.message.partition(": ")[2] for finding in findings] == [
        "`a` -> `b` -> `c` -> `a`",
        "`d` -> `d`",
    ]
    assert codes(findings) == ["M204", "M204"]
    assert [item.span.file for item in findings[0].related] == ["catalog/recipes/b.yaml", "catalog/recipes/c.yaml"]


def test_contradicting_criteria_in_a_chain_are_reported_where_they_arise() -> None:
    recipes = {
        "eks": "criteria: {service: eks}",
        "middle": "base: eks\ncriteria: {os: ubuntu}",
        "gke": "base: middle\ncriteria: {service: gke}",
        "below": "base: gke\ncriteria: {intent: training}",
    }
    findings = load_texts(texts(recipes)).findings
    assert [(f.code, f.span and f.span.file) for f in findings] == [("M205", "catalog/recipes/gke.yaml")]


@pytest.mark.parametrize(
    ("base", "found"),
    [(None, ["M210"]), ("base: eks", ["M210"]), ("criteria: {}", ["M210"]), ("criteria: {os: talos}", ["M210"])],
)
def test_the_root_of_all_chains_is_there_and_unconditional(base: str | None, found: list[str]) -> None:
    catalog = texts({"eks": "criteria: {service: eks}", "gke": "criteria: {service: gke}"})
    del catalog["recipes/base.yaml"]
    if base:
        catalog["recipes/base.yaml"] = document("Recipe", "base", base)
    assert codes(load_texts(catalog).findings) == found


def test_every_reference_is_checked_in_patches_too() -> None:
    lower = texts({"eks": "criteria: {service: eks}"}, mixins={"m": ""}, components={"a": ""})
    upper = {
        "recipes/eks.yaml": document("Recipe", "eks", "mixins: [mm]\ncomponentRefs: [{name: aa}]", ", patch: true"),
        "mixins/m.yaml": document("Mixin", "m", "componentRefs: [{name: a, dependencyRefs: [bb]}]", ", patch: true"),
        "components/a/component.yaml": document("Component", "a", "dependencyRefs: [cc]", ", patch: true"),
    }
    findings = load_texts(lower, upper).findings
    assert codes(findings) == ["M203"] * 4
    assert {finding.help for finding in findings} >= {"did you mean `m`?", "did you mean `a`?"}


def test_every_constraint_of_every_document_is_read() -> None:
    bad = "constraints: [{name: K8s.server.version, value: '>= one'}]"
    findings = load_texts(texts({"eks": bad}, mixins={"m": bad}, components={"a": bad})).findings
    assert [(code, column) for code, _, _, column in places(findings)] == [("M209", 51), ("M209", 51), ("M209", 51)]


def test_manifests_have_unix_line_ends_and_no_byte_order_mark() -> None:
    recipe = "criteria: {service: eks}\ncomponentRefs: [{name: a, manifestFiles: [components/a/manifests/m.yaml]}]"
    catalog = texts(
        {"eks": recipe},
        components={"a": ""},
        files={"components/a/manifests/m.yaml": "\ufeffapiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: m}\r\n"},
    )
    (manifest,) = resolved(catalog, "--service eks")["a"].manifests
    assert (manifest.file, manifest.name, manifest.text) == (
        "catalog/components/a/manifests/m.yaml",
        "m.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
    )


def test_values_of_comments_only_are_an_empty_map() -> None:
    assert resolved(spec_of("") | {"components/a/values.yaml": "# nothing\n"}, "--service eks")["a"].values == {}


def test_findings_of_a_file_that_many_documents_name_come_once() -> None:
    recipe = "criteria: {service: %s}\ncomponentRefs: [{name: a, valuesFiles: [components/a/values-x.yaml]}]"
    catalog = texts(
        {name: recipe % name for name in ("eks", "gke")},
        components={"a": ""},
        files={"components/a/values-x.yaml": "- 1\n"},
    )
    assert codes(load_texts(catalog).findings) == ["M214"]


def test_the_default_values_are_those_that_a_component_names_in_their_order() -> None:
    files = {"components/a/values.yaml": "i: 1\nj: 1\n", "components/a/more.yaml": "j: 2\nk: 2\n"}
    both = "valuesFiles: [components/a/values.yaml, components/a/more.yaml]"
    for more, expected in (
        ("", {"i": 1, "j": 1}),
        (both, {"i": 1, "j": 2, "k": 2}),
        ("valuesFiles: [components/a/more.yaml]", {"j": 2, "k": 2}),
        ("valuesFiles: []", {}),
    ):
        assert resolved(spec_of(more) | files, "--service eks")["a"].values == expected


def test_a_values_file_that_a_component_names_must_be_there() -> None:
    catalog = spec_of("valuesFiles: [components/a/values.yaml]")
    assert places(load_texts(catalog).findings) == [("M202", "catalog/components/a/component.yaml", 8, 17)]
    catalog = spec_of("valuesFiles: [values.yaml]") | {"components/a/values.yaml": "x: 1\n"}
    (finding,) = load_texts(catalog).findings
    assert (finding.code, finding.help) == ("M202", "did you mean `components/a/values.yaml`?")


def test_what_is_wrong_with_values_is_told_beside_what_is_wrong_with_their_component() -> None:
    catalog = texts() | {"components/a/component.yaml": "[]\n", "components/a/values.yaml": "[]\n"}
    assert codes(load_texts(catalog).findings) == ["M214", "M214"]


def test_values_beside_a_component_that_names_others_are_unused() -> None:
    files = {"components/a/values.yaml": "x: 1\n", "components/a/more.yaml": "j: 2\n"}
    content = spec_of("valuesFiles: [components/a/more.yaml]") | files
    loaded = load_texts(content)
    assert loaded.used == {"catalog/components/a/more.yaml"}
