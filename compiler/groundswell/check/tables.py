"""The tables in `data`, a line for each entry."""

from __future__ import annotations

import pkgutil


def table_lines(name: str) -> list[str]:
    """The lines of a table, comments left out."""
    data = pkgutil.get_data("groundswell.check", f"data/{name}")
    assert data is not None
    return [line for line in data.decode().splitlines() if not line.startswith("#")]
