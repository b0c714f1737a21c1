"""The values that a chart takes: its defaults and schema, those of its subcharts, and what its templates read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from groundswell.check import cache
from groundswell.check.chart_files import chart_files
from groundswell.check.objects import mapping, sequence
from groundswell.check.schema_values import add_schema
from groundswell.check.template_files import chart_of
from groundswell.check.template_text import templates_of
from groundswell.check.value_flow import reads_of
from groundswell.check.value_reads import Reads, Use
from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.check.template_text import Templates
    from groundswell.source.located import Json

Keys: TypeAlias = "dict[str, Keys | None]"
"""The keys of a map of defaults, each with those below it; None for what is no map, and for an empty one."""

Path: TypeAlias = "tuple[str, ...]"

_FORM = "2"
"""Changes with what is looked for, so that the cache forgets what earlier releases found."""

_TEXTS = (".yaml", ".yml", ".tpl", ".txt", ".json", ".toml")
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_WORD = re.compile(r"""[."`]([A-Za-z_][\w-]*)""")


@dataclass(frozen=True, slots=True)
class ChartValues:
    """What one chart takes.

    `keys` are those of its defaults, `reads` what its templates and its schema name, `words` all names in templates.
    `subcharts` stand under the names by which values reach them, None for one that is not there.
    """

    keys: Keys = field(default_factory=dict)
    reads: Reads = field(default_factory=Reads)
    words: frozenset[str] = frozenset()
    subcharts: Mapping[str, ChartValues | None] = field(default_factory=dict)

    def unknown(self, values: Mapping[str, Json]) -> Iterator[Path]:
        """The shortest paths in values that the chart does not take. What it takes as a whole is not looked into."""
        for key, value in values.items():
            if key in self.subcharts:
                subchart = self.subcharts[key]
                if subchart is not None and isinstance(value, dict):
                    yield from ((key, *path) for path in subchart.unknown(value) if not self._takes((key, *path)))
            elif key != "global":
                yield from self._unknown({key: value}, ())

    def as_json(self) -> Json:
        """Everything in maps and lists."""
        subcharts = {name: chart.as_json() if chart else None for name, chart in self.subcharts.items()}
        return [self.keys, self.reads.as_json(), sorted(self.words), subcharts]

    @classmethod
    def of_json(cls, data: Json) -> ChartValues:
        """What `as_json` wrote."""
        keys, reads, words, subcharts = data
        below = {name: cls.of_json(chart) if chart else None for name, chart in subcharts.items()}
        return cls(keys, Reads.of_json(reads), frozenset(words), below)

    def paths(self) -> Iterator[Path]:
        """Every path that has a default, and what templates read without one."""
        yield from _paths(self.keys)
        yield from ((name,) for name in sorted(self.reads.below.keys() - self.keys.keys()))
        for name, subchart in self.subcharts.items():
            yield from ((name, *path) for path in (subchart.paths() if subchart else ()))

    def _unknown(self, values: Mapping[str, Json], above: Path) -> Iterator[Path]:
        for key, value in values.items():
            path = (*above, key)
            if not self._takes(path):
                yield path
            elif isinstance(value, dict) and not self._free(path):
                yield from self._unknown(value, path)

    def _takes(self, path: Path) -> bool:
        """Whether the defaults have a path, or a template or the schema reads it, or may."""
        found = self.reads.at(path)
        handed_on = found.use is Use.HANDED_ON and path[-1] in self.words
        return found.named or handed_on or found.use is Use.PRINTED or self._default(path) is not _ABSENT

    def _free(self, path: Path) -> bool:
        """Whether a map's keys are the user's: it has no defaults, and templates do not name what they read of it."""
        found = self.reads.at(path)
        return not self._default(path) and (found.use is not Use.NAMED or not found.below)

    def _default(self, path: Path) -> Keys | None:
        """The keys below a path in the defaults, `_ABSENT` when it is not there."""
        node: Keys | None = self.keys
        for key in path:
            if not node or key not in node:
                return _ABSENT
            node = node[key]
        return node


