"""A catalog of the small charts in `tests/charts`, and `groundswell check` run on it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from catalog_kit import document
from command import Outcome
from groundswell.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Mapping

CHARTS = Path(__file__).resolve().parents[1] / "charts"
REPOSITORY = "https://charts.example.test/small"


def write_catalog(
    root: Path, components: Mapping[str, str], repository: str = REPOSITORY, recipe: str = "", criteria: str = ""
) -> Path:
    """A catalog with a component for each chart of that name; the text adds to its spec. One recipe: `small`.

    `recipe` goes on with the last component's ref, `criteria` adds to the recipe's criteria: `, os: talos`.
    """
    refs = "".join(f"  - name: {name}\n" for name in components)
    spec = f"criteria: {{service: small{criteria}}}\ncomponentRefs:\n{refs}{recipe}"
    files = {
        "recipes/base.yaml": document("Recipe", "base", "", ", replace: true"),
        "recipes/small.yaml": document("Recipe", "small", spec),
    }
    for name, more in components.items():
        chart = f"helm: {{repository: {repository}, chart: {name}, version: 1.0.0}}\n"
        files[f"components/{name}/component.yaml"] = document(
            "Component", name, f"description: A small chart\n{chart}namespace: {name}\n{more}"
        )
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def check(helm: Path, *words: str | Path) -> Outcome:
    """Run the command in this process, which saves most of its time."""
    done = CliRunner().invoke(app, ["check", *map(str, words)], env={"GROUNDSWELL_HELM": str(helm)})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Outcome(done.exit_code, done.stdout, done.stderr)


def run_check(catalog: Path, helm: Path, *options: str | Path, charts: Path | None = CHARTS) -> Outcome:
    """Run the command on the catalog's one query."""
    given = ("--charts", charts) if charts else ()
    return check(helm, "--catalog", catalog, "--service", "small", *given, *options)


def findings(catalog: Path, helm: Path, *options: str | Path, charts: Path | None = CHARTS) -> list[dict[str, Any]]:
    """The findings of a run, whatever schemas this machine has."""
    done = run_check(catalog, helm, *options, "--format", "json", charts=charts)
    listed = json.loads(done.out)
    assert isinstance(listed, list)
    return [item for item in listed if item["code"] != "K111"]


def archives(directory: Path, helm: Path) -> Path:
    """Every small chart as an archive."""
    import subprocess  # noqa: PLC0415  only the tests of archives package

    directory.mkdir(parents=True, exist_ok=True)
    paths = [str(path) for path in sorted(CHARTS.iterdir()) if path.is_dir()]
    subprocess.run([str(helm), "package", *paths, "--destination", str(directory)], check=True, capture_output=True)
    return directory


def copy_chart(name: str, target: Path) -> Path:
    """A chart to change."""
    shutil.copytree(CHARTS / name, target / name)
    return target / name
