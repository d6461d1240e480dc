"""The questions that a diagnosis asks, and the replies: small trees for a student's search.

`autograder.sandbox.questioner` puts the questions to the student's code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.judge.submission_answer import Claim, Fault
from autograder.judge.watched_run import WatchedRun
from pacman.core.tree_text import Outline
from pacman.record.trace import Path


@dataclass(frozen=True)
class TreeQuestion:
    """A small tree for the student's search, and how far it should look ahead.

    The agent's evaluation is the score plus `evaluation_shift`. `seed` is the seed of the random generators. `rounds`
    is what the agent's constructor gets, as in a game; a search must not use it in place of `plies`. Each question is a
    fresh start: the file runs again and makes a new agent. With `keeps_instance` the agent of the question before is
    asked again.
    """

    tree: Outline
    plies: int
    evaluation_shift: float = 0
    seed: int = 0
    keeps_instance: bool = False
    rounds: int = 1


@dataclass(frozen=True)
class Reply:
    """The answer to one question: a claim, or the fault that ended the search. `printed` is what the search printed.

    The kind of the fault is "successors" if the search made too many successors, "time" if it took too long, "not
    asked" if too many questions before this one ended the student's process, or a kind that a case can also have.
    """

    claim: Claim | None
    fault: Fault | None = None
    printed: str = ""


@dataclass(frozen=True)
class WatchQuestion:
    """A small tree for a watched search. `replaced` and `keeps_variables` are as in `Watcher.start`."""

    tree: Outline
    plies: int
    replaced: Mapping[Path, tuple[str, float]] = field(default_factory=dict)
    keeps_variables: bool = False


Watch = Callable[[Sequence[WatchQuestion]], Sequence[WatchedRun]]
"""Watches the searches of some trees. Returns one record for each of them, in order."""
Ask = Callable[[Sequence[TreeQuestion]], Sequence[Reply]]
"""Asks some questions. Returns one reply for each of them, in order."""
