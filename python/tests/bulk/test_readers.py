"""Packed files: gzip and zstd, whole, in parts, cut off, damaged, and much larger unpacked than packed."""

from __future__ import annotations

import builtins
import gzip
import io
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from field import Bench
from reward_receipts.bulk.documents import Entry, entries
from reward_receipts.bulk.files import Unread, texts

BENCH = Bench()
MIB = 1024 * 1024

LINES = [
    BENCH.receipt(receipt_id=f"receipt.{number:04}", nonce=f"nonce.{number:04}").model_dump_json().encode() + b"\n"
    for number in range(40)
]
PACKED = {".gz": gzip.compress, ".zst": zstandard.compress}


def found(name: Path, **options: Any) -> list[tuple[int | None, str]]:
    """Line and first code of each entry; "" for a good one."""
    return [
        (entry.line, entry.findings[0].code if entry.findings else "")
        for entry in entries([str(name)], "receipt", **options)
        if isinstance(entry, Entry)
    ]


@pytest.fixture(params=PACKED, ids=["gzip", "zstd"])
def suffix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def pack(suffix: str) -> Callable[[bytes], bytes]:
    return PACKED[suffix]


def test_the_suffix_before_the_packing_says_what_it_is(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / f"a.jsonl{suffix}").write_bytes(pack(b"".join(LINES)))
    (tmp_path / f"b.json{suffix}").write_bytes(pack(LINES[0]))
    (tmp_path / f"c.txt{suffix}").write_bytes(pack(LINES[0]))
    assert found(tmp_path / f"a.jsonl{suffix}") == [(number, "") for number in range(1, 41)]
    assert found(tmp_path / f"b.json{suffix}") == [(None, "")]
    assert len(found(tmp_path)) == 41


def test_several_members_are_all_read(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    name = tmp_path / f"a.jsonl{suffix}"
    name.write_bytes(b"".join(pack(line) for line in LINES))
    assert found(name) == [(number, "") for number in range(1, 41)]


def test_the_content_decides_and_not_the_suffix(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    name = tmp_path / "a.jsonl"
    name.write_bytes(pack(LINES[0] + LINES[1]))
    assert found(name) == [(1, ""), (2, "")]
    plain = tmp_path / "b.jsonl.gz"
    plain.write_bytes(LINES[0] + LINES[1])
    assert found(plain) == [(1, ""), (2, "")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(LINES[0] + b"\n" + LINES[1]))))
    assert found(Path("-"), lines=True) == [(1, ""), (3, "")]


def test_anything_that_is_cut_off_is_a_finding_wherever_it_is_cut(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    whole = pack(b"".join(LINES))
    name = tmp_path / f"a.jsonl{suffix}"
    for length in {5, 11, 30, *range(100, len(whole), 97), len(whole) - 9, len(whole) - 1}:
        name.write_bytes(whole[:length])
        verdicts = found(name)
        assert verdicts[-1][1] == "text.damaged", length
        assert [code for _, code in verdicts[:-1]] == [""] * (len(verdicts) - 1), length
        assert [line for line, _ in verdicts] == list(range(1, len(verdicts) + 1)), length
    (entry,) = list(entries([str(name)]))[-1:]
    assert isinstance(entry, Entry)
    assert "cut off" in entry.findings[0].sentence


def test_a_member_that_is_cut_off_after_a_whole_one(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    name = tmp_path / "a.jsonl"
    name.write_bytes(pack(LINES[0] + LINES[1]) + pack(LINES[2])[:-3])
    assert found(name)[:2] == [(1, ""), (2, "")]
    assert found(name)[-1][1] == "text.damaged"


def test_a_changed_byte_is_a_finding(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    packed = bytearray(
        zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(LINES))
        if suffix == ".zst"
        else pack(b"".join(LINES))
    )
    packed[len(packed) // 2] ^= 0x55
    name = tmp_path / f"a.jsonl{suffix}"
    name.write_bytes(packed)
    codes = [code for _, code in found(name)]
    assert codes[-1] == "text.damaged" or "json.syntax" in codes
    assert any(codes)


def test_gzip_with_something_behind_it(tmp_path: Path) -> None:
    name = tmp_path / "a.jsonl.gz"
    name.write_bytes(gzip.compress(LINES[0]) + b"\0" * 512)
    assert found(name) == [(1, "")]
    name.write_bytes(gzip.compress(LINES[0]) + b"not gzip")
    assert found(name) == [(1, ""), (2, "text.damaged")]


@pytest.mark.parametrize("unpacked", ["one line", "many lines", "an array"])
def test_a_bomb_is_read_in_bounded_memory(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes], unpacked: str
) -> None:
    data = {"one line": b" " * (64 * MIB) + b"{", "many lines": b"{\n" * 50_000, "an array": b"[" + b" " * (64 * MIB)}
    name = tmp_path / f"a.{'json' if unpacked == 'an array' else 'jsonl'}{suffix}"
    name.write_bytes(pack(data[unpacked]))
    data.clear()
    tracemalloc.start()
    try:
        codes = {code for _, code in found(name)} if unpacked != "many lines" else set()
        count = sum(1 for _ in texts(str(name)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 24 * MIB
    assert codes <= {"json.size"}
    assert count == (50_000 if unpacked == "many lines" else 1)


def test_without_zstandard_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = tmp_path / "a.jsonl.zst"
    name.write_bytes(zstandard.compress(LINES[0]))
    real = builtins.__import__

    def without(module: str, *rest: Any) -> Any:
        if module == "zstandard":
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return real(module, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    (unread,) = entries([str(name)])
    assert isinstance(unread, Unread)
    assert "reward-receipts[bulk]" in str(unread)
