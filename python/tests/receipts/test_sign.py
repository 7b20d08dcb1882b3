"""Signatures and keys: section 6, with the edge vectors made here."""

from __future__ import annotations

import base64
import dataclasses
import hmac
import json
import os
import pickle
import shutil
import stat
import subprocess
import threading
import types
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from field import OPENADAPT, PUBLIC_KEY, WORKED, Bench, field_certificate, field_receipts, plain
from reward_receipts.receipts import keys
from reward_receipts.receipts.algorithms import ALGORITHMS, DEFAULT
from reward_receipts.receipts.signature_algorithm import SignatureAlgorithm
from reward_receipts.validation.schemas import schema_of

L = 2**252 + 27742317777372353535851937790883648493
P = 2**255 - 19


@pytest.fixture
def bench() -> Bench:
    return Bench()


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_every_signed_document_of_the_field_verifies() -> None:
    documents = [field_certificate(), *field_receipts()]
    assert len(documents) == 43
    keyring = rr.Keyring.from_mapping({"dev.key.synthetic-proof": PUBLIC_KEY})
    for document in documents:
        for key in (PUBLIC_KEY, base64.b64decode(PUBLIC_KEY), keyring):
            assert rr.verify(document, key) is rr.SignatureVerdict.VALID


def test_placeholder_signatures_do_not_verify() -> None:
    for name, model in (("certificate", rr.RewardCertificateV1), ("receipt", rr.RewardEvidenceReceiptV1)):
        document = model.model_validate(plain(WORKED / f"{name}.json"))
        assert base64.b64decode(document.signature) == bytes(64)
        assert rr.verify(document, PUBLIC_KEY) is rr.SignatureVerdict.INVALID


