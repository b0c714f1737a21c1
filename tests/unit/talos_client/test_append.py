"""Hosts are added to texts; what is there stays, letter by letter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.diagnostics.codes.talos_client import NOT_APPENDED
from groundswell.source.reader import read_one
from groundswell.talos_client.append import append_hosts

NEW = [{"name": "new", "address": "10.0.0.9", "prep": {"kernelArgs": ["a=1"]}}]
COMMENTS = st.sampled_from(["", "# a comment\n", "    # deep: [\n", "\n", "\n\n  # x\n"])


def text(hosts: str, before: str = "", after: str = "") -> str:
    return f"{before}spec:\n  hosts:\n{hosts}{after}"


@settings(max_examples=80, deadline=None)
@given(st.tuples(COMMENTS, COMMENTS, COMMENTS), st.integers(2, 6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_old_line_stays_and_the_document_has_the_new_host(
    comments: tuple[str, str, str], indent: int, end: str, inline: bool
) -> None:
    before, between, after = comments
    pad = " " * indent
    first = f"{pad}- {{name: a}}  # flow\n" if inline else f"{pad}- name: a  # note\n{pad}  prep:\n{pad}    vfio: []\n"
    last = f"{pad}- name: b\n{pad}  labels:\n{pad}    x: |\n{pad}      text\n{pad}      # no comment\n"
    tail = after + ("  talos: {version: v1}\n" if inline else "")
    old = text(first + between + last, before, tail).replace("\n", end)
    new, findings = append_hosts(old, "f", NEW)
    assert not findings
    document, _ = read_one(new.encode(), "f")
    assert document is not None
    assert [host["name"] for host in document.data["spec"]["hosts"]] == ["a", "b", "new"]
    lines = iter(new.split(end))
    assert all(line in lines for line in old.split(end))
    assert ("\r\n" in new) == (end == "\r\n")


def test_a_last_line_without_its_end_gets_one() -> None:
    new, findings = append_hosts("spec:\n  hosts:\n  - name: a", "f", NEW)
    assert not findings
    assert new.startswith("spec:\n  hosts:\n  - name: a\n  - name: new\n")


def test_a_list_in_flow_style_is_left_alone() -> None:
    for hosts in ("spec: {hosts: [{name: a}]}\n", "spec:\n  hosts: [{name: a}]\n"):
        new, findings = append_hosts(hosts, "f", NEW)
        assert new == hosts
        assert [item.code for item in findings] == [NOT_APPENDED.code]
