"""What the README says on bringing the bundle to where Argo CD reads it: a Git repository or an OCI registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.argocd.application import BUNDLE_LABEL

if TYPE_CHECKING:
    from groundswell.deploy.argocd.placement import Placement


def deploying(placement: Placement) -> str:
    """The section on the first deployment."""
    return f"""\
### Deploying

{_push(placement) if placement.oci else _commit(placement)}

```sh
kubectl apply -f app-of-apps.yaml
kubectl -n {placement.namespace} get applications -l {BUNDLE_LABEL}={placement.name}
```
"""


def _commit(placement: Placement) -> str:
    where = f"the folder `{placement.path}`" if placement.path else "the root"
    return (
        f"Commit this directory to {where} of `{placement.repository}`, push it to `{placement.revision}`, and hand"
        "\nthe root to Argo CD:"
    )


def _push(placement: Placement) -> str:
    reference = placement.repository.removeprefix("oci://")
    if placement.revision.startswith("sha256:"):
        push = f"Push this directory to `{reference}` such that its digest is `{placement.revision}`"
    elif placement.path:
        push = f"Push a directory that holds this one as its folder `{placement.path}` to `{reference}`, tag"
        push += f" `{placement.revision}`"
    else:
        push = f"Push this directory: `oras push {reference}:{placement.revision} .`"
    return f"""\
{push}.
Argo CD takes artifacts of a single layer of the media type `application/vnd.oci.image.layer.v1.tar+gzip`, which is
what `oras push` makes of a directory. Then hand the root to Argo CD:"""


def changing(placement: Placement) -> str:
    """The section on later changes."""
    suspend = """'{"spec":{"syncPolicy":{"automated":null}}}'"""
    if placement.oci:
        again = """\
Compile again with a new tag as `--revision`, push under that tag, and apply `app-of-apps.yaml` again. The root
resolves the tag to a digest and passes it on wave by wave, as at the first installation. Do not push under a tag
that is in use: Argo CD keeps what it found under a tag and notices late or never. The root writes"""
    else:
        again = """\
Compile again, commit, push. The root takes up the commit and passes it on wave by wave, as at the first
installation. The root writes"""
    return f"""\
### Changing something

{again} its children anew whenever they differ, so pause it before you edit one by hand,
and apply it again to go on. A sync of the root that is already running goes on until it is ended
(`argocd app terminate-op {placement.name}`).

```sh
kubectl -n {placement.namespace} patch application {placement.name} --type merge -p {suspend}
kubectl apply -f app-of-apps.yaml
```
"""
