"""After a folder that failed, install.sh shows what the cluster says of it, with Helm alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from helm.fakeapi import FakeApi, Rule
from helm.gpu_site import site_for

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from helm.helm_site import Site

pytestmark = pytest.mark.helm

REFUSED = 'Error creating: pods "web-1" is forbidden: violates PodSecurity "baseline:latest": privileged'


@pytest.fixture(params=["3", "4"])
def site(request: pytest.FixtureRequest, api: FakeApi, tmp_path: Path) -> Site:
    api.add_namespace("app")
    return site_for(request.param, api, tmp_path)


def at(minutes: float) -> str:
    """A time from now on, as the API server writes it."""
    return (datetime.now(UTC) + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def event(api: FakeApi, number: int, reason: str, message: str, time: str = "", **fields: object) -> None:
    stored = {
        "metadata": {"name": f"e{number}", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "type": "Warning",
        "reason": reason,
        "message": message,
        "involvedObject": {"kind": "ReplicaSet", "name": "web"},
        "lastTimestamp": time or None,
    }
    api.store.create(api.store.resource("", "v1", "events"), "app", stored | fields)


def failing(site: Site, api: FakeApi) -> CompletedProcess[str]:
    api.rules.append(Rule("POST .*/app/configmaps", 500, "InternalError"))
    done = site.run("install.sh")
    assert done.returncode == 1
    assert "003-app failed: release app in namespace app" in done.stderr
    assert "--from 003-app" in done.stderr
    return done


def test_a_refusal_by_pod_security_is_shown(site: Site, api: FakeApi) -> None:
    newer = at(2)
    event(api, 1, "FailedCreate", "an older text", at(1))
    event(api, 2, "FailedCreate", f"{REFUSED}\n\x1b[31m(more)", newer)
    event(api, 3, "Pulled", "nothing wrong", at(3), type="Normal")
    shown = failing(site, api).stderr
    assert f"  {newer} ReplicaSet web: FailedCreate: {REFUSED} [31m(more)\n" in shown
    assert "`groundswell check` tells which pods a namespace does not admit" in shown
    assert "an older text" not in shown
    assert "nothing wrong" not in shown


def test_what_the_cluster_goes_on_to_say_is_shown(site: Site, api: FakeApi) -> None:
    event(api, 1, "FailedScheduling", "no room", eventTime=at(-30), series={"count": 9, "lastObservedTime": at(1)})
    assert "FailedScheduling: no room" in failing(site, api).stderr


def test_what_the_cluster_said_before_is_no_cause(site: Site, api: FakeApi) -> None:
    event(api, 1, "FailedCreate", REFUSED, at(-30))
    shown = failing(site, api).stderr
    assert REFUSED not in shown
    assert "does not admit" not in shown


def test_the_newest_five_of_many_are_shown(site: Site, api: FakeApi) -> None:
    for number in range(8):
        event(api, number, f"Reason{number}", f"text {number}", at(number))
    event(api, 9, "New", "only its time", eventTime=at(10).replace("Z", ".000000Z"))
    lines = [line for line in failing(site, api).stderr.splitlines() if line.startswith("  2")]
    assert [line.rpartition(": ")[2] for line in lines] == ["only its time", "text 7", "text 6", "text 5", "text 4"]


def test_without_events_or_the_right_to_see_them_the_place_is_named(site: Site, api: FakeApi) -> None:
    hint = "kubectl get events --namespace app"
    assert hint in failing(site, api).stderr
    event(api, 1, "FailedCreate", REFUSED, at(1))
    api.rules = [Rule("GET .*/events", 403, "Forbidden")]
    shown = failing(site, api).stderr
    assert hint in shown
    assert REFUSED not in shown
