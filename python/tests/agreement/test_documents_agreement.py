"""Schema, rules, models and canonical form agree, on random valid documents and on random faulty ones.

Two engines run the plain schema files. The rules and the completed form are here once more, in plain Python from the
tables of the specification, as witnesses. REWARD_RECEIPTS_DEEP=1 takes all 10,000 documents.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import subprocess
import sys
from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from document_space import (
    DOUBLE,
    LINE_ENDS,
    MAX_UPDATE,
    SCORED,
    SHAPES,
    STATES,
    UNCERTAINTIES,
    UNSCORED,
    WRONG_TIMESTAMPS,
    Array,
    Form,
    Kind,
    Map,
    Object,
    Shape,
    own,
)
from pydantic import ValidationError
from random_documents import MAKERS, Document, changed, document, respelt, shape_faults
from random_texts import spell
from referencing import Registry, Resource
from reward_receipts.core.canonical import canonical_json_bytes
from reward_receipts.core.codes import catalogue
from reward_receipts.core.strict_json import read_json
from reward_receipts.documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from reward_receipts.validation.check import check

Figure = Callable[[str], None]

COUNT = 10_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 2_000
MODELS = {"contract": RewardContractV1, "certificate": RewardCertificateV1, "receipt": RewardEvidenceReceiptV1}
FILES = Path(__file__).parents[3].glob("schemas/*.schema.json")
SCHEMAS = {schema["title"]: schema for schema in (json.loads(file.read_text()) for file in FILES)}
UMBRELLA = SCHEMAS["RewardDocument"]

# Section 3 of the specification, in Python: what each rule says of a completed document of the right shape.
RULES: dict[Kind, dict[str, Callable[[dict[str, Any]], bool]]] = {
    "receipt": {
        "receipt.development-only": lambda r: r["development_only"] == (r["oracle_tier"] <= 1),
        "receipt.certified-tier": lambda r: not r["certified"] or r["oracle_tier"] >= 2,
        "receipt.certified-current": lambda r: not r["certified"] or r["certificate_state"] == "current",
        "receipt.absent-has-no-reference": lambda r: r["certificate_state"] != "absent" or reference(r) == {None},
        "receipt.reference-complete": lambda r: r["certificate_state"] == "absent" or None not in reference(r),
        "receipt.unscored-no-scalar": lambda r: r["reward_outcome"] in SCORED or r["scalar_reward"] is None,
        "receipt.unscored-no-components": lambda r: r["reward_outcome"] in SCORED or r["reward_components"] == {},
        "receipt.scored-needs-scalar": lambda r: r["reward_outcome"] in UNSCORED or r["scalar_reward"] is not None,
        "receipt.scored-needs-components": lambda r: r["reward_outcome"] in UNSCORED or r["reward_components"] != {},
        "receipt.verified-positive": lambda r: r["reward_outcome"] != "verified" or scalar(r, 1) > 0,
        "receipt.penalty-not-positive": lambda r: r["reward_outcome"] not in SCORED[1:] or scalar(r, 0) <= 0,
        "receipt.verified-certain": lambda r: r["reward_outcome"] != "verified" or r["uncertainty"] == "none",
        "receipt.reconciliation-uncertain": lambda r: (
            r["reward_outcome"] != "reconciliation_required" or r["uncertainty"] != "none"
        ),
    },
    "contract": {
        "contract.component-names-unique": lambda c: len({k["name"] for k in c["components"]}) == len(c["components"])
    },
    "certificate": {
        "certificate.expiry-fits": lambda c: c["issued_at_policy_update"] + c["expiry_policy_updates"] <= MAX_UPDATE
    },
}
BEYOND_SCHEMA = {"contract.component-names-unique", "certificate.expiry-fits"}


def reference(receipt: dict[str, Any]) -> set[Any]:
    """What the receipt says of its certificate."""
    names = ("certificate_id", "certificate_digest", "calibration_corpus_digest", "calibration_scope")
    return {receipt[name] for name in names}


def scalar(receipt: dict[str, Any], missing: float) -> float:
    """The scalar, or ``missing``: that one is due is another rule."""
    value = receipt["scalar_reward"]
    return missing if value is None else value


def completed(shape: Shape, value: Any) -> Any:
    """Section 5 of the specification: defaults filled in, arrays sorted, integers and doubles as such."""
    if isinstance(shape, Object):
        return {
            key: completed(member, value[key] if key in value else shape.defaults[key])
            for key, member in shape.members.items()
        }
    if isinstance(shape, Map):
        return {key: float(member) for key, member in value.items()}
    if isinstance(shape, Array):
        items = [completed(shape.items, item) for item in value]
        return sorted(items) if isinstance(shape.items, Form) else sorted(items, key=lambda item: item["name"])
    if value is None or type(value) in (str, bool):
        return value
    return float(value) if shape.types == DOUBLE else int(value)


def canonical(plain: Any) -> bytes:
    """The canonical form as the specification puts it for Python."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return [document(number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def held(documents: list[Document]) -> list[tuple[Document, Any]]:
    """The accepted documents and their models."""
    return [(d, MODELS[d.kind].model_validate(d.value)) for d in documents if not check(d.kind, d.value)]


