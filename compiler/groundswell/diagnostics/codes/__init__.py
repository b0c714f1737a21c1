"""The kinds of findings, one module per family of codes."""

from __future__ import annotations
