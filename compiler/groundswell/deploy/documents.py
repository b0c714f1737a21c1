"""A manifest file taken apart: its YAML documents, and the API objects in them, with the template actions around."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from groundswell.deploy.actions import Action, actions, mask
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest
    from groundswell.source.located import Json, Located

# At column 0 and followed by a blank, these three dashes begin a document wherever they stand: YAML allows them neither
# in block text, which is indented, nor in a flow scalar.
_MARKER = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
# At column 0, `...` ends a document wherever it stands; comments and blank lines may follow.
_END = re.compile(r"^\.\.\.(?=\s)(?:\s|#.*$)*+(\S)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a manifest: `text[start:end]`, its `---` included.

    `masked` is the same stretch with actions masked and the marker blanked, `actions` those inside it that are no
    comments, and `depth` the number of template blocks (`if`, `range`, ...) that are open where it starts.
    """

    file: str
    text: str
    start: int
    end: int
    masked: str
    actions: tuple[Action, ...]
    depth: int

    @property
    def line(self) -> int:
        """The number of the line on which the document starts."""
        return self.text.count("\n", 0, self.start) + 1

    @property
    def blank(self) -> bool:
        """Whether nothing but comments, blanks and actions stand in it."""
        lines = (line.strip() for line in self.masked.splitlines())
        return all(not line or line.startswith("#") or line == "..." for line in lines)

    @property
    def empty(self) -> bool:
        """Whether nothing can come of it: blank, and no actions either."""
        return not self.actions and self.blank

    @property
    def dropped(self) -> int | None:
        """Where text follows the document's own end, a `...`, without a `---`: Helm and Argo CD drop it."""
        end = _END.search(self.masked)
        return self.start + end.start(1) if end else None

    def place(self, start: int, end: int) -> Span:
        """The place of `text[start:end]`."""
        line, column = _position(self.text, start)
        return Span(self.file, line, column, *_position(self.text, end))

    def read(self) -> tuple[tuple[Located, ...], tuple[Diagnostic, ...]]:
        """What YAML sees around the actions, read as Go does: one value; none when it is empty or unreadable."""
        from groundswell.source.reader import Dialect, read  # noqa: PLC0415  only Namespaces and hooks need YAML

        above = "\n" * (self.line - 1)
        return read((above + self.masked).encode(), self.file, Dialect.GO)


def documents(manifest: Manifest) -> tuple[Document, ...]:
    """The documents of a manifest in order, empty ones included. Any text is taken; nothing is read yet."""
    text = normalised(manifest.text)
    found = actions(text)
    masked = mask(text, found)
    starts = [marker.start() for marker in _MARKER.finditer(masked)]
    edges = [*dict.fromkeys([0, *starts]), len(text)]
    result, depth, at = [], 0, 0
    for start, end in pairwise(edges):
        inside = []
        opened = depth
        while at < len(found) and found[at].start < end:
            inside.append(found[at])
            depth += found[at].opens
            at += 1
        shown = tuple(action for action in inside if not action.comment)
        result.append(Document(manifest.file, text, start, end, _MARKER.sub("   ", masked[start:end]), shown, opened))
    return tuple(result)


def normalised(text: str) -> str:
    """A manifest as it is stored: lines end with LF, the last one too, and no byte order mark is left."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


@dataclass(frozen=True, slots=True)
class ApiObject:
    """One API object: a document's content or an item of a List in it (`listed`)."""

    node: Located
    listed: bool

    @property
    def group(self) -> str:
        """The API group, "" for the core group and for objects that do not say."""
        return _text(self.node, "apiVersion").rpartition("/")[0]

    @property
    def kind(self) -> str:
        """The kind, "" when missing."""
        return _text(self.node, "kind")

    @property
    def name(self) -> str:
        """`metadata.name`, "" when missing."""
        return _text(self.metadata, "name") if self.metadata else ""

    @property
    def metadata(self) -> Located | None:
        """The metadata when it is a mapping."""
        return _mapping(self.node, "metadata")

    @property
    def annotations(self) -> Located | None:
        """The annotations when they are a mapping."""
        return _mapping(self.metadata, "annotations") if self.metadata else None

    @property
    def is_namespace(self) -> bool:
        """Whether it is a Namespace of the core API."""
        return self.kind == "Namespace" and not self.group

    @property
    def place(self) -> Span:
        """Where the object says what it is."""
        return self.node.find(("kind",))


def objects(values: tuple[Located, ...]) -> Iterator[ApiObject]:
    """The API objects in a document's values; Lists are opened."""
    for value in values:
        if not isinstance(value.data, dict):
            continue
        if _text(value, "kind").endswith("List") and isinstance(value.data.get("items"), list):
            yield from (
                ApiObject(item, listed=True) for item in value["items"].elements() if isinstance(item.data, dict)
            )
        else:
            yield ApiObject(value, listed=False)


def _text(node: Located, key: str) -> str:
    value: Json = node.data.get(key)
    return value if isinstance(value, str) else ""


def _mapping(node: Located, key: str) -> Located | None:
    return node[key] if isinstance(node.data.get(key), dict) else None


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
