"""What validation finds, what it is told, and the shape of what validates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Code
    from groundswell.source.located import Json

Path = tuple[str, ...]


class Fault(NamedTuple):
    """What is wrong at a path below the value that was validated."""

    path: Path
    message: str
    code: Code = codes.NOT_VALID

    def below(self, *steps: str | int) -> Fault:
        """The same, as seen from further up."""
        return self._replace(path=(*map(str, steps), *self.path))


class Context(NamedTuple):
    """The minor version that validates, and the definitions of its kinds."""

    minor: int
    definitions: Mapping[str, Any]


Validator: TypeAlias = "Callable[[Mapping[str, Json], Context], Iterator[Fault]]"
"""Tells what is wrong in a value of one definition, not in the parts of it that have definitions of their own.

A value has the type that its schema asks for, or is left alone: schemas are held against it elsewhere.
"""