def codes(kind: Kind, value: Any) -> list[str]:
    return [finding.code for finding in check(kind, value)]


def rust_engine(schema: Any) -> Callable[[Any], bool]:
    registry = jsonschema_rs.Registry([(each["$id"], each) for each in SCHEMAS.values()])
    return jsonschema_rs.Draft202012Validator(schema, registry=registry).is_valid


def python_engine(schema: Any) -> Callable[[Any], bool]:
    registry = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in SCHEMAS.values())
    return jsonschema.Draft202012Validator(schema, registry=registry).is_valid


def test_the_documents_cover_the_space(documents: list[Document], figure: Figure) -> None:
    found = [(d, set(codes(d.kind, d.value))) for d in documents]
    accepted = Counter(d.kind for d, broken in found if not broken)
    times = Counter(code for _, broken in found for code in broken)
    kinds = Counter(d.kind for d in documents)
    share = accepted.total() / COUNT
    figure(f"{COUNT} documents, {accepted.total()} accepted ({share:.1%}): {dict(accepted)} of {dict(kinds)}")
    for code, count in sorted(times.items()):
        figure(f"{count:6} documents break {code}")

    assert share >= 0.4
    rules = {rule for rules in RULES.values() for rule in rules}
    assert {rule: times[rule] for rule in rules if times[rule] < 50 * COUNT / 10_000} == {}
    # schema.enum is reported of a schema_version that names no kind; these documents are checked as one.
    # schema.minLength is reported of a reward spec only.
    keywords = {code.id for code in catalogue().values() if code.layer == "schema"} - {
        "schema.enum",
        "schema.minLength",
    }
    assert {code for code in times if code.startswith("schema.")} == keywords

    receipts = [d.value for d, broken in found if d.kind == "receipt" and not broken]
    columns = ("oracle_tier", "certificate_state", "uncertainty")
    pairs = {(r["reward_outcome"], r[column]) for r in receipts for column in columns}
    possible = {(outcome, other) for outcome in SCORED + UNSCORED for other in (*range(4), *STATES)}
    possible |= {(outcome, other) for outcome in SCORED[1:] + UNSCORED for other in UNCERTAINTIES[1:]}
    possible |= {(outcome, "none") for outcome in (*SCORED, "failed_platform")}
    assert pairs == possible


def test_a_document_is_the_same_in_every_run() -> None:
    program = "from random_documents import document; print([document(number) for number in range(200)])"
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[1] / "support",
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "", "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_an_edit_has_the_effect_that_it_claims(documents: list[Document], figure: Figure) -> None:
    claiming = [d for d in documents if d.claims is not None]
    figure(f"{len(claiming)} documents with at most one edit")
    for d in claiming:
        broken = set(codes(d.kind, d.value))
        assert broken >= d.claims if d.claims else not broken, f"{d} breaks {broken}, not {set(d.claims)}"


