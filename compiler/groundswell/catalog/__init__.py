"""Directories to one checked catalog."""

from __future__ import annotations
