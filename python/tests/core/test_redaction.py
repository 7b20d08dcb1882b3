"""No message has a byte of what could be a private key, wherever somebody puts one."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from command_line import Shell
from field import OPENADAPT, Bench
from reward_receipts.core.findings import Finding, shown
from reward_receipts.core.redaction import could_be_key, is_key_spelling, redacted_words

PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
SEED = bytes((37 * place + 101) % 256 for place in range(32))
OTHER_HALF = bytes((91 * place + 7) % 256 for place in range(32))


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def in_lines(text: str, width: int) -> str:
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))


SPELLINGS: dict[str, Callable[[bytes], str]] = {
    "base64": b64,
    "base64 unpadded": lambda seed: b64(seed).rstrip("="),
    "base64url": lambda seed: base64.urlsafe_b64encode(seed).decode(),
    "base64url unpadded": lambda seed: base64.urlsafe_b64encode(seed).decode().rstrip("="),
    "base64 in lines": lambda seed: in_lines(b64(seed), 11) + "\n",
    "base64 with blanks around it": lambda seed: f"  {b64(seed)}\n",
    "base64 in quotes": lambda seed: f'"{b64(seed)}"',
    "hex": bytes.hex,
    "hex in capitals": lambda seed: seed.hex().upper(),
    "hex with colons": lambda seed: seed.hex(":"),
    "hex with blanks": lambda seed: seed.hex(" "),
    "hex with 0x": lambda seed: "0x" + seed.hex(),
    "seed and public key": lambda seed: b64(seed + OTHER_HALF),
    "seed and public key in hex": lambda seed: (seed + OTHER_HALF).hex(),
    "PKCS #8": lambda seed: b64(PKCS8 + seed),
    "PEM": lambda seed: f"-----BEGIN PRIVATE KEY-----\n{b64(PKCS8 + seed)}\n-----END PRIVATE KEY-----\n",
    "OpenSSH": lambda seed: (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        + in_lines(b64(b"openssh-key-v1\0" + bytes(40) + seed + OTHER_HALF), 70)
        + "\n-----END OPENSSH PRIVATE KEY-----\n"
    ),
    "JWK": lambda seed: json.dumps(
        {"kty": "OKP", "crv": "Ed25519", "d": base64.urlsafe_b64encode(seed).decode().rstrip("=")}
    ),
    "key file": lambda seed: json.dumps({"issuer_key_id": "key.test.0001", "private_key": b64(seed)}),
    "keyring the wrong way round": lambda seed: json.dumps({b64(seed): "key.test.0001"}),
    "keyring of a private key": lambda seed: json.dumps({"key.test.0001": b64(seed)[:-2]}),
}
FEW = ["base64", "base64 in lines", "hex", "PEM"]
WHOLE = [name for name in SPELLINGS if not name.startswith("keyring")]


def assert_no_key(text: str, seed: bytes = SEED) -> None:
    """Fails if any 8 characters of the seed, in any spelling, are in a text, whatever is between them."""
    bare = re.sub(r"\s|:|\\n|[\"']", "", text).lower()
    for spelled in (b64(seed), base64.urlsafe_b64encode(seed).decode(), seed.hex(), b64(PKCS8 + seed)[20:]):
        for start in range(len(spelled) - 8):
            assert spelled[start : start + 8].lower() not in bare, text


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_recognised(name: str) -> None:
    for seed in (SEED, bytes(range(32)), bytes(32), b"\xff" * 32):
        text = SPELLINGS[name](seed)
        if name not in WHOLE and seed in (bytes(32), b"\xff" * 32):
            continue  # a part of a key is recognised by its randomness
        if name.startswith("hex") and seed == bytes(32):
            continue  # zeros alone are a long number
        assert could_be_key(text)
        assert is_key_spelling(text) or name not in WHOLE
        assert_no_key(shown(text), seed)


def test_random_keys_are_recognised_in_other_text(figure: Any) -> None:
    missed = 0
    for _ in range(300):
        key = rr.SigningKey.generate("key.test.0001")
        secret = b64(key._private)
        for text in (f"keys/{secret}", f"KEY={secret}", f"{secret}.json", secret[:41], f"{secret[:-1]}abc"):
            missed += not could_be_key(text)
    figure(f"1500 texts with a random key in them: {missed} not recognised")
    assert missed <= 1


@pytest.mark.parametrize(
    "text",
    [
        "conformance/vectors/openadapt/receipts.json",
        "/srv/training/projects/reward-receipts/python/tests/core/test_redaction.py",
        "/Users/Someone/Projects/RewardReceipts/Results/Monday/receipts.jsonl",
        "the contract sha256:" + "0123456789abcdef" * 4 + " is not one of those given",
        "reward-receipts-of-the-second-training-run-with-gravity.jsonl",
        "receipt." + "0123456789abcdef" * 2,
        "0f1e2d3c4b5a69788796a5b4c3d2e1f001234567",  # a commit
        "1" * 300,
    ],
)
def test_names_digests_and_numbers_are_quoted(text: str) -> None:
    assert not could_be_key(text)
    assert redacted_words(text) == text


def test_a_digest_is_quoted_and_what_precedes_it_is_not() -> None:
    digest = "sha256:" + "0123456789abcdef" * 4
    assert redacted_words(f"{b64(SEED)} is not {digest}.") == f"(44 characters that could be a key) is not {digest}."


def test_the_sentence_of_an_audit_does_not_quote_an_id_that_could_be_a_key() -> None:
    bench = Bench()
    receipt = rr.sign(
        {**bench.receipt().model_dump(mode="json"), "issuer_key_id": SEED.hex()}, rr.SigningKey(SEED.hex(), SEED)
    )
    report = rr.audit(receipt, bench.contract, bench.certificate, keyring=bench.key.keyring)
    assert "signer-unknown" in [each.code for each in report.unchecked]
    assert_no_key(" ".join(each.sentence for each in (*report.findings, *report.unchecked)))


def test_a_pointer_does_not_quote_a_key() -> None:
    assert_no_key(str(Finding("x", "y", (b64(SEED),))))


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


def leaf_commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command of the command line, with its parameters."""
    from reward_receipts.cli.app import COMMANDS, load_command

    for name in COMMANDS:
        yield tuple(name.split()), load_command(name)


