"""Keeps the submissions of a class, what the grader found out about them, and their results, in a database.

The database is an SQLite file, or PostgreSQL by its URL. Every function that adds something is one transaction: when it
returns, the data is stored. A result is never updated; a new grading adds one. Several processes may write.

    student        who hands in                  submission     what somebody handed in, with its files
    assignment     a version of an assignment    case_result    what the code did on one case, before it was judged
    result         the points of one grading     event          what happened to this store, in order
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from autograder.course.roster import Student, compared
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.report import json as report_json
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, one_line

VERSION = 1
BUSY_SECONDS = 30
"""How long a write waits for another program that writes to the same SQLite file."""
MOST_PARAMETERS = 1000
"""How many values one query may ask for; every database takes so many."""

_tables = sql.MetaData()


def _id() -> sql.Column[int]:
    return sql.Column("id", sql.Integer, primary_key=True)


def _text(name: str, default: str | None = "") -> sql.Column[str]:
    return sql.Column(name, sql.Text, nullable=False, default=default)


def _owner(table: str) -> sql.Column[int]:
    """The row of `table` to which a row belongs. With that row, this row is deleted too."""
    key = sql.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sql.Column(f"{table}_id", sql.Integer, key, nullable=False, index=True)


_STUDENT = sql.Table(
    *("student", _tables, _id(), _text("key", None), _text("compared_key", None), _text("name"), _text("section")),
    sql.UniqueConstraint("compared_key"),
)
_ASSIGNMENT = sql.Table(
    *("assignment", _tables, _id(), _text("name", None), _text("digest", None), _text("content")),
    sql.UniqueConstraint("name", "digest"),
)
_SUBMISSION = sql.Table(
    *("submission", _tables, _id(), _owner("student"), _text("assignment", None), _text("digest")),
    *(_text("received"), _text("source"), _text("problem")),
    sql.Column("files", sql.LargeBinary, nullable=False, default=b""),
    sql.UniqueConstraint("student_id", "assignment", "digest", "received", "problem"),
)
_CASE_RESULT = sql.Table(
    *("case_result", _tables, _id(), _owner("submission"), _text("case", None), _text("digest", None)),
    *(_text("runner", None), sql.Column("alone", sql.Boolean, nullable=False)),
    sql.Column("content", sql.LargeBinary, nullable=False),
    sql.UniqueConstraint("submission_id", "case", "digest", "runner", "alone"),
)
_RESULT = sql.Table(
    *("result", _tables, _id(), _owner("submission"), _text("assignment_digest", None), _text("grader", None)),
    *(sql.Column(name, sql.Float, nullable=False) for name in ("earned", "points", "seconds")),
    *(_text("level"), _text("reason"), _text("graded", None)),
    *(sql.Column(name, sql.JSON, nullable=False) for name in ("cases", "questions", "mistakes")),
    sql.Column("scorecard", sql.LargeBinary, nullable=False),
)
_EVENT = sql.Table("event", _tables, _id(), _text("at", None), _text("kind", None), _text("text"))
_SECRET = sql.Table("secret", _tables, _id(), _text("name", None), _text("value", None), sql.UniqueConstraint("name"))
_VERSION = sql.Table("store_version", _tables, sql.Column("version", sql.Integer, primary_key=True))


@dataclass(frozen=True)
class Submission:
    """What a student handed in. `digest` is that of its files; it is empty if there is a `problem`.

    `received` is the time of receipt in UTC, as in 2026-11-22T08:00:00Z; empty if nobody knows it. `source` says where
    the submission was in the export. With a `problem` it cannot be graded, and has no files.
    """

    id: int
    student: Student
    assignment: str
    digest: str
    received: str
    source: str
    problem: str


@dataclass(frozen=True)
class CaseResult:
    """What the grader found out about a submission in one step, which took processor time.

    `case` is the id of a case (the content is then an answer, see `autograder.judge.answer_json`), the id of a question
    (the content is then what its examination found), or `import`. `digest` is that of all the input, `runner` that of
    the program that ran it. `alone` is false if other submissions ran at the same time.
    """

    case: str
    digest: str
    runner: str
    alone: bool
    content: Any


@dataclass(frozen=True)
class Result:
    """The points of one grading of a submission, without the scorecard.

    `assignment_digest` and `grader` are digests of the questions with their cases and of the program that judges. With
    a `reason` the submission could not be graded: it has 0 points and no scorecard. `cases` maps case ids to the share
    that was earned (0 to 1), `questions` the ids of questions to the points that were earned and those that can be.
    `mistakes` maps the ids of questions to what is wrong there, see `mistakes_of`.
    """

    submission_id: int
    assignment_digest: str
    grader: str
    earned: float
    points: float
    level: str = ""
    reason: str = ""
    cases: Mapping[str, float] = field(default_factory=dict)
    questions: Mapping[str, Sequence[float]] = field(default_factory=dict)
    mistakes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: float = 0.0
    graded: str = ""
    id: int = 0


@dataclass(frozen=True)
class Event:
    """One line of the log of a store."""

    at: str
    kind: str
    text: str


def now() -> str:
    """The time in UTC, as in 2026-11-22T08:00:00Z. Nothing depends on it: the order of rows is that of their ids."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def result_of(submission_id: int, assignment_digest: str, grader: str, card: Scorecard) -> Result:
    """The row for a scorecard."""
    return Result(
        *(submission_id, assignment_digest, grader, card.earned, card.points, card.level),
        cases={case.id: case.earned for question in card.questions for case in question.cases},
        questions={question.id: (question.earned, question.points) for question in card.questions},
        mistakes={question.id: found for question in card.questions if (found := mistakes_of(question))},
        seconds=card.seconds,
    )


