"""Mixins come after all overlays, once each, and must not meet what is there."""

from __future__ import annotations

import pytest

from aicr_kit import component, refused, resolution, texts

EKS = "criteria: {service: eks}\nmixins: [m]"
MANIFEST = {"components/app/manifests/ns.yaml": "# nothing\n"}


def test_mixins_of_all_applied_overlays_take_part_once_in_the_order_of_first_mention() -> None:
    overlays = {
        "below": "mixins: [b]",
        "eks": "base: below\ncriteria: {service: eks}\nmixins: [a, b]",
        "other": "criteria: {service: gke}\nmixins: [c]",
    }
    mixins = {name: f"constraints: [{{name: {name}, value: x}}]" for name in "abc"}
    found = resolution(texts(overlays, mixins=mixins))
    assert found.mixins == ("b", "a")
    assert [(item.name, item.layer) for item in found.constraints] == [("a", "mixin a"), ("b", "mixin b")]


def test_mixins_of_the_root_count_for_nothing() -> None:
    content = texts(
        {"eks": "criteria: {service: eks}"},
        base="mixins: [m]\ncomponentRefs: [{name: app}]",
        mixins={"m": "constraints: []"},
    )
    assert resolution(content).mixins == ()


def test_a_mixin_may_move_a_component_and_add_manifests() -> None:
    ref = "{name: app, namespace: moved, preManifestFiles: [components/app/manifests/ns.yaml]}"
    app = component(texts({"eks": EKS}, mixins={"m": f"componentRefs: [{ref}]"}, files=MANIFEST))
    assert app.namespace == "moved"
    assert [item.name for item in app.pre_manifests] == ["ns.yaml"]


def test_a_mixin_adds_a_component_that_is_absent_with_all_it_says() -> None:
    ref = "{name: lib, version: v3.0.0, overrides: {a: 1}, dependencyRefs: [app]}"
    lib = component(texts({"eks": EKS}, mixins={"m": f"componentRefs: [{ref}]"}), name="lib")
    assert lib.chart is not None
    assert (lib.chart.version, lib.values, lib.dependencies) == ("v3.0.0", {"a": 1}, ("app",))


@pytest.mark.parametrize("value", [">= 1.30", ">= 1.31"])
def test_a_constraint_that_is_stated_already_collides_even_with_the_same_value(value: str) -> None:
    overlays = {"eks": EKS + "\nconstraints: [{name: K, value: '>= 1.30'}]"}
    content = texts(overlays, mixins={"m": f"constraints: [{{name: K, value: '{value}'}}]"})
    assert refused(content) == [("R204", "mixin m states the constraint `K` again")]


def test_constraints_of_two_mixins_collide() -> None:
    mixins = dict.fromkeys(("m", "n2"), "constraints: [{name: OS.release.ID, value: ubuntu}]")
    content = texts({"eks": "criteria: {service: eks}\nmixins: [m, n2]"}, mixins=mixins)
    assert refused(content) == [("R204", "mixin n2 states the constraint `OS.release.ID` again")]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ("type: Helm", "`type`"),
        ("chart: the-app", "`chart`"),
        ("source: 'https://charts.example.test/stable'", "`source`"),
        ("version: 1.10", "`version`"),
        ("tag: x", "`tag`"),
        ("path: x", "`path`"),
        ("valuesFile: components/app/values.yaml", "`valuesFile`"),
        ("overrides: {a: 1}", "`overrides`"),
        ("patches: [x]", "`patches`"),
        ("dependencyRefs: [lib]", "`dependencyRefs`"),
        ("cleanup: true", "`cleanup`"),
        ("expectedResources: [{kind: Pod, name: x}]", "`expectedResources`"),
        ("healthCheckAsserts: x", "`healthCheckAsserts`"),
        ("healthCheckSkip: true", "`healthCheckSkip`"),
    ],
)
def test_a_mixin_cannot_say_more_on_a_component_that_is_there(said: str, field: str) -> None:
    base = "componentRefs: [{name: app}, {name: lib}]"
    mixins = {"m": f"componentRefs: [{{name: app, namespace: x, {said}}}]"}
    content = texts({"eks": EKS}, base=base, mixins=mixins, files={"components/app/values.yaml": "a: 1\n"})
    found = [text for code, text in refused(content) if code == "R204"]
    assert found == [f"mixin m sets {field} of `app`, which is there already"]


def test_a_component_of_one_mixin_is_there_for_the_next() -> None:
    mixins = dict.fromkeys(("m", "n2"), "componentRefs: [{name: lib, overrides: {a: 1}}]")
    content = texts({"eks": "criteria: {service: eks}\nmixins: [m, n2]"}, mixins=mixins)
    assert refused(content) == [("R204", "mixin n2 sets `overrides` of `lib`, which is there already")]
