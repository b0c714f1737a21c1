"""`checksums.txt`: the digests of all other files of a bundle, in the format of coreutils' `sha256sum`."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from groundswell.bundle.paths import check_path, check_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.bundle.files import File

CHECKSUMS = "checksums.txt"

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class MalformedChecksumsError(ValueError):
    """A text that `checksums` did not write, with the number of its first wrong line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def checksums(files: Iterable[File]) -> str:
    """The text of `checksums.txt` for these files, sorted by the bytes of their paths.

    Raises:
        ValueError: A path is not one that a bundle may hold, or is that of `checksums.txt` itself.
    """
    digests = [(file.path, hashlib.sha256(file.data).hexdigest()) for file in files]
    check_paths([CHECKSUMS, *(path for path, _ in digests)])
    digests.sort(key=lambda item: item[0].encode())
    return "".join(f"{digest}  {path}\n" for path, digest in digests)


def parse_checksums(data: bytes) -> Mapping[str, str]:
    """The digest of each listed path, in the order of the lines, one line each.

    Raises:
        MalformedChecksumsError: A line is not as `checksums` writes it, or names a path twice.
    """
    listed: dict[str, str] = {}
    lines = data.split(b"\n")
    if lines == [b""]:
        raise MalformedChecksumsError(1, "it is empty")
    for number, line in enumerate(lines[:-1], 1):
        path, digest = _parse_line(number, line)
        if path in listed or path == CHECKSUMS:
            raise MalformedChecksumsError(number, f"`{path}` is listed twice, or in its own list")
        listed[path] = digest
    if lines[-1]:
        raise MalformedChecksumsError(len(lines), "the last line is incomplete")
    return listed


def _parse_line(number: int, line: bytes) -> tuple[str, str]:
    if line.endswith(b"\r"):
        raise MalformedChecksumsError(number, "its line endings were converted to CR LF")
    match = _LINE.fullmatch(line.decode(errors="surrogateescape"))
    if match is None:
        raise MalformedChecksumsError(number, "the line is not a digest, two spaces and a path")
    try:
        check_path(match[2])
    except ValueError as error:
        raise MalformedChecksumsError(number, "the line does not name a path inside of the bundle") from error
    return match[2], match[1]
