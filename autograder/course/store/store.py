"""Keeps the submissions of a class, what the grader found out about them, and their results, in a database.

Every function that adds something is one transaction: when it returns, the data is stored. A result is never updated; a
new grading adds one. (One exception: if the staff chooses another file of a submission, the results of the file before
are erased.) Several processes may write.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

from autograder.course.intake.roster import Student, compared
from autograder.course.store.connection import make_engine
from autograder.course.store.reader import Reader, unpack
from autograder.course.store.records import CaseResult, Result, now
from autograder.course.store.tables import (
    ADJUSTMENT,
    ASSIGNMENT,
    CASE_RESULT,
    EVENT,
    GAME_KEY,
    HAND_IN,
    RESULT,
    STUDENT,
    SUBMISSION,
    create_tables,
    is_filled,
)
from autograder.judge.scorecard import Scorecard
from autograder.report import json as report_json
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError


class Store(Reader):
    """An open store. A context manager: leaving it closes the database."""

    @classmethod
    def open(cls, where: str, create: bool = False) -> Self:
        """The store in an SQLite file or at a URL (postgresql://USER@HOST/NAME). With `create`, makes a new one.

        InputError if there is none, if it cannot be opened, or if another version of this program made it.
        """
        engine, name = make_engine(where, create)
        store = cls(engine, name)
        try:
            with store._reports_problems(), engine.begin() as connection:
                if not is_filled(connection, name):
                    if not create:
                        raise InputError(f"store {name}: it is empty; fill it with: python -m autograder grade-all")
                    create_tables(connection)
        except BaseException:  # raised again
            engine.dispose()
            raise
        return store

    def replace_roster(self, students: Iterable[Student]) -> tuple[int, int, int]:
        """Takes these students as all those of the course, in place of those of an earlier roster.

        Nothing else changes: whose an attempt or an adjustment is follows from the roster when it is read. Returns how
        many students are new, gone, and changed; zeros for the first roster.
        """
        roster = {_safe(compared(student.key)): student for student in students}
        with self._writing() as connection:
            is_known = STUDENT.c.is_in_roster
            known = {row.compared_key: row for row in connection.execute(sql.select(STUDENT).where(is_known))}
            forgotten = {"is_in_roster": False, "name": "", "section": "", "due": "[]"}
            connection.execute(sql.update(STUDENT).where(is_known).values(**forgotten))
            for student in roster.values():
                self._student_id(connection, student, is_in_roster=True)
            connection.execute(sql.delete(STUDENT).where(~STUDENT.c.is_in_roster, STUDENT.c.id.not_in(_with_work())))
        if not known:
            return 0, 0, 0
        both = roster.keys() & known.keys()
        changed = sum((known[key].name, known[key].section, known[key].due) != _about(roster[key]) for key in both)
        return len(roster) - len(both), len(known) - len(both), changed

    def add_assignment(self, name: str, digest: str, content: Mapping[str, Any]) -> None:
        """Adds a version of an assignment, with what people want to know about it later."""
        values = {"name": name, "digest": digest, "content": json.dumps(content)}
        with self._writing() as connection:
            self._insert_once(connection, ASSIGNMENT, values)

    def add_submission(
        self,
        account: Student,
        assignment: str,
        files: SubmissionFiles | None,
        received: str = "",
        source: str = "",
        problem: str = "",
        other_keys: Sequence[str] = (),
    ) -> int:
        """Adds a submission and returns its id; if the account handed in the same files at the same time, the old id.

        Also adds that it was handed in, unless it is what the account handed in last: a time of receipt counts once.
        Without files, the `problem` says why. Whose it is follows from the roster when it is read: who has the key of
        the account there, or else one of the `other_keys`.

        Which of several files is graded is not part of a submission: another choice erases what was found out about it,
        and is kept for the same files until there is a new one.
        """
        digest = "" if files is None else replace(files, requested_file="").digest
        with self._writing() as connection:
            student_id = self._student_id(connection, account)
            own = (SUBMISSION.c.student_id == student_id) & (SUBMISSION.c.assignment == assignment)
            has_files = own & (SUBMISSION.c.digest == digest)
            if files is not None and not files.requested_file and len(files.files) > 1:
                query = sql.select(SUBMISSION.c.files).where(has_files).order_by(SUBMISSION.c.id.desc()).limit(1)
                before = connection.scalar(query)
                files = replace(files, requested_file=unpack(before)["requested_file"] if before else "")
            packed = _packed_files(files)
            values = {"student_id": student_id, "assignment": assignment, "digest": digest, "received": received}
            keys = json.dumps([_safe(compared(key)) for key in other_keys])
            values |= {"problem": _safe(problem), "source": _safe(source), "files": packed, "other_keys": keys}
            self._insert_once(connection, SUBMISSION, values)
            is_it = has_files & (SUBMISSION.c.received == received) & (SUBMISSION.c.problem == _safe(problem))
            number, kept = connection.execute(sql.select(SUBMISSION.c.id, SUBMISSION.c.files).where(is_it)).one()
            if files and unpack(kept)["requested_file"] != files.requested_file:
                for table in (RESULT, CASE_RESULT):
                    connection.execute(sql.delete(table).where(table.c.submission_id == number))
                connection.execute(sql.update(SUBMISSION).where(is_it).values(files=packed))
            attempts = sql.select(HAND_IN.c.submission_id).join(SUBMISSION).where(own).order_by(HAND_IN.c.id.desc())
            earlier = connection.scalars(attempts).all()
            if number not in (earlier if received else earlier[:1]):
                connection.execute(sql.insert(HAND_IN).values(submission_id=number, at=now()))
            return int(number)

    def add_case_result(self, submission_id: int, result: CaseResult) -> None:
        """Adds what the grader found out in one step, unless it is there already."""
        with self._writing() as connection:
            self._insert_once(connection, CASE_RESULT, _case_values(submission_id, result))

    def replace_case_results(self, submission_id: int, results: Iterable[CaseResult]) -> None:
        """Puts what the grader found out in another run in the place of what it found out before."""
        with self._writing() as connection:
            connection.execute(sql.delete(CASE_RESULT).where(CASE_RESULT.c.submission_id == submission_id))
            for each in results:
                self._insert_once(connection, CASE_RESULT, _case_values(submission_id, each))

    def add_result(self, result: Result, card: Scorecard | None, is_new_run: bool = False) -> None:
        """Adds a result, unless the last one of the submission has the same digests and this is no new run.

        So the last result is the one that counts, also if a change of the assignment was taken back.
        """
        packed = zlib.compress(report_json.dump(card).encode()) if card else b""
        values = {**vars(result), "reason": _safe(result.reason), "graded": result.graded or now(), "scorecard": packed}
        del values["id"]
        query = sql.select(RESULT.c.assignment_digest, RESULT.c.grader).order_by(RESULT.c.id.desc()).limit(1)
        with self._writing() as connection:
            last = connection.execute(query.where(RESULT.c.submission_id == result.submission_id)).first()
            if is_new_run or last is None or tuple(last) != result.version:
                connection.execute(sql.insert(RESULT).values(**values))

    def add_game_key(self, assignment: str, digest: str) -> None:
        """Adds from which key the games of an assignment are drawn, unless the store knows that already."""
        with self._writing() as connection:
            self._insert_once(connection, GAME_KEY, {"assignment": assignment, "digest": digest})

    def add_adjustment(
        self, student: Student, assignment: str, question: str, points: float | None, reason: str
    ) -> None:
        """Adds that the course staff gave a student these points in a question; None undoes what was given before."""
        with self._writing() as connection:
            number = self._student_id(connection, student)
            values = {"student_id": number, "assignment": assignment, "question": question, "points": points}
            connection.execute(sql.insert(ADJUSTMENT).values(**values, reason=_safe(reason), at=now()))

    def add_event(self, kind: str, text: str) -> None:
        """Adds a line to the log."""
        with self._writing() as connection:
            connection.execute(sql.insert(EVENT).values(at=now(), kind=kind, text=_safe(text)))

    # How.

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        with self._reports_problems(), self._engine.begin() as connection:
            yield connection

    def _student_id(self, connection: sql.Connection, student: Student, is_in_roster: bool = False) -> int:
        """Adds the student if the store does not know the student yet, and returns the id.

        What an export says of a student does not change what the roster says.
        """
        key, (name, section, due) = _safe(compared(student.key)), _about(student)
        values = {"key": _safe(student.key), "compared_key": key, "name": name, "section": section, "due": due}
        self._insert_once(connection, STUDENT, values)
        known: dict[str, object] = {column: text for column, text in (("name", name), ("section", section)) if text}
        if is_in_roster:
            known = {**values, "is_in_roster": True}
        if known:
            is_it = (STUDENT.c.compared_key == key) & ~STUDENT.c.is_in_roster
            connection.execute(sql.update(STUDENT).where(is_it).values(**known))
        query = sql.select(STUDENT.c.id).where(STUDENT.c.compared_key == key)
        return int(connection.scalars(query.with_for_update()).one())  # another program waits: attempts have an order

    def _insert_once(self, connection: sql.Connection, table: sql.Table, values: Mapping[str, Any]) -> None:
        """Inserts a row unless a unique constraint says that it is there."""
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())


def _with_work() -> sql.CompoundSelect[tuple[int]]:
    """The ids of the students who have a submission or an adjustment."""
    return sql.union(sql.select(SUBMISSION.c.student_id), sql.select(ADJUSTMENT.c.student_id))


def _about(student: Student) -> tuple[str, str, str]:
    """The name, the section and the due times as a database stores them."""
    return _safe(student.name), _safe(student.section), json.dumps(student.due)


def _packed_files(files: SubmissionFiles | None) -> bytes:
    if files is None:
        return b""
    contents = {name: content.decode("latin-1") for name, content in files.files.items()}
    rest = {"requested_file": files.requested_file, "links": files.links, "notes": files.notes}
    return _pack({"files": contents, **rest})


def _case_values(submission_id: int, result: CaseResult) -> dict[str, Any]:
    return {**vars(result), "submission_id": submission_id, "content": _pack(result.content)}


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def _safe(text: str) -> str:
    """The text without what a database does not store: null characters and lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
