"""A manifest file taken apart: its YAML documents, and the API objects in them, with the template actions around."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from groundswell.deploy.actions import Action, actions, mask
from groundswell.diagnostics.diagnostic import Severity, failed
from groundswell.resolve.resolution import Manifest
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located

# At column 0 and followed by a blank, these three dashes begin a document wherever they stand: YAML allows them neither
# in block text, which is indented, nor in a flow scalar.
_MARKER = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
# At column 0, `...` ends a document wherever it stands; comments and blank lines may follow.
_END = re.compile(r"^\.\.\.(?=\s)(?:\s|#.*$)*+(\S)", re.MULTILINE)
# Helm and Argo CD split a file at its markers before they read it, so that a directive stands alone and fails.
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)


class Document(NamedTuple):
    """One document of a manifest: `text[start:end]`, its `---` included.

    `masked` is the same stretch with actions masked and the marker blanked, `actions` those inside it that are no
    comments, and `depth` the number of template blocks (`if`, `range`, ...) that are open where it starts. `values` is
    what YAML sees around the actions, read as Go does: one value, or none when it is empty or unreadable; `errors` say
    why it cannot be read.
    """

    file: str
    text: str
    start: int
    end: int
    masked: str
    actions: tuple[Action, ...]
    depth: int
    values: tuple[Located, ...] = ()
    errors: tuple[Diagnostic, ...] = ()

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


def take_apart(file: str, text: str) -> Manifest:
    """The manifest that a file holds, with its documents in order, empty ones included. Any text is taken.

    This is done once, when a catalog is loaded: all later stages work on the documents.
    """
    return Manifest(file, file.rpartition("/")[2], text, _read(_split(file, normalised(text))))


def _split(file: str, text: str) -> tuple[Document, ...]:
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
        result.append(Document(file, text, start, end, _MARKER.sub("   ", masked[start:end]), shown, opened))
    return tuple(result)


def _read(parts: tuple[Document, ...]) -> tuple[Document, ...]:
    """The documents with their values: the whole file at once, which is quick, unless that would not show all."""
    from groundswell.source.reader import Dialect, read  # noqa: PLC0415  what is loaded from a cache needs no YAML

    file, text = parts[0].file, parts[0].text
    if "{{" not in text and not _DIRECTIVE.search(text) and not any(part.dropped for part in parts):
        values, problems = read(text.encode(), file, Dialect.GO)
        if not failed(problems):
            return _shared_out(parts, values)
    result = []
    for part in parts:
        above = "\n" * (part.line - 1)
        values, problems = read((above + part.masked).encode(), file, Dialect.GO)
        errors = tuple(problem for problem in problems if problem.severity is Severity.ERROR)
        result.append(part._replace(values=values, errors=errors))
    return tuple(result)


def _shared_out(parts: Sequence[Document], values: Sequence[Located]) -> tuple[Document, ...]:
    """Each document with those values that begin before the next one."""
    result, at = [], 0
    for number, part in enumerate(parts):
        limit = parts[number + 1].line if number + 1 < len(parts) else None
        first = at
        while at < len(values) and (limit is None or values[at].span.line < limit):
            at += 1
        result.append(part._replace(values=tuple(values[first:at])))
    return tuple(result)


def normalised(text: str) -> str:
    """A manifest as it is stored: lines end with LF, the last one too, and no byte order mark is left."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


class ApiObject(NamedTuple):
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
