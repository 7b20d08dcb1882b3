"""Files appear whole or not at all, with the mode that the umask leaves."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Shell
from field import OPENADAPT
from reward_receipts.core import whole_files
from reward_receipts.core.whole_files import replace_file, write_new_file


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


CONTENT = bytes(range(256)) * 1024
WRITER = """
import itertools, sys
from reward_receipts.core.whole_files import replace_file, write_new_file
content = bytes(range(256)) * 1024
for number in itertools.count():
    write_new_file(f"{sys.argv[1]}/new-{number}", content)
    replace_file(f"{sys.argv[1]}/same", content)
    print(number, flush=True)
"""


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("wait", [0.0, 0.003, 0.011])
def test_a_killed_writer_leaves_whole_files(tmp_path: Path, ended_by: signal.Signals, wait: float) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert writer.stdout is not None
    with writer:
        writer.stdout.readline()  # it has begun
        time.sleep(wait)
        writer.send_signal(ended_by)
    written = [path for path in tmp_path.iterdir() if path.suffix != ".tmp"]
    assert len(written) >= 2
    assert all(path.read_bytes() == CONTENT for path in written)


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_the_umask_is_respected(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_new_file(tmp_path / "new", b"")
        write_new_file(tmp_path / "private", b"", private=True)
        replace_file(tmp_path / "replaced", b"")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"new": 0o666 & ~mask, "private": 0o600, "replaced": 0o666 & ~mask}


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(FileExistsError):
            write_new_file(tmp_path / name, b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_a_file_that_somebody_makes_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "lexists", lambda path: False)
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        write_new_file(tmp_path / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_file_system_without_hard_links_is_not_an_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(whole_files.os, "link", refuse)
    write_new_file(tmp_path / "file", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"new")]


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(whole_files.os, "fsync", full)
    (tmp_path / "old").write_bytes(b"old")
    for write in (write_new_file, replace_file):
        with pytest.raises(OSError, match="No space left"):
            write(tmp_path / "new", b"new")
    with pytest.raises(OSError, match="No space left"):
        replace_file(tmp_path / "old", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("old", b"old")]


def test_replacing_follows_a_link_and_keeps_the_mode(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(OSError, match="No space left"):
        replace_file("/dev/full", b"new")
    replace_file("/dev/null", b"new")
    assert not stat.S_ISREG(os.stat("/dev/null").st_mode)


def test_commands_write_the_mode_that_the_umask_leaves(shell: Shell) -> None:
    before = os.umask(0o027)
    try:
        assert shell("keygen", "key.mine.0001", "--private-key", "private.json", "--keyring", "ring.json").status == 0
        receipt = (OPENADAPT / "receipts.json").read_text().replace("dev.key.synthetic-proof", "key.mine.0001")
        shell.write("receipts.json", receipt)
        text = receipt[receipt.index("{") : receipt.index("}", receipt.index("signature_algorithm")) + 1]
        signing = ("sign", "-", "--signing-key", "private.json", "--kind", "receipt")
        assert shell(*signing, "-o", "signed.json", stdin=text.encode()).status == 0
        printed = shell(*signing, "-o", "-", stdin=text.encode())
    finally:
        os.umask(before)
    assert printed.status == 0
    assert printed.out == (shell.folder / "signed.json").read_text()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in shell.folder.iterdir()}
    assert (modes["private.json"], modes["ring.json"], modes["signed.json"]) == (0o600, 0o640, 0o640)
    assert "-" not in modes


@pytest.mark.parametrize("option", ["--private-key", "--keyring"])
def test_keygen_does_not_print_keys_in_place_of_files(shell: Shell, option: str) -> None:
    ran = shell("keygen", "key.mine.0001", option, "-")
    assert (ran.status, ran.out) == (2, "")
    assert "name a file in place of -" in ran.err
    assert list(shell.folder.iterdir()) == []
