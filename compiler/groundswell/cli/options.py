"""The options that several commands share, and what they say together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.resolve.query import HostValues

F = TypeVar("F", bound="Callable[..., Any]")


class PathType(click.Path):
    """A path that is not empty: an empty one would silently be the working directory."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  click's
        """The path, or a usage error."""
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


DIAGNOSTIC_FORMATS = ("text", "json", "sarif", "github")

_CRITERIA = (
    click.option("--service", metavar="NAME", help="Where the cluster runs: eks, kind, metal, …"),
    click.option("--accelerator", "--gpu", "accelerator", metavar="NAME", help="The accelerator: h100, gb200, …"),
    click.option("--os", metavar="NAME", help="The nodes' operating system: talos, ubuntu, …"),
    click.option("--intent", metavar="NAME", help="What the cluster is for: training, inference."),
    click.option("--platform", metavar="NAME", help="The platform on top: kubeflow, …"),
    click.option("--nodes", type=click.IntRange(min=1), metavar="COUNT", help="How many nodes; never matched."),
    click.option(
        "--snapshot",
        metavar="FILE",
        type=PathType(),
        help="Facts of a cluster: they add criteria that are not stated, and constraints must hold.",
    ),
)
_CATALOG = (
    click.option(
        "--catalog",
        "catalogs",
        multiple=True,
        metavar="DIR",
        type=PathType(),
        help="A catalog of your own on top of the shipped one; may be repeated, later ones are higher.",
    ),
)
_SETTINGS = (
    click.option("--recipe", metavar="FILE", type=PathType(), help="A recipe instead of criteria."),
    click.option(
        "--set", "set_", multiple=True, metavar="C:path=v", help="Set a value: true, false, null, integers, else text."
    ),
    click.option("--set-string", multiple=True, metavar="C:path=v", help="Set a text."),
    click.option("--set-json", multiple=True, metavar="C:path=json", help="Set a value given as JSON; maps merge."),
    click.option(
        "--set-file", multiple=True, metavar="C:path=FILE", help="Set the value of a YAML or JSON file; maps merge."
    ),
    click.option("--without", multiple=True, metavar="C", help="Leave a component out."),
    click.option("--system-node-selector", multiple=True, metavar="k=v", help="Where system pods run."),
    click.option("--system-node-toleration", multiple=True, metavar="k=v:e", help="What system pods tolerate."),
    click.option("--accelerated-node-selector", multiple=True, metavar="k=v", help="Where accelerator pods run."),
    click.option(
        "--accelerated-node-toleration", multiple=True, metavar="k=v:e", help="What accelerator pods tolerate."
    ),
    click.option("--storage-class", metavar="NAME", help="The storage class of persistent volumes."),
    click.option("--allow-unsupported", is_flag=True, help="Accept a combination that is not on the support list."),
)
_DIAGNOSTICS = (
    click.option(
        "--diagnostics",
        type=click.Choice(DIAGNOSTIC_FORMATS),
        default="text",
        show_default=True,
        help="The form of findings on stderr.",
    ),
)


class Hosts(NamedTuple):
    """What the hosts of a Cluster file say on components, and the file with its identifier in origins."""

    values: HostValues
    identifier: str
    file: Path


class Inputs(NamedTuple):
    """Everything that the shared options say, as typed. `hosts` are those of `bundle --cluster FILE`.

    `asked` is False where the criteria are in a file from which they cannot be read.
    """

    criteria: dict[str, str | None]
    nodes: int | None
    snapshot: Path | None
    catalogs: tuple[Path, ...]
    recipe: Path | None
    settings: dict[str, tuple[str, ...]]
    without: tuple[str, ...]
    placement: dict[str, tuple[str, ...]]
    storage_class: str | None
    allow_unsupported: bool
    hosts: Hosts | None = None
    asked: bool = True


def query_options(command: F) -> F:
    """Add the options that say what to resolve; `take_inputs` reads them."""
    return _decorated(command, (*_CRITERIA, *_CATALOG, *_SETTINGS))


def catalog_options(command: F) -> F:
    """Add `--catalog`."""
    return _decorated(command, _CATALOG)


def diagnostics_option(command: F) -> F:
    """Add `--diagnostics`."""
    return _decorated(command, _DIAGNOSTICS)


def findings_format(command: F) -> F:
    """Add `--format` to a command whose findings are its result."""
    option = click.option(
        "--format",
        "form",
        type=click.Choice(DIAGNOSTIC_FORMATS),
        default="text",
        show_default=True,
        help="The form on stdout.",
    )
    return option(command)


def _decorated(command: F, options: tuple[Callable[[F], F], ...]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def take_inputs(arguments: dict[str, Any]) -> Inputs:
    """Take what `query_options` added out of a command's arguments."""
    settings = {f"--{name.strip('_').replace('_', '-')}": arguments.pop(name) for name in _SETTING_NAMES}
    placement = {f"--{name.replace('_', '-')}": arguments.pop(name) for name in _PLACEMENT_NAMES}
    return Inputs(
        criteria={name: arguments.pop(name) for name in ("service", "accelerator", "os", "intent", "platform")},
        nodes=arguments.pop("nodes"),
        snapshot=arguments.pop("snapshot"),
        catalogs=arguments.pop("catalogs"),
        recipe=arguments.pop("recipe"),
        settings=settings,
        without=arguments.pop("without"),
        placement=placement,
        storage_class=arguments.pop("storage_class"),
        allow_unsupported=arguments.pop("allow_unsupported"),
    )


_SETTING_NAMES = ("set_", "set_string", "set_json", "set_file")
_PLACEMENT_NAMES = (
    "system_node_selector",
    "system_node_toleration",
    "accelerated_node_selector",
    "accelerated_node_toleration",
)
