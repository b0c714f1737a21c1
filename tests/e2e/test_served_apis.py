"""The table of served APIs against what an API server of its newest minor serves, when nobody tells it otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.control_plane import control_plane
from groundswell.check.served_apis import apis_of, newest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.e2e


def test_the_newest_minor_of_the_table_is_what_the_server_serves(tmp_path: Path) -> None:
    with control_plane(tmp_path) as cluster:
        if cluster.minor > newest():
            pytest.fail(f"add 1.{cluster.minor} to check/data/served-apis.tsv")
        paths = {"v1": "/api/v1"}
        for group in cluster.api.get("/apis").json()["groups"]:
            paths |= {item["groupVersion"]: f"/apis/{item['groupVersion']}" for item in group["versions"]}
        served = {
            (version, resource["kind"])
            for version, path in paths.items()
            for resource in cluster.api.get(path).json()["resources"]
            if "/" not in resource["name"]
        }
    assert served == apis_of(cluster.minor).served
