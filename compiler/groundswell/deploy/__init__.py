"""From a plan to files: the folders that every deployer shares, and one module per deployer."""

from __future__ import annotations
