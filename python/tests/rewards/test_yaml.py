"""Specs in YAML: which texts are read, as what, which are refused, and what is written."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reward_receipts.core.codes import catalogue
from reward_receipts.core.findings import InvalidDocument, InvalidText
from reward_receipts.rewards import RewardSpec
from reward_receipts.rewards.spec.yaml_reader import read_yaml
from ruamel.yaml import YAML
from spec_space import AWKWARD_NAMES, plain_specs, specs

MIB = 1024 * 1024


def value_of(text: str | bytes) -> Any:
    return read_yaml(text).value


def refusal(text: str | bytes) -> str:
    """Place, pointer, code and sentence of what is wrong with a text."""
    with pytest.raises(InvalidDocument) as caught:
        RewardSpec.from_yaml(text)
    assert all(finding.code in catalogue() or finding.code.startswith("schema.") for finding in caught.value.findings)
    return str(caught.value)


# The core schema

NUMBERS = dict(
    [
        *(("0", 0), ("-0", 0), ("+5", 5), ("010", 10), ("0o17", 15), ("0x1f", 31), ("0x1F", 31), ("0" * 5000 + "1", 1)),
        *(("1.0", 1.0), ("-0.0", -0.0), (".5", 0.5), ("5.", 5.0), ("-.5E+1", -5.0), ("1e-3", 0.001), ("1E3", 1000.0)),
        *(("1e-400", 0.0), ("0." + "1" * 400, 1 / 9), ("9" * 300, int("9" * 300)), ("12e03", 12000.0)),
    ]
)


@pytest.mark.parametrize(("token", "number"), NUMBERS.items(), ids=[token[:10] for token in NUMBERS])
def test_a_number_is_one_by_the_core_schema(token: str, number: float) -> None:
    assert repr(value_of(f"[{token}]")) == repr([number])
    assert value_of(f'["{token}"]') == value_of(f"['{token}']") == [token]


TEXTS = (
    *("no", "No", "yes", "on", "off", "y", "tRUE", "nULL", "1_0", "1:30", "190:20:30", "2026-08-25", "1.0.0", "0b1"),
    *("0o8", "-0x1", "0X1F", "1e", "e3", "1e3.0", ".", "+", "--1", "1 2", ".NaN1", "2026-08-25T10:00:00Z", "="),
    *("１", "١", "1٫5"),
)


@pytest.mark.parametrize("token", TEXTS)
def test_all_else_is_text(token: str) -> None:
    assert value_of(f"name: {token}") == {"name": token}
    assert value_of(f"{token}: 1") == {token: 1}


@pytest.mark.parametrize(
    ("value", "tokens"),
    [(None, ["null", "Null", "NULL", "~", ""]), (True, ["true", "True", "TRUE"]), (False, ["false"])],
)
def test_null_and_booleans_have_the_spellings_of_the_core_schema_alone(value: Any, tokens: list[str]) -> None:
    for token in tokens:
        assert value_of(f"a: {token}")["a"] is value


@pytest.mark.parametrize("text", ["a: |\n  1\n", "a: >-\n  true\n", "a: '~'", 'a: ""', "a: 1\n  2\n"])
def test_quoted_block_and_folded_scalars_are_text(text: str) -> None:
    assert type(value_of(text)["a"]) is str


def test_words_that_old_readers_take_for_booleans_are_names() -> None:
    spec = RewardSpec.from_yaml("name: off\ncomponents:\n  - {type: yes}\n  - type: 2001-01-01\n")
    assert (spec.name, [term.type for term in spec.components]) == ("off", ["yes", "2001-01-01"])


def test_an_exponent_needs_neither_point_nor_sign() -> None:
    spec = RewardSpec.from_yaml("name: small\ncomponents: [{type: upright, weight: 25e-4, clip: [-1e2, 010]}]")
    assert spec.components[0].weight == 0.0025
    assert spec.components[0].clip == (-100.0, 10.0)


def test_json_is_yaml() -> None:
    terms = '[{"type": "a\\/b", "weight": 1e2, "clip": null}]'
    text = f'{{"name": "\\ud83d\\ude00 \\u00e9", "components": {terms}, "gates": []}}'
    assert RewardSpec.from_yaml(text) == RewardSpec.from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_any_json_text_in_ascii_reads_as_itself(value: Any) -> None:
    text = json.dumps(value).replace("\x7f", "\\u007f")
    assert repr(value_of(text)) == repr(json.loads(text))


# Where YAML 1.2 and the parser underneath part ways

AS_1_2_HAS_IT: dict[str, Any] = {
    "{?a: 1}": {"?a": 1},
    "{a: ?b}": {"a": "?b"},
    "[?a]": ["?a"],
    "{? a: 1}": {"a": 1},
    "[? a]": [{"a": None}],
    "{a:}": {"a": None},
    "[a:]": [{"a": None}],
    "{a: :b}": {"a": ":b"},
    "{a::b: c}": {"a::b": "c"},
    "[a:1]": ["a:1"],
    '["a":1]': [{"a": 1}],
    '{"a" :1}': {"a": 1},
    '{? "a":1}': {"a": 1},
    '{"a":b,"c":[d]}': {"a": "b", "c": ["d"]},
    '{"a"\n: 1}': {"a": 1},
    "{a\n b: 1}": {"a b": 1},
    "[ -1]": [-1],
    "[-a]": ["-a"],
    "[a\n- b]": ["a - b"],
    "a:\t1": {"a": 1},
    "a\t: 1": {"a": 1},
    "a: 1\t# b": {"a": 1},
    "a: 1\t": {"a": 1},
    "a: b\tc": {"a": "b\tc"},
    "-\t1": [1],
    "-\t{a: 1}": [{"a": 1}],
    "a: 'b'\t#c": {"a": "b"},
    "\t[1]": [1],
    "a:\n \tb": {"a": "b"},
    "a: 1\n\t# b\nc: 2": {"a": 1, "c": 2},
    "a: 1\n\t\nc: 2": {"a": 1, "c": 2},
    "a: b\n  \tc": {"a": "b c"},
    "a: b\n\n\n  c": {"a": "b\n\nc"},
    "a: b\r\n  c\r\n": {"a": "b c"},
    "a: b#c #d": {"a": "b#c"},
    "a: b\n ---": {"a": "b ---"},
    "a: 1\n...\n...\n": {"a": 1},
    "a: 1\n... # b\n# c\n...": {"a": 1},
    "...\na: 1": {"a": 1},
    "---\na\n...\n\n": "a",
    "[1, #c\n2]": [1, 2],
    "a: [b\n#c\n]": {"a": ["b"]},
    '"a\nb"': "a b",
    "a: 'b\n\n c'": {"a": "b\nc"},
}


@pytest.mark.parametrize("text", AS_1_2_HAS_IT, ids=ascii)
def test_a_text_is_read_as_yaml_1_2_has_it(text: str) -> None:
    assert value_of(text) == AS_1_2_HAS_IT[text]


NO_YAML_1_2 = {
    '"a"#c': "1:4 (document) yaml.syntax Invalid YAML 1.2: found '#' with no white space before it.",
    "a: 'b'#c": "1:7 (document) yaml.syntax Invalid YAML 1.2: found '#' with no white",
    "[1,#c\n2]": "1:4 (document) yaml.syntax Invalid YAML 1.2: found '#' with no white",
    "{a: 1}#c": "1:7 (document) yaml.syntax Invalid YAML 1.2: found '#' with no white",
    "[-]": "1:2 (document) yaml.syntax Invalid YAML 1.2: found character '-'",
    "[-, 1]": "1:2 (document) yaml.syntax Invalid YAML 1.2: found character '-'",
    "{a: -}": "1:5 (document) yaml.syntax Invalid YAML 1.2: found character '-'",
    "{?}": "1:2 (document) yaml.syntax Invalid YAML 1.2: found character '?'",
    'a: "b\nc"': "2:1 /a yaml.syntax Invalid YAML 1.2: found a line of a quoted scalar that is not further in",
    "a:\n  - 'b\n\n  c'": "4:3 /a/0 yaml.syntax Invalid YAML 1.2: found a line of a quoted scalar",
    'a: "b\n"': "2:1 /a yaml.syntax Invalid YAML 1.2: found a line of a quoted scalar",
    "a: |\nb": "2:2 (document) yaml.syntax",
    "a:\n\t- b": "2:1 /a yaml.syntax Invalid YAML 1.2: found character '\\t'",
    "a: 1\n\tb: 2": "2:1 (document) yaml.syntax Invalid YAML 1.2: found character '\\t'",
    "-\t- a": "1:3 /0 yaml.syntax Invalid YAML 1.2: sequence entries are not allowed here",
    "-\ta: 1": "1:4 /1 yaml.syntax Invalid YAML 1.2: mapping values are not allowed here",
    "{a: b: c}": "1:6 (document) yaml.syntax",
}


@pytest.mark.parametrize("text", NO_YAML_1_2, ids=ascii)
def test_anything_that_is_not_yaml_1_2_is_refused(text: str) -> None:
    assert refusal(text).startswith(NO_YAML_1_2[text])


# What is refused. Each is one line after the first two of a good spec, or a text of its own.

HEAD = "name: tilt\ncomponents:\n"
REFUSED = {
    "a key twice": (
        "  - {type: a, weight: 2.0, weight: 2.0}",
        '3:28 /components/0 yaml.duplicate The mapping has the key "weight" twice, first at 3:15.',
    ),
    "a key twice, once quoted": (
        '  - type: a\n    "type": b',
        '4:5 /components/0 yaml.duplicate The mapping has the key "type" twice, first at 3:5.',
    ),
    "a key twice at the top": (
        "  - type: a\nname: b",
        '4:1 (document) yaml.duplicate The mapping has the key "name" twice',
    ),
    "an anchor": ("  - &a {type: a}", '3:5 /components/0 yaml.alias The text has the anchor or alias "&a".'),
    "an alias": ("  - {type: *a}", '3:12 /components/0/type yaml.alias The text has the anchor or alias "*a".'),
    "an anchor on nothing": (
        "  - type: &a",
        '3:11 /components/0/type yaml.alias The text has the anchor or alias "&a".',
    ),
    "an anchor on a key": ("  - &a type: x", '3:5 /components/0 yaml.alias The text has the anchor or alias "&a".'),
    "a merge key": ("  - {<<: {weight: 0.5}, type: a}", "3:6 /components/0 yaml.merge The text has a merge key."),
    "a tag that would run code": (
        "  - !!python/object/apply:os.system [true]",
        '3:5 /components/0 yaml.tag The text has the tag "!!python/object/apply:os.system".',
    ),
    "a tag of the core schema": ("  - type: !!str 1", '3:11 /components/0/type yaml.tag The text has the tag "!!str".'),
    "a bare tag": ("  - type: ! a", '3:11 /components/0/type yaml.tag The text has the tag "!".'),
    "a tag in full": (
        "  - !<tag:yaml.org,2002:map> {}",
        '3:5 /components/0 yaml.tag The text has the tag "!<tag:yaml.org"',
    ),
    "a tag with a handle that nobody declared": (
        "  - !e!x a",
        '3:5 /components/0 yaml.tag The text has the tag "!e!x".',
    ),
    "a second document": ("  - type: a\n---\n", "4:1 (document) yaml.documents The text has several documents"),
    "a second document after an end": (
        "  - type: a\n...\nname: b",
        "5:1 (document) yaml.documents The text has several",
    ),
    "a key that is a number": ("  - {1: a}", "3:6 /components/0 yaml.key The key 1 is not a text."),
    "a key that is a boolean": ("  - true: a", "3:5 /components/0 yaml.key The key true is not a text."),
    "a key that is null": ("  - ~: a", "3:5 /components/0 yaml.key The key ~ is not a text."),
    "no key": ("  - : a", "3:5 /components/0 yaml.key The key (nothing) is not a text."),
    "a key that is a sequence": (
        "  - ? [a]\n    : b",
        "3:7 /components/0 yaml.key The key (a sequence) is not a text.",
    ),
    "a key that is a mapping": ("  - {{a: b}: c}", "3:6 /components/0 yaml.key The key (a mapping) is not a text."),
    "NaN": (
        "  - {type: a, weight: .NaN}",
        "3:23 /components/0/weight yaml.number The number .NaN is not a finite double",
    ),
    "an infinity": ("  - {type: a, clip: [-.inf, 0]}", "3:22 /components/0/clip/0 yaml.number The number -.inf is not"),
    "a double that overflows": (
        "  - {type: a, weight: 1e309}",
        "3:23 /components/0/weight yaml.number The number 1e309",
    ),
    "an integer that overflows": (f"  - {{type: a, weight: {'9' * 400}}}", "3:23 /components/0/weight yaml.number"),
    "a hexadecimal that overflows": (
        f"  - {{type: a, weight: 0x{'f' * 257}}}",
        "3:23 /components/0/weight yaml.number",
    ),
    "an open quote": (
        '  - type: "a',
        "3:13 /components/0/type yaml.syntax Invalid YAML 1.2: found unexpected end",
    ),
    "a tab for indentation": (
        "\t- type: a",
        "3:1 /components yaml.syntax Invalid YAML 1.2: found character '\\t'",
    ),
    "an open bracket": ("  - {type: a", "yaml.syntax Invalid YAML 1.2: expected ',' or '}'"),
    "a mapping in a mapping's line": (
        "  - type: a: b",
        "3:12 /components/0 yaml.syntax Invalid YAML 1.2: mapping",
    ),
    "a colon with nothing after it in braces": ("  - {type:}", "3:6 /components/0/type schema.type type is null"),
    "an escape that does not exist": ('  - type: "\\q"', "yaml.syntax Invalid YAML 1.2: found unknown escape"),
    "an escape beyond Unicode": (
        '  - type: a\n    clip:\n      - "\\U00110000"',
        "5:12 /components/0/clip/0 yaml.syntax Invalid YAML 1.2: found an escape beyond Unicode",
    ),
    "an escape far beyond Unicode": (
        '  - type: "\\UFFFFFFFF"',
        "3:14 /components/0/type yaml.syntax Invalid YAML 1.2: found an escape beyond Unicode",
    ),
    "a key that begins with a question mark": (
        "  - {?type: a}",
        '3:6 /components/0/?type schema.additionalProperties "?type" is ',
    ),
    "another such key beside good ones": (
        "  - {type: a, ?weight: 2.0}",
        "3:15 /components/0/?weight schema.additionalProperties",
    ),
    "half a surrogate pair": (
        '  - type: "\\ud83d"',
        "3:11 /components/0/type json.surrogate The string contains the unpaired",
    ),
    "a control character": (
        '  - type: "\x07"',
        "3:12 (document) yaml.syntax Invalid YAML 1.2: the character U+0007",
    ),
    "NUL": ("  - type: a\0", "3:12 (document) yaml.syntax Invalid YAML 1.2: the character U+0000"),
    "a line end of YAML 1.1": (
        "  - type: a\x85b",
        "3:12 (document) yaml.syntax Invalid YAML 1.2: the character U+0085",
    ),
    "Unicode's line separator": (
        "  # a\u2028  - type: a",
        "3:6 (document) yaml.syntax Invalid YAML 1.2: the character",
    ),
    "a BOM inside": ("  - type: \ufeffa", "3:11 (document) yaml.syntax Invalid YAML 1.2: the character U+FEFF"),
    "a weight that is sexagesimal": (
        "  - {type: a, weight: 1:30}",
        "3:15 /components/0/weight schema.type weight is the",
    ),
    "a weight with an underscore": (
        "  - {type: a, weight: 1_0}",
        "3:15 /components/0/weight schema.type weight is the string",
    ),
    "a weight that is quoted": (
        "  - {type: a, weight: '1'}",
        '3:15 /components/0/weight schema.type weight is the string "1"',
    ),
    "a weight that is true": (
        "  - {type: a, weight: True}",
        "3:15 /components/0/weight schema.type weight is the boolean",
    ),
    "a weight that is null": ("  - {type: a, weight: }", "3:15 /components/0/weight schema.type weight is null"),
    "a misspelt member": (
        "  - type: a\n    wieght: 1",
        '4:5 /components/0/wieght schema.additionalProperties "wieght" is ',
    ),
    "a name that is a number": ("  - type: 1", "3:5 /components/0/type schema.type type is the integer 1"),
    "no components": ("  []", "2:1 /components schema.minItems components has 0 items"),
    "bounds the wrong way round": ("  - {type: a, clip: [2, -2]}", "3:15 /components/0/clip spec.clip-ordered"),
    "a gate on no term": (
        "  - type: a\ngates:\n  - {component: a, requires: b}",
        "5:20 /gates/0/requires spec.gate-names-known",
    ),
    "gates in a circle": (
        "  - type: a\ngates:\n  - component: a\n    requires: a",
        "5:5 /gates/0 spec.gates-acyclic",
    ),
    "a term twice": ("  - type: a\n  - weight: 2.0\n    type: a", "5:5 /components/1/type spec.component-types-unique"),
}


@pytest.mark.parametrize(("rest", "said"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_with_its_place(rest: str, said: str) -> None:
    assert said in refusal(HEAD + rest)


REFUSED_TEXTS = {
    "nothing": ("", "1:1 (document) yaml.documents The text has no documents; expected one."),
    "comments only": ("# a\n\n# b\n", "1:1 (document) yaml.documents The text has no documents; expected one."),
    "an empty document": ("---\n", "(document) schema.type the document is null; it must be an object."),
    "two empty documents": ("---\n---\n", "2:1 (document) yaml.documents The text has several documents"),
    "a sequence": ("- name: a\n", "1:1 (document) schema.type the document is an array; it must be an object."),
    "YAML 1.1 by name": (
        "%YAML 1.1\n---\nname: no\n",
        "1:1 (document) yaml.syntax Invalid YAML 1.2: expected %YAML 1.2, or no such directive, found %YAML 1.1",
    ),
    "YAML 1.1 by name, behind comments": (
        "# %YAML 1.2\n\n%YAML 1.1\n---\nname: no\n",
        "3:1 (document) yaml.syntax Invalid YAML 1.2: expected %YAML 1.2, or no such directive, found %YAML 1.1.",
    ),
    "a YAML to come": (
        "%YAML 1.3\n---\nname: no\n",
        "1:1 (document) yaml.syntax Invalid YAML 1.2: expected %YAML 1.2, or no such directive, found %YAML 1.3",
    ),
    "a YAML without a number": (
        "%YAML\n---\nname: no\n",
        "1:1 (document) yaml.syntax Invalid YAML 1.2: expected %YAML 1.2, or no such directive, found %YAML (no",
    ),
    "a version of 5000 digits": (
        f"%YAML {'1' * 5000}.2\n---\n",
        f"found %YAML {'1' * 40}.",
    ),
    "a declared tag handle behind comments": (
        "# %TAG\n# b\n%TAG !e! tag:example,2000:\n---\nname: a\n",
        '3:1 (document) yaml.tag The text has the tag "!e!".',
    ),
    "text behind the end of the document": ("a: 1\n...\n... b\n", "3:5 (document) yaml.syntax"),
    "nothing but an end": ("# a\n...\n", "1:1 (document) yaml.documents The text has no documents; expected one."),
    "a declared tag handle": ("%TAG !e! tag:example,2000:\n---\nname: a\n", 'yaml.tag The text has the tag "!e!".'),
    "a BOM": ("\ufeffname: a\n", "1:1 (document) json.bom"),
    "bytes that are not UTF-8": (b"name: \xff\n", "1:7 (document) json.utf8"),
    "UTF-16": ("name: a\n".encode("utf-16"), "1:1 (document) json.utf8"),
    "a surrogate": ("name: \ud800\n", "1:7 (document) json.surrogate"),
    "more than 1 MiB": ("#" * (MIB + 1), "1:1 (document) json.size"),
    "more than 64 containers, in flow style": ("[" * 65, "1:65 /0/0/"),
    "more than 64 containers, in block style": ("- " * 65 + "a", "1:129 /0/0/"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED_TEXTS.values(), ids=REFUSED_TEXTS)
def test_a_text_is_refused(text: str | bytes, said: str) -> None:
    assert said in refusal(text)


def test_the_limits_themselves_pass() -> None:
    assert value_of("a: b\n#".ljust(MIB, "#")) == {"a": "b"}
    nested = value_of("[" * 64 + "]" * 64)
    depth = 0
    while nested:
        nested, depth = nested[0], depth + 1
    assert depth == 63


def test_yaml_1_2_by_name_is_read() -> None:
    assert value_of("%YAML 1.2\n---\nname: no\n...\n") == {"name": "no"}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_by_lf_and_columns_by_characters(end: str) -> None:
    assert refusal(end.join(["name: é😀", "components:", "- type: é", "  weight: é"])).startswith(
        "4:3 /components/0/weight "
    )
    assert refusal(end.join(["name: a", "", "b: {'é😀': 1, c: .inf}"])).startswith("3:17 /b/c yaml.number")


def test_several_findings_come_each_with_its_place() -> None:
    said = refusal("name: ''\ncomponents:\n  - {typ: a}\n  - {type: b, weight: x}\n").splitlines()
    assert [line.split(" ")[:3] for line in said] == [
        ["3:5", "/components/0", "schema.required"],
        ["3:6", "/components/0/typ", "schema.additionalProperties"],
        ["4:15", "/components/1/weight", "schema.type"],
        ["1:1", "/name", "schema.minLength"],
    ]


# Hostile texts

LEVELS = "abcdefghij"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in pairwise(LEVELS)
)
HOSTILE = {
    "an alias bomb": BOMB,
    "a sequence in flow style": f"[{'a,' * (MIB // 2)}",
    "empty sequences": f"[{'[],' * (MIB // 3)}",
    "items": "- a\n" * (MIB // 4),
    "keys": "".join(f"k{number}: 1\n" for number in range(80_000)),
    "open brackets": "[" * MIB,
    "open braces": "{" * MIB,
    "open lines": "[\n" * (MIB // 2),
    "question marks": "? " * (MIB // 2),
    "dashes": "- " * (MIB // 2),
    "colons": ":" * MIB,
    "a long word": "a" * MIB,
    "short words": "a " * (MIB // 2),
    "short lines": "a\n" * (MIB // 2),
    "a key that goes on and on": "{[" + "a," * (MIB // 2 - 1),
    "tabs": "a:" + "\t" * (MIB - 3) + "*",
    "colons in a word": "a:" * (MIB // 2),
    "ends": "...\n" * (MIB // 4),
    "a long quote": f'"{"a" * (MIB - 2)}"',
    "quoted lines": '"' + "a " * 100_000 + "\n" + "a\n" * 300_000 + '"',
    "a literal": "|\n" + " a\n" * (MIB // 3 - 1),
    "a long tag": "!" + "a" * (MIB - 1),
    "a long anchor": "&" + "a" * (MIB - 1),
    "a long number": "1" * MIB,
    "a long key that is a number": "? " + "0" * (MIB - 2),
    "a long hexadecimal": "0x" + "f" * (MIB - 2),
    "directives": "%a\n" * (MIB // 3),
    "documents": "---\n" * (MIB // 4),
    "blank lines": "\n" * MIB,
    "comments": "#\n" * (MIB // 2),
    "indentation": "".join(" " * depth + "a:\n" for depth in range(1400)),
    "gates": "name: a\ncomponents: [{type: b}]\ngates:\n" + "- {component: b, requires: b}\n" * 33_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_refused_in_seconds(text: str) -> None:
    started = time.process_time()
    said = refusal(text)
    assert time.process_time() - started < 15  # the slowest takes 3 s on an old machine
    assert max(map(len, said.splitlines())) < 1000


@pytest.mark.slow
def test_a_text_with_more_values_than_any_spec_is_refused_by_what_is_certain() -> None:
    gates = "- {component: b, requires: b}\n" * 9000
    said = refusal(f"gates:\n{gates}name: a\ncomponents: [{{type: b}}]\n")
    assert said.startswith("1:1 /gates schema.maxItems gates has ")
    assert "name" not in said  # it is behind what was read
    clip = f"name: a\ncomponents:\n- type: b\n  clip: [{'1, ' * 30_000}1]\n"
    assert refusal(clip).startswith("4:3 /components/0/clip schema.anyOf")


@pytest.mark.slow
def test_the_largest_spec_is_read_whole() -> None:
    terms = [{"type": f"t{number}", "weight": 1.0, "clip": [0.0, 1.0]} for number in range(64)]
    gates = [{"component": f"t{later}", "requires": f"t{earlier}"} for later in range(64) for earlier in range(later)]
    spec = RewardSpec.from_dict({"name": "large", "components": terms, "gates": (gates * 3)[:4096]})
    again = RewardSpec.from_yaml(spec.to_yaml())
    assert (len(again.gates), again.digest) == (4096, spec.digest)


GOOD = """\
# A spec with most of what YAML has for it
name: "balance é"
components:
  - {type: upright, weight: 1.0, clip: [0.0, 1.0]}
  - type: 'on time'
    weight: -25e-2   # a comment
    clip: null
  - type: |-
      folded
