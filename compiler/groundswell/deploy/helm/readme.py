"""The Helm section of the bundle's README."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.deploy.helm.table import Row


def section(lines: Sequence[Row], values: Mapping[str, Any]) -> str:
    """The Markdown from `## Helm` down. Commands are meant to be run in the bundle's directory."""
    parts = [
        _overview(lines),
        _preflight(values),
        _installing(lines),
        _charts(lines),
        _going_on(),
        _crds(lines),
        _removing(),
    ]
    return "\n".join(part for part in parts if part)


def _overview(lines: Sequence[Row]) -> str:
    return f"""\
## Helm

`install.sh` installs and upgrades the {len(lines)} folders in their order, one Helm release each, and
`uninstall.sh` takes them back. Both are POSIX shell, the same in every bundle, and need only Helm (3.17 or later, or
4.1.1 or later), `awk` and `sed`; what differs between bundles stands in `install.tsv` and the folders. They make the
same writes under Helm 3 and 4. The cluster is the one of `--kubeconfig` and `--context`, or of `KUBECONFIG`; other
`HELM_...` variables that would change cluster, namespace or storage are ignored.

The user that runs them needs the rights to create everything that the charts hold, among it Namespaces,
CustomResourceDefinitions and cluster roles, to read and write Secrets in each release's namespace (Helm stores its
releases there), and to list nodes for the preflight. In practice that is `cluster-admin`.

Helm stores a release before it creates any object, so a release cannot create the namespace that it is stored in.
Releases that own Namespaces therefore live in the namespace `groundswell`, all others in their component's. To look
for releases: `helm list --all-namespaces`.
"""


def _preflight(values: Mapping[str, Any]) -> str:
    checked = [f"- {test['constraint']}" for test in (*values["kubernetes"], *values["nodes"])]
    unchecked = [f"- {constraint['constraint']}" for constraint in values["unanswerable"]]
    if checked:
        asks = "It checks, of the API server and of every node:\n\n" + "\n".join(dict.fromkeys(checked)) + "\n"
    else:
        asks = "This bundle states nothing that it could check; it only sees whether the cluster answers.\n"
    refuses = ""
    if unchecked:
        refuses = (
            "\n**No API server can answer these, so the preflight refuses every cluster until you have checked them"
            " yourself and say `--skip-constraints`:**\n\n" + "\n".join(dict.fromkeys(unchecked)) + "\n"
        )
    return f"""\
### Does the cluster fit?

```sh
./install.sh --check
```

runs the preflight alone, which writes nothing; every installation begins with it. {asks}{refuses}
No visible node counts as a cluster that does not fit. `--skip-constraints` leaves the preflight out; the folders that
are charts of this bundle still refuse a Kubernetes version outside of the stated range. Nobody checks whether there is
room for the workloads, what hardware the nodes have, or whether registries can be reached.
"""


def _installing(lines: Sequence[Row]) -> str:
    component = next((row.component for row in lines if row.chart), "")
    own = ""
    if component:
        own = f"""\

`--values {component}=site.yaml` gives the chart of one component a last values file. It reaches the chart only: the
component's manifests take their values from the recipe. Such a release counts as different from the bundle, so that
`--resume` always does it again.
"""
    return f"""\
### Installing and upgrading

```sh
./install.sh --dry-run      # prints the commands, contacts no cluster
./install.sh
```

The same command upgrades. Each folder is waited for (`--timeout`, ten minutes each; `--no-wait`), and the first
failure stops the run. Only a folder that holds a volume claim and no pod that uses it is not waited for: its storage
may bind at first use. `--only NAME` takes a folder or a component; with `--no-wait` it also serves a chart whose pods
become ready only after its post-install hook.{own}
A Namespace that exists already stays as it is when its Pod Security labels suffice; if they do not, the run stops with
the `kubectl label` command that helps. `--take-ownership` lets Helm adopt it, and everything else that exists already,
whoever made it.
"""


def _charts(lines: Sequence[Row]) -> str:
    charts = [row for row in lines if row.chart]
    if not charts:
        return ""
    pulls = "\n".join(
        shlex.join(["helm", "pull", *_address(row), "--version", row.version, "--destination", "charts"])
        for row in charts
    )
    return f"""\
### Without access to the charts' repositories

```sh
{pulls}
```

fetches the archives where there is access; then `./install.sh --charts charts` takes them instead of the repositories.
It lists every archive that is missing before it starts.
"""


def _address(row: Row) -> list[str]:
    if row.repository.startswith("oci://"):
        return [f"{row.repository}/{row.chart}"]
    return [row.chart, "--repo", row.repository]


def _going_on() -> str:
    return """\
### After a failure

The message names the folder and its release. Run the same command again with `--from FOLDER`, or with `--resume`,
which skips every folder that is deployed with this bundle's content. Ctrl-C and TERM end the current release as failed,
which the next run repeats; a closed terminal does not end the run. After a killed run (power, out of memory) Helm
refuses the release as pending, and so does `install.sh`, until you are sure that no other run is at work and say
`--recover`. It takes a half installation back first, or, where that would delete CRDs or volume claims, rolls it onto
itself; a half upgrade it rolls back. A first installation that failed is upgraded by the next run, without the chart's
install hooks, unless `--recover` takes it back first.
"""


def _crds(lines: Sequence[Row]) -> str:
    charts = [f"`{row.chart}`" for row in lines if "crds-dir" in row.flags]
    if not charts:
        return ""
    return f"""\
### CRDs

Helm installs what a chart keeps in its `crds/` directory once, and never updates it: {", ".join(charts)}. On an upgrade
`install.sh` names these charts and prints the command that updates their CRDs.
"""


def _removing() -> str:
    return """\
### Uninstalling

```sh
./uninstall.sh --dry-run    # reads the cluster, prints the commands
./uninstall.sh
```

goes in reverse order. It keeps, and names, every release that holds CRDs or Namespaces not marked
`helm.sh/resource-policy: keep`, since all objects of those kinds would go with them; `--delete-crds-and-namespaces`
uninstalls these too. Delete custom resources before the operator that has to clean up after them. The bundle's
Namespaces, the namespace `groundswell` and CRDs from `crds/` directories stay. Releases of components that an earlier
bundle had and this one has not are left alone, here and by `install.sh`; `helm list --all-namespaces` shows them.
"""
