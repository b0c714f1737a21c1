"""Documents of the AICR layout as the entries that the resolver takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundswell.catalog.entries import (
    ComponentEntry,
    ComponentRef,
    ConstraintEntry,
    Mixin,
    Named,
    PlacedManifest,
    Recipe,
    SchedulingPaths,
)
from groundswell.catalog.references import ROOT
from groundswell.catalog.value_path import parse_path
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.catalog.build import FileTable
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.model import aicr
    from groundswell.resolve.resolution import Path
    from groundswell.source.span import Span

DIMENSIONS = ("service", "accelerator", "intent", "os", "platform", "nodes")
"""The criteria that overlays can match on: this project's, and the number of nodes."""

_FIELDS = {
    "source": "repository",
    "chart": "chart",
    "version": "version",
    "namespace": "namespace",
    "type": "type",
    "tag": "tag",
    "path": "path",
    "valuesFile": "valuesFile",
}
"""The plain fields of a ref by their names in files, with the names that the resolver uses."""


class AicrBuilder:
    """Makes entries; what is wrong gathers in `findings`, what has no effect in `remarks`."""

    def __init__(self, files: FileTable, layer: str, findings: list[Diagnostic], remarks: list[Diagnostic]) -> None:
        """Look files up in `files` as seen from `layer`."""
        self._files = files
        self._layer = layer
        self._findings = findings
        self._remarks = remarks

    def base(self, model: aicr.OverlayDocument, document: Located) -> Recipe:
        """The root recipe: it has no criteria, no base of its own, and its mixins count for nothing."""
        spec = model.spec
        for key, stated in (("criteria", spec.criteria), ("base", spec.base), ("mixins", spec.mixins)):
            if stated:
                text = f"`{key}` of the root recipe has no effect"
                self._remarks.append(aicr_codes.WITHOUT_EFFECT(text, document["spec"].key_span(key)))
        recipe = self.overlay(model, document)
        return recipe._replace(name=ROOT, base=None, criteria=None, effective={}, mixins=())

    def overlay(self, model: aicr.OverlayDocument, document: Located) -> Recipe:
        """An overlay, its chain of bases not yet known."""
        spec, place = model.spec, document["spec"]
        criteria = None
        if spec.criteria is not None:
            stated = {name: getattr(spec.criteria, name) for name in DIMENSIONS}
            criteria = {name: str(value) for name, value in stated.items() if value not in {None, "any", 0}}
        return Recipe(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            layer=self._layer,
            base=Named(spec.base, place["base"].span) if spec.base and spec.base != ROOT else None,
            criteria=criteria,
            mixins=_names(place, "mixins"),
            constraints=self._constraints(spec.constraints or (), place),
            refs=self._refs(spec.component_refs or (), place, create=False),
            effective=criteria or {},
        )

    def mixin(self, model: aicr.MixinDocument, document: Located) -> Mixin:
        """A mixin; its refs create components that are absent."""
        spec, place = model.spec, document["spec"]
        return Mixin(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            layer=self._layer,
            constraints=self._constraints(spec.constraints or (), place),
            refs=self._refs(spec.component_refs or (), place, create=True),
        )

    def component(self, model: aicr.RegistryEntry, place: Located, values: Located | None) -> ComponentEntry:
        """A component of the registry, with its values.yaml where something needs that."""
        helm = model.helm
        stated: dict[str, Any] = {"type": "Kustomize"} if model.kustomize and model.kustomize.default_source else {}
        if helm:
            chart = helm.default_chart.rpartition("/")[2] if helm.default_chart else None
            found = (helm.default_repository, chart, helm.default_version, helm.default_namespace)
            stated |= dict(zip(("repository", "chart", "version", "namespace"), found, strict=True))
        defaults = ComponentRef(
            name=model.name,
            span=place["name"].span,
            fields=_fields(stated, place, {key: place.find(("helm", where)) for key, where in _DEFAULTS.items()}),
            values_files=(values,) if values else (),
        )
        nodes = place["nodeScheduling"] if model.node_scheduling else place
        return _entry(
            defaults,
            self._layer,
            description=model.display_name or model.name,
            aliases=_names(place, "valueOverrideKeys"),
            system=self._scheduling(nodes, "system"),
            accelerated=self._scheduling(nodes, "accelerated"),
            storage_class=self._paths(place, "storageClassPaths"),
            node_count=self._paths(nodes, "nodeCountPaths"),
            instances=(),
        )

    def unregistered(self, ref: ComponentRef, values: Located | None) -> ComponentEntry:
        """A component that overlays name although the registry does not have it: nothing but what they say."""
        fields = _fields({}, ref.fields, {})
        defaults = ComponentRef(ref.name, ref.span, fields, values_files=(values,) if values else ())
        return _entry(defaults, self._layer, description=ref.name)

    def _refs(self, models: Sequence[aicr.ComponentRef], spec: Located, *, create: bool) -> tuple[ComponentRef, ...]:
        return tuple(self._ref(model, spec["componentRefs"][index], create) for index, model in enumerate(models))

    def _ref(self, model: aicr.ComponentRef, place: Located, create: bool) -> ComponentRef:
        if model.name == "deployer":
            self._findings.append(aicr_codes.RESERVED_NAME("no component can be called `deployer`", place["name"].span))
        named = model.model_dump(by_alias=True, include=set(_REF_FIELDS))
        stated = {ours: named[theirs] for theirs, ours in _FIELDS.items()}
        if model.type:
            stated["type"] = {"helm": "Helm", "kustomize": "Kustomize"}.get(model.type.lower(), model.type)
        if model.patches:
            stated["patches"] = ", ".join(model.patches)
        if create:
            stated |= {key: True for key in _REFUSED_IN_MIXINS if place.data.get(key)}
        values = self._files.values(place["valuesFile"], self._layer) if model.values_file else None
        enabled = (model.overrides or {}).get("enabled")
        if enabled is not None and not isinstance(enabled, bool):
            text = f"`enabled` of `{model.name}` is not true or false, so it switches nothing"
            self._remarks.append(aicr_codes.WITHOUT_EFFECT(text, place["overrides"]["enabled"].span))
        return ComponentRef(
            name=model.name,
            span=place["name"].span,
            fields=_fields(stated, place, {ours: place.find((theirs,)) for theirs, ours in _PLACES.items()}),
            dependencies=_names(place, "dependencyRefs"),
            values_files=(values,) if values else (),
            overrides=place["overrides"] if model.overrides else None,
            create=create,
            manifests=self._manifests(place, "manifestFiles"),
            pre_manifests=self._manifests(place, "preManifestFiles"),
        )

    def _manifests(self, place: Located, key: str) -> tuple[PlacedManifest, ...]:
        paths = place[key].elements() if key in place and place[key].data else ()
        found = ((self._files.manifest(path, self._layer), path.span) for path in paths)
        return tuple(PlacedManifest(manifest, span) for manifest, span in found if manifest)

    def _constraints(self, models: Sequence[aicr.Constraint], spec: Located) -> tuple[ConstraintEntry, ...]:
        return tuple(
            ConstraintEntry(model.name, model.value, False, "", spec["constraints"][index]["value"].span)  # noqa: FBT003  replace
            for index, model in enumerate(models)
        )

    def _scheduling(self, nodes: Located, name: str) -> SchedulingPaths:
        if not (name in nodes and nodes[name].data):
            return SchedulingPaths()
        return SchedulingPaths(
            self._paths(nodes[name], "nodeSelectorPaths"), self._paths(nodes[name], "tolerationPaths")
        )

    def _paths(self, place: Located, key: str) -> tuple[Path, ...]:
        found = []
        for item in place[key].elements() if key in place and place[key].data else ():
            path = parse_path(item.text or str(item.data))
            if path is None:
                self._findings.append(codes.BAD_PATH(f"`{item.data}` is not a path of keys joined by dots", item.span))
            else:
                found.append(path)
        return tuple(found)


