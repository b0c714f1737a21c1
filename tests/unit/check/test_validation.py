"""Validation beyond the schemas: of samples that a real API server has judged, and of rendered folders."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import validation_samples
from groundswell.check.objects import KubeObject
from groundswell.check.schema.kubernetes import builtin
from groundswell.check.schema.validate import Rules, violations
from groundswell.check.schema.violation import Effect
from groundswell.check.tables import table_lines
from groundswell.check.target import Target
from groundswell.check.validation.cron import cron_fault
from groundswell.check.validation.demands import demands
from groundswell.check.validation.fault import Context
from groundswell.check.validation.forms import FORMS
from groundswell.check.validation.shapes import Shapes
from groundswell.check.validation.table import VALIDATORS, faults, validated
from groundswell.check.validation.zones import time_zone
from unit.check.kit import crd, found_by, messages, rendering, resource, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Fault

NEWEST = 37


def places(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str, Any]]:
    """The paths of all texts and numbers below the first key, and what they are."""
    if isinstance(node, dict | list):
        for key, below in node.items() if isinstance(node, dict) else enumerate(node):
            yield from places(below, (*path, str(key)))
    elif not any("." in key for key in path) and len(path) > 2 and not isinstance(node, bool):
        yield path[0], ".".join(path[1:]), node


PLACES = tuple(places(dict(validation_samples.bases())))
TARGET = Target("1.35.0", "")


@cache
def context(minor: int) -> tuple[Context, Mapping[tuple[str, str, str], str], Shapes]:
    known = builtin(minor)
    assert known is not None, "install the schemas: `kubernetes-validate`"
    return Context(minor, known.definitions), known.kinds, Shapes(known.definitions, validated())


def judged(item: Mapping[str, Any], minor: int = NEWEST) -> list[Fault]:
    told, kinds, shapes = context(minor)
    found = KubeObject("f", "", item, "ns")
    return list(faults(found, kinds.get((found.group, found.version, found.kind)), shapes, told))


def refused_by_schema(item: Mapping[str, Any]) -> bool:
    told, kinds, _ = context(NEWEST)
    group, _, version = item["apiVersion"].rpartition("/")
    schema = told.definitions[kinds[group, version, item["kind"]]]
    return any(found.effect is Effect.REFUSED for found in violations(item, schema, Rules(told.definitions)))


@pytest.mark.parametrize("name", validation_samples.bases())
def test_what_the_api_server_takes_has_no_fault(name: str) -> None:
    assert judged(validation_samples.bases()[name]) == []


def test_the_samples_are_judged_as_the_api_server_judged_them() -> None:
    wrong = [
        sample.name
        for sample in validation_samples.samples()
        if sample.fine is bool(validation_samples.judged(sample.item, NEWEST))
    ]
    assert wrong == []


def test_faults_are_told_near_the_field_that_was_changed() -> None:
    """At the field, below it, or, where fields do not go together, at what holds it or stands beside it."""
    far = []
    for sample in validation_samples.samples():
        path = tuple(sample.field.split("."))
        for fault in judged(sample.item):
            common = sum(1 for one, other in zip(path, fault.path, strict=False) if one == other)
            if common < min(len(path) - 3, len(fault.path)):
                far.append((sample.name, fault.path))
    assert far == []


def test_nothing_is_told_twice() -> None:
    for sample in validation_samples.samples():
        found = judged(sample.item)
        assert len(found) == len(set(found)), sample.name


def test_a_spec_that_is_not_there_is_one_without_fields_at_any_depth() -> None:
    """In the objects, and in the templates of pods and jobs in them."""
    compared = set()
    for base, item in validation_samples.bases().items():
        for field in specs(item):
            found = [
                validation_samples.judged(validation_samples.changed(base, field, value), NEWEST)
                for value in ({}, None, validation_samples.GONE)
            ]
            assert found[0] == found[1] == found[2], (base, field)
            compared.add(field)
    wanted = {
        "spec",
        "spec.template.spec",
        "template.spec",
        "spec.jobTemplate.spec",
        "spec.jobTemplate.spec.template.spec",
    }
    assert wanted <= compared


def specs(item: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """The paths of all that is called `spec`, but for what stands in lists."""
    for field, below in item.items():
        if field == "spec":
            yield ".".join((*path, field))
        if isinstance(below, dict):
            yield from specs(below, (*path, field))


@pytest.mark.parametrize(
    ("base", "field", "value"),
    [
        ("ConfigMap", "data", "text"),
        ("ConfigMap", "data", ["a b"]),
        ("ConfigMap", "metadata.labels", "a b"),
        ("PersistentVolumeClaim", "spec.accessModes", "Once"),
        ("Deployment", "spec.template.spec.containers.0.name", ["A"]),
        ("Deployment", "spec.template.spec.containers.0.ports.0.containerPort", "http"),
        ("Deployment", "spec.template.spec.containers.0.resources.limits.memory", [1]),
        ("Deployment", "spec.replicas", "-1"),
        ("Service", "spec.ports.0.port", 99999999999999999999999),
        ("Service", "spec.ports.0.port", 2**31),
        ("Deployment", "spec.template.spec.securityContext.supplementalGroups", [2**63]),
        ("PriorityClass", "value", 2**31),
    ],
)
def test_what_the_schema_tells_is_not_told_again(base: str, field: str, value: Any) -> None:
    item = validation_samples.changed(base, field, value)
    assert refused_by_schema(item)
    assert judged(item) == []


def test_the_tables_name_definitions_and_fields_that_there_are() -> None:
    told, _, _ = context(NEWEST)
    assert set(VALIDATORS) - set(told.definitions) == set()
    unknown = {
        (name, demand.field)
        for name, listed in demands().items()
        for demand in listed
        if demand.field not in told.definitions.get(name, {}).get("properties", {})
    }
    assert unknown == set()


def test_every_form_is_demanded_of_a_field_or_of_a_name() -> None:
    demanded = {demand.text for listed in demands().values() for demand in listed}
    assert set(FORMS) - demanded == set()


def test_the_address_of_a_webhook_is_not_shown_with_a_password_in_it() -> None:
    item = validation_samples.changed(
        "ValidatingWebhookConfiguration", "webhooks.0.clientConfig", {"url": "https://u:hunter2@a/b"}
    )
    (fault,) = judged(item)
    assert "hunter2" not in fault.message


def test_a_fault_in_a_schedule_is_told_with_its_field() -> None:
    assert cron_fault("60 * * * *") == "`60` is no number, range or step from 0 to 59"


def test_every_time_zone_stands_once_in_the_table() -> None:
    lines = [line.split("\t") for line in table_lines("time-zones.tsv")]
    listed = [f"{area}/{name}" for area, names in lines for name in names.split()]
    assert len(listed) == len(set(listed)) > 500
    assert all(time_zone(name.lstrip("/")) and not time_zone(name.lstrip("/").swapcase()) for name in listed)


LONG = st.builds(
    lambda before, digit, count, after: f"{before}{digit * count}{after}",
    st.sampled_from(("", "+", "-", "0.", "1", "@every ", "10.0.0.0/", "v1.")),
    st.sampled_from("0159"),
    st.sampled_from((4300, 4301, 5000)),
    st.sampled_from(("", "%", "Gi", "m", " * * * *", ".5", "e3", "s")),
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_number_is_too_long(data: st.DataObject) -> None:
    """Python reads no number of more than 4,300 digits. Long ones are put in any text, large ones for any number."""
    name, path, old = data.draw(st.sampled_from(PLACES))
    value = data.draw(LONG) if isinstance(old, str) else data.draw(st.sampled_from((10**300, -(10**300), float("inf"))))
    validation_samples.judged(validation_samples.changed(name, path, value), NEWEST)


@pytest.mark.parametrize(
    ("base", "field", "value", "fine"),
    [
        ("CronJob", "spec.schedule", f"{'9' * 5000} * * * *", False),
        ("CronJob", "spec.schedule", f"{'0' * 5000}1 * * * *", True),
        ("Deployment", "spec.strategy.rollingUpdate.maxSurge", f"{'9' * 5000}%", True),
        ("Deployment", "spec.strategy.rollingUpdate.maxUnavailable", f"{'9' * 5000}%", False),
        ("Deployment", "spec.strategy.rollingUpdate.maxUnavailable", f"{'0' * 5000}1%", True),
        ("PersistentVolumeClaim", "spec.resources.requests.storage", "9" * 5000, True),
        ("PersistentVolumeClaim", "spec.resources.requests.storage", f"1.{'0' * 5000}", True),
        ("Service", "spec.loadBalancerSourceRanges", [f"10.0.0.0/{'9' * 5000}"], False),
    ],
)
def test_long_numbers_are_judged_as_the_server_judges_them(base: str, field: str, value: Any, *, fine: bool) -> None:
    assert fine is not bool(validation_samples.judged(validation_samples.changed(base, field, value), NEWEST))


def test_a_responder_needs_no_priority_where_the_server_does_not_know_responders() -> None:
    field = "spec.evictionResponders.0"
    assert not validation_samples.judged(validation_samples.changed("Pod2", field, {"name": "a.b/c"}), NEWEST)
    assert validation_samples.judged(validation_samples.changed("Pod2", field, {"priority": 2000}), NEWEST)


def test_a_mistyped_level_of_a_namespace_is_told_with_a_guess() -> None:
    labels = {"pod-security.kubernetes.io/enforce": "baselin", "pod-security.kubernetes.io/warn-version": "1.30"}
    found = judged(validation_samples.changed("Namespace", "metadata.labels", labels))
    assert [(fault.path[-1], fault.message, fault.code.code) for fault in found] == [
        (
            "pod-security.kubernetes.io/enforce",
            "must be one of `privileged`, `baseline`, `restricted`, not `baselin`; did you mean `baseline`?",
            "K211",
        ),
        (
            "pod-security.kubernetes.io/warn-version",
            "must be `latest` or a version such as `v1.35`, not `1.30`",
            "K211",
        ),
    ]


def test_what_a_login_is_stays_secret() -> None:
    item = {**validation_samples.bases()["Secret"], "type": "kubernetes.io/dockerconfigjson"}
    item["stringData"] = {".dockerconfigjson": "hunter2"}
    (fault,) = judged(item)
    assert "hunter2" not in fault.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_nothing_that_may_be_written_breaks_it(data: st.DataObject) -> None:
    """Any value in the place of any other one, for which the schemas may have words of their own."""
    name = data.draw(st.sampled_from(sorted(validation_samples.bases())))
    path: list[str] = []
    node: Any = validation_samples.bases()[name]
    while isinstance(node, dict | list) and node and (not path or data.draw(st.integers(0, 9))):
        key = data.draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        path.append(str(key))
        node = node[key]
    item = validation_samples.bases()[name]
    if not any("." in key for key in path):
        item = validation_samples.changed(name, ".".join(path), data.draw(JSON))
    for minor in (25, NEWEST):
        judged({**item, "apiVersion": "apps/v1", "kind": "Deployment"} if "apiVersion" not in item else item, minor)


def test_findings_have_a_code_for_each_kind_of_fault_and_stand_at_their_folder() -> None:
    config = written("v1", "ConfigMap", "A_b")
    claim = written(
        "v1",
        "PersistentVolumeClaim",
        "c",
        "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2GB}}}",
    )
    budget = written("policy/v1", "PodDisruptionBudget", "p", "spec: {minAvailable: 1, maxUnavailable: 1}")
    sample = rendering({"a": config, "b": claim, "c": budget}, target=TARGET)
    name, amount, both = messages("validation", sample)
    assert name.startswith(
        "K209 `ConfigMap a/A_b`: `metadata.name` must be lower-case letters, digits, dashes and dots"
    )
    assert amount == (
        "K210 `PersistentVolumeClaim b/c`: `spec.resources.requests.storage` must be an amount such as `500m` or `2Gi`,"
        " not `2GB`; did you mean `2Gi`?"
    )
    assert both == "K211 `PodDisruptionBudget c/p`: `spec` must not have both `minAvailable` and `maxUnavailable`"
    assert [found.component for found in found_by("validation", sample)] == ["a", "b", "c"]


def test_custom_resources_have_names_and_labels_as_well_and_nothing_else_is_judged() -> None:
    labels = ", labels: {a: b c}"
    sample = rendering({"a": crd() + resource(spec="{cpu: 2GB}", more=labels) + resource(name="W")}, target=TARGET)
    assert [message.split(" must")[0] for message in messages("validation", sample)] == [
        "K209 `Widget a/one`: `metadata.labels.a`",
        "K209 `Widget a/W`: `metadata.name`",
    ]


def test_without_schemas_of_the_version_nothing_is_judged() -> None:
    assert (
        messages("validation", rendering({"a": written("v1", "ConfigMap", "A_b")}, target=Target("1.20.0", ""))) == []
    )
