"""groundswell compiles recipes into GitOps bundles: ordered folders for Argo CD and for plain Helm."""

from __future__ import annotations

__version__ = "0.1.0"
