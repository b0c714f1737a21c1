"""A component that is the cluster's network comes before all that it does not need itself, on every system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from groundswell.plan.build import build_plan
from groundswell.plan.network import needed_by, network_components, replaced
from groundswell.resolve.resolution import ClusterNeeds, Component, Resolution
from plan_factory import TALOS, component

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan


def network(name: str = "net", needs: ClusterNeeds | None = None, **more: Any) -> Component:
    return component(name, cluster_needs=needs or ClusterNeeds("none", kube_proxy=False), **more)


def build(
    *components: Component, criteria: Mapping[str, str] | None = None
) -> tuple[Plan | None, tuple[Diagnostic, ...]]:
    items = tuple(sorted(components, key=lambda item: item.name))
    return build_plan(Resolution(TALOS if criteria is None else criteria, None, (), (), (), items, "0" * 64))


def levels(*components: Component, criteria: Mapping[str, str] | None = None) -> dict[str, int]:
    plan, findings = build(*components, criteria=criteria)
    assert plan is not None, findings
    assert not findings
    return {folder.component: folder.level for folder in plan.folders}


APPS = (component("app"), component("base"), component("user", dependencies=("app",)))


SYSTEMS: tuple[Mapping[str, str], ...] = (
    TALOS,
    {},
    {"os": "ubuntu"},
    {"service": "metal"},
    {"service": "eks", "os": "ubuntu"},
    {"service": "gke", "os": "cos"},
    {"service": "aks", "os": "ubuntu"},
)


@pytest.mark.parametrize("criteria", SYSTEMS)
def test_everything_waits_for_it_whatever_it_is_called(criteria: Mapping[str, str]) -> None:
    for name in ("a", "zz"):
        found = levels(network(name), *APPS, criteria=criteria)
        assert found == {name: 0, "app": 1, "base": 1, "user": 2}


@pytest.mark.parametrize("criteria", SYSTEMS)
def test_two_cnis_are_an_error(criteria: Mapping[str, str]) -> None:
    _, findings = build(network("a"), network("b"), *APPS, criteria=criteria)
    assert [finding.code for finding in findings] == ["P106"]


def test_what_it_needs_itself_comes_before_it_and_waits_for_nothing_more() -> None:
    crds, roots = component("crds", dependencies=("roots",)), component("roots")
    assert levels(network(dependencies=("crds",)), crds, roots, *APPS) == {
        "roots": 0,
        "crds": 1,
        "net": 2,
        "app": 3,
        "base": 3,
        "user": 4,
    }


def test_the_step_is_the_component_and_all_that_it_needs() -> None:
    plan, _ = build(network(dependencies=("crds",)), component("crds"), *APPS)
    assert plan is not None
    names = network_components(TALOS, plan.components)
    assert names == ("net",)
    assert needed_by(names, plan.dependencies) == {"net", "crds"}


def test_either_half_makes_the_network_and_two_halves_do_not_wait_for_each_other() -> None:
    cni, proxy = network("cni", ClusterNeeds("none")), network("proxy", ClusterNeeds(kube_proxy=False))
    assert levels(cni, proxy, *APPS) == {"cni": 0, "proxy": 0, "app": 1, "base": 1, "user": 2}


@pytest.mark.parametrize("criteria", SYSTEMS[1:])
def test_elsewhere_than_on_talos_the_value_decides_on_kube_proxy(criteria: Mapping[str, str]) -> None:
    needs = ClusterNeeds("none", kube_proxy=False, replacement=("on",))
    for values, parts in (({"on": True}, ("CNI", "kube-proxy")), ({"on": False}, ("CNI",)), ({}, ("CNI",))):
        item = network("net", needs, values=values)
        assert replaced(criteria, item) == parts
        assert replaced(TALOS, item) == ("CNI", "kube-proxy")
        assert levels(item, *APPS, criteria=criteria)["base"] == 1
    # Without such a value the component is believed.
    assert replaced(criteria, network("net", ClusterNeeds(kube_proxy=False))) == ("kube-proxy",)
    # Without kube-proxy's work there is nothing to wait for.
    proxy = network("net", ClusterNeeds(kube_proxy=False, replacement=("on",)))
    assert levels(proxy, *APPS, criteria=criteria)["base"] == 0


@pytest.mark.parametrize("criteria", SYSTEMS)
def test_who_needs_kube_proxy_cannot_do_its_work(criteria: Mapping[str, str]) -> None:
    needs = ClusterNeeds("none", kube_proxy=True, replacement=("on",))
    _, findings = build(network("net", needs, values={"on": True}), *APPS, criteria=criteria)
    assert [finding.code for finding in findings] == ["P107"]


def test_a_component_that_asks_for_what_talos_installs_anyway_is_no_network() -> None:
    assert levels(network("net", ClusterNeeds("flannel", kube_proxy=True)), *APPS)["base"] == 0


def test_switched_off_it_moves_nobody() -> None:
    assert levels(network(enabled=False), *APPS) == {"app": 0, "base": 0, "user": 1}


@pytest.mark.parametrize("value", [True, "true"])
@pytest.mark.parametrize("installed", [True, False, None])
def test_kube_proxy_and_its_replacement_exclude_each_other(value: Any, installed: bool | None) -> None:
    needs = ClusterNeeds(kube_proxy=installed, replacement=("proxy", "replace"))
    wrong = ["P107"] if installed is not False else []
    _, findings = build(network("net", needs, values={"proxy": {"replace": value}}))
    assert [finding.code for finding in findings] == wrong
    for other in (False, "false", None, "partial"):
        _, findings = build(network("net", needs, values={"proxy": {"replace": other}}))
        assert [finding.code for finding in findings] == (["P107"] if installed is False else [])
    unstated: tuple[dict[str, Any], ...] = ({}, {"proxy": True}, {"proxy": []})
    for values in unstated:
        _, findings = build(network("net", needs, values=values))
        assert [finding.code for finding in findings] == (["P107"] if installed is False else [])


def test_circles_are_told_as_before() -> None:
    _, findings = build(network(dependencies=("app",)), component("app", dependencies=("net",)), component("base"))
    assert [finding.code for finding in findings] == ["P102"]


def test_a_path_is_told_as_it_is_written() -> None:
    needs = ClusterNeeds(kube_proxy=True, replacement=("a.b", "c"))
    (finding,) = build(network("net", needs, values={"a.b": {"c": True}}))[1]
    assert r"`a\.b.c: true`" in finding.message
