"""A small assignment to start from: one question, a tree and a position, stub, solutions, handout and schemas."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.cases import loading, reference_recorder, right_answer
from autograder.cases.case import AnyInput, AssignmentInput
from autograder.cases.file_names import name_problem
from autograder.cases.yaml_file import json_schema
from pacman.core.errors import InputError, one_line
from pacman.core.words import reason_of

ASSIGNMENT = """\
# yaml-language-server: $schema=schemas/assignment.json
title: {title}
stub: stub.py
solutions: solutions.py
questions:
  - id: q1
    title: Minimax
    part: MinimaxAgent  # the class that students write
    points: 5
    role: search
    reference: exhaustive  # the search that computes the right answers
    layers: [max, min]  # the only layers that the cases of this question may have
    order: any  # a search may look at the actions in any order
    criteria: {{value: 3, action: 2}}
"""
TREE = """\
# yaml-language-server: $schema=../../schemas/case.json
kind: tree
shows: the ghost in the West does less harm
plies: 2
tree: |
  max ~0
    West: min ~0
      West: 3
      East: 12
    East: min ~0
      West: 2
      East: 4
"""
POSITION = """\
# yaml-language-server: $schema=../../schemas/case.json
kind: position
shows: two moves against an optimal ghost
layout: nook
ghosts: [optimal]
seed: 1
rounds: 2
moves: 2
"""
STUB = '''\
"""Your search. Replace `raise NotWritten(...)` with your code. Then grade your file:

    python -m autograder grade my.py
"""

from __future__ import annotations

from agents.base import NotWritten, SearchAgent
from pacman import Layer, Line, Node


class MinimaxAgent(SearchAgent):
    """Question 1: assumes that every ghost does what is worst for Pacman."""

    assumes = Layer.MIN  # the search treats every ghost as a minimiser; keep this line

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` moves ahead, and the best action there."""
        raise NotWritten("MinimaxAgent.search")
'''
SOLUTIONS = '''\
"""The solutions. For instructors."""

from __future__ import annotations

from agents.base import SearchAgent
from pacman import Layer, Line, Node


class MinimaxAgent(SearchAgent):
    """MAX takes the best value, and every ghost takes the worst one for MAX."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
'''
HANDOUT = """\
# {name}

What you will learn: how minimax finds the best action against an opponent who does what is worst for you.

Write the class `MinimaxAgent` in `my.py`, and grade it:

    python -m autograder grade my.py

First do this tree by hand. MAX chooses the greatest value, MIN the least one. What is the root worth?

```text
max
  West: min
    West: 3
    East: 12
  East: min
    West: 2
    East: 4
```
"""
INSTRUCTORS = """\
# {name}: notes for instructors

Students never get this file, the solutions or hidden cases. The tree of the handout is worth 3, with the action West.
"""


def write_assignment(name: str, folder: Path) -> None:
    """Writes the assignment `name` to the new folder `folder`, and records its references.

    InputError if the name or the folder cannot be used.
    """
    for text, what in ((name, "the name"), (folder.name, f"--out {folder}: the name of the folder")):
        if problem := name_problem(text):
            raise InputError(f"{what} {one_line(text)} {problem}; choose another one")
    files = {
        "assignment.yaml": ASSIGNMENT.format(title=json.dumps(name, ensure_ascii=False)),
        "stub.py": STUB,
        "solutions.py": SOLUTIONS,
        "handout.md": HANDOUT.format(name=name),
        "instructors.md": INSTRUCTORS.format(name=name),
        "cases/q1/01-by-hand.yaml": TREE,
        "cases/q1/02-nook.yaml": POSITION,
        "schemas/assignment.json": json_schema(AssignmentInput),
        "schemas/case.json": json_schema(AnyInput),
    }
    try:
        folder.mkdir(parents=True)
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8", newline="\n")
        assignment = loading.load(str(folder))
        for case in assignment.cases:
            reference_recorder.save(loading.reference_path(assignment, case), right_answer.derive(case))
    except FileExistsError:
        raise InputError(f"--out {folder}: this exists already; choose another folder") from None
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written: {reason_of(error)}") from None
