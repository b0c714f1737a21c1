"""Criteria from a snapshot narrow a query; what is stated wins, what nobody carries is left out with a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalog_kit import sound, texts
from groundswell.diagnostics.diagnostic import failed
from groundswell.resolve.query import Query
from groundswell.resolve.resolver import resolve
from groundswell.snapshot.answers import Answers
from groundswell.snapshot.criteria import derive, narrow
from groundswell.snapshot.facts import measure
from groundswell.snapshot.snapshot import Item, Measurement, Snapshot, Subtype
from snapshot_api import answers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.catalog.entries import Catalog
    from groundswell.diagnostics.diagnostic import Diagnostic


def facts(system: str = "", provider: str = "", product: str = "", nodes: int = 0) -> Snapshot:
    """A snapshot with a reading where one is given."""
    release = Measurement("OS", (Subtype("release", {"ID": system} if system else {}),))
    node = Measurement("K8s", (Subtype("node", {"provider": provider} if provider else {}),))
    label = Subtype("label", {"nvidia.com/gpu.product": f"{product}|n1"} if product else {})
    summary = Subtype("summary", {"node-count": nodes})
    return Snapshot((node, release, Measurement("NodeTopology", (summary, label))))


def found(snapshot: Snapshot) -> dict[str, str]:
    return dict(derive(snapshot, ()).criteria)


def narrowed(
    catalog: Catalog, snapshot: Snapshot, *, allow: bool = False, **stated: str
) -> tuple[Mapping[str, str], list[Diagnostic]]:
    """The criteria of the narrowed query, which must resolve, and the warnings."""
    query, warnings = narrow(catalog, Query(stated, allow_unsupported=allow), derive(snapshot, ()))
    assert not failed(warnings)
    resolution, findings = resolve(catalog, query)
    assert resolution is not None, findings
    return query.criteria, list(warnings)


@pytest.mark.parametrize(
    ("cluster", "criteria", "nodes"),
    [
        ("eks-h100-ubuntu", {"service": "eks", "accelerator": "h100", "os": "ubuntu"}, 3),
        ("metal-h100-talos", {"accelerator": "h100", "os": "talos"}, 5),
        ("gke-h100-cos", {"service": "gke", "accelerator": "h100", "os": "cos"}, 2),
        ("kind", {"service": "kind", "os": "debian"}, 2),
        ("mixed", {"os": "ubuntu"}, 4),
        ("version-only", {}, None),
    ],
)
def test_criteria_of_whole_clusters(cluster: str, criteria: dict[str, str], nodes: int | None) -> None:
    version, items = answers(cluster)
    derived = derive(measure(Answers(version, tuple(items)))[0], ())
    assert (derived.criteria, derived.nodes) == (criteria, nodes)


@pytest.mark.parametrize(
    ("snapshot", "criteria"),
    [
        (facts(system="amzn", provider="eks"), {"service": "eks", "os": "amazonlinux"}),
        (facts(system="Ubuntu"), {"os": "ubuntu"}),
        (facts(provider="oci"), {"service": "oke"}),
        (facts(provider="ocid1.instance.oc1"), {"service": "oke"}),
        (facts(system="talos", provider="eks"), {"os": "talos"}),
        (facts(system="talos", provider="openstack"), {"service": "openstack", "os": "talos"}),
        (facts(product="NVIDIA-GH200-480GB"), {"accelerator": "gh200"}),
        (facts(product="Strange-Thing"), {"accelerator": "strange-thing"}),
    ],
)
def test_names_of_other_collectors_are_understood(snapshot: Snapshot, criteria: dict[str, str]) -> None:
    assert found(snapshot) == criteria


def test_an_accelerator_that_only_a_collector_on_a_node_has_seen() -> None:
    assert found(Snapshot((Measurement("GPU", (Subtype("hardware", {"model": "b200"}),)),))) == {"accelerator": "b200"}


def test_slices_of_one_product_are_one_accelerator() -> None:
    products = ("NVIDIA-H100-80GB-HBM3", "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb")
    items = tuple(Item({"key": "nvidia.com/gpu.product", "value": product}, {}) for product in products)
    assert found(Snapshot((Measurement("NodeTopology", (Subtype("label", {}, items),)),))) == {"accelerator": "h100"}


def test_a_product_may_go_by_a_name_of_the_catalogs_own() -> None:
    snapshot = facts(product="AMD-Instinct-MI300X")
    assert derive(snapshot, ["mi300x"]).criteria == {"accelerator": "mi300x"}


KIND = {"kind": "criteria: {service: kind}", "train": "criteria: {intent: training}"}


def test_a_found_system_that_no_recipe_carries_is_left_out_with_one_warning() -> None:
    criteria, warnings = narrowed(sound(texts(KIND)), facts(system="ubuntu", provider="kind"))
    assert criteria == {"service": "kind"}
    (warning,) = warnings
    assert warning.code == "R403"
    assert warning.message == "the snapshot shows os `ubuntu`, which no recipe that applies carries: it is left out"


def test_the_same_system_stated_is_an_error() -> None:
    catalog = sound(texts(KIND))
    query, warnings = narrow(catalog, Query({"os": "ubuntu"}), derive(facts(system="ubuntu", provider="kind"), ()))
    assert not warnings
    assert [finding.code for finding in resolve(catalog, query)[1]] == ["R102"]


def test_a_stated_criterion_wins_without_a_word() -> None:
    recipes = {"kind": "criteria: {service: kind}", "metal": "criteria: {service: metal}"}
    criteria, warnings = narrowed(sound(texts(recipes)), facts(provider="kind"), service="metal")
    assert (criteria, warnings) == ({"service": "metal"}, [])


def test_found_criteria_bring_the_recipes_that_ask_for_them() -> None:
    recipes = {**KIND, "both": "criteria: {service: kind, os: ubuntu, intent: training}"}
    criteria, warnings = narrowed(sound(texts(recipes)), facts("ubuntu", "kind"), intent="training")
    assert (criteria, warnings) == ({"service": "kind", "os": "ubuntu", "intent": "training"}, [])


def test_nodes_that_differ_are_said_unless_the_criterion_is_stated() -> None:
    release = Subtype("release", {}, (Item({"node": "a"}, {"ID": "ubuntu"}), Item({"node": "b"}, {"ID": "debian"})))
    snapshot = Snapshot((Measurement("OS", (release,)),))
    recipes = {"train": "criteria: {intent: training}", "ubuntu": "criteria: {os: ubuntu}"}
    _, warnings = narrowed(sound(texts(recipes)), snapshot, intent="training")
    assert [(item.code, item.message) for item in warnings] == [
        ("R404", "the nodes have no os in common: `debian`, `ubuntu`")
    ]
    assert narrowed(sound(texts(recipes)), snapshot, os="ubuntu")[1] == []


SUPPORT = """
apiVersion: groundswell.dev/v1alpha1
kind: Support
metadata: {name: support}
spec:
  combinations:
    - {service: [kind], intent: [training], level: resolves}
    - {service: [metal], os: [ubuntu, talos], intent: [training], level: resolves}
