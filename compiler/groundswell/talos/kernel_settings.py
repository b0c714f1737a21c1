"""Names of settings under /proc/sys and /sys."""

from __future__ import annotations

_SWAPPED = str.maketrans("./", "/.")


def setting_path(key: str) -> str:
    """The path of a setting below its root: `vm.max_map_count` is `vm/max_map_count`.

    The first separator decides, as Talos and sysctl(8) have it: a name that begins with parts between dots may hold a
    dot as `/`, and one with slashes is a path already.
    """
    dot, slash = key.find("."), key.find("/")
    return key if dot < 0 or 0 <= slash < dot else key.translate(_SWAPPED)
