"""What the fields of all models are made of: names, versions, paths and the base of the models.

Each pattern stands here once, so that `model.parse` can say in words what does not match it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from groundswell.resolve.chart_version import EXACT_VERSION

NAME_LENGTH = 53

NAME_PATTERN = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
TEXT_PATTERN = r"^[^\x00-\x1f\x7f]+$"
WORD_PATTERN = r"^[!-~]+$"
CHART_PATTERN = r"^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9_])?$"
VERSION_PATTERN = EXACT_VERSION
LOOSE_VERSION_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9.+_-]*$"
REPOSITORY_PATTERN = (
    r"^(https?|oci)://[A-Za-z0-9]([A-Za-z0-9._~-]*[A-Za-z0-9])?(:[0-9]+)?"
    r"(/[A-Za-z0-9._~:/@%+-]*[A-Za-z0-9._~%+-])?$"
)
POINTER_PATTERN = r"^(/([^~/\x00-\x1f]|~[01])+)+$"
DISK_PATTERN = r"^/dev/[^\x00-\x20\"\\]+$"
DIGEST_PATTERN = r"^[0-9a-f]{64}$"
CRITERIA_PATTERN = r"^([a-z0-9][a-z0-9._-]*)?$"

NULL = "null"
"""The type of pydantic's error for a null."""

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=NAME_LENGTH)]
"""A DNS-1123 label, short enough for a Helm release (53 characters)."""

Namespace = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=63)]

Text = Annotated[str, StringConstraints(min_length=1, pattern=TEXT_PATTERN)]
"""One line of text."""

Word = Annotated[str, StringConstraints(pattern=WORD_PATTERN)]
"""ASCII text without blanks."""

ChartName = Annotated[str, StringConstraints(pattern=CHART_PATTERN)]

Version = Annotated[str, StringConstraints(pattern=VERSION_PATTERN)]
"""One version of a chart. Helm takes `1.2`, `1.x` or `latest` for a range, which is another chart tomorrow."""

LooseVersion = Annotated[str, StringConstraints(pattern=LOOSE_VERSION_PATTERN)]
"""What other tools' catalogs have for a version; whether it is one is asked when a bundle is made."""

Repository = Annotated[str, StringConstraints(pattern=REPOSITORY_PATTERN)]
"""Where charts come from: `https://…`, `http://…` or `oci://…`, the chart's name not in it.

A bundle is published, so user and password have no place in it."""

CriteriaValue = Annotated[str, StringConstraints(pattern=CRITERIA_PATTERN)]
"""A dimension's value, lower case. `any` and the empty text are the same as leaving the dimension out."""


def _relative(path: str) -> str:
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or any(part in {"", ".", ".."} for part in parts):
        msg = "must be a path inside the catalog, like components/nfd/values.yaml"
        raise ValueError(msg)
    return path


# No segment is empty, `.` or `..`.
_SEGMENT = r"(?!\.{0,2}(/|$))[^/\\]+"
FilePath = Annotated[
    str, AfterValidator(_relative), Field(json_schema_extra={"pattern": f"^{_SEGMENT}(/{_SEGMENT})*$"})
]
"""A path from the catalog's root with `/`, without `.` and `..`."""

ValuePath = Annotated[str, StringConstraints(min_length=1)]
"""Keys joined by dots; a dot inside a key is written `\\.`."""


class Authored(BaseModel):
    """Base of all models: unknown keys refused, types not converted, camelCase in files."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, defer_build=True, populate_by_name=False
    )

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        """A key with null would count as left out, although its author meant something by it."""
        if value is None:
            raise PydanticCustomError(NULL, "must not be null; leave the key out")
        return value
