"""Keeps a class in a database: the roster, what was handed in, what the grader found out about it, and the results.

An attempt names an account by the keys that its platform wrote. Whose it is follows from the roster when it is read: so
another roster moves nothing and erases nothing. What was found out belongs to the files of an account (a work), and
rows are only added: the last one counts. One program writes, that which grades; `adjust` may write beside it.

roster     the students of the course        step        what the code did in one step, before it was judged
work       the files of an account           result      the points of one grading
attempt    what an account handed in         adjustment  points that the staff gave
fact       one value for each name           event       what happened to this store, in order
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from autograder.course.intake.roster import Student, by_key, compared
from autograder.course.records import Adjustment, Result, Step, Submission, now
from autograder.judge.scorecard import Scorecard
from autograder.report import json as report_json
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, one_line
from pacman.core.files import near_file

if sys.platform == "linux":
    import fcntl

VERSION = 7
BUSY_SECONDS = 30
"""How long a write waits for another program that writes to the same SQLite file."""
URL_FORM = "expected postgresql://USER@HOST/NAME or the name of a file"
DAMAGED = "this file is damaged; use a copy of it, or grade into a new store"
ADVICE = {
    "is full": "the disk is full; make room and start again",
    "malformed": DAMAGED,
    "not a database": "this file is not a store; name another file",
    "readonly": "it cannot be written; check the rights of the file and its folder",
    "unable to open": "it cannot be opened; check the rights of the file and its folder",
}
"""What to do, by a part of the text of the database's error."""
_META = sql.MetaData()


def _table(name: str, texts: Iterable[str], *columns: sql.Column[Any] | sql.UniqueConstraint) -> sql.Table:
    """A table with an id, with columns of text, and with others."""
    own = [sql.Column(each, sql.Text, nullable=False, default="") for each in texts]
    return sql.Table(name, _META, sql.Column("id", sql.Integer, primary_key=True), *own, *columns)


def _work(is_always: bool = True) -> sql.Column[int]:
    """The row of `work` to which a row belongs. With that row, this row is deleted too."""
    key = sql.ForeignKey("work.id", ondelete="CASCADE")
    return sql.Column("work", sql.Integer, key, nullable=not is_always, index=True)


def _json(*names: str) -> list[sql.Column[Any]]:
    return [sql.Column(name, sql.JSON, nullable=False) for name in names]


def _blob(name: str) -> sql.Column[bytes]:
    return sql.Column(name, sql.LargeBinary, nullable=False)


ROSTER = _table("roster", ("key", "name", "section"), *_json("due", "also"))
_IS_ONE = sql.UniqueConstraint("account", "assignment", "digest")
WORK = _table("work", ("account", "assignment", "digest"), _blob("files"), _IS_ONE)
_OF_ATTEMPT = ("assignment", "account", "other_keys", "key", "name", "files", "received", "source", "problem", "at")
ATTEMPT = _table("attempt", _OF_ATTEMPT, sql.Column("repeats", sql.Integer), _work(is_always=False))
STEP = _table("step", ("case", "digest", "runner"), sql.Column("alone", sql.Boolean), _work(), _blob("content"))
_NUMBERS = [sql.Column(name, sql.Float, nullable=False) for name in ("earned", "points")]
_OF_RESULT = ("assignment_digest", "grader", "reason", "graded")
_VALUES = _json("cases", "questions", "mistakes", "locked")
RESULT = _table("result", _OF_RESULT, _work(), *_NUMBERS, *_VALUES, _blob("scorecard"))
ADJUSTMENT = _table("adjustment", ("key", "assignment", "question", "reason", "at"), sql.Column("points", sql.Float))
FACT = _table("fact", ("name",), *_json("value"), sql.UniqueConstraint("name"))
EVENT = _table("event", ("at", "kind", "text"))
_VERSION = sql.Table("store_version", _META, sql.Column("version", sql.Integer, primary_key=True))


