"""The one place that runs `talosctl`. Every run has a limit of time."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos_client.question import GET, VERSION, Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos_client.question import Question

_LONGEST_PROBLEM = 300
_GRACE = 15.0  # what a run may take beyond the limit that `talosctl` itself was given


@dataclass(frozen=True, slots=True)
class Talosctl:
    """A `talosctl` with the options that lead it to a cluster; `timeout` is for one question, in seconds."""

    program: str
    options: tuple[str, ...] = ()
    timeout: float = 30.0

    def ask(self, node: str, question: Question, *, insecure: bool = False) -> Answer:
        """Put a question. In maintenance mode only resources and the version are told; the rest is not even tried."""
        if insecure and question.verb not in {GET, VERSION}:
            return Answer("", "not told in maintenance mode")
        words = (*question.words, "--insecure") if insecure else question.words
        return self._run(node, words, self.timeout)

    def act(self, node: str, words: Sequence[str], limit: float | None = None) -> Answer:
        """Do something on a machine; `limit` is how long, in seconds, `talosctl` itself may wait for it."""
        return self._run(node, words, limit + _GRACE if limit else self.timeout)

    def _run(self, node: str, words: Sequence[str], timeout: float) -> Answer:
        line = [self.program, *words, "--nodes", node, *self.options]
        try:
            done = subprocess.run(line, capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout, check=False)  # noqa: S603  no shell, and the program that PATH names
        except subprocess.TimeoutExpired:
            return Answer("", f"no answer within {timeout:g} seconds")
        except OSError as error:
            return Answer("", f"`{self.program}` cannot be run: {error.strerror}")
        text, said = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
        # What a dry run would do is told on stderr.
        return (
            Answer(text, _reason(said) or f"exit code {done.returncode}") if done.returncode else Answer(text or said)
        )


def find_talosctl(options: Sequence[str], timeout: float) -> tuple[Talosctl | None, tuple[Diagnostic, ...]]:
    """The `talosctl` on PATH, or the finding that there is none."""
    program = shutil.which("talosctl")
    if program is None:
        return None, (codes.NO_TALOSCTL("there is no `talosctl` on PATH"),)
    return Talosctl(program, tuple(options), timeout), ()


def _reason(said: str) -> str:
    """The last line of what `talosctl` said, without what stands around the reason."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if not lines:
        return ""
    last = lines[-1].removeprefix("* ").removeprefix("error: ")
    return last if len(last) <= _LONGEST_PROBLEM else last[:_LONGEST_PROBLEM] + "…"
