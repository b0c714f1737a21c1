"""Argo CD's section of the bundle's README."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.argocd.application import BUNDLE_LABEL, chart_repository, child_name
from groundswell.deploy.argocd.gate import KEY_PREFIX, PATCH_FILE
from groundswell.deploy.argocd.publishing import changing, deploying
from groundswell.deploy.kube_version import SERVER_VERSION
from groundswell.diagnostics.enumeration import listed
from groundswell.resolve.constraints import conditions, needed
from groundswell.resolve.health_key import APPLICATION
from groundswell.resolve.versions import bounds, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.deploy.argocd.placement import Placement
    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.plan.plan import Plan


def section(
    plan: Plan, folders: Mapping[str, BuiltFolder], placement: Placement, rules: Iterable[str], at_once: Sequence[str]
) -> str:
    """The Markdown from `## Argo CD` down. Commands are meant to be run in the bundle's directory."""
    parts = [
        _overview(plan, placement),
        _health_rules(placement, rules),
        deploying(placement),
        _waiting(plan, placement, at_once),
        changing(placement),
        _unchecked(plan, folders, placement),
        _project(plan, placement),
        _removing(placement),
    ]
    return "\n".join(part for part in parts if part)


def _overview(plan: Plan, placement: Placement) -> str:
    count = "1 Application" if len(plan.folders) == 1 else f"{len(plan.folders)} Applications"
    version = "digest" if placement.oci else "commit"
    return f"""\
## Argo CD

Needs Argo CD 3.2 or later. The root Application `{placement.name}` (`app-of-apps.yaml`) points at this bundle,
which is also a small Helm chart: it hands out {count}, one per folder. A change reaches them only through the
root, in the order of the waves: folders of the bundle's repository at the {version} that the root has resolved,
charts at their version. Commands below run in the bundle's directory, with the cluster of Argo CD as
`kubectl`'s context.
"""


def _health_rules(placement: Placement, rules: Iterable[str]) -> str:
    others = [f"`{kind.replace('_', '/')}`" for kind in rules if kind != APPLICATION]
    more = f" It also brings the rules for {listed(others)}." if others else ""
    configmaps = f"kubectl -n {placement.namespace} get configmap"
    key = (KEY_PREFIX + APPLICATION).replace(".", r"\.")
    patch = f"kubectl -n {placement.namespace} patch configmap argocd-cm --type merge --patch-file {PATCH_FILE}"
    return f"""\
### Before the first sync: the health rules

**Without a health rule for Applications, Argo CD does not wait between waves**; it ships none. `{PATCH_FILE}`
holds one: strict for the Applications of bundles like this one, which carry the annotation
`groundswell.dev/wave-gate: strict`, and the rule of the Argo CD manual for all others. An Argo CD that had no
such rule so far will from then on also wait in its other apps of apps.{more}

See whether a rule is there already, apply the patch, and check it:

```sh
{configmaps} argocd-cm -o jsonpath='{{.data.{key}}}'
{patch}
{patch} --dry-run=server
{configmaps} --field-selector metadata.name=argocd-cm -l app.kubernetes.io/part-of=argocd
```

What the first command prints will be replaced. The third must say `(no change)`: every rule is in place. The
fourth must find the ConfigMap, or Argo CD does not read it. Where Argo CD itself is installed from a Helm chart
or from Git, put the keys of the patch there (`configs.cm` of its chart), so that its next upgrade keeps them.
"""


