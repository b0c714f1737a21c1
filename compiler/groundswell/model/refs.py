"""What one recipe or mixin says on one component. The text under a field is what editors show (`model.schema`)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from groundswell.model.fields import Authored, ChartName, FilePath, Name, Namespace, Repository, ValuePath, Version


class Without(Authored):
    """Inherited entries of a ref that this layer takes out."""

    dependency_refs: list[Name] = []
    """Components that need not be waited for after all."""
    manifest_files: list[FilePath] = []
    """Manifests after the chart that are not applied after all."""
    pre_manifest_files: list[FilePath] = []
    """Manifests before the chart that are not applied after all."""


class RecipeRef(Authored):
    """A recipe's say on one component, merged into what lower layers said."""

    name: Name
    """The component: the name of a folder under `components/`."""
    repository: Repository | None = None
    """Another place to take the chart from: `https://…`, or `oci://…` without the chart's name."""
    chart: ChartName | None = None
    """Another chart."""
    version: Version | None = None
    """Another version of the chart; no range."""
    namespace: Namespace | None = None
    """Another namespace to install into."""
    enabled: bool | None = None
    """`false` keeps the component out of the plan; what depends on it takes it as present."""
    dependency_refs: list[Name] = []
    """Components to wait for, added to those of lower layers."""
    values_files: list[FilePath] = []
    """Values files from the catalog's root, merged in this order."""
    overrides: dict[str, Any] = {}
    """Helm values, merged after the values files. An explicit null deletes what lower layers said."""
    manifest_files: list[FilePath] = []
    """Manifests to apply after the chart, added to those of lower layers."""
    pre_manifest_files: list[FilePath] = []
    """Manifests to apply before the chart, added to those of lower layers."""
    replace: list[ValuePath] = []
    """Paths in this entry's values that replace what is there, where their type would otherwise clash."""
    unset: list[ValuePath] = []
    """Paths of the chart's own defaults to remove: Helm receives null there."""
    without: Without = Without.model_construct()
    """Inherited entries to take out."""


class MixinRef(RecipeRef):
    """A mixin's say on one component; without `create` it does nothing when the component is not there."""

    create: bool = False
    """`true` adds the component when it is not there."""
    enforce: Annotated[dict[str, Any], Field(json_schema_extra={"minProperties": 1})] = {}
    """Values that win over recipes and other mixins, and that no `--set` may change."""
