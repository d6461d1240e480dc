"""What questions about trees need in the student's process: a limit of successors, evaluations, the output."""

from __future__ import annotations

import base64
import io
import pickle
import signal
import sys
from typing import Any, TextIO

from autograder.student_process.plain_values import TooManySuccessors
from pacman.core.outline import Outline
from pacman.core.trace import Trace
from pacman.core.tree import Evaluation, NodeWrapper
from pacman.core.watcher import WatchedTrace

SECONDS = 1.0
"""The processor time for one question. A search that does not hang needs a hundredth of it."""
WATCHED_SECONDS = 4.0
"""The processor time for a watched search, which ends by its number of lines unless it loops in other code."""
MAX_PRINTED = 2_000
"""The bytes of the output of a question that are kept: the last ones."""


def end_process_after(seconds: float) -> None:
    """Ends this process with the signal SIGPROF when it has used so much more processor time.

    A timer of this kind also ends a loop in C, and other programs on the machine do not change the result.
    """
    if sys.platform not in ("win32", "emscripten"):  # there, only the time limit of the session ends such a search
        signal.setitimer(signal.ITIMER_PROF, seconds)


class LimitedTrace(Trace):
    """A trace that ends the search with TooManySuccessors when this has made more than `limit` successors."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.is_over = False

    def generate(self, parent: int, action: str) -> int:
        """Records a successor, as `Trace` does. After the last one, every call raises TooManySuccessors."""
        if len(self.successors) >= self.limit:
            self.is_over = True
            self.check()
        return super().generate(parent, action)

    def check(self) -> None:
        """Raises TooManySuccessors if the search tried to make too many, also if it has caught that error."""
        if self.is_over:
            raise TooManySuccessors(f"the search made more than {self.limit:,} successors in this small tree")


class WatchedLimitedTrace(WatchedTrace, LimitedTrace):
    """A trace with a limit that also reports each successor to a watcher."""


def tree_as_text(tree: Outline) -> str:
    """A tree for a request, as text that `tree_from_text` reads three times as fast as an outline."""
    return base64.b64encode(pickle.dumps(tree)).decode("ascii")


def tree_from_text(text: str) -> Outline:
    """The tree in a request. Only the student's process calls this, with text of the grader."""
    tree: Outline = pickle.loads(base64.b64decode(text))
    return tree


def places_in(tree: Outline, trace: Trace) -> list[int]:
    """The place in `tree.places()` of each node of a trace."""
    numbers = {place: number for number, place in enumerate(tree.places())}
    places = [0]
    for parent, action in zip(trace.parents[1:], trace.actions[1:], strict=True):
        places.append(numbers[places[parent], action])
    return places


class LastOutput(io.BufferedIOBase):
    """A file of bytes that keeps the end of what is written to it."""

    name = "<stdout>"

    def __init__(self) -> None:
        self.last = b""

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Any) -> int:
        """Adds some bytes."""
        self.last = (self.last + data)[-MAX_PRINTED:]
        return len(data)

    def as_stream(self) -> TextIO:
        """A stream with all that the standard output has, for example `reconfigure`, which writes to this file."""
        return io.TextIOWrapper(self, "utf-8", "replace", write_through=True)


def shifted_score(shift: float) -> Evaluation:
    """An evaluation: the score of a node, or of a Berkeley-style state, plus `shift`."""

    def evaluation(node: Any) -> float:
        score: float = node.getScore() if hasattr(node, "getScore") else node.score
        return score + shift

    return evaluation


class NegatedScore(NodeWrapper):
    """A node whose score is the negative of the score of the node inside."""

    __slots__ = ()

    @property
    def score(self) -> float:  # type: ignore[override]
        """The negative of the score inside."""
        return -self._node.score

    def successor(self, action: str) -> NegatedScore:
        """The wrapped successor."""
        return NegatedScore(self._node.successor(action))


def negated_score(node: Any) -> float:
    """The score before it was negated: of a node, or of a Berkeley-style state."""
    score: float = node.getScore() if hasattr(node, "getScore") else node.score
    return -score
