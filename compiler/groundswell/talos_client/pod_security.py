"""The namespaces that Pod Security does not apply to, as a machine's configuration has them.

Talos deletes no text from a list. So the plugin is deleted, and added again without what goes, in one patch.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.documents import DELETE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document

_KIND, _NAME = "KubeAdmissionControlConfig", "PodSecurity"


class Plugin(NamedTuple):
    """The plugin's configuration. `own` says that it is a document, and not an item of the API server's list."""

    configuration: Document
    own: bool

    @property
    def namespaces(self) -> list[str]:
        """The exempt ones."""
        return [str(name) for name in self.configuration["exemptions"]["namespaces"]]

    @property
    def removal(self) -> Document:
        """The patch that deletes the plugin. Nothing may be added in the same document where it is one of its own."""
        return self._patch({"$patch": DELETE})

    def without(self, namespaces: Iterable[str]) -> Document:
        """The patch that adds the plugin again without some of its namespaces, each taken out once."""
        gone, kept = Counter(namespaces), []
        for name in self.namespaces:
            kept += [name] if not gone[name] else []
            gone[name] -= gone[name] > 0
        exemptions = {**self.configuration["exemptions"], "namespaces": kept}
        return self._patch({"configuration": {**self.configuration, "exemptions": exemptions}})

    def _patch(self, content: Document) -> Document:
        if self.own:
            return {"apiVersion": "v1alpha1", "kind": _KIND, "name": _NAME, **content}
        return {"cluster": {"apiServer": {"admissionControl": [{"name": _NAME, **content}]}}}


def plugin_of(document: Json) -> Plugin | None:
    """The plugin in a document of a configuration; None where it has none that exempts namespaces."""
    for plugin in _plugins(document):
        configuration = _map(_map(plugin).get("configuration"))
        namespaces = _map(configuration.get("exemptions")).get("namespaces")
        if isinstance(namespaces, list) and plugin.get("name") == _NAME:
            return Plugin(configuration, "kind" in document)
    return None


def _plugins(document: Json) -> list[Json]:
    if "kind" in document:
        return [document] if document["kind"] == _KIND else []
    plugins = _map(_map(document.get("cluster")).get("apiServer")).get("admissionControl")
    return plugins if isinstance(plugins, list) else []


def _map(value: Json) -> Document:
    return value if isinstance(value, dict) else {}
