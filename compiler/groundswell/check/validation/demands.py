"""What the API server demands of single fields, read from a table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.schema.validate import in_range
from groundswell.check.tables import table_lines
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import FORMS, number_or_port_name, share
from groundswell.diagnostics.codes import validation as codes
from groundswell.diagnostics.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from groundswell.check.schema.violation import Schema
    from groundswell.check.validation.fault import Path
    from groundswell.diagnostics.diagnostic import Code
    from groundswell.source.located import Json

_GROUPS = {
    "meta.v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
    "apiregistration.v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
    "apiextensions.v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
}
_MOST = 2**31 - 1
"""The highest amount where a percentage might stand, too: such fields have no format that says so."""
_LONGEST = 80
"""The characters of a text that a message shows."""


class Demand(NamedTuple):
    """A demand on a field. `lenient`: what is empty stands for nothing given. `needed`: the field must be there.

    `since` is the first minor version that makes it.
    """

    field: str
    text: str
    lenient: bool
    needed: bool
    since: int


def definition_name(short: str) -> str:
    """The name of a definition in full: `core.v1.Pod` is `io.k8s.api.core.v1.Pod`."""
    group, _, kind = short.rpartition(".")
    return f"{_GROUPS.get(group, f'io.k8s.api.{group}')}.{kind}"


@cache
def demands() -> Mapping[str, tuple[Demand, ...]]:
    """The demands on the fields of each definition."""
    found: dict[str, tuple[Demand, ...]] = {}
    for line in table_lines("field-demands.tsv"):
        short, field, text, *since = line.split("\t")
        demand = Demand(field, text.lstrip("?!"), text.startswith("?"), text.startswith("!"), int(*since))
        name = definition_name(short)
        found[name] = (*found.get(name, ()), demand)
    return found


def broken(value: Mapping[str, Json], schema: Schema, wanted: tuple[Demand, ...], minor: int) -> Iterator[Fault]:
    """The demands that a value does not meet. What has another type than the schema asks for is told elsewhere."""
    for demand in wanted:
        if minor < demand.since:
            continue
        given = value.get(demand.field)
        if given is None:
            if demand.needed:
                yield Fault((), f"`{demand.field}` is missing")
        elif not _typed(given, schema["properties"].get(demand.field, {})):
            continue
        elif demand.text == "filled":
            if given in ("", [], {}):
                yield Fault((demand.field,), "must not be empty")
        elif not (demand.lenient and given in ("", 0)):
            part = schema["properties"].get(demand.field, {})
            yield from (fault.below(demand.field) for fault in _each(given, demand.text, minor, part))


def _typed(given: Json, schema: Schema) -> bool:
    """Whether a value is a list or a map where the schema asks for one, and only there."""
    kinds = schema.get("type", ())
    return isinstance(given, list) is ("array" in kinds) and isinstance(given, dict) is ("object" in kinds)


def _each(given: Json, text: str, minor: int, schema: Schema) -> Iterator[Fault]:
    """What is wrong with a value, or with each of its entries. A number that its type cannot have is told elsewhere."""
    judge, code = _judge(text)
    schema = schema.get("items", schema)
    listed: list[tuple[Path, Json]]
    if isinstance(given, list):
        listed = [((str(index),), _decoded(item, schema)) for index, item in enumerate(given)]
    elif isinstance(given, dict):
        listed = [((key,), key) for key in given]
    else:
        listed = [((), given)]
    for path, item in listed:
        if in_range(item, schema) and (problem := judge(item, minor)):
            yield Fault(path, problem, code)


def _decoded(item: Json, schema: Schema) -> Json:
    """An entry of a list as the API server reads it: null is an empty text, or 0."""
    return item if item is not None else "" if "string" in schema.get("type", ()) else 0


@cache
def _judge(text: str) -> tuple[Callable[[Json, int], str], Code]:
    """What judges a value, and the code of what it finds. A value of another type is told by its schema."""
    word, _, rest = text.partition(" ")
    if word == "one":
        return one_of(tuple(rest.removeprefix("of ").split())), codes.NOT_VALID
    if word == "from":
        least, _, most = rest.partition(" to ")
        return _range(int(least), int(most) if most else None), codes.NOT_VALID
    if word == "share":
        return _share(int(rest.removeprefix("of ")) if rest else None), codes.NOT_VALID
    if word == "port":
        return _port, codes.NOT_VALID
    form = FORMS[text]

    def judge(value: Json, minor: int) -> str:
        if not isinstance(value, str) or form.fits(value, minor):
            return ""
        return f"must be {form.wanted}, not {shown(value)}"

    return judge, codes.BAD_NAME if form.name else codes.NOT_VALID


def one_of(values: tuple[str, ...]) -> Callable[[Json, int], str]:
    """What judges a text that must be one of some, of which `a@33` is one from the minor version 33 on."""
    since = {name: int(first or 0) for name, _, first in (value.partition("@") for value in values)}

    def judge(value: Json, minor: int) -> str:
        known = [name for name, first in since.items() if minor >= first]
        if not isinstance(value, str) or value in known:
            return ""
        listed, hint = ", ".join(f"`{name}`" for name in known), suggestion(value, known)
        return f"must be one of {listed}, not {shown(value)}{hint and f'; {hint}'}"

    return judge


def _range(least: int, most: int | None) -> Callable[[Json, int], str]:
    def judge(value: Json, _: int) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return ""
        if value < least or (most is not None and value > most):
            return f"must be {least} to {most}, not {value}" if most is not None else f"must not be below {least}"
        return ""

    return judge


def _share(most: int | None) -> Callable[[Json, int], str]:
    def judge(value: Json, _: int) -> str:
        if isinstance(value, bool) or not isinstance(value, int | str):
            return ""
        found = share(value)
        if found is None or found < 0:
            return f"must be a number or a percentage such as `25%`, not {shown(value)}"
        if most is not None and isinstance(value, str) and found > most:
            return f"must not be above {most}%"
        return f"must not be above {_MOST}" if isinstance(value, int) and value > _MOST else ""

    return judge


def _port(value: Json, _: int) -> str:
    return "" if number_or_port_name(value) else f"must be the number or the name of a port, not {shown(value)}"


def shown(value: Json) -> str:
    """A value as a message shows it."""
    text = str(value).replace("\n", "\\n")
    return f"`{text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}`"
