"""Rendered bundles judged: one module per rule."""

from __future__ import annotations
