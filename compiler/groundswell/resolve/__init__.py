"""Criteria and a catalog to a resolution: merged components, constraints, and the origin of every value."""

from __future__ import annotations
