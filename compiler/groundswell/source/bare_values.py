"""The values of YAML that a program printed, without places: read in half the time that `reader` takes.

What needs a second look, as tags, anchors, keys that are no text and whatever is wrong, is left to the reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Severity
from groundswell.source.builder import DEEPEST
from groundswell.source.reader import collector_paused, parser, read
from groundswell.source.scalars import Dialect, plain
from groundswell.source.text import decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json

_TOLD = frozenset({codes.TWO_READINGS, codes.LOSSY_FLOAT})
"""What the reader warns of where text is read as Go does, which changes no value."""


class _SecondLookError(Exception):
    """Something stands in the text that this module does not know."""


def read_values(data: bytes, file: str) -> tuple[list[tuple[int, Json]], tuple[Diagnostic, ...]]:
    """The line and the value of each document that has content, as `reader.read` reads it for `Dialect.GO`.

    `file` names the file in places. Of findings there are only the errors, and then values may be missing.
    """
    found = _bare(data)
    if found is not None:
        return found, ()
    documents, findings = read(data, file, Dialect.GO)
    errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
    return [(document.span.line, document.data) for document in documents], errors


def _bare(data: bytes) -> list[tuple[int, Json]] | None:
    """The same without a look at places; None where the reader has to tell what it is, which may be an error."""
    source, _ = decode(data, "")
    if source is None or source.hidden:
        return None
    with collector_paused():
        try:
            return _documents(parser(source.parsed).get_event)
        except (yaml.YAMLError, _SecondLookError):
            return None


def _documents(next_event: Callable[[], Any]) -> list[tuple[int, Json]]:
    values = _Values(next_event)
    found = []
    while (event := next_event()) is not None:
        if type(event) is yaml.DocumentStartEvent:
            root = next_event()
            empty = type(root) is yaml.ScalarEvent and not (root.value or root.style)
            if not empty or root.tag or root.anchor:
                found.append((root.start_mark.line + 1, values.node(root, 1)))
    return found


class _Values:
    """Values from a parser's events."""

    def __init__(self, next_event: Callable[[], Any]) -> None:
        """Take events from `next_event`."""
        self._next = next_event
        self._plain: dict[str, Json] = {}
        self._keys: set[str] = set()

    def node(self, event: Any, depth: int) -> Json:  # noqa: ANN401  an event of either parser
        """A value of any kind; `depth` is the level that a collection has here.

        Raises:
            _SecondLookError: There is more to it than a value.
            yaml.YAMLError: The parser cannot go on.
        """
        kind = type(event)
        if kind is yaml.AliasEvent or event.tag or event.anchor or depth > DEEPEST:
            raise _SecondLookError
        if kind is yaml.ScalarEvent:
            return event.value if event.style else self._scalar(event.value)
        return self._mapping(depth + 1) if kind is yaml.MappingStartEvent else self._sequence(depth + 1)

    def _mapping(self, below: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        next_event, keys, node, scalar, end = self._next, self._keys, self.node, yaml.ScalarEvent, yaml.MappingEndEvent
        while type(event := next_event()) is not end:
            if type(event) is not scalar or event.tag or event.anchor:
                raise _SecondLookError
            key = event.value
            if not event.style and key not in keys:
                self._key(key)
            if key in found:
                raise _SecondLookError
            found[key] = node(next_event(), below)
        return found

    def _sequence(self, below: int) -> list[Json]:
        found = []
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            found.append(self.node(event, below))
        return found

    def _scalar(self, text: str) -> Json:
        """What a plain one says. They recur."""
        if text not in self._plain:
            read = plain(text, Dialect.GO)
            if read.doubt is not None and read.doubt.code not in _TOLD:
                raise _SecondLookError
            self._plain[text] = read.value
        return self._plain[text]

    def _key(self, text: str) -> None:
        """Note that a plain one is text."""
        if plain(text, Dialect.GO) != (text, None, None):
            raise _SecondLookError
        self._keys.add(text)
