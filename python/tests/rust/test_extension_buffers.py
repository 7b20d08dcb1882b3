"""Buffers of JSON Lines in the extension: each line is what it is alone, on any threads, in any kind of buffer."""

from __future__ import annotations

import json
import mmap
import threading
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT
from random_documents import document
from random_texts import spoilt
from reward_receipts.bulk.repeats import keys_of
from reward_receipts.core import extension
from reward_receipts.core.findings import InvalidDocument

pytestmark = pytest.mark.usefixtures("installed")

VECTORS = ROOT / "conformance" / "vectors" / "openadapt"
CONTRACT = rr.read_document((VECTORS / "contract.json").read_bytes())
CERTIFICATE = rr.read_document((VECTORS / "certificate.json").read_bytes())
FIELD = json.loads((VECTORS / "receipts.json").read_bytes())
KEY = (VECTORS / "public_key.txt").read_text().strip()
MEBIBYTE = 1024 * 1024


def keyring() -> rr.Keyring:
    return rr.Keyring.from_mapping({FIELD[0]["issuer_key_id"]: KEY})


def auditor(**options: Any) -> extension.NativeAuditor:
    made = extension.auditor([CONTRACT], [CERTIFICATE], {i: bytes(k) for i, k in keyring()._keys.items()}, **options)
    assert made is not None
    return made


def check_lines(data: Any, kind: str | None = None, **options: Any) -> extension.Checked:
    checked = extension.check_lines(data, kind, **options)
    assert checked is not None
    return checked


def lines(seed: str, count: int) -> list[bytes]:
    """Lines of all kinds: documents, spoilt ones, blank ones, receipts of the field."""
    rng = Random(seed)
    made = []
    for number in range(count):
        value = rng.choice(FIELD) if rng.random() < 0.4 else document(number).value
        line = json.dumps(value).encode("utf-8", "surrogatepass")
        if rng.random() < 0.2:
            line = spoilt(rng, line).replace(b"\n", b" ")
        made.append(rng.choice((b"", b" \t", b"\r")) if rng.random() < 0.1 else line + rng.choice((b"", b"\r")))
    return made


