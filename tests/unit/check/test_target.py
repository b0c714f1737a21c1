from __future__ import annotations

import pytest

from groundswell.check.target import DEFAULT, excluded_by, target_version
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


@pytest.mark.parametrize("asked", ["latest", "1", "v1", "2.0", "0.9", ""])
def test_what_is_no_version_of_kubernetes_is_refused(asked: str) -> None:
    assert target_version(asked, []) is None


@pytest.mark.parametrize(
    ("asked", "excluding"), [("1.31", ">= 1.32"), ("1.35.1", "< 1.35"), ("1.33", "!= 1.33"), ("1.34", "")]
)
def test_a_version_that_the_constraints_exclude_is_known_for_one(asked: str, excluding: str) -> None:
    conditions = [constraint("K8s.server.version", text) for text in (">= 1.32", "!= 1.33", "< 1.35")]
    target = target_version(asked, conditions)
    assert target is not None
    assert excluded_by(target, conditions) == excluding


@pytest.mark.parametrize(
    ("talos", "conditions", "version", "lowest", "last"),
    [
        ("v1.13.2", [], "1.36.0", DEFAULT, 36),
        ("v1.13.2", [">= 1.32"], "1.36.0", "1.32.0", 36),
        ("v1.13.2", [">= 1.32", "< 1.35"], "1.34.0", "1.32.0", 34),
        ("v1.13.2", [">= 1.32", "< 1.39"], "1.36.0", "1.32.0", 36),
        ("v1.99.0", [">= 1.32"], "1.32.0", "1.32.0", None),
    ],
)
def test_of_a_cluster_file_the_newest_kubernetes_that_its_talos_runs_counts_of_a_recipe_it_is_the_bound(
    talos: str, conditions: list[str], version: str, lowest: str, last: int | None
) -> None:
    parsed, _ = parse_version(talos)
    asked = [constraint("K8s.server.version", text) for text in conditions]
    hosts = target_version(None, asked, parsed, hosts=True)
    recipe = target_version(None, asked, parsed)
    stated = target_version("1.33", asked, parsed, hosts=True)
    assert hosts
    assert recipe
    assert stated
    assert (hosts.version, recipe.version, stated.version) == (version, lowest, "1.33.0")
    assert hosts.last_minor == recipe.last_minor == stated.last_minor == last
