"""Health rules that components bring, and custom resources that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from catalog_kit import load_texts, planned
from catalog_kit import texts as catalog_texts
from groundswell.deploy.argocd.gate import PATCH_FILE, health_rules
from groundswell.deploy.argocd.readiness import ready_at_once
from groundswell.diagnostics.diagnostic import Severity
from plan_factory import component, manifest, plan
from unit.deploy.argocd_sample import CLUSTER_POLICY, POLICY, emitted, sample_plan, texts

if TYPE_CHECKING:
    from groundswell.resolve.resolution import Component

CUSTOM = "apiVersion: example.test/v1\nkind: Widget\nmetadata:\n  name: w\n"


def with_manifest(text: str, *, follower: bool = True) -> tuple[Component, ...]:
    """A component with a manifest after its chart, and one that waits for it."""
    first = component("a", manifests=(manifest(text, "components/a/manifests/a.yaml"),))
    return (first, component("b", dependencies=("a",))) if follower else (first,)


def hinted(text: str, *, follower: bool = True) -> tuple[str, ...]:
    return ready_at_once(plan(*with_manifest(text, follower=follower)), ())[0]


def test_rules_are_sorted_behind_the_one_for_applications() -> None:
    one = component("one", argocd_health={"z.test_Z": "return {}", "a.test_A": "return {}"})
    rules, findings = health_rules(plan(one, component("two", argocd_health={"m.test_M": "return {}"})))
    assert list(rules) == ["argoproj.io_Application", "a.test_A", "m.test_M", "z.test_Z"]
    assert findings == ()


def test_the_same_rule_twice_is_one_rule_and_two_different_ones_are_an_error() -> None:
    def codes(other: str) -> list[str]:
        one = component("one", argocd_health={"nvidia.com_ClusterPolicy": CLUSTER_POLICY})
        two = component("two", argocd_health={"nvidia.com_ClusterPolicy": other})
        return [f"{finding.code} {finding.message}" for finding in health_rules(plan(one, two))[1]]

    assert codes(CLUSTER_POLICY) == []
    assert codes("return {}") == ["D208 `one` and `two` bring different health rules for `nvidia.com_ClusterPolicy`"]


def test_the_rule_for_applications_cannot_be_replaced() -> None:
    rules, findings = health_rules(plan(component("one", argocd_health={"argoproj.io_Application": "return {}"})))
    assert [finding.code for finding in findings] == ["D208"]
    assert "wave-gate" in rules["argoproj.io_Application"]


@pytest.mark.parametrize(
    "key", ["ClusterPolicy", "nvidia.com/ClusterPolicy", "nvidia.com_*", "nvidia.com_", "", "a b_C", "A_B\n"]
)
def test_a_key_that_argo_cd_cannot_read_is_an_error(key: str) -> None:
    rules, findings = health_rules(plan(component("one", argocd_health={key: "return {}"})))
    assert [finding.code for finding in findings] == ["D207"]
    assert list(rules) == ["argoproj.io_Application"]


def test_findings_about_rules_have_the_places_of_their_keys() -> None:
    path = "components/{}/component.yaml"
    first = "argocdHealth:\n  b.test_B: return {}\n  a.test_A: return {}\n"
    rival = 'argocdHealth: {a.test_A: "return {b = 1}"}\n'
    layers = texts_of({"eks": "criteria: {service: eks}\ncomponentRefs: [{name: one}, {name: two}]"}, first, rival)
    findings = health_rules(planned(layers, "--service eks"))[1]
    told = [(f.code, f.span.file, f.span.line, f.span.column) for f in findings if f.span is not None]
    one, two = (f"catalog/{path.format(name)}" for name in ("one", "two"))
    assert told == [("D208", two, 8, 18)]
    assert [item.span[:3] for item in findings[0].related] == [(one, 10, 5)]


@pytest.mark.parametrize("key", ["ClusterPolicy", "nvidia.com/ClusterPolicy", "nvidia.com_", "argoproj.io_Application"])
def test_a_key_that_no_bundle_may_hold_is_an_error_of_the_catalog_at_the_key(key: str) -> None:
    rules = f"argocdHealth:\n  a.test_A: return {{}}\n  {key}: return {{}}\nnodeCountPaths: [a..b]\n"
    loaded = load_texts(catalog_texts(components={"one": rules}))
    assert loaded.catalog is None
    # All that is wrong with the rest is found as well.
    assert [(f.code, f.span and f.span[1:3]) for f in loaded.findings] == [("M104", (10, 5)), ("M211", (11, 20))]


def texts_of(recipes: dict[str, str], one: str, two: str) -> dict[str, str]:
    return catalog_texts(recipes, components={"one": one, "two": two})


def test_lua_arrives_as_written() -> None:
    lua = 'local s = "a\\tb"\n\n-- comment: {{ x }}\nreturn { status = "Healthy", message = s }\n'
    result = emitted(plan(component("one", argocd_health={"a.test_A": lua}), component("b", dependencies=("one",))))
    assert yaml.safe_load(texts(result)[PATCH_FILE])["data"]["resource.customizations.health.a.test_A"] == lua


def test_a_custom_resource_without_a_rule_is_hinted_at_with_its_place() -> None:
    kinds, (hint,) = ready_at_once(plan(*with_manifest(f"# one\n---\n{CUSTOM}---\n{CUSTOM}")), ())
    assert kinds == ("example.test/Widget",)
    assert (hint.code, hint.severity) == ("D210", Severity.HINT)
    assert hint.message == "under Argo CD, a `example.test/Widget` of `a` counts as ready as soon as it exists"
    assert hint.span is not None
    assert (hint.span.file, hint.span.line, hint.span.column) == ("components/a/manifests/a.yaml", 4, 7)
    assert "`example.test_Widget`" in hint.help


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\n",
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: r\n",
        "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata:\n  name: i\n",
        "apiVersion: kms.aws.upbound.io/v1beta1\nkind: Key\nmetadata:\n  name: b\n",
        "# nothing\n",
        "apiVersion: example.test/v1\nkind: {{ .Values.a.kind }}\n",
    ],
    ids=["core", "apps", "rbac", "own check", "check by pattern", "empty", "rendered"],
)
def test_kinds_that_argo_cd_knows_are_not_hinted_at(text: str) -> None:
    assert hinted(text) == ()


def test_a_rule_of_the_bundle_silences_the_hint() -> None:
    of = plan(*with_manifest(CUSTOM))
    assert ready_at_once(of, {"example.test_Widget"}) == ((), ())


def test_nothing_follows_the_last_wave() -> None:
    assert hinted(CUSTOM, follower=False) == ()


def test_manifests_before_a_chart_and_without_one_are_looked_at() -> None:
    before = component("a", pre_manifests=(manifest(CUSTOM),))
    alone = component("a", chart=None, manifests=(manifest(POLICY),))
    assert ready_at_once(plan(before), ())[0] == ("example.test/Widget",)
    assert ready_at_once(plan(alone, component("b", dependencies=("a",))), ())[0] == ("nvidia.com/ClusterPolicy",)


def test_the_sample_has_no_hint_because_it_brings_the_rule() -> None:
    assert emitted(sample_plan()).findings == ()
