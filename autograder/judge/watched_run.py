"""What is known about one watched search of a submission: its answer, and every step of its code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from autograder.judge.submission_answer import Claim, Fault
from pacman.record.watcher import MAX_NAMES, Event, EventKind, WatchedFunction

MOST_VARIABLES = 4 * MAX_NAMES
"""The most variables that are known of one call. A forged record of 12,000 variables filled 2.5 GB of memory."""


@dataclass(frozen=True)
class WatchedRun:
    """The record of a search; without a claim if its process ended before it could answer.

    The nodes of `events` are numbers in the trace of the claim. The claim of a search that raised an exception has no
    value and no action; the `fault` is the exception. A record that is not `is_complete` has only the first events.
    """

    claim: Claim | None
    events: tuple[Event, ...] = ()
    functions: tuple[WatchedFunction, ...] = ()
    is_complete: bool = True
    fault: Fault | None = None

    @cached_property
    def variables(self) -> tuple[dict[str, str], ...]:
        """For each event, the texts of the variables of its frame: for a CALL, those of the caller."""
        known: list[dict[str, str]] = [{}]
        numbers = [-1]
        found = []
        for event in self.events:
            if event.kind in (EventKind.RETURN, EventKind.RAISED):
                while len(numbers) > 1 and numbers[-1] > event.call:
                    numbers.pop()
                    known.pop()
            if event.variables:
                together = {**known[-1], **dict(event.variables)}
                known[-1] = dict(list(together.items())[:MOST_VARIABLES])
            found.append(known[-1])
            if event.kind is EventKind.CALL:
                numbers.append(event.call)
                known.append({})
            elif event.kind in (EventKind.RETURN, EventKind.RAISED) and numbers[-1] == event.call:
                numbers.pop()
                known.pop()
        return tuple(found)