"""
SUPPORTED = {
    "kind": "criteria: {service: kind}",
    "metal": "criteria: {service: metal}",
    "ubuntu": "criteria: {os: ubuntu}",
    "talos": "criteria: {os: talos}",
    "train": "criteria: {intent: training}",
}


def supported() -> Catalog:
    return sound(texts(SUPPORTED, files={"recipes/support.yaml": SUPPORT}))


def test_a_found_system_is_no_veto_where_the_catalog_stands_behind_the_rest() -> None:
    criteria, (warning,) = narrowed(supported(), facts("ubuntu", "kind"), intent="training")
    assert criteria == {"service": "kind", "intent": "training"}
    assert warning.message == (
        "the snapshot shows os `ubuntu`, and the catalog does not stand behind it together with "
        "--service kind --intent training: it is left out"
    )


def test_with_allow_unsupported_nothing_is_left_out() -> None:
    criteria, warnings = narrowed(supported(), facts("ubuntu", "kind"), allow=True, intent="training")
    assert (criteria, warnings) == ({"service": "kind", "os": "ubuntu", "intent": "training"}, [])


def test_talos_is_never_left_out_for_the_support_list() -> None:
    query, warnings = narrow(supported(), Query({"service": "kind", "intent": "training"}), derive(facts("talos"), ()))
    assert not warnings
    assert [finding.code for finding in resolve(supported(), query)[1]] == ["R103"]


def test_what_is_unsupported_as_stated_stays_as_it_was_found() -> None:
    query, warnings = narrow(supported(), Query({"service": "kind", "os": "talos"}), derive(facts(provider="kind"), ()))
    assert not warnings
    assert query.criteria == {"service": "kind", "os": "talos"}


def test_the_count_of_nodes_is_found_and_a_stated_one_wins() -> None:
    catalog = sound(texts(KIND))
    given = derive(facts(provider="kind", nodes=7), ())
    assert narrow(catalog, Query({}), given)[0].nodes == 7
    assert narrow(catalog, Query({}, nodes=3), given)[0].nodes == 3
