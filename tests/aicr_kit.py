"""Small catalogs of the AICR layout that exist only in a test."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import TYPE_CHECKING, Any

from catalog_kit import resolve_in
from groundswell.catalog.files import CatalogFiles, Layout
from groundswell.catalog.load import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.entries import Catalog, Loaded
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component, Resolution

API = "apiVersion: aicr.run/v1alpha2\n"
REGISTRY = API + dedent("""\
    kind: ComponentRegistry
    components:
      - name: app
        displayName: The app
        valueOverrideKeys: [theapp]
        helm:
          defaultRepository: https://charts.example.test/stable
          defaultChart: stable/the-app
          defaultVersion: 1.10.0
          defaultNamespace: apps
        nodeScheduling:
          system: {nodeSelectorPaths: [nodeSelector]}
      - name: lib
        helm: {defaultRepository: oci://charts.example.test/libs, defaultChart: lib, defaultVersion: v2.0.0}
      - name: plain
        helm: {defaultNamespace: apps}
""")
BASE = "componentRefs: [{name: app, type: Helm}]"


def overlay(name: str, spec: str, kind: str = "RecipeMetadata") -> str:
    """The text of an overlay or mixin."""
    body = indent(dedent(spec).strip("\n"), "  ")
    return f"{API}kind: {kind}\nmetadata: {{name: {name}}}\nspec:" + (f"\n{body}\n" if body else " {}\n")


def texts(
    overlays: Mapping[str, str] | None = None,
    *,
    base: str = BASE,
    mixins: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The files of a catalog, from the specs of its documents by name."""
    found = {"registry.yaml": REGISTRY, "overlays/base.yaml": overlay("base", base)}
    found |= {f"overlays/{name}.yaml": overlay(name, spec) for name, spec in (overlays or {}).items()}
    found |= {f"mixins/{name}.yaml": overlay(name, spec, "RecipeMixin") for name, spec in (mixins or {}).items()}
    return found | dict(files or {})


def load_aicr_texts(content: Mapping[str, str]) -> Loaded:
    """Load a catalog from texts."""
    files = {f"catalog/{path}": text.encode() for path, text in content.items()}
    return load(CatalogFiles(("catalog",), files, Layout.AICR))


def sound(content: Mapping[str, str]) -> Catalog:
    """The catalog in texts in which nothing may be wrong."""
    loaded = load_aicr_texts(content)
    assert loaded.findings == ()
    assert loaded.catalog is not None
    return loaded.catalog


def outcome(content: Mapping[str, str], options: str) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    """Resolve a query written as options."""
    return resolve_in(sound(content), options)


def resolution(content: Mapping[str, str], options: str = "--service eks") -> Resolution:
    """The resolution of a query in which nothing may be wrong; what is lost without being wrong may be told."""
    found, findings = outcome(content, options)
    assert found is not None, findings
    assert {finding.code for finding in findings} <= {"M413", "M416", "M417"}
    return found


def component(content: Mapping[str, str], options: str = "--service eks", name: str = "app") -> Component:
    """One component of a query in which nothing may be wrong."""
    return next(item for item in resolution(content, options).components if item.name == name)


def values(
    *specs: str, files: Mapping[str, str] | None = None, base: str = "componentRefs: []", options: str = "--service eks"
) -> Any:
    """The merged values of `app` from the refs that a chain of overlays, lowest first, has for it."""
    names = [f"o{number}" for number in range(len(specs))]
    overlays = {}
    for name, below, spec in zip(names, ["base", *names], specs, strict=False):
        ref = indent(dedent(spec), "    ")
        overlays[name] = f"base: {below}\ncriteria: {{service: eks}}\ncomponentRefs:\n  - name: app\n{ref}"
    return component(texts(overlays, base=base, files=files), options).values


def refused(content: Mapping[str, str], options: str = "--service eks") -> list[tuple[str, str]]:
    """What is wrong with a query: code and message of each finding; there is no resolution."""
    found, findings = outcome(content, options)
    assert found is None
    return [(finding.code, finding.message) for finding in findings]


def told(findings: Iterable[Diagnostic]) -> list[tuple[str, int, str]]:
    """Code, line and message of findings."""
    return [(item.code, item.span.line if item.span else 0, item.message) for item in findings]
