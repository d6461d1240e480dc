"""The sample solutions, read as any submission is: nothing imports them."""

from __future__ import annotations

from typing import Any

from agents import load
from tests.paths import SOLUTIONS

CLASSES = {
    "reflex": "ReflexAgent", "minimax": "MinimaxAgent", "alphabeta": "AlphaBetaAgent", "expectimax": "ExpectimaxAgent",
    "expectiminimax": "ExpectiminimaxAgent",
}  # fmt: skip


def solution(name: str, *arguments: str) -> Any:
    """The solutions' agent for a registered name, made with `key=value` arguments, from a start that is watched."""
    return load.make_pacman(named(name), arguments, load=load.load_watched)


def named(name: str) -> str:
    """The same as a command line names it."""
    return f"{SOLUTIONS}:{CLASSES[name]}"
