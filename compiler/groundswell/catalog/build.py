"""Validated documents become entries: every file that a document names is looked up, read and attached to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from groundswell.catalog.contradictions import contradictions
from groundswell.catalog.entries import (
    DIMENSIONS,
    Combination,
    ComponentEntry,
    ComponentRef,
    ConstraintEntry,
    Mixin,
    Named,
    PlacedManifest,
    PlacedPath,
    PlacedRule,
    Recipe,
    RequiredValue,
    SchedulingPaths,
)
from groundswell.catalog.value_path import parse_path
from groundswell.diagnostics.codes import model as codes
from groundswell.resolve.resolution import ClusterNeeds, Manifest, NodeNeeds
from groundswell.resolve.versions import parse_conditions
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.model import authored
    from groundswell.model.conditions import Constraint
    from groundswell.model.nodes import ClusterAsks, NodeClassPaths, TalosNodes
    from groundswell.model.refs import RecipeRef
    from groundswell.resolve.resolution import Path
    from groundswell.source.span import Span

_FIELDS = ("repository", "chart", "version", "namespace", "enabled")


class FileTable(Protocol):
    """Looks up the files that documents name; each answers None after reporting why."""

    def values(self, path: Located, layer: str) -> Located | None:
        """The values file at a path."""

    def own_values(self, path: Located, layer: str) -> Located | None:
        """The values file at a path of the layer itself."""

    def beside(self, component: str, layer: str) -> Located | None:
        """The values.yaml in a component's folder; that there is none is not reported."""

    def manifest(self, path: Located, layer: str) -> Manifest | None:
        """The manifest at a path."""


