from __future__ import annotations

import pytest

from groundswell.check.target import DEFAULT, target_version
from groundswell.talos.version import parse_version
from plan_factory import constraint


@pytest.mark.parametrize(
    ("asked", "conditions", "version", "last"),
    [
        (None, [], DEFAULT, None),
        (None, [">= 1.32"], "1.32.0", None),
        (None, [">= 1.30", ">= 1.32.4", "< 1.36"], "1.32.4", 35),
        (None, ["< 1.34"], "1.33.0", 33),
        (None, ["<= 1.33.2"], "1.33.0", 33),
        (None, ["< 1.99"], DEFAULT, 98),
        ("1.33", [">= 1.32", "< 1.35"], "1.33.0", 34),
        ("v1.31.2", [], "1.31.2", None),
    ],
)
def test_the_target_is_what_was_asked_for_else_the_lowest_allowed(
    asked: str | None, conditions: list[str], version: str, last: int | None
) -> None:
    found = target_version(asked, [constraint("K8s.server.version", text) for text in conditions])
    assert found is not None
    assert (found.version, found.last_minor) == (version, last)


def test_what_is_no_version_is_refused() -> None:
    assert target_version("latest", []) is None


@pytest.mark.parametrize(
    ("talos", "conditions", "version"),
    [
        ("v1.13.2", [], "1.36.0"),
        ("v1.13.2", [">= 1.32"], "1.36.0"),
        ("v1.13.2", [">= 1.32", "< 1.35"], "1.34.0"),
        ("v1.99.0", [">= 1.32"], "1.32.0"),
    ],
)
def test_of_a_cluster_file_the_newest_kubernetes_that_its_talos_runs_counts(
    talos: str, conditions: list[str], version: str
) -> None:
    parsed, _ = parse_version(talos)
    asked = [constraint("K8s.server.version", text) for text in conditions]
    found = target_version(None, asked, parsed)
    assert found is not None
    assert found.version == version
    assert target_version("1.33", asked, parsed) == target_version("1.33", asked)
