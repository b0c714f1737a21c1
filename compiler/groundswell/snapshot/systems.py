"""Operating systems by what a kubelet says of them: the `osImage`, which is PRETTY_NAME of /etc/os-release."""

from __future__ import annotations

import re

# The ID and VERSION_ID that /etc/os-release of the same system has; a system without a group does not tell its version.
_SYSTEMS = tuple(
    (re.compile(pattern), identifier)
    for pattern, identifier in (
        (r"Talos \((v\d\S*)\)", "talos"),
        (r"Ubuntu (?:Core )?(\d+\.\d+)", "ubuntu"),
        (r"Container-Optimized OS", "cos"),
        (r"Oracle Linux(?: Server)? (\d+(?:\.\d+)?)", "ol"),
        (r"Amazon Linux (\d+)", "amzn"),
        (r"Bottlerocket OS (\d\S*)", "bottlerocket"),
        (r"Red Hat Enterprise Linux CoreOS (\d)(\d+)\.", "rhcos"),
        (r"Red Hat Enterprise Linux(?: \w+)? (\d+(?:\.\d+)?)", "rhel"),
        (r"Debian GNU/Linux (\d+)", "debian"),
        (r"Flatcar Container Linux by Kinvolk (\d\S*)", "flatcar"),
        (r"Rocky Linux (\d+(?:\.\d+)?)", "rocky"),
        (r"AlmaLinux (\d+(?:\.\d+)?)", "almalinux"),
        (r"SUSE Linux Enterprise Server (\d+)(?: SP(\d+))?", "sles"),
        (r"openSUSE Leap (\d+\.\d+)", "opensuse-leap"),
        (r"Fedora (?:Linux|CoreOS) (\d+)", "fedora"),
        (r"(?:Microsoft )?Azure Linux (\d+\.\d+)", "azurelinux"),
        (r"CBL-Mariner/Linux", "mariner"),
        (r"NixOS (\d+\.\d+)", "nixos"),
        (r"Alpine Linux v(\d\S*)", "alpine"),
        (r"Windows ", "windows"),
    )
)


def release(image: str) -> tuple[str, str] | None:
    """ID and VERSION_ID of an `osImage`; None for an unknown system, "" as the version where the image tells none."""
    for pattern, identifier in _SYSTEMS:
        if match := pattern.match(image):
            return identifier, ".".join(part for part in match.groups() if part)
    return None
