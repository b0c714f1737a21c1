"""From the parser's events to values with marks: keys, tags, anchors and limits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from yaml import events

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.source.merge_keys import Merge, merge
from groundswell.source.scalars import Dialect, Plain, plain
from groundswell.source.span import Span
from groundswell.source.tags import MERGE_TAG, collection_doubt, tagged

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Mark
    from groundswell.source.scalars import Doubt
    from groundswell.source.text import SourceText

MOST_ALIASED_NODES: Final = 100_000
DEEPEST: Final = 100

_BLOCK_STYLES: Final = ("|", ">")
_DOUBTS_OF_KEYS: Final = (codes.TWO_READINGS, codes.UNKNOWN_TAG, codes.TAG_MISMATCH)

_Node: TypeAlias = "tuple[Json, Mark]"
_Anchored: TypeAlias = "tuple[Json, Mark, int, int]"
"""An anchor's value and mark, the number of nodes below it, and how many levels of collections it has."""
# The events and marks of the C parser and of the pure one have the same attributes, but no useful types.
_Event: TypeAlias = Any
_ParserMark: TypeAlias = Any


class LimitError(Exception):
    """A document breaks a bound; the finding about it is recorded, and the rest of the stream is not worth reading."""


class Builder:
    """Builds one document after the other. What is wrong gathers in `findings`."""

    def __init__(self, next_event: Callable[[], _Event], source: SourceText, dialect: Dialect) -> None:
        """Take the events of `source` from `next_event`."""
        self.findings: list[Diagnostic] = []
        self._next = next_event
        self._source = source
        self._dialect = dialect
        self._hidden = source.hidden
        self._plain: dict[str, Plain] = {}
        self._keys: dict[str, str] = {}
        self._anchors: dict[str, _Anchored | None] = {}
        self._nodes = self._aliased = self._deepest = 0

    def document(self) -> _Node | None:
        """The root of the document whose start was the last event; None when the document is empty.

        Raises:
            LimitError: The document is too deep or expands to too much.
            yaml.YAMLError: The parser cannot go on.
        """
        self._anchors.clear()
        self._nodes = self._aliased = self._deepest = 0
        event = self._next()
        if type(event) is events.ScalarEvent and not (event.value or event.style or event.tag or event.anchor):
            return None
        return self._node(event, 1, None)

    def _node(self, event: _Event, depth: int, owner: Mark | None) -> _Node:
        """Any node. `depth` is the level that a collection has here, `owner` the mark of the key that it belongs to."""
        kind = type(event)
        if kind is events.ScalarEvent:
            return self._scalar(event, owner)
        if kind is events.AliasEvent:
            return self._alias(event, depth)
        if depth > DEEPEST:
            self._too_deep(_mark(event))
        self._deepest = max(self._deepest, depth)
        read = self._mapping if kind is events.MappingStartEvent else self._sequence
        return read(event, depth) if event.anchor is None else self._anchored(event, depth, read)

    def _scalar(self, event: _Event, owner: Mark | None) -> _Node:
        start, end = event.start_mark, event.end_mark
        if not (event.style or event.tag or event.anchor) and (known := self._plain.get(event.value)):
            return known[0], (start.line + 1, start.column + 1, end.line + 1, end.column + 1, known[1], None)
        value, text, doubt = self._reading(event)
        mark: Mark = (start.line + 1, start.column + 1, end.line + 1, end.column + 1, text, None)
        if event.style in _BLOCK_STYLES:
            mark = (*mark[:2], *self._block_end(start, end), None, None)
        if doubt is not None:
            self._doubt(doubt, (owner or mark) if doubt.code is codes.EMPTY_VALUE else mark)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, mark, 0, 0)
        return value, mark

    def _reading(self, event: _Event) -> Plain:
        """What a scalar says. Bare ones beyond doubt are kept: they recur, and a table is faster than this."""
        text = event.value.translate(self._hidden) if self._hidden else event.value
        if event.tag is not None:
            return tagged(event.tag, text, self._dialect)
        if event.style:
            return Plain(text, None, None)
        read = plain(text, self._dialect)
        if read.doubt is None:
            self._plain[event.value] = read
        return read

    def _block_end(self, start: _ParserMark, end: _ParserMark) -> tuple[int, int]:
        """The end of a block scalar's last line with text; the parser's own is where the next node may start."""
        lines = self._source.lines
        last = end.line if end.column else end.line - 1
        while last > start.line and not lines[last].strip():
            last -= 1
        return last + 1, len(lines[last].rstrip()) + 1

    def _sequence(self, event: _Event, depth: int) -> _Node:
        self._check_tag(event, "seq")
        data: list[Json] = []
        marks: list[Mark] = []
        while type(item := self._next()) is not events.SequenceEndEvent:
            value, mark = self._node(item, depth + 1, None)
            data.append(value)
            marks.append(mark)
        self._nodes += len(data)
        end = _flow_end(item) if event.flow_style else marks[-1][2:4]
        return data, (event.start_mark.line + 1, event.start_mark.column + 1, *end, None, marks)

    def _mapping(self, event: _Event, depth: int) -> _Node:
        self._check_tag(event, "map")
        data: dict[str, Json] = {}
        marks: dict[str, tuple[Mark, Mark]] = {}
        merges: list[Merge] = []
        last: Mark
        next_event, scalar, keys = self._next, events.ScalarEvent, self._keys
        while type(key_event := next_event()) is not events.MappingEndEvent:
            start, end = key_event.start_mark, key_event.end_mark
            key_mark: Mark = (start.line + 1, start.column + 1, end.line + 1, end.column + 1, None, None)
            # The short way of almost all keys: bare ones seen before, which are text beyond doubt.
            bare = type(key_event) is scalar and not (key_event.style or key_event.tag or key_event.anchor)
            key = (keys.get(key_event.value) if bare else None) or self._key(key_event, key_mark, depth)
            value_event = next_event()
            if type(value_event) is scalar:
                value, last = self._scalar(value_event, key_mark)
            else:
                value, last = self._node(value_event, depth + 1, key_mark)
            if key is None:
                if _is_merge_key(key_event):
                    merges.append((key_mark, value, last))
            elif key in data:
                self._duplicate(key, key_mark, marks[key][0])
            else:
                data[key] = value
                marks[key] = (key_mark, last)
        if merges:
            self.findings.extend(merge(merges, data, marks, self._source.file))
        self._nodes += len(data)
        end = _flow_end(key_event) if event.flow_style else last[2:4]
        return data, (event.start_mark.line + 1, event.start_mark.column + 1, *end, None, marks)

    def _key(self, event: _Event, mark: Mark, depth: int) -> str | None:
        """A key; None for a merge key and for keys that have no form as text."""
        if type(event) is not events.ScalarEvent:
            return self._text_key(self._node(event, depth + 1, None)[0], mark, None)
        if _is_merge_key(event):
            return None
        value, text, doubt = self._reading(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, (*mark[:4], text, None), 0, 0)
        if doubt and doubt.code in _DOUBTS_OF_KEYS:
            self._doubt(doubt, mark)
            return self._as_key(value, text)
        if isinstance(value, str) and not (event.style or event.tag):
            self._keys[event.value] = value
        return self._text_key(value, mark, text)

    def _text_key(self, key: Json, mark: Mark, text: str | None) -> str | None:
        """A key that may be something else than text."""
        if isinstance(key, str):
            return key
        collection = isinstance(key, dict | list)
        message = "a map or list cannot be a key" if collection else f"the key `{text or json.dumps(key)}` is not text"
        finding = codes.KEY_NOT_TEXT(message, self._span(mark), help="put the key in double quotes")
        scalar = isinstance(key, int | float)
        self.findings.append(finding.as_warning() if scalar and self._dialect is not Dialect.STRICT else finding)
        return self._as_key(key, text) if scalar else None

    def _as_key(self, value: Json, text: str | None) -> str:
        """What Go makes of a key: v2 types it first and then writes it as JSON, v3 keeps the text."""
        if isinstance(value, str):
            return value
        return json.dumps(value) if self._dialect is Dialect.GO or text is None else text

    def _anchored(self, event: _Event, depth: int, read: Callable[[_Event, int], _Node]) -> _Node:
        """A collection with an anchor, measured, so that its aliases can be counted."""
        self._anchors[event.anchor] = None
        nodes, deepest, self._deepest = self._nodes, self._deepest, depth
        data, mark = read(event, depth)
        self._anchors[event.anchor] = (data, mark, self._nodes - nodes, self._deepest - depth + 1)
        self._deepest = max(self._deepest, deepest)
        return data, mark

    def _alias(self, event: _Event, depth: int) -> _Node:
        """The anchored node's data and children, at the alias' own place."""
        mark, name = _mark(event), event.anchor
        anchored = self._anchors.get(name)
        if anchored is None:
            inside = name in self._anchors
            message = (
                f"the alias `*{name}` stands inside of its own anchor"
                if inside
                else f"no anchor `&{name}` stands before its alias"
            )
            self.findings.append(codes.BAD_ALIAS(message, self._span(mark), help="write the value out"))
            return None, mark
        data, (*_, text, children), nodes, levels = anchored
        self._nodes += nodes
        self._aliased += nodes
        if self._aliased > MOST_ALIASED_NODES:
            message = f"aliases up to `*{name}` expand to more than {MOST_ALIASED_NODES:,} values"
            self.findings.append(
                codes.TOO_MANY_NODES(message, self._span(mark), help="write the values out, or use fewer aliases")
            )
            raise LimitError
        self._deepest = max(self._deepest, depth + levels - 1)
        if self._deepest > DEEPEST:
            self._too_deep(mark)
        return data, (*mark[:4], text, children)

    def _too_deep(self, mark: Mark) -> None:
        message = f"the document is nested more than {DEEPEST} levels deep"
        self.findings.append(codes.TOO_DEEP(message, self._span(mark), help="make it flatter"))
        raise LimitError

    def _check_tag(self, event: _Event, kind: str) -> None:
        if doubt := collection_doubt(event.tag, kind):
            self._doubt(doubt, _mark(event))

    def _doubt(self, doubt: Doubt, mark: Mark) -> None:
        finding = doubt.code(doubt.message, self._span(mark), help=doubt.help)
        agreed = self._dialect is Dialect.STRICT or doubt.code is not codes.TWO_READINGS
        self.findings.append(finding if agreed else finding.as_warning())

    def _duplicate(self, key: str, mark: Mark, first: Mark) -> None:
        related = [Related(self._span(first), "first here")]
        help_ = "merge the two entries, or rename one of them"
        self.findings.append(
            codes.DUPLICATE_KEY(
                f"the key `{key}` stands twice in one map", self._span(mark), related=related, help=help_
            )
        )

    def _span(self, mark: Mark) -> Span:
        return Span(self._source.file, *mark[:4])


def _mark(event: _Event) -> Mark:
    start, end = event.start_mark, event.end_mark
    return (start.line + 1, start.column + 1, end.line + 1, end.column + 1, None, None)


def _flow_end(event: _Event) -> tuple[int, int]:
    return event.end_mark.line + 1, event.end_mark.column + 1


def _is_merge_key(event: _Event) -> bool:
    return (
        type(event) is events.ScalarEvent and event.value == "<<" and not event.style and event.tag in (None, MERGE_TAG)
    )
