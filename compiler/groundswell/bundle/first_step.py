"""The README's section on what must be installed before anything else can start: the cluster's network."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from groundswell.deploy.helm.table import rows
from groundswell.diagnostics.enumeration import listed
from groundswell.plan.network import needed_by, network_components, replaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.deploy.helm.table import Row
    from groundswell.plan.plan import Plan


def first_step(plan: Plan, folders: Mapping[str, BuiltFolder], deployers: Sequence[str]) -> str:
    """The Markdown, "" where the cluster has a network by itself. Commands are run in the bundle's directory."""
    criteria = plan.resolution.criteria
    network = network_components(criteria, plan.components)
    if not network:
        return ""
    needed = needed_by(network, plan.dependencies)
    first = [row for row in rows(plan, folders)[0] if row.component in needed]
    parts = list(dict.fromkeys(part for name in network for part in replaced(criteria, plan.components[name])))
    names = listed(f"`{name}`" for name in network)
    waits = _TALOS_WAITS if criteria.get("os") == "talos" else ""
    return f"""\
## First of all: the network

{_without(criteria, parts, names)}

Until then no node becomes ready and no pod outside of the hosts' own network starts, those of Argo CD among them. So
this comes right after the cluster's bootstrap, as soon as its first node is listed:

```sh
{_command(first, deployers)}
```

It installs {listed(f"`{row.folder}`" for row in first)} and waits for no node to be ready before.{waits}
{_afterwards(deployers)}"""


_TALOS_WAITS = """ A machine that has
waited for the network for about ten minutes is restarted by Talos, and waits again."""


def _without(criteria: Mapping[str, str], parts: Sequence[str], names: str) -> str:
    """What the cluster comes without, and who sees to that."""
    if criteria.get("os") == "talos":
        return f"Talos installs {listed(f'no {part}' for part in parts)} here, for {names} to take the place."
    without = listed("a CNI" if part == "CNI" else part for part in parts)
    how = _how(criteria.get("service", ""), "kube-proxy" in parts)
    return f"The cluster must come without {without}, for {names} to take the place. {how}"


def _how(service: str, kube_proxy: bool) -> str:
    """How a cluster is made without a CNI, and without kube-proxy, where Talos does not see to it."""
    if service == "kind":
        keys = "`disableDefaultCNI: true`" + (" and `kubeProxyMode: none`" if kube_proxy else "")
        return f"In the configuration of a kind cluster that is {keys} under `networking`."
    skipped = " with `--skip-phases=addon/kube-proxy`" if kube_proxy else ""
    own = f"With kubeadm that is `kubeadm init`{skipped}, and no manifest of a CNI after it."
    both = "CNI and kube-proxy" if kube_proxy else "CNI"
    provider = f"On a provider's cluster the provider's own {both} must be off."
    return {"": f"{own} {provider}", "metal": own}.get(service, provider)


def _command(first: Sequence[Row], deployers: Sequence[str]) -> str:
    if "helm" in deployers:
        chosen = [word for name in dict.fromkeys(row.component for row in first) for word in ("--only", name)]
        return shlex.join(["./install.sh", *chosen])
    return "\n".join(shlex.join(_upgrade(row)) for row in first)


def _upgrade(row: Row) -> Iterator[str]:
    """The command of `install.sh` for a folder, without what only its own later runs need."""
    yield from ("helm", "upgrade", "--install", row.release)
    if not row.chart:
        yield f"./{row.folder}"
    elif row.repository.startswith("oci://"):
        yield f"{row.repository}/{row.chart}"
    else:
        yield from (row.chart, "--repo", row.repository)
    if row.chart:
        yield from ("--version", row.version)
    yield from ("--namespace", row.namespace, "--values", f"{row.folder}/values.yaml")
    yield from (f"--{flag}" for flag in ("create-namespace", "skip-crds") if flag in row.flags)
    if "no-wait" not in row.flags:
        yield "--wait"


def _afterwards(deployers: Sequence[str]) -> str:
    """How the step goes together with what installs the rest."""
    text = ""
    if "helm" in deployers:
        text += """
`./install.sh` without `--only` begins with the same folders: with Helm alone, it does everything at once.
"""
    if "argocd" in deployers:
        text += """
Argo CD makes the same objects, from the same charts, versions and values. It finds them in place and takes them over.
Helm's record of the releases stays beside them: `helm uninstall` would delete the objects, and the network with them.
"""
    return text
