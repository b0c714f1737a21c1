"""Levels, phases, waves and numbers; edges that are declared, implied, satisfied from outside or missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from catalog_kit import planned, resolve_texts, texts
from groundswell.diagnostics.diagnostic import failed
from groundswell.plan.build import build_plan
from groundswell.resolve.resolution import Resolution
from plan_factory import component, manifest, namespace_manifest

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component


def build(*components: Component) -> tuple[Plan | None, tuple[Diagnostic, ...]]:
    items = tuple(sorted(components, key=lambda item: item.name))
    return build_plan(Resolution({}, None, (), (), (), items, "0" * 64))


def plan_of(*components: Component) -> Plan:
    plan, findings = build(*components)
    assert plan is not None, findings
    return plan


def names(plan: Plan) -> list[str]:
    return [folder.name for folder in plan.folders]


def in_catalog(edges: dict[str, list[str]], **fields: str) -> dict[str, str]:
    """A catalog whose base installs components with these dependencies."""
    refs = ", ".join(
        f"{{name: {name}, dependencyRefs: {json.dumps(waits)}{fields.get(name, '')}}}" for name, waits in edges.items()
    )
    return texts(
        {"base": f"componentRefs: [{refs}]", "eks": "criteria: {service: eks}"}, components=dict.fromkeys(edges, "")
    )


def findings_of(catalog: dict[str, str], options: str = "--service eks") -> tuple[Diagnostic, ...]:
    resolution, wrong = resolve_texts(catalog, options)
    assert resolution is not None, wrong
    return build_plan(resolution)[1]


def full(name: str, **more: Any) -> Component:
    """A component with all three phases."""
    before, after = (manifest("a: b\n", f"{place}.yaml") for place in ("before", "after"))
    return component(name, pre_manifests=(before,), manifests=(after,), **more)


def test_folders_come_by_level_then_component_then_phase() -> None:
    plan = plan_of(full("b"), full("a", dependencies=("b",)), component("c"), component("d", dependencies=("a", "c")))
    assert names(plan) == ["001-b-pre", "002-b", "003-b-post", "004-c", "005-a-pre", "006-a", "007-a-post", "008-d"]
    assert [folder.wave for folder in plan.folders] == [0, 1, 2, 1, 4, 5, 6, 9]
    assert [folder.level for folder in plan.folders] == [0, 0, 0, 0, 1, 1, 1, 2]


def test_a_component_of_manifests_only_is_one_folder() -> None:
    plan = plan_of(component("m", chart=None, manifests=(manifest("a: b\n"),)))
    assert [(folder.name, folder.local) for folder in plan.folders] == [("001-m", True)]


def test_manifests_and_charts_wait_for_each_other_alike() -> None:
    issuers = component("issuers", chart=None, manifests=(manifest("a: b\n"),), dependencies=("cert-manager",))
    plan = plan_of(component("cert-manager"), issuers, component("app", dependencies=("issuers",)))
    waves = {folder.component: folder.wave for folder in plan.folders}
    assert waves == {"cert-manager": 1, "issuers": 5, "app": 9}
    assert sum(map(len, plan.dependencies.values())) == 2


@pytest.mark.parametrize(
    ("count", "first", "last"), [(999, "001", "999"), (1000, "0001", "1000"), (1001, "0001", "1001")]
)
def test_numbers_are_as_wide_as_the_largest_needs_and_sort_as_text(count: int, first: str, last: str) -> None:
    plan = plan_of(*(component(f"c{index}") for index in range(count)))
    assert (plan.folders[0].number, plan.folders[-1].number) == (first, last)
    assert sorted(names(plan)) == names(plan)


def test_a_chain_of_thousands_is_no_matter() -> None:
    chain = [component("c0"), *(component(f"c{index}", dependencies=(f"c{index - 1}",)) for index in range(1, 5000))]
    plan = plan_of(*chain)
    assert (plan.folders[-1].name, plan.folders[-1].level) == ("5000-c4999", 4999)


def test_a_disabled_dependency_is_satisfied_and_recorded() -> None:
    for plan in (
        plan_of(component("cert-manager", enabled=False), component("gpu-operator", dependencies=("cert-manager",))),
        planned(
            in_catalog({"cert-manager": [], "gpu-operator": ["cert-manager"]}), "--service eks --without cert-manager"
        ),
    ):
        assert names(plan) == ["001-gpu-operator"]
        assert plan.provided == ("cert-manager",)
        assert plan.dependencies == {"gpu-operator": ()}


def test_a_dependency_that_is_not_in_the_plan_is_no_cycle() -> None:
    catalog = in_catalog({"gpu-operator": ["nfd", "cert-manager"], "cert-manager": []})
    catalog |= texts(components={"nfd": ""})
    catalog["recipes/base.yaml"] = in_catalog({"gpu-operator": ["nfd", "cert-manager"], "cert-manager": []})[
        "recipes/base.yaml"
    ]
    (finding,) = findings_of(catalog)
    assert finding.code == "P101"
    assert finding.message == "`gpu-operator` depends on `nfd`, which is not in the plan"
    assert "c" + "ycle" not in (finding.message + finding.help).lower()
    assert "circular" not in (finding.message + finding.help).lower()
    assert finding.span is not None
    assert finding.span[:3] == ("catalog/recipes/base.yaml", 5, 57)


def test_all_cycles_are_reported_each_as_its_path_with_the_line_of_each_edge() -> None:
    cycles = findings_of(in_catalog({"a": ["b"], "b": ["a"], "c": ["c"], "d": ["a", "c"]}))
    assert [finding.code for finding in cycles] == ["P102", "P102"]
    assert [finding.message.partition(": ")[2] for finding in cycles] == ["`a` -> `b` -> `a`", "`c` -> `c`"]
    assert cycles[0].span is not None
    assert [cycles[0].span.column, *(item.span.column for item in cycles[0].related)] == [46, 80]


def test_a_cycle_does_not_hide_a_missing_dependency() -> None:
    plan, findings = build(component("a", dependencies=("b", "nowhere")), component("b", dependencies=("a",)))
    assert plan is None
    assert sorted(finding.code for finding in findings) == ["P101", "P102"]


def test_installing_into_a_namespace_that_another_owns_is_a_dependency() -> None:
    owner = component("z-owner", pre_manifests=(namespace_manifest("shared"),), namespace="shared")
    plan = plan_of(owner, component("a", namespace="shared"))
    assert plan.dependencies == {"a": ("z-owner",), "z-owner": ()}
    assert names(plan) == ["001-z-owner-pre", "002-z-owner", "003-a"]
    assert plan.folders[0].owns == ("shared",)
    assert plan.namespaces_owned == {"shared"}


def test_one_who_owns_its_own_namespace_waits_for_nobody() -> None:
    plan = plan_of(component("a", pre_manifests=(namespace_manifest("a"), namespace_manifest("b"))), component("b"))
    assert plan.dependencies == {"a": (), "b": ("a",)}


def test_an_implied_edge_can_close_a_cycle_and_is_told_as_such() -> None:
    owner = component("owner", pre_manifests=(namespace_manifest("shared"),), dependencies=("user",))
    plan, (finding,) = build(owner, component("user", namespace="shared"))
    assert plan is None
    assert finding.code == "P102"
    assert finding.help == "`user` installs into a namespace of `owner`"


def test_a_component_may_be_called_pre_or_post_unless_another_has_that_phase() -> None:
    assert names(plan_of(component("foo-pre"), component("foo"))) == ["001-foo", "002-foo-pre"]
    plan, findings = build(component("foo-pre"), full("foo"), component("foo-post"))
    assert plan is None
    assert [finding.code for finding in findings] == ["P103", "P103"]


def test_names_have_at_most_53_characters_with_their_suffix() -> None:
    assert plan_of(component("n" * 53))
    assert plan_of(component("n" * 49, pre_manifests=(manifest("a: b\n"),)))
    plan, findings = build(full("n" * 49))
    assert plan is None
    assert [(finding.code, "-post" in finding.message) for finding in findings] == [("P104", True)]


def test_a_plan_without_components_is_refused() -> None:
    plan, findings = build(component("a", enabled=False))
    assert plan is None
    assert failed(findings)
    assert [finding.code for finding in findings] == ["P105"]


def test_a_disabled_component_has_no_say() -> None:
    off = component("off", enabled=False, dependencies=("nowhere",), pre_manifests=(namespace_manifest("a"),))
    assert plan_of(off, component("a")).dependencies == {"a": ()}


def test_a_component_is_no_guess_at_its_own_dependency() -> None:
    catalog = in_catalog({"gpu-operator": ["nvidia-gpu-operator"]})
    catalog |= texts(components={"nvidia-gpu-operator": ""})
    del catalog["recipes/base.yaml"]
    catalog |= {"recipes/base.yaml": in_catalog({"gpu-operator": ["nvidia-gpu-operator"]})["recipes/base.yaml"]}
    (finding,) = findings_of(catalog)
    assert finding.code == "P101"
    assert finding.help == "add `nvidia-gpu-operator` to a recipe that applies to this query"


def test_a_manifest_before_and_after_a_component_is_refused_with_both_places() -> None:
    path = "components/a/manifests/m.yaml"
    files = {path: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"}
    recipes = {
        "base": f"componentRefs: [{{name: a, preManifestFiles: [{path}]}}]",
        "eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: a, manifestFiles: [{path}]}}]",
    }
    (finding,) = findings_of(texts(recipes, components={"a": ""}, files=files))
    assert finding.code == "P108"
    assert finding.span is not None
    assert (finding.span.file, finding.span.line) == ("catalog/recipes/eks.yaml", 6)
    assert [related.span.file for related in finding.related] == ["catalog/recipes/base.yaml"]