@dataclass(frozen=True)
class People:
    """Says whose an account is, by the roster. `accounts` are those that handed something in, with their other keys.

    `owners` maps each of these other keys to the accounts that had it.
    """

    roster: Mapping[str, Student]
    accounts: Mapping[str, tuple[Student, Sequence[str]]]
    owners: Mapping[str, set[str]]

    def owner(self, account: str, other_keys: Iterable[str]) -> Student:
        """The student of the roster who has the first of these keys that it knows; or else the account itself."""
        known = (self.roster[key] for key in (account, *other_keys) if key in self.roster)
        return next(known, None) or replace(self.accounts[account][0], is_listed=not self.roster)

    def find(self, name: str) -> Student | None:
        """Who has this key in the roster or on the platform; None if nobody or several have it.

        If the attempts of an account are of several students, the last one counts.
        """
        key = compared(name)
        if key in self.roster:
            return self.roster[key]
        own = {key} if key in self.accounts else self.owners.get(key, set())
        return self.owner(account, self.accounts[account][1]) if len(own) == 1 and (account := min(own)) else None

    def all(self, adjusted: Iterable[str] = ()) -> list[Student]:
        """All students: those of the roster, of accounts, and who has one of the `adjusted` keys; by their keys."""
        others = [self.find(key) or Student(key, is_listed=not self.roster) for key in adjusted]
        others += [self.owner(account, keys) for account, (_, keys) in self.accounts.items()]
        by_key = {compared(each.key): each for each in (*others, *self.roster.values())}
        return [by_key[key] for key in sorted(by_key)]


