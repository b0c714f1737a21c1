"""Images are built for the architecture of the hosts that run them, as far as their names tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.nodes import ARCHITECTURE, candidates
from groundswell.check.pod_requests import containers_at
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering

_NAMES = {"amd64": "amd64", "x86_64": "amd64", "arm64": "arm64", "aarch64": "arm64", "ppc64le": "ppc64le"}
_WORD = re.compile(rf"(?<![a-z0-9])({'|'.join(_NAMES)})(?![a-z0-9])")


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each container whose image is for none of the hosts that it may run on."""
    if rendering.cluster is None:
        return
    for template in rendering.pods:
        hosts = {node.labels.get(ARCHITECTURE) for node in candidates(rendering, template.spec)}
        for path, container in containers_at(template.spec):
            image = str(container.get("image"))
            built_for = architecture(image)
            if built_for and hosts and built_for not in hosts and None not in hosts:
                rendered = rendering.folders[template.owner.folder]
                subject = f"container `{container.get('name')}` of `{template.owner.title}` in `{rendered.folder.name}`"
                others = ", ".join(sorted(map(str, hosts)))
                message = f"{subject} has the image `{image}` for {built_for}, and its hosts are {others}"
                image_path = (*template.path, *path, "image")
                yield about(codes.OTHER_ARCHITECTURE, rendered, message, template.owner, path=image_path)


def architecture(image: str) -> str | None:
    """What the name or the tag of an image says that it is built for; None when they do not."""
    found = _WORD.search(image.partition("@")[0].partition("/")[2] or image)
    return _NAMES[found[1]] if found else None


RULE = Rule(
    "architectures",
    str(__doc__),
    (codes.OTHER_ARCHITECTURE,),
    "https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-arch",
    judge,
)
