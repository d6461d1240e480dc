"""The kinds of faults."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """What ended a case, or a question of a diagnosis, without an answer. The values are those in JSON files."""

    MISSING_PART = "missing part"
    """The file does not define the part."""
    NOT_WRITTEN = "not written"
    REFUSED = "refused"
    """The part has or returns something else than expected."""
    FORBIDDEN_IMPORT = "hidden"
    MISSING_PACKAGE = "missing package"
    RAISED = "raised"
    """Any other exception."""
    MEMORY = "memory"
    EXIT = "exit"
    SUCCESSORS = "successors"
    """A diagnosed search made too many successors."""
    TIME = "time"
    DIED = "died"
    """A signal ended the process, or it closed its connection."""
    UNREADABLE = "garbled"
    """The process sent something else than an answer."""
    ILLEGAL_ACTION = "illegal"
    NOT_ASKED = "not asked"
    """Earlier searches of the diagnosis ended too many processes."""
