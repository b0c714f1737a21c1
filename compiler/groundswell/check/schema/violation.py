"""What can be wrong with a value, and what comes of it."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

Path = tuple[str, ...]
Schema = Any
"""A schema as it was read; one of a definition in a chart may be anything."""


REFERENCE = "#/$defs/"
"""What stands before the name of a definition that a schema refers to."""


class Effect(Enum):
    """What the API server does. Server-side apply, which Argo CD uses here, is stricter than other ways to write.

    https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
    """

    REFUSED = "refuses the object, however it is written"
    DROPPED = "drops the field, and refuses it in server-side apply"
    TWICE = "keeps both entries, and refuses them in server-side apply"
    NULL = "drops the null, and refuses it in server-side apply"


class Violation(NamedTuple):
    """What is wrong at a path of an object, and what comes of it."""

    path: Path
    message: str
    effect: Effect = Effect.REFUSED

    @property
    def where(self) -> str:
        """The path as people write it: `spec.ports[0].name`."""
        text = "".join(f"[{key}]" if key.isdigit() else f".{key}" for key in self.path)
        return text.lstrip(".") or "the object"
