"""The store works in the same way in PostgreSQL: with a real server, which also goes away in the middle."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy

from autograder.course.intake.roster import Student
from autograder.course.records import Result, Step
from autograder.course.store import Store
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course.filled_store import fill

pwd = pytest.importorskip("pwd", reason="PostgreSQL's server is started on POSIX only")
PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps the programs of the server, the newest version first."""


def program(name: str) -> str | None:
    """The path of one of the server's programs."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, PLACES)]))


pytestmark = pytest.mark.skipif(
    not (program("initdb") and importlib.util.find_spec("psycopg")), reason="needs PostgreSQL's server and psycopg"
)


class Server:
    """A server with its data in a folder. It listens on a socket in that folder only, and refuses to run as root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.url = f"postgresql://{self.user}@/postgres?host={folder}"
        if os.geteuid() == 0:
            shutil.chown(folder, self.user)
        self._run("initdb", "--no-sync", "-A", "trust", "-E", "UTF8", "--locale", "C")

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = f"-c listen_addresses='' -c fsync=off -k {self.folder}"
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def stop(self) -> None:
        """Ends the server at once, as when a machine goes away."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    def _run(self, name: str, *arguments: str) -> None:
        words, user = [str(program(name)), *arguments, "-D", "data"], self.user if os.geteuid() == 0 else None
        with (self.folder / f"{name}.out").open("w") as out:  # no pipe: the server would keep it
            subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, user=user, check=True)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server, started as an ordinary user in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as name:
        running = Server(Path(name))
        running.start()
        try:
            yield running
        finally:
            with suppress(subprocess.CalledProcessError):  # a test may have stopped it
                running.stop()


def test_a_class_has_the_same_marks_and_board_in_both_databases(server: Server, tmp_path: Path) -> None:
    """What is graded comes from the same functions of the store, which are tested with SQLite."""
    outputs = []
    for where in (server.url, str(tmp_path / "class.db")):
        fill(where)
        commands = (("gradebook", "--attempt", "best", "--out", "-"), ("board", "--json", "-"))
        outputs.append([run_here("autograder", *command, "--store", where).stdout for command in commands])
    assert outputs[0] == outputs[1]
    assert all(outputs[0])


def test_nothing_is_stored_twice_and_strange_texts_are(server: Server) -> None:
    files = SubmissionFiles({"ada.py": b"x = '\xff'\0\n"})
    with Store.open(server.url, create=True) as store:
        ids = {store.add_attempt(Student(key, "Zo\udcff\0"), "m", files, source="a\0b") for key in ("Ö", "o\u0308")}
        assert len(ids) == 1
        work = store.attempts("m")[0].work
        assert store.files(work) == files
        store.add_steps(work, [Step("q2/a", "c", "r", True, "\0")])
        store.add_result(Result(work, "a", "g", earned=1, points=5, reason="\0"), None)
        assert [each.content for each in store.steps(work, "r")] == ["\0"]
        assert [each.reason for each in store.results("m")] == [" "]


def test_a_database_that_goes_away_is_one_line_and_nothing_is_lost(server: Server) -> None:
    with Store.open(server.url, create=True) as store:
        store.add_event("before", "")
        server.stop()
        try:
            with pytest.raises(InputError) as error:
                store.add_event("meanwhile", "")
        finally:
            server.start()
        assert str(error.value).startswith("store postgresql://")
        assert "\n" not in str(error.value)
        store.add_event("after", "")
        assert [event.kind for event in store.events()][-2:] == ["before", "after"]


def test_other_tables_of_the_database_do_no_harm_and_another_version_is_refused(server: Server) -> None:
    other, url = server.url.replace("/postgres?", "/other?"), server.url.replace("postgresql:", "postgresql+psycopg:")

    def execute(url: str, statement: str) -> None:
        engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()

    execute(url, "CREATE DATABASE other")
    execute(url.replace("/postgres?", "/other?"), "CREATE TABLE wine (year INTEGER)")
    with pytest.raises(InputError, match="it is empty; fill it with"):
        Store.open(other)
    with Store.open(other, create=True) as store:
        assert store.students() == []
    execute(url.replace("/postgres?", "/other?"), "UPDATE store_version SET version = 99")
    with pytest.raises(InputError, match="made by another version of this program"):
        Store.open(other)
