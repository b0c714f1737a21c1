"""Schemas of definitions with values, and objects of built-in kinds: API server and validator must agree on them.

Samples say nothing of which ones are refused: `tests/e2e/test_schemas.py` asks the server, and `tests/unit/check` holds
the validator against what it answered.
"""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
NAMED = {"type": "object", "required": ["n"], "properties": {"n": TEXT, "p": {**TEXT, "default": "TCP"}}}
AS_MAP = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "p"], "items": NAMED}
AS_SET = {"type": "array", "x-kubernetes-list-type": "set", "items": TEXT}
OBJECT = {"type": "object", "properties": {"a": TEXT, "b": {**TEXT, "default": "x"}, "c": {**TEXT, "nullable": True}}}
EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
MIXED = {"x-kubernetes-int-or-string": True}

CUSTOM: tuple[tuple[dict[str, Any], tuple[Any, ...]], ...] = (
    (TEXT, ("a", None, 1, "", "é")),
    ({**TEXT, "default": "x"}, (None, "y")),
    ({**TEXT, "nullable": True}, (None,)),
    ({"type": "object", "additionalProperties": TEXT}, ({"k": None}, {"k": 1}, {"k": "v"}, {})),
    ({"type": "array", "items": TEXT}, ([None], ["a", "a"], [1], [])),
    (OBJECT, ({"a": None}, {"c": None}, {"b": None}, {"z": 1}, {"a": "x", "z": 1}, {"a": "x"})),
    ({**OBJECT, "required": ["a"]}, ({}, {"a": None}, {"a": "x"})),
    ({**OBJECT, "required": ["b", "c"]}, ({}, {"c": None}, {"c": "x", "b": None})),
    ({**OBJECT, "not": {"required": ["a"]}}, ({"a": None}, {"a": "x"}, {})),
    ({**OBJECT, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, ({}, {"a": "x"})),
    ({**OBJECT, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, ({}, {"a": "x"})),
    ({**OBJECT, "maxProperties": 1}, ({}, {"a": "x"}, {"a": None}, {"c": None})),
    (
        AS_MAP,
        ([{"n": "a"}] * 2, [{"n": "a"}, {"n": "a", "p": "TCP"}], [{"n": "a"}, {"n": "a", "p": "U"}], [{"p": "x"}]),
    ),
    (AS_SET, (["a", "a"], ["a", "b"], [], ["a", None])),
    ({**AS_SET, "items": MIXED}, ([1, "1"], [1, 1])),
    ({"type": "integer"}, (1, 1.0, 1.5, True, "1", 2**31)),
    ({"type": "integer", "format": "int32"}, (2**31 - 1, 2**31, -(2**31), -(2**31) - 1)),
    ({"type": "integer", "format": "int64"}, (2**63 - 1, -(2**63))),
    ({"type": "number", "format": "float"}, (1e38, 1e300)),
    ({"type": "integer", "multipleOf": 5}, (10, 7, 0, -5)),
    ({"type": "number", "multipleOf": 0.1}, (0.3, 0.35)),
    ({"type": "integer", "minimum": 1, "exclusiveMinimum": True, "maximum": 3}, (1, 2, 3, 4)),
    ({**TEXT, "maxLength": 3, "minLength": 2}, ("ééé", "éééé", "a")),
    ({**TEXT, "enum": ["a", ""]}, ("a", "", "b")),
    ({"type": "number", "enum": [1]}, (1, 1.0, 2)),
    ({"x-kubernetes-preserve-unknown-fields": True, "enum": [1]}, (True, 1)),
    (MIXED, (1, "a", True, 1.5, None)),
    (EMBEDDED, ({}, {"q": 1}, {"apiVersion": "v1", "kind": "Pod", "q": 1}, {"apiVersion": "v1", "kind": ""})),
    (FREE, ({"a": None, "b": {"c": [1, None]}}, [], 1)),
)

FORMATS: dict[str, tuple[str, ...]] = {
    "bsonobjectid": ("507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "x"),
    "byte": ("", "YQ==", "YQ", "!!!", "YWJj\n", "YWJj", "_-=="),
    "cidr": (
        "10.0.0.0/8",
        "10.0.0.1/8",
        "10.0.0.0",
        "10.0.0.0/33",
        "::/0",
        "010.0.0.0/08",
        "10.0.0.0/+8",
        "::1/129",
        "fe80::1%e/64",
    ),
    "date": ("2020-01-01", "2020-1-1", "20200101", "2020-02-30", "2020-02-29", "2021-02-29", "0000-01-01", ""),
    "date-time": (
        "2020-01-01T00:00:00Z",
        "2020-01-01T00:00:00.5+01:00",
        "2020-01-01t10:10:10z",
        "2020-01-01 00:00:00Z",
        "2020-13-01T00:00:00Z",
        "2020-01-01T24:00:00Z",
        "2020-01-01T10:10:60Z",
        "x",
        "",
    ),
    "dateTime": ("x",),
    "duration": ("5m", "1h30m", "0", "-5s", "5 days", "1.5h", "PT5M", "12 dayz", "5µs", ".5s", "1.s", "x", "", "5"),
    "email": ("a@b", "A <a@b.c>", "a", "a@", "@b", ""),
    "hexcolor": ("#fff", "fff", "#ffff", "x"),
    "hostname": (
        "a",
        "a.bc",
        "m-host",
        "my-host",
        "my-host.example.com",
        "é.example",
        "$a",
        "x--y.com",
        "a.b",
        "1.2.3.4",
        "a.b-c",
        "a_b",
        "",
        "-a",
        "a-",
        "a.example.com.",
        "a" * 63,
        "a" * 64,
    ),
    "int32": ("x",),
    "ipv4": ("1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4", "256.1.1.1", "x.y", "::1", "", "1.2.3", "1.2.3.4 "),
    "ipv6": ("::1", "::ffff:1.2.3.4", "1.2.3.4", "fe80::1%eth0", "x", "::g", "::ffff:01.2.3.4", "1::2::3"),
    "mac": ("00:00:5e:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301", "x", "00:00:5e:00:53", "00:00-5e:00:53:01"),
    "password": ("", "x"),
    "quantity": ("x",),
    "rgbcolor": ("rgb(1,2,3)", "rgb( 1 , 2 , 3 )", "rgb(256,1,1)", "x"),
    "ssn": ("111-11-1111", "111111111", "1"),
    "uri": (
        "http://a",
        "/a",
        "a:b",
        "mailto:x",
        "*",
        "//a/b",
        "a",
        "",
        "1http://a",
        "#a",
        "?a",
        "://a",
        "http://a\x7f",
    ),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123E4567e89b12d3a456426614174000", "x"),
    "uuid3": ("123e4567-e89b-32d3-c456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
    "uuid4": ("123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"),
    "uuid5": ("123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
}

PATTERNS = (
    *(r"^[[:alpha:]]+$", r"^[^[:space:]]+$", r"^\d+$", r"^a$", r"a$", r"^\s$", r"^\S+$", r"(?i)^ABC$", r"^(?i:a)b$"),
    *(r"^[\w.-]+$", r"^[a-z&&b]+$", r"^[[a]$", r"^[]a]$", r"^[^]a]$", r"^a{,3}$", r"^a{2,3}$", r"^\Qa.b\E$"),
    *(r"^\x41$", r"^\x{41}$", r"^a\z", r"\Aa", r"(?m)^a$", r"(?s)^a.b$", r"^a.b$", r"^[!--]$", r"^[a\-z]$"),
    *(r"^[a-]$", r"^[-a]$", r"^[\d-x]$", r"(?P<n>a)b", r"(?<n>a)b", r"^\101$", r"^[\s]$", r"^(a|b)*?$", r"\bfoo\b"),
    *(r"^[\n]$", r"^\/a\_$", r"(?U)^a+$", r"^(|a)$", r"^[~||a]+$", r"^\-$", r"^(?:)$", r"^[\[\]]$", r"^\$$", r"^[$]$"),
    *(r"^a|b$", r"^[A-Za-z0-9_\-\.\*]{1,3}$", r"^\{a\}$", r"^a(?:b|c)?$"),
    *(r"^(?i)(abc|a)?$", r"^((?i)ab|c)$", r"^(a(?i)b)C*$", r"a|(?i)b", r"(?i-s:a)b", r"^(?i:a(?-i)b)$"),
)
LINES = (
    *("", "a", "a\n", "abc", "ABC", "aBc", "ab", "aB", "AB", "aaa", "aa", "\u0661", "1", "\v", "\t", " ", "é", "a{,3}"),
    *("[", "]", "&", "A", "-", "a.b", "axb", "a\nb", "foo", "x foo y", "!", "z", "b", "_", "/a_", "\n", "$", "|", "~"),
    *("{a}", ".", "ac"),
)


def deployment(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    pod = {"containers": [{"name": "c", "image": "i", **(container or {})}], **spec}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "x"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    }


def core(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x", **fields.pop("metadata", {})}, **fields}


BUILT_IN: dict[str, dict[str, Any]] = {
    "fine": deployment(),
    "variable twice": deployment({"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}),
    "variable without a name": deployment({"env": [{"value": "1"}]}),
    "port twice": deployment({"ports": [{"containerPort": 80}, {"containerPort": 80}]}),
    "port of two protocols": deployment({"ports": [{"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}]}),
    "port with the default": deployment({"ports": [{"containerPort": 80}, {"containerPort": 80, "protocol": "TCP"}]}),
    "pull secret twice": deployment(imagePullSecrets=[{"name": "v"}, {"name": "v"}]),
    "toleration twice": deployment(tolerations=[{"key": "a", "operator": "Exists"}] * 2),
    "host alias twice": deployment(hostAliases=[{"ip": "1.1.1.1", "hostnames": ["a"]}] * 2),
    "argument twice": deployment({"args": ["a", "a"]}),
    "unknown field": deployment({"envv": []}),
    "text for a number": deployment({"ports": [{"containerPort": "80"}]}),
    "service": core("Service", spec={"ports": [{"port": 80, "name": None}], "selector": None}),
    "misspelt selector": core("Service", spec={"ports": [{"port": 80}], "selectr": {}}),
    "finalizer twice": core("ConfigMap", metadata={"finalizers": ["a.b/c", "a.b/c"]}),
    "null in data": core("ConfigMap", data={"a": None}),
    "number in data": core("ConfigMap", data={"a": 1}),
    "number as a label": core("ConfigMap", metadata={"labels": {"a": 1}}),
    "secret of an account twice": core("ServiceAccount", secrets=[{"name": "x"}, {"name": "x"}]),
    "secret": core("Secret", data={"a": "YQ==", "b": "", "c": "YWJj\nYQ=="}),
    "secret without base64": core("Secret", data={"a": "!"}),
}