@pytest.mark.slow
def test_one_flipped_bit_anywhere_does_not_verify(figure: Any) -> None:
    """Of every bit of a receipt's text: refused as text or document, or its signature is invalid."""
    text = rr.canonical_json_bytes(field_receipts()[0])
    refused = invalid = same = 0
    for place in range(len(text) * 8):
        flipped = bytearray(text)
        flipped[place // 8] ^= 1 << place % 8
        try:
            receipt = rr.read_document(bytes(flipped), "receipt")
        except rr.InvalidDocument:
            refused += 1
            continue
        if receipt == field_receipts()[0]:
            same += 1  # a flip that left the same document: another spelling of it
            continue
        assert isinstance(receipt, rr.RewardEvidenceReceiptV1)
        assert rr.verify(receipt, PUBLIC_KEY) is rr.SignatureVerdict.INVALID
        invalid += 1
    figure(f"{len(text) * 8} flipped bits: {refused} refused before the signature, {invalid} invalid, {same} no change")
    assert refused + invalid + same == len(text) * 8
    assert same == 0
    assert invalid > 1000


def test_only_valid_is_true() -> None:
    assert [bool(verdict) for verdict in rr.SignatureVerdict] == [True, False, False]
    assert [str(verdict) for verdict in rr.SignatureVerdict] == ["valid", "invalid", "signer-unknown"]


def test_the_key_is_the_one_under_the_documents_key_id(bench: Bench) -> None:
    receipt, other = bench.receipt(), rr.SigningKey.generate("key.other.0001")
    right, wrong = bench.key.public_key, other.public_key
    assert rr.verify(receipt, {bench.key.key_id: right}) is rr.SignatureVerdict.VALID
    assert rr.verify(receipt, {bench.key.key_id: wrong, other.key_id: right}) is rr.SignatureVerdict.INVALID
    assert rr.verify(receipt, {other.key_id: right}) is rr.SignatureVerdict.SIGNER_UNKNOWN
    assert rr.verify(receipt, rr.Keyring({})) is rr.SignatureVerdict.SIGNER_UNKNOWN


def test_a_signature_covers_the_canonical_payload_and_nothing_else(bench: Bench) -> None:
    receipt, certificate = bench.receipt(), bench.certificate
    payload = receipt.unsigned_payload()
    assert set(plain(WORKED / "receipt.json")) - set(payload) == {"signature", "signature_algorithm"}

    def signed(message: bytes) -> rr.RewardEvidenceReceiptV1:
        return receipt.model_copy(update={"signature": bench.key.signature_of(message)})

    assert rr.verify(signed(rr.canonical_json_bytes(payload)), bench.key.keyring)
    for message in (
        json.dumps(payload, sort_keys=True).encode(),
        rr.canonical_json_bytes({**payload, "signature_algorithm": "ed25519"}),
        rr.canonical_json_bytes(receipt),
    ):
        assert rr.verify(signed(message), bench.key.keyring) is rr.SignatureVerdict.INVALID
    pasted = receipt.model_copy(update={"signature": certificate.signature})
    assert rr.verify(pasted, bench.key.keyring) is rr.SignatureVerdict.INVALID


def test_s_that_is_not_reduced_is_refused(bench: Bench) -> None:
    receipt = bench.receipt()
    raw = base64.b64decode(receipt.signature)
    s = int.from_bytes(raw[32:], "little")
    assert s < L
    raised = receipt.model_copy(update={"signature": b64(raw[:32] + (s + L).to_bytes(32, "little"))})
    assert rr.verify(raised, bench.key.keyring) is rr.SignatureVerdict.INVALID


# The eight points of small order, as 32 bytes, and encodings of y that are not reduced (RFC 8032, 5.1.3).
_Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
SMALL_ORDER = [
    (1).to_bytes(32, "little"),
    (P - 1).to_bytes(32, "little"),
    (0).to_bytes(32, "little"),
    (1 << 255).to_bytes(32, "little"),
    _Y8.to_bytes(32, "little"),
    (_Y8 | 1 << 255).to_bytes(32, "little"),
    (P - _Y8).to_bytes(32, "little"),
    (P - _Y8 | 1 << 255).to_bytes(32, "little"),
]
NON_CANONICAL = [
    (P + 1).to_bytes(32, "little"),
    P.to_bytes(32, "little"),
    (1 | 1 << 255).to_bytes(32, "little"),
    (P + 3).to_bytes(32, "little"),
]


def test_the_points_above_have_small_order() -> None:
    d = -121665 * pow(121666, -1, P) % P
    for encoded in SMALL_ORDER:
        y = int.from_bytes(encoded, "little") & ((1 << 255) - 1)
        for _ in range(3):  # y of the doubled point, from y alone: x*x = (y*y - 1) / (d*y*y + 1)
            xx = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
            y = (y * y + xx) * pow(2 - y * y + xx, -1, P) % P
        assert y == 1  # eight times the point is the neutral element


@pytest.mark.parametrize("point", SMALL_ORDER + NON_CANONICAL)
def test_small_order_and_non_canonical_points_are_refused(bench: Bench, point: bytes) -> None:
    receipt = bench.receipt()
    zero = bytes(32)
    for r in (point, SMALL_ORDER[0]):
        forged = receipt.model_copy(update={"signature": b64(r + zero)})
        assert rr.verify(forged, point) is rr.SignatureVerdict.INVALID
    raw = base64.b64decode(receipt.signature)
    swapped = receipt.model_copy(update={"signature": b64(point + raw[32:])})
    assert rr.verify(swapped, bench.key.keyring) is rr.SignatureVerdict.INVALID


def test_a_signature_has_one_spelling(bench: Bench) -> None:
    receipt = bench.receipt()
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    same = [
        letter
        for letter in alphabet
        if base64.b64decode(receipt.signature[:85] + letter + "==") == base64.b64decode(receipt.signature)
    ]
    assert len(same) == 16
    for letter in same:
        if letter != receipt.signature[85]:
            with pytest.raises(ValueError, match="signature"):
                receipt.model_copy(update={"signature": receipt.signature[:85] + letter + "=="})


@pytest.mark.parametrize(
    "key",
    [
        b"",
        bytes(31),
        bytes(33),
        b64(bytes(31)),
        b64(bytes(33)),
        "not base64!",
        PUBLIC_KEY + "\n",
        PUBLIC_KEY.rstrip("="),
        PUBLIC_KEY[:42] + "N=",
        "schlüssel",
        7,
        {"dev.key.synthetic-proof": b64(bytes(31))},
        {"short": PUBLIC_KEY},
    ],
)
def test_a_malformed_key_is_an_error_and_no_verdict(key: Any) -> None:
    with pytest.raises(rr.KeyFormatError):
        rr.verify(field_receipts()[0], key)


def test_a_keyring_file_maps_key_ids_to_base64(tmp_path: Path) -> None:
    path = tmp_path / "keyring.json"
    path.write_text(json.dumps({"dev.key.synthetic-proof": PUBLIC_KEY}))
    keyring = rr.Keyring.from_file(path)
    assert rr.verify(field_receipts()[0], keyring)
    assert "dev.key.synthetic-proof" in keyring
    assert len(keyring) == 1
    for bad in ("[]", "{", '{"a-long-enough-id": 1}', '{"a-long-enough-id": "x"}', '{"a": {}}', '{"k": "", "k": ""}'):
        path.write_text(bad)
        with pytest.raises(rr.KeyFormatError, match="keyring.json"):
            rr.Keyring.from_file(path)
    for spoilt in (PUBLIC_KEY, f'"a"\n{PUBLIC_KEY}', f'{{"private_key":{PUBLIC_KEY}}}'):
        path.write_text(spoilt)  # what if it had been the private one
        with pytest.raises(rr.KeyFormatError) as refused:
            rr.Keyring.from_file(path)
        assert PUBLIC_KEY[:6] not in str(refused.value)
    with pytest.raises(OSError, match="none.json"):
        rr.Keyring.from_file(tmp_path / "none.json")


def test_keyrings_are_joined_and_written(tmp_path: Path) -> None:
    first, second = rr.SigningKey.generate("key.test.0001"), rr.SigningKey.generate("key.test.0002")
    joined = first.keyring | second.keyring | first.keyring
    assert len(joined) == 2
    with pytest.raises(rr.KeyFormatError, match="key.test.0001"):
        joined | rr.SigningKey.generate("key.test.0001").keyring
    joined.write(tmp_path / "keyring.json")
    again = rr.Keyring.from_file(tmp_path / "keyring.json")
    assert "key.test.0001" in again
    assert "key.test.0002" in again
    with pytest.raises(FileExistsError):
        joined.write(tmp_path / "keyring.json")


def test_a_private_key_lives_in_a_file_of_mode_0600(tmp_path: Path) -> None:
    key, path = rr.SigningKey.generate("key.test.0001"), tmp_path / "key.json"
    key.write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = rr.SigningKey.from_file(path)
    assert (again.key_id, again.public_key) == (key.key_id, key.public_key)
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        rr.SigningKey.generate("key.test.0002").write(path)
    assert path.read_bytes() == before
    path.chmod(0o640)
    with pytest.raises(rr.KeyFormatError, match="0640"):
        rr.SigningKey.from_file(path)


def test_the_mode_is_0600_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o777)
    try:
        rr.SigningKey.generate("key.test.0001").write(tmp_path / "key.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key.json").stat().st_mode) == 0o600