_DEFAULTS = {
    "repository": "defaultRepository",
    "chart": "defaultChart",
    "version": "defaultVersion",
    "namespace": "defaultNamespace",
}
_REFUSED_IN_MIXINS = ("cleanup", "expectedResources", "healthCheckAsserts", "healthCheckSkip")
"""Keys without effect here, of which a mixin must not state one for a component that is there."""
_PLACES = {**_FIELDS, "patches": "patches"}
_REF_FIELDS = ("source", "chart", "version", "namespace", "type", "tag", "path", "values_file")


def _entry(defaults: ComponentRef, layer: str, **given: Any) -> ComponentEntry:
    """An entry with everything that the AICR layout does not say left empty."""
    empty: dict[str, Any] = {
        "aliases": (),
        "constraints": (),
        "crds": "none",
        "system": SchedulingPaths(),
        "accelerated": SchedulingPaths(),
        "storage_class": (),
        "node_count": (),
        "instances": (),
        "ignore_differences": (),
        "argocd_health": {},
        "privileged": False,
        "node_needs": (),
        "cluster_needs": ClusterNeeds(),
    }
    return ComponentEntry(name=defaults.name, span=defaults.span, layer=layer, defaults=defaults, **{**empty, **given})


def _fields(stated: dict[str, Any], place: Located, spans: dict[str, Span]) -> Located:
    """The plain fields that are stated, as a map with the places of its values."""
    kept = {key: value for key, value in stated.items() if value is not None}
    marks = {key: (place.mark, (*spans[key][1:], None, None) if key in spans else place.mark) for key in kept}
    return Located(kept, (*place.mark[:5], marks), place.file)


def _names(place: Located, key: str) -> tuple[Named, ...]:
    items: Iterable[Located] = place[key].elements() if key in place and place[key].data else ()
    return tuple(Named(item.text or str(item.data), item.span) for item in items)
