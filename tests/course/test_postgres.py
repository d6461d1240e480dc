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
from tests.course import small_class
from tests.course.filled_store import fill
from tests.course.test_grade_class import graded, rows

pwd = pytest.importorskip("pwd", reason="PostgreSQL's server is started on POSIX only")
PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps the programs of the server, the newest version first."""


def program(name: str) -> str | None:
    """The path of one of the server's programs."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, PLACES)]))


pytestmark = pytest.mark.skipif(
    not (program("initdb") and importlib.util.find_spec("psycopg")), reason="needs PostgreSQL's server and psycopg"
)
FILES = SubmissionFiles({"ada.py": b"x = '\xff'\0\n"})


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


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server, started as an ordinary user in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as name:
        running = Server(Path(name))
        running.start()
        try:
            yield running
        finally:
            with suppress(AssertionError):  # a test may have stopped it
                running.stop()


def new_database(server: Server, name: str) -> str:
    """The URL of a new and empty database."""
    engine = sqlalchemy.create_engine(server.url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return server.url.replace("/postgres?", f"/{name}?")


def test_a_class_has_the_same_results_marks_and_board_in_both_databases(server: Server, tmp_path: Path) -> None:
    assignment = small_class.write_assignment(tmp_path)
    folder = small_class.write_class(tmp_path / "class", loops=False)
    found, outputs = [], []
    for where in (new_database(server, "marks"), str(tmp_path / "class.db")):
        with Store.open(where, create=True) as store:
            assert graded(store, folder, assignment) == {}
            found.append(rows(store))
            assert graded(store, folder, assignment) == {}
            assert len(store.results("trees")) == len(found[-1])
        fill(where)
        commands = (
            ("gradebook", "--store", where, "--attempt", "best", "--out", "-"),
            ("board", "--store", where, "--assignment", "multiagent", "--json", "-"),
        )
        outputs.append([run_here("autograder", *command).stdout for command in commands])
    assert found[0] == found[1]
    assert outputs[0] == outputs[1]
    assert all(outputs[0])


def test_nothing_is_stored_twice_and_strange_texts_are(server: Server) -> None:
    with Store.open(server.url, create=True) as store:
        ids = {store.add_attempt(Student(key, "Zo\udcff\0"), "m", FILES, source="a\0b") for key in ("Ö", "o\u0308")}
        assert len(ids) == 1
        work = store.attempts("m")[0].work
        assert store.files(work) == FILES
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
        kinds = [event.kind for event in store.events()]
        assert kinds[-2:] == ["before", "after"]


def test_other_tables_of_the_database_do_no_harm_and_another_version_is_refused(server: Server) -> None:
    other = new_database(server, "other")
    engine = sqlalchemy.create_engine(other.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE wine (year INTEGER)")
    with pytest.raises(InputError, match="it is empty; fill it with"):
        Store.open(other)
    with Store.open(other, create=True) as store:
        assert store.students() == []
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE store_version SET version = 99")
    with pytest.raises(InputError, match="made by another version of this program"):
        Store.open(other)
    engine.dispose()
