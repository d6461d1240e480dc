"""What a diagnosis asks of a search, and what comes back: a small tree, and the record of every step on it.

`autograder.sandbox.watch` puts the questions to the student's code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from autograder.judge.submission_answer import Claim, Fault
from pacman.core.tree_text import Outline
from pacman.record.trace import Path
from pacman.record.watcher import MAX_NAMES, Event, EventKind, WatchedFunction

Cuts = Literal["", "equal", "strict"]
"""When a right search of a question cuts; empty for never."""
MOST_VARIABLES = 4 * MAX_NAMES
"""The most variables that are known of one call. A forged record of 12,000 variables filled 2.5 GB of memory."""


@dataclass(frozen=True)
class Search:
    """A small tree for the student's search, and how far it should look ahead.

    The agent's evaluation is the score plus `shift`. `seed` is the seed of the random generators. `rounds` is what the
    agent's constructor gets, as in a game; a search must not use it in place of `plies`. Each search is a fresh start:
    the file runs again and makes a new agent. With `keeps_instance` the agent of the search before is asked again.
    `replaced` and `keeps_variables` are as in `Watcher.start`.
    """

    tree: Outline
    plies: int
    shift: float = 0
    seed: int = 0
    keeps_instance: bool = False
    rounds: int = 1
    replaced: Mapping[Path, tuple[str, float]] = field(default_factory=dict)
    keeps_variables: bool = False


@dataclass(frozen=True)
class Run:
    """The record of a search; without a claim if its process ended before it could answer.

    The nodes of `events` are numbers in the trace of the claim. The claim of a search that raised an exception has no
    value and no action; the `fault` is the exception. A record that is not `is_complete` has only the first events.

    Other kinds of faults are "successors" if the search made too many successors, "time" if it took too long, and "not
    asked" if too many searches before this one ended the student's process.
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


Ask = Callable[[Sequence[Search]], Sequence[Run]]
"""Asks for some searches. Returns one record for each of them, in order."""
