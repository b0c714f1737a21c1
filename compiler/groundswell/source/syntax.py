"""What the parser's complaints mean to the author of a file."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Related

if TYPE_CHECKING:
    from yaml import YAMLError

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.source.text import SourceText


class _Rule(NamedTuple):
    """A part of a complaint, and what is said instead; `at_start` when the place is where the construct began."""

    problem: str
    message: str
    help: str
    at_start: bool = False


_CONTEXTS = (("mapping", "map"), ("sequence", "list"), ("collection", "list"))
_QUOTE = "put the text in double quotes"
_INDENT = "indent this line like its neighbours, with blanks"
_RULES = (
    _Rule("tab character", "a tab stands where blanks must indent", "indent with blanks"),
    _Rule(
        "mapping values are not allowed",
        "a `: ` cannot stand here",
        "put the text in double quotes if the colon belongs to it; otherwise start the key on a line of its own, "
        "indented like its neighbours",
    ),
    _Rule(
        "could not find expected ':'",
        "this is no `key: value`",
        "write a `: ` after the key, or correct the indentation",
        at_start=True,
    ),
    _Rule("did not find expected key", "this line fits neither the map above nor one around it", _INDENT),
    _Rule("did not find expected '-'", "this line is no entry of the list above", f"start it with `- `, or {_INDENT}"),
    _Rule("expected <block end>", "this line fits nothing above it", _INDENT),
    _Rule(
        "expected ',' or '}'", "a `,` or `}` is missing before this", "close the map in braces, or quote the text in it"
    ),
    _Rule(
        "expected ',' or ']'",
        "a `,` or `]` is missing before this",
        "close the list in brackets, or quote the text in it",
    ),
    _Rule("unexpected end of stream", "the quote that starts here is not closed", "close it", at_start=True),
    _Rule("unexpected document separator", "the quote that starts here is not closed", "close it", at_start=True),
    _Rule("unexpected document indicator", "the quote that starts here is not closed", "close it", at_start=True),
    _Rule("unknown escape character", "this is no escape", "write a backslash as `\\\\`, or use single quotes"),
    _Rule(
        "alphabetic or numeric",
        "an anchor or alias has no name",
        "put text that starts with `*` or `&` in double quotes",
    ),
    _Rule("sequence entries are not allowed", "a `- ` cannot stand here", "start the list on a line of its own"),
    _Rule(
        "<document start>",
        "text follows the end of the document",
        "start a new document with `---`, or remove the `...`",
    ),
)


def syntax_finding(error: YAMLError, source: SourceText) -> Diagnostic:
    """The finding about the error with which the parser gave up, at the character where it did."""
    problem = str(getattr(error, "problem", None) or error)
    mark = getattr(error, "problem_mark", None)
    start = getattr(error, "context_mark", None) or mark
    if "nesting depth" in problem:
        return codes.TOO_DEEP("the document is nested too deep", _place(source, mark), help="make it flatter")
    if directives := _directives(problem, str(getattr(error, "context", "")), source, mark):
        if _in_flow(source, directives[0]):
            return codes.SYNTAX("`%` cannot start bare text", source.place(directives[0] + 1, 1), help=_QUOTE)
        return _directive_finding(directives, source)
    rule = _rule(problem, *_around(source, mark))
    place = _place(source, start if rule.at_start else mark)
    context = next((kind for word, kind in _CONTEXTS if word in str(getattr(error, "context", ""))), None)
    related = [Related(_place(source, start), f"the {context} starts here")] if context and start is not mark else []
    return codes.SYNTAX(rule.message, place, related=related, help=rule.help)


def _directives(problem: str, context: str, source: SourceText, mark: Any) -> list[int]:  # noqa: ANN401  as below
    """The lines, from 0, of a directive that the parser cannot read, or of all those that it found no document for."""
    if mark is None:
        return []
    lines, at = source.lines, min(mark.line, len(source.lines) - 1)
    if "directive" in problem + context or "incompatible" in problem:
        return [at] if lines[at].startswith("%") else []
    if "<document start>" not in problem:
        return []
    above = at if lines[at].startswith("%") else at - 1
    found = []
    while above >= 0 and (not lines[above].strip() or lines[above].lstrip().startswith(("#", "%"))):
        found += [above] if lines[above].startswith("%") else []
        above -= 1
    return found[::-1]


def _in_flow(source: SourceText, line: int) -> bool:
    """Whether a line, from 0, stands inside brackets or braces, where the parser takes its `%` for a directive's."""
    import yaml  # noqa: PLC0415  who has a complaint of it has imported it

    above = yaml.scan("\n".join([*source.lines[:line], ""]), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    opening, closing = (
        (yaml.FlowMappingStartToken, yaml.FlowSequenceStartToken),
        (yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken),
    )
    depth = 0
    with suppress(yaml.YAMLError):
        for token in above:
            depth += isinstance(token, opening) - isinstance(token, closing)
    return depth > 0


def _directive_finding(directives: list[int], source: SourceText) -> Diagnostic:
    """The finding about directives, which no file needs: what they could say is settled, or lost at a split."""
    texts = [source.lines[line].partition(" #")[0].rstrip() for line in directives]
    first, *others = [source.place(line + 1, 1, len(text)) for line, text in zip(directives, texts, strict=True)]
    name = texts[0].split()[0]
    help_ = (
        "remove it: files are read as YAML 1.2, and Helm splits a manifest at each `---` before it reads one; if it is "
        "text, put it in double quotes"
    )
    message = f"`{name}` is a directive, and no document can be read with it"
    return codes.SYNTAX(message, first, related=[Related(place, "so is this") for place in others], help=help_)


def _rule(problem: str, before: str, char: str) -> _Rule:
    """The rule for a complaint about `char`, which stands behind `before` in its line."""
    shown = "a backquote" if char == "`" else f"`{char}`"
    if "cannot start any token" in problem:
        return _RULES[0] if char == "\t" else _Rule("", f"{shown} cannot start bare text", _QUOTE)
    if "node content" in problem and char:
        return _Rule("", f"{shown} cannot stand here", f"write a value before it, or {_QUOTE}")
    if before.strip() and ("expected key" in problem or "<block end>" in problem):
        return _Rule("", "this cannot follow the value before it", f"{_QUOTE}, all of it")
    found = next((rule for rule in _RULES if rule.problem in problem), None)
    return found or _Rule("", problem.splitlines()[0].lower().rstrip("."), "compare with the lines around it")


def _around(source: SourceText, mark: Any) -> tuple[str, str]:  # noqa: ANN401  the two parsers' marks share no type
    line = source.lines[mark.line] if mark and mark.line < len(source.lines) else ""
    column = mark.column if mark else 0
    return line[:column], line[column : column + 1]


def _place(source: SourceText, mark: Any) -> Span:  # noqa: ANN401  as above
    return source.place(mark.line + 1, mark.column + 1) if mark else source.place(1, 1, 0)
