"""The Pod Security Standards: what a pod asks for against the level that its namespace enforces."""

from __future__ import annotations
