from __future__ import annotations

import pytest

from groundswell.talos_client import answers


def test_a_stream_of_objects_without_commas_is_read() -> None:
    text = '{"metadata": {"id": "a"}, "spec": {"size": 1}}\n{\n    "metadata": {"id": "b"},\n    "spec": "text"\n}\n'
    found = answers.resources(text)
    assert found == (answers.Resource("a", {"size": 1}), answers.Resource("b", "text"))
    assert answers.resources("") == ()


@pytest.mark.parametrize(
    "text", ["NODE   NAMESPACE", "[1]", '{"spec": {}}', '{"metadata": {"id": "a"}}{', "[" * 100000]
)
def test_what_is_no_stream_of_resources_is_none(text: str) -> None:
    assert answers.resources(text) is None


def test_fields_of_another_type_count_as_absent() -> None:
    item = answers.Resource("a", {"size": "large", "model": 3, "readonly": "yes", "flag": True})
    assert (item.number("size"), item.text("model"), item.flag("readonly"), item.number("flag")) == (0, "", False, 0)
    assert answers.Resource("a", "controlplane").text("size") == ""


LONG = """\
NODE       MODE         UID   GID   SIZE(B)   LASTMOD           LABEL   NAME
10.0.0.1   drwxr-xr-x   0     0     0         Sep  1 10:00:00           vfio-pci
10.0.0.1   Lrwxrwxrwx   0     0     0         Sep  1 10:00:00           vfio-pci/0000:01:00.0 -> ../../devices
"""


@pytest.mark.parametrize(
    "text",
    [
        ".\nvfio-pci\nvfio-pci/0000:01:00.0\n",
        "NODE       NAME\n10.0.0.1   .\n10.0.0.1   vfio-pci\n10.0.0.1   vfio-pci/0000:01:00.0\n",
        LONG,
    ],
)
def test_names_are_found_in_every_form_of_a_list(text: str) -> None:
    assert answers.names(text) == ("vfio-pci", "vfio-pci/0000:01:00.0")


def test_the_servers_version_counts_and_not_the_clients() -> None:
    client = "Client:\n\tTag:         v1.14.0\n"
    assert answers.version(client + "Server:\n\tNODE:  a\n\tTag:         v1.13.2\n") == "v1.13.2"
    assert answers.version(client) == ""


def test_numbers_and_sizes_of_kernel_files() -> None:
    assert [answers.number(text) for text in ("512\n", "-1\n", "", "x")] == [512, -1, None, None]
    meminfo = "MemTotal:       1024 kB\nMemFree: 1 kB\n"
    assert answers.kilobytes(meminfo, "MemTotal") == 1024
    assert answers.kilobytes("Node 0 MemTotal:  77 kB\n", "MemTotal") == 77
    assert answers.kilobytes(meminfo, "Absent") == 0


def test_siblings_are_those_of_one_core_of_one_socket() -> None:
    block = "processor\t: {}\nmodel name\t: A: B\nphysical id\t: {}\ncore id\t: {}\n"
    text = "\n".join(block.format(*row) for row in ((0, 0, 0), (1, 1, 0), (2, 0, 0), (3, 1, 0)))
    assert answers.sibling_lists(text) == ("0,2", "1,3")
    assert answers.sibling_lists("processor\t: 0\nBogoMIPS\t: 50\n") == ()
