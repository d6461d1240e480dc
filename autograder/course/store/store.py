"""Keeps the submissions of a class, what the grader found out about them, and their results, in a database.

Every function that adds something is one transaction: when it returns, the data is stored. A result is never updated; a
new grading adds one. (One exception: if the staff chooses another file of a submission, the results of the file before
are erased.) Several processes may write.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
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

        Of somebody who is not in it, what a roster said is erased: the name and the section, and the student too if
        there is no submission and no adjustment. Returns how many students are new, erased, and changed.
        """
        roster = {_safe(compared(student.key)): student for student in students}
        with self._writing() as connection:
            known = {row.compared_key: row for row in connection.execute(sql.select(STUDENT))}
            ids_kept = set(connection.scalars(_with_work()))
            gone = [row.id for key, row in known.items() if key not in roster and row.id not in ids_kept]
            changed = 0
            for key, row in known.items():
                if row.id not in gone:
                    student = roster.get(key, Student(row.key))
                    values = {"name": _safe(student.name), "section": _safe(student.section)}
                    changed += (row.name, row.section) != (values["name"], values["section"])
                    connection.execute(sql.update(STUDENT).where(STUDENT.c.id == row.id).values(**values))
            connection.execute(sql.delete(STUDENT).where(STUDENT.c.id.in_(gone)))
            for student in roster.values():
                self._student_id(connection, student)
        return sum(key not in known for key in roster), len(gone), changed

    def move_submission(
        self, assignment: str, source: str, received: str, keys: Iterable[str], to: Student
    ) -> list[str]:
        """Gives a submission that one of these other keys handed in, from the same place and at the same time, to `to`.

        So if another roster names an account differently, its attempts and adjustments are not there twice. Erases the
        students with the other keys if nothing of them is left. Returns the keys that had handed it in.
        """
        others = sql.select(STUDENT.c.id).where(STUDENT.c.compared_key.in_([_safe(compared(key)) for key in keys]))
        is_it = (SUBMISSION.c.assignment == assignment) & (SUBMISSION.c.source == _safe(source))
        is_it &= (SUBMISSION.c.received == received) & SUBMISSION.c.student_id.in_(others)
        with self._writing() as connection:
            owners = set(connection.scalars(sql.select(SUBMISSION.c.student_id).where(is_it)))
            if not owners:
                return []
            before = list(connection.scalars(sql.select(STUDENT.c.key).where(STUDENT.c.id.in_(owners))))
            number = self._student_id(connection, to)
            place = (SUBMISSION.c.source == _safe(source)) & (SUBMISSION.c.received == received)
            connection.execute(sql.delete(SUBMISSION).where(place, SUBMISSION.c.student_id == number))
            connection.execute(sql.update(SUBMISSION).where(is_it).values(student_id=number))
            moved = ADJUSTMENT.c.student_id.in_(owners) & (ADJUSTMENT.c.assignment == assignment)
            connection.execute(sql.update(ADJUSTMENT).where(moved).values(student_id=number))
            is_idle = STUDENT.c.id.in_(owners) & STUDENT.c.id.not_in(_with_work())
            connection.execute(sql.delete(STUDENT).where(is_idle))
        return before

    def add_assignment(self, name: str, digest: str, content: Mapping[str, Any]) -> None:
        """Adds a version of an assignment, with what people want to know about it later."""
        values = {"name": name, "digest": digest, "content": json.dumps(content)}
        with self._writing() as connection:
            self._insert_once(connection, ASSIGNMENT, values)

    def add_submission(
        self,
        student: Student,
        assignment: str,
        files: SubmissionFiles | None,
        received: str = "",
        source: str = "",
        problem: str = "",
    ) -> int:
        """Adds a submission and returns its id; if the student handed in the same files at the same time, the old id.

        Also adds that it was handed in, unless it is what the student handed in last: a time of receipt counts once.
        Without files, the `problem` says why. Adds the student too if the store does not know the student yet.

        Which of several files is graded is not part of a submission: another choice erases what was found out about it,
        and is kept for the same files until there is a new one.
        """
        digest = "" if files is None else replace(files, requested_file="").digest
        with self._writing() as connection:
            student_id = self._student_id(connection, student)
            own = (SUBMISSION.c.student_id == student_id) & (SUBMISSION.c.assignment == assignment)
            has_files = own & (SUBMISSION.c.digest == digest)
            if files is not None and not files.requested_file and len(files.files) > 1:
                query = sql.select(SUBMISSION.c.files).where(has_files).order_by(SUBMISSION.c.id.desc()).limit(1)
                before = connection.scalar(query)
                files = replace(files, requested_file=unpack(before)["requested_file"] if before else "")
            packed = _packed_files(files)
            values = {"student_id": student_id, "assignment": assignment, "digest": digest, "received": received}
            values |= {"problem": _safe(problem), "source": _safe(source), "files": packed}
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

    def _student_id(self, connection: sql.Connection, student: Student) -> int:
        """Adds the student if the store does not know the student yet, and returns the id."""
        row = {name: _safe(value) for name, value in vars(student).items()}
        key = _safe(compared(student.key))
        self._insert_once(connection, STUDENT, {**row, "compared_key": key})
        if known := {name: row[name] for name in ("name", "section") if row[name]}:
            connection.execute(sql.update(STUDENT).where(STUDENT.c.compared_key == key).values(**known))
        query = sql.select(STUDENT.c.id).where(STUDENT.c.compared_key == key)
        return int(connection.scalars(query.with_for_update()).one())  # another program waits: attempts have an order

    def _insert_once(self, connection: sql.Connection, table: sql.Table, values: Mapping[str, Any]) -> None:
        """Inserts a row unless a unique constraint says that it is there."""
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())


def _with_work() -> sql.CompoundSelect[tuple[int]]:
    """The ids of the students who have a submission or an adjustment."""
    return sql.union(sql.select(SUBMISSION.c.student_id), sql.select(ADJUSTMENT.c.student_id))


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
