"""The node layer: what machines need, as schematics of the Image Factory and Talos machine-config patches."""

from __future__ import annotations
