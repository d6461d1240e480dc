"""A PostgreSQL server for one test, started as an ordinary user in a folder that is deleted afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps the programs of the server, the newest version first."""


def program(name: str) -> str | None:
    """The path of one of the server's programs."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, PLACES)]))


class Server:
    """A server with its data in a folder. It listens on a socket in that folder only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # The server refuses to run as root.
        self.user = pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.url = f"postgresql://{self.user}@/postgres?host={folder}"
        if os.geteuid() == 0:
            shutil.chown(folder, self.user)
        self._run("initdb", "-D", str(folder / "data"), "--no-sync", "-A", "trust", "-E", "UTF8", "--locale", "C")

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = f"-c listen_addresses='' -c fsync=off -k {self.folder}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self) -> None:
        """Ends the server at once, as when a machine goes away."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.folder / "data"))

    def _run(self, name: str, *arguments: str) -> None:
        user = {"user": self.user} if os.geteuid() == 0 else {}
        found = program(name)
        assert found
        done = subprocess.run(
            [found, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / f"{name}.out").open("w"),
            stderr=subprocess.STDOUT,
            check=False,
            **user,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, (self.folder / f"{name}.out").read_text()


@contextmanager
def postgres_server() -> Iterator[Server]:
    """A running server."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as name:
        server = Server(Path(name))
        server.start()
        try:
            yield server
        finally:
            with suppress(AssertionError):  # the test may have stopped it
                server.stop()
