"""Catalogs that exist only in a test, and queries written as on the command line."""

from __future__ import annotations

import shlex
from textwrap import dedent, indent
from typing import TYPE_CHECKING, Any

import click

from groundswell.catalog.files import CatalogFiles
from groundswell.catalog.load import load
from groundswell.cli.options import Inputs, query_options, take_inputs
from groundswell.cli.planning import plan_of
from groundswell.cli.resolving import resolve_with
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.diagnostic import failed, ordered
from groundswell.plan.build import build_plan
from groundswell.resolve.query import Query, stated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.entries import Catalog, Loaded
    from groundswell.cli.resolving import Resolved
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component, Resolution

HEAD = "apiVersion: groundswell.dev/v1alpha1\n"


def document(kind: str, name: str, spec: str, metadata: str = "") -> str:
    """The text of a catalog document; `metadata` adds to the name: `, patch: true`."""
    body = indent(dedent(spec).strip("\n"), "  ")
    return f"{HEAD}kind: {kind}\nmetadata: {{name: {name}{metadata}}}\nspec:" + (f"\n{body}\n" if body else " {}\n")


def component(name: str, more: str = "") -> str:
    """The text of a component with a chart of its own name and a namespace; `more` adds to its spec."""
    chart = f"helm: {{repository: https://charts.example.test/stable, chart: {name}, version: 1.2.3}}\n"
    return document("Component", name, f"description: A sample\n{chart}namespace: {name}\n{dedent(more)}")


def texts(
    recipes: Mapping[str, str] | None = None,
    mixins: Mapping[str, str] | None = None,
    components: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The files of a catalog, from the specs of its documents by name. An empty `base` is there without being given."""
    found = {"recipes/base.yaml": document("Recipe", "base", "")}
    found |= {f"recipes/{name}.yaml": document("Recipe", name, spec) for name, spec in (recipes or {}).items()}
    found |= {f"mixins/{name}.yaml": document("Mixin", name, spec) for name, spec in (mixins or {}).items()}
    found |= {f"components/{name}/component.yaml": component(name, more) for name, more in (components or {}).items()}
    return found | dict(files or {})


def catalog_files(*layers: Mapping[str, str]) -> CatalogFiles:
    """The files of a catalog's layers, the lowest first; one is called `catalog`, several `layer-1`, `layer-2`, …."""
    names = ["catalog"] if len(layers) == 1 else [f"layer-{number}" for number in range(1, len(layers) + 1)]
    content = {
        f"{name}/{path}": text.encode()
        for name, layer in zip(names, layers, strict=True)
        for path, text in layer.items()
    }
    return CatalogFiles(tuple(names), content)


def load_texts(*layers: Mapping[str, str]) -> Loaded:
    """Load a catalog from the texts of its layers, the lowest first."""
    return load(catalog_files(*layers))


def sound(*layers: Mapping[str, str]) -> Catalog:
    """The catalog in texts in which nothing may be wrong."""
    loaded = load_texts(*layers)
    assert not loaded.findings
    assert loaded.catalog is not None
    return loaded.catalog


def inputs_of(options: str | Iterable[str]) -> Inputs:
    """The shared options of the commands, parsed as they are."""
    arguments = shlex.split(options) if isinstance(options, str) else list(options)

    @click.command()
    @query_options
    def command(**given: Any) -> Inputs:
        return take_inputs(given)

    result = command.main(arguments, standalone_mode=False)
    assert isinstance(result, Inputs)
    return result


def resolve_in(
    catalog: Catalog | None, options: str | Iterable[str]
) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    """Resolve a query written as options against a catalog."""
    resolved = _resolved(catalog, options)
    return resolved.resolution, resolved.findings


def findings_in(catalog: Catalog | None, options: str | Iterable[str]) -> tuple[Diagnostic, ...]:
    """Everything that one run says of a query written as options, and of its plan."""
    return ordered(plan_of(_resolved(catalog, options))[1])


def _resolved(catalog: Catalog | None, options: str | Iterable[str]) -> Resolved:
    inputs = inputs_of(options)
    return resolve_with(catalog, inputs, Query(stated(inputs.criteria), inputs.nodes), (), RunSources())


def resolve_texts(
    layers: Mapping[str, str] | tuple[Mapping[str, str], ...], options: str | Iterable[str]
) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    """Resolve a query written as options against a sound catalog in texts."""
    return resolve_in(sound(*(layers if isinstance(layers, tuple) else (layers,))), options)


def resolved(
    layers: Mapping[str, str] | tuple[Mapping[str, str], ...], options: str | Iterable[str]
) -> dict[str, Component]:
    """The components of a query in which nothing may be wrong."""
    resolution, findings = resolve_texts(layers, options)
    assert not findings
    assert resolution is not None
    return {item.name: item for item in resolution.components}


def refused(
    layers: Mapping[str, str] | tuple[Mapping[str, str], ...], options: str | Iterable[str]
) -> list[tuple[str, str]]:
    """What is wrong with a query: the codes of its errors, each with its message; there must be one."""
    resolution, findings = resolve_texts(layers, options)
    assert resolution is None
    assert failed(findings)
    return [(finding.code, finding.message) for finding in findings]


def planned(layers: Mapping[str, str], options: str | Iterable[str]) -> Plan:
    """The plan of a query in which nothing may be wrong."""
    resolution, findings = resolve_texts(layers, options)
    assert resolution is not None
    plan, more = build_plan(resolution)
    assert not failed((*findings, *more))
    assert plan is not None
    return plan


def codes(findings: Iterable[Diagnostic]) -> list[str]:
    """The codes of findings, in order."""
    return [finding.code for finding in findings]


def places(findings: Iterable[Diagnostic]) -> list[tuple[str, str, int, int]]:
    """Code, file, line and column of each finding; a finding without a place has an empty file."""
    return [
        (finding.code, *((finding.span.file, finding.span.line, finding.span.column) if finding.span else ("", 0, 0)))
        for finding in findings
    ]
