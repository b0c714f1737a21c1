"""The stand-in API server, one per module, emptied for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from helm.fakeapi import FakeApi

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[FakeApi]:
    with FakeApi() as api:
        yield api


@pytest.fixture
def api(server: FakeApi) -> FakeApi:
    server.reset()
    return server
