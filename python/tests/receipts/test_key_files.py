"""Keyrings and private key files are what their schemas say."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from reward_receipts.core.schema_files import KEYRING_FILE, PRIVATE_KEY_FILE
from reward_receipts.validation.check import fits

KEY = rr.SigningKey("key.test.0001", bytes(range(32)))
PUBLIC = KEY.public_key
SEED = base64.b64encode(bytes(range(32))).decode()


def test_the_files_that_are_written_fit(tmp_path: Path) -> None:
    KEY.write(tmp_path / "private.json")
    KEY.keyring.write(tmp_path / "public.json")
    assert fits(PRIVATE_KEY_FILE, json.loads((tmp_path / "private.json").read_bytes()))
    assert fits(KEYRING_FILE, json.loads((tmp_path / "public.json").read_bytes()))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a keyring is a JSON object"),
        ({"key.test.0001": 1}, "a keyring is a JSON object"),
        ({"short": PUBLIC}, "is not an OpaqueId"),
        ({"key.test.0001": PUBLIC[:-1]}, "base64"),
        ({"key.test.0001": "AAAA"}, "has 3 bytes"),
        ({"key.test.0001": PUBLIC[:-2] + "9="}, "is not canonical base64"),
        ({"key.test.0001": PUBLIC + "\n"}, "key.test.0001"),
        ({"issuer_key_id": "key.test.0001", "private_key": SEED}, "this is a private key file"),
    ],
)
def test_the_schema_refuses_a_keyring_and_the_message_quotes_no_key(tmp_path: Path, value: Any, message: str) -> None:
    (tmp_path / "keyring.json").write_text(json.dumps(value))
    assert not fits(KEYRING_FILE, value)
    with pytest.raises(rr.KeyFormatError, match=message) as refused:
        rr.Keyring.from_file(tmp_path / "keyring.json")
    assert PUBLIC[:20] not in str(refused.value)
    assert SEED[:20] not in str(refused.value)


@pytest.mark.parametrize("length", [0, 31, 32, 33, 64])
def test_schema_and_reader_agree_on_random_keys(length: int) -> None:
    for _ in range(200):
        keyring = {"key.test.0001": base64.b64encode(os.urandom(length)).decode()}
        try:
            rr.Keyring.from_mapping(keyring)
        except rr.KeyFormatError:
            assert not fits(KEYRING_FILE, keyring)
        else:
            assert fits(KEYRING_FILE, keyring)


@pytest.mark.parametrize(
    "members",
    [
        {"issuer_key_id": "key.test.0001"},
        {"issuer_key_id": "short", "private_key": SEED},
        {"issuer_key_id": "key.test.0001", "private_key": SEED[:-1]},
        {"issuer_key_id": "key.test.0001", "private_key": SEED, "note": ""},
    ],
)
def test_the_schema_refuses_a_private_key_file(members: dict[str, str]) -> None:
    assert not fits(PRIVATE_KEY_FILE, members)
    with pytest.raises(rr.KeyFormatError, match="not a private key file") as refused:
        rr.SigningKey.from_text(json.dumps(members))
    assert SEED[:20] not in str(refused.value)