def test_a_private_key_is_a_plain_file_or_a_pipe(tmp_path: Path) -> None:
    key, pipe = rr.SigningKey.generate("key.test.0001"), tmp_path / "pipe"
    key.write(tmp_path / "key.json")
    os.mkfifo(pipe, 0o600)
    writer = threading.Thread(target=lambda: pipe.write_bytes((tmp_path / "key.json").read_bytes()))
    writer.start()
    assert rr.SigningKey.from_file(pipe).public_key == key.public_key
    writer.join()
    for other in ("/dev/zero", tmp_path):
        with pytest.raises(rr.KeyFormatError, match="plain file or a pipe"):
            rr.SigningKey.from_file(other)


@pytest.mark.parametrize(
    ("mode", "by_default", "for_a_group"),
    [
        (0o600, True, True),
        (0o400, True, True),
        (0o440, False, True),
        (0o640, False, True),
        (0o660, False, False),
        (0o450, False, False),
        (0o444, False, False),
        (0o644, False, False),
        (0o604, False, False),
    ],
)
def test_a_key_that_is_mounted_for_a_group(tmp_path: Path, mode: int, by_default: bool, for_a_group: bool) -> None:
    """As a secret manager mounts it: read-only, behind links. Never a key that anybody can read."""
    key, link = rr.SigningKey.generate("key.test.0001"), tmp_path / "link.json"
    (tmp_path / "data").mkdir()
    key.write(tmp_path / "data" / "key.json")
    (tmp_path / "data" / "key.json").chmod(mode)
    (tmp_path / "current").symlink_to("data")
    link.symlink_to("current/key.json")
    for allowed, options in ((by_default, {}), (for_a_group, {"allow_group_readable": True})):
        if allowed:
            assert rr.SigningKey.from_file(link, **options).public_key == key.public_key
        else:
            with pytest.raises(rr.KeyFormatError, match=f"mode {mode:04o} lets (its group|others) read"):
                rr.SigningKey.from_file(link, **options)