@pytest.mark.slow
def test_every_argument_of_every_command(shell: Shell, figure: Any) -> None:
    """A key in place of any option's value and of any argument is never shown, and nothing is done with it."""
    tried = 0
    for path, command in leaf_commands():
        for place, parameter in enumerate(command.params):
            options = [option for option in parameter.opts if option.startswith("-")]
            for name in SPELLINGS if place == 0 else FEW:
                key = SPELLINGS[name](SEED)
                if options and getattr(parameter, "is_flag", False):
                    continue
                for given in [(options[0], key), (f"{options[0]}={key}",)] if options else [(key,), ("x", key)]:
                    ran = shell(*path, *given)
                    assert_no_key(ran.out + ran.err)
                    assert ran.status == 2, (path, given)
                    tried += 1
    figure(f"{tried} calls with a key in place of an argument")
    assert tried > 500
    assert not list(shell.folder.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("{key}",),
        ("nothing", "{key}"),
        ("lint", "a", "--{bare}"),
        ("lint", "keys/{key}"),
        ("lint", "{key}.json", "-f", "json"),
        ("lint", "{key}.json", "-f", "junit"),
        ("lint", "{key}.json", "-f", "github"),
        ("keygen", "keys/{key}"),
        ("explain", "{key}{key}"),
        ("env", "check", "a:b", "--kwargs", '{{"a": "{key}" "{key}"}}'),
        ("env", "check", "a:b", "--kwargs", "{key}"),
        ("conformance", "run", "--", "./{key}"),
        ("lint", "--kind", "x{key}"),
    ],
)
def test_anything_that_contains_a_key_is_not_shown(shell: Shell, arguments: tuple[str, ...]) -> None:
    key = b64(SEED)
    ran = shell(*(each.format(key=key, bare=key.rstrip("=")) for each in arguments))
    assert_no_key(ran.out + ran.err)
    assert ran.status == 2


