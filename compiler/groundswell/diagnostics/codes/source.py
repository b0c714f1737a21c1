"""Findings about YAML text, before anything asks what it means."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NOT_UTF8 = Code(
    "S101",
    Severity.ERROR,
    "the file is not UTF-8",
    "YAML files are read as UTF-8 on every machine, whatever its locale. Bytes in another encoding would turn "
    "into other characters without a word.",
    "Save the file as UTF-8; a byte order mark is accepted.",
)
CONTROL_CHARACTER = Code(
    "S102",
    Severity.ERROR,
    "a control character stands in the file",
    "YAML allows no control characters except tab and line ends. They are invisible, mostly pasted by accident, "
    "and readers differ in what they make of them.",
    'Delete the character, or write it as an escape in double quotes, such as `"\\e"` or `"\\x07"`.',
)
TOO_LARGE = Code(
    "S103",
    Severity.ERROR,
    "the file is too large",
    "Recipes and values are written by people; a file beyond 16 MiB is one that got there by mistake, and no "
    "Kubernetes object or Helm release could hold it.",
    "Split the file, or keep bulk data out of the catalog.",
)
SYNTAX = Code(
    "S104",
    Severity.ERROR,
    "the file is not YAML",
    "The parser could not go on at this place. What is wrong often stands a little before it: a quote that is not"
    " closed, a tab, an indentation that fits no line above.",
    "Compare the indentation with the lines above, and quote text that contains `: `, ` #` or starts with a "
    "special character.",
)
NO_DOCUMENT = Code(
    "S105",
    Severity.ERROR,
    "the file holds no document",
    "Exactly one document is expected in this file, but there are only comments, blank lines or document markers.",
    "Write the document, or remove the file.",
)
SECOND_DOCUMENT = Code(
    "S106",
    Severity.ERROR,
    "the file holds a second document",
    "Exactly one document is expected in this file. Readers differ in what they do with more: some take the "
    "first, some merge them all, so that settings get lost without a word.",
    "Remove the stray `---`, or move the second document into a file of its own.",
)
DUPLICATE_KEY = Code(
    "S107",
    Severity.ERROR,
    "a key stands twice in one map",
    "Of two equal keys most readers keep the last one and drop the settings under the first, which nobody notices.",
    "Merge the two entries into one, or rename one of them.",
)
KEY_NOT_TEXT = Code(
    "S108",
    Severity.ERROR,
    "a key is not text",
    "Keys in Kubernetes and Helm are text. A bare number, boolean or null as a key is turned into text in ways "
    "that differ between readers, and may then collide with another key.",
    "Put the key in double quotes.",
)
EMPTY_VALUE = Code(
    "S109",
    Severity.ERROR,
    "a value is left empty",
    "An empty value is null to YAML, and null deletes what lower layers said. Mostly it is a line that was "
    "forgotten, or whose children were commented out.",
    'Write `null` to delete, `{}` for an empty map, `[]` for an empty list or `""` for an empty text.',
)
TWO_READINGS = Code(
    "S110",
    Severity.ERROR,
    "a bare word or number has two readings",
    "YAML 1.1, YAML 1.2 and the reader in Helm and kubectl give different values to some bare words and numbers: "
    "`no` may be false or text, `0644` may be 420 or 644. Which one a chart gets would depend on the tool that "
    "reads the file.",
    "Write one of the spellings that the message names: the value that was meant, or the text in double quotes.",
)
LOSSY_FLOAT = Code(
    "S111",
    Severity.WARNING,
    "a number loses part of its text",
    "A bare `1.10` is the number 1.1, and `2.0` reaches a template as 2. Where a version or a tag was meant, "
    "another one is installed.",
    "Put it in double quotes if the text matters; otherwise write the number in its shortest form.",
)
OUT_OF_RANGE = Code(
    "S112",
    Severity.ERROR,
    "a number cannot be held",
    "Infinity, not-a-number and numbers beyond about 1.8e308 have no form in JSON; Helm and the Kubernetes API "
    "refuse them.",
    "Put it in double quotes if it is text; otherwise write a finite number.",
)
UNKNOWN_TAG = Code(
    "S113",
    Severity.ERROR,
    "a tag is not known",
    "Only the tags of the YAML 1.2 core schema are read: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!map`"
    " and `!!seq`. Others mean something to one tool only.",
    "Remove the tag, or write the value in the form that it would have.",
)
TAG_MISMATCH = Code(
    "S114",
    Severity.ERROR,
    "a value does not fit its tag",
    "The tag in front of the value names a type that its text is no form of.",
    "Remove the tag, or write a value of the tag's type.",
)
BAD_ALIAS = Code(
    "S115",
    Severity.ERROR,
    "an alias leads nowhere",
    "An alias (`*name`) stands for a node marked before with the same anchor (`&name`). Without such a node, or "
    "inside of it, it has no value.",
    "Define the anchor earlier in the same document, or write the value out.",
)
TOO_MANY_NODES = Code(
    "S116",
    Severity.ERROR,
    "aliases expand to too much",
    "Aliases of nodes that hold aliases multiply: a few lines can stand for millions of values. Expanded aliases "
    "are limited to 100,000 values per document.",
    "Write the values out, or use fewer aliases.",
)
TOO_DEEP = Code(
    "S117",
    Severity.ERROR,
    "the document is nested too deep",
    "Maps and lists may be nested 100 levels deep, aliases expanded. No Kubernetes object is deeper; tools that "
    "read the output would fail.",
    "Make the document flatter.",
)
BAD_MERGE = Code(
    "S118",
    Severity.ERROR,
    "a merge key has no map",
    "The merge key `<<` takes in the entries of a map, or of each map in a list. Any other value has no entries.",
    'Give it an alias of a map, or put `"<<"` in double quotes if a key of that name is meant.',
)

CODES: tuple[Code, ...] = (
    NOT_UTF8,
    CONTROL_CHARACTER,
    TOO_LARGE,
    SYNTAX,
    NO_DOCUMENT,
    SECOND_DOCUMENT,
    DUPLICATE_KEY,
    KEY_NOT_TEXT,
    EMPTY_VALUE,
    TWO_READINGS,
    LOSSY_FLOAT,
    OUT_OF_RANGE,
    UNKNOWN_TAG,
    TAG_MISMATCH,
    BAD_ALIAS,
    TOO_MANY_NODES,
    TOO_DEEP,
    BAD_MERGE,
)