gates:
- component: on time
  requires: upright
"""


def accepted_or_refused(text: str | bytes) -> None:
    try:
        spec = RewardSpec.from_yaml(text)
    except InvalidDocument as error:
        lines = (text if isinstance(text, str) else text.decode("utf-8", "replace")).split("\n")
        for finding in error.findings:
            assert finding.line is not None
            assert finding.column is not None
            assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
        return
    assert RewardSpec.from_yaml(spec.to_yaml()) == spec


@given(st.text("abn01.:-?#&*!|>'\"%@`{}[], \n\t\r~\\<=xe\u2028\ud800é", max_size=40) | st.text(max_size=40))
def test_no_text_gets_past_refusals(text: str) -> None:
    accepted_or_refused(text)


@given(st.binary(max_size=40))
def test_no_bytes_get_past_refusals(data: bytes) -> None:
    accepted_or_refused(data)


@given(st.data())
def test_no_mutant_of_a_good_spec_gets_past_refusals(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        piece = data.draw(
            st.text(":-?#&*!|>'\"%{}[], \n\t~\\<0ae", max_size=3) | st.sampled_from(["\n---\n", "<<: ", "!!str "])
        )
        text = text[:at] + piece + text[at + data.draw(st.integers(0, 3)) :]
    accepted_or_refused(text)


def test_anything_that_the_mutants_start_from_is_good() -> None:
    spec = RewardSpec.from_yaml(GOOD)
    assert [term.type for term in spec.components] == ["upright", "on time", "folded"]
    assert spec.components[1].weight == -0.25


# Writing


def test_a_spec_is_written_in_block_style_in_the_schemas_order() -> None:
    plain = {
        "gates": [{"requires": "upright", "component": "no"}],
        "components": [
            {"clip": [0, 1], "type": "upright", "weight": 1e-7},
            {"clip": None, "type": "no"},
            {"type": "é x"},
        ],
        "name": "1e3",
    }
    assert RewardSpec.from_dict(plain).to_yaml() == (
        "schema_version: reward-receipts.reward-spec/v1\n"
        'name: "1e3"\n'
        "components:\n"
        "  - type: upright\n"
        "    weight: 1.0e-07\n"
        "    clip: [0.0, 1.0]\n"
        '  - type: "no"\n'
        "    clip: null\n"
        '  - type: "é x"\n'
        "gates:\n"
        '  - component: "no"\n'
        "    requires: upright\n"
    )


def test_a_spec_without_gates_says_so() -> None:
    text = RewardSpec.from_dict({"name": "a", "components": [{"type": "b"}]}).to_yaml()
    assert text.endswith("  - type: b\ngates: []\n")


def plain_yaml(text: str, version: str) -> Any:
    """What ruamel's own safe loader makes of a text by a version of YAML."""
    yaml = YAML(typ="safe", pure=True)
    yaml.version = version  # type: ignore[assignment]
    return yaml.load(text)


