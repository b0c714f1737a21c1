"""`groundswell explain`: where a value came from, and what a code means."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import diagnostics_option, query_options, take_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.cli.resolving import Resolved
    from groundswell.cli.sources import RunSources
    from groundswell.resolve.resolution import Component, Origin


@click.command("explain", cls=Command)
@click.argument("what", metavar="COMPONENT[.path] | CODE")
@query_options
@diagnostics_option
def command(what: str, diagnostics: str, **rest: Any) -> None:
    """Say where a value came from, or what a code means.

    With a component (and criteria): its fields and values, or those below a path, each with the layers that set it,
    the one that won last. With a code such as R203: what the finding means and how to mend it.
    """
    inputs = take_inputs(rest)
    query = any(inputs.criteria.values()) or inputs.recipe or inputs.snapshot
    # No component has a name in upper case; without a query there are none at all.
    if re.fullmatch(r"[A-Za-z][0-9]{3}|[A-Z][0-9]*" if query else r"[A-Za-z][0-9]*", what):
        _explain_code(what.upper())
        return
    from groundswell.cli.resolving import resolve_inputs

    resolved = resolve_inputs(inputs)
    if resolved.resolution is None:
        stop(resolved.findings, resolved.sources, diagnostics)
    report_or_stop(resolved.findings, resolved.sources, diagnostics)
    components = {item.name: item for item in resolved.resolution.components}
    named, _, path = what.partition(".")
    name = resolved.catalog.aliases.get(named, named) if resolved.catalog else named
    if name not in components:
        click.echo("\n".join(_absent(name, resolved, list(components))))
        return
    blocks = list(_blocks(components[name], path, resolved.sources))
    if not blocks:
        from groundswell.catalog.value_path import format_path

        values = {format_path(key[:end]) for key in components[name].origins for end in range(1, len(key) + 1)}
        _fail(f"no layer sets anything at `{what}`", path, [*components[name].field_origins, *values])
    click.echo("\n".join(blocks))


def _absent(name: str, resolved: Resolved, present: list[str]) -> list[str]:
    """What is to be said of a component that the query does not lead to: the mixins that would patch it."""
    text = f"the query does not lead to a component `{name}`"
    mixins = resolved.resolution.mixins if resolved.resolution else ()
    documents = [resolved.catalog.mixins[mixin] for mixin in mixins] if resolved.catalog else []
    refs = [(mixin, ref) for mixin in documents for ref in mixin.refs if ref.name == name]
    if not refs:
        _fail(text, name, present)
    lines = [f"{text}, so these have no effect:"]
    for mixin, ref in refs:
        place = f"{resolved.sources.display(ref.span.file)}:{ref.span.line}:{ref.span.column}"
        lines.append(f"    mixin {mixin.name}  [{place}] patches it where it is present")
    return lines


def _explain_code(code: str) -> None:
    from groundswell.diagnostics.registry import all_codes, explain

    text = explain(code)
    if text is None:
        _fail(f"there is no code {code}", code, list(all_codes()))
    click.echo(text.rstrip("\n"))


def _fail(text: str, name: str, candidates: list[str]) -> NoReturn:
    from groundswell.diagnostics.suggest import suggestion

    raise click.ClickException("; ".join(part for part in (text, suggestion(name, candidates)) if part))


def _blocks(component: Component, path: str, sources: RunSources) -> Iterator[str]:
    from groundswell.catalog.value_path import format_path

    fields = {name: origins for name, origins in component.field_origins.items() if not path or _below(name, path)}
    yield from _histories(f"{component.name}: ", fields, sources)
    chosen: Mapping[str, tuple[Origin, ...]] = {
        format_path(key): origins
        for key, origins in component.origins.items()
        if not path or _below(format_path(key), path) or _below(path, format_path(key))
    }
    yield from _histories(f"{component.name}.", chosen, sources)


def _below(name: str, path: str) -> bool:
    return name == path or name.startswith(path + ".")


def _histories(prefix: str, histories: Mapping[str, tuple[Origin, ...]], sources: RunSources) -> Iterator[str]:
    for name in sorted(histories):
        origins = histories[name]
        yield f"{prefix}{name} {_outcome(origins[-1])}"
        for origin in origins:
            place = f"{sources.display(origin.file)}:{origin.line}:{origin.column}" if origin.file else "command line"
            mark = ">" if origin is origins[-1] else " "
            yield f"  {mark} {origin.layer}: {_said(origin)}  [{place}] because {origin.reason}"


def _outcome(origin: Origin) -> str:
    return "is removed" if origin.action == "delete" else f"= {_shown(origin)}"


def _said(origin: Origin) -> str:
    return {"delete": "removes it", "unset": "unsets the chart's default"}.get(origin.action, _shown(origin))


def _shown(origin: Origin) -> str:
    text = json.dumps(origin.value, ensure_ascii=False)
    limit = 100
    return text if len(text) <= limit else text[:limit] + "…"
