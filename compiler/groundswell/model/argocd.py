"""What a component says to Argo CD alone: differences to ignore, and rules for the health of its custom resources."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from groundswell.model.fields import POINTER_PATTERN, Authored, Text
from groundswell.model.lua import lua_problem
from groundswell.resolve.health_key import APPLICATION, HEALTH_KEY


def _health(script: str) -> str:
    if not script.strip():
        raise ValueError("must not be empty")
    if problem := lua_problem(script):
        raise PydanticCustomError("lua", "{problem}", {"problem": problem})
    return script


HealthRule = Annotated[str, AfterValidator(_health), Field(json_schema_extra={"pattern": r"\breturn\b"})]
"""A Lua script that returns an object's health."""


def _not_the_gate(kind: str) -> str:
    if kind == APPLICATION:
        raise ValueError("is the kind of the bundle's own rule, which waves rely on")
    return kind


HealthKey = Annotated[str, StringConstraints(pattern=HEALTH_KEY), AfterValidator(_not_the_gate)]
"""A kind of object to Argo CD: `nvidia.com_ClusterPolicy`."""

HealthRules = Annotated[
    dict[HealthKey, HealthRule],
    Field(json_schema_extra={"propertyNames": {"pattern": HEALTH_KEY, "not": {"const": APPLICATION}}}),
]
"""Health rules by what they are for."""

Pointer = Annotated[str, StringConstraints(pattern=POINTER_PATTERN)]
"""A JSON pointer (RFC 6901) to something inside of an object."""

_FIELDS = ("jsonPointers", "jqPathExpressions", "managedFieldsManagers")


class IgnoreDifference(Authored):
    """Fields of a kind of object that Argo CD leaves out of its comparison."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"properties": {field: {"minItems": 1}}, "required": [field]} for field in _FIELDS],
        }
    )

    group: str = ""
    """The API group; empty for the core group."""
    kind: Text
    """The kind of object."""
    name: Text | None = None
    """One object's name; all of the kind without it."""
    namespace: Text | None = None
    """One namespace; all without it."""
    json_pointers: list[Pointer] = []
    """Fields as JSON pointers: `/spec/replicas`."""
    jq_path_expressions: list[Text] = []
    """Fields as jq expressions."""
    managed_fields_managers: list[Text] = []
    """All fields of these field managers."""

    @model_validator(mode="after")
    def _names_fields(self) -> Self:
        """An entry without any field ignores nothing."""
        if not (self.json_pointers or self.jq_path_expressions or self.managed_fields_managers):
            raise PydanticCustomError("no_field", f"must name fields with {', '.join(_FIELDS[:2])} or {_FIELDS[2]}")
        return self
