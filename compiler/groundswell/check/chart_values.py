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
from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.source.located import Json

Keys: TypeAlias = "dict[str, Keys | None]"
"""The keys of a map of defaults, each with those below it; None for what is no map, and for an empty one."""

Path: TypeAlias = "tuple[str, ...]"

_FORM = "1"
"""Changes with what is looked for, so that the cache forgets what earlier releases found."""

_FOLDER = re.compile(r"(?:charts/[^/]+/)*")
_TEXTS = (".yaml", ".yml", ".tpl", ".txt", ".json", ".toml")
_ACTION = re.compile(rb"\{\{.*?\}\}", re.DOTALL)
_ROOT = re.compile(rb"""\.Values(?:\.([\w-]+)|\s+["`]([\w.-]+)["`])""")
_WHOLE = re.compile(rb"""\.Values(?![\w.-]|\s+["`])""")
_WORD = re.compile(rb"""[."`]([A-Za-z_][\w-]*)""")


@dataclass(frozen=True, slots=True)
class ChartValues:
    """What one chart takes.

    `roots` are the names that its templates read below `.Values`, `words` all names in them, `whole` that they hand
    `.Values` itself on. `subcharts` stand under the names by which values reach them, None for one that is not there.
    """

    keys: Keys = field(default_factory=dict)
    roots: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    whole: bool = False
    subcharts: Mapping[str, ChartValues | None] = field(default_factory=dict)

    def reads(self, path: Path) -> bool:
        """Whether templates or the schema have a name that can only, or that may, stand for a path."""
        if len(path) == 1:
            return path[0] in self.roots or (self.whole and path[0] in self.words)
        return path[-1] in self.words

    def unknown(self, values: Mapping[str, Json]) -> Iterator[Path]:
        """The shortest paths in values that the chart does not take. What it takes as a whole is not looked into."""
        for key, value in values.items():
            if key in self.subcharts:
                subchart = self.subcharts[key]
                if subchart is not None and isinstance(value, dict):
                    below = self.keys.get(key) or {}
                    yield from ((key, *path) for path in subchart.unknown(value) if not self._sets(below, key, path))
            elif key != "global":
                yield from self._unknown({key: value}, self.keys, ())

    def as_json(self) -> Json:
        """Everything in maps and lists."""
        subcharts = {name: chart.as_json() if chart else None for name, chart in self.subcharts.items()}
        return [self.keys, sorted(self.roots), sorted(self.words), self.whole, subcharts]

    @classmethod
    def of_json(cls, data: Json) -> ChartValues:
        """What `as_json` wrote."""
        keys, roots, words, whole, subcharts = data
        below = {name: cls.of_json(chart) if chart else None for name, chart in subcharts.items()}
        return cls(keys, frozenset(roots), frozenset(words), whole, below)

    def paths(self) -> Iterator[Path]:
        """Every path that has a default, and what templates read without one."""
        yield from _paths(self.keys)
        yield from ((name,) for name in sorted(self.roots - self.keys.keys()))
        for name, subchart in self.subcharts.items():
            yield from ((name, *path) for path in (subchart.paths() if subchart else ()))

    def _unknown(self, values: Mapping[str, Json], keys: Keys, above: Path) -> Iterator[Path]:
        for key, value in values.items():
            path = (*above, key)
            if key not in keys:
                if not self.reads(path):
                    yield path
            elif isinstance(value, dict) and (below := keys[key]):
                yield from self._unknown(value, below, path)

    def _sets(self, below: Keys, name: str, path: Path) -> bool:
        """Whether this chart itself sets or reads a value of its subchart."""
        node: Keys | None = below
        for key in path:
            if not node or key not in node:
                return name in self.roots and path[-1] in self.words
            node = node[key]
        return True


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
        found = _FOLDER.match(name)
        folder = found[0] if found else ""
        folders[folder][name.removeprefix(folder)] = data
    return _chart("", folders)


def words_in(texts: Iterable[bytes]) -> frozenset[str]:
    """Every name that stands after a dot or in quotes."""
    found = {word for text in texts for word in set(_WORD.findall(text))}
    return frozenset(word.decode(errors="replace") for word in found)


def _chart(folder: str, folders: Mapping[str, Mapping[str, bytes]]) -> ChartValues:
    files = folders[folder]
    about = _document(files.get("Chart.yaml", b""))
    needed = [*sequence(about.get("dependencies"))]
    needed += sequence(_document(files.get("requirements.yaml", b"")).get("dependencies"))
    inside = [name for name in folders if re.fullmatch(rf"{re.escape(folder)}charts/[^/]+/", name)]
    by_name = {str(_document(folders[name].get("Chart.yaml", b"")).get("name")): name for name in inside}
    libraries = [name for name in inside if _document(folders[name].get("Chart.yaml", b"")).get("type") == "library"]
    texts = [text for name in (folder, *libraries) for text in _texts(folders[name])]
    schema = _schema(files.get("values.schema.json", b""))
    # What an archive says about its dependencies may be more than what it holds: then nothing is known of that one.
    called = {str(item.get("alias") or item.get("name")): str(item.get("name")) for item in map(mapping, needed)}
    called = {**{name: name for name in by_name if name not in called.values()}, **called}
    conditions = [text for item in map(mapping, needed) for text in str(item.get("condition") or "").split(",")]
    roots = {(a or b).decode(errors="replace") for text in texts for a, b in _ROOT.findall(text)}
    return ChartValues(
        keys=_keys(_document(files.get("values.yaml", b""))),
        roots=frozenset({"tags", *roots, *_properties(schema), *(text.partition(".")[0] for text in conditions)}),
        words=words_in(texts) | _names(schema) | {part for text in conditions for part in text.split(".")},
        whole=any(_WHOLE.search(text) for text in texts),
        subcharts={
            alias: _chart(by_name[name], folders) if name in by_name else None for alias, name in called.items()
        },
    )


def _texts(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """The actions in each file that may be a template; defaults can hold some, too."""
    for name, data in files.items():
        if b"{{" in data and name.endswith(_TEXTS) and not name.startswith("crds/"):
            yield b"\n".join(_ACTION.findall(data))


def _document(data: bytes) -> Mapping[str, Json]:
    documents, _ = read(data, "chart", Dialect.GO) if data else ((), ())
    return mapping(documents[0].data) if documents else {}


def _keys(defaults: Mapping[str, Json]) -> Keys:
    return {str(key): _keys(value) or None if isinstance(value, dict) else None for key, value in defaults.items()}


def _paths(keys: Keys) -> Iterator[Path]:
    for key, below in keys.items():
        yield (key,)
        yield from ((key, *path) for path in _paths(below or {}))


def _schema(data: bytes) -> Json:
    try:
        return json.loads(data) if data else {}
    except ValueError:
        return {}


def _properties(schema: Json) -> Iterator[str]:
    """The properties of a schema's root, which may be one of its definitions."""
    node = mapping(schema)
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        for key in reference.removeprefix("#/").split("/"):
            node = mapping(node.get(key))
    yield from mapping(node.get("properties"))


def _names(schema: Json) -> set[str]:
    """The names of all properties in a schema, wherever they stand."""
    found: set[str] = set()
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            found |= mapping(node.get("properties")).keys()
        pending += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return found
