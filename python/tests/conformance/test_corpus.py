"""The conformance corpus: what its sources give, of the form that it says, complete, and right by several computations.

Beside the package stand three witnesses: scripts/corpus/second.py, which computed every value that is
pinned; Python's own json; and openadapt-types 0.24.0, which is run and never read.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import importlib
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import openadapt_types.reward as peer
import pytest
from checkout import ROOT, copy_of_checkout
from pydantic import ValidationError
from referencing import Registry
from reward_receipts.conformance import corpus as package_corpus
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.core.codes import catalogue
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.core.strict_json import read_json
from reward_receipts.validation.schemas import schema_of
from schema_mutants import FILES

sys.path.append(str(ROOT / "scripts"))  # the generator and what it is made of
agreement = importlib.import_module("corpus.agreement")
doubles = importlib.import_module("corpus.doubles")
ed25519 = importlib.import_module("corpus.ed25519")
library = importlib.import_module("corpus.library")
number_families = importlib.import_module("corpus.number_families")
raw_json = importlib.import_module("corpus.raw_json")
second = importlib.import_module("corpus.second")

Figure = Callable[[str], None]
Record = dict[str, Any]

CONFORMANCE = ROOT / "conformance"
SUITE = CONFORMANCE / "json-schema-test-suite" / "tests" / "draft2020-12"
MANIFEST = json.loads((CONFORMANCE / "manifest.json").read_bytes())
RECORDS: list[Record] = [
    json.loads(line)
    for layer in LAYERS
    for line in (CONFORMANCE / "cases" / f"{layer}.jsonl").read_bytes().splitlines()
]
CASES = {record["id"]: record for record in RECORDS}
CLASSES = {"contract": "RewardContractV1", "certificate": "RewardCertificateV1", "receipt": "RewardEvidenceReceiptV1"}


def of(operation: str) -> list[Record]:
    return [record for record in RECORDS if record["operation"] == operation]


def given(record: Record, name: str) -> bytes:
    """The bytes of one of a case's texts."""
    data: bytes = agreement.bytes_of(record["input"][name])
    return data


def text(record: Record, name: str) -> str:
    return given(record, name).decode("utf-8")


