"""Values that some reader of YAML is known to stumble over, and hypothesis strategies for more of them."""

from __future__ import annotations

import random
import string

from hypothesis import strategies as st

TYPED_BY_SOME_READER = """
y Y yes Yes YES n N no No NO on On ON off Off OFF true True TRUE false False FALSE yEs nULL tRUE ~ null Null NULL =
<< 0 00 07 08 0644 0008 09 0o14 0O14 -0o14 +0o14 0b11 0B11 -0b11 0b_ 0x_ 0x1F 0X1F -0x1F 0xdeadbeef 0_8 0_ 1_ 1_000
-_1 +1 -1 1e3 1E3 1e+3 1e-3 12e5 1234e56 1.0e3 1.e+3 1e3_0 1.5_0 .5 -.5 +.5 .5e3 .5_0 ._5 1. . .. ... 1.10 1.20 1.0
-0.0 1.2.3 v1.10 .inf -.inf +.INF .nan .NaN inf nan infinity Infinity NaN 1e999 0x1p3 0777777777777777777777777777
12345678901234567890123 22:22 1:30.5 190:20:30 -1:30 1_0:2 8080:80 12:30:45 2024-01-01 2024-1-1
2001-12-14t21:59:43.10-05:00 2024-01-01T10:00:00Z 1Gi 10m 500m 5s 1h30m 1d 7d 0x 0b 0o 1.2.3-4 10.0.0.0/8 ::1
fe80::1 1e 1_a e3 0e0 1,000 +12025550123 1/2 50% $5
""".split()  # noqa: SIM905  a table of words reads better than a list of literals

SPECIAL = [
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    *"!&*-?:,[]{}#|>@`\"'%\\=~$^()_+;/.<",
    "- x",
    "-x",
    "--flag=value",
    "--",
    "---",
    "--- x",
    "---x",
    "... x",
    ". x",
    "? x",
    ": x",
    ":x",
    "a: b",
    "a:b",
    "a:",
    "a :",
    "http://x:80/",
    "a #b",
    "a#b",
    "#a",
    "a ",
    " a",
    "a  b",
    "a\tb",
    "\ta",
    "a\t",
    "[a]",
    "{a: b}",
    "{{ .Values.x }}",
    "${VAR}",
    "!foo",
    "&x",
    "*x",
    "%TAG",
    "@x",
    "`x`",
    "'a'",
    '"a"',
    'say "hi"',
    "it's",
    "back\\slash",
    "\\n",
    "2001-12-14 21:59:43.10 -5",
    "null ",
    "true\n",
    "a\nb",
    "a\nb\n",
    "a\n\nb\n",
    "a\n\n",
    "a\n\n\n",
    "\na",
    "\n\na\n",
    "  a\nb\n",
    "a\n  b\n",
    "a \nb\n",
    "a\n \nb\n",
    "a\n \n",
    "a\n\tb\n",
    "a\r\nb\r\n",
    "a\rb",
    "# a\nb\n",
    "---\na\n",
    "a\n---\nb\n",
    "- a\n- b\n",
    "a: b\nc: d\n",
    "|\n",
    "#!/bin/sh\nset -eu\necho ok\n",
    "#!/bin/sh\nset -eu \necho ok\n",
    "déjà vu 日本",
    "\U0001f600",
    "\u0660\u0661",
    "a\x85b",
    "a\u2028b",
    "a\u2029b",
    "\u2028",
    "\ufeff",
    "a\ufeffb",
    "\ufffe",
    "\uffff",
    "a\xa0b",
    "\xad",
    "\u200b",
    "\u202e",
    "\ue000",
    "\x00",
    "\x07",
    "\x1b[0m",
    "\x7f",
    "\x80",
    "\x9f",
    "a\x85\nb\n",
    "a\u2028\nb\n",
    "x" * 3000,
    "word " * 300 + "end",
    "line of text\n" * 50,
    '"' * 600,
]

NASTY = [
    *TYPED_BY_SOME_READER,
    *SPECIAL,
    *(f"{word} " for word in ("no", "1")),
    *(f"{word}\n" for word in ("no", "12", "~")),
]

NUMBERS: list[int | float] = [
    *(0, 1, -1, 7, 420, 999_999, 1_000_000, 8_388_608, 1_000_660_000, 2**31, 2**53, -(2**53)),
    *(
        0.5,
        -0.5,
        1.1,
        1e-7,
        1.5e-7,
        1e16,
        1e20,
        1.5e300,
        5e-324,
        1.7976931348623157e308,
        -0.0,
        0.0,
        1.0,
        1e6,
        0.1 + 0.2,
    ),
]
BEYOND_FLOATS = [2**53 + 1, -(2**53) - 1, 2**63, 2**64, 10**30, 9007199254740993]

_SYNTAX = "-?:,[]{}#&*!|>'\"%@` \n\t~=<.+_/\\"
_NUMERIC = "0123456789abcdefxoXOBEe.:_+-TZ "
_UNICODE = "é日😀\x85\u2028\u2029\ufeff\xa0\x00\x1b\x7f\r"


def random_texts(count: int, seed: int) -> list[str]:
    """Texts of characters that matter to YAML, the same ones for the same seed; a third are short commit hashes."""
    chance = random.Random(seed)  # noqa: S311  a repeatable sequence is what is wanted
    texts = [f"{chance.getrandbits(28):07x}" for _ in range(count // 3)]
    alphabets = [_SYNTAX + "ab1", _NUMERIC, _UNICODE + "ab\n ", string.printable, "01234567e", "ab \n"]
    while len(texts) < count:
        texts.append("".join(chance.choices(chance.choice(alphabets), k=chance.randint(1, 8))))
    return texts


texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from(_SYNTAX + "ab1")),
    st.text(st.sampled_from(_NUMERIC)),
    st.text(st.sampled_from("ab \n#-:"), max_size=30),
)
integers = st.integers() | st.integers(-(2**64), 2**64) | st.sampled_from([*BEYOND_FLOATS, 10**400])
floats = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | integers.filter(lambda number: abs(number) < 10**308) | floats | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=20
)
