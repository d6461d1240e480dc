"""What each kind of fault is called in a report for people."""

from __future__ import annotations

NOT_WRITTEN, MISSING_PART = "not written", "missing part"

_NAMES = {
    "hidden": "forbidden import",
    MISSING_PART: "not in the file",
    "refused": "wrong definition or return value",
    "garbled": "answer unreadable for the grader",
    "illegal": "illegal action",
    "memory": "memory limit",
    "time": "time limit",
    "exit": "exit called",
    "died": "process ended",
    "raised": "exception",
}


def fault_name(kind: str) -> str:
    """The name of a kind of fault in plain words; a kind that has no other name is returned unchanged.

    >>> fault_name("hidden"), fault_name("not written")
    ('forbidden import', 'not written')
    """
    return _NAMES.get(kind, kind)
