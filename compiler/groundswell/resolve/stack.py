"""One component while layer after layer has its say on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.suggest import nearest, suggestion
from groundswell.resolve.layers import Kind, Layer
from groundswell.resolve.resolution import Manifest, Origin
from groundswell.resolve.tree import Tree
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.catalog.entries import ComponentEntry, ComponentRef, Named, PlacedManifest, RequiredValue
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import NodeNeeds
    from groundswell.source.located import Mark
    from groundswell.source.span import Span

T = TypeVar("T")
Ask = TypeVar("Ask", "NodeNeeds", "RequiredValue")


def stacked(entry: ComponentEntry, said: Sequence[tuple[ComponentRef, Layer]]) -> Stack:
    """One component from its defaults through everything that recipes and then mixins say on it, lowest first."""
    stack = Stack(entry.name)
    default = _default(entry)
    for ref in (entry.defaults, *entry.patches):
        stack.add(ref, default)
    for ref, layer in said:
        stack.add(ref, layer)
    return stack


def asked(needs: Iterable[Ask], accelerator: str | None) -> tuple[Ask, ...]:
    """What is asked where there is an accelerator; where the query states none, everything."""
    return tuple(item for item in needs if not (accelerator and item.accelerators) or accelerator in item.accelerators)


def health_origins(entry: ComponentEntry) -> dict[str, tuple[Origin, ...]]:
    """The origins of a component's health rules, which only its own documents state: `argocdHealth.nvidia.com_X`."""
    layer = _default(entry)
    return {f"argocdHealth.{kind}": (_origin(kind, rule.span, layer),) for kind, rule in entry.argocd_health.items()}


def _default(entry: ComponentEntry) -> Layer:
    return Layer(Kind.COMPONENT, entry.name, "it is the component's default")


class Stack:
    """The merged state of one component.

    `fields` holds the plain fields of refs, `values` the Helm values. Dependencies (by name) and manifests (by the
    path that refs use) unite in order, each with its origin; `entries` remembers which recipes put one in or out.
    """

    def __init__(self, name: str) -> None:
        """A component that no layer has mentioned yet."""
        self.name = name
        self.fields = Tree(lambda path: f"`{format_path(path)}` of `{name}`")
        self.values = Tree(lambda path: f"{name}.{format_path(path)}")
        self.dependencies: dict[str, Origin] = {}
        self.manifests: dict[str, tuple[Manifest, Origin]] = {}
        self.pre_manifests: dict[str, tuple[Manifest, Origin]] = {}
        self.entries = Tree(lambda path: f"the {path[0]} entry `{path[1]}` of `{name}`")
        self._said: dict[tuple[str, str], Layer] = {}
        self._missed: list[tuple[str, str, Layer]] = []
        self._findings: list[Diagnostic] = []

    @property
    def enabled(self) -> bool:
        """Whether the component is installed: yes, unless the highest layer that says anything says no."""
        return bool(self.fields.values().get("enabled", True))

    def add(self, ref: ComponentRef, layer: Layer) -> None:
        """Merge one layer's ref on top of what is there."""
        self.fields.overlay(ref.fields, layer)
        replaced = {item.path for item in ref.replace}
        for values in ref.values:
            # The first of the ref's own maps replaces what lower layers said; the others merge with it.
            here = frozenset(path for path in replaced if _holds(values.data, path))
            self.values.overlay(values, layer, here)
            replaced -= here
        for item in ref.replace:
            if item.path in replaced:
                text = f"`{format_path(item.path)}` is to be replaced, but this ref does not set it"
                self._findings.append(codes.UNUSED_REPLACE(text, item.span))
        for item in ref.unset:
            self.values.unset(item.path, layer, item.span)
        self._take_out(ref.without, layer)
        for named in ref.dependencies:
            self.dependencies.setdefault(named.name, _origin(named.name, named.span, layer))
            self._remember("dependencyRefs", named.name, named.name, named.span, layer)
        self._unite("manifestFiles", self.manifests, ref.manifests, layer)
        self._unite("preManifestFiles", self.pre_manifests, ref.pre_manifests, layer)

    def field_origins(self) -> dict[str, tuple[Origin, ...]]:
        """The origins of everything but the values: `version`, `dependencyRefs.nfd`, `manifestFiles.components/…`."""
        found = {format_path(path): origins for path, origins in self.fields.origins().items()}
        found |= {f"dependencyRefs.{name}": (origin,) for name, origin in self.dependencies.items()}
        for key, table in (("manifestFiles", self.manifests), ("preManifestFiles", self.pre_manifests)):
            found |= {f"{key}.{path}": (origin,) for path, (_, origin) in table.items()}
        return found

    def doubtful_entries(self) -> Iterator[tuple[str, str]]:
        """The entries, by key and name, that may have been meant where one was to be taken out that is not there."""
        for key, missed, layer in self._missed:
            below = [name for (at, name), its in self._said.items() if at == key and not its.above(layer)]
            guess = nearest(missed, [name for name in below if name != missed])
            yield from ((key, name) for name in ([guess] if guess else below))

    def findings(self) -> list[Diagnostic]:
        """What went wrong while merging."""
        return [*self._findings, *self.fields.findings, *self.values.findings]

    def _unite(
        self, key: str, table: dict[str, tuple[Manifest, Origin]], placed: Iterable[PlacedManifest], layer: Layer
    ) -> None:
        for entry in placed:
            path = reference(entry.manifest)
            table[path] = (entry.manifest, _origin(path, entry.span, layer))
            self._remember(key, path, entry.manifest.file, entry.span, layer)

    def _take_out(self, without: Mapping[str, Iterable[Named]], layer: Layer) -> None:
        self._remove("dependencyRefs", self.dependencies, without, layer)
        self._remove("manifestFiles", self.manifests, without, layer)
        self._remove("preManifestFiles", self.pre_manifests, without, layer)

    def _remove(self, key: str, table: dict[str, T], without: Mapping[str, Iterable[Named]], layer: Layer) -> None:
        for named in without.get(key, ()):
            if named.name not in table:
                self._missed.append((key, named.name, layer))
                text = f"`{self.name}` has no inherited {key} entry `{named.name}`"
                hint = suggestion(named.name, table)
                self._findings.append(codes.NOTHING_TO_TAKE_OUT(text, named.span, help=hint))
            table.pop(named.name, None)
            self._remember(key, named.name, None, named.span, layer)

    def _remember(self, key: str, name: str, value: str | None, span: Span, layer: Layer) -> None:
        """Note what a recipe says on one entry, None for taking it out. Mixins may take out what recipes put in."""
        self._said[key, name] = layer
        if layer.kind is Kind.RECIPE:
            mark: Mark = (*span[1:], None, None)
            marks: Mark = (*span[1:], None, {key: (mark, (*span[1:], None, {name: (mark, mark)}))})
            self.entries.overlay(Located({key: {name: value}}, marks, span.file), layer)


def _origin(value: str, span: Span, layer: Layer) -> Origin:
    return Origin(layer.label, span.file, span.line, span.column, layer.reason, "add", value)


def reference(manifest: Manifest) -> str:
    """The path that refs use for a manifest: its identifier without the catalog layer's name."""
    return manifest.file.partition("/")[2]


def _holds(data: object, path: Iterable[str]) -> bool:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True
