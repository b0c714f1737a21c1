"""The bundle as a directory: files, checksums, writing and verifying."""

from __future__ import annotations