@given(specs)
@example(RewardSpec.from_dict({"name": "a", "components": [{"type": name} for name in AWKWARD_NAMES[:60]]}))
@example(RewardSpec.from_dict({"name": "a", "components": [{"type": name} for name in AWKWARD_NAMES[60:]]}))
def test_yaml_reads_back_to_the_same_spec_in_readers_of_1_1_and_1_2(spec: RewardSpec) -> None:
    text = spec.to_yaml()
    again = RewardSpec.from_yaml(text)
    assert (again, again.digest) == (spec, spec.digest)
    assert again.to_yaml() == text
    for version in ("1.1", "1.2"):
        assert repr(in_order(plain_yaml(text, version))) == repr(in_order(spec.to_dict()))


@given(plain_specs())
def test_anything_that_was_left_out_stays_left_out_and_null_stays_null(plain: dict[str, Any]) -> None:
    written = value_of(RewardSpec.from_dict(plain).to_yaml())
    for term, given_term in zip(written["components"], plain["components"], strict=True):
        assert term.keys() == given_term.keys()
        assert ("clip" in term and term["clip"] is None) == ("clip" in given_term and given_term["clip"] is None)


def in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def test_only_text_and_bytes_are_read() -> None:
    with pytest.raises(TypeError):
        RewardSpec.from_yaml(3)  # type: ignore[arg-type]


def test_a_refused_text_differs_from_a_refused_spec() -> None:
    with pytest.raises(InvalidText):
        read_yaml("a: [")
    with pytest.raises(InvalidDocument) as caught:
        RewardSpec.from_yaml("name: a")
    assert not isinstance(caught.value, InvalidText)
