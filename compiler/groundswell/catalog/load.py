"""Directories become one checked catalog: every file read, every document validated, layer upon layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from groundswell.catalog.aicr.load import load_aicr
from groundswell.catalog.build import Builder
from groundswell.catalog.entries import (
    Catalog,
    Combination,
    ComponentEntry,
    Loaded,
    Mixin,
    Recipe,
    SchedulingPaths,
)
from groundswell.catalog.files import Layout
from groundswell.catalog.library import Library
from groundswell.catalog.references import check_references
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related, failed, ordered
from groundswell.model import authored
from groundswell.model.examine import examined
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.resolve.semantics import GROUNDSWELL
from groundswell.source.span import Span

if TYPE_CHECKING:
    from groundswell.catalog.entries import Named
    from groundswell.catalog.files import CatalogFiles
    from groundswell.model.salvage import Salvaged
    from groundswell.source.located import Located

Entry = TypeVar("Entry", Recipe, Mixin, ComponentEntry)
M = TypeVar("M", bound=authored.Document)


def load(files: CatalogFiles) -> Loaded:
    """Load a catalog from its files, the lowest layer first."""
    if files.layout is Layout.AICR:
        return load_aicr(files)
    loader = _Loader(files)
    for layer in files.layers:
        loader.add_layer(layer)
    recipes = check_references(
        loader.recipes, loader.mixins, loader.components, loader.broken, loader.findings, supported=loader.supported
    )
    findings = ordered(loader.findings)
    if failed(findings):
        return Loaded(None, findings, frozenset(loader.library.used))
    catalog = Catalog(
        recipes=recipes,
        mixins=loader.mixins,
        components=loader.components,
        combinations=tuple(loader.combinations),
        supporting=frozenset(loader.supporting),
        semantics=GROUNDSWELL,
        digest=files.digest(),
    )
    return Loaded(catalog, findings, frozenset(loader.library.used))


class _Loader:
    """Documents found so far, by kind and name. `broken` are names whose document could not be read."""

    def __init__(self, files: CatalogFiles) -> None:
        self.findings: list[Diagnostic] = []
        self.library = Library(files, self.findings)
        self.recipes: dict[str, Recipe] = {}
        self.mixins: dict[str, Mixin] = {}
        self.components: dict[str, ComponentEntry] = {}
        self.combinations: list[Combination] = []
        self.supporting: list[str] = []
        self.supported: list[Named] = []
        self.broken: set[str] = set()
        self._files = files

    def add_layer(self, layer: str) -> None:
        """Read the documents of one layer, lower layers having been read before."""
        builder = Builder(self.library, layer, self.findings)
        for identifier in sorted(name for name in self._files.content if name.startswith(f"{layer}/")):
            folder, *rest = identifier.removeprefix(f"{layer}/").split("/")
            if folder == "recipes" and rest == ["support.yaml"]:
                self._support(identifier, builder, layer)
            elif folder == "recipes":
                self._recipe(identifier, builder)
            elif folder == "mixins":
                self._mixin(identifier, builder)
            elif rest[1:] == ["component.yaml"]:
                self._component(identifier, rest[0], builder, layer)
            elif (
                rest[1:] == ["values.yaml"]
                and f"{layer}/components/{rest[0]}/component.yaml" not in self._files.content
            ):
                self._values_alone(identifier, rest[0])

    def _document(self, identifier: str, model: type[M], patch: type[M] | None = None) -> Salvaged[M] | None:
        """A validated document (what is left of it, if its faults are reported), or None when there is none."""
        document = self.library.document(identifier)
        if document is None or not isinstance(document.data, dict):
            if document is not None:
                self.findings.append(codes.NOT_A_MAP("the document must be a map", document.span))
            self._break(identifier, None)
            return None
        metadata = document.data.get("metadata")
        is_patch = isinstance(metadata, dict) and metadata.get("patch") is True
        found, sound = examined(patch if patch and is_patch else model, document, self.findings)
        if not sound:
            self._break(identifier, document)
        return found

    def _break(self, identifier: str, document: Located | None) -> None:
        """Remember the name that an unreadable document would have had, so that nobody misses it a second time."""
        metadata = document.data.get("metadata") if document else None
        if isinstance(metadata, dict) and isinstance(metadata.get("name"), str):
            self.broken.add(metadata["name"])
        parts = identifier.split("/")
        self.broken.add(parts[-1].removesuffix(".yaml"))
        self.broken.add(parts[2] if parts[1] == "components" else parts[-1])

    def _support(self, identifier: str, builder: Builder, layer: str) -> None:
        self.supporting.append(layer)
        if found := self._document(identifier, authored.SupportDocument):
            self.combinations.extend(builder.combinations(found.model, found.document))
            self.supported.extend(builder.supported(found.model, found.document))

    def _recipe(self, identifier: str, builder: Builder) -> None:
        if not (found := self._document(identifier, authored.RecipeDocument)):
            return
        recipe = builder.recipe(found.model, found.document)
        below = self._below(recipe, self.recipes, found)
        if below != "patch":
            self._enter(identifier, recipe, self.recipes, below)
            return
        for key in {"base", "criteria"} & found.model.spec.model_fields_set:
            text = f"a patch keeps the {key} of the recipe that it patches"
            place = found.document["spec"].key_span(key)
            self.findings.append(codes.BAD_VALUE(text, place, help="say `replace: true` to write it anew"))
        lower = self.recipes[recipe.name]
        self.recipes[recipe.name] = lower._replace(patches=(*lower.patches, recipe))

    def _mixin(self, identifier: str, builder: Builder) -> None:
        if not (found := self._document(identifier, authored.MixinDocument)):
            return
        mixin = builder.mixin(found.model, found.document)
        below = self._below(mixin, self.mixins, found)
        if below == "patch":
            lower = self.mixins[mixin.name]
            self.mixins[mixin.name] = lower._replace(patches=(*lower.patches, mixin))
        else:
            self._enter(identifier, mixin, self.mixins, below)

    def _component(self, identifier: str, folder: str, builder: Builder, layer: str) -> None:
        found = self._document(identifier, authored.ComponentDocument, authored.ComponentPatchDocument)
        if not found:
            self.library.beside(folder, layer)  # what is wrong with it is told in the same run
            return
        model, document, named = found
        if named and model.metadata.name != folder:
            text = f"the component in the folder `{folder}` must have that name, not `{model.metadata.name}`"
            self.findings.append(codes.BAD_VALUE(text, document["metadata"]["name"].span))
        entry = builder.component(model, document, folder)
        below = self._below(entry, self.components, found)
        if below == "patch":
            self.components[entry.name] = _patched(self.components[entry.name], entry, model.spec)
        elif below is None:
            self._enter(identifier, entry._replace(aliases=()), self.components, below)
        else:
            self._enter(identifier, entry, self.components, below)

    def _enter(self, identifier: str, entry: Entry, table: dict[str, Entry], below: str | None) -> None:
        """Note a document; one without a place of its own under a name that nobody uses, so that it is judged, too."""
        name = entry.name if below else identifier
        table[name] = entry._replace(name=name)

    def _values_alone(self, identifier: str, component: str) -> None:
        text = f"these values are not read, because this layer does not describe `{component}`"
        hint = f"add components/{component}/component.yaml with `metadata: {{name: {component}, patch: true}}`"
        self.findings.append(codes.IGNORED_FILE(text, Span(identifier, 1, 1, 1, 1), help=hint))

    def _below(self, entry: Entry, table: dict[str, Entry], found: Salvaged[Any]) -> str | None:
        """How a document stands to one of its name in a lower layer: new, patch, replace, or None for an error."""
        if not found.named:
            return None
        metadata, where = found.model.metadata, found.document["metadata"]
        if metadata.patch and metadata.replace:
            text = f"`{entry.name}` cannot both patch and replace the document of a lower layer"
            hint = "keep `patch` to merge the two, or `replace` to use this one alone"
            self.findings.append(codes.BAD_VALUE(text, where.key_span("replace"), help=hint))
            return None
        lower = table.get(entry.name)
        if lower is None:
            key = "patch" if metadata.patch else "replace"
            if (metadata.patch or metadata.replace) and entry.name not in self.broken:
                text = f"there is no `{entry.name}` in a lower layer of the catalog"
                self.findings.append(codes.NOTHING_TO_PATCH(text, where.key_span(key)))
                return None
            return "new"
        # A component's patches cannot meet in one layer: each is named after its folder.
        patches: tuple[Recipe | Mixin, ...] = () if isinstance(lower, ComponentEntry) else lower.patches
        beside = entry.layer in {lower.layer, *(patch.layer for patch in patches)}
        if beside or not (metadata.patch or metadata.replace):
            text = f"`{entry.name}` is already the name of another document"
            hint = (
                ""
                if beside
                else "say `metadata.patch: true` to merge the two, or `replace: true` to use this one alone"
            )
            related = [Related(lower.span, "the other one")]
            self.findings.append(
                codes.DUPLICATE_NAME(text, entry.span, related=related, help=hint or "rename one of the two")
            )
            return None
        return "patch" if metadata.patch else "replace"


def _patched(lower: ComponentEntry, upper: ComponentEntry, spec: authored.ComponentSpec) -> ComponentEntry:
    """A component with a higher layer's patch: lists unite, what the patch states wins, its values come on top."""
    changes: dict[str, Any] = {
        name: getattr(upper, name) for name in ("description", "crds") if name in spec.model_fields_set
    }
    if "privileged" in spec.talos.model_fields_set:
        changes["privileged"] = upper.privileged
    if spec.cluster.model_fields_set:
        changes["cluster_needs"] = _cluster_needs(lower.cluster_needs, upper.cluster_needs)
    return lower._replace(
        patches=(*lower.patches, upper.defaults),
        aliases=lower.aliases + upper.aliases,
        constraints=lower.constraints + upper.constraints,
        system=_joined(lower.system, upper.system),
        accelerated=_joined(lower.accelerated, upper.accelerated),
        storage_class=_united(lower.storage_class, upper.storage_class),
        node_count=_united(lower.node_count, upper.node_count),
        instances=_united(lower.instances, upper.instances),
        ignore_differences=lower.ignore_differences + upper.ignore_differences,
        node_needs=lower.node_needs + upper.node_needs,
        required=lower.required + upper.required,
        argocd_health={**lower.argocd_health, **upper.argocd_health},
        **changes,
    )


def _cluster_needs(lower: ClusterNeeds, upper: ClusterNeeds) -> ClusterNeeds:
    """What the upper layer leaves out stands as the lower one says it."""
    return ClusterNeeds(
        lower.cni if upper.cni is None else upper.cni,
        lower.kube_proxy if upper.kube_proxy is None else upper.kube_proxy,
        upper.replacement or lower.replacement,
        {**lower.places, **upper.places},
    )


def _united(lower: tuple[Any, ...], upper: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(lower + upper))


def _joined(lower: SchedulingPaths, upper: SchedulingPaths) -> SchedulingPaths:
    return SchedulingPaths(
        _united(lower.node_selector, upper.node_selector), _united(lower.toleration, upper.toleration)
    )