# What is committed is what the sources give.


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The generator of a copy of the checkout, from another directory and with another hash seed."""
    command = [sys.executable, str(folder / "scripts" / "corpus"), *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    return subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_anything_that_is_committed_is_what_the_sources_give(tmp_path: Path, figure: Figure) -> None:
    folder = copy_of_checkout(tmp_path / "checkout")
    written = folder / "conformance"
    files = [*sorted((written / "cases").iterdir()), *sorted((written / SUITE.relative_to(CONFORMANCE)).iterdir())]
    committed = {path: path.read_bytes() for path in (*files, written / "manifest.json")}
    changed, gone, orphan = (
        written / "cases" / "rules.jsonl",
        written / "manifest.json",
        written / "cases" / "old.jsonl",
    )
    changed.write_bytes(committed[changed].replace(b'"valid":true', b'"valid":false', 1))
    gone.unlink()
    orphan.write_bytes(b"")

    checked = run(folder, "--check")
    assert checked.returncode == 1
    assert sorted(line.split()[0] for line in checked.stderr.splitlines()) == [
        "conformance/cases/old.jsonl",
        "conformance/cases/rules.jsonl",
        "conformance/manifest.json",
    ]

    wrote = run(folder)
    assert (wrote.returncode, wrote.stdout) == (0, f"2 of {len(committed)} files written, 1 removed\n"), wrote.stderr
    assert {path: path.read_bytes() for path in committed} == committed
    figure(f"{len(committed)} files, byte by byte what conformance/sources gives elsewhere with another hash seed")


def test_an_answer_that_the_package_does_not_give_is_not_written() -> None:
    record = CASES["score/epsilon-exceeds-policy/one-ulp-above"]
    wrong = {**record, "expect": {**record["expect"], "refusals": []}}
    assert agreement.disagreements([record]) == []
    assert [line.split(":")[0] for line in agreement.disagreements([wrong])] == [record["id"]]


def test_every_document_of_the_table_is_signed_and_committed() -> None:
    table = tomllib.loads((CONFORMANCE / "sources" / "bench" / "documents.toml").read_text("utf-8"))
    lines = (CONFORMANCE / "sources" / "signed" / "bench.jsonl").read_text("ascii").splitlines()
    assert sorted(json.loads(line)["name"] for line in lines) == sorted(row["name"] for row in table["document"])


# The form.


def test_every_record_has_the_form_of_the_schema(figure: Figure) -> None:
    schema = json.loads((CONFORMANCE / "schemas" / "case.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert {record["id"]: str(error) for record in RECORDS for error in validator.iter_errors(record)} == {}
    assert not validator.is_valid({**RECORDS[0], "operation": "dance"})
    assert not validator.is_valid({**RECORDS[0], "expect": {}})
    counts = Counter(record["layer"] for record in RECORDS)
    figure(f"{len(RECORDS)} cases: {', '.join(f'{counts[layer]} {layer}' for layer in LAYERS)}")


def test_ids_are_paths_that_start_with_the_layer_and_are_in_order() -> None:
    assert len(CASES) == len(RECORDS)
    for layer in LAYERS:
        ids = [record["id"] for record in RECORDS if record["layer"] == layer]
        assert ids == sorted(ids)
        assert all(re.fullmatch(rf"{layer}(/[a-z0-9._-]+)+", case_id) for case_id in ids)


def test_the_hashes_are_those_of_the_texts() -> None:
    for record in RECORDS:
        texts = {name: given(record, name) for name, form in record["input"].items() if form is not None}
        hashes = {name: "sha256:" + hashlib.sha256(data).hexdigest() for name, data in texts.items()}
        assert hashes == record["sha256"], record["id"]


def test_the_manifest_counts_and_hashes_what_is_there() -> None:
    for entry in (*MANIFEST["files"], *MANIFEST["export"]):
        data = (CONFORMANCE / entry["path"]).read_bytes()
        assert entry["sha256"] == "sha256:" + hashlib.sha256(data).hexdigest()
        assert entry.get("cases") in (None, data.count(b"\n"))
    for layer, counts in MANIFEST["counts"].items():
        records = [record for record in RECORDS if record["layer"] == layer]
        assert counts["cases"] == len(records) == counts["accept"] + counts["refuse"] + counts["answer"]
        verdicts = [record["expect"].get("valid", record["expect"].get("verdict") == "valid") for record in records]
        if counts["answer"] == 0:
            assert (counts["accept"], counts["refuse"]) == (verdicts.count(True), verdicts.count(False))
        assert counts["recommended"] == sum(record["level"] == "recommended" for record in records)


def test_the_runner_reads_it() -> None:
    loaded = package_corpus.load(str(CONFORMANCE))
    assert loaded.version == MANIFEST["corpus"]
    assert [case.id for case in loaded.cases] == [
        record["id"] for layer in sorted(LAYERS) for record in by_layer(layer)
    ]


def by_layer(layer: str) -> list[Record]:
    return [record for record in RECORDS if record["layer"] == layer]


def test_anything_that_says_certified_says_synthetic_beside_it() -> None:
    for record in RECORDS:
        for said in (record["sentence"], record.get("edit", "")):
            assert re.findall("certif(?:ied|ying)(?! .synthetic.)", said) == [], record["id"]


def test_no_file_is_large() -> None:
    sizes = {path.name: path.stat().st_size for path in (CONFORMANCE / "cases").iterdir()}
    assert max(sizes.values()) < 4 * 1024 * 1024, sizes
    assert max(len(given(record, name)) for record in of("read") for name in record["input"]) == 1024 * 1024 + 1


# What is covered.


def answered(record: Record) -> list[str]:
    """All codes in the expected answer of a case."""
    members = ("codes", "refusals", "unmet", "findings", "unchecked")
    codes = [code for member in members for code in record["expect"].get(member, [])]
    return codes + [step["refused"] for step in record["expect"].get("steps", ()) if "refused" in step]


def test_every_code_has_an_accepting_and_two_refusing_cases(figure: Figure) -> None:
    sides = Counter((r["about"], r["about"] in answered(r)) for r in RECORDS if "about" in r)
    short = {code for code in catalogue() if sides[code, False] < 1 or sides[code, True] < 2}
    assert short == set(MANIFEST["not_covered"])
    covered = [code for code in catalogue() if code not in short]
    assert MANIFEST["codes"] == {
        code: {"accept": sides[code, False], "refuse": sides[code, True]}
        for code in sorted({code for code, _ in sides})
    }
    figure(f"{len(covered)} rules and codes, each with at least one accepting and two refusing cases")
    for code, sentence in MANIFEST["not_covered"].items():
        figure(f"not {code}: {sentence}")


def test_a_refusing_case_names_first_what_it_is_about() -> None:
    refused = [record for record in (*of("read"), *of("validate")) if not record["expect"]["valid"]]
    assert [record["id"] for record in refused if record["about"] != record["expect"]["codes"][0]] == []
    for record in refused:
        layers = {"json": ["text"], "schema": ["text", "schema"], "rules": ["text", "schema", "rules"]}
        assert catalogue()[record["about"]].layer in layers[record["layer"]], record["id"]


def test_every_layer_has_both_sides_and_every_operation_has_cases() -> None:
    assert {record["operation"] for record in RECORDS} == {
        *(
            "read",
            "validate",
            "canonical",
            "digest",
            "verify",
            "score",
            "state",
            "unmet",
            "refusals",
            "audit",
            "compose",
        )
    }
    answers = {operation: {json.dumps(r["expect"], sort_keys=True) for r in of(operation)} for operation in ("state",)}
    assert len(answers["state"]) == 5
    assert {record["expect"]["verdict"] for record in of("verify")} == {"valid", "invalid", "signer-unknown", "error"}
    verdicts = {record["expect"].get("verdict", record["expect"].get("error")) for record in of("audit")}
    assert verdicts == {"holds", "fails", "undecided", "value"}
    assert {record["expect"].get("certified") for record in of("score")} == {True, False, None}


SIZES = ("minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength")
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", *SIZES)


def moved_bounds() -> Iterator[tuple[str, str, Any, Any, Any]]:
    """Each bound of the schemas, moved by one unit or one ulp: file, place, old, new, the schema with the new one."""
    for file in FILES:
        for path in _places(schema_of(file), BOUNDS):
            if path[:2] == ("$defs", "RegimeLabel"):  # no document of the corpus has one
                continue
            bound = _at(schema_of(file), path)
            if path[-1] in SIZES or _at(schema_of(file), path[:-1]).get("type") == "integer":
                moved = [bound - 1, bound + 1]
            else:
                moved = [math.nextafter(bound, way) for way in (-math.inf, math.inf)]
            for new in moved:
                if path[-1] not in SIZES or new >= 0:
                    schema = copy.deepcopy(schema_of(file))
                    _at(schema, path[:-1])[path[-1]] = new
                    yield file, "/".join(map(str, path)), bound, new, schema


def _places(value: Any, names: tuple[str, ...], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key in names and not isinstance(member, dict):
                yield (*path, key)
            yield from _places(member, names, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, names, (*path, index))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


BEYOND_SCHEMA = {
    "contract.component-names-unique",
    "certificate.expiry-fits",
    *(code for code in catalogue() if code.startswith("spec.")),
}
"""The rules that JSON Schema cannot say."""


def of_schema() -> list[tuple[str, Any, bool]]:
    """The documents that the schemas alone decide: kind or document, value, verdict."""
    documents = [
        (record["kind"] or "document", read_json(given(record, "document")), record["expect"]["valid"])
        for record in of("validate")
        if not is_text(record) and (record["expect"]["valid"] or not set(answered(record)) <= BEYOND_SCHEMA)
    ]
    for record in of("compose"):
        codes = set(record["expect"].get("codes", ()))
        if not is_text(record) and not (codes and codes <= BEYOND_SCHEMA):
            documents.append(("spec", read_json(given(record, "spec")), codes <= {"compose.component-unknown"}))
    return documents


def is_text(record: Record) -> bool:
    """Whether a case is about what is refused before any schema."""
    return any(catalogue()[code].layer == "text" for code in answered(record))


def test_every_bound_is_held_from_both_sides(figure: Figure) -> None:
    documents = of_schema()
    moved, longer = 0, 0
    for file, place, old, new, schema in moved_bounds():
        moved += 1
        schemas = {name: schema if name == file else schema_of(name) for name in SCHEMA_FILES}
        registry = jsonschema_rs.Registry([(each["$id"], each) for each in schemas.values()])
        validators = {
            kind: jsonschema_rs.Draft202012Validator(schemas[kind], registry=registry)
            for kind in (*CLASSES, "document", "spec")
        }
        if all(validators[kind].is_valid(value) is valid for kind, value, valid in documents):
            # The pattern beside it bounds the length too: what is longer is refused all the same.
            assert place.endswith("/maxLength"), f"{file} {place}: no case notices {new} for {old}"
            assert new > old, f"{file} {place}: no case notices {new} for {old}"
            longer += 1
    figure(f"{moved} bounds moved by one unit or one ulp, {moved - longer} noticed")
    figure(f"{longer} longer maxLengths change nothing: the pattern beside each bounds the length too")


# What is right.


def test_the_package_answers_every_case_as_expected(figure: Figure) -> None:
    assert agreement.disagreements(RECORDS) == []
    figure(f"{len(RECORDS)} cases, all codes in order, answered by the package as the corpus says")


def test_the_base_of_an_edited_case_is_a_document_that_holds() -> None:
    documents = library.Library()
    kinds = Counter(record["base"].split("/")[0] for record in of("validate") if "base" in record)
    for name in {record["base"] for record in RECORDS if "base" in record}:
        data = base64.b64encode(documents[name].text.encode("utf-8")).decode("ascii")
        request = {"id": name, "operation": "validate", "kind": name.split("/")[0], "input": {"document": data}}
        assert agreement.answer(request)["answer"] == {"valid": True}
    assert set(kinds) == set(CLASSES)


def test_canonical_texts_are_those_of_pythons_json(figure: Figure) -> None:
    for record in of("canonical"):
        value = json.loads(given(record, "text"))
        written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        assert base64.b64decode(record["expect"]["canonical"]) == written.encode("ascii"), record["id"]
    figure(f"{len(of('canonical'))} canonical texts, the same from the package, a second computation and Python's json")


def test_a_thousand_doubles_are_pinned(figure: Figure) -> None:
    numbers: dict[str, list[float]] = {}
    for record in of("canonical"):
        if record["id"].startswith("digest/doubles/"):
            family = record["id"].split("/")[2].rstrip("0123456789").rstrip("-")
            numbers.setdefault(family, []).extend(map(float, json.loads(given(record, "text"))))
    distinct = {number for each in numbers.values() for number in each}
    assert len(distinct) >= 1000
    assert all(len(each) >= 20 for each in numbers.values())
    assert sum(0 < abs(x) < 2.2250738585072014e-308 for x in distinct) >= 40
    assert {2.0**power for power in range(-69, 70)} <= {abs(x) for x in distinct}
    assert {float(f"1e{power}") for power in range(-323, 309)} <= {abs(x) for x in distinct}
    beside = [math.nextafter(edge, way) for edge in (1e-4, 1e16) for way in (-math.inf, math.inf)]
    assert set(beside) <= {abs(x) for x in distinct}
    figure(f"{len(distinct)} doubles: {', '.join(f'{len(each)} {family}' for family, each in numbers.items())}")


def test_the_second_computation_of_a_double_is_exact() -> None:
    for token, digits in (("5e-324", "5e-324"), ("1e23", "1e+23"), ("-0.0", "-0.0"), ("123456.789e-3", "123.456789")):
        assert doubles.canonical_text(doubles.nearest(token)) == digits
    halfway = "9007199254740993.0"
    assert doubles.nearest(halfway).value == 9007199254740992 != doubles.nearest("9007199254740993.0000001").value
    with pytest.raises(OverflowError):
        doubles.nearest("1.7976931348623159e308")
    assert doubles.is_tie(doubles.nearest("1125899906842624.25"))
    ties = next(tokens for name, _, tokens in number_families.families() if name == "ties")
    assert all(doubles.is_tie(doubles.nearest(token)) for token in ties)
    assert doubles.canonical_text(doubles.nearest("1125899906842624.75")) == "1125899906842624.8"


def integers_spelled_as_doubles(kind: str, document: Any) -> bool:
    """What the peer refuses and section 4 lets in: a whole double in an integer field (of oracle_tier it does not)."""
    members = second.MEMBERS[kind]
    for name, value in document.items():
        kinds = {"certificate_policy": second.POLICY}.get(name)
        if kinds is not None:
            return not value["expiry_policy_updates"].exact
        if members[name] == "integer" and name != "oracle_tier" and not value.exact:
            return True
    return False


def test_digests_are_those_of_the_peer(figure: Figure) -> None:
    counts: Counter[str] = Counter()
    for record in of("digest"):
        document = raw_json.parse(text(record, "document"))
        canonical = base64.b64decode(record["expect"]["canonical"])
        assert record["expect"]["digest"] == "sha256:" + hashlib.sha256(canonical).hexdigest()
        try:
            found = getattr(peer, CLASSES[record["kind"]]).model_validate_json(text(record, "document")).digest
        except ValidationError:
            assert integers_spelled_as_doubles(record["kind"], document), record["id"]
            counts["refused there: a whole double in an integer field"] += 1
            continue
        assert found == record["expect"]["digest"], record["id"]
        counts["the same there"] += 1
    figure(f"{len(of('digest'))} digests of documents, by openadapt-types: {dict(counts)}")
    assert counts["the same there"] > 100


def test_the_published_digests_are_pinned() -> None:
    published = json.loads((CONFORMANCE / "vectors" / "worked" / "EXPECTED.json").read_bytes())
    for name, digest in (
        ("contract-as-authored", published["contract_digest"]),
        ("contract-completed", published["contract_digest"]),
        ("contract-components-reversed", published["contract_digest"]),
        ("certificate", published["certificate_digest"]),
        ("receipt", published["receipt_digest"]),
    ):
        assert CASES[f"digest/document/whole/worked-{name}"]["expect"]["digest"] == digest


def test_anything_that_is_left_out_null_or_given_has_one_digest() -> None:
    for same in (
        (
            "contract-bare",
            "contract-bare-with-schema-version",
            "contract-bare-with-empty-scoring",
            "contract-bare-with-every-default",
        ),
        ("certificate-left-out", "certificate-given"),
        ("receipt-left-out", "receipt-given"),
        ("unscored-receipt-null", "unscored-receipt-left-out", "unscored-receipt-scalar-left-out"),
    ):
        assert len({CASES[f"digest/document/completed/{name}"]["expect"]["digest"] for name in same}) == 1


def of_peer(record: Record, name: str) -> Any:
    """A document of a case as a model of the peer; None where it is not given, or refused there."""
    if record["input"].get(name) is None:
        return None
    return getattr(peer, CLASSES[name]).model_validate_json(text(record, name))


def test_scores_are_those_of_the_peer(figure: Figure) -> None:
    counts: Counter[str] = Counter()
    for record in of("score"):
        if "error" in record["expect"]:
            continue
        asked = record["arguments"]
        try:
            contract, certificate = of_peer(record, "contract"), of_peer(record, "certificate")
        except ValidationError:
            counts["refused there: a whole double in an integer field"] += 1
            assert re.search(r'_updates?":[0-9.]*[.e]', text(record, "contract") + text(record, "certificate"))
            continue
        score = peer.score(asked["outcome"], asked["tier"], certificate, asked["policy_update"], contract=contract)
        expected = record["expect"]["scalar"]
        assert (None if score.scalar is None else json.dumps(score.scalar)) == expected, record["id"]
        if asked["tier"] > second.TIERS[contract.oracle.channel.value]:
            counts["the same scalar; a tier above the channel counts there"] += 1
            continue
        assert score.certified == record["expect"]["certified"], record["id"]
        assert score.development_only == record["expect"]["development_only"], record["id"]
        assert len(score.certification_refusals) == len(record["expect"]["refusals"]), record["id"]
        counts["the same there"] += 1
    figure(f"scores, by openadapt-types: {dict(counts)}")
    assert counts["the same there"] > 100


def test_states_and_shortfalls_are_those_of_the_peer(figure: Figure) -> None:
    states, shortfalls = 0, 0
    for record in of("state"):
        if "error" in record["expect"]:
            continue
        try:
            certificate = of_peer(record, "certificate")
        except ValidationError:
            continue  # a whole double in an integer field
        found = peer.certificate_state(certificate, record["arguments"]["policy_update"])
        assert found.value == record["expect"]["state"], record["id"]
        states += 1
    for record in of("unmet"):
        unmet = of_peer(record, "certificate").unmet(of_peer(record, "contract").certificate_policy)
        assert len(unmet) == len(record["expect"]["unmet"]), record["id"]
        shortfalls += 1
    assert states > 20
    figure(f"{states} states and {shortfalls} lists of shortfalls, by openadapt-types: the same there")


# Composed rewards: what can be seen of the answers without an engine.


def composed() -> Iterator[tuple[Record, Any, list[tuple[Any, Any]]]]:
    """The cases whose spec runs: each with its spec, and its steps with their answers."""
    for record in of("compose"):
        if "steps" in record["expect"]:
            steps = [step for step in record["arguments"]["steps"] if "reset" not in step]
            yield record, json.loads(text(record, "spec")), list(zip(steps, record["expect"]["steps"], strict=True))


def test_totals_are_the_sums_of_the_contributions_in_the_order_of_the_spec(figure: Figure) -> None:
    counts: Counter[str] = Counter()
    for record, spec, steps in composed():
        for _, answer in steps:
            counts[answer.get("refused", "steps with a reward")] += 1
            if "refused" in answer:
                continue
            total = 0.0
            for term in spec["components"]:
                total += answer["contributions"].get(term.get("name", term["type"]), 0.0)
            assert total == answer["total"], record["id"]
            assert answer["contributions"].keys() <= {term.get("name", term["type"]) for term in spec["components"]}
            doubles = [answer["total"], *answer["contributions"].values()]
            assert all(type(each) is float and math.isfinite(each) for each in doubles), record["id"]
            assert all(math.copysign(1.0, each) == 1.0 for each in doubles if each == 0.0), record["id"]
    figure(f"{counts.total()} steps: {', '.join(f'{count} {name}' for name, count in counts.most_common())}")


def test_a_refused_step_names_a_term_that_is_due() -> None:
    for record, spec, steps in composed():
        own = record["arguments"]["components"]
        cadences = {term.get("name", term["type"]): own[term["type"]]["cadence"] for term in spec["components"]}
        for step, answer in steps:
            if "refused" in answer and answer["refused"] != "compose.episode-over":
                assert answer["component"] in {term.get("name", term["type"]) for term in spec["components"]}
                assert cadences[answer["component"]] == "step" or step["terminated"] or step["truncated"]


def test_no_step_is_above_its_ceiling() -> None:
    reached = 0
    for record, _, steps in composed():
        ceiling = record["expect"]["ceiling"]
        for step, answer in steps:
            ends = step["terminated"] or step["truncated"]
            if "total" in answer and ceiling["per_step"] is not None and not (ends and ceiling["at_end"] is None):
                most = ceiling["per_step"] + (ceiling["at_end"] if ends else 0.0)
                assert answer["total"] <= most, record["id"]
                reached += answer["total"] == most
    assert reached > 10


def test_digests_of_specs_are_equal_where_the_specs_are() -> None:
    names = {record["id"]: record["expect"] for record in RECORDS if record["id"].startswith("compose/digest/")}

    def digests(*cases: str, member: str = "digest") -> set[str]:
        return {names[f"compose/digest/{case}"][member] for case in cases}

    same = (
        ("numbers-as-integers", "members-in-another-order", "white-space-and-escapes", "defaults-given"),
        ("weight-minus-zero-as-an-integer", "weight-zero"),
        ("a-gate", "a-gate-with-members-in-another-order"),
    )
    assert digests("as-it-stands", *same[0]) == digests("as-it-stands")
    for group in same[1:]:
        assert len(digests(*group)) == 1
    others = [name.rpartition("/")[2] for name in names]
    others = [name for name in others if name not in {*same[0], *(each for group in same[1:] for each in group[1:])}]
    assert len(digests(*others)) == len(others)
    # What the components' own weight and clip make equal has the same resolved digest.
    run_alike = ("as-it-stands", "weight-and-clip-left-out", "clip-null-for-left-out")
    assert len(digests(*run_alike, member="resolved_digest")) == 1
    assert len(digests("as-it-stands", "clip-null-for-a-clip", member="resolved_digest")) == 2


def with_doubles(value: Any) -> Any:
    """JSON whose numbers are doubles."""
    if isinstance(value, dict):
        return {name: with_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [with_doubles(item) for item in value]
    return float(value) if type(value) is int else value


def test_resolved_digests_are_those_of_the_spec_with_everything_filled_in() -> None:
    for record, spec, _ in composed():
        own = record["arguments"]["components"]
        terms = []
        for term in spec["components"]:
            clip = term.get("clip", own[term["type"]]["clip"])
            weight = float(term.get("weight", own[term["type"]]["default_weight"]))
            bounds = None if clip is None else [None if bound is None else float(bound) for bound in clip]
            resolved_term = {"type": term["type"], "weight": weight, "clip": bounds}
            if term.get("name", term["type"]) != term["type"]:
                resolved_term["name"] = term["name"]
            if declared := own[term["type"]].get("params"):
                defaults = {name: param["default"] for name, param in declared.items() if "default" in param}
                resolved_term["params"] = with_doubles({**defaults, **term.get("params", {})})
            terms.append(resolved_term)
        version = "reward-receipts.reward-spec/v1"
        resolved = {"gates": [], "schema_version": version, **spec, "components": terms}
        written = json.dumps(resolved, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")
        assert "sha256:" + hashlib.sha256(written).hexdigest() == record["expect"]["resolved_digest"], record["id"]


# Signatures that must not verify, each for the one reason that its case names.


def lenient(public: bytes, message: bytes, signature: bytes, *, cofactor: int) -> bool:
    """Whether the equation holds, with every check of section 6 left out."""
    key, start = ed25519.decoded(public), ed25519.decoded(signature[:32])
    assert key is not None
    assert start is not None
    scalar = int.from_bytes(signature[32:], "little") % ed25519.L
    hashed = ed25519.times(ed25519.challenge(signature[:32], public, message), key)
    left = ed25519.add(ed25519.times(scalar, ed25519.BASE), ed25519.negative(hashed))
    difference = ed25519.add(left, ed25519.negative(start))
    return bool(ed25519.times(cofactor, difference) == ed25519.IDENTITY)


def signed(record: Record) -> tuple[bytes, bytes, bytes]:
    """Key, message and signature of a case of verify."""
    document = raw_json.parse(text(record, "document"))
    key = json.loads(given(record, "keyring"))[document["issuer_key_id"]]
    message = second.signed_bytes(record["kind"], document)
    return base64.b64decode(key), message, base64.b64decode(document["signature"])


def test_only_the_named_check_refuses_an_edge_vector(figure: Figure) -> None:
    counts: Counter[str] = Counter()
    for record in of("verify"):
        _, group, name = record["id"].split("/")
        if group in ("small-order", "non-canonical", "s-not-reduced"):
            assert lenient(*signed(record), cofactor=1), record["id"]
        elif group == "cofactor" and record["expect"]["verdict"] == "invalid":
            assert lenient(*signed(record), cofactor=8), record["id"]
            assert not lenient(*signed(record), cofactor=1), record["id"]
        elif group in ("altered", "wrong-signature") and name not in ("r-not-on-curve", "zeros"):
            assert not lenient(*signed(record), cofactor=8), record["id"]
        else:
            continue
        counts[group] += 1
    assert all(record["expect"]["verdict"] == "invalid" for record in of("verify") if "/small-order/" in record["id"])
    figure(f"edge vectors that a verifier without the check would accept, or refuse: {dict(counts)}")


def test_the_eight_points_and_six_encodings_are_all_there() -> None:
    for side, group, place in (
        ("a", "small-order", 0),
        ("r", "small-order", 1),
        ("a", "non-canonical", 0),
        ("r", "non-canonical", 1),
    ):
        found = set()
        for record in of("verify"):
            if record["id"].startswith(f"signature/{group}/{side}-"):
                key, _, signature = signed(record)
                encoding = (key, signature[:32])[place]
                point = ed25519.decoded(encoding)
                assert ed25519.times(8, point) == ed25519.IDENTITY
                assert (ed25519.encoded(point) == encoding) is (group == "small-order")
                found.add(encoding)
        assert len(found) == {"small-order": 8, "non-canonical": 6}[group]


def test_no_private_key_is_in_the_sources() -> None:
    names = set()
    for path in (CONFORMANCE / "sources").rglob("*"):
        if path.suffix in (".json", ".jsonl"):
            for line in [path.read_text("utf-8")] if path.suffix == ".json" else path.read_text("utf-8").splitlines():
                names |= set(json.loads(line))
    assert not [name for name in names if re.search("seed|private|secret", name)]
    keys = json.loads((CONFORMANCE / "sources" / "signed" / "keys.json").read_bytes())
    assert all(ed25519.decoded(base64.b64decode(key)) is not None for key in keys.values())


# The export for validators of JSON Schema.


def exported() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Each test of the export: the file, the schema, the test."""
    for path in sorted(SUITE.iterdir()):
        for case in json.loads(path.read_bytes()):
            assert set(case) == {"description", "schema", "tests"}
            for test in case["tests"]:
                assert set(test) == {"description", "data", "valid"}
                yield path.stem, case["schema"], test


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "$ref":
                yield member
            yield from references(member)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


