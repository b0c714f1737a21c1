"""Laws of schematics: what may change an ID and what may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from groundswell.source.reader import Dialect, read
from groundswell.talos.cpus import MOST, format_cpus, parse_cpus
from groundswell.talos.go_yaml import spelled, unsettled
from groundswell.talos.schematic import Schematic, customized, schematic

if TYPE_CHECKING:
    from random import Random

names = st.lists(st.from_regex(r"siderolabs/[a-z][a-z0-9-]{0,12}", fullmatch=True), max_size=6)
arguments = st.lists(st.from_regex(r"[a-z][a-z_.]{0,8}(=[a-zA-Z0-9,:_.@/-]{1,12})?", fullmatch=True), max_size=6)
nasty = st.text(alphabet=st.sampled_from("ab01 \n:#-.'\"{}[],&*!|>%@`~?=_xeTynoffnull+é\t"), max_size=12)


def built(extensions: list[str], kernel_args: list[str]) -> Schematic:
    assume(not any(unsettled(text) for text in (*extensions, *kernel_args)))
    result = schematic(customized(extensions, kernel_args))
    assert result is not None
    return result


@given(names, arguments, st.randoms())
def test_order_and_repeats_of_extensions_do_not_matter(
    extensions: list[str], kernel_args: list[str], random: Random
) -> None:
    shuffled = extensions * 2
    random.shuffle(shuffled)
    assert built(shuffled, kernel_args) == built(extensions, kernel_args)


@given(names, arguments)
def test_order_and_repeats_of_kernel_arguments_matter(extensions: list[str], kernel_args: list[str]) -> None:
    reverse = kernel_args[::-1]
    assert (built(extensions, kernel_args).id == built(extensions, reverse).id) == (kernel_args == reverse)
    if kernel_args:
        assert built(extensions, [*kernel_args, kernel_args[0]]) != built(extensions, kernel_args)


@given(names, arguments)
def test_the_canonical_text_reads_back_as_what_was_asked_for(extensions: list[str], kernel_args: list[str]) -> None:
    (document,), _ = read(built(extensions, kernel_args).data, "schematic.yaml", Dialect.GO_V3)
    customization = document.data["customization"]
    assert customization.get("extraKernelArgs", []) == kernel_args
    assert customization.get("systemExtensions", {}).get("officialExtensions", []) == sorted(set(extensions))


@given(arguments, arguments)
def test_different_arguments_have_different_ids(one: list[str], other: list[str]) -> None:
    assert (built([], one).id == built([], other).id) == (one == other)


@given(nasty)
def test_every_settled_text_reads_back_as_itself(text: str) -> None:
    assume(not unsettled(text))
    (document,), _ = read(f"x:\n    k: {spelled(text, 8)}\n".encode(), "schematic.yaml", Dialect.GO_V3)
    assert document.data == {"x": {"k": text}}


@given(st.frozensets(st.integers(0, MOST - 1), min_size=1, max_size=40))
def test_sets_of_cpus_survive_their_text(cpus: frozenset[int]) -> None:
    assert parse_cpus(format_cpus(cpus)) == cpus