@pytest.mark.parametrize("kind", ["contract", "certificate", "receipt"])
def test_every_place_can_be_broken_in_every_way(kind: Kind, figure: Figure) -> None:
    rng = Random(f"every place/{kind}")
    valid = largest(kind, rng)
    places = len(list(shape_faults(SHAPES[kind], valid)))
    for index in range(places):
        for _ in range(5):
            value = own(valid)
            fault = list(shape_faults(SHAPES[kind], value))[index]
            fault.apply(rng)
            found = {finding.code for finding in check(kind, value)}
            assert f"schema.{fault.keyword}" in found, f"{fault.keyword} at {fault.place}: {found} {value}"
    figure(f"{places} places of a {kind} broken, each by its keyword")


def largest(kind: Kind, rng: Random) -> dict[str, Any]:
    """A valid document with all members, and few items."""
    for _ in range(10_000):
        value = MAKERS[kind](rng)
        parts = [value, *(part for part in value.values() if type(part) is dict)]
        if len(value) == len(SHAPES[kind].members) and all(parts) and len(json.dumps(value)) < 3_000:
            return value
    raise AssertionError(f"no {kind} with all members")


def timestamp_engines() -> list[Callable[[Any], bool]]:
    (common,) = (schema["$id"] for schema in SCHEMAS.values() if "Timestamp" in schema.get("$defs", ()))
    return [engine({"$ref": f"{common}#/$defs/Timestamp"}) for engine in (rust_engine, python_engine)]


def test_the_days_of_a_timestamp_are_those_of_the_calendar(figure: Figure) -> None:
    rust, python = timestamp_engines()
    years = [*range(1, 10_000)]
    days = [(year, month, day) for year in (1, 4, 1900, 2000, 2023, 2024) for month in range(14) for day in range(33)]
    days += [(year, 2, 29) for year in (0, *years)]
    for year, month, day in days:
        exists = year >= 1 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
        text = f"{year:04}-{month:02}-{day:02}T00:00:00Z"
        assert rust(text) is exists, text
        assert python(text) is exists, text
    figure(f"{len(days)} days, every 29 February of the years 0000 to 9999 among them")


def test_the_clock_of_a_timestamp_ends_at_59() -> None:
    for engine in timestamp_engines():
        for form, most in (("T{:02}:00:00Z", 23), ("T00:{:02}:00Z", 59), ("T00:00:{:02}Z", 59)):
            assert [n for n in range(100) if engine("2026-09-01" + form.format(n))] == [*range(most + 1)]
        for form, most in (("+{:02}:00", 23), ("-{:02}:00", 23), ("+00:{:02}", 59), ("-00:{:02}", 59)):
            assert [n for n in range(100) if engine("2026-09-01T00:00:00" + form.format(n))] == [*range(most + 1)]


@pytest.mark.parametrize("text", WRONG_TIMESTAMPS)
def test_no_engine_takes_a_wrong_timestamp(text: str) -> None:
    for engine in timestamp_engines():
        assert not engine(text)


def test_two_engines_agree_on_the_plain_schemas(documents: list[Document], figure: Figure) -> None:
    plain = {kind: SCHEMAS[model.__name__] for kind, model in MODELS.items()}
    rust = {kind: rust_engine(schema) for kind, schema in plain.items()}
    python = {kind: python_engine(schema) for kind, schema in plain.items()}
    line_ends, verdicts = 0, Counter[bool]()
    for d in documents:
        verdict = rust[d.kind](d.value)
        # Python's `$` matches before a line feed at the end of the text, too; so the schemas do not rely on it.
        assert python[d.kind](d.value) == verdict, d
        verdicts[verdict] += 1
        line_ends += ends_in_a_line_end(d.value)
    figure(f"{COUNT} documents, no difference: both accept {verdicts[True]}, both refuse {verdicts[False]}")
    figure(f"{line_ends} of them hold a text with a line end at its end, which some engines let through")
    assert line_ends > COUNT / 100


