from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from talosctl.recordings import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from talosctl.recordings import Recorded


@pytest.fixture
def machines(tmp_path: Path) -> Recorded:
    """No machines yet; the recorded `talosctl` is on the PATH of `machines.env`."""
    return recorded(tmp_path / "talosctl")
