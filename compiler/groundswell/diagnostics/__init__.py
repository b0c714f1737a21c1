"""Findings: the immutable `Diagnostic`, the registry of codes, and one renderer per output format."""

from __future__ import annotations