_ABSENT: Keys = {"": None}
"""Stands for what is not there; of no chart, since no key of a map is empty there."""


def known_values(chart: ChartAt) -> ChartValues:
    """What a chart takes, from the user's cache where it was looked into before.

    Raises:
        UnreadableChartError: It cannot be read.
    """
    path = cache.folder("chart-values") / cache.key_of(_FORM, chart.digest)
    stored = cache.load(path)
    if stored is not None:
        return ChartValues.of_json(json.loads(stored))
    found = chart_values(chart_files(chart.path))
    cache.store(path, json.dumps(found.as_json()).encode())
    return found


def chart_values(files: Iterable[tuple[str, bytes]]) -> ChartValues:
    """What a chart takes, from its files and those of its subcharts."""
    folders: dict[str, dict[str, bytes]] = defaultdict(dict)
    for name, data in files:
        folder = chart_of(name)
        folders[folder][name.removeprefix(folder)] = data
    templates = {name: templates_of(_texts(inside)) for name, inside in folders.items()}
    return _chart("", folders, templates)


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """Every name that stands after a dot or in quotes."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _chart(folder: str, folders: Mapping[str, Mapping[str, bytes]], templates: Mapping[str, Templates]) -> ChartValues:
    files = folders[folder]
    about = _document(files.get("Chart.yaml", b""))
    needed = [*sequence(about.get("dependencies"))]
    needed += sequence(_document(files.get("requirements.yaml", b"")).get("dependencies"))
    inside = [name for name in folders if re.fullmatch(rf"{re.escape(folder)}charts/[^/]+/", name)]
    said = {name: _document(folders[name].get("Chart.yaml", b"")) for name in inside}
    by_name = {str(below.get("name")): name for name, below in said.items()}
    libraries = [name for name, below in said.items() if below.get("type") == "library"]
    own = [folder, *libraries]
    # What an archive says about its dependencies may be more than what it holds: then nothing is known of that one.
    called = {str(item.get("alias") or item.get("name")): str(item.get("name")) for item in map(mapping, needed)}
    called = {**{name: name for name in by_name if name not in called.values()}, **called}
    conditions = [text.strip() for item in map(mapping, needed) for text in str(item.get("condition") or "").split(",")]
    others = [found for name, found in templates.items() if name not in own]
    reads = reads_of([templates[name] for name in own if name in templates], others)
    reads.add(("tags",), Use.PRINTED)
    for condition in filter(None, conditions):
        reads.add(tuple(condition.split(".")))
    add_schema(reads, files.get("values.schema.json", b""))
    return ChartValues(
        keys=_keys(_document(files.get("values.yaml", b""))),
        reads=reads,
        words=words_in(action for name in own for text in _texts(folders[name]) for action in _ACTION.findall(text)),
        subcharts={
            alias: _chart(by_name[name], folders, templates) if name in by_name else None
            for alias, name in called.items()
        },
    )


def _texts(files: Mapping[str, bytes]) -> Iterator[str]:
    """Each file that may be a template; defaults and what templates read in can hold some, too."""
    for name, data in files.items():
        if b"{{" in data and (name.startswith("templates/") or name.endswith(_TEXTS)) and not name.startswith("crds/"):
            yield data.decode(errors="replace")


def _document(data: bytes) -> Mapping[str, Json]:
    documents, _ = read(data, "chart", Dialect.GO) if data else ((), ())
    return mapping(documents[0].data) if documents else {}


def _keys(defaults: Mapping[str, Json]) -> Keys:
    return {str(key): _keys(value) or None if isinstance(value, dict) else None for key, value in defaults.items()}


def _paths(keys: Keys) -> Iterator[Path]:
    for key, below in keys.items():
        yield (key,)
        yield from ((key, *path) for path in _paths(below or {}))