class Builder:
    """Makes the entries of one catalog layer's documents; what it finds wrong gathers in `findings`."""

    def __init__(self, files: FileTable, layer: str, findings: list[Diagnostic]) -> None:
        """Look files up in `files` as seen from `layer`."""
        self._files = files
        self._layer = layer
        self._findings = findings

    def recipe(self, model: authored.RecipeDocument, document: Located) -> Recipe:
        """A recipe, its chain of bases not yet known."""
        spec, place = model.spec, document["spec"]
        stated = spec.criteria
        criteria = (
            None if stated is None else {d: v for d in DIMENSIONS if (v := getattr(stated, d)) not in {None, "", "any"}}
        )
        return Recipe(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            layer=self._layer,
            base=Named(spec.base, place["base"].span) if spec.base else None,
            criteria=criteria,
            mixins=_names(spec.mixins, place, "mixins"),
            constraints=self._constraints(spec.constraints, place),
            refs=self._refs(spec.component_refs, place),
            talos_version=spec.talos_version or "",
        )

    def mixin(self, model: authored.MixinDocument, document: Located) -> Mixin:
        """A mixin."""
        spec, place = model.spec, document["spec"]
        return Mixin(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            layer=self._layer,
            constraints=self._constraints(spec.constraints, place),
            refs=self._refs(spec.component_refs, place),
        )

    def component(self, model: authored.ComponentDocument, document: Located, folder: str) -> ComponentEntry:
        """A component with its default values: those that it names, else the values.yaml in its folder."""
        spec, place = model.spec, document["spec"]
        defaults = self._defaults(model, document, folder)
        self._findings.extend(contradictions(defaults))
        return ComponentEntry(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            layer=self._layer,
            description=spec.description or "",
            defaults=defaults,
            aliases=_names(spec.aliases, place, "aliases"),
            constraints=self._constraints(spec.constraints, place),
            crds=spec.crds,
            system=self._scheduling(spec.scheduling.system, place, "system"),
            accelerated=self._scheduling(spec.scheduling.accelerated, place, "accelerated"),
            storage_class=self._paths(spec.storage_class_paths, place, "storageClassPaths"),
            node_count=self._paths(spec.node_count_paths, place, "nodeCountPaths"),
            instances=self._paths(spec.instance_paths, place, "instancePaths"),
            ignore_differences=tuple(
                item.model_dump(by_alias=True, exclude_defaults=True) for item in spec.ignore_differences
            ),
            argocd_health={
                kind: PlacedRule(lua, place["argocdHealth"].key_span(kind)) for kind, lua in spec.argocd_health.items()
            },
            privileged=spec.talos.privileged,
            node_needs=_node_needs(spec.talos.nodes, place),
            cluster_needs=self._cluster_needs(spec.cluster, place),
            required=self._required(spec.required_values, place),
        )

    def combinations(self, model: authored.SupportDocument, document: Located) -> tuple[Combination, ...]:
        """The lines of a support list."""
        place = document["spec"]["combinations"]
        return tuple(
            Combination({d: tuple(v) for d in DIMENSIONS if (v := getattr(line, d))}, line.level, where.span)
            for line, where in zip(model.spec.combinations, place.elements(), strict=True)
        )

    def supported(self, model: authored.SupportDocument, document: Located) -> tuple[Named, ...]:
        """The recipes that a support list rests on."""
        return _names(model.spec.recipes, document["spec"], "recipes")

    def _defaults(self, model: authored.ComponentDocument, document: Located, folder: str) -> ComponentRef:
        spec, place = model.spec, document["spec"]
        if "valuesFiles" in place:
            values = [self._files.own_values(path, self._layer) for path in place["valuesFiles"].elements()]
        else:
            values = [self._files.beside(folder, self._layer)]
        stated: dict[str, Any] = {}
        marks: dict[str, Any] = {}
        for key, source in [*((key, "helm") for key in _FIELDS[:3]), ("namespace", "")]:
            holder = spec.helm if source else spec
            parent = place[source] if source and source in place else place
            if (value := getattr(holder, key, None)) is not None:
                stated[key], marks[key] = value, parent.mark[5][key]
        return ComponentRef(
            name=model.metadata.name,
            span=document["metadata"]["name"].span,
            fields=Located(stated, (*place.mark[:5], marks), document.file),
            dependencies=_names(spec.dependency_refs, place, "dependencyRefs"),
            values_files=tuple(item for item in values if item is not None),
            manifests=self._manifests(place, "manifestFiles"),
            pre_manifests=self._manifests(place, "preManifestFiles"),
            unset=self._placed_paths(place, "unset"),
        )

    def _refs(self, models: Sequence[RecipeRef], spec: Located) -> tuple[ComponentRef, ...]:
        refs: dict[str, ComponentRef] = {}
        for index, model in enumerate(models):
            place = spec["componentRefs"][index]
            ref = self._ref(model, place)
            self._findings.extend(contradictions(ref))
            if model.name in refs:
                self._findings.append(
                    codes.REPEATED_REF(f"`{model.name}` has two entries in this document", place["name"].span)
                )
            refs.setdefault(model.name, ref)
        return tuple(refs.values())

    def _ref(self, model: RecipeRef, place: Located) -> ComponentRef:
        stated = {key: value for key in _FIELDS if (value := getattr(model, key)) is not None}
        marks = {key: place.mark[5][key] for key in stated}
        values = [self._values(path) for path in place["valuesFiles"].elements()] if "valuesFiles" in place else []
        without = model.without
        taken = place["without"] if "without" in place else place  # noqa: SIM401  a Located has no `get`
        return ComponentRef(
            name=model.name,
            span=place["name"].span,
            fields=Located(stated, (*place.mark[:5], marks), place.file),
            dependencies=_names(model.dependency_refs, place, "dependencyRefs"),
            values_files=tuple(item for item in values if item is not None),
            overrides=place["overrides"] if model.overrides else None,
            enforce=place["enforce"] if "enforce" in model.model_fields_set else None,
            create=getattr(model, "create", False),
            manifests=self._manifests(place, "manifestFiles"),
            pre_manifests=self._manifests(place, "preManifestFiles"),
            replace=self._placed_paths(place, "replace"),
            unset=self._placed_paths(place, "unset"),
            without={
                "dependencyRefs": _names(without.dependency_refs, taken, "dependencyRefs"),
                "manifestFiles": _names(without.manifest_files, taken, "manifestFiles"),
                "preManifestFiles": _names(without.pre_manifest_files, taken, "preManifestFiles"),
            }
            if "without" in place
            else {},
        )

    def _values(self, path: Located) -> Located | None:
        return self._files.values(path, self._layer)

    def _manifests(self, place: Located, key: str) -> tuple[PlacedManifest, ...]:
        if key not in place:
            return ()
        found = ((self._files.manifest(path, self._layer), path.span) for path in place[key].elements())
        return tuple(PlacedManifest(manifest, span) for manifest, span in found if manifest)

    def _constraints(self, models: Sequence[Constraint], spec: Located) -> tuple[ConstraintEntry, ...]:
        entries = []
        for index, model in enumerate(models):
            place = spec["constraints"][index]
            if parse_conditions(model.value) is None:
                text = f"`{model.name}` has the value {model.value!r}, which cannot be read"
                self._findings.append(codes.BAD_CONSTRAINT(text, place["value"].span))
                continue
            if model.replace and not model.reason:
                text = f"`{model.name}` replaces what lower layers ask for without a reason"
                self._findings.append(codes.REASON_MISSING(text, place["replace"].span))
            entry = ConstraintEntry(model.name, model.value, model.replace, model.reason or "", place["value"].span)
            entries.append(entry)
        return tuple(entries)

    def _scheduling(self, model: NodeClassPaths, spec: Located, name: str) -> SchedulingPaths:
        place = spec
        for key in ("scheduling", name):
            place = place[key] if key in place else place  # noqa: SIM401  a Located has no `get`
        return SchedulingPaths(
            self._paths(model.node_selector_paths, place, "nodeSelectorPaths"),
            self._paths(model.toleration_paths, place, "tolerationPaths"),
        )

    def _cluster_needs(self, model: ClusterAsks, spec: Located) -> ClusterNeeds:
        if not model.model_fields_set:
            return ClusterNeeds()
        place = spec["cluster"]
        path = self._path(place["kubeProxyReplacementPath"]) if model.kube_proxy_replacement_path else None
        places = {key: item.span for key, item in place.items()}
        return ClusterNeeds(model.cni, model.kube_proxy, path.path if path else (), places)

    def _required(self, models: Sequence[authored.RequiredValue], place: Located) -> tuple[RequiredValue, ...]:
        """Values that somebody must state; a path that cannot be read is reported."""
        places = place["requiredValues"].elements() if models else ()
        paths = [(model, self._path(item["path"])) for model, item in zip(models, places, strict=True)]
        return tuple(
            RequiredValue(path.path, model.what, path.span, tuple(model.accelerators)) for model, path in paths if path
        )

    def _paths(self, texts: Sequence[str], place: Located, key: str) -> tuple[Path, ...]:
        return tuple(item.path for item in self._placed_paths(place, key)) if texts else ()

    def _placed_paths(self, place: Located, key: str) -> tuple[PlacedPath, ...]:
        found = (self._path(item) for item in place[key].elements()) if key in place else ()
        return tuple(path for path in found if path)

    def _path(self, item: Located) -> PlacedPath | None:
        path = parse_path(item.text or str(item.data))
        if path is None:
            self._findings.append(codes.BAD_PATH(f"`{item.data}` is not a path of keys joined by dots", item.span))
            return None
        return PlacedPath(path, item.span)


def _node_needs(models: Sequence[TalosNodes], spec: Located) -> tuple[NodeNeeds, ...]:
    """What a component asks of machines, each block and item with its place."""
    places = spec["talos"]["nodes"].elements() if models else ()
    return tuple(
        NodeNeeds(
            model.on,
            tuple(model.extensions),
            tuple(model.kernel_modules),
            tuple(model.kernel_args),
            dict(model.sysctls),
            place.span,
            tuple(model.accelerators),
            dict(_item_places(model, place)),
        )
        for model, place in zip(models, places, strict=True)
    )


def _item_places(model: TalosNodes, block: Located) -> Iterator[tuple[tuple[str, str], Span]]:
    listed = {"extensions": model.extensions, "kernelModules": model.kernel_modules, "kernelArgs": model.kernel_args}
    for key, items in listed.items():
        yield from (((key, item.name), item.span) for item in _names(items, block, key))
    yield from ((("sysctls", key), block["sysctls"][key].span) for key in model.sysctls)


def _names(names: Sequence[str], place: Located, key: str) -> tuple[Named, ...]:
    if key not in place:
        return ()
    return tuple(Named(name, item.span) for name, item in zip(names, place[key].elements(), strict=True))
