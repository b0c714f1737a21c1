"""The one place that runs `talosctl`. Every run has a limit of time."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos_client.question import GET, VERSION, Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos_client.question import Question

_LONGEST_PROBLEM = 300
_PRIVATE = 0o077
_GRACE = 15.0  # what a run may take beyond the limit that `talosctl` itself was given


class BrokenTalosctlError(Exception):
    """A `talosctl` that does not work even where it asks no machine."""


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
        return self._run(node, words, self.timeout).answer(_reason)

    def act(self, node: str, words: Sequence[str], limit: float | None = None) -> Answer:
        """Do something on a machine; `limit` is how long, in seconds, `talosctl` itself may wait for it.

        The text is also that of stderr, where a dry run tells what it would do.
        """
        run = self._run(node, words, limit + _GRACE if limit else self.timeout)
        return run._replace(text=run.text or run.said).answer(_reason)

    def offline(self, words: Sequence[str], limit: float | None = None) -> Answer:
        """Do something that asks no machine. Its files are the user's alone, and a problem is all that it says.

        `limit` is how long, in seconds, it may take, when not as long as a question.

        Raises:
            BrokenTalosctlError: The program cannot be run, does not come to an end, or crashes.
        """
        run = _run([self.program, *words], limit or self.timeout)
        if run.problem:
            raise BrokenTalosctlError(run.problem)
        return run._replace(text=run.text or run.said).answer(str.strip)

    def _run(self, node: str, words: Sequence[str], timeout: float) -> _Run:
        return _run([self.program, *words, "--nodes", node, *self.options], timeout)


class _Run(NamedTuple):
    """What a run printed on stdout and stderr, and its exit code; `problem` says why it had none."""

    text: str = ""
    said: str = ""
    code: int = 0
    problem: str = ""

    def answer(self, reason: Callable[[str], str]) -> Answer:
        """The text, or the problem as told by what stands on stderr."""
        if self.problem:
            return Answer("", self.problem)
        return Answer(self.text, (reason(self.said) or f"exit code {self.code}") if self.code else "")


def _run(line: Sequence[str], timeout: float) -> _Run:
    try:
        process = subprocess.Popen(  # noqa: S603  no shell, and the program that PATH names
            line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, umask=_PRIVATE
        )
    except OSError as error:
        return _Run(problem=f"`{line[0]}` cannot be run: {error.strerror}")
    try:
        streams = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        return _Run(problem=f"no answer within {timeout:g} seconds")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        # What the program started itself, as a wrapper does, may hold the other ends: nobody waits for it.
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
    text, said = (stream.decode(errors="replace") for stream in streams)
    if process.returncode < 0:
        return _Run(problem=f"`{line[0]}` was ended by signal {-process.returncode}")
    return _Run(text, said, process.returncode)


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
