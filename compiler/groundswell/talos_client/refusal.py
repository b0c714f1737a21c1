"""What `talosctl` says about a configuration that it refuses, without the secrets that are in the configuration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Json

# The lines of Go's multierror: a head that counts, and one bullet for each error.
_COUNT = re.compile(r"[0-9]+ errors? occurred:\Z")
_BULLET = re.compile(r"\A(?:\* |WARNING: )")
_ROOT = "v1alpha1.Config:"

_SECRET_KEY = re.compile(r"token|key|secret|pass|auth|crt|cert|\Aca\Z|psk|content|identity|\Aid\Z", re.IGNORECASE)
_SECRET_FORM = re.compile(r"[A-Za-z0-9+/=_.-]{24,}")
_SHORTEST = 4
_CUT = 7  # go-yaml shows the beginning of a value that does not fit
_MASK = "…"


def problems(said: str) -> tuple[str, ...]:
    """Each problem in one line, those of a nested list after what they are about. Nothing is dropped."""
    found: list[str] = []
    head = ""
    for line in (line.strip() for line in said.splitlines() if line.strip()):
        text = _BULLET.sub("", line)
        starts = text != line
        if counted := _COUNT.search(text):
            head = text[: counted.start()].strip()
            head = "" if head in {"", _ROOT} else f"{head} "
        elif starts or head or not found:
            found.append(head + text)
            head = ""
        else:
            found[-1] += f" {text}"
    return tuple(dict.fromkeys(found))


def without_secrets(text: str, base: bytes, patch: bytes) -> str:
    """A text without what is secret in the base, whole or cut off. What the patch says too is not."""
    known = patch.decode(errors="replace")
    documents, _ = read(base, "base", Dialect.GO_V3)
    hidden = {item for document in documents for item in _secrets(document.data, hidden=False) if item not in known}
    for secret in sorted(hidden, key=len, reverse=True):
        for form in (secret, secret[:_CUT] + "..."):
            text = text.replace(form, _MASK)
    return text


def _secrets(value: Json, *, hidden: bool) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _secrets(item, hidden=hidden or bool(_SECRET_KEY.search(key)))
    elif isinstance(value, list):
        for item in value:
            yield from _secrets(item, hidden=hidden)
    else:
        lines = str(value).split()
        yield from (line for line in lines if len(line) >= _SHORTEST and (hidden or _SECRET_FORM.fullmatch(line)))