FILES = [
    ("lint", "{file}"),
    ("lint", "{file}", "--lines"),
    ("lint", "{file}", "--kind", "receipt", "-f", "json"),
    ("digest", "{file}"),
    ("verify", "{file}", "--public-key", OPENADAPT / "public_key.txt"),
    ("verify", OPENADAPT / "receipts.json", "--public-key", "{file}"),
    ("verify", OPENADAPT / "receipts.json", "--keyring", "{file}"),
    ("audit", "{file}"),
    ("audit", OPENADAPT / "receipts.json", "--contract", "{file}", "-f", "github"),
    ("score", "verified", "--tier", "2", "--policy-update", "1", "--contract", "{file}", "-f", "junit"),
    ("sign", "{file}", "--signing-key", "{file}"),
    ("sign", OPENADAPT / "certificate.json", "--signing-key", "{file}"),
    ("spec", "lint", "{file}"),
    ("spec", "show", "{file}"),
    ("spec", "diff", "{file}", "{file}"),
    ("trace", "summary", "{file}"),
    ("conformance", "matrix", "{file}"),
    ("conformance", "run", "--xfail", "{file}", "--", "true"),
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", FILES, ids=lambda arguments: " ".join(map(str, arguments))[:40])
def test_a_file_that_holds_a_key_is_not_quoted(shell: Shell, arguments: tuple[Any, ...]) -> None:
    for name in FEW if arguments[0] == "conformance" else SPELLINGS:  # each run of it loads the corpus
        spelled = SPELLINGS[name]
        for file in ("key.yaml",) if arguments[0] == "spec" else ("key.json", "key.jsonl"):
            path = shell.folder / file
            path.write_text(spelled(SEED))
            path.chmod(0o600)
            ran = shell(*(file if each == "{file}" else each for each in arguments))
            assert_no_key(ran.out + ran.err)
            assert ran.status in (0, 1, 2), name


def test_no_error_of_the_library_quotes_a_key(tmp_path: Path) -> None:
    """Neither the errors nor those that they were raised from."""
    bench, text = Bench(), b64(SEED)
    receipt = bench.receipt()
    file = tmp_path / "key.json"
    calls: list[Callable[[str], Any]] = [
        lambda key: rr.SigningKey(key, bytes(32)),
        lambda key: rr.SigningKey("key.test.0001", key.encode()),
        lambda key: rr.SigningKey.generate(key),
        lambda key: rr.SigningKey.from_text(key),
        lambda key: rr.SigningKey.from_file(key),
        lambda key: rr.SigningKey.from_file(file),
        lambda key: rr.Keyring.from_mapping({key: "key.test.0001"}),
        lambda key: rr.Keyring.from_mapping({key: text}),
        lambda key: rr.Keyring.from_mapping({"key.test.0001": key}),
        lambda key: rr.Keyring.from_file(key),
        lambda key: rr.Keyring.from_file(file),
        lambda key: rr.verify(receipt, key[:-3]),
        lambda key: rr.read_json(key),
        lambda key: rr.RewardEvidenceReceiptV1.model_validate_json(key),
        lambda key: receipt.model_copy(update={"issuer_key_id": key}),
        lambda key: receipt.model_copy(update={"reward_components": {key: 1.0}}),
        lambda key: receipt.model_copy(update={key: 1}),
        lambda key: rr.RewardContractV1.model_validate({"issuer_key_id": "key.test.0001", "private_key": key}),
        lambda key: rr.score(key, 2, None, 1, contract=bench.contract),
        lambda key: rr.sign({"schema_version": key}, bench.key),
        lambda key: rr.read_document(json.dumps({key: 1, "schema_version": key})),
    ]
    for spelled in SPELLINGS.values():
        key = spelled(SEED)
        file.write_text(key)
        file.chmod(0o600)
        for call in calls:
            try:
                call(key)
            except (ValueError, OSError) as error:
                cause: BaseException | None = error
                while cause is not None:
                    assert_no_key(f"{cause} {cause!r}")
                    cause = cause.__cause__ or cause.__context__
