"""Schemas of objects: those of Kubernetes and those in CustomResourceDefinitions, and holding values against them."""

from __future__ import annotations
