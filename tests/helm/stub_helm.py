"""A `helm` that only notes how it was called, for tests of the scripts' arguments."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPT = r"""#!/bin/sh
here=@here@
{
    printf '%s\036' "${PWD##*/}" "$(env | grep -c -e '^HELM_' -e '^CDPATH=')" "${KUBECONFIG-}"
    printf '%s\037' "$@"
    printf '\n'
} >>"$here/calls"
case $1 in
version) cat "$here/version" ;;
list | status | get)
    for argument in "$@"; do
        if [ -e "$here/answer-$1-$argument" ]; then cat "$here/answer-$1-$argument"; fi
    done
    ;;
*)
    cat >>"$here/stdin"
    for argument in "$@"; do
        if [ -e "$here/fail-$argument" ]; then exit "$(cat "$here/fail-$argument")"; fi
    done
    ;;
esac
"""


class Call(NamedTuple):
    """One call: the last part of the working directory, how many hostile variables it saw, and its arguments."""

    directory: str
    hostile: int
    kubeconfig: str
    arguments: list[str]


@dataclass
class StubHelm:
    """`path` is the program. It exits with a code when told to, for calls that name a release."""

    path: Path

    @classmethod
    def create(cls, directory: Path, version: str = "v3.17.3") -> StubHelm:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "helm"
        path.write_text(_SCRIPT.replace("@here@", shlex.quote(os.fspath(directory))))
        path.chmod(0o755)
        (directory / "version").write_text(version)
        return cls(path)

    def fail(self, argument: str, code: int) -> None:
        (self.path.parent / f"fail-{argument}").write_text(str(code))

    def heal(self, argument: str) -> None:
        (self.path.parent / f"fail-{argument}").unlink()

    def answer(self, command: str, argument: str, text: str) -> None:
        """What a reading command prints when this is among its arguments."""
        (self.path.parent / f"answer-{command}-{argument}").write_text(text)

    def calls(self) -> list[Call]:
        """The calls so far, but for `helm version`."""
        log = self.path.parent / "calls"
        found = []
        for line in (log.read_text() if log.exists() else "").split("\037\n"):
            if line:
                directory, hostile, kubeconfig, arguments = line.split("\036")
                found.append(Call(directory, int(hostile), kubeconfig, arguments.split("\037")))
        return [call for call in found if call.arguments[0] != "version"]

    def writes(self) -> list[list[str]]:
        """The arguments of calls that ask a cluster for a change."""
        return [call.arguments for call in self.calls() if call.arguments[0] in {"upgrade", "uninstall", "rollback"}]

    def forget(self) -> None:
        for name in ("calls", "stdin"):
            (self.path.parent / name).unlink(missing_ok=True)

    def stdin(self) -> str:
        """What it was given on standard input, all calls together."""
        path = self.path.parent / "stdin"
        return path.read_text() if path.exists() else ""