class Store:
    """An open store. A context manager: leaving it closes the database."""

    def __init__(self, engine: sql.Engine, name: str) -> None:
        self.name = name
        """The file or the URL, without a password."""
        self._engine = engine

    @classmethod
    def open(cls, where: str, create: bool = False) -> Self:
        """The store in an SQLite file or at a URL (postgresql://USER@HOST/NAME). With `create`, makes a new one.

        InputError if there is none, if it cannot be opened, or if another version of this program made it.
        """
        store = cls(*_engine(where, create))
        try:
            with store._transaction() as connection:
                if not _is_filled(connection, store.name):
                    if not create:
                        problem = "it is empty; fill it with: python -m autograder grade-all"
                        raise InputError(f"store {store.name}: {problem}")
                    _META.create_all(connection)
                    connection.execute(sql.insert(_VERSION).values(version=VERSION))
        except BaseException:  # raised again
            store.__exit__()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._engine.dispose()

    # What comes in. Each function is one transaction: when it returns, the data is stored.

    def replace_roster(self, students: Iterable[Student]) -> tuple[int, int, int]:
        """Takes these students as all those of the course, in place of those of an earlier roster.

        Returns how many students are new, gone, and changed; zeros for the first roster.
        """
        known, new = ({compared(each.key): each for each in those} for those in (self.roster(), students))
        rows = []
        for each in new.values():
            texts = {"key": _safe(each.key), "name": _safe(each.name), "section": _safe(each.section)}
            rows.append({**texts, "due": each.due, "also": each.also})
        with self._transaction() as connection:
            connection.execute(sql.delete(ROSTER))
            if rows:
                connection.execute(sql.insert(ROSTER), rows)
        if not known:
            return 0, 0, 0
        both = new.keys() & known.keys()
        changed = sum(astuple(known[key])[1:] != astuple(new[key])[1:] for key in both)
        return len(new) - len(both), len(known) - len(both), changed

    def add_attempt(
        self,
        account: Student,
        assignment: str,
        files: SubmissionFiles | None,
        received: str = "",
        source: str = "",
        problem: str = "",
        other_keys: Sequence[str] = (),
    ) -> int:
        """Adds what an account handed in, and returns the id of the attempt; without files, the `problem` says why.

        The id is the old one if the account handed in the same last, or at the same time of receipt. Another time of
        receipt of the same place in the export corrects the one before. Which of several files is graded is no new
        attempt: the choice takes its place, and is kept for the same files.
        """
        own_key, *keys = (_safe(compared(key)) for key in (account.key, *other_keys))
        own = self._attempt_rows(assignment, own_key)
        digest = "" if files is None else replace(files, requested_file="").digest
        if files is not None and not files.requested_file and len(files.files) > 1:
            before = next((row.work for row in reversed(own) if row.files == digest), None)
            files = replace(files, requested_file=self.files(before).requested_file if before else "")
        about = {"files": digest, "problem": _safe(problem), "received": received, "source": _safe(source)}
        same = _repeated(own, **about)
        first, received = (int(same.repeats or same.id), received or same.received) if same else (0, received)
        with self._transaction() as connection:
            work = None if files is None else self._work_id(connection, own_key, assignment, files)
            if same and (same.work, same.received) == (work, received):
                return first
            student = {"account": own_key, "key": _safe(account.key), "name": _safe(account.name)}
            rest = {"assignment": assignment, "other_keys": json.dumps(keys), "work": work, "repeats": first or None}
            values = {**about, **student, **rest, "received": received, "at": same.at if same else now()}
            added = connection.execute(sql.insert(ATTEMPT).values(values).returning(ATTEMPT.c.id)).scalar_one()
            return first or int(added)

    def add_steps(self, work: int, steps: Iterable[Step]) -> None:
        """Adds what the grader found out about a work in some steps."""
        with self._transaction() as connection:
            for each in steps:
                connection.execute(sql.insert(STEP).values(**{**vars(each), "content": _pack(each.content)}, work=work))

    def add_result(self, result: Result, card: Scorecard | None) -> None:
        """Adds a result. Those before stay, and the last one counts."""
        packed = zlib.compress(report_json.dump(card).encode()) if card else b""
        values = {**vars(result), "reason": _safe(result.reason), "graded": result.graded or now(), "scorecard": packed}
        del values["id"]
        self._insert(RESULT, **values)

    def add_adjustment(self, key: str, assignment: str, question: str, points: float | None, reason: str) -> None:
        """Adds that the course staff gave a student these points in a question; None undoes what was given before."""
        values = {"key": _safe(key), "assignment": assignment, "question": question, "points": points}
        self._insert(ADJUSTMENT, **values, reason=_safe(reason), at=now())

    def remember(self, name: str, value: Any) -> None:
        """Keeps a fact under this name, in place of an earlier one."""
        with self._transaction() as connection:
            connection.execute(sql.delete(FACT).where(FACT.c.name == name))
            connection.execute(sql.insert(FACT).values(name=name, value=value))

    def add_event(self, kind: str, text: str) -> None:
        """Adds a line to the log."""
        self._insert(EVENT, at=now(), kind=kind, text=_safe(text))

    # What is there.

    def roster(self) -> list[Student]:
        """The students of the roster, in its order."""
        return [
            Student(row.key, row.name, row.section, tuple(map(tuple, row.due)), tuple(row.also))
            for row in self._rows(sql.select(ROSTER).order_by(ROSTER.c.id))
        ]

    def people(self) -> People:
        """Whose the accounts are, by the roster as it is now."""
        accounts, owners = dict[str, tuple[Student, list[str]]](), dict[str, set[str]]()
        columns = (ATTEMPT.c[name] for name in ("account", "other_keys", "key", "name"))
        for account, text, key, name in self._rows(sql.select(*columns).order_by(ATTEMPT.c.id)):
            before, keys = accounts.get(account, (Student(key), []))[0], json.loads(text)
            accounts[account] = Student(before.key, name or before.name), keys
            for other in keys:
                owners.setdefault(other, set()).add(account)
        return People(by_key(self.roster()), accounts, owners)

    def students(self, people: People | None = None) -> list[Student]:
        """All students of the roster, and all others with an attempt or an adjustment, in the order of their keys."""
        return (people or self.people()).all(key for (key,) in self._rows(sql.select(ADJUSTMENT.c.key).distinct()))

    def assignments(self) -> list[str]:
        """The names of the assignments, sorted."""
        return sorted(name for (name,) in self._rows(sql.select(ATTEMPT.c.assignment).distinct()))

    def attempts(self, assignment: str, people: People | None = None) -> list[Submission]:
        """What was handed in for an assignment, in order, with results. Who hands in A, B and A again has A twice."""
        people, results, attempts = people or self.people(), self.last_results(assignment), []
        for row in self._attempt_rows(assignment):
            owner, first = people.owner(row.account, json.loads(row.other_keys)), row.repeats or row.id
            place = row.received, row.source, row.problem, row.at
            attempts.append(Submission(first, row.work or 0, owner, *place, results.get(row.work)))
        return attempts

    def some_attempts(self, assignment: str, people: People | None = None) -> list[Submission]:
        """The same; InputError if nothing is graded yet."""
        attempts = self.attempts(assignment, people)
        if not any(each.problem or each.result for each in attempts):
            problem = f"no result yet for assignment '{assignment}'; get results with: python -m autograder grade-all"
            raise InputError(f"store {self.name}: {problem}")
        return attempts

    def adjustments(self, assignment: str, people: People | None = None) -> dict[str, tuple[Adjustment, ...]]:
        """What the course staff adjusted in an assignment and did not undo, by the compared keys of the students."""
        people = people or self.people()
        last: dict[str, dict[str, Adjustment]] = {}
        query = sql.select(ADJUSTMENT).where(ADJUSTMENT.c.assignment == assignment).order_by(ADJUSTMENT.c.id)
        for row in self._rows(query):
            owner = people.find(row.key)
            own = last.setdefault(compared(owner.key if owner else row.key), {})
            own.pop(row.question, None)
            if row.points is not None:
                own[row.question] = Adjustment(row.question, row.points, row.reason)
        return {key: tuple(own.values()) for key, own in last.items() if own}

    def files(self, work: int) -> SubmissionFiles:
        """The files of a work."""
        with self._transaction(reads=True) as connection:
            values = unpack(connection.scalar(sql.select(WORK.c.files).where(WORK.c.id == work)) or b"")
            files = {name: text.encode("latin-1") for name, text in values["files"].items()}
            return SubmissionFiles(files, values["requested_file"], (), tuple(values["links"]), tuple(values["notes"]))

    def steps(self, work: int, runner: str) -> list[Step]:
        """What one version of the grader found out about a work, in the order in which it did."""
        query = sql.select(STEP).where(STEP.c.work == work, STEP.c.runner == runner).order_by(STEP.c.id)
        with self._transaction(reads=True) as connection:
            rows = connection.execute(query)
            return [Step(row.case, row.digest, row.runner, row.alone, unpack(row.content)) for row in rows]

    def results(self, assignment: str, with_cases: bool = True) -> list[Result]:
        """All results of an assignment, in the order in which they were added. Shares of cases take long to read."""
        left_out = {"scorecard"} if with_cases else {"scorecard", "cases"}
        columns = (column for column in RESULT.columns if column.name not in left_out)
        query = sql.select(*columns).join(WORK).where(WORK.c.assignment == assignment).order_by(RESULT.c.id)
        return [Result(**row._mapping) for row in self._rows(query)]

    def last_results(self, assignment: str) -> dict[int, Result]:
        """The last result of each work for an assignment, without the shares of cases."""
        return {each.work: each for each in self.results(assignment, with_cases=False)}

    def scorecard(self, result_id: int) -> Scorecard | None:
        """The scorecard of a result; None if the submission could not be graded."""
        with self._transaction(reads=True) as connection:
            packed = connection.scalar(sql.select(RESULT.c.scorecard).where(RESULT.c.id == result_id))
            return report_json.load(zlib.decompress(packed).decode()) if packed else None

    def fact(self, name: str) -> Any:
        """What is remembered under this name; None if nothing is."""
        with self._transaction(reads=True) as connection:
            return connection.scalar(sql.select(FACT.c.value).where(FACT.c.name == name))

    def events(self) -> Sequence[Any]:
        """The log, in order: rows with the time `at`, the `kind` and the `text`."""
        return self._rows(sql.select(EVENT.c.at, EVENT.c.kind, EVENT.c.text).order_by(EVENT.c.id))

    # How.

    def _attempt_rows(self, assignment: str, account: str | None = None) -> Sequence[Any]:
        """The last row of each attempt, in the order of the first ones."""
        query = sql.select(ATTEMPT).where(ATTEMPT.c.assignment == assignment).order_by(ATTEMPT.c.id)
        rows = self._rows(query if account is None else query.where(ATTEMPT.c.account == account))
        return list({row.repeats or row.id: row for row in rows}.values())

    def _work_id(self, connection: sql.Connection, account: str, assignment: str, files: SubmissionFiles) -> int:
        """Adds the files of an account unless they are there, and returns their id."""
        own = {"account": account, "assignment": assignment, "digest": files.digest}
        known = connection.scalar(sql.select(WORK.c.id).filter_by(**own))
        if known is not None:
            return int(known)
        contents = {name: content.decode("latin-1") for name, content in files.files.items()}
        rest = {"requested_file": files.requested_file, "links": files.links, "notes": files.notes}
        row = sql.insert(WORK).values(**own, files=_pack({"files": contents, **rest}))
        return int(connection.execute(row.returning(WORK.c.id)).scalar_one())

    def _insert(self, table: sql.Table, **values: Any) -> None:
        with self._transaction() as connection:
            connection.execute(sql.insert(table).values(**values))

    def _rows(self, query: sql.Select[Any]) -> Sequence[Any]:
        with self._transaction(reads=True) as connection:
            return connection.execute(query).all()

    @contextmanager
    def _transaction(self, reads: bool = False) -> Iterator[sql.Connection]:
        """A transaction; one that only `reads` does not wait for programs that write.

        Turns an error of the database, and what a damaged row raises when it is read, into one line.
        """
        try:
            with self._engine.execution_options(reads=reads).begin() as connection:
                yield connection
        except InputError:
            raise
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise InputError(f"store {self.name}: {_problem(error)}") from None
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, zlib.error) as error:
            damaged = DAMAGED.replace(";", f" ({type(error).__name__});", 1)
            raise InputError(f"store {self.name}: {damaged}") from None


