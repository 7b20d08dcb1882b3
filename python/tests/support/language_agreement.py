"""Python and another language agree: the same findings in the same words, digests, scores, refusals, audits, signatures
and rewards.

A test module of a language has a subclass of ``Agreement`` and a fixture ``ask``, which takes questions as
typescript/test/compare.mjs lists them and gives the answers. REWARD_RECEIPTS_DEEP=1 takes 100,000 documents and specs,
and 1,000,000 doubles.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
import os
import re
import struct
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

import pytest
import random_documents
import random_params
import random_rewards
import random_specs
import reward_receipts as rr
from checkout import ROOT
from document_space import MAX_UPDATE, SCORED, UNSCORED
from pydantic import ValidationError
from random_documents import document
from random_texts import random_value, spell, spoilt
from reward_receipts.core.codes import catalogue
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.receipts.issue import CertificateSignatureUnchecked
from reward_receipts.rewards import (
    CompositionEngine,
    CompositionError,
    Param,
    Registry,
    RewardComponent,
    RewardSpec,
    StepContext,
)
from reward_receipts.validation.check import check_document
from reward_receipts.validation.schemas import KINDS

DEEP = os.environ.get("REWARD_RECEIPTS_DEEP") == "1"
DOCUMENTS = 100_000 if DEEP else 3_000
DOUBLES = 1_000_000 if DEEP else 20_000
CASES = 10_000 if DEEP else 500
SPECS = 100_000 if DEEP else 2_000
SIGNATURES = 5_000 if DEEP else 300
REWARDS = 100_000 if DEEP else 1_500
BATCH = 5_000

Figure = Callable[[str], None]
Question = dict[str, Any]
Ask = Callable[[Iterable[Question]], list[Any]]
"""Asks the other language, and gives its answers in the order of the questions."""


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def told(error: InvalidDocument) -> list[list[Any]]:
    """The findings of a refusal, every member of them."""
    return [[each.code, each.pointer, each.sentence, each.line, each.column] for each in error.findings]


def batches(count: int) -> Iterator[range]:
    return (range(start, min(start + BATCH, count)) for start in range(0, count, BATCH))


def random_text(number: int) -> tuple[bytes, str | None]:
    """The text of a random document, one in five spoilt; and a kind, or none."""
    rng = Random(f"agreement/{number}")
    made = document(number)
    data = spell(rng, made.value).encode()
    kind = rng.choice((made.kind, made.kind, made.kind, None, rng.choice(KINDS)))
    return spoilt(rng, data) if rng.random() < 0.2 else data, kind


def like_a_key(rng: Random) -> str:
    """A text that is, contains or nearly is a key: such a text is not quoted."""
    data = rng.randbytes(rng.choice((24, 31, 32, 32, 33, 64)))
    spellings = (
        base64_of(data),
        base64.urlsafe_b64encode(data).decode().rstrip("="),
        data.hex(),
        ":".join(f"{byte:02X}" for byte in data),
        f"sha256:{data.hex()}",
        str(int.from_bytes(data)),
        "".join(rng.choice("abcdefghij-_./ ") for _ in range(60)),
        "".join(rng.choice("aB9+/=é\U0001d51e \n\"'x\u2028\x1c\ufeff") for _ in range(60)),
    )
    return rng.choice(("", " ", '"', "key ")).join(rng.choice(spellings) for _ in range(rng.randint(1, 3)))


def random_double(rng: Random) -> float:
    while True:
        way = rng.random()
        if way < 0.7:
            double: float = struct.unpack(">d", rng.randbytes(8))[0]
        elif way < 0.8:
            double = float(f"{rng.randint(1, 10 ** rng.randint(1, 17))}e{rng.randint(-25, 25)}")
        elif way < 0.9:
            double = math.ldexp(rng.choice((1.0, 1 + 2**-52, 2 - 2**-52)), rng.randint(-1074, 1022))
        else:
            double = float(rng.choice((-1, 1)) * rng.randint(10**14, 10**18))
        if math.isfinite(double):
            return double


KEY = rr.SigningKey("key.test.agreement", bytes(range(32)))
"""A key for tests; everybody has it."""


def related(number: int) -> tuple[Any, Any, Any]:
    """A contract, a certificate or none, and a receipt that refer to each other, each reference now and then wrong."""
    rng = Random(f"agreement/related/{number}")
    contract = random_documents.contract(rng)
    policy = contract["certificate_policy"]
    named = rr.RewardContractV1.model_validate(contract).digest
    certificate = random_documents.certificate(rng)
    if rng.random() < 0.8:
        certificate["reward_contract_digest"] = named
    for member in ("threshold", "calibration_corpus_digest", "epsilon", "delta", "expiry_policy_updates"):
        room = MAX_UPDATE - certificate["issued_at_policy_update"]
        if rng.random() < 0.85 and not (member == "expiry_policy_updates" and policy[member] > room):
            certificate[member] = policy[member]
    if rng.random() < 0.8:
        certificate["issuer_key_id"] = KEY.key_id
        certificate = rr.sign(rr.RewardCertificateV1.model_validate(certificate), KEY)._plain()
    receipt = random_documents.receipt(rng)
    random_documents.set_tier(rng, receipt, rng.choice((0, 1, 2, 2, 2, 3)))
    first, count = int(certificate["issued_at_policy_update"]), int(certificate["expiry_policy_updates"])
    receipt["policy_update"] = min(rng.choice((first, first + count - 1, first + count, max(first - 1, 0))), MAX_UPDATE)
    model = rr.RewardCertificateV1.model_validate(certificate)
    state = rr.certificate_state(model, receipt["policy_update"]).value
    random_documents.set_state(rng, receipt, state if rng.random() < 0.8 else rng.choice(("absent", "expired")))
    if rng.random() < 0.8:
        receipt["reward_contract_digest"] = named
    if receipt["certificate_state"] != "absent":
        receipt["certificate_digest"] = model.digest
        for member in ("certificate_id", "calibration_corpus_digest", "calibration_scope"):
            if rng.random() < 0.9:
                receipt[member] = certificate[member]
    if receipt["certificate_state"] == "current" and receipt["oracle_tier"] >= 2:
        receipt["certified"] = rng.random() < 0.6
    if receipt.get("scalar_reward") is not None and rng.random() < 0.7:
        scoring = rr.RewardContractV1.model_validate(contract).scoring
        receipt["scalar_reward"] = scoring.scalar_for(receipt["reward_outcome"])
        names = [component["name"] for component in contract["components"]]
        receipt["reward_components"] = dict.fromkeys(rng.sample(names, rng.randint(1, len(names))), 0.5)
    if rng.random() < 0.8:
        receipt["issuer_key_id"] = KEY.key_id
        receipt = rr.sign(rr.RewardEvidenceReceiptV1.model_validate(receipt), KEY)._plain()
        if rng.random() < 0.1:
            receipt["nonce"] = "altered." + receipt["nonce"][:100]
    return contract, None if rng.random() < 0.15 else certificate, receipt


def in_python(contract: Any, certificate: Any, receipt: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """What Python says to a question, in the form in which test/compare.mjs answers."""

    def coded(refusals: Any) -> list[list[str]]:
        return [[refusal.code, str(refusal)] for refusal in refusals]

    def fields(findings: Any) -> list[list[str]]:
        return [[finding.code, finding.sentence, finding.pointer] for finding in findings]

    scores = []
    for outcome, tier, update in asked["calls"]:
        score = rr.score(outcome, tier, certificate, update, contract=contract)
        scalar = None if score.scalar is None else rr.canonical_json_bytes(score.scalar).decode()
        refusals = coded(score.certification_refusals)
        scores.append([scalar, score.certified, score.development_only, refusals])
    report = rr.audit(receipt, contract, certificate, keyring=asked["keys"], at_update=asked["at_update"])
    return {
        "scores": scores,
        "states": [rr.certificate_state(certificate, update).value for _, _, update in asked["calls"]],
        "unmet": None if certificate is None else coded(certificate.unmet(contract.certificate_policy)),
        "refusals": coded(receipt.certification_refusals(contract, certificate)),
        "verdict": None if asked["keys"] is None else str(rr.verify(receipt, asked["keys"])),
        "audit": [str(report.verdict), fields(report.findings), list(report.checked), fields(report.unchecked)],
    }


def edges(message: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Signatures over a message with the public keys to check them against."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from corpus import ed25519 as curve
    finally:
        sys.path.pop(0)
    rng = Random("agreement/signatures")

    def scalar_bytes(scalar: int) -> bytes:
        return scalar.to_bytes(32, "little")

    # A point of order 8, and with it the whole small subgroup in every encoding, canonical or not.
    torsion = next(
        point
        for point in (
            curve.times(curve.L, found)
            for found in (curve.decoded(scalar_bytes(number)) for number in itertools.count(2))
            if found is not None
        )
        if curve.times(4, point) != curve.IDENTITY
    )
    small = [curve.times(number, torsion) for number in range(8)]
    encodings = {curve.encoded(point) for point in small}
    for _, y in small:
        for number in (y, y + curve.P):
            if number < 2**255:
                encodings |= {scalar_bytes(number), scalar_bytes(number | 1 << 255)}
    for _ in range(3):
        secret, nonce = rng.randrange(1, curve.L), rng.randrange(1, curve.L)
        public = curve.times(secret, curve.BASE)
        for twist_a, twist_r in [(0, 0), (0, 1), (1, 0), (1, 1), (4, 4), (3, 5), (0, 4), (4, 0)]:
            a = curve.encoded(curve.add(public, small[twist_a]))
            r = curve.encoded(curve.add(curve.times(nonce, curve.BASE), small[twist_r]))
            s = (nonce + curve.challenge(r, a, message) * secret) % curve.L
            yield r + scalar_bytes(s), a
            yield r + scalar_bytes(s + curve.L), a
            yield r + scalar_bytes(s ^ 1), a
    for one in sorted(encodings):
        for other in sorted(encodings)[:: 1 if DEEP else 4]:
            yield other + scalar_bytes(0), one  # small A and small R
        secret = rng.randrange(1, curve.L)
        a = curve.encoded(curve.times(secret, curve.BASE))
        yield one + scalar_bytes(curve.challenge(one, a, message) * secret % curve.L), a  # small R
        r = curve.encoded(curve.times(secret, curve.BASE))
        yield r + scalar_bytes(secret), one  # small A
    for _ in range(SIGNATURES):  # parts of small order in A and R, which the equation lets through or not
        secret, nonce = rng.randrange(1, curve.L), rng.randrange(1, curve.L)
        a = curve.encoded(curve.add(curve.times(secret, curve.BASE), small[rng.randrange(8)]))
        r = curve.encoded(curve.add(curve.times(nonce, curve.BASE), small[rng.choice([0, rng.randrange(8)])]))
        yield r + scalar_bytes((nonce + curve.challenge(r, a, message) * secret) % curve.L), a
    for number in range(20):  # keys that are not point, R that is none
        yield rng.randbytes(64), rng.randbytes(32) if number % 2 else curve.encoded(curve.BASE)
    for number in range(curve.P, 2**255):  # every non-canonical y
        yield scalar_bytes(number) + scalar_bytes(1), curve.encoded(curve.BASE)
        yield curve.encoded(curve.BASE) + scalar_bytes(1), scalar_bytes(number)


EPISODES = (0, 1, 7, 1000, 2**53)
"""Numbers of steps, for the ceiling of an episode."""


def reward(number: int, not_finite: Mapping[str, str]) -> tuple[Question, dict[str, Any]]:
    """A question about a spec with its components and some steps, and what Python says to it."""
    rng = Random(f"agreement/reward/{number}")
    case = random_rewards.case(number, doubles_only=rng.random() < 0.5)
    own = case.types  # the names under which the components look for their values
    types = random_specs.names(rng, len(own)) if rng.random() < 0.5 else own
    renamed = dict(zip(own, types, strict=True))
    names = random_specs.names(rng, len(own)) if rng.random() < 0.3 else types
    called = dict(zip(own, names, strict=True))
    declared = {name: random_params.declared(rng) if rng.random() < 0.2 else {} for name in own}
    plain = {
        **case.plain,
        "components": [_term(rng, term, renamed, called, declared) for term in case.plain["components"]],
        "gates": [{end: called[name] for end, name in gate.items()} for gate in case.plain["gates"]],
    }
    registry = Registry(
        {renamed[name]: _with_params(case.registry[name], declared[name]) for name in own if rng.random() > 0.003}
    )
    params = {renamed[name]: declared[name] for name in own}
    steps = []
    contexts = []
    for place, step in enumerate(case.episodes[0]):
        given = [carried(value) for value in step.raw]
        terminated, truncated = (
            rng.choice(((True, False), (False, True), (True, True))) if step.ends else (False, False)
        )
        flags = {"terminated": terminated, "truncated": truncated, "step": place}
        steps.append({"raw": dict(zip(names, given, strict=True)), "flags": flags, "reset": step.reset})
        extras = {name: uncarried(value) for name, value in zip(own, given, strict=True) if value != FAILS}
        contexts.append(StepContext(place, extras=extras, terminated=terminated, truncated=truncated))
    question = {
        "run": base64_of(json.dumps(plain).encode()),
        "components": {
            name: {
                "cadence": each.cadence,
                "clip": each.clip,
                "defaultWeight": each.default_weight,
                "params": params[name],
            }
            for name, each in registry.items()
        },
        "episodes": EPISODES,
        "steps": steps,
    }
    spec = RewardSpec.from_dict(plain)
    try:
        engine = CompositionEngine(spec, registry=registry)
    except InvalidDocument as refused:
        return question, {"findings": told(refused)}
    ceiling = spec.ceiling(registry)
    bounds = [ceiling.per_step, ceiling.at_end, *(bound for *_, bound in ceiling.bounds)]
    bounds += [ceiling.per_episode(count) for count in EPISODES]
    expected = {
        "digests": [engine.resolved.spec_digest, engine.resolved.digest],
        "ceiling": [None if bound is None else repr(bound) for bound in bounds],
        "unbounded": list(ceiling.unbounded),
        "steps": [],
    }
    for step, context in zip(case.episodes[0], contexts, strict=True):
        if step.reset:
            engine.reset()
        expected["steps"].append(in_words(engine, context, not_finite))
    return question, expected


def _term(
    rng: Random,
    term: dict[str, Any],
    renamed: Mapping[str, str],
    called: Mapping[str, str],
    declared: Mapping[str, random_params.Declared],
) -> dict[str, Any]:
    """A term of a case under another type and name, with params."""
    own = term["type"]
    made = {**term, "type": renamed[own]}
    if called[own] != renamed[own] or rng.random() < 0.1:
        made["name"] = called[own]
    if declared[own] or rng.random() < 0.02:
        made["params"] = random_params.given(rng, declared[own])
    return made


def _with_params(component: type[RewardComponent], declared: random_params.Declared) -> type[RewardComponent]:
    """A component that declares parameters, and does nothing with them. Their names need not be ones of Python."""
    if not declared:
        return component

    def init(self: RewardComponent, **params: Any) -> None:
        pass

    params = {name: Param(**param) for name, param in declared.items()}
    return type("Parametrised", (component,), {"params": params, "__init__": init})


OWN_WORDS = ("compose.not-a-number", "compose.component-failed")
"""The refusals that name a type or an error of the language."""

FAILS = {"fails": True}
"""Stands for a component that fails: in Python it does not find its value."""


def carried(value: Any) -> Any:
    """A raw value in JSON, or one of its kind where the value itself has no place there."""
    if isinstance(value, Fraction):
        value = float(value) if abs(value) < 1e300 else int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"double": SPELT[repr(float(value))]}
    if type(value) is int:
        return {"integer": str(value)}
    if isinstance(value, dict):
        return {"object": value}
    if isinstance(value, (list, tuple)):
        return list(value)
    return value if value is None or isinstance(value, (bool, str)) else FAILS


def uncarried(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    if "double" in given:
        return next(float(name) for name, spelt in SPELT.items() if spelt == given["double"])
    return int(given["integer"]) if "integer" in given else given["object"]


SPELT = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
"""The names of the doubles that are not finite in a question."""


def in_words(engine: CompositionEngine, context: StepContext, not_finite: Mapping[str, str]) -> list[Any]:
    """What Python's engine makes of a step, in the form in which test/compare.mjs answers."""
    try:
        result = engine.compute_step(context)
    except CompositionError as error:
        words = re.sub(r" gave (nan|inf|-inf) at ", lambda gave: f" gave {not_finite[gave[1]]} at ", str(error))
        return [error.code, error.component, error.step, words]
    return [repr(result.total), {name: repr(value) for name, value in result.contributions.items()}]


