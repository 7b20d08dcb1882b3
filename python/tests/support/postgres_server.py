"""A PostgreSQL server that a test starts from the binaries of the system, in a folder that is removed afterwards."""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def binaries() -> Path | None:
    """The folder of the newest server that is installed, as Debian has it, or of the one in PATH."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), key=lambda path: int(path.split("/")[4]))
    path = found[-1] if found else shutil.which("postgres")
    return None if path is None else Path(path).parent


class Server:
    """A server on a free port of 127.0.0.1. The password of its user ``keeper`` is ``open-sesame-1``."""

    PASSWORD = "open-sesame-1"

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder, self._programs = folder, programs
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if os.geteuid() == 0 and "postgres" not in {each.pw_name for each in pwd.getpwall()}:
            self._user = "nobody"
        if self._user is not None:
            shutil.chown(folder, self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "password").write_text(self.PASSWORD)
        if self._user is not None:
            shutil.chown(folder / "password", self._user)
        self._run("initdb", "-A", "scram-sha-256", "-U", "keeper", f"--pwfile={folder / 'password'}", "-E", "UTF8")

    @property
    def url(self) -> str:
        """The URL of the database ``postgres``, with the password."""
        return f"postgresql://keeper:{self.PASSWORD}@127.0.0.1:{self.port}/postgres"

    def start(self, *settings: str) -> None:
        """Starts the server, and waits until it answers."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c logging_collector=off"
        options += "".join(f" -c {setting}" for setting in settings)
        self._run("pg_ctl", "start", "-w", "-t", "60", "-l", str(self._folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stops the server; ``immediate`` is a crash."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def kill(self) -> None:
        """Stops the server as if it was killed, unless it is stopped already."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")

    def _run(self, program: str, *arguments: str) -> None:
        more: dict[str, Any] = (
            {} if self._user is None else {"user": self._user, "group": pwd.getpwnam(self._user).pw_gid}
        )
        command = [str(self._programs / program), "-D", str(self._folder / "data"), *arguments]
        environment = {**os.environ, "LC_ALL": "C"}
        with open(self._folder.with_suffix(".out"), "ab") as out:  # a pipe would stay open as long as the server
            subprocess.run(command, check=True, stdout=out, stderr=out, cwd="/", env=environment, **more)


@contextlib.contextmanager
def server(*settings: str) -> Iterator[Server]:
    """A server that runs, with settings such as ``fsync=off``."""
    programs = binaries()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="reward-receipts-postgres-"))
    try:
        made = Server(folder, programs)
        try:
            made.start(*settings)
            yield made
        finally:
            made.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_suffix(".out").unlink(missing_ok=True)
