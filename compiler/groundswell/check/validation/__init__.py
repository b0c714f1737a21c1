"""What the API server refuses in built-in kinds beyond their schemas: what its own code holds them against."""

from __future__ import annotations