def _waiting(plan: Plan, placement: Placement, at_once: Sequence[str]) -> str:
    last = max((folder.wave for folder in plan.folders), default=0)
    names = [child_name(folder, placement) for folder in plan.folders if folder.wave == last]
    wait = " ".join(f"application/{name}" for name in names)
    version = "digest" if placement.oci else "commit"
    text = f"""\
### What a wave waits for

A wave begins when every Application of the one before it is synced from the {version} at hand and healthy. The
root does not wait for the last wave ({last}: {listed([f"`{name}`" for name in names])}); to wait for it, once its
Applications exist:

```sh
kubectl -n {placement.namespace} wait {wait} --for=jsonpath='{{.status.health.status}}'=Healthy --timeout=30m
```

A custom resource that Argo CD has no health check for counts as ready as soon as it exists.
"""
    if at_once:
        kinds = listed([f"`{kind}`" for kind in at_once])
        text += f"In the manifests of this bundle that concerns {kinds}.\n"
    return text + "The same holds for those that charts bring, unless Argo CD or the patch has a rule for their kind.\n"


def _unchecked(plan: Plan, folders: Mapping[str, BuiltFolder], placement: Placement) -> str:
    constraints = plan.resolution.constraints
    if not constraints:
        return ""
    bound = [f"`{name}`" for name, built in folders.items() if "\nkubeVersion:" in built.text("Chart.yaml")]
    rendered = f"checked only when {listed(bound)} {'is' if len(bound) == 1 else 'are'} rendered (`kubeVersion`)"
    lines: dict[tuple[str, str], dict[str, None]] = {}
    for constraint in needed(constraints):
        for condition in conditions(constraint) or ():
            checked = bound and constraint.name == SERVER_VERSION and any(bounds(condition))
            who = "nobody checks it"
            if checked:
                who = f"{rendered}, the provider's build by nobody" if numbered(condition) else rendered
            line = lines.setdefault((constraint.name, who), {})
            line[f"`{condition.operator} {condition.operand}`".replace("` ", "`")] = None
    body = "\n".join(f"* `{name}` {listed(asked)}: {checked}" for (name, checked), asked in lines.items())
    ask = "\n`./install.sh --check` tests them without installing anything.\n" if placement.beside_helm else ""
    return f"""\
### What the cluster must be, and who checks it

Argo CD has no preflight. Of the constraints of this bundle:

{body}
{ask}"""


def _project(plan: Plan, placement: Placement) -> str:
    if placement.project == "default":
        return ""
    charts = {chart_repository(item.chart) for item in plan.components.values() if item.chart}
    sources = "\n".join(f"* source `{source}`" for source in [placement.repository, *sorted(charts)])
    namespaces = sorted({folder.namespace for folder in plan.folders})
    targets = "\n".join(f"* destination `{placement.server}`, namespace `{namespace}`" for namespace in namespaces)
    return f"""\
### What the project must permit

The AppProject `{placement.project}` must exist before the root is applied, and permit:

{sources}
* destination `https://kubernetes.default.svc`, namespace `{placement.namespace}`, for the Applications themselves
{targets}
* the cluster-scoped kinds of the manifests and charts: Namespace, CustomResourceDefinition, ClusterRole and the like
"""


def _removing(placement: Placement) -> str:
    delete = f"kubectl -n {placement.namespace} delete application {placement.name}"
    if placement.finalizers:
        return f"""\
### Removing

Every Application carries the finalizer `{placement.finalizers[0]}` (`--cascade-delete`). Deleting the root
removes its children and what they installed, the last wave first, each wave gone before the next; Namespaces of
`-pre` folders and CustomResourceDefinitions stay. A component that leaves the bundle is removed with what it
installed.

```sh
{delete}
```
"""
    applications = f"kubectl -n {placement.namespace} get applications -l {BUNDLE_LABEL}={placement.name}"
    publish = "push under a new tag" if placement.oci else "commit and push"
    return f"""\
### Removing

No Application carries a finalizer. Deleting the root removes nothing else, and a component that leaves the
bundle loses its Application while what it installed keeps running. To take everything down, compile again with
`--cascade-delete`, {publish}, apply `app-of-apps.yaml` again, wait until every Application lists the
finalizer, then delete the root: the last wave goes first, each wave is gone before the next, and Namespaces of
`-pre` folders and CustomResourceDefinitions stay.

```sh
{applications} -o custom-columns=NAME:.metadata.name,FINALIZERS:.metadata.finalizers
{delete}
```
"""