def plain(call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as without:
        without.setattr(extension, "extension", lambda: None)
        return call()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", ["receipt", None])
def test_each_line_is_what_it_is_alone(threads: int, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = lines(f"buffer/{kind}", 600)
    data = b"\n".join(made)
    checked = check_lines(data, kind, threads=threads, first_line=11)
    alone = [(number, line) for number, line in enumerate(made, 11) if line.strip(b" \t\r")]
    assert len(checked) == len(alone)
    assert (checked.consumed, checked.lines) == (len(data), len(made))
    digests = checked.digests()
    accepted = 0
    for index, (number, line) in enumerate(alone):
        start, end = checked.span(index)
        assert (checked.line(index), data[start:end]) == (number, line)
        assert checked.is_accepted(index) is (digests[index] is not None)
        if not checked.is_accepted(index):
            with pytest.raises(ValueError, match="not accepted"):
                checked.digest(index)
            continue
        accepted += 1
        read = plain(lambda line=line: rr.read_document(line, kind), monkeypatch)
        assert read.digest == digests[index] == checked.digest(index)
        assert checked.packed_digests()[32 * index : 32 * index + 32].hex() == read.digest.removeprefix("sha256:")
        if checked.kind(index) == "receipt":
            dumped = read.model_dump(mode="json")
            assert checked.row(index) == tuple(dumped[name] for name in extension.ROW)
    assert accepted == checked.accepted == len(checked) - len(checked.doubts())
    assert accepted > len(alone) / 4


@pytest.mark.parametrize("kind_of_buffer", [bytes, bytearray, memoryview, "mmap"])
def test_any_buffer(kind_of_buffer: Any, tmp_path: Path) -> None:
    data = b"\n".join(lines("any", 200)) + b"\n" + b" " * (3 * MEBIBYTE) + b"\n" + json.dumps(FIELD[0]).encode()
    expected = check_lines(data)
    if kind_of_buffer == "mmap":
        path = tmp_path / "lines.jsonl"
        path.write_bytes(data)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            found = check_lines(mapped, threads=2)
            assert found.row(len(found) - 1) == expected.row(len(expected) - 1)
            del found
            found = check_lines(mapped)
            assert found.digests() == expected.digests()
            del found
        return
    found = check_lines(kind_of_buffer(data))
    assert found.digests() == expected.digests()
    assert [found.span(index) for index in range(len(found))] == [expected.span(i) for i in range(len(expected))]
    assert [found.line(index) for index in range(len(found))] == [expected.line(i) for i in range(len(expected))]


def test_a_buffer_that_changes_is_noticed() -> None:
    data = bytearray(json.dumps(FIELD[0]).encode())
    checked = check_lines(data)
    assert checked.row(0)[0] == FIELD[0]["receipt_id"]
    place = data.index(FIELD[0]["nonce"].encode())
    data[place] = ord("z")
    with pytest.raises(ValueError, match="has changed"):
        checked.row(0)


def test_chunks_are_the_same_as_the_whole() -> None:
    data = b"\n".join(lines("chunks", 300))
    whole = check_lines(data)
    digests: list[str | None] = []
    numbers: list[int] = []
    start = line = 0
    while start < len(data):
        chunk = data[start : start + 20_000]
        is_final = start + len(chunk) == len(data)
        checked = check_lines(chunk, first_line=line + 1, final=is_final)
        digests += checked.digests()
        numbers += [checked.line(index) for index in range(len(checked))]
        assert checked.consumed > 0
        start += checked.consumed
        line += checked.lines
    assert digests == whole.digests()
    assert numbers == [whole.line(index) for index in range(len(whole))]


def test_audits_are_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Receipts of the field and changed ones, at some updates: the same reports; the native ones accept what holds."""
    rng = Random("audits")
    plain_keys = plain(keyring, monkeypatch)
    for update in (None, 7, 500, 10**6):
        texts = []
        for _ in range(120):
            receipt = dict(rng.choice(FIELD))
            for _ in range(rng.choice((0, 0, 0, 1, 2))):
                name = rng.choice(sorted(receipt))
                receipt[name] = rng.choice(FIELD)[name]
            if rng.random() < 0.1:
                receipt["issuer_key_id"] = "another.key:1"
            texts.append(json.dumps(receipt).encode())
        native = auditor(at_update=update).audit_lines(b"\n".join(texts), threads=2)
        only_signature = auditor().verify_lines(b"\n".join(texts), "receipt")
        held = 0
        for index, text in enumerate(texts):

            def report(keys: rr.Keyring, text: bytes = text, update: int | None = update) -> Any:
                try:
                    receipt: Any = rr.read_document(text, "receipt")
                except InvalidDocument:
                    return None, None
                return rr.audit(receipt, CONTRACT, CERTIFICATE, keyring=keys, at_update=update), rr.verify(
                    receipt, keys
                )

            found = report(keyring())
            assert found == plain(lambda report=report: report(plain_keys), monkeypatch)
            holds = found[0] is not None and found[0].verdict == "holds"
            assert native.is_accepted(index) is holds
            assert auditor(at_update=update).holds(text) is holds
            assert only_signature.is_accepted(index) is (found[1] is not None and bool(found[1]))
            held += holds
        assert update == 10**6 or 10 < held < len(texts)


HOSTILE = {
    "brackets": b"[" * MEBIBYTE,
    "objects": b'{"a":' * (MEBIBYTE // 5),
    "escapes": b'{"receipt_id":"' + b"\\u0041" * (MEBIBYTE // 6),
    "digits": b'{"policy_update":' + b"1" * (MEBIBYTE - 20) + b"}",
    "digits of a number": b'{"scalar_reward":0.' + b"1" * (MEBIBYTE - 40) + b"}",
    "white space": b"{" + b" " * (MEBIBYTE - 2) + b"}",
    "members": b"{" + b'"receipt_id":"receipt:1",' * (MEBIBYTE // 25),
    "names": b'{"reward_components":{' + b",".join(b'"n%d":1' % n for n in range(80_000)) + b"}}",
    "truncated UTF-8": b'{"receipt_id":"' + "é".encode()[:1] * (MEBIBYTE - 20),
    "random bytes": Random("hostile").randbytes(MEBIBYTE),
    "longer than a text may be": json.dumps(FIELD[0]).encode() + b" " * MEBIBYTE,
    "one line of quotes": b'"' * MEBIBYTE,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_left_quickly_at_the_boundary(name: str) -> None:
    """CPU time for a mebibyte; linear work takes some milliseconds, quadratic work minutes."""
    text = HOSTILE[name]
    start = time.process_time()
    assert extension.kind_of(text) is None
    assert extension.kind_of(text, "receipt") is None
    checked = check_lines(text, threads=2)
    assert checked.accepted == 0
    assert auditor().holds(text) is False
    assert time.process_time() - start < 5


def test_a_mebibyte_of_lines_of_one_byte() -> None:
    checked = check_lines(b"1\n" * (MEBIBYTE // 2))
    assert (len(checked), checked.accepted, checked.lines) == (MEBIBYTE // 2, 0, MEBIBYTE // 2)


def test_the_interpreter_goes_on_while_a_buffer_is_read() -> None:
    data = b"\n".join(json.dumps(FIELD[number % len(FIELD)]).encode() for number in range(20_000))
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    counting = threading.Thread(target=count)
    counting.start()
    while counted == 0:
        time.sleep(0)
    before = counted
    checked = auditor().audit_lines(data)
    during = counted - before
    done.set()
    counting.join()
    assert checked.accepted == len(checked)
    assert during > 20  # with the lock held for all of it, there would be none


def test_the_shapes_of_accepted_receipts() -> None:
    key = b"k" * 16
    data = b"\n".join([*lines("shapes", 300), *(json.dumps(each).encode() for each in FIELD)])
    checked = check_lines(data, "receipt", first_line=5)
    shapes, keys, numbers = checked.shapes(key)
    accepted = [index for index in range(len(checked)) if checked.is_accepted(index)]
    assert len(accepted) > len(FIELD)
    assert list(array("Q", numbers)) == [checked.line(index) for index in accepted]
    read = [json.loads(data[slice(*checked.span(index))]) for index in accepted]
    ids = [keys_of(each["receipt_id"], each["issuer_key_id"], each["nonce"], key) for each in read]
    assert keys == b"".join(part for both in ids for part in both)
    places = sorted(place for _, packed in shapes for place in array("I", packed))
    assert places == list(range(len(accepted)))
    for shape, packed in shapes:
        for place in array("I", packed):
            assert shape == tuple(read[place].get(name) for name in extension.SHAPE)
    assert len({shape for shape, _ in shapes}) == len(shapes)
    with pytest.raises(ValueError, match="bytes"):
        check_lines(bytearray(data), "receipt").shapes(key)
