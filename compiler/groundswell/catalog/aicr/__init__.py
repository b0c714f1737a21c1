"""Catalogs of the AICR layout, read unmodified into the entries of this project's own (docs/aicr.md)."""

from __future__ import annotations
