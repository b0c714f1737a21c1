"""The page `docs/rules.md`, made from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rule import Rule

_INTRODUCTION = """\
# Rules

`groundswell check` renders every folder of a bundle or of a query with Helm, as it will be installed, and holds the
objects against the rules below. Nothing is written into the bundle.

```sh
groundswell check out --charts charts/
groundswell check --service metal --accelerator h100 --os talos --intent training --pull --lock charts.lock
groundswell check out --cluster cluster.yaml --charts charts/
```

Charts come from the archives (`NAME-VERSION.tgz`) or folders in `--charts DIR`, else from the user's cache, and only
with `--pull` from their repositories. A chart that cannot be had is an error, and so is an archive with another name or
version in its `Chart.yaml` than in its own name. `--lock FILE` keeps the SHA-256 of every archive that was rendered;
other bytes under the same version are an error from then on, and `--locked` refuses what is not listed. Objects are
judged for the Kubernetes version of `--kube-version`, else for the newest one that the Talos of the Cluster file runs,
else for the lowest one, each as far as the constraints allow. Built-in kinds are held against their schemas where the
extra `groundswell[schemas]` is installed, custom resources against the definitions in the bundle. Rules in CEL are not
evaluated. What only server-side apply refuses is an error in a bundle for Argo CD, whose Applications ask for it, and a
warning at most where only Helm installs.

Charts that ask which APIs there are get those that the API server of that Kubernetes version serves unless it is told
otherwise: beta versions younger than Kubernetes 1.24 are not among them. Helm adds what it knows itself, as it does for
Argo CD; where that can matter, a finding says so.

With `--cluster FILE` the pods are held against the hosts of that [Cluster file](talos.md): hugepages, devices, CPUs and
memory, with the node layer as `bundle --cluster` compiles it. What neither the objects nor the file say, such as the
architecture of an image whose name does not tell, is listed at the end as not known. A node is taken to be called as
its host; that is listed as well where pods select it by name and the file does not `setHostnames`.

Pods are held against the rules on Pod Security of every later version, too, which constraints and the Talos of the
recipe allow: what only such a version refuses is a warning that names it.

A finding about a field points to the value in the catalog that the field came from. That is one which is the same and
which the object's template reads, with a key like the field's or unlike any other value. Where several are, they stand
beside the finding, and it points to the component, as it does where none is.

A finding that is right but accepted goes into the file of `--suppress FILE`, with the reason. An entry that nothing is
found for is a finding itself, and so is one beside another entry for the same. `object` may be left out.

```yaml
apiVersion: groundswell.dev/v1alpha1
kind: Suppressions
metadata:
  name: accepted
spec:
  suppress:
    - code: K307
      component: registry
      object: ConfigMap shared/registry
      reason: the platform team makes the namespace
```

This page is generated from the source: `make docs` writes it.
"""


def rules_markdown() -> str:
    """One section per rule: what it demands, where to read about it, and the kinds of findings it makes."""
    return "\n".join([_INTRODUCTION, *(part for rule in RULES for part in _section(rule))])


def _section(rule: Rule) -> Iterator[str]:
    yield f"## {rule.name}\n"
    yield f"{rule.demand}\n"
    for code in rule.codes:
        yield f"**{code.code}** ({code.severity.value}): {code.title}. {code.why} Fix: {code.fix}\n"
    if rule.link:
        yield f"More: <{rule.link}>\n"
