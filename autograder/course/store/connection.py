"""Opens the database of a store: an SQLite file, or PostgreSQL by its URL. Says in one line what is wrong with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from pacman.core.errors import InputError, one_line

if sys.platform == "linux":
    import fcntl

BUSY_SECONDS = 30
"""How long a write waits for another program that writes to the same SQLite file."""


def make_engine(where: str, create: bool) -> tuple[sql.Engine, str]:
    """The engine for a file or a URL, and the name of the store for messages."""
    if "://" not in where:
        path = Path(where)
        if not create and not path.exists():
            raise InputError(f"store {where}: no such file; make one with: python -m autograder grade-all")
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
            _lock(file, where)
        yield
    finally:
        if file is not None:
            os.close(file)  # after the store is closed: this also gives up the locks of SQLite in this process


def _lock(file: int, where: str) -> None:
    """Locks a file. InputError if another process has done so."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(
            f"store {where}: another grade-all or regrade is using it; wait until that ends, and start again"
        ) from None
    except OSError:
        pass  # a file system without locks


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


def problem_text(error: Exception) -> str:
    """An error of a database in one line, with what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    text = one_line(str(cause).partition("\n")[0], to_text=str)
    advice = {
        "is locked": f"another program has been writing to it for {BUSY_SECONDS} s; wait for it and start again",
        "is full": "the disk is full; make room and start again",
        "malformed": "this file is damaged; use a copy of it, or grade into a new store",
        "not a database": "this file is not a store; name another file",
        "readonly": "it cannot be written; check the rights of the file and its folder",
        "unable to open": "it cannot be opened; check the rights of the file and its folder",
    }
    return next((line for part, line in advice.items() if part in text), f"{text}; what is stored stays stored")
