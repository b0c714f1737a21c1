"""Which values the templates of a chart read, found by following the dot, variables and named templates.

No values are needed for it: every branch is followed. Where a value's way is lost, the tree says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check.template_text import literal
from groundswell.check.value_reads import ANY, Reads, Use

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.check.template_text import Statement, Templates
    from groundswell.check.value_reads import Path

_AGAIN = 2
"""How often a named template is followed into itself."""

_TESTS = frozenset(
    """contains empty eq fail float64 ge gt has hasPrefix hasSuffix int int64 kindIs kindOf le len lookup lt ne not
    regexMatch semverCompare sha256sum typeIs typeIsLike typeOf""".split()  # noqa: SIM905  a list is three times as long
)
"""Functions that tell something about a value and read nothing below it."""

_CHOICES = frozenset(
    """and append coalesce compact concat deepCopy default initial mustDeepCopy omit or pick prepend required rest
    reverse slice ternary uniq without""".split()  # noqa: SIM905  as above
)
"""Functions whose result is one of their arguments, or a part or a list of them."""

_MERGES = frozenset({"merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"})
_LOOKUPS = frozenset({"dig", "first", "get", "hasKey", "index", "keys", "last", "pluck", "values"})
_LISTS = frozenset({"list", "tuple"})
_PRINTS = frozenset(
    """b64enc cat html indent join js lower mustToJson mustToPrettyJson mustToRawJson nindent print printf println quote
    replace squote toJson toPrettyJson toRawJson toString toToml toYaml toYamlPretty trim trimPrefix trimSuffix trunc
    upper urlquery""".split()  # noqa: SIM905  as above
)

_Named: TypeAlias = "Mapping[str, Sequence[Sequence[Statement]]]"


class _Value(NamedTuple):
    """What an expression may stand for: values by their paths, None for the root; and the parts of a map or list."""

    places: frozenset[Path | None] = frozenset()
    parts: tuple[tuple[str, _Value], ...] = ()

    def __or__(self, other: _Value) -> _Value:
        return _Value(self.places | other.places, tuple(dict.fromkeys((*self.parts, *other.parts))))

    def at(self, key: str) -> _Value:
        """What stands under a key. `.Values.AsMap` is a method, which gives the values themselves."""
        if not self.places and not self.parts:
            return self
        found = _Value(frozenset((*place, key) for place in self.places if place is not None))
        if (key == "Values" and None in self.places) or (key == "AsMap" and () in self.places):
            found |= _Value(frozenset({()}))
        for other, value in self.parts:
            if key == other or ANY in (key, other):
                found |= value
        return found


_NOTHING = _Value()
_ROOT = _Value(frozenset({None}))


def reads_of(own: Sequence[Templates], others: Sequence[Templates] = ()) -> Reads:
    """The values that a chart's own templates read below `.Values`.

    `others` are those of the charts around it: names of templates are the same for all charts of an archive.
    """
    named: dict[str, list[Sequence[Statement]]] = {}
    for templates in (*own, *others):
        for name, bodies in templates.named.items():
            named.setdefault(name, []).extend(bodies)
    flow = _Flow(named)
    for body in (body for templates in own for body in templates.files):
        _Run(flow, _ROOT, ()).go(body)
    return flow.reads


class _Flow:
    """What is found on all ways together."""

    def __init__(self, named: _Named) -> None:
        """Start with nothing found."""
        self.reads = Reads()
        self._named = named
        self._seen: set[tuple[str, _Value]] = set()
        self.results: dict[tuple[object, ...], _Value] = {}

    def note(self, value: _Value, use: Use) -> None:
        """Note what becomes of a value."""
        for place in value.places:
            if place is not None:
                self.reads.add(place, use)
            elif use is Use.HANDED_ON:
                self.reads.add((), use)
        for _, part in value.parts:
            self.note(part, use)

    def include(self, name: str | None, dot: _Value, callers: tuple[str, ...]) -> None:
        """Follow a value into a named template; one whose name is made up, or that is not here, may read anything."""
        if name is None or name not in self._named or callers.count(name) > _AGAIN:
            self.note(dot, Use.HANDED_ON)
        elif (name, dot) not in self._seen:
            self._seen.add((name, dot))
            for body in self._named[name]:
                _Run(self, dot, (*callers, name)).go(body)


class _Run:
    """One template gone through, with the dot and the variables as they are on the way."""

    def __init__(self, flow: _Flow, dot: _Value, callers: tuple[str, ...]) -> None:
        """Start at the top of a template."""
        self._flow, self._dot, self._callers = flow, dot, callers
        self._variables: dict[str, _Value] = {"$": dot}
        self._tokens: Sequence[str] = ()
        self._next = 0

    def go(self, body: Sequence[Statement]) -> None:
        """Go through a template, whichever way its conditions lead."""
        outer: list[_Value] = []
        for keyword, tokens in body:
            if keyword == "end":
                self._dot = outer.pop() if outer else self._dot
            elif keyword == "else":
                self._dot = outer[-1] if outer else self._dot
                if tokens:
                    self._enter(tokens[0], tokens[1:])
            elif keyword in {"if", "with", "range"}:
                outer.append(self._dot)
                self._enter(keyword, tokens)
            elif keyword == "template":
                self._value(("include", *tokens))
            elif len(tokens) > 1 and tokens[1] in {":=", "="}:
                self._assign(tokens[0], self._value(tokens[2:]))
            else:
                self._flow.note(self._value(tokens), Use.PRINTED)

    def _enter(self, keyword: str, tokens: Sequence[str]) -> None:
        start = tokens.index(":=") if ":=" in tokens else 0
        value = self._value(tokens[start + 1 :] if start else tokens)
        if keyword == "range":
            value = value.at(ANY)
            self._flow.note(value, Use.NAMED)
        if start:
            self._assign(tokens[start - 1], value)
        if keyword != "if":
            self._dot = value

    def _assign(self, variable: str, value: _Value) -> None:
        self._variables[variable] = self._variables.get(variable, _NOTHING) | value

    def _value(self, tokens: Sequence[str]) -> _Value:
        """What an expression gives. Where it stood before with the same dot and variables, all is noted already."""
        variables = [self._variables.get(token.partition(".")[0]) for token in tokens if token[0] == "$"]
        key = (tokens, self._dot, *variables)
        if key not in self._flow.results:
            self._tokens, self._next = tokens, 0
            self._flow.results[key] = self._pipeline()
        return self._flow.results[key]

    def _peek(self) -> str:
        """The next token, a closing parenthesis at the end."""
        return self._tokens[self._next] if self._next < len(self._tokens) else ")"

    def _pipeline(self) -> _Value:
        value = self._command(None)
        while self._peek() == "|":
            self._next += 1
            value = self._command(value)
        return value

    def _command(self, piped: _Value | None) -> _Value:
        function = ""
        texts: list[str | None] = []
        values: list[_Value] = []
        while self._peek() != "|" and not self._peek().startswith(")"):
            word = self._peek()
            self._next += 1
            if not function and not values and (word[0].isalpha() or word[0] == "_"):
                function = word
                continue
            texts.append(literal(word))
            values.append(self._operand(word))
        if piped is not None:
            texts.append(None)
            values.append(piped)
        if not function:
            return values[0] if values else _NOTHING
        return self._result(function, texts, values) if values else _NOTHING

    def _operand(self, word: str) -> _Value:
        value, path = _NOTHING, word
        if word.startswith("("):
            value, path = self._pipeline(), self._peek()
            self._next += 1
        elif word.startswith("$"):
            value = self._variables.get(word.partition(".")[0], _NOTHING)
        elif word.startswith("."):
            value = self._dot
        else:
            return value
        for key in path.split(".")[1:]:
            value = value.at(key) if key else value
        self._flow.note(value, Use.NAMED)
        return value

    def _result(self, function: str, texts: list[str | None], values: list[_Value]) -> _Value:
        """What a function gives; what it does with its arguments is noted."""
        found = _NOTHING
        if function == "include":
            # A name made from the path of the templates is that of a whole file, which is gone through by itself.
            if not any(word.endswith(".BasePath") for word in self._tokens):
                self._flow.include(texts[0], values[1] if len(values) > 1 else _NOTHING, self._callers)
        elif function == "dict":
            pairs = zip(texts[::2], values[1::2], strict=False)
            found = _Value(parts=tuple((key or ANY, value) for key, value in pairs))
        elif function in _LISTS:
            found = _Value(parts=tuple((ANY, value) for value in values))
        elif function in _LOOKUPS:
            found = self._looked_up(function, texts, values)
        elif function in _CHOICES | _MERGES:
            found = self._chosen(function, values)
        elif function in {"set", "unset"}:
            found = values[0]
            self._lose(values[2:], Use.HANDED_ON)
        elif function not in _TESTS:
            printed = function in _PRINTS or function == "tpl"
            self._lose(values[:1] if function == "tpl" else values, Use.PRINTED if printed else Use.HANDED_ON)
        return found

    def _lose(self, values: Sequence[_Value], use: Use) -> None:
        for value in values:
            self._flow.note(value, use)

    def _looked_up(self, function: str, texts: list[str | None], values: list[_Value]) -> _Value:
        """The value that a function gives by keys, which may be made up."""
        keys: Sequence[str | None] = texts[1:]
        value = values[0]
        if function == "dig":
            keys, value = texts[:-2], values[-1]
        elif function == "pluck":
            keys = texts[:1]
            for other in values[1:]:
                value |= other
        elif function in {"first", "last", "keys", "values"}:
            keys = (None,)
        for key in keys:
            value = value.at(key or ANY)
        self._flow.note(value, Use.NAMED)
        return _NOTHING if function in {"hasKey", "keys"} else value

    def _chosen(self, function: str, values: list[_Value]) -> _Value:
        """What may be any of the arguments. What is merged into a map is lost sight of where that is used again."""
        found = _NOTHING
        for value in values:
            found |= value
        if function in _MERGES:
            self._lose([value for value in values[1:] if None not in value.places], Use.HANDED_ON)
        return found
