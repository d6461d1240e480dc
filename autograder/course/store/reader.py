"""Finds what a store keeps: students, submissions with their files, what the grader found out, results, the log."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from autograder.course.intake.roster import Student, compared
from autograder.course.store.connection import problem_text
from autograder.course.store.records import Adjustment, CaseResult, Result, Submission
from autograder.course.store.tables import (
    ADJUSTMENT,
    ASSIGNMENT,
    CASE_RESULT,
    EVENT,
    GAME_KEY,
    HAND_IN,
    RESULT,
    RESULT_COLUMNS,
    STUDENT,
    STUDENT_COLUMNS,
    SUBMISSION,
)
from autograder.judge.scorecard import Scorecard
from autograder.report import json as report_json
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError


class Reader:
    """What an open store knows. A context manager: leaving it closes the database."""

    def __init__(self, engine: sql.Engine, name: str) -> None:
        self.name = name
        """The file or the URL, without a password."""
        self._engine = engine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._engine.dispose()

    def students(self) -> list[Student]:
        """All students of the roster, and all others who handed something in, in the order of their keys."""
        students = self._roster() | {compared(each.key): each for each in self._accounts().values()}
        return [students[key] for key in sorted(students)]

    def _roster(self) -> dict[str, Student]:
        """The students of the roster, by their compared keys."""
        rows = self._rows(sql.select(*STUDENT_COLUMNS).where(STUDENT.c.is_in_roster))
        return {row.compared_key: _student(row) for row in rows}

    def _accounts(self) -> dict[str, Student]:
        """Who is behind each account that handed something in or has an adjustment, by its compared key.

        With another roster, an account can be somebody else. If its attempts are of several students, the last counts.
        An adjustment of somebody whom an earlier roster named goes to the only account that has this key too.
        """
        roster = self._roster()
        whose = _Whose(roster)
        accounts: dict[str, Student] = {}
        owners: dict[str, set[str]] = {}
        query = sql.select(*STUDENT_COLUMNS, SUBMISSION.c.other_keys).join(SUBMISSION).order_by(SUBMISSION.c.id)
        for row in self._rows(query):
            accounts[row.compared_key] = whose(row, row.other_keys)
            for key in json.loads(row.other_keys):
                owners.setdefault(key, set()).add(row.compared_key)
        for row in self._rows(sql.select(*STUDENT_COLUMNS).join(ADJUSTMENT)):
            own = owners.get(row.compared_key, set())
            is_renamed = row.compared_key not in roster and len(own) == 1
            accounts.setdefault(row.compared_key, accounts[next(iter(own))] if is_renamed else whose(row))
        return accounts

    def student(self, key: str) -> Student | None:
        """The student with this key, or with an account of this key; None if there is none."""
        known = {compared(each.key): each for each in self.students()}
        return known.get(compared(key)) or self._accounts().get(compared(key))

    def assignments(self) -> list[str]:
        """The names of the assignments, sorted."""
        return sorted(name for (name,) in self._rows(sql.select(SUBMISSION.c.assignment).distinct()))

    def assignment(self, digest: str) -> dict[str, Any]:
        """What `add_assignment` was told about the assignment with this digest; empty if nothing is known."""
        with self._reading() as connection:
            found = connection.scalar(sql.select(ASSIGNMENT.c.content).where(ASSIGNMENT.c.digest == digest))
            return json.loads(found) if found else {}

    def submissions(self, assignment: str) -> list[Submission]:
        """All submissions for an assignment in the order in which they came into the store, without their files."""
        return self._submissions(assignment, _SUBMISSION_QUERY.order_by(SUBMISSION.c.id), sql.literal(""))

    def attempts(self, assignment: str) -> list[Submission]:
        """What was handed in for an assignment, in order, with the times. Who hands in A, B and A again has A twice."""
        query = _SUBMISSION_QUERY.join(HAND_IN, HAND_IN.c.submission_id == SUBMISSION.c.id)
        return self._submissions(assignment, query.order_by(HAND_IN.c.id), HAND_IN.c.at)

    def _submissions(self, assignment: str, query: sql.Select[Any], at: sql.ColumnElement[str]) -> list[Submission]:
        whose = _Whose(self._roster())
        return [
            Submission(
                *(row.id, whose(row, row.other_keys), row.assignment, row.digest, row.received),
                *(row.source, row.problem, row.at),
            )
            for row in self._rows(query.add_columns(at.label("at")).where(SUBMISSION.c.assignment == assignment))
        ]

    def adjustments(self, assignment: str) -> dict[str, tuple[Adjustment, ...]]:
        """What the course staff adjusted in an assignment and did not undo, by the compared keys of the students."""
        columns = [STUDENT.c.compared_key, *(ADJUSTMENT.c[name] for name in ("question", "points", "reason"))]
        query = sql.select(*columns).join(STUDENT).where(ADJUSTMENT.c.assignment == assignment)
        accounts = self._accounts()
        last: dict[str, dict[str, Adjustment]] = {}
        for account, question, points, reason in self._rows(query.order_by(ADJUSTMENT.c.id)):
            own = last.setdefault(compared(accounts[account].key), {})
            own.pop(question, None)
            if points is not None:
                own[question] = Adjustment(question, points, reason)
        return {key: tuple(own.values()) for key, own in last.items() if own}

    def game_key(self, assignment: str) -> str | None:
        """The digest of the key from which the games of an assignment are drawn; empty for none, None if not known."""
        with self._reading() as connection:
            return connection.scalar(sql.select(GAME_KEY.c.digest).where(GAME_KEY.c.assignment == assignment))

    def files(self, submission_id: int) -> SubmissionFiles:
        """The files of a submission; InputError if it has none."""
        with self._reading() as connection:
            packed = connection.scalar(sql.select(SUBMISSION.c.files).where(SUBMISSION.c.id == submission_id))
            if not packed:
                raise InputError(f"store {self.name}: submission {submission_id} has no files")
            values = unpack(packed)
            files = {name: text.encode("latin-1") for name, text in values["files"].items()}
            return SubmissionFiles(files, values["requested_file"], (), tuple(values["links"]), tuple(values["notes"]))

    def case_results(self, submission_id: int, runner: str) -> list[CaseResult]:
        """What one version of the grader found out about a submission, in the order in which it did."""
        table = CASE_RESULT
        columns = [table.c[name] for name in ("case", "digest", "runner", "alone", "content")]
        is_asked = (table.c.submission_id == submission_id) & (table.c.runner == runner)
        with self._reading() as connection:
            rows = connection.execute(sql.select(*columns).where(is_asked).order_by(table.c.id))
            return [CaseResult(row[0], row[1], row[2], row[3], unpack(row[4])) for row in rows]

    def results(self, assignment: str) -> list[Result]:
        """All results of all submissions for an assignment, in the order in which they were added."""
        columns = [RESULT.c[name] for name in RESULT_COLUMNS]
        query = sql.select(*columns).join(SUBMISSION).where(SUBMISSION.c.assignment == assignment)
        return [Result(**row._mapping) for row in self._rows(query.order_by(RESULT.c.id))]

    def last_results(self, assignment: str) -> dict[int, Result]:
        """The result that was added last for each submission for an assignment, by the id of the submission.

        Without the shares of cases, which take most of the time to read.
        """
        last = sql.select(sql.func.max(RESULT.c.id)).join(SUBMISSION).where(SUBMISSION.c.assignment == assignment)
        query = sql.select(*(RESULT.c[name] for name in RESULT_COLUMNS if name != "cases"))
        rows = self._rows(query.where(RESULT.c.id.in_(last.group_by(RESULT.c.submission_id))))
        return {row.submission_id: Result(**row._mapping) for row in rows}

    def some_results(self, assignment: str) -> dict[int, Result]:
        """The same; InputError if nothing is graded yet."""
        if results := self.last_results(assignment):
            return results
        raise InputError(
            f"store {self.name}: no result yet for assignment '{assignment}'; "
            "get results with: python -m autograder grade-all"
        )

    def graded(self, assignment: str, assignment_digest: str, grader: str) -> dict[int, Result]:
        """The last results, where they have these two digests, by the id of their submission."""
        asked = assignment_digest, grader
        return {key: each for key, each in self.last_results(assignment).items() if each.version == asked}

    def scorecard(self, result_id: int) -> Scorecard | None:
        """The scorecard of a result; None if the submission could not be graded."""
        with self._reading() as connection:
            packed = connection.scalar(sql.select(RESULT.c.scorecard).where(RESULT.c.id == result_id))
            return report_json.load(zlib.decompress(packed).decode()) if packed else None

    def events(self) -> Sequence[Any]:
        """The log, in order: rows with the time `at`, the `kind` and the `text`."""
        return self._rows(sql.select(EVENT.c.at, EVENT.c.kind, EVENT.c.text).order_by(EVENT.c.id))

    # How.

    def _rows(self, query: sql.Select[Any]) -> Sequence[Any]:
        with self._reading() as connection:
            return connection.execute(query).all()

    @contextmanager
    def _reading(self) -> Iterator[sql.Connection]:
        """A transaction that only reads: it does not wait for programs that write."""
        with self._reports_problems(), self._engine.execution_options(reads=True).begin() as connection:
            yield connection

    @contextmanager
    def _reports_problems(self) -> Iterator[None]:
        """Turns an error of the database, and what a damaged row raises when it is read, into one line."""
        try:
            yield
        except InputError:
            raise
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise InputError(f"store {self.name}: {problem_text(error)}") from None
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, zlib.error) as error:
            raise InputError(
                f"store {self.name}: this file is damaged ({type(error).__name__}); use a copy of it, or grade into a "
                "new store"
            ) from None


_SUBMISSION_QUERY = sql.select(
    *(SUBMISSION.c[name] for name in ("id", "assignment", "digest", "received", "source", "problem", "other_keys")),
    *STUDENT_COLUMNS,
).join(STUDENT)


@dataclass(frozen=True)
class _Whose:
    """Says whose an account is, by the roster: who has its key, or else the first of its other keys that is there."""

    roster: Mapping[str, Student]

    def __call__(self, account: Any, other_keys: str = "[]") -> Student:
        """The student; the account itself if the roster does not know it."""
        keys = (account.compared_key, *json.loads(other_keys))
        known = next((self.roster[key] for key in keys if key in self.roster), None)
        return known or _student(account)


def _student(row: Any) -> Student:
    return Student(row.key, row.name, row.section, tuple((name, time) for name, time in json.loads(row.due)))


def unpack(packed: bytes) -> Any:
    """The value that a store has packed."""
    return json.loads(zlib.decompress(packed))
