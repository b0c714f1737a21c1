"""A resolution to an ordered plan: levels, phases, waves, numbered folders."""

from __future__ import annotations
