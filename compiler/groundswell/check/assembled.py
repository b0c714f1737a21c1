"""Templates that only come to be when a chart is rendered: put together from texts, or from files read who knows how.

What their functions do cannot be told from the text, and functions cannot be replaced in them. That one which differs
each time may be among them is all that can be said. Nothing is said of templates whose braces or functions come from
where no string shows them: decoded, from numbers, or from text outside of actions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.actions import ACTION, TEXT, prints_text, unquoted
from groundswell.check.impure_functions import impure_functions, impure_in, impure_names
from groundswell.check.template_files import is_partial, is_rendered, is_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.template_files import Actions

# `tpl` with anything but a string, for its template; and strings that others are only compared with.
_OPEN = re.compile(rb"\btpl\s+[^\s\"`]")
_COMPARED = re.compile(rb"\b(?:contains|has(?:Prefix|Suffix)?|eq|ne|(?:mustR|r)egexMatch)\s+%b" % TEXT.pattern)
_BEGUN = b"{{"
_UNREAD = (".gz", ".zip", "Chart.yaml", "values.schema.json")


def assembled(actions: Actions, handed: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Functions whose result may differ each time in what a chart may hand to `tpl`, each with its file.

    Those that can be told from the text of the chart's files are none of them. `handed` is what `handed_to_tpl` found.
    """
    rendered = [(name, action) for name, found in actions if is_rendered(name) for action in found]
    if not any(_OPEN.search(action) for _, action in rendered):
        return ()
    late = set()
    if any(_begins(action) for _, action in rendered):
        late = {(function, name) for name, action in rendered for function in _in_texts(action)}
    late |= {(function, name) for name, action in rendered if is_partial(name) for function in _printed(action)}
    if any(b".Files" in action for _, action in rendered):
        for name, found in actions:
            if not is_rendered(name, handed) and not is_values(name) and not name.endswith(_UNREAD):
                late |= {(function, name) for action in found for function in impure_in(action)}
    return tuple(sorted(late))


def _begins(action: bytes) -> bool:
    """Whether a string of an action, perhaps together with another one, begins a template that it does not end."""
    if action.find(b"{", len(_BEGUN)) < 0 or prints_text(action):
        return False
    for text in map(unquoted, TEXT.findall(_COMPARED.sub(b"", action))):
        rest = text if b"%" in text else ACTION.sub(b"", text)
        if _BEGUN in rest or rest.endswith(b"{"):
            return True
    return False


def _in_texts(action: bytes) -> Iterator[str]:
    """Functions in strings of an action but in templates that are whole there."""
    for text in () if prints_text(action) else TEXT.findall(action):
        yield from impure_names(ACTION.sub(b"", unquoted(text)))


def _printed(action: bytes) -> Iterator[str]:
    """Functions in templates that an action prints: those in a partial are what `include` gives."""
    for text in TEXT.findall(action) if prints_text(action) else ():
        yield from impure_functions(unquoted(text))
