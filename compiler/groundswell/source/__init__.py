"""Bytes to documents with positions, and values back to YAML: the only code that knows YAML."""

from __future__ import annotations
