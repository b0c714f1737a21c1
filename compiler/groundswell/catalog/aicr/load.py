from __future__ import annotations


def load_aicr(files):
    raise NotImplementedError
