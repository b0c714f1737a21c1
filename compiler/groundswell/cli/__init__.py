"""The command line: one module per command, each importing what it needs when it runs."""

from __future__ import annotations
