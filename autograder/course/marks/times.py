"""Reads dates and times of the course, and counts late days."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from pacman.core.errors import InputError


def read_date(option: str, text: str) -> datetime:
    """A date (its beginning in UTC) or a time with its zone. InputError for anything else."""
    time = _parsed(text)
    if time is None or (time.tzinfo is None and len(text) > len("2026-11-22")):
        raise InputError(f"{option} {text}: expected a date, as in 2026-11-22, or a time with its zone")
    return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)


def read_time(option: str, text: str) -> datetime:
    """A time with its zone. InputError for anything else."""
    time = _parsed(text)
    if time is None or time.tzinfo is None:
        raise InputError(
            f"{option} {text}: expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z"
        )
    return time.astimezone(UTC)


def late_days(received: str, due: datetime) -> int | None:
    """The days by which a submission came too late, each begun day counted; None if its time is not known.

    >>> due = read_time("--due", "2026-11-22T23:59+01:00")
    >>> [late_days(text, due) for text in ("2026-11-22T22:59:00Z", "2026-11-22T22:59:01Z", "2026-11-24T00:00:00Z", "")]
    [0, 1, 2, None]
    """
    time = _parsed(received)
    if time is None:
        return None
    return max(0, math.ceil((time.replace(tzinfo=time.tzinfo or UTC) - due) / timedelta(days=1)))


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