def test_a_private_key_from_text(tmp_path: Path) -> None:
    key = rr.SigningKey.generate("key.test.0001")
    key.write(tmp_path / "key.json")
    data = (tmp_path / "key.json").read_bytes()
    assert rr.SigningKey.from_text(data).public_key == rr.SigningKey.from_text(data.decode()).public_key
    assert rr.SigningKey.from_text(data).public_key == key.public_key


def test_a_keyring_in_place_of_a_private_key_is_named(tmp_path: Path) -> None:
    rr.SigningKey.generate("key.test.0001").keyring.write(tmp_path / "keyring.json")
    with pytest.raises(rr.KeyFormatError, match="this is a keyring, which holds public keys") as refused:
        rr.SigningKey.from_file(tmp_path / "keyring.json")
    assert "chmod" not in str(refused.value)


SPKI = bytes.fromhex("302a300506032b6570032100")
SSH = b"\0\0\0\x0bssh-ed25519\0\0\0\x20"


@pytest.mark.parametrize(
    ("spell", "named"),
    [
        (lambda key: f"-----BEGIN PUBLIC KEY-----\n{b64(SPKI + key)}\n-----END PUBLIC KEY-----\n", "is in PEM"),
        (lambda key: f"ssh-ed25519 {b64(SSH + key)} somebody@somewhere\n", "is in OpenSSH's form"),
        (lambda key: json.dumps({"kty": "OKP", "crv": "Ed25519", "x": url(key)}), "is a JWK"),
        (lambda key: json.dumps({"kty": "RSA", "n": "AQAB", "e": "AQAB"}), "is a JWK of another kind"),
        (lambda key: "ssh-rsa AAAAB3NzaC1yc2E= somebody", "is an OpenSSH key of another kind"),
        (lambda key: "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----", "is PEM of something else"),
        (lambda key: key.hex(), "is in hex"),
        (lambda key: "0x" + key.hex().upper() + "\n", "is in hex"),
        (lambda key: key.hex(":"), "is in hex"),
        (lambda key: b64(key).rstrip("="), "is in base64url or without padding"),
        (lambda key: json.dumps({"key.test.0001": b64(key)}), "is a keyring"),
        (lambda key: json.dumps({"issuer_key_id": "k", "private_key": b64(key)}), "is a private key file"),
        (lambda key: json.dumps({"kty": "OKP", "crv": "Ed25519", "x": url(key), "d": url(key)}), "is a private JWK"),
        (lambda key: f"-----BEGIN PRIVATE KEY-----\n{b64(key)}\n-----END PRIVATE KEY-----", "is a private key in PEM"),
    ],
)
def test_a_key_of_another_tool_is_named(spell: Any, named: str) -> None:
    key = base64.b64decode(PUBLIC_KEY)
    with pytest.raises(rr.KeyFormatError, match=f"^the public key {named}") as refused:
        rr.verify(field_receipts()[0], spell(key))
    assert "expected" in str(refused.value) or "--keyring" in str(refused.value)


