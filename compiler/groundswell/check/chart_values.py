"""The values that a chart takes: its defaults and schema, those of its subcharts, and what its templates read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache as once
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from groundswell.catalog.value_path import format_path
from groundswell.check import cache
from groundswell.check.chart_files import files_of
from groundswell.check.objects import mapping, sequence
from groundswell.check.schema_values import add_schema
from groundswell.check.template_files import chart_of
from groundswell.check.value_reads import Reads, Use
from groundswell.diagnostics.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.check.template_text import Templates
    from groundswell.source.located import Json

Keys: TypeAlias = "dict[str, Keys | None]"
"""The keys of a map of defaults, each with those below it; None for what is no map, and for an empty one."""

Path: TypeAlias = "tuple[str, ...]"

Unknown: TypeAlias = "tuple[tuple[Path, str], ...]"
"""Paths that a chart does not take, each with advice or ""."""

_FORM = "3"
"""Changes with what is looked for, so that the cache forgets what earlier releases found."""

_TEXTS = (".yaml", ".yml", ".tpl", ".txt", ".json", ".toml")
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_WORD = re.compile(r"""[."`]([A-Za-z_][\w-]*)""")


def unknown_values(chart: ChartAt, values: Mapping[str, Json]) -> Unknown:
    """The paths in values that a chart does not take; from the user's cache what was asked before.

    Raises:
        UnreadableChartError: The chart cannot be read.
    """
    if not values:
        return ()
    path = cache.folder("unknown-values") / cache.key_of(_FORM, chart.digest, json.dumps(values))
    stored = cache.load(path)
    if stored is not None:
        return tuple((tuple(place), advice) for place, advice in json.loads(stored))
    known = chart_values(files_of(chart))
    found = tuple((place, known.advice(place)) for place in known.unknown(values))
    cache.store(path, json.dumps(found).encode())
    return found


def chart_values(files: Iterable[tuple[str, bytes]]) -> ChartValues:
    """What a chart takes, from its files and those of its subcharts."""
    folders: dict[str, dict[str, bytes]] = defaultdict(dict)
    for name, data in files:
        folder = chart_of(name)
        folders[folder][name.removeprefix(folder)] = data
    return ChartValues("", _Archive(folders))


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """Every name that stands after a dot or in quotes."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


class ChartValues:
    """What one chart takes. Each part is found out when a value asks for it: of most values a default tells enough."""

    def __init__(self, folder: str, archive: _Archive, around: tuple[ChartValues, str] | None = None) -> None:
        """The chart in a folder of an archive; `around` is the one that holds it, with the name of its values there."""
        self._folder, self._archive, self._around = folder, archive, around

    def unknown(self, values: Mapping[str, Json]) -> Iterator[Path]:
        """The shortest paths in values that neither the chart takes nor one around it.

        What is taken as a whole is not looked into.
        """
        for key, value in values.items():
            if key in self._subcharts:
                subchart = self._subcharts[key]
                if subchart is not None and isinstance(value, dict):
                    yield from ((key, *path) for path in subchart.unknown(value))
            elif key != "global":
                yield from self._unknown({key: value}, ())

    def advice(self, path: Path) -> str:
        """The value that was meant: one with a name like it beside it, else the only one of that name elsewhere."""
        paths = list(self.paths())
        beside = {other[-1] for other in paths if other[:-1] == path[:-1]}
        guess = nearest(path[-1], beside)
        if guess:
            return did_you_mean(format_path((*path[:-1], guess)))
        others = [other for other in paths if other[-1] == path[-1]]
        return f"the chart has `{format_path(others[0])}`" if len(others) == 1 else ""

    def paths(self) -> Iterator[Path]:
        """Every path that has a default, and what templates read without one."""
        yield from _paths(self._keys)
        yield from ((name,) for name in sorted(self._reads.below.keys() - self._keys.keys()))
        for name, subchart in self._subcharts.items():
            yield from ((name, *path) for path in (subchart.paths() if subchart else ()))

    def _unknown(self, values: Mapping[str, Json], above: Path) -> Iterator[Path]:
        for key, value in values.items():
            path = (*above, key)
            if not self._takes(path):
                yield path
            elif isinstance(value, dict) and not self._free(path):
                yield from self._unknown(value, path)

    def _takes(self, path: Path) -> bool:
        """Whether the defaults have a path, or a template or the schema reads it, or may. Templates are asked last."""
        if self._default(path) is not _ABSENT:
            return True
        chart, name = self._around or (None, "")
        if chart and chart._takes((name, *path)):  # noqa: SLF001  of the same class
            return True
        found = self._reads.at(path)
        handed_on = found.use is Use.HANDED_ON and path[-1] in self._words
        return found.named or handed_on or found.use is Use.PRINTED

    def _free(self, path: Path) -> bool:
        """Whether a map's keys are the user's: it has no defaults, and templates do not name what they read of it."""
        default = self._default(path)
        if default is _ABSENT and self._around:
            chart, name = self._around
            return chart._free((name, *path))  # noqa: SLF001  of the same class
        if default:
            return False
        found = self._reads.at(path)
        return found.use is not Use.NAMED or not found.below

    def _default(self, path: Path) -> Keys | None:
        """The keys below a path in the defaults, `_ABSENT` when it is not there."""
        node: Keys | None = self._keys
        for key in path:
            if not node or key not in node:
                return _ABSENT
            node = node[key]
        return node

    @cached_property
    def _keys(self) -> Keys:
        """Those of the defaults."""
        return _keys(self._archive.document(self._folder, "values.yaml"))

    @cached_property
    def _subcharts(self) -> dict[str, ChartValues | None]:
        """Under the names by which values reach them, None for one that is not there.

        What an archive says about its dependencies may be more than what it holds: then nothing is known of that one.
        """
        by_name = {str(about.get("name")): name for name, about in self._archive.inside(self._folder)}
        called = {str(item.get("alias") or item.get("name")): str(item.get("name")) for item in self._needed}
        called = {**{name: name for name in by_name if name not in called.values()}, **called}
        return {
            alias: ChartValues(by_name[name], self._archive, (self, alias)) if name in by_name else None
            for alias, name in called.items()
        }

    @cached_property
    def _needed(self) -> list[Mapping[str, Json]]:
        """What the chart says of its dependencies, in Chart.yaml or as Helm 2 had it."""
        documents = (self._archive.document(self._folder, name) for name in ("Chart.yaml", "requirements.yaml"))
        return [mapping(item) for document in documents for item in sequence(document.get("dependencies"))]

    @cached_property
    def _own(self) -> list[str]:
        """The folders whose templates are the chart's: its own and those of libraries in it."""
        inside = self._archive.inside(self._folder)
        return [self._folder, *(name for name, about in inside if about.get("type") == "library")]

    @cached_property
    def _reads(self) -> Reads:
        """What its templates, its schema and the conditions of its dependencies name."""
        from groundswell.check.value_flow import reads_of  # noqa: PLC0415  of most charts nobody asks

        folders = self._archive.folders
        others = [self._archive.templates(name) for name in folders if name not in self._own]
        reads = reads_of([self._archive.templates(name) for name in self._own], others)
        reads.add(("tags",), Use.PRINTED)
        conditions = (text for item in self._needed for text in str(item.get("condition") or "").split(","))
        for condition in filter(None, map(str.strip, conditions)):
            reads.add(tuple(condition.split(".")))
        add_schema(reads, folders[self._folder].get("values.schema.json", b""))
        return reads

    @cached_property
    def _words(self) -> frozenset[str]:
        """All names in its templates."""
        texts = (text for name in self._own for text in self._archive.texts(name))
        return words_in(action for text in texts for action in _ACTION.findall(text))


