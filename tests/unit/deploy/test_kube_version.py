from __future__ import annotations

import pytest

from groundswell.deploy.kube_version import kube_version
from plan_factory import constraint


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([">= 1.32"], ">=1.32.0-0"),
        ([">= 1.30", ">= 1.32.4", "< 1.36"], ">=1.32.4-0, <1.36.0-0"),
        ([">= 1.30, < 1.36"], ">=1.30.0-0, <1.36.0-0"),
        (["> 1.32"], ">=1.33.0-0"),
        (["<= v1.35"], "<1.36.0-0"),
        (["== 1.33.2"], ">=1.33.2-0, <1.33.3-0"),
        (["== 1.33"], ">=1.33.0-0, <1.34.0-0"),
        ([">= 1.31.4-eks-5d632ec"], ">=1.31.4-0"),
        (["> 1.34.3-gke.5"], ">=1.34.3-0"),
        (["< 1.34.3-gke.5"], "<1.34.4-0"),
        (["!= 1.33.2"], ""),
        (["stable"], ""),
        ([], ""),
    ],
)
def test_each_bound_has_three_numbers_and_admits_suffixes(values: list[str], expected: str) -> None:
    assert kube_version([constraint("K8s.server.version", value) for value in values]) == expected


def test_other_constraints_do_not_count() -> None:
    assert kube_version([constraint("OS.release.VERSION_ID", ">= 24.04")]) == ""
