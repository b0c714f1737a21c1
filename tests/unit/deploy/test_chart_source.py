"""Versions that move and repositories that hold credentials, whoever deploys the chart."""

from __future__ import annotations

import pytest

from groundswell.deploy.folders import build_folders
from groundswell.diagnostics.diagnostic import Severity
from groundswell.resolve.resolution import Chart, Origin
from plan_factory import chart, component, plan

MOVING = [">=1.2", "1.x", "^1.2.3", "~1.2", "*", "latest", "HEAD", "", "1.2.3 || 2.0.0"]
SHORT = ["1", "v1", "1.2", "1.10", "v2.0", "01.2.3", "1.2.3-", "1.2.3\n"]


@pytest.mark.parametrize("repository", ["https://charts.example.test", "oci://registry.example.test/charts"])
@pytest.mark.parametrize("version", [*MOVING, *SHORT])
def test_a_version_that_helm_resolves_is_an_error_with_the_place_that_decided(version: str, repository: str) -> None:
    origin = Origin("recipe x", "recipes/x.yaml", 7, 16, "", "set", version)
    item = component("a", chart=Chart(repository, "a", version), field_origins={"version": (origin,)})
    (finding,) = build_folders(plan(item))[1]
    assert (finding.code, finding.severity) == ("D114", Severity.ERROR)
    assert finding.span is not None
    assert finding.span[:3] == ("recipes/x.yaml", 7, 16)


@pytest.mark.parametrize("version", ["1.2.3", "v1.18.2", "104.1.0+up4.9.0", "0.1.0-alpha.5", "1.0.0-rc.1+build-7"])
def test_an_exact_version_is_fine(version: str) -> None:
    assert build_folders(plan(component("a", chart=chart("a", version))))[1] == ()


@pytest.mark.parametrize("repository", ["https://u:p@h.test/c", "https://u@h.test", "oci://:p@h.test/c"])
def test_credentials_in_a_repository_are_an_error_that_does_not_repeat_them(repository: str) -> None:
    (finding,) = build_folders(plan(component("a", chart=Chart(repository, "a", "1.0.0"))))[1]
    assert finding.code == "D115"
    assert "u:p" not in finding.message
    assert ":p@" not in finding.message


def test_an_at_sign_in_a_path_is_no_user() -> None:
    assert build_folders(plan(component("a", chart=Chart("https://h.test/@scope/x", "a", "1.0.0"))))[1] == ()
