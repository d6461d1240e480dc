"""A small assignment and a small class for it, so that a whole class is graded in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import write
from autograder.course.job import PackedGrader
from autograder.grading.grade import Grader
from autograder.platforms import submission_api

ASSIGNMENT = """\
title: Trees
limits: {seconds: SECONDS, memory_mb: 512, output_kb: 64}
questions:
  - {id: q1, title: Minimax, part: MinimaxAgent, points: 4, role: search, reference: exhaustive, criteria: {value: 1}}
  - {id: q2, title: Expectimax, part: ExpectimaxAgent, points: 6, role: search, reference: exhaustive,
     criteria: {value: 1}}
"""
TREES = {
    "q1/01-first": "max\n  a: min\n    1: 3\n    2: 12\n  b: min\n    1: 2\n    2: 4\n",
    "q1/02-second": "max\n  a: min\n    1: -3\n    2: 5\n  b: min\n    1: 1\n    2: 9\n",
    "q1/03-third": "max\n  a: min\n    1: 7\n    2: 5\n  b: min\n    1: 6\n    2: 6\n",
    "q2/01-chance": "max\n  a: chance\n    1: 3\n    2: 12\n  b: chance\n    1: 2\n    2: 4\n",
}
RIGHT = """\
from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            pairs = [(self.search(node.successor(a), plies - 1).value, p) for a, p in node.outcomes()]
            return Line(sum(value * p for value, p in pairs), None)
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return max(lines, key=lambda line: line.value)
"""
SUBMISSIONS: Mapping[str, str] = {
    "right": RIGHT,
    "deeper": RIGHT.replace("plies - 1", "plies"),
    "maximin": RIGHT.replace("node.layer is Layer.MAX else min", "node.layer is Layer.MIN else min"),
    "one_part": RIGHT.partition("class ExpectimaxAgent")[0],
    "raises": RIGHT.replace("plies == 0 or", "plies == 1 / 0 or"),
    "syntax": "class MinimaxAgent(\n",
    "no_part": "x = 1\n",
    "loop": RIGHT.replace(
        "        if plies", "        while self.assumes is Layer.CHANCE:\n            pass\n        if plies"
    ),
}
"""Submissions, the endless loop last."""
DIAGNOSED = ("maximin", "raises")
"""The submissions of which the grader diagnoses a part, which takes longer than their cases."""


def write_assignment(folder: Path, seconds: float = 10) -> Path:
    """The folder with the small assignment."""
    place = folder / "trees"
    for case, tree in TREES.items():
        file = place / "cases" / f"{case}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        values = {"kind": "tree", "shows": "a tree", "tree": tree, "plies": 2}
        file.write_text(write(values), encoding="utf-8")
    (place / "assignment.yaml").write_text(ASSIGNMENT.replace("SECONDS", str(seconds)), encoding="utf-8")
    return place


def write_class(folder: Path, copies: int = 1, loops: bool = True) -> Path:
    """A folder with the submissions, each `copies` times. Those that take long are in it once."""
    folder.mkdir()
    for name, text in SUBMISSIONS.items():
        for copy in range(int(loops) if name == "loop" else 1 if name in DIAGNOSED else copies):
            (folder / f"{name}-{copy}.py").write_text(f"{text}# {copy}\n", encoding="utf-8")
    return folder


def packed_grader(place: Path, key: GameKey | None = None, api: str = "native") -> PackedGrader:
    """The grader of an assignment in a folder."""
    grader = Grader.of(loading.load(str(place)), 1, submission_api("native"), key)
    return PackedGrader.of(replace(grader, api=submission_api(api)))


@contextmanager
def threads() -> Iterator[Executor]:
    """Two workers in this process."""
    with ThreadPoolExecutor(2) as pool:
        yield pool
