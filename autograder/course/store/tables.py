"""The tables of a store, and the version that they have.

student        accounts, and the roster      submission     what an account handed in, with its files
assignment     a version of an assignment    case_result    what the code did on one case, before it was judged
result         the points of one grading     event          what happened to this store, in order
hand_in        the order of the attempts     game_key       from which key the games of an assignment are drawn
adjustment     points that the staff gave
"""

from __future__ import annotations

import sqlalchemy as sql

from pacman.core.errors import InputError

VERSION = 4

_tables = sql.MetaData()


def _id() -> sql.Column[int]:
    return sql.Column("id", sql.Integer, primary_key=True)


def _text(name: str, default: str | None = "") -> sql.Column[str]:
    return sql.Column(name, sql.Text, nullable=False, default=default)


def _owner(table: str) -> sql.Column[int]:
    """The row of `table` to which a row belongs. With that row, this row is deleted too."""
    key = sql.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sql.Column(f"{table}_id", sql.Integer, key, nullable=False, index=True)


STUDENT = sql.Table(
    *("student", _tables, _id(), _text("key", None), _text("compared_key", None), _text("name"), _text("section")),
    *(_text("due", "[]"),),
    sql.Column("is_in_roster", sql.Boolean, nullable=False, default=False),
    sql.UniqueConstraint("compared_key"),
)
ASSIGNMENT = sql.Table(
    *("assignment", _tables, _id(), _text("name", None), _text("digest", None), _text("content")),
    sql.UniqueConstraint("name", "digest"),
)
SUBMISSION = sql.Table(
    *("submission", _tables, _id(), _owner("student"), _text("assignment", None), _text("digest")),
    *(_text("received"), _text("source"), _text("problem"), _text("other_keys", "[]")),
    sql.Column("files", sql.LargeBinary, nullable=False, default=b""),
    sql.UniqueConstraint("student_id", "assignment", "digest", "received", "problem"),
)
CASE_RESULT = sql.Table(
    *("case_result", _tables, _id(), _owner("submission"), _text("case", None), _text("digest", None)),
    *(_text("runner", None), sql.Column("alone", sql.Boolean, nullable=False)),
    sql.Column("content", sql.LargeBinary, nullable=False),
    sql.UniqueConstraint("submission_id", "case", "digest", "runner", "alone"),
)
RESULT = sql.Table(
    *("result", _tables, _id(), _owner("submission"), _text("assignment_digest", None), _text("grader", None)),
    *(sql.Column(name, sql.Float, nullable=False) for name in ("earned", "points", "seconds")),
    *(_text("level"), _text("reason"), _text("graded", None)),
    *(sql.Column(name, sql.JSON, nullable=False) for name in ("cases", "questions", "mistakes", "locked")),
    sql.Column("scorecard", sql.LargeBinary, nullable=False),
)
HAND_IN = sql.Table("hand_in", _tables, _id(), _owner("submission"), _text("at"))
GAME_KEY = sql.Table(
    "game_key", _tables, _id(), _text("assignment", None), _text("digest"), sql.UniqueConstraint("assignment")
)
ADJUSTMENT = sql.Table(
    *("adjustment", _tables, _id(), _owner("student"), _text("assignment", None), _text("question", None)),
    *(sql.Column("points", sql.Float), _text("reason"), _text("at", None)),
)
EVENT = sql.Table("event", _tables, _id(), _text("at", None), _text("kind", None), _text("text"))
_VERSION = sql.Table("store_version", _tables, sql.Column("version", sql.Integer, primary_key=True))
STUDENT_COLUMNS = (STUDENT.c.key, STUDENT.c.name, STUDENT.c.section, STUDENT.c.due, STUDENT.c.compared_key)
RESULT_COLUMNS = [column.name for column in RESULT.columns if column.name != "scorecard"]


def create_tables(connection: sql.Connection) -> None:
    """Makes the tables in an empty database."""
    _tables.create_all(connection)
    connection.execute(sql.insert(_VERSION).values(version=VERSION))


def is_filled(connection: sql.Connection, name: str) -> bool:
    """True if a database has the tables of a store, false if it is empty. InputError if it is something else.

    InputError too for a store of another version: nothing in it is changed.
    """
    tables = sql.inspect(connection).get_table_names()
    if not tables:
        return False
    found = None
    if _VERSION.name in tables:
        found = connection.scalar(sql.select(_VERSION.c.version))
    elif connection.dialect.name == "postgresql" and not {table.name for table in _tables.sorted_tables} & set(tables):
        return False  # other tables of the same database are somebody else's
    if found is None:
        raise InputError(f"store {name}: a database, but not a store of this program")
    if found != VERSION:
        raise InputError(
            f"store {name}: made by another version of this program (store version {found}, expected "
            f"{VERSION}); use that version, or grade into a new store"
        )
    return True
