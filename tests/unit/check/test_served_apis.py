"""The table of what each Kubernetes version serves, and the findings that rest on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundswell.check.chart_facts import Facts
from groundswell.check.rules.api_versions import removals
from groundswell.check.schema.kubernetes import builtin
from groundswell.check.served_apis import apis_of, newest, oldest, served_names
from groundswell.check.target import Target
from groundswell.deploy.scopes import Scope, scope
from unit.check.kit import found_by, messages, rendering, written

MINORS = range(oldest(), newest() + 1)
CLAIM = written("resource.k8s.io/v1beta1", "DeviceClass", "gpu")
CONFIG = written("v1", "ConfigMap", "c")


def test_nothing_is_both_served_and_off_and_stable_versions_are_served() -> None:
    for minor in MINORS:
        served, off = apis_of(minor)
        assert not served & off
        assert all("alpha" in version or "beta" in version for version, _ in off)
        assert {("v1", "Pod"), ("apps/v1", "Deployment"), ("apiregistration.k8s.io/v1", "APIService")} <= served


def test_no_beta_that_is_younger_than_1_24_is_served_by_default() -> None:
    first = apis_of(oldest()).served
    added = {api for minor in MINORS for api in apis_of(minor).served} - first
    late = {version for version, _ in added if "alpha" in version or "beta" in version}
    assert late == {"flowcontrol.apiserver.k8s.io/v1beta3"}


def test_the_table_agrees_with_that_of_removed_versions() -> None:
    for (version, kind), removal in removals().items():
        if oldest() < removal.minor <= newest():
            assert (version, kind) not in apis_of(removal.minor).served
            before = apis_of(removal.minor - 1)
            assert (version, kind) in before.served | before.off


def test_every_kind_has_a_scope() -> None:
    kinds = {(version.rpartition("/")[0], kind) for version, kind in apis_of(newest()).served}
    assert [item for item in kinds if scope(*item) is Scope.UNKNOWN] == []


@pytest.mark.parametrize("minor", MINORS)
def test_the_table_has_the_kinds_of_the_published_schemas(minor: int) -> None:
    known = builtin(minor)
    if known is None or known.minor != minor:
        pytest.skip("there are no schemas of this version here")
    passing = {"Eviction", "Scale", "Status", "TokenRequest"}  # what only a part of an address takes or gives
    listed = {
        (f"{group}/{version}" if group else version, kind)
        for group, version, kind in known.kinds
        if not kind.endswith("List") and kind not in passing
    }
    served, off = apis_of(minor)
    assert {api for api in served | off if api[1] not in passing} == listed


def test_an_unknown_minor_is_taken_for_the_nearest() -> None:
    assert apis_of(newest() + 5) == apis_of(newest())
    assert apis_of(1) == apis_of(oldest())


def test_helm_is_told_versions_and_kinds() -> None:
    names = served_names(37)
    assert {"resource.k8s.io/v1", "resource.k8s.io/v1/DeviceClass", "v1", "v1/Pod"} <= set(names)
    assert "resource.k8s.io/v1beta1" not in names
    assert len(names) == len(set(names))


def test_a_version_that_is_off_by_default_is_told_apart_from_one_that_is_not_there() -> None:
    def found(minor: int, text: str = CLAIM) -> list[str]:
        return messages("api-versions", rendering({"a": text}, target=Target(f"1.{minor}.0", "")))

    prefix = "K203 `DeviceClass gpu` is written in `resource.k8s.io/v1beta1`, which Kubernetes 1."
    assert found(37) == [f"{prefix}37.0 does not serve unless `--runtime-config` says so"]
    assert found_by("api-versions", rendering({"a": CLAIM}, target=Target("1.37.0", "")))[0].diagnostic.help == (
        "write `resource.k8s.io/v1`"
    )
    assert found(30) == [f"{prefix}30.0 does not serve"]
    assert found(34, CLAIM.replace("v1beta1", "v1")) == []
    assert found(33, CLAIM.replace("v1beta1", "v1"))
    assert found(33, written("example.test/v1beta1", "DeviceClass", "mine")) == []


def test_what_is_off_already_is_not_said_to_be_removed_later() -> None:
    soon = written("networking.k8s.io/v1beta1", "IPAddress", "i")
    assert messages("api-versions", rendering({"a": soon}, target=Target("1.33.0", "")))[0].startswith("K203")


def test_of_a_newer_kubernetes_only_what_is_known_to_be_off_is_told() -> None:
    later = Target(f"1.{newest() + 1}.0", "")
    assert messages("api-versions", rendering({"a": CLAIM}, target=later))
    assert not messages("api-versions", rendering({"a": CLAIM.replace("v1beta1", "v9")}, target=later))


def asking(text: str, *apis: str, assumed: str = "resource.k8s.io/v1beta1") -> list[str]:
    facts = {"a": Facts(asks=True, apis=tuple((api, "templates/a.yaml") for api in apis))}
    sample = replace(rendering({"a": text}, facts=facts, target=Target("1.37.0", "")), assumed=frozenset({assumed}))
    return [str(item.diagnostic.code) for item in found_by("api-versions", sample)]


def test_a_chart_that_was_told_of_an_api_that_is_not_served() -> None:
    assert asking(CLAIM, "resource.k8s.io/v1beta1") == ["K208"]
    assert asking(CONFIG, "resource.k8s.io/v1beta1") == ["K208"]
    assert asking(CONFIG) == []


def test_a_chart_that_asks_for_a_served_version_of_the_group_writes_that_one() -> None:
    assert asking(CONFIG, "resource.k8s.io/v1", "resource.k8s.io/v1beta1") == []
    assert asking(CONFIG, "apps/v1", "resource.k8s.io/v1beta1") == ["K208"]


def test_what_helm_did_not_make_the_chart_write_is_an_error() -> None:
    assert asking(CLAIM, "resource.k8s.io/v1beta1", assumed="extensions/v1beta1") == ["K203"]
    assert asking(CLAIM, "resource.k8s.io/v1beta10") == ["K203"]
