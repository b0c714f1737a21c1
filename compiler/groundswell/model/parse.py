"""Validation of a parsed document against a model, with diagnostics at the places of what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import ValidationError

from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.suggest import misspelt, nearest, suggestion
from groundswell.model import fields
from groundswell.model.fields import Authored
from groundswell.resolve.health_key import HEALTH_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located, PathKey
    from groundswell.source.span import Span

M = TypeVar("M", bound=Authored)

KEY = "[key]"
"""The last step of pydantic's path to a key of a map that it refuses, behind the key itself."""

_TYPES = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "list_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
}
_FORMS = {
    fields.NAME_PATTERN: "lower-case letters, digits and `-`, beginning and ending with a letter or digit",
    fields.TEXT_PATTERN: "one line of text",
    fields.WORD_PATTERN: "ASCII text without blanks",
    fields.CHART_PATTERN: "the name of a chart",
    fields.VERSION_PATTERN: "one version, such as 1.2.3, and no range, which anything shorter is to Helm",
    fields.LOOSE_VERSION_PATTERN: "one version, such as 1.2.3",
    fields.REPOSITORY_PATTERN: "a URL like https://host/path or oci://host/path, without user and password",
    fields.POINTER_PATTERN: "a JSON pointer like /spec/replicas",
    fields.DISK_PATTERN: "a disk's path, such as /dev/sda or /dev/disk/by-id/nvme-eui.01",
    fields.DIGEST_PATTERN: "the 64 hexadecimal digits of a SHA-256",
    fields.CRITERIA_PATTERN: "lower-case letters, digits, `.`, `_` and `-`",
    HEALTH_KEY: "an API group, an underscore and a kind, such as nvidia.com_ClusterPolicy",
}


def validate(model: type[M], document: Located) -> tuple[M | None, tuple[Diagnostic, ...], frozenset[Span]]:
    """Check a document against a model.

    A text field keeps the text that its author wrote (`version: 1.10` is "1.10", not the number 1.1).

    Returns:
        The validated model or None, every finding, and the places of the numbers whose text was kept.
    """
    validated, errors, kept = checked(model, document)
    return validated, tuple(_diagnostic(model, item, document) for item in errors), kept


def checked(model: type[M], document: Located) -> tuple[M | None, list[ErrorDetails], frozenset[Span]]:
    """The same with what pydantic has to say in place of findings."""
    data = document.data
    kept: set[Span] = set()
    while True:
        try:
            return model.model_validate(data), [], frozenset(kept)
        except ValidationError as error:
            found = error.errors(include_url=False)
        texts = [(item["loc"], text) for item in found if (text := _text_kept(item, document)) is not None]
        if not texts:
            return None, found, frozenset(kept)
        for loc, text in texts:
            data = _replaced(data, loc, text)
            kept.add(document.find(loc))


def field_keys(model: type[Authored], document: Located) -> Iterator[Span]:
    """The places of all keys that name a field: there `on` is a word, whatever YAML 1.1 makes of it."""
    if isinstance(document.data, list):
        for element in document.elements():
            yield from field_keys(model, element)
    elif isinstance(document.data, dict):
        for key, child in document.items():
            if field := _fields(model).get(key):
                yield document.key_span(key)
                if nested := _nested_model(field.annotation):
                    yield from field_keys(nested, child)


class UnknownKey(NamedTuple):
    """A key that no field takes: what it may stand for (or ""), and whether it is a slip of a key that is not there."""

    name: str
    span: Span
    guess: str
    slip: bool


def unknown_keys(model: type[Authored], document: Located) -> Iterator[UnknownKey]:
    """Every key in a document that no field takes, for models that do not refuse them."""
    if isinstance(document.data, list):
        for element in document.elements():
            yield from unknown_keys(model, element)
    elif isinstance(document.data, dict):
        known = _fields(model)
        for key, child in document.items():
            if field := known.get(key):
                if nested := _nested_model(field.annotation):
                    yield from unknown_keys(nested, child)
                continue
            slip = misspelt(key, (name for name in known if name not in document))
            yield UnknownKey(key, document.key_span(key), slip or nearest(key, known) or "", slip is not None)