def ends_in_a_line_end(value: Any) -> bool:
    """Whether a text in the value, or a member's name, has a line end at its end."""
    if type(value) is dict:
        return any(ends_in_a_line_end(part) for member in value.items() for part in member)
    if type(value) is list:
        return any(ends_in_a_line_end(item) for item in value)
    return type(value) is str and value.endswith(LINE_ENDS)


def test_the_umbrella_accepts_what_the_schema_of_the_named_kind_accepts(documents: list[Document]) -> None:
    umbrella, python_umbrella = rust_engine(UMBRELLA), python_engine(UMBRELLA)
    single = {kind: rust_engine(SCHEMAS[model.__name__]) for kind, model in MODELS.items()}
    for d in documents:
        labelled = type(d.value) is dict and "schema_version" in d.value
        assert umbrella(d.value) == (labelled and single[d.kind](d.value)), d
    for d in documents[: COUNT // 10]:
        assert python_umbrella(d.value) == umbrella(d.value), d


def ways_in(kind: Kind, value: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    model = MODELS[kind]
    yield "model_validate", lambda: model.model_validate(value)
    yield "model_validate_json", lambda: model.model_validate_json(json.dumps(value))
    if type(value) is dict:
        yield "constructor", lambda: model(**value)


def refusals(make: Callable[[], Any]) -> list[str]:
    """The types of the errors with which a model refuses; none where it does not."""
    try:
        make()
    except ValidationError as error:
        return [one["type"] for one in error.errors()]
    return []


def test_the_models_refuse_what_the_schema_does_and_two_rules_more(documents: list[Document], figure: Figure) -> None:
    schema = {kind: rust_engine(SCHEMAS[model.__name__]) for kind, model in MODELS.items()}
    refused_beyond: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for d in documents:
        expected = codes(d.kind, d.value)
        for way, make in ways_in(d.kind, d.value):
            assert refusals(make) == expected, f"{way}: {d}"
            tried[f"{way} {'refuses' if expected else 'accepts'}"] += 1
        if schema[d.kind](d.value):
            refused_beyond.update(set(expected))
        else:
            assert set(expected) - BEYOND_SCHEMA, f"the schema refuses, and the models do not: {d}"
    for what, count in sorted(tried.items()):
        figure(f"{count:6} times {what}")
    figure(f"the schema accepts and the models refuse: {dict(refused_beyond)}")
    assert set(refused_beyond) == BEYOND_SCHEMA


def test_a_changed_copy_is_checked_like_a_new_document(
    documents: list[Document], held: list[tuple[Document, Any]]
) -> None:
    base: dict[Kind, Any] = {}
    for d, model in held:
        base.setdefault(d.kind, model)
    judged: Counter[bool] = Counter()
    for d in documents:
        if type(d.value) is dict:
            merged = {**base[d.kind]._plain(), **d.value}
            expected = codes(d.kind, merged)
            assert refusals(lambda d=d: base[d.kind].model_copy(update=d.value)) == expected, d
            judged[not expected] += 1
    assert judged[True] > COUNT / 10
    assert judged[False] > COUNT / 10


def test_the_rules_say_what_the_specification_says(documents: list[Document], figure: Figure) -> None:
    shape_only = {
        kind: rust_engine({key: part for key, part in SCHEMAS[model.__name__].items() if key != "allOf"})
        for kind, model in MODELS.items()
    }
    judged, broken_once, broken_more = 0, 0, 0
    for d in documents:
        if not shape_only[d.kind](d.value):
            continue
        document = completed(SHAPES[d.kind], d.value)
        broken = [rule for rule, holds in RULES[d.kind].items() if not holds(document)]
        # In the table's order, and every broken one; a rule may be broken at more than one place.
        assert list(dict.fromkeys(codes(d.kind, d.value))) == broken, d
        judged += 1
        broken_once += len(broken) == 1
        broken_more += len(broken) > 1
    figure(f"{judged} documents of the right shape: {broken_once} break one rule, {broken_more} several")
    assert broken_more > 0


def test_the_witness_knows_the_rules_that_the_schemas_have() -> None:
    stated = [code.id for code in catalogue().values() if code.layer == "rules" and not code.id.startswith("spec.")]
    assert stated == [rule for kind in ("receipt", "contract", "certificate") for rule in RULES[kind]]


def test_the_canonical_form_is_the_specification_s(held: list[tuple[Document, Any]], figure: Figure) -> None:
    for d, model in held:
        plain = completed(SHAPES[d.kind], d.value)
        data = canonical(plain)
        assert canonical_json_bytes(model) == data, d
        assert canonical_json_bytes(plain) == data, d
        assert canonical_json_bytes(model._plain()) == data, d
        assert model.digest == "sha256:" + hashlib.sha256(data).hexdigest(), d
        assert canonical(json.loads(model.model_dump_json())) == data, d
        assert read_json(data) == plain, d
        if d.kind != "contract":
            unsigned = {key: part for key, part in plain.items() if key not in ("signature", "signature_algorithm")}
            assert canonical_json_bytes(model.unsigned_payload()) == canonical(unsigned), d
    figure(f"{len(held)} canonical forms equal the witness's")


def test_a_document_keeps_its_digest_in_other_words(held: list[tuple[Document, Any]], figure: Figure) -> None:
    different = 0
    for d, model in held:
        rng = Random(d.number)
        other = respelt(rng, d.kind, d.value)
        different += json.dumps(other) != json.dumps(d.value)
        for again in (
            MODELS[d.kind].model_validate(other),
            MODELS[d.kind].model_validate_json(spell(rng, other)),
            MODELS[d.kind](**other),
            MODELS[d.kind].model_validate(model.model_dump()),
            pickle.loads(pickle.dumps(model)),
            copy.deepcopy(model),
            model.model_copy(),
        ):
            assert again.digest == model.digest, d
            assert again == model, d
            assert hash(again) == hash(model), d
    figure(f"{len(held)} documents read in seven ways each, {different} of them in other words: the digest stays")
    assert different > len(held) / 2


def test_documents_are_equal_exactly_when_their_digests_are(held: list[tuple[Document, Any]], figure: Figure) -> None:
    last: dict[Kind, Any] = {}
    outcomes: Counter[bool] = Counter()
    for d, model in held:
        other = MODELS[d.kind].model_validate(changed(Random(d.number), d.kind, own(d.value)))
        for second in (other, last.get(d.kind, model)):
            same = canonical_json_bytes(model) == canonical_json_bytes(second)
            assert (model == second) is (model.digest == second.digest) is same, d
            assert (len({model, second}) == 1) is same, d
            outcomes[same] += 1
        last[d.kind] = model
    figure(f"{outcomes[True]} pairs equal, {outcomes[False]} different, each with its digests")
    assert outcomes[True] > 0


@pytest.mark.parametrize("outcome", ["refused", "wrong_effect"])
def test_negative_zero_is_another_document(held: list[tuple[Document, Any]], outcome: str) -> None:
    receipt = next(model for d, model in held if d.kind == "receipt" and model.reward_outcome == outcome)
    positive, negative = (receipt.model_copy(update={"scalar_reward": zero}) for zero in (0.0, -0.0))
    assert positive != negative
    assert positive.digest != negative.digest
    # The token -0 is the integer 0, and an integer's double has no sign.
    assert receipt.model_copy(update={"scalar_reward": -0}) == positive
