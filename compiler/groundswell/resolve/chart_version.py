"""What names one version of a chart, so that the same bundle installs the same chart tomorrow."""

from __future__ import annotations

# Semantic versioning 2.0, with the `v` that many projects put before it. Helm looks a version up as a constraint:
# `1.2`, `1` and `v1` are ranges to it, and `latest` or `*` any version at all.
EXACT_VERSION = (
    r"^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
)
"""A pattern that fits a whole version; for `re` to be used with `fullmatch`."""
