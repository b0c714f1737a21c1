"""The README says each thing that is needed once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.bundle.readme import readme
from groundswell.deploy.deployer import Settings
from groundswell.deploy.folders import build_folders
from groundswell.resolve.resolution import NodeNeeds
from plan_factory import TALOS, component, constraint, plan

if TYPE_CHECKING:
    from groundswell.plan.plan import Plan


def needs(of: Plan) -> list[str]:
    """The lines of what must be in place first."""
    text = readme(of, build_folders(of)[0], [], Settings())
    section = re.search(r"## What must be in place first\n\n(.*?)(\n\n|\Z)", text, re.DOTALL)
    return section[1].splitlines() if section else []


def test_what_a_component_needs_of_one_kind_of_nodes_stands_in_one_line() -> None:
    blocks = (
        NodeNeeds("accelerated", extensions=("a", "b"), sysctls={"v": "1"}),
        NodeNeeds("all", kernel_args=("k=1",)),
        NodeNeeds("accelerated", extensions=("b", "c"), kernel_modules=("m",)),
        NodeNeeds("workers"),
    )
    assert needs(plan(component("gpu", node_needs=blocks), criteria=TALOS)) == [
        "* `gpu` needs on nodes with accelerators: system extensions `a`, `b`, `c`; sysctls `v=1`; kernel modules `m`",
        "* `gpu` needs on every node: kernel arguments `k=1`",
    ]
    assert needs(plan(component("gpu", node_needs=blocks))) == []


def test_constraints_are_told_as_what_they_come_to() -> None:
    asked = [
        constraint("K8s.server.version", ">= 1.32"),
        constraint("OS.release.ID", "!= debian"),
        constraint("K8s.server.version", "== 1.33", "recipe other"),
        constraint("OS.release.ID", "ubuntu"),
        constraint("K8s.server.version", "< 1.36, != 1.33.2"),
    ]
    assert needs(plan(component("a"), constraints=asked)) == [
        "* `K8s.server.version` must be `== 1.33, != 1.33.2`",
        "* `OS.release.ID` must be `ubuntu`",
    ]
