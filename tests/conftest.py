from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pathlib import Path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure() -> None:
    """What is started in the background ignores Ctrl-C, and so does all that it starts; some tests press it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # How long an example takes says more about what else the machine does than about the law that it is held against.
    settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("laws")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes give a test no name: an archive holds the time it was made at, and two workers must agree on the names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test session has caches of its own; nothing that a user's machine holds bears on a test."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
