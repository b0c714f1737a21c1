"""Criteria from a snapshot narrow a query; what is stated wins, what nobody carries is left out with a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalog_kit import sound, texts
from groundswell.diagnostics.diagnostic import failed
from groundswell.resolve.query import Query
from groundswell.resolve.resolver import resolve
from groundswell.snapshot.answers import Answers
from groundswell.snapshot.criteria import derive
from groundswell.snapshot.facts import measure
from groundswell.snapshot.narrowing import narrow
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
        ("mixed", {}, 4),
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


def of_nodes(**systems: str) -> Snapshot:
    """A snapshot of nodes by name, each with its operating system, "" for one that nobody knows."""
    items = tuple(Item({"node": name}, {"ID": system} if system else {}) for name, system in systems.items())
    summary = Measurement("NodeTopology", (Subtype("summary", {"node-count": len(systems)}),))
    return Snapshot((Measurement("OS", (Subtype("release", {}, items),)), summary))


SYSTEMS = {
    "train": "criteria: {intent: training}",
    "ubuntu": "criteria: {os: ubuntu}",
    "talos": "criteria: {os: talos}",
}


def missed(catalog: Catalog, snapshot: Snapshot, *declined: str, **stated: str) -> list[tuple[str, str, str]]:
    """Severity, code and text of what is said on criteria that a query does without."""
    findings = narrow(catalog, Query(stated), derive(snapshot, ()), declined)[1]
    return [(item.severity.value, item.code, item.message) for item in findings]


def test_nodes_that_differ_are_an_error_that_names_them_and_the_flag_that_decides() -> None:
    catalog, snapshot = sound(texts(SYSTEMS)), of_nodes(a="ubuntu", b="talos", c="talos", d="talos", e="talos")
    (finding,) = narrow(catalog, Query({"intent": "training"}), derive(snapshot, ()))[1]
    assert (finding.severity.value, finding.code) == ("error", "R404")
    assert finding.message == "the nodes have no os in common: `talos` on b, c, d and 1 more; `ubuntu` on a"
    assert "`--os talos` or `--os ubuntu`" in finding.help
    assert missed(catalog, snapshot, intent="training", os="ubuntu") == []
    assert missed(catalog, snapshot, "os", intent="training") == []


def test_a_node_whose_system_nobody_knows_differs_from_the_others() -> None:
    ((severity, code, text),) = missed(sound(texts(SYSTEMS)), of_nodes(a="talos", b=""), intent="training")
    assert (severity, code) == ("error", "R404")
    assert text == "the nodes have no os in common: none known on b; `talos` on a"


def test_accelerators_that_differ_are_an_error_with_the_nodes_of_each() -> None:
    products = {"NVIDIA-H100-80GB-HBM3": "a,b", "NVIDIA-L40S": "c"}
    items = tuple(
        Item({"key": "nvidia.com/gpu.product", "value": product}, {"node-list": nodes})
        for product, nodes in products.items()
    )
    folded = {f"nvidia.com/gpu.product.{product}": f"{product}|{nodes}" for product, nodes in products.items()}
    catalog = sound(texts({"h100": "criteria: {accelerator: h100}", "train": "criteria: {intent: training}"}))
    said = [("error", "R404", "the nodes have no accelerator in common: `h100` on a, b; `l40s` on c")]
    for label in (Subtype("label", {}, items), Subtype("label", folded)):
        summary = Subtype("summary", {"node-count": 3})
        snapshot = Snapshot((Measurement("NodeTopology", (summary, label)),))
        assert missed(catalog, snapshot, intent="training") == said


def test_nodes_that_differ_in_what_no_recipe_could_add_to_are_a_warning() -> None:
    ((severity, code, _),) = missed(sound(texts(KIND)), of_nodes(a="debian", b="talos"), service="kind")
    assert (severity, code) == ("warning", "R404")


def test_without_nodes_the_criteria_that_were_not_read_are_named() -> None:
    recipes = {**SYSTEMS, "eks": "criteria: {service: eks}"}
    nothing = Snapshot((Measurement("K8s", (Subtype("server", {"version": "v1.34.0"}),)),))
    assert missed(sound(texts(recipes)), nothing, intent="training") == [
        ("warning", "R405", "the snapshot does not tell the service of the cluster, since it holds no nodes"),
        ("error", "R405", "the snapshot does not tell the os of the cluster, since it holds no nodes"),
    ]
    assert missed(sound(texts(recipes)), nothing, "os", service="eks") == []


def test_what_no_recipe_could_add_to_need_not_be_read() -> None:
    assert missed(sound(texts(KIND)), Snapshot(()), service="kind", intent="training") == []


def test_a_system_beside_those_of_the_catalog_is_an_error() -> None:
    catalog = sound(texts(SYSTEMS))
    ((severity, code, text),) = missed(catalog, facts(system="amzn", nodes=1), intent="training")
    assert (severity, code) == ("error", "R406")
    assert text == ("the nodes run os `amazonlinux`, and the catalog stands behind --intent training only with others")
    assert missed(catalog, facts(system="amzn", nodes=1), "os", intent="training") == []


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


def test_a_supported_system_of_another_service_is_an_error() -> None:
    recipes = {**SUPPORTED, "cos": "criteria: {os: cos}"}
    catalog = sound(texts(recipes, files={"recipes/support.yaml": SUPPORT}))
    ((severity, code, _),) = missed(catalog, facts("cos", nodes=1), service="metal", intent="training")
    assert (severity, code) == ("error", "R406")


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
