"""One real API server for the session; tests that need it are skipped, with a word why, where its programs are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.control_plane import ControlPlane, control_plane
from e2e.programs import API_SERVER, missing

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "e2e: talks to a real API server")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    if absent := missing(API_SERVER):
        pytest.skip(f"{' and '.join(absent)} not found; `make e2e` builds what is missing")
    with control_plane(tmp_path_factory.mktemp("control-plane")) as running:
        yield running
