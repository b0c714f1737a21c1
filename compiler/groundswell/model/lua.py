"""Whether a Lua script can be parsed as far as its brackets, blocks and texts go (Lua 5.1, which Argo CD runs)."""

from __future__ import annotations

import re

# Comments and texts come first, so that no word inside of them counts.
_TOKEN = re.compile(
    r"""(?P<skip>--\[(?P<a>=*)\[.*?\](?P=a)\]|--(?!\[=*\[)[^\n]*|\[(?P<b>=*)\[.*?\](?P=b)\]
      |"(?>\\.|[^"\\\n])*"|'(?>\\.|[^'\\\n])*')
      |(?P<open>--\[=*\[|\[=+\[|\[\[|["'])
      |(?P<word>[A-Za-z_]\w*)|(?P<bracket>[()\[\]{}])""",
    re.VERBOSE | re.DOTALL,
)
_BLOCKS = {"function": "end", "if": "end", "do": "end", "repeat": "until", "(": ")", "[": "]", "{": "}"}
_ENDS = frozenset(_BLOCKS.values())


def lua_problem(script: str) -> str | None:
    """What is wrong with a health script, as the rest of a sentence about it, or None. A health script must return."""
    opened: list[tuple[str, int]] = []
    words = set()
    for token in _TOKEN.finditer(script):
        text = token["word"] or token["bracket"]
        line = script.count("\n", 0, token.start()) + 1
        if token["open"]:
            return f"has a text or comment that is not closed, on its line {line}"
        if text is None:
            continue
        words.add(text)
        if text in _BLOCKS:
            opened.append((text, line))
        elif text in _ENDS and (not opened or _BLOCKS[opened.pop()[0]] != text):
            return f"has a `{text}` on its line {line} that closes nothing"
    if opened:
        word, line = opened[-1]
        return f"has no `{_BLOCKS[word]}` for the `{word}` on its line {line}"
    return None if "return" in words else "returns nothing"
