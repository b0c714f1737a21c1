"""The proxy for a server, by the variables that other tools read too."""

from __future__ import annotations

import pytest

from groundswell.snapshot.proxy import proxy_for

PROXY = {"HTTPS_PROXY": "http://proxy:3128"}


@pytest.mark.parametrize(
    ("url", "exempt", "expected"),
    [
        ("https://api.example.test:6443", "", "http://proxy:3128"),
        ("http://api.example.test", "", None),
        ("https://localhost:6443", "", None),
        ("https://127.0.0.1:6443", "", None),
        ("https://[::1]:6443", "", None),
        ("https://api.example.test", "example.test", None),
        ("https://api.example.test", ".example.test", None),
        ("https://api.example.test", "*.example.test", None),
        ("https://api.example.test", "ample.test", "http://proxy:3128"),
        ("https://api.example.test:6443", "other.test, api.example.test:6443", None),
        ("https://api.example.test:6443", "api.example.test:443", "http://proxy:3128"),
        ("https://api.example.test", "*", None),
        ("https://10.1.2.3", "*", None),
        ("https://10.1.2.3:6443", "10.0.0.0/8", None),
        ("https://10.1.2.3:6443", "10.2.0.0/16,192.168.0.0/16", "http://proxy:3128"),
        ("https://10.1.2.3", "10.1.2.3", None),
        ("https://10.1.2.3", "10.1.2", "http://proxy:3128"),
        ("https://[fd00::1]:6443", "fd00::/8", None),
        ("https://10.1.2.3", "10.0.0.0/99,,", "http://proxy:3128"),
    ],
)
def test_proxies_and_exemptions(url: str, exempt: str, expected: str | None) -> None:
    assert proxy_for(url, PROXY | {"NO_PROXY": exempt}) == expected


def test_lower_case_names_and_a_proxy_without_a_scheme() -> None:
    assert proxy_for("https://a.test", {"https_proxy": "proxy:3128"}) == "http://proxy:3128"
    assert proxy_for("https://a.test", {"https_proxy": "proxy:3128", "no_proxy": "a.test"}) is None
    assert proxy_for("https://a.test", {}) is None