def _repeated(own: Sequence[Any], files: str, problem: str, received: str, source: str) -> Any:
    """The attempt of the account that one with these values repeats; None if it is a new one. `own` are all of them.

    It repeats one with the same time of receipt; the last one also if one of both has no time, or if it stands at the
    same place in the export: then its time is a correction.
    """
    alike = [each for each in own if (each.files, each.problem) == (files, problem)]
    same = [each for each in alike if received and each.received == received]
    if not same and alike and alike[-1] is own[-1]:
        is_correction = "" in (received, own[-1].received) or source == own[-1].source != ""
        same = alike if is_correction else []
    return same[-1] if same else None


def _is_filled(connection: sql.Connection, name: str) -> bool:
    """True if a database has the tables of a store, false if it is empty. InputError if it is something else.

    InputError too for a store of another version: nothing in it is changed.
    """
    tables = sql.inspect(connection).get_table_names()
    version = connection.scalar(sql.select(_VERSION.c.version)) if _VERSION.name in tables else None
    is_shared = connection.dialect.name == "postgresql" and not {*_META.tables} & set(tables)
    if not tables or (version is None and is_shared):  # other tables of the same PostgreSQL are somebody else's
        return False
    if version is None:
        raise InputError(f"store {name}: a database, but not a store of this program")
    if version != VERSION:
        problem = f"made by another version of this program (store version {version}, expected {VERSION})"
        raise InputError(f"store {name}: {problem}; use that version, or grade into a new store")
    return True


