"""Validation of a parsed document against a model, with diagnostics at the places of what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.suggest import nearest
from groundswell.model.authored import NAME_LENGTH, NAME_PATTERN, Authored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located, PathKey
    from groundswell.source.span import Span

M = TypeVar("M", bound=Authored)

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
    NAME_PATTERN: "lower-case letters, digits and `-`, beginning and ending with a letter or digit",
    r"^[^\x00-\x1f\x7f]+$": "one line of text",
    r"^\S+$": "text without blanks",
    r"^(https?|oci)://[A-Za-z0-9._~:/@%+-]+[^/]$": "a URL like https://host/path or oci://host/path",
    r"^([a-z0-9][a-z0-9._-]*)?$": "lower-case letters, digits, `.`, `_` and `-`",
}


def validate(model: type[M], document: Located) -> tuple[M | None, tuple[Diagnostic, ...], frozenset[Span]]:
    """Check a document against a model.

    A text field keeps the text that its author wrote (`version: 1.10` is "1.10", not the number 1.1).

    Returns:
        The validated model or None, every finding, and the places of the numbers whose text was kept.
    """
    data = document.data
    kept: set[Span] = set()
    while True:
        try:
            return model.model_validate(data), (), frozenset(kept)
        except ValidationError as error:
            found = error.errors(include_url=False)
        texts = [(item["loc"], text) for item in found if (text := _text_kept(item, document)) is not None]
        if not texts:
            return None, tuple(_diagnostic(model, item, document) for item in found), frozenset(kept)
        for loc, text in texts:
            data = _replaced(data, loc, text)
            kept.add(document.find(loc))


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
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[loc[0]] = _replaced(data[loc[0]], loc[1:], text)
    return copy


def _dotted(loc: Sequence[PathKey]) -> str:
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in loc)
    return text.removeprefix(".")


def _diagnostic(model: type[Authored], item: ErrorDetails, document: Located) -> Diagnostic:
    loc, kind, context = item["loc"], item["type"], item.get("ctx", {})
    name, span = _dotted(loc), document.find(loc)
    if kind == "extra_forbidden":
        parent = document
        for key in loc[:-1]:
            parent = parent[key]
        guess = nearest(str(loc[-1]), _keys(model, loc[:-1]))
        place = parent.key_span(str(loc[-1]))
        return codes.UNKNOWN_KEY(f"unknown key `{name}`", place, help=f"did you mean `{guess}`?" if guess else "")
    if kind == "missing":
        return codes.MISSING_KEY(f"`{name}` is missing", span)
    if kind in _TYPES:
        return codes.WRONG_TYPE(
            f"`{name or 'the document'}` must be {_TYPES[kind]}, not {_type_name(item['input'])}", span
        )
    if kind == "literal_error" and loc[-1] in {"apiVersion", "kind"}:
        return codes.WRONG_DOCUMENT(f"`{name}` must be {context['expected']}, not {item['input']!r}", span)
    if kind == "literal_error":
        guess = nearest(
            str(item["input"]), [word.strip("' ") for word in context["expected"].replace(" or ", ",").split(",")]
        )
        hint = f"did you mean `{guess}`?" if guess else ""
        return codes.BAD_VALUE(f"`{name}` must be {context['expected']}, not {item['input']!r}", span, help=hint)
    return codes.BAD_VALUE(f"`{name}` {_form(item)}", span)


def _form(item: ErrorDetails) -> str:
    kind, context = item["type"], item.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return f"must be {_FORMS.get(context['pattern'], context['pattern'])}, not {item['input']!r}"
    if kind == "string_too_long":
        reason = " (a Helm release's limit)" if context["max_length"] == NAME_LENGTH else ""
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
        field = next((field for name, field in model.model_fields.items() if (field.alias or name) == key), None)
        nested = field and _nested_model(field.annotation)
        if nested is None:
            return []
        model = nested
    return [field.alias or name for name, field in model.model_fields.items()]


def _nested_model(annotation: object) -> type[Authored] | None:
    if isinstance(annotation, type) and issubclass(annotation, Authored):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        if (nested := _nested_model(argument)) is not None:
            return nested
    return None
