"""`docs/catalog.md` explains every key that a catalog file can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from command import ROOT
from groundswell.model import authored
from groundswell.model.fields import Authored

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENTS = (
    authored.RecipeDocument,
    authored.MixinDocument,
    authored.ComponentDocument,
    authored.SupportDocument,
)


def keys(model: type[Authored]) -> Iterator[str]:
    """The keys of a model and of the models in it."""
    for name, field in model.model_fields.items():
        yield field.alias or name
        for nested in models(field.annotation):
            yield from keys(nested)


def models(annotation: object) -> Iterator[type[Authored]]:
    if isinstance(annotation, type) and issubclass(annotation, Authored):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from models(argument)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda model: model.__name__)
def test_every_key_is_explained(document: type[Authored]) -> None:
    text = (ROOT / "docs" / "catalog.md").read_text(encoding="utf-8")
    missing = {key for key in keys(document) if f"{key}:" not in text and f"{key}`" not in text}
    assert not missing
