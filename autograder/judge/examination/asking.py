"""A question of the examination, its answer, and the way to ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.judge.submission_answer import Claim, Fault
from pacman.core.outline import Outline


@dataclass(frozen=True)
class TreeQuestion:
    """A small tree for the student's search, and how far it should look ahead.

    The agent's evaluation is the score plus `evaluation_shift`. `seed` is that of the random generators. With
    `keeps_instance` the same instance answers that answered the question before; otherwise each question is a fresh
    start.
    """

    tree: Outline
    plies: int
    evaluation_shift: float = 0
    seed: int = 0
    keeps_instance: bool = False


@dataclass(frozen=True)
class Reply:
    """The answer to one question: a claim, or the fault that ended the search."""

    claim: Claim | None
    fault: Fault | None = None
    printed: str = ""


Ask = Callable[[Sequence[TreeQuestion]], Sequence[Reply]]
"""Asks questions; returns one reply for each, in order."""
