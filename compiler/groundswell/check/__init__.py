"""Checks: every folder rendered with real Helm, and the objects judged, one module per rule."""

from __future__ import annotations
