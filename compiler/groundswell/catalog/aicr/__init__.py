"""Catalogs of the AICR layout, read unmodified into the entries of this project's own (design: the AICR layout)."""

from __future__ import annotations
