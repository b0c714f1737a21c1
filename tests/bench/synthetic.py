"""Catalogs of any size for measurements: a chain of components, or many recipes that do not apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "apiVersion: groundswell.dev/v1alpha1\n"


def chain(root: Path, count: int) -> Path:
    """A catalog whose recipe for the service `bench` installs a chain of components, each with a few values."""
    refs = []
    for index in range(count):
        name = f"c{index:04d}"
        folder = root / "components" / name
        folder.mkdir(parents=True)
        waits = f"  dependencyRefs: [c{index - 1:04d}]\n" if index else ""
        (folder / "component.yaml").write_text(
            f"{HEAD}kind: Component\nmetadata: {{name: {name}}}\nspec:\n  description: one of many\n"
            "  helm: {repository: https://charts.example.test/stable, chart: sample, version: 1.2.3}\n"
            f"  namespace: {name}\n{waits}"
        )
        (folder / "values.yaml").write_text(f"replicas: {index}\nimage: {{tag: v{index}}}\nargs: [--one, --two]\n")
        refs.append(f"    - {{name: {name}, overrides: {{mode: bench}}}}\n")
    recipe(root, "bench", "bench", "  componentRefs:\n" + "".join(refs))
    return root


def recipe(root: Path, name: str, service: str, more: str = "") -> None:
    """One recipe for a service."""
    (root / "recipes").mkdir(exist_ok=True)
    text = f"{HEAD}kind: Recipe\nmetadata: {{name: {name}}}\nspec:\n  criteria: {{service: {service}}}\n{more}"
    (root / "recipes" / f"{name}.yaml").write_text(text)
