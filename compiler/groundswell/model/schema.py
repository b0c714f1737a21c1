"""JSON Schemas of the authored files, for editors: made from the models, with the texts that stand under their fields.

A schema refuses nothing that the loader accepts. It accepts more: what needs more than one document, or code, to judge.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema

from groundswell.model import authored
from groundswell.model.cluster import ClusterDocument
from groundswell.model.conditions import Criteria
from groundswell.model.fields import Authored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_MODELS: Mapping[str, tuple[type[Authored], ...]] = MappingProxyType(
    {
        "recipe": (authored.RecipeDocument,),
        "mixin": (authored.MixinDocument,),
        "component": (authored.ComponentDocument, authored.ComponentPatchDocument),
        "support": (authored.SupportDocument,),
        "cluster": (ClusterDocument,),
    }
)
KINDS = tuple(_MODELS)
"""The kinds of files that have a schema."""


def json_schema(kind: str) -> dict[str, Any]:
    """The schema of one of `KINDS` in the dialect 2020-12."""
    models = _MODELS[kind]
    references, definitions = models_json_schema(
        [(model, "validation") for model in models], schema_generator=_Schema, ref_template="#/$defs/{model}"
    )
    whole, *patch = [references[model, "validation"] for model in models]
    body = {"if": _IS_PATCH, "then": patch[0], "else": whole} if patch else whole
    return {"$schema": DIALECT, "title": f"groundswell {kind}", **body, "$defs": definitions["$defs"]}


_IS_PATCH = {
    "required": ["metadata"],
    "properties": {"metadata": {"type": "object", "required": ["patch"], "properties": {"patch": {"const": True}}}},
}


class _Schema(GenerateJsonSchema):
    """Schemas as the loader reads documents: null is no value, and text may be written without quotes."""

    _nullable = False

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002  pydantic's
        """No titles: they would only repeat the keys."""
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """A field that may be left out does not take null, except for a criterion."""
        return super().nullable_schema(schema) if self._nullable else self.generate_inner(schema["schema"])

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """The text of a number or boolean is kept as its author wrote it."""
        return {**super().str_schema(schema), "type": ["string", "number", "boolean"]}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A map with a description of each key, and defaults only where they tell something."""
        outer, self._nullable = self._nullable, schema["cls"] is Criteria
        result = super().model_schema(schema)
        self._nullable = outer
        texts = field_texts(schema["cls"])
        keys = {field.alias or name: name for name, field in schema["cls"].model_fields.items()}
        for key, value in result.get("properties", {}).items():
            if value.get("default", False) in (None, [], {}) or isinstance(value.get("default"), dict):
                del value["default"]
            if text := texts.get(keys[key]):
                value["description"] = text
        return result


def field_texts(model: type[Authored]) -> dict[str, str]:
    """The text under each field of a model, by the field's name, those of inherited fields included."""
    texts: dict[str, str] = {}
    for ancestor in reversed(model.__mro__):
        if issubclass(ancestor, Authored):
            texts |= _texts(ancestor.__module__).get(ancestor.__name__, {})
    return texts


@cache
def _texts(module: str) -> dict[str, dict[str, str]]:
    """The texts in a module, by class and field. Pydantic could read them itself, but at each start of the program."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        statement.name: {
            field.target.id: text.value.value
            for field, text in zip(statement.body, statement.body[1:], strict=False)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
        for statement in tree.body
        if isinstance(statement, ast.ClassDef)
    }