@pytest.mark.parametrize(
    ("tools", "spell"),
    [
        (("openssl",), lambda key: f"-----BEGIN PUBLIC KEY-----\n{b64(SPKI + key)}\n-----END PUBLIC KEY-----\n"),
        (("base64",), lambda key: f"ssh-ed25519 {b64(SSH + key)} somebody@somewhere\n"),
        (("xxd",), lambda key: key.hex() + "\n"),
    ],
)
def test_the_command_that_converts_a_key_is_right(tmp_path: Path, tools: tuple[str, ...], spell: Any) -> None:
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        pytest.skip(f"needs {missing}")
    (tmp_path / "FILE").write_text(spell(base64.b64decode(PUBLIC_KEY)))
    with pytest.raises(rr.KeyFormatError) as refused:
        rr.verify(field_receipts()[0], spell(base64.b64decode(PUBLIC_KEY)))
    command = str(refused.value).split("expected: ")[1]
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"{PUBLIC_KEY}\n"


def test_an_unsigned_mapping_is_signed(bench: Bench) -> None:
    for model in (bench.certificate, bench.receipt()):
        members = model.model_dump(mode="json")
        for given in (members, {name: value for name, value in members.items() if name != "signature"}):
            assert rr.sign(given, bench.key) == model
        assert rr.sign(types.MappingProxyType(members), bench.key) == model
        with pytest.raises(rr.InvalidDocument, match="schema_version"):
            rr.sign({name: value for name, value in members.items() if name != "schema_version"}, bench.key)
        with pytest.raises(rr.InvalidDocument, match="nothing"):
            rr.sign({**members, "nothing": 1}, bench.key)
        with pytest.raises(ValueError, match="key.other.0001"):
            rr.sign({**members, "issuer_key_id": "key.other.0001"}, bench.key)
    with pytest.raises(TypeError, match="not a contract"):
        rr.sign(bench.contract.model_dump(mode="json"), bench.key)


def test_only_certificates_and_receipts_are_signed(bench: Bench) -> None:
    with pytest.raises(TypeError, match="RewardContractV1"):
        rr.sign(bench.contract, bench.key)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="RewardContractV1"):
        rr.verify(bench.contract, bench.key.keyring)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="missing"):
        rr.sign(rr.RewardEvidenceReceiptV1.model_construct(), bench.key)


def test_a_private_key_never_shows(tmp_path: Path) -> None:
    key, path = rr.SigningKey.generate("key.test.0001"), tmp_path / "key.json"
    key.write(path)
    secret = json.loads(path.read_bytes())["private_key"]
    assert secret not in repr(key) + str(key) + key.public_key
    with pytest.raises(TypeError):
        pickle.dumps(key)
    for spoiled in (secret[:-2], secret + "AAAA", secret[:20]):
        path.write_text(json.dumps({"issuer_key_id": "key.test.0001", "private_key": spoiled}))
        with pytest.raises(rr.KeyFormatError) as refused:
            rr.SigningKey.from_file(path)
        assert spoiled[:12] not in str(refused.value)
        assert refused.value.__cause__ is None
    with pytest.raises(rr.KeyFormatError):
        rr.SigningKey("key.test.0001", os.urandom(31))
    with pytest.raises(rr.KeyFormatError):
        rr.SigningKey("short", os.urandom(32))


def test_signing_asks_for_the_documents_own_key_id(bench: Bench) -> None:
    receipt = bench.receipt()
    with pytest.raises(ValueError, match="key.other.0001"):
        rr.sign(receipt, rr.SigningKey.generate("key.other.0001"))
    assert rr.sign(receipt, bench.key) == receipt  # Ed25519 signatures are deterministic


