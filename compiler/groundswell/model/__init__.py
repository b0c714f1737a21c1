"""The strict models of authored files. Pydantic stays in here."""

from __future__ import annotations
