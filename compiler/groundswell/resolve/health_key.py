"""What names a kind of object to Argo CD's health rules."""

from __future__ import annotations

# Argo CD cuts the key at its first three dots; anything that is no `group_Kind` fails the syncs of every Application.
HEALTH_KEY = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*_[A-Z][A-Za-z0-9]*$"
"""A pattern that fits `group_Kind`; for `re` to be used with `fullmatch`."""

APPLICATION = "argoproj.io_Application"
"""The kind whose rule is the bundle's own: waves rely on it."""
