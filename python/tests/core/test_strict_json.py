"""Reading text, the canonical form, and read_document(): sections 4 and 5."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
import reward_receipts as rr
from field import WORKED, plain
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reward_receipts.core.generated.tables import MAX_TEXT_BYTES
from reward_receipts.core.strict_json import MAX_INTEGER, Places, _Scanner

REFUSED: list[tuple[str, bytes, str, int, int]] = [
    # why, the text, the code, line and column
    ("bytes that are not UTF-8", b'{\n "a": "\xff"}', "json.utf8", 2, 8),
    ("an overlong encoding", b'"\xc0\x80"', "json.utf8", 1, 2),
    ("a surrogate in UTF-8", b'"\xed\xa0\x80"', "json.utf8", 1, 2),
    ("UTF-16", '{"a": 1}'.encode("utf-16"), "json.utf8", 1, 1),
    ("a BOM", b"\xef\xbb\xbf{}", "json.bom", 1, 1),
    ("nothing", b"", "json.syntax", 1, 1),
    ("white space only", b" \n\t", "json.syntax", 2, 2),
    ("NaN", b'{"a": NaN}', "json.syntax", 1, 7),
    ("Infinity", b"[-Infinity]", "json.syntax", 1, 2),
    ("a single quote", b"{'a': 1}", "json.syntax", 1, 2),
    ("a comma too many", b"[1,]", "json.syntax", 1, 4),
    ("a comma too many in an object", b'{"a":1,}', "json.syntax", 1, 8),
    ("a colon too few", b'{"a" 1}', "json.syntax", 1, 6),
    ("a leading zero", b"[01]", "json.syntax", 1, 3),
    ("a plus sign", b"+1", "json.syntax", 1, 1),
    ("a bare fraction", b".5", "json.syntax", 1, 1),
    ("a dot without digits", b"[1.]", "json.syntax", 1, 3),
    ("an open string", b'["ab', "json.syntax", 1, 5),
    ("an open object", b'{"a": 1', "json.syntax", 1, 8),
    ("a raw control character", b'"a\nb"', "json.syntax", 1, 3),
    ("an escape that is none", b'"\\x41"', "json.syntax", 1, 2),
    ("hex digits that are none", b'"\\u00g0"', "json.syntax", 1, 2),
    ("white space that is none", "\u00a01".encode(), "json.syntax", 1, 1),
    ("a comment", b"/* */ 1", "json.syntax", 1, 1),
    ("a second value", b"{} {}", "json.trailing", 1, 4),
    ("a NUL after the value", b"1\0", "json.trailing", 1, 2),
    ("a member twice", b'{"a": 1,\n "a": 1}', "json.duplicate", 2, 2),
    ("a member twice, once escaped", b'{"a": 1, "\\u0061": 2}', "json.duplicate", 1, 10),
    ("a member twice, deep down", b'[{"x": {"b": 1, "b": 2}}]', "json.duplicate", 1, 17),
    ("a high surrogate alone", b'"\\ud800"', "json.surrogate", 1, 2),
    ("a low surrogate alone", b'"x\\uDC00"', "json.surrogate", 1, 3),
    ("surrogates the wrong way round", b'"\\udc00\\ud800"', "json.surrogate", 1, 2),
    ("an unpaired surrogate in a name", b'{"\\ud800": 1}', "json.surrogate", 1, 3),
    ("a double that overflows", b"[1e400]", "json.number", 1, 2),
    ("an integer that overflows", b"-" + b"9" * 309, "json.number", 1, 1),
    ("an integer of 5000 digits", b"1" * 5000, "json.number", 1, 1),
    ("65 open containers", b"[" * 65 + b"]" * 65, "json.depth", 1, 65),
    ("100,000 open containers", b"[" * 100_000, "json.depth", 1, 65),
    ("65 open objects", b'{"a":' * 65 + b"1" + b"}" * 65, "json.depth", 1, 321),
    ("more than 1 MiB", b" " * MAX_TEXT_BYTES + b"1", "json.size", 1, 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_anything_that_is_refused_before_any_schema(text: bytes, code: str, line: int, column: int) -> None:
    for data in (text, bytearray(text), memoryview(text)):
        with pytest.raises(rr.InvalidText) as refused:
            rr.read_json(data)
        (finding,) = refused.value.findings
        assert (finding.code, finding.line, finding.column) == (code, line, column)
    if code not in ("json.utf8",):
        with pytest.raises(rr.InvalidText) as refused:
            rr.read_json(text.decode())
        assert refused.value.findings[0].code == code


def test_the_message_names_what_is_expected() -> None:
    with pytest.raises(rr.InvalidText, match="BOM"):
        rr.read_json(b"\xef\xbb\xbf1")
    with pytest.raises(rr.InvalidText, match="unpaired"):
        rr.read_json('"\ud800"')
    with pytest.raises(TypeError, match="bytes or str"):
        rr.read_json(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0", 0),
        ("-0.0", -0.0),
        ("1", 1),
        ("1.0", 1.0),
        ("1e0", 1.0),
        ("9007199254740993", 9007199254740993),
        ("9007199254740993.0", 9007199254740992.0),
        ("5e-324", 5e-324),
        ("1e-400", 0.0),
        ("-1e-400", -0.0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\u0000\\/\\b"', "\0/\b"),
        ("[" * 64 + "]" * 64, None),
        (' \t\r\n{"a": [true, false, null]} \n', {"a": [True, False, None]}),
        ('{"__proto__": 1, "": 2}', {"__proto__": 1, "": 2}),
    ],
)
def test_files_that_are_read(text: str, value: Any) -> None:
    got = rr.read_json(text)
    if value is None:
        return
    assert (type(got), repr(got)) == (type(value), repr(value))


def test_the_largest_integer_that_rounds_to_a_finite_double_is_read_exactly() -> None:
    largest = MAX_INTEGER
    assert float(largest) == 1.7976931348623157e308
    assert rr.read_json(str(largest)) == largest
    with pytest.raises(rr.InvalidText):
        rr.read_json(str(largest + 1))


def test_exactly_1_mib_is_read() -> None:
    assert rr.read_json(b" " * (MAX_TEXT_BYTES - 1) + b"1") == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(derandomize=True, max_examples=300)
@given(json_values, st.sampled_from([None, 1]), st.booleans())
def test_fast_and_plain_reader_and_the_standard_library_agree(value: Any, indent: int | None, ascii_: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    if any(0xD800 <= ord(letter) < 0xE000 for letter in json.loads(json.dumps(text))):
        return
    try:
        fast: Any = rr.read_json(text)
    except rr.InvalidText as error:
        with pytest.raises(rr.InvalidText) as refused:
            _Scanner(text).document()
        assert refused.value.findings == error.findings
        return
    assert repr(fast) == repr(_Scanner(text).document()) == repr(json.loads(text))


def test_places_of_values() -> None:
    places = Places(
        '{\n  "a": [1,\n    {"b~/c": null}],\n "é": 2, "0": [true], "": {"": 3}, "\\u0061b": [[0], {"0": 1}]}'
    )
    assert [places.of(()), places.of(("a",)), places.of(("a", 1)), places.of(("é",))] == [
        (1, 1),
        (2, 3),
        (3, 5),
        (4, 2),
    ]
    assert places.of(("a", 1, "b~/c")) == (3, 6)
    assert places.of_all([("0",), ("0", 0), ("",), ("", "")]) == [(4, 10), (4, 16), (4, 23), (4, 28)]
    assert places.of_all([("ab", 0, 0), ("ab", 1, "0")]) == [(4, 49), (4, 54)]


def test_the_place_of_a_value_that_is_not_there_is_that_of_what_would_hold_it() -> None:
    places = Places('{"0": [true], "": 1}')
    assert places.of(("b",)) == places.of((0,)) == (1, 1)
    assert places.of(("0", "0")) == places.of(("0", 1)) == (1, 2)


def test_places_in_an_array_of_documents() -> None:
    places = Places('[\n{"a": 1},\n\n {"a": [2]}, 3]')
    assert [places.of((index,)) for index in range(4)] == [(2, 1), (4, 2), (4, 14), (1, 1)]
    assert places.of_all([(1, "a"), (1, "a", 0), (1, "b"), (1,)]) == [(4, 3), (4, 9), (4, 2), (4, 2)]
    assert places.of_all([(0, "a"), (1, "a")]) == [(2, 2), (4, 3)]


DOUBLES = [
    ("1", "1"),
    ("1.0", "1.0"),
    ("1e0", "1.0"),
    ("-0", "0"),
    ("-0.0", "-0.0"),
    ("1e16", "1e+16"),
    ("9999999999999998.0", "9999999999999998.0"),
    ("0.0001", "0.0001"),
    ("0.00009999", "9.999e-05"),
    ("1e-5", "1e-05"),
    ("1.5e-7", "1.5e-07"),
    ("1e22", "1e+22"),
    ("1e100", "1e+100"),
    ("5e-324", "5e-324"),
    ("2.2250738585072014e-308", "2.2250738585072014e-308"),
    ("0.30000000000000004", "0.30000000000000004"),
    ("100", "100"),
    ("1E2", "100.0"),
    ("9007199254740993", "9007199254740993"),
]


@pytest.mark.parametrize(("text", "canonical"), DOUBLES)
def test_the_canonical_text_of_numbers(text: str, canonical: str) -> None:
    assert rr.canonical_json_bytes(rr.read_json(text)) == canonical.encode()


@settings(derandomize=True, max_examples=500)
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(-0.0)
@example(struct.unpack("<d", b"\x01" + b"\0" * 7)[0])
def test_a_double_reads_back_from_the_shortest_digits(value: float) -> None:
    text = rr.canonical_json_bytes(value).decode()
    assert struct.pack("<d", float(text)) == struct.pack("<d", value)
    mantissa, _, exponent = text.lstrip("-").partition("e")
    assert bool(exponent) is not (value == 0 or 1e-4 <= abs(value) < 1e16)
    if exponent:
        assert exponent[0] in "+-"
        assert len(exponent) >= 3
    else:
        assert "." in mantissa
    digits = mantissa.replace(".", "").strip("0")
    if len(digits) > 1:  # no shorter text reads back to the same double
        assert float(f"{value:.{len(digits) - 2}e}") != value


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ('"\\\b\f\n\r\t/<>&', '"\\"\\\\\\b\\f\\n\\r\\t/<>&"'),
        ("\x00\x1f\x7f\u00e9\u2028\U0001f600", '"\\u0000\\u001f\\u007f\\u00e9\\u2028\\ud83d\\ude00"'),
        ({"\ufb33": 1, "\U0001f600": 2, "a": 3}, '{"a":3,"\\ufb33":1,"\\ud83d\\ude00":2}'),
        ({"e\u0301": 2, "\u00e9": 1}, '{"e\\u0301":2,"\\u00e9":1}'),
        ({"b": [], "a": {}}, '{"a":{},"b":[]}'),
        ([True, False, None, (1, 2.0)], "[true,false,null,[1,2.0]]"),
    ],
)
def test_the_canonical_text_of_the_rest(value: Any, canonical: str) -> None:
    assert rr.canonical_json_bytes(value) == canonical.encode()


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({1: "a"}, TypeError),
        ({None: "a"}, TypeError),
        ({"a": {True: 1}}, TypeError),
        ({"a": b"x"}, TypeError),
        ({"a"}, TypeError),
        (object(), TypeError),
        (float("nan"), ValueError),
        ([float("inf")], ValueError),
        ("\ud800", ValueError),
        ({"\udfff": 1}, ValueError),
    ],
)
def test_values_without_a_canonical_form(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        rr.canonical_json_bytes(value)


def test_a_value_that_holds_itself_has_no_canonical_form() -> None:
    endless: dict[str, Any] = {}
    endless["again"] = [endless]
    with pytest.raises(ValueError, match="/again/0"):
        rr.canonical_json_bytes(endless)
    shared: list[Any] = []
    assert rr.canonical_json_bytes([shared, shared]) == b"[[],[]]"


def test_a_document_has_the_canonical_form_of_its_completed_members() -> None:
    contract = rr.read_document((WORKED / "contract_as_authored.json").read_bytes())
    completed = plain(WORKED / "contract_canonical.json")
    expected = json.dumps(completed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert rr.canonical_json_bytes(contract) == rr.canonical_json_bytes(completed) == expected.encode()


def test_read_document_finds_the_kind_or_asks_for_it() -> None:
    for name, model in (
        ("contract_as_authored", rr.RewardContractV1),
        ("certificate", rr.RewardCertificateV1),
        ("receipt", rr.RewardEvidenceReceiptV1),
    ):
        assert type(rr.read_document((WORKED / f"{name}.json").read_bytes())) is model
    unlabelled = {key: value for key, value in plain(WORKED / "receipt.json").items() if key != "schema_version"}
    labelled = rr.read_document(json.dumps(plain(WORKED / "receipt.json")))
    assert rr.read_document(json.dumps(unlabelled), "receipt") == labelled


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ('{"a": 1}', None, [("schema.required", "", 1, 1)]),
        (' {"schema_version": "openadapt.reward-contract/v2"}', None, [("schema.enum", "/schema_version", 1, 3)]),
        ('{"schema_version": 1}', None, [("schema.enum", "/schema_version", 1, 2)]),
        ("[1]", None, [("schema.type", "", 1, 1)]),
        ('"x"', "receipt", [("schema.type", "", 1, 1)]),
        ("1e400", "receipt", [("json.number", "", 1, 1)]),
    ],
)
def test_anything_that_read_document_cannot_take_is_named_with_its_place(
    text: str, kind: Any, found: list[Any]
) -> None:
    with pytest.raises(rr.InvalidDocument) as refused:
        rr.read_document(text, kind)
    assert [(f.code, f.pointer, f.line, f.column) for f in refused.value.findings] == found


def test_every_missing_member_is_named() -> None:
    with pytest.raises(rr.InvalidDocument) as refused:
        rr.read_document("{}", "receipt")
    missing = [f.sentence.split()[0] for f in refused.value.findings if f.code == "schema.required"]
    assert set(missing) == {n for n, f in rr.RewardEvidenceReceiptV1.model_fields.items() if f.is_required()}
    assert len(missing) == len(set(missing))


def test_findings_are_at_their_member() -> None:
    receipt = {**plain(WORKED / "receipt.json"), "oracle_tier": 0, "execution_id": "x"}
    text = json.dumps(receipt, indent=2)
    lines = {key: number for number, line in enumerate(text.split("\n"), 1) for key in receipt if f'  "{key}":' in line}
    with pytest.raises(rr.InvalidDocument) as refused:
        rr.read_document(text)
    assert [(f.code, f.pointer, f.line, f.column) for f in refused.value.findings] == [
        ("schema.additionalProperties", "/execution_id", lines["execution_id"], 3),
        ("receipt.development-only", "/development_only", lines["development_only"], 3),
        ("receipt.certified-tier", "/oracle_tier", lines["oracle_tier"], 3),
    ]
    assert "execution_id" in str(refused.value)