def test_the_field_vectors_are_as_they_came() -> None:
    assert len(json.loads((OPENADAPT / "receipts.json").read_bytes())) == 42


@pytest.mark.parametrize("keys", ["", [], None, 1])
def test_a_keyring_is_made_of_a_mapping(keys: Any) -> None:
    with pytest.raises(ValueError, match="a keyring is a mapping of key ids and base64 texts, not "):
        rr.Keyring.from_mapping(keys)


def test_the_table_of_algorithms_is_that_of_the_schema() -> None:
    form = schema_of("common")["$defs"]["SignatureAlgorithm"]
    assert {*ALGORITHMS} == {option["const"] for option in form.get("oneOf", [form])}


def test_the_table_decides_how_a_signature_is_verified(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt = bench.receipt()
    public_key = bench.key.public_key
    assert rr.verify(receipt, public_key)

    class Refuses:
        def __init__(self, key: bytes) -> None: ...
        def verifies(self, signature: bytes, message: bytes) -> bool:
            return False

    monkeypatch.setattr(keys, "DEFAULT", dataclasses.replace(DEFAULT, verifier=Refuses))
    assert rr.verify(receipt, public_key) is rr.SignatureVerdict.INVALID


class _Hmac:
    """A second algorithm, for tests: HMAC, whose public key is its private key."""

    def __init__(self, key: bytes) -> None:
        self.public_key = key

    def sign(self, message: bytes) -> bytes:
        return hmac.digest(self.public_key, message, "sha512")

    def verifies(self, signature: bytes, message: bytes) -> bool:
        return self.sign(message) == signature


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a second algorithm, which the table has and the schema does not."""
    algorithm = SignatureAlgorithm(
        name="hmac-sha512",
        title="an HMAC",
        public_key_bytes=48,
        private_key="key",
        private_key_bytes=48,
        signature_bytes=64,
        generate=lambda: bytes(range(48)),
        verifier=_Hmac,
        signer=_Hmac,
    )
    monkeypatch.setitem(ALGORITHMS, algorithm.name, algorithm)  # type: ignore[misc]
    return algorithm.name


def test_a_second_algorithm_has_keys_of_its_own(second: str) -> None:
    key = rr.SigningKey.generate("key.of.a.test", second)
    assert key.public_key == f"{second}:{b64(bytes(range(48)))}"
    keyring = rr.Keyring.from_mapping({key.key_id: key.public_key})
    held = keyring.get(key.key_id)
    assert held is not None
    assert held.verifies(base64.b64decode(key.signature_of(b"a message")), b"a message")
    assert not held.verifies(base64.b64decode(key.signature_of(b"a message")), b"another")
    with pytest.raises(rr.KeyFormatError, match="has 32 bytes; an HMAC public key has 48"):
        rr.Keyring.from_mapping({key.key_id: f"{second}:{b64(bytes(32))}"})
    with pytest.raises(rr.KeyFormatError, match="there is no signature algorithm"):
        rr.SigningKey.generate("key.of.a.test", "rot13")


def test_the_algorithm_of_the_key_decides_and_not_that_of_the_document(bench: Bench, second: str) -> None:
    """A key of the second algorithm under the issuer's id does not verify, though its signature is right."""
    other = rr.SigningKey(bench.key.key_id, bytes(range(48)), second)
    payload = rr.canonical_json_bytes(bench.receipt().unsigned_payload())
    receipt = bench.receipt().model_copy(update={"signature": other.signature_of(payload)})
    assert receipt.signature_algorithm == "ed25519"
    assert rr.verify(receipt, other.keyring) is rr.SignatureVerdict.INVALID
    assert rr.verify(receipt, other.public_key) is rr.SignatureVerdict.INVALID


def test_one_key_has_one_spelling(bench: Bench) -> None:
    with pytest.raises(rr.KeyFormatError, match="is not base64"):
        rr.Keyring.from_mapping({bench.key.key_id: f"ed25519:{bench.key.public_key}"})