def mistakes_of(question: QuestionScore) -> list[str]:
    """What is wrong in a question: the names of the mistakes that the examination found, then the kinds of faults.

    If the examination proves no mistake with a name, its first sentence instead, which says what is wrong.
    """
    found = question.examination
    faults = sorted({case.fault for case in question.cases if case.fault})
    return [*((found.mistakes or found.sentences[:1]) if found else ()), *(f"fault: {kind}" for kind in faults)]


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
        engine, name = _engine(where, create)
        store = cls(engine, name)
        try:
            with store._reports_problems(), engine.begin() as connection:
                if not store._check_version(connection):
                    if not create:
                        raise InputError(f"store {name}: it is empty; fill it with: python -m autograder grade-all")
                    _tables.create_all(connection)
                    connection.execute(sql.insert(_VERSION).values(version=VERSION))
                    if engine.dialect.name == "sqlite":
                        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        except BaseException:  # raised again
            engine.dispose()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._engine.dispose()

    # What the store knows.

    def students(self) -> list[Student]:
        """All students, in the order of their keys."""
        with self._reading() as connection:
            rows = connection.execute(sql.select(*_STUDENT_COLUMNS).order_by(_STUDENT.c.compared_key))
            return [Student(*row) for row in rows]

    def assignments(self) -> list[str]:
        """The names of the assignments, sorted."""
        with self._reading() as connection:
            rows = connection.execute(sql.select(_SUBMISSION.c.assignment).distinct())
            return sorted(name for (name,) in rows)

    def assignment(self, digest: str) -> dict[str, Any]:
        """What `add_assignment` was told about the assignment with this digest; empty if nothing is known."""
        with self._reading() as connection:
            found = connection.scalar(sql.select(_ASSIGNMENT.c.content).where(_ASSIGNMENT.c.digest == digest))
            return json.loads(found) if found else {}

    def submissions(self, assignment: str) -> list[Submission]:
        """All submissions for an assignment in the order in which they came into the store, without their files."""
        columns = [_SUBMISSION.c[name] for name in ("id", "assignment", "digest", "received", "source", "problem")]
        query = sql.select(*columns, *_STUDENT_COLUMNS).join(_STUDENT).where(_SUBMISSION.c.assignment == assignment)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(_SUBMISSION.c.id))
            return [Submission(row[0], Student(row[6], row[7], row[8]), *row[1:6]) for row in rows]

    def files(self, submission_id: int) -> SubmissionFiles:
        """The files of a submission; InputError if it has none."""
        with self._reading() as connection:
            packed = connection.scalar(sql.select(_SUBMISSION.c.files).where(_SUBMISSION.c.id == submission_id))
        if not packed:
            raise InputError(f"store {self.name}: submission {submission_id} has no files")
        values = _unpack(packed)
        files = {name: text.encode("latin-1") for name, text in values["files"].items()}
        return SubmissionFiles(files, values["requested_file"], (), tuple(values["links"]), tuple(values["notes"]))

    def case_results(self, submission_id: int, runner: str) -> list[CaseResult]:
        """What one version of the grader found out about a submission, in the order in which it did."""
        table = _CASE_RESULT
        columns = [table.c[name] for name in ("case", "digest", "runner", "alone", "content")]
        is_asked = (table.c.submission_id == submission_id) & (table.c.runner == runner)
        with self._reading() as connection:
            rows = connection.execute(sql.select(*columns).where(is_asked).order_by(table.c.id))
            return [CaseResult(row[0], row[1], row[2], row[3], _unpack(row[4])) for row in rows]

    def results(self, assignment: str) -> list[Result]:
        """All results of all submissions for an assignment, in the order in which they were added."""
        columns = [_RESULT.c[name] for name in _RESULT_COLUMNS]
        query = sql.select(*columns).join(_SUBMISSION).where(_SUBMISSION.c.assignment == assignment)
        with self._reading() as connection:
            return [Result(**row._mapping) for row in connection.execute(query.order_by(_RESULT.c.id))]

    def last_results(self, assignment: str) -> dict[int, Result]:
        """The result that was added last for each submission for an assignment, by the id of the submission.

        Without the shares of cases, which take most of the time to read: see `common_shares`.
        """
        query = sql.select(*(_RESULT.c[name] for name in _RESULT_COLUMNS if name != "cases"))
        with self._reading() as connection:
            rows = connection.execute(query.where(_is_last(assignment)))
            return {row.submission_id: Result(**row._mapping) for row in rows}

    def common_shares(self, result_ids: Sequence[int]) -> dict[str, float]:
        """The cases in which all these results have the same share, with that share.

        Compares the texts of the stored JSON, because to read 10,000 of them takes most of a second. Inside a JSON
        string, a quotation mark has a backslash before it: so `, "` only stands between two cases.
        """
        query = sql.select(sql.cast(_RESULT.c.cases, sql.Text))
        common: set[str] | None = None
        with self._reading() as connection:
            for start in range(0, len(result_ids), MOST_PARAMETERS):
                ids = result_ids[start : start + MOST_PARAMETERS]
                for text in connection.scalars(query.where(_RESULT.c.id.in_(ids))):
                    pairs = text.removeprefix('{"').removesuffix("}").split(', "')
                    common = set(pairs) if common is None else common.intersection(pairs)
        shares: dict[str, float] = json.loads('{"' + ', "'.join(sorted(common)) + "}") if common else {}
        return shares

    def graded(self, assignment: str, assignment_digest: str, grader: str) -> dict[int, Result]:
        """The last results, where they have these two digests, by the id of their submission.

        Without their cases, questions and mistakes.
        """
        is_asked = (_RESULT.c.assignment_digest == assignment_digest) & (_RESULT.c.grader == grader)
        columns = [_RESULT.c[name] for name in _RESULT_COLUMNS if name not in ("cases", "questions", "mistakes")]
        query = sql.select(*columns).where(is_asked, _is_last(assignment))
        with self._reading() as connection:
            return {row.submission_id: Result(**row._mapping) for row in connection.execute(query)}

    def scorecard(self, result_id: int) -> Scorecard | None:
        """The scorecard of a result; None if the submission could not be graded."""
        with self._reading() as connection:
            packed = connection.scalar(sql.select(_RESULT.c.scorecard).where(_RESULT.c.id == result_id))
        return report_json.load(zlib.decompress(packed).decode()) if packed else None

    def events(self) -> list[Event]:
        """The log, in order."""
        with self._reading() as connection:
            rows = connection.execute(sql.select(_EVENT.c.at, _EVENT.c.kind, _EVENT.c.text).order_by(_EVENT.c.id))
            return [Event(*row) for row in rows]

    # What is added.

    def add_students(self, students: Iterable[Student]) -> None:
        """Adds students. Of one who is known already, takes the name and the section, where they are not empty."""
        with self._writing() as connection:
            for student in students:
                self._student_id(connection, student)

    def add_assignment(self, name: str, digest: str, content: Mapping[str, Any]) -> None:
        """Adds a version of an assignment, with what people want to know about it later."""
        values = {"name": name, "digest": digest, "content": json.dumps(content)}
        with self._writing() as connection:
            self._insert_once(connection, _ASSIGNMENT, values)

    def add_submission(
        self,
        student: Student,
        assignment: str,
        files: SubmissionFiles | None,
        received: str = "",
        source: str = "",
        problem: str = "",
    ) -> int:
        """The id of a submission, which is added unless the student has handed in the same files at the same time.

        Without files, the `problem` says why. A student who is not known yet is added.
        """
        packed = b""
        if files is not None:
            contents = {name: content.decode("latin-1") for name, content in files.files.items()}
            rest = {"requested_file": files.requested_file, "links": files.links, "notes": files.notes}
            packed = _pack({"files": contents, **rest})
        digest = "" if files is None else files.digest
        with self._writing() as connection:
            keys = {
                "student_id": self._student_id(connection, student),
                "assignment": assignment,
                "digest": digest,
                "received": received,
                "problem": _safe(problem),
            }
            self._insert_once(connection, _SUBMISSION, {**keys, "source": _safe(source), "files": packed})
            is_same = sql.and_(*(_SUBMISSION.c[name] == value for name, value in keys.items()))
            return int(connection.scalars(sql.select(_SUBMISSION.c.id).where(is_same)).one())

    def add_case_result(self, submission_id: int, result: CaseResult) -> None:
        """Adds what the grader found out in one step, unless it is there already."""
        values = {
            "submission_id": submission_id,
            "case": result.case,
            "digest": result.digest,
            "runner": result.runner,
            "alone": result.alone,
            "content": _pack(result.content),
        }
        with self._writing() as connection:
            self._insert_once(connection, _CASE_RESULT, values)

    def add_result(self, result: Result, card: Scorecard | None) -> None:
        """Adds a result, unless the last one of the submission has the same digests.

        So the last result is the one that counts, also if a change of the assignment was taken back.
        """
        values: dict[str, Any] = {name: getattr(result, name) for name in _RESULT_COLUMNS if name != "id"}
        values |= {"reason": _safe(result.reason), "graded": result.graded or now()}
        values |= {
            "cases": dict(result.cases),
            "questions": {key: list(value) for key, value in result.questions.items()},
            "mistakes": {key: list(value) for key, value in result.mistakes.items()},
        }
        values["scorecard"] = zlib.compress(report_json.dump(card).encode()) if card else b""
        table = _RESULT
        query = sql.select(table.c.assignment_digest, table.c.grader).order_by(table.c.id.desc()).limit(1)
        with self._writing() as connection:
            last = connection.execute(query.where(table.c.submission_id == result.submission_id)).first()
            if last is None or tuple(last) != (result.assignment_digest, result.grader):
                connection.execute(sql.insert(table).values(**values))

    def add_event(self, kind: str, text: str) -> None:
        """Adds a line to the log."""
        with self._writing() as connection:
            connection.execute(sql.insert(_EVENT).values(at=now(), kind=kind, text=_safe(text)))

    def erase_submissions(self, ids: Iterable[int]) -> None:
        """Erases submissions with their files, answers and results. The students stay."""
        with self._writing() as connection:
            for each in ids:
                connection.execute(sql.delete(_SUBMISSION).where(_SUBMISSION.c.id == each))

    def erase_students(self, keys: Iterable[str]) -> None:
        """Erases students with all their submissions."""
        with self._writing() as connection:
            for key in keys:
                connection.execute(sql.delete(_STUDENT).where(_STUDENT.c.compared_key == _safe(compared(key))))

    def compact(self) -> None:
        """Writes an SQLite file anew, without the traces of rows that were erased. PostgreSQL does so by itself."""
        if self._engine.dialect.name == "sqlite":
            with self._reports_problems(), self._engine.connect() as connection:
                cursor = connection.connection.cursor()  # outside of any transaction
                cursor.execute("VACUUM")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def secret(self, name: str) -> str:
        """A random text of this store, which stays the same: made when it is needed for the first time."""
        with self._writing() as connection:
            self._insert_once(connection, _SECRET, {"name": name, "value": secrets.token_hex(32)})
            return str(connection.scalars(sql.select(_SECRET.c.value).where(_SECRET.c.name == name)).one())

    # How.

    @contextmanager
    def _reading(self) -> Iterator[sql.Connection]:
        """A transaction that only reads: it does not wait for programs that write."""
        with self._reports_problems(), self._engine.execution_options(reads=True).begin() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        with self._reports_problems(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reports_problems(self) -> Iterator[None]:
        """Turns an error of the database into one line."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise InputError(f"store {self.name}: {_problem(error)}") from None

    def _check_version(self, connection: sql.Connection) -> bool:
        """True if there is a store of this version, false if the database is empty. InputError for anything else."""
        tables = sql.inspect(connection).get_table_names()
        if not tables:
            return False
        found = None
        if _VERSION.name in tables:
            found = connection.scalar(sql.select(_VERSION.c.version))
        elif self._engine.dialect.name == "postgresql" and not {table.name for table in _tables.sorted_tables} & set(
            tables
        ):
            return False  # other tables of the same database are somebody else's
        if found is None:
            raise InputError(f"store {self.name}: a database, but not a store of this program")
        if found != VERSION:
            raise InputError(
                f"store {self.name}: made by another version of this program (store version {found}, expected "
                f"{VERSION}); use that version, or grade into a new store"
            )
        return True

    def _student_id(self, connection: sql.Connection, student: Student) -> int:
        """The id of the student, who is added if necessary."""
        table, key = _STUDENT, compared(student.key)
        row = {"key": student.key, "compared_key": key, "name": student.name, "section": student.section}
        self._insert_once(connection, table, {name: _safe(value) for name, value in row.items()})
        known = {name: _safe(row[name]) for name in ("name", "section") if row[name]}
        if known:
            connection.execute(sql.update(table).where(table.c.compared_key == _safe(key)).values(**known))
        return int(connection.scalars(sql.select(table.c.id).where(table.c.compared_key == _safe(key))).one())

    def _insert_once(self, connection: sql.Connection, table: sql.Table, values: Mapping[str, Any]) -> None:
        """Inserts a row unless a unique constraint says that it is there."""
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())


_STUDENT_COLUMNS = (_STUDENT.c.key, _STUDENT.c.name, _STUDENT.c.section)
_RESULT_COLUMNS = [column.name for column in _RESULT.columns if column.name != "scorecard"]


def _is_last(assignment: str) -> sql.ColumnElement[bool]:
    """The condition that a result was added last for its submission, which is one for this assignment."""
    last = sql.select(sql.func.max(_RESULT.c.id)).join(_SUBMISSION).where(_SUBMISSION.c.assignment == assignment)
    return _RESULT.c.id.in_(last.group_by(_RESULT.c.submission_id))


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def _unpack(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))


def _safe(text: str) -> str:
    """The text without what a database does not store: null characters and lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _engine(where: str, create: bool) -> tuple[sql.Engine, str]:
    """The engine for a file or a URL, and the name of the store for messages."""
    if "://" not in where:
        path = Path(where)
        if not create and not path.exists():
            raise InputError(f"store {where}: no such file; make one with: python -m autograder grade-all")
        if path.is_dir() or not path.resolve().parent.is_dir():
            problem = "is a folder" if path.is_dir() else f"no folder {path.parent}"
            raise InputError(f"store {where}: {problem}; expected the name of a file, as in class.db")
        engine = sql.create_engine(sql.URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_SECONDS})
        sql.event.listen(engine, "connect", _prepare_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
        return engine, where
    try:
        url = sql.make_url(where)
    except (SQLAlchemyError, ValueError):
        raise InputError("--store: not a URL; expected postgresql://USER@HOST/NAME or the name of a file") from None
    name = url.render_as_string(hide_password=True)
    if url.drivername not in ("postgresql", "postgresql+psycopg"):
        raise InputError(f"store {name}: expected postgresql://USER@HOST/NAME or the name of a file")
    try:
        return sql.create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True), name
    except ImportError:
        raise InputError(
            f"store {name}: PostgreSQL needs psycopg; install it with: python -m pip install 'psycopg[binary]'"
        ) from None


def _prepare_sqlite(connection: Any, record: ConnectionPoolEntry) -> None:
    """Settings of a new connection. In WAL mode, readers and one writer do not wait for each other.

    With `synchronous = NORMAL`, what was committed outlives the end of every process (not a power cut).
    """
    connection.isolation_level = None  # Python begins no transactions by itself: `_begin_sqlite` does
    for setting in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: sql.Connection) -> None:
    """Takes the lock for writing at once: a transaction that took it later could fail after it has read."""
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _problem(error: Exception) -> str:
    """An error of a database in one line, with what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    text = one_line(str(cause).partition("\n")[0], to_text=str)
    advice = {
        "is locked": f"another program has been writing to it for {BUSY_SECONDS} s; wait for it and start again",
        "is full": "the disk is full; make room and start again",
        "not a database": "this file is not a store; name another file",
        "readonly": "it cannot be written; check the rights of the file and its folder",
        "unable to open": "it cannot be opened; check the rights of the file and its folder",
    }
    return next((line for part, line in advice.items() if part in text), f"{text}; what is stored stays stored")