@pytest.mark.parametrize("engine", ["jsonschema", "jsonschema-rs"])
def test_the_export_gives_its_verdicts_in_validators_that_nobody_here_wrote(engine: str, figure: Figure) -> None:
    validators: dict[str, Any] = {}
    counts: Counter[bool] = Counter()
    for name, schema, test in exported():
        if name not in validators:
            assert all(reference.startswith("#/$defs/") for reference in references(schema))
            if engine == "jsonschema":
                jsonschema.Draft202012Validator.check_schema(schema)
                validators[name] = jsonschema.Draft202012Validator(schema, registry=Registry())
            else:
                validators[name] = jsonschema_rs.Draft202012Validator(schema)
        assert validators[name].is_valid(test["data"]) is test["valid"], test["description"]
        counts[test["valid"]] += 1
    assert sorted(validators) == ["certificate", "contract", "document", "receipt"]
    figure(f"{engine}: {counts[True]} exported tests accepted, {counts[False]} refused, all as they must be")


def why_not_exported(record: Record) -> str | None:
    """What parsed JSON or JSON Schema cannot say of a case; None where they can say all of it."""
    if is_text(record):
        return "a refusal of the text"
    if answered(record) and set(answered(record)) <= BEYOND_SCHEMA:
        return "a rule beyond JSON Schema"
    spelled = json.loads(text(record, "document"), parse_float=Decimal)
    parsed = json.loads(json.dumps(json.loads(text(record, "document"))), parse_float=Decimal)
    return None if spelled == parsed else "a number that parsing rounds"


def test_the_export_leaves_out_only_what_parsed_json_or_json_schema_cannot_say(figure: Figure) -> None:
    there = {test["description"]: test["data"] for _, _, test in exported()}
    left_out = {record["id"]: why_not_exported(record) for record in of("validate") if record["id"] not in there}
    assert None not in left_out.values()
    for case_id, data in there.items():
        assert why_not_exported(CASES[case_id]) is None
        assert data == json.loads(given(CASES[case_id], "document"))
    figure(f"{len(there)} cases of validate exported; left out: {dict(Counter(left_out.values()))}")