def _engine(where: str, create: bool) -> tuple[sql.Engine, str]:
    """The engine for a file or a URL, and the name of the store for messages."""
    if "://" not in where:
        path = Path(where)
        if not create and not path.exists():
            advice = "make one with: python -m autograder grade-all"
            raise InputError(f"store {where}: no such file{near_file(path)}; {advice}")
        is_other = path.exists() and not path.is_file()
        if is_other or not path.resolve().parent.is_dir():
            kind = "is a folder" if path.is_dir() else "is a pipe or a device"
            problem = kind if is_other else f"no folder {path.parent}"
            raise InputError(f"store {where}: {problem}; expected the name of a file, as in class.db")
        engine = sql.create_engine(sql.URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_SECONDS})
        sql.event.listen(engine, "connect", _prepare_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
        return engine, where
    try:
        url = sql.make_url(where)
    except (SQLAlchemyError, ValueError):
        raise InputError(f"--store: not a URL; {URL_FORM}") from None
    name = url.render_as_string(hide_password=True)
    if url.drivername not in ("postgresql", "postgresql+psycopg"):
        raise InputError(f"store {name}: {URL_FORM}")
    try:
        return sql.create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True), name
    except ImportError:
        raise InputError(
            f"store {name}: PostgreSQL needs psycopg; install it with: python -m pip install 'psycopg[binary]'"
        ) from None


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Settings of a new connection. In WAL mode, readers and one writer do not wait for each other.

    With `synchronous = NORMAL`, what was committed outlives the end of every process (not a power cut).
    """
    connection.isolation_level = None  # Python begins no transactions by itself: `_begin_sqlite` does
    for setting in ("foreign_keys = ON", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {setting}")
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:  # a new file is in use: for this setting, SQLite waits for nobody
            if "is locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.05)


def _begin_sqlite(connection: sql.Connection) -> None:
    """Takes the lock for writing at once: a transaction that took it later could fail after it has read."""
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def single_grading(where: str, create: bool = False) -> Iterator[None]:
    """Inside, no other program that calls this function uses the same SQLite file. InputError if one does.

    Open the store inside. With `create`, makes the file if necessary; only its owner can read it. On Linux only: other
    systems do not keep this lock apart from those of SQLite. It ends with this process, however that ends.
    """
    file = None
    if "://" not in where:
        with suppress(OSError):  # then the store cannot be opened either, and says why
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (os.O_CREAT if create else 0)
            file = os.open(where, flags, 0o600)
    try:
        if file is not None and sys.platform == "linux":
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    busy = "another grade-all or regrade is using it; wait until that ends, and start again"
                    raise InputError(f"store {where}: {busy}") from None
        yield
    finally:
        if file is not None:
            os.close(file)  # after the store is closed: this also gives up the locks of SQLite in this process


def _problem(error: Exception) -> str:
    """An error of a database in one line, with what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    text = one_line(str(cause).partition("\n")[0], to_text=str)
    if "is locked" in text:
        return f"another program has been writing to it for {BUSY_SECONDS} s; wait for it and start again"
    return next((line for part, line in ADVICE.items() if part in text), f"{text}; what is stored stays stored")


def unpack(packed: bytes) -> Any:
    """The value that a store has packed."""
    return json.loads(zlib.decompress(packed))


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def _safe(text: str) -> str:
    """The text without what a database does not store: null characters and lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