def _text_kept(item: ErrorDetails, document: Located) -> str | None:
    """The text of a scalar that was typed although its field takes text."""
    if item["type"] != "string_type":
        return None
    node = document
    for key in item["loc"]:
        if key not in node:
            return None
        node = node[key]
    return node.text if node.data is not None else None


def _replaced(data: Json, loc: Sequence[PathKey], text: str) -> Json:
    if not loc:
        return text
    copy: Json = dict(data) if isinstance(data, dict) else list(data)
    copy[loc[0]] = _replaced(data[loc[0]], loc[1:], text)
    return copy


def _dotted(loc: Sequence[PathKey]) -> str:
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in loc)
    return text.removeprefix(".")


def _diagnostic(model: type[Authored], item: ErrorDetails, document: Located) -> Diagnostic:
    loc, kind = item["loc"], item["type"]
    name, span = _dotted(loc), document.find(loc)
    if kind == "extra_forbidden":
        hint = suggestion(str(loc[-1]), _keys(model, loc[:-1]))
        return codes.UNKNOWN_KEY(f"unknown key `{name}`", _key_span(document, loc), help=hint)
    if loc[-1:] == (KEY,):
        *above, key = loc[:-1]
        return codes.BAD_VALUE(f"the key `{key}` of `{_dotted(above)}` {_form(item)}", _key_span(document, loc[:-1]))
    if kind == "missing":
        return codes.MISSING_KEY(f"`{name}` is missing", span)
    if kind in {fields.NULL, *_TYPES}:
        return codes.WRONG_TYPE(f"`{name or 'the document'}` {_wanted_type(item)}", span)
    if kind == "literal_error":
        return _literal(name, item, span)
    return codes.BAD_VALUE(f"`{name}` {_form(item)}", span)


def _key_span(document: Located, loc: Sequence[PathKey]) -> Span:
    """The place of the key at the end of a path."""
    for key in loc[:-1]:
        document = document[key]
    return document.key_span(str(loc[-1]))


def _wanted_type(item: ErrorDetails) -> str:
    if item["type"] == fields.NULL:
        return item["msg"]
    return f"must be {_TYPES[item['type']]}, not {_type_name(item['input'])}"


def _literal(name: str, item: ErrorDetails, span: Span) -> Diagnostic:
    """A value that is none of those that its field takes."""
    expected = item["ctx"]["expected"]
    text = f"`{name}` must be {expected}, not {item['input']!r}"
    if item["loc"] in {("apiVersion",), ("kind",)}:
        return codes.WRONG_DOCUMENT(text, span)
    words = [word.strip("' ") for word in expected.replace(" or ", ",").split(",")]
    return codes.BAD_VALUE(text, span, help=suggestion(str(item["input"]), words))


def _form(item: ErrorDetails) -> str:
    kind, context = item["type"], item.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return f"must be {_FORMS.get(context['pattern'], context['pattern'])}, not {item['input']!r}"
    if kind == "string_too_long":
        reason = " (a Helm release's limit)" if context["max_length"] == fields.NAME_LENGTH else ""
        return f"must have at most {context['max_length']} characters{reason}, has {len(item['input'])}"
    if kind in {"string_too_short", "too_short"}:
        return "must not be empty"
    return item["msg"].removeprefix("Value error, ")


def _type_name(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", str: "text", int: "a number", float: "a number", list: "a list", dict: "a map"}
    return names.get(type(value), type(value).__name__)


def _keys(model: type[Authored], loc: Sequence[PathKey]) -> list[str]:
    """The keys that may stand at a place in a document."""
    for key in loc:
        if isinstance(key, int):
            continue
        field = _fields(model).get(key)
        nested = field and _nested_model(field.annotation)
        if nested is None:
            return []
        model = nested
    return list(_fields(model))


def _fields(model: type[Authored]) -> Mapping[str, FieldInfo]:
    """A model's fields by the keys that files have for them."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _nested_model(annotation: object) -> type[Authored] | None:
    if isinstance(annotation, type) and issubclass(annotation, Authored):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        if (nested := _nested_model(argument)) is not None:
            return nested
    return None
