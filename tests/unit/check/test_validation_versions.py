"""Validation for versions of Kubernetes that refuse more than the newest, or less."""

from __future__ import annotations

from typing import Any

import pytest

import validation_samples
from groundswell.check.validation.addresses import STRICT
from groundswell.check.validation.forms import FORMS, RELAXED_SERVICES, RELAXED_VARIABLES

SINCE: list[tuple[str, str, Any, int]] = [
    ("StatefulSet", "spec.serviceName", "a.b", 33),
    ("StatefulSet", "spec.updateStrategy.rollingUpdate.maxUnavailable", 0, 37),
    ("StatefulSet", "spec.updateStrategy.rollingUpdate.maxUnavailable", "200%", 37),
    ("Bare", "spec.hostnameOverride", "A", 35),
    ("Bare", "spec.containers.0.restartPolicy", "Sometimes", 35),
    ("Bare", "spec.resources", {"limits": {"ephemeral-storage": 1}}, 34),
    ("Bare", "spec", {"hostUsers": False, "hostPID": True, "containers": [{"name": "c", "image": "i"}]}, 33),
    ("Service", "spec.trafficDistribution", "Near", 31),
    ("PersistentVolumeClaim", "spec.volumeAttributesClassName", "A", 34),
    ("Job", "spec.managedBy", "a", 32),
    ("CSIDriver", "spec.nodeAllocatableUpdatePeriodSeconds", 1, 35),
]
"""What is refused from a minor on, and has no effect before: the server leaves the field out, or takes anything."""

BEFORE: list[tuple[str, str, Any, int]] = [
    ("PersistentVolumeClaim", "spec.accessModes", ["ReadWriteOncePod"], 27),
    ("Service", "spec.trafficDistribution", "PreferSameNode", 34),
    ("ResourceQuota", "spec", {"scopes": ["VolumeAttributesClass"]}, 33),
    ("HorizontalPodAutoscaler2", "spec.minReplicas", 0, 37),
]
"""What is taken from a minor on, and was refused before."""


@pytest.mark.parametrize(("base", "field", "value", "minor"), SINCE)
def test_what_a_version_does_not_look_at_is_not_judged_for_it(base: str, field: str, value: Any, minor: int) -> None:
    item = validation_samples.changed(base, field, value)
    assert validation_samples.judged(item, minor)
    assert not validation_samples.judged(item, minor - 1)


@pytest.mark.parametrize(("base", "field", "value", "minor"), BEFORE)
def test_values_that_came_later_are_refused_before(base: str, field: str, value: Any, minor: int) -> None:
    item = validation_samples.changed(base, field, value)
    assert not validation_samples.judged(item, minor)
    assert validation_samples.judged(item, minor - 1)


def test_a_value_is_no_guess_before_it_is_one() -> None:
    item = validation_samples.changed("Service", "spec.trafficDistribution", "PreferSameNod")
    now, before = (validation_samples.judged(item, minor)[0].partition(" ")[2] for minor in (34, 33))
    assert now.endswith("; did you mean `PreferSameNode`?")
    assert before == "must be one of `PreferClose`, not `PreferSameNod`"


def test_older_versions_are_stricter_on_variables_and_services() -> None:
    for name, minor, texts in (
        ("variable", RELAXED_VARIABLES, ("a b", "1")),
        ("service-name", RELAXED_SERVICES, ("1a",)),
    ):
        for text in texts:
            assert FORMS[name].fits(text, minor)
            assert not FORMS[name].fits(text, minor - 1)
        assert FORMS[name].fits("a", minor - 1)


def test_addresses_could_be_written_in_more_ways_once() -> None:
    """Each of the samples of 1.37 that begins with 0, is IPv4 in IPv6, or has more bits than its prefix."""
    for name, texts in (
        ("address", ("010.1.1.1", "::ffff:1.2.3.4")),
        ("cidr", ("010.0.0.0/8", "10.0.0.0/08", "10.1.0.0/8", "::ffff:10.0.0.0/104")),
    ):
        for text in texts:
            assert FORMS[name].fits(text, STRICT - 1), text
            assert not FORMS[name].fits(text, STRICT), text
    assert not FORMS["cidr"].fits("10.0.0.0/255.0.0.0", STRICT)


def test_a_schedule_could_name_a_zone_once() -> None:
    assert FORMS["cron"].fits("TZ=UTC 0 0 * * *", 28)
    assert not FORMS["cron"].fits("TZ=UTC 0 0 * * *", 29)