class Agreement:
    """The tests of agreement with a language."""

    not_finite: ClassVar[Mapping[str, str]] = {"nan": "nan", "inf": "inf", "-inf": "-inf"}
    """What its messages call the doubles that are not finite."""

    def test_documents(self, ask: Ask, figure: Figure) -> None:
        """Verdicts, every finding with its words and its place, digests and canonical bytes."""
        seen: Counter[str] = Counter()
        for batch in batches(DOCUMENTS):
            texts = [random_text(number) for number in batch]
            found = ask(({"text": base64_of(data), "kind": kind} for data, kind in texts))
            for number, (data, kind), answer in zip(batch, texts, found, strict=True):
                try:
                    read = rr.read_document(data, kind)  # type: ignore[arg-type]
                    expected = {
                        "kind": read._kind,
                        "digest": read.digest,
                        "canonical": base64_of(rr.canonical_json_bytes(read)),
                    }
                except InvalidDocument as refused:
                    expected = {"findings": told(refused)}
                assert answer == expected, f"document {number}: {data!r}"
                seen.update([expected["findings"][0][0] if "findings" in expected else "valid"])
        figure(f"{DOCUMENTS} documents, no difference; {seen['valid']} valid, {len(seen) - 1} first codes")
        assert seen["valid"] >= DOCUMENTS / 4
        assert {code for code in catalogue() if code.startswith("receipt.")} & set(seen)

    def test_plain_json(self, ask: Ask, figure: Figure) -> None:
        """Any JSON text, spoilt ones too: the first fault and its place, or the exact canonical bytes."""
        refused: Counter[str] = Counter()
        for batch in batches(DOCUMENTS):
            texts = []
            for number in batch:
                rng = Random(f"agreement/json/{number}")
                data = spell(rng, random_value(rng)).encode()
                texts.append(spoilt(rng, data) if rng.random() < 0.6 else data)
            found = ask({"json": base64_of(data)} for data in texts)
            for data, answer in zip(texts, found, strict=True):
                try:
                    expected: Any = {"canonical": base64_of(rr.canonical_json_bytes(rr.read_json(data)))}
                except InvalidDocument as error:
                    expected = {"findings": told(error)}
                    refused[error.findings[0].code] += 1
                assert answer == expected, repr(data)
        figure(f"{DOCUMENTS} JSON texts, no difference; refused: {dict(sorted(refused.items()))}")
        assert {"json.syntax", "json.duplicate", "json.surrogate", "json.number", "json.utf8"} <= set(refused)

    def test_texts_that_could_be_keys_are_quoted_by_neither(self, ask: Ask) -> None:
        rng = Random("agreement/keys")
        texts = [like_a_key(rng) for _ in range(DOCUMENTS // 3)]
        values = [{text: 1, "nonce": text, "reward_components": {text: "x"}, "certified": [text]} for text in texts]
        found = ask({"json": base64_of(f"[{text}".encode())} for text in texts)
        for text, answer in zip(texts, found, strict=True):
            with pytest.raises(InvalidDocument) as refused:
                rr.read_json(f"[{text}".encode())
            assert answer == {"findings": told(refused.value)}, text
        judged = ask({"value": value, "kind": "receipt"} for value in values)
        for value, answer in zip(values, judged, strict=True):
            expected = [
                [each.code, each.pointer, each.sentence, None, None] for each in check_document(value, "receipt")
            ]
            assert answer["findings"] == expected

    def test_doubles(self, ask: Ask, figure: Figure) -> None:
        """The canonical text of a number."""
        rng = Random("agreement/doubles")
        edges = [0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e-4, 1e-5, 9.999999999999999e-05]
        edges += [1e16, 9999999999999998.0, 1e21, 1e22, 1e23, 2.0**53, 2.0**53 + 2, 1e-7, 123456789.125]
        doubles = [sign * edge for edge in edges for sign in (1, -1)]
        doubles += [random_double(rng) for _ in range(DOUBLES)]
        for start in range(0, len(doubles), 20 * BATCH):
            some = doubles[start : start + 20 * BATCH]
            rows = [some[at : at + 1000] for at in range(0, len(some), 1000)]
            found = ask({"doubles": [struct.pack(">d", each).hex() for each in row]} for row in rows)
            assert list(itertools.chain(*found)) == [rr.canonical_json_bytes(each).decode() for each in some]
        figure(f"{len(doubles)} doubles, no difference")

    def test_scores_states_refusals_and_audits(self, ask: Ask, figure: Figure) -> None:
        questions: list[dict[str, Any]] = []
        expected: list[dict[str, Any]] = []
        codes: Counter[str] = Counter()
        for number in range(CASES):
            rng = Random(f"agreement/asked/{number}")
            texts = [None if each is None else spell(rng, each).encode() for each in related(number)]
            kinds = ("contract", "certificate", "receipt")
            contract, certificate, receipt = (
                None if data is None else rr.read_document(data, kind)  # type: ignore[arg-type]
                for kind, data in zip(kinds, texts, strict=True)
            )
            first, count = (
                (5, 7)
                if certificate is None
                else (certificate.issued_at_policy_update, certificate.expiry_policy_updates)  # type: ignore[union-attr]
            )
            updates = [
                each for each in (0, first - 1, first, first + count - 1, first + count, MAX_UPDATE) if each >= 0
            ]
            calls = [
                [rng.choice(SCORED + UNSCORED), rng.randint(0, 3), min(rng.choice(updates), MAX_UPDATE)]
                for _ in range(6)
            ]
            keys = rng.choice(
                (None, {KEY.key_id: KEY.public_key}, {KEY.key_id: KEY.public_key}, {"key.another": KEY.public_key})
            )
            at_update = rng.choice((None, None, *(min(update, MAX_UPDATE) for update in updates)))
            asked: dict[str, Any] = {"keys": keys, "calls": calls, "at_update": at_update}
            asked |= {kind: None if data is None else base64_of(data) for kind, data in zip(kinds, texts, strict=True)}
            questions.append(asked)
            answer = in_python(contract, certificate, receipt, asked)
            expected.append(answer)
            codes.update(code for _, _, _, refusals in answer["scores"] for code, _ in refusals)
            codes.update(entry[0] for entry in answer["audit"][1] + answer["audit"][3])
            codes.update([answer["audit"][0]])
        for question, mine, theirs in zip(questions, expected, ask(questions), strict=True):
            assert theirs == mine, json.dumps(question)
        figure(f"{CASES} audits and {6 * CASES} scores, no difference; {len(codes)} codes and verdicts")
        layers = {code.id for code in catalogue().values() if code.layer in ("certification", "audit")}
        assert layers - set(codes) <= {
            "receipt-certificate-not-given"
        }  # a receipt's own refusals are compared, not counted
        assert {"holds", "fails", "undecided"} <= set(codes)

    def test_receipts_issued_and_documents_signed(self, ask: Ask, figure: Figure) -> None:
        """Given key, id, nonce and time, both issue the same bytes; what one signs, the other verifies."""
        questions: list[dict[str, Any]] = []
        expected: list[dict[str, Any]] = []
        seen: Counter[str] = Counter()
        for number in range(CASES):
            rng = Random(f"agreement/issued/{number}")
            contract, certificate, _ = related(number)
            seed = rng.randbytes(32)
            key = rr.SigningKey(f"key.issuer.{number:04}", seed)
            outcome = rng.choice(SCORED + UNSCORED)
            names = [component["name"] for component in contract["components"]]
            some = rng.sample(names, rng.randint(1, len(names)))
            components = dict.fromkeys(some if rng.random() < 0.9 else ["another"], rng.choice((0.0, -0.5, 1, 1e-7)))
            fitting = outcome in SCORED if rng.random() < 0.9 else outcome not in SCORED
            uncertainty = "effect_uncertain" if outcome == "reconciliation_required" else "none"
            first = 5 if certificate is None else int(certificate["issued_at_policy_update"])
            own: dict[str, Any] = {
                "outcome": outcome,
                "tier": rng.randint(0, 3),
                "policy_update": rng.choice((first, max(first - 1, 0))),
                "policy_checkpoint_id": "checkpoint.0007",
                "episode_id": f"episode.{number:04}",
                "evidence_digest": "sha256:" + "e" * 64,
                "reward_components": components if fitting else None,
                "uncertainty": uncertainty if rng.random() < 0.9 else "delivery_uncertain",
                "receipt_id": f"receipt.{number:04}",
                "nonce": f"nonce.{number:06}",
                "issued_at": "2026-02-03T04:05:06Z",
            }
            models = (
                rr.RewardContractV1.model_validate(contract),
                None if certificate is None else rr.RewardCertificateV1.model_validate(certificate),
            )
            if rng.random() < 0.5:
                own["certificate_keyring"] = {KEY.key_id: KEY.public_key}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", CertificateSignatureUnchecked)
                    receipt = rr.issue_receipt(contract=models[0], certificate=models[1], signing_key=key, **own)
                answer: dict[str, Any] = {"canonical": base64_of(rr.canonical_json_bytes(receipt))}
                seen["issued"] += 1
            except InvalidDocument as error:
                answer = {"findings": sorted({each.code for each in error.findings})}
                seen["certificate refused"] += 1
            except ValidationError as error:
                answer = {"findings": sorted({each["type"] for each in error.errors()})}
                seen["broken rule"] += 1
            except ValueError as error:
                answer = {"refused": str(error)}
                seen["refused"] += 1
            camel = {
                re.sub(r"_(.)", lambda found: found[1].upper(), name): each
                for name, each in own.items()
                if each is not None
            }
            texts = [None if each is None else base64_of(json.dumps(each).encode()) for each in (contract, certificate)]
            questions.append(
                {"issue": camel, "contract": texts[0], "certificate": texts[1], "key": [key.key_id, base64_of(seed)]}
            )
            expected.append(answer)
        for question, mine, theirs in zip(questions, expected, ask(questions), strict=True):
            assert theirs.keys() == mine.keys(), json.dumps(question)
            if "findings" in mine:
                assert sorted({code for code, _ in theirs["findings"]}) == mine["findings"], json.dumps(question)
            else:
                assert theirs == mine, json.dumps(question)
        assert len(seen) == 4
        assert min(seen.values()) >= CASES // 100
        figure(f"{CASES} receipts, no difference: {dict(seen)}")

        signed = []
        for number in range(CASES // 5):
            rng = Random(f"agreement/signed/{number}")
            kind = rng.choice(("certificate", "receipt"))
            value = random_documents.certificate(rng) if kind == "certificate" else random_documents.receipt(rng)
            seed = rng.randbytes(32)
            key = rr.SigningKey(value["issuer_key_id"], seed)
            document = rr.sign(rr.read_document(json.dumps(value), kind), key)  # type: ignore[type-var]
            if rng.random() < 0.5:
                del value["signature"]
            question = {
                "sign": base64_of(json.dumps(value).encode()),
                "kind": kind,
                "key": [key.key_id, base64_of(seed)],
            }
            signed.append((question, document, key))
        for (_, document, key), theirs in zip(signed, ask(each[0] for each in signed), strict=True):
            assert base64.b64decode(theirs["canonical"]) == rr.canonical_json_bytes(document)
            assert (theirs["publicKey"], theirs["verdict"]) == (key.public_key, "valid")
            assert (
                rr.verify(rr.read_document(base64.b64decode(theirs["canonical"])), theirs["publicKey"])
                is rr.SignatureVerdict.VALID
            )

    def test_signatures_at_the_edge(self, ask: Ask, figure: Figure) -> None:
        """Signatures that a careless verifier takes for good, over the worked receipt: libsodium's verdicts."""
        worked = json.loads((ROOT / "conformance/vectors/worked/receipt.json").read_text())
        unsigned = rr.RewardEvidenceReceiptV1.model_validate(worked)
        message = rr.canonical_json_bytes(unsigned.unsigned_payload())
        verdicts: Counter[str] = Counter()
        questions, expected = [], []
        for signature, key in edges(message):
            receipt = {**worked, "signature": base64_of(signature)}
            model = rr.RewardEvidenceReceiptV1.model_validate(receipt)
            keys = {model.issuer_key_id: base64_of(key)}
            expected.append(str(rr.verify(model, keys)))
            questions.append({"receipt": base64_of(json.dumps(receipt).encode()), "verify": keys})
        for question, mine, theirs in zip(questions, expected, ask(questions), strict=True):
            assert theirs == mine, json.dumps(question)
        verdicts.update(expected)
        figure(f"{len(questions)} signatures, no difference: {dict(verdicts)}")
        assert verdicts["valid"] >= 50
        assert verdicts["invalid"] >= 300

    def test_reward_specs(self, ask: Ask, figure: Figure) -> None:
        """Verdicts on reward specs, every finding with its words and its place, digests and canonical bytes."""
        seen: Counter[str] = Counter()
        for batch in batches(SPECS):
            texts = []
            for number in batch:
                rng = Random(f"agreement/spec/{number}")
                made = random_specs.spec(rng)
                data = spell(rng, random_specs.spoilt(rng, made) if rng.random() < 0.7 else made).encode()
                texts.append(spoilt(rng, data) if rng.random() < 0.05 else data)
            found = ask({"spec": base64_of(data)} for data in texts)
            for number, data, answer in zip(batch, texts, found, strict=True):
                try:
                    spec = RewardSpec.from_json(data)
                    expected: Any = {"digest": spec.digest, "canonical": base64_of(rr.canonical_json_bytes(spec))}
                    seen["valid"] += 1
                except InvalidDocument as refused:
                    expected = {"findings": told(refused)}
                    seen.update({finding.code for finding in refused.findings})
                assert answer == expected, f"spec {number}: {data[:2000]!r}"
        figure(f"{SPECS} reward specs, no difference; {dict(sorted(seen.items()))}")
        assert seen["valid"] >= SPECS / 4
        keywords = ("type", "required", "additionalProperties", "const", "anyOf", "minLength", "maxLength", "maxItems")
        rules = {code.id for code in catalogue().values() if code.id.startswith("spec.") and code.layer == "rules"}
        assert {f"schema.{keyword}" for keyword in (*keywords, "minItems")} | rules <= set(seen)

    def test_rewards(self, ask: Ask, figure: Figure) -> None:
        """Specs, resolved and run: digests, ceilings, contributions, totals bit for bit, refusals and their words."""
        seen: Counter[str] = Counter()
        for batch in batches(REWARDS):
            asked = [reward(number, self.not_finite) for number in batch]
            found = ask((question for question, _ in asked))
            for (question, expected), answer in zip(asked, found, strict=True):
                for mine, theirs in zip(expected.get("steps", ()), answer.get("steps", ()), strict=True):
                    if mine[0] in OWN_WORDS:
                        mine[-1] = theirs[-1]
                assert answer == expected, json.dumps(question)
                steps = expected.get("steps") or [[code] for code, *_ in expected["findings"]]
                seen.update(step[0] if step[0].startswith("compose.") else "rewarded" for step in steps)
        figure(f"{REWARDS} specs with {seen.total()} steps, no difference; {dict(sorted(seen.items()))}")
        assert seen["rewarded"] > seen.total() / 2
        assert {code for code in catalogue() if code.startswith("compose.")} <= set(seen)
