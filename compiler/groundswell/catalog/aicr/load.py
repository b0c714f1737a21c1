"""A directory of the AICR layout becomes one checked catalog.

The directory is taken as that project's own loader takes it: what it accepts without a word is accepted, and told by
`catalog check`, and by every command whose result loses something by it. What it reports only when a query leads there
(missing files, unknown names, cycles) is an error at once, and so is what can only be a slip of the pen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from groundswell.catalog.aicr.build import AicrBuilder
from groundswell.catalog.aicr.chains import chained
from groundswell.catalog.aicr.layout import BASE, REGISTRY, Role, role, walked
from groundswell.catalog.aicr.library import AicrLibrary
from groundswell.catalog.aicr.losses import Losses
from groundswell.catalog.aicr.remarks import moving_version, remarks
from groundswell.catalog.entries import Catalog, ComponentEntry, Loaded, Mixin, Recipe
from groundswell.catalog.references import ROOT
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.codes.source import LOSSY_FLOAT
from groundswell.diagnostics.diagnostic import Diagnostic, Related, failed, ordered
from groundswell.diagnostics.suggest import did_you_mean, misspelt
from groundswell.model import aicr
from groundswell.model.examine import take_back
from groundswell.model.parse import unknown_keys, validate
from groundswell.resolve.aicr import AICR
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.catalog.entries import ComponentRef
    from groundswell.catalog.files import CatalogFiles
    from groundswell.source.located import Located

Entry = TypeVar("Entry", Recipe, Mixin, ComponentEntry)
M = TypeVar("M", bound=aicr.Lenient)

_IGNORABLE = ("metadata", "spec")
_KIND = "RecipeMetadata"


def load_aicr(files: CatalogFiles) -> Loaded:
    """Load a catalog from the files of its one directory."""
    loader = _Loader(files)
    loader.documents()
    loader.registry()
    recipes = chained(loader.recipes, loader.mixins, loader.components, loader.findings)
    findings, used = ordered(loader.findings), frozenset(loader.library.used)
    told = ordered((*loader.remarks, *remarks(recipes, loader.mixins)))
    if failed(findings):
        return Loaded(None, findings, used, told)
    losses = Losses(told)
    recipes, mixins = losses.of_recipes(recipes), losses.of_mixins(loader.mixins)
    components = losses.of_components(loader.components, loader.places)
    catalog = Catalog(recipes, mixins, components, (), frozenset(), AICR, files.digest())
    return Loaded(catalog, findings, used, told)


class _Loader:
    """Documents found so far by name; `remarks` are for `catalog check`, `places` components' in the registry."""

    def __init__(self, files: CatalogFiles) -> None:
        self.findings: list[Diagnostic] = []
        self.remarks: list[Diagnostic] = []
        self.library = AicrLibrary(files, self.findings, self.remarks)
        self.recipes: dict[str, Recipe] = {}
        self.mixins: dict[str, Mixin] = {}
        self.components: dict[str, ComponentEntry] = {}
        self.places: dict[str, Span] = {}
        self._files = files
        (self._layer,) = files.layers
        self._builder = AicrBuilder(self.library, self._layer, self.findings, self.remarks)

    def documents(self) -> None:
        """Read overlays and mixins."""
        for path in walked([name.removeprefix(f"{self._layer}/") for name in self._files.content]):
            identifier, kind = f"{self._layer}/{path}", role(path)
            if kind is Role.MIXIN:
                self._mixin(identifier)
            elif kind in {Role.OVERLAY, Role.BASE}:
                self._overlay(identifier, kind)
            elif kind is Role.NONE:
                hint = "overlays and mixins end in `.yaml`" if path.lower().endswith((".yml", ".json")) else ""
                self._ignored(f"`{path}` is not read", Span(identifier, 1, 1, 1, 1), hint)
        if ROOT not in self.recipes and not failed(self.findings):
            self.findings.append(aicr_codes.NO_REGISTRY(f"the catalog has no {BASE}"))

    def registry(self) -> None:
        """Read the registry; components that only overlays know are added to it."""
        identifier = f"{self._layer}/{REGISTRY}"
        if identifier not in self._files.content:
            self.findings.append(aicr_codes.NO_REGISTRY(f"the catalog has no {REGISTRY}"))
            return
        document = self.library.document(identifier)
        model = self._validated(aicr.Registry, document) if document else None
        if model is None or document is None:
            return
        refs = self._refs()
        for index, entry in enumerate(model.components or ()):
            place = document["components"][index]
            self.places[entry.name] = place.span
            self._registered(self._builder.component(entry, place, self._values(entry.name, refs)), entry, place)
        for name, said in refs.items():
            if name not in self.components:
                self.components[name] = self._builder.unregistered(said[0], self._values(name, refs))
                text = f"the registry has no component `{name}`"
                self.remarks.append(codes.UNKNOWN_REFERENCE(text, said[0].span).as_warning())
            self._base_values(name, said)

    def _registered(self, entry: ComponentEntry, model: aicr.RegistryEntry, place: Located) -> None:
        if entry.name == "deployer" or any(alias.name == "deployer" for alias in entry.aliases):
            self.findings.append(aicr_codes.RESERVED_NAME("no component can be called `deployer`", entry.span))
        for alias in entry.aliases:
            for other in self.components.values():
                if other.name != entry.name and alias.name in {other.name, *(item.name for item in other.aliases)}:
                    text = f"`{alias.name}` already stands for `{other.name}`"
                    self.remarks.append(codes.ALIAS_TAKEN(text, alias.span).as_warning())
        asserts = model.health_check and model.health_check.assert_file
        if asserts and self._files.lookup(asserts, self._layer) is None:
            span = place["healthCheck"]["assertFile"].span
            self.remarks.append(codes.MISSING_FILE(f"the catalog has no file `{asserts}`", span).as_warning())
        self.remarks.extend(moving_version(entry.defaults))
        self._add(self.components, entry)

    def _refs(self) -> dict[str, list[ComponentRef]]:
        """What all documents say on each component."""
        refs: dict[str, list[ComponentRef]] = {}
        documents: list[Recipe | Mixin] = [*self.recipes.values(), *self.mixins.values()]
        for ref in (ref for document in documents for ref in document.refs):
            refs.setdefault(ref.name, []).append(ref)
        return refs

    def _values(self, name: str, refs: dict[str, list[ComponentRef]]) -> Located | None:
        """A component's values.yaml; it is read only below another values file, or as one."""
        identifier = f"{self._layer}/components/{name}/values.yaml"
        named = any(ref.values_files for ref in refs.get(name, ()))
        return self.library.values_of(identifier) if named and identifier in self._files.content else None

    def _base_values(self, name: str, said: Iterable[ComponentRef]) -> None:
        """Tell of values files in a component's folder that should lie on top of a values.yaml which is not there."""
        folder = f"components/{name}/"
        if f"{self._layer}/{folder}values.yaml" in self._files.content:
            return
        for ref in said:
            if any(values.file.startswith(f"{self._layer}/{folder}") for values in ref.values_files):
                text = f"`{name}` has no {folder}values.yaml for this file to lie on top of"
                self.remarks.append(aicr_codes.NO_BASE_VALUES(text, ref.fields.find(("valuesFile",))))

    def _overlay(self, identifier: str, kind: Role) -> None:
        document = self._document(identifier)
        if document is None:
            return
        stated = document.data.get("kind")
        if isinstance(stated, str) and stated not in {"", _KIND}:
            if misspelt(stated, [_KIND]):
                text = f"`kind` must be `{_KIND}`, not `{stated}`"
                place = document["kind"].span
                self.findings.append(codes.WRONG_DOCUMENT(text, place, help=did_you_mean(_KIND)))
                return
            self._ignored(f"a document of kind `{stated}` is no overlay", document["kind"].span)
            return
        if not stated and not all(isinstance(document.data.get(key), dict) for key in _IGNORABLE):
            self._ignored("a document without kind, metadata and spec is no overlay", document.span)
            return
        model = self._validated(aicr.OverlayDocument, document)
        if model is None:
            return
        if not stated:
            self.remarks.append(aicr_codes.WITHOUT_EFFECT("without `kind` this is taken for an overlay", document.span))
        if kind is Role.BASE:
            self.recipes[ROOT] = self._builder.base(model, document)
        elif model.metadata.name == ROOT:
            self._ignored(f"only {BASE} is the root recipe", document["metadata"]["name"].span)
        else:
            self._add(self.recipes, self._builder.overlay(model, document))

    def _mixin(self, identifier: str) -> None:
        document = self._document(identifier)
        model = self._validated(aicr.MixinDocument, document, strict=True) if document else None
        if model is None or document is None:
            return
        mixin = self._builder.mixin(model, document)
        if mixin.name in self.mixins:
            related = [Related(self.mixins[mixin.name].span, "the other one")]
            text = f"`{mixin.name}` is already the name of another mixin"
            self.findings.append(codes.DUPLICATE_NAME(text, mixin.span, related=related))
        self.mixins.setdefault(mixin.name, mixin)

    def _document(self, identifier: str) -> Located | None:
        document = self.library.document(identifier)
        if document is None:
            self._ignored("the file holds no document", Span(identifier, 1, 1, 1, 1))
        elif not isinstance(document.data, dict):
            self.findings.append(codes.NOT_A_MAP("the document must be a map", document.span))
            return None
        return document

    def _validated(self, model: type[M], document: Located, *, strict: bool = False) -> M | None:
        """The document's model. Unknown keys are remarks, in `strict` documents and where they are slips errors."""
        validated, found, kept = validate(model, document)
        take_back(LOSSY_FLOAT, kept, self.findings)
        self.findings.extend(found)
        for key in unknown_keys(model, document):
            hint = did_you_mean(key.guess)
            if strict or key.slip:
                self.findings.append(codes.UNKNOWN_KEY(f"unknown key `{key.name}`", key.span, help=hint))
            else:
                self.remarks.append(aicr_codes.IGNORED_KEY(f"nothing reads the key `{key.name}`", key.span, help=hint))
        return validated

    def _add(self, table: dict[str, Entry], entry: Entry) -> None:
        """Add an entry; one of the same name is overwritten."""
        if (other := table.pop(entry.name, None)) is not None:
            related = [Related(entry.span, "by this one")]
            self.remarks.append(aicr_codes.OVERWRITTEN(f"`{entry.name}` is overwritten", other.span, related=related))
        table[entry.name] = entry

    def _ignored(self, text: str, span: Span, hint: str = "") -> None:
        self.remarks.append(aicr_codes.IGNORED_DOCUMENT(text, span, help=hint))