_ABSENT: Keys = {"": None}
"""Stands for what is not there; of no chart, since no key of a map is empty there."""


class _Archive:
    """The files of a chart and of its subcharts by folder, each read once: all of them may include each other's."""

    def __init__(self, folders: Mapping[str, Mapping[str, bytes]]) -> None:
        """The folder of the chart itself is ""."""
        self.folders = folders
        self.document = once(self._document)
        self.templates = once(self._templates)

    def inside(self, folder: str) -> list[tuple[str, Mapping[str, Json]]]:
        """The folders of a chart's subcharts, each with its Chart.yaml."""
        inside = [name for name in self.folders if re.fullmatch(rf"{re.escape(folder)}charts/[^/]+/", name)]
        return [(name, self.document(name, "Chart.yaml")) for name in inside]

    def texts(self, folder: str) -> Iterator[str]:
        """Each file that may be a template; defaults and what templates read in can hold some, too."""
        for name, data in self.folders[folder].items():
            rendered = name.startswith("templates/") or name.endswith(_TEXTS)
            if b"{{" in data and rendered and not name.startswith("crds/"):
                yield data.decode(errors="replace")

    def _document(self, folder: str, name: str) -> Mapping[str, Json]:
        from groundswell.source.bare_values import read_values  # noqa: PLC0415  helm is at work by now

        data = self.folders[folder].get(name)
        documents, _ = read_values(data, "chart") if data else ((), ())
        return mapping(documents[0][1]) if documents else {}

    def _templates(self, folder: str) -> Templates:
        from groundswell.check.template_text import templates_of  # noqa: PLC0415  of most charts nobody asks

        return templates_of(self.texts(folder))


def _keys(defaults: Mapping[str, Json]) -> Keys:
    return {str(key): _keys(value) or None if isinstance(value, dict) else None for key, value in defaults.items()}


def _paths(keys: Keys) -> Iterator[Path]:
    for key, below in keys.items():
        yield (key,)
        yield from ((key, *path) for path in _paths(below or {}))
