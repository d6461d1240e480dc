"""Berkeley-style files: counts in the terms of that project, and the first files of a course that comes from it.

All about them here and in `cs188_files`, `cs188_tests` and `cs188_check` is written from what such files call and
contain; none of it is code of that project. The modules that graded code imports are in `agents.cs188`.

In that project a state is *expanded* (in newer versions: *generated*) when `generateSuccessor` touches it, as parent or
as child; each state counts once. In this project a node is expanded when at least one of its successors is made, and
every successor that is made counts each time. Searches of such files return only an action: no value is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from agents.cs188.position import identity
from autograder.cases.case import Case
from autograder.cases.truth import CaseTruth, right_trace, searched_roots
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.compare import Verdict
from autograder.judge.points_as_text import points_text
from autograder.judge.submission_answer import Answer
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.record.trace import Trace

TEMPLATES = Path(__file__).with_name("templates")


class Cs188Api(SubmissionApi):
    """The counts of such files."""

    def count_note(self, case: Case, truth: CaseTruth | None, answer: Answer, verdict: Verdict) -> str:
        """How many states the first wrong search expanded, counted as the Berkeley project does; "" if none is wrong.

        Also "" for a fault, for whole games, and for a search that made more nodes than the process sends.
        """
        if truth is None or answer.fault or not verdict.missed_searches:
            return ""
        index = verdict.missed_searches[0]
        (root, plies), claim = list(searched_roots(case, truth))[index], answer.claims[index]
        if claim.trace is None:
            return ""
        counts = [touched(root, right_trace(root, plies, right.cut)) for right in truth.moves[index].touched]
        got = touched(root, claim.trace)
        return statement(got if got in counts else counts[0], got)


API = Cs188Api("cs188", "classic", frozenset({"value"}), counts_agents=True)


def touched(root: Node, trace: Trace) -> int:
    """How many states that project would count as expanded: all different parents and children.

    On a drawn tree every node is a different state. Two positions are the same state if they differ only in whose turn
    it is. An illegal successor, which an agent makes out of turn, counts as one more state.
    """
    if not trace.successors:
        return 0
    if not isinstance(root, GameState):
        return trace.distinct + 1
    states: list[GameState | None] = [root]
    illegal = 0
    for parent, action in trace.edges():
        before = states[parent]
        after = before.successor(action) if before is not None and action in before.actions() else None
        illegal += after is None
        states.append(after)
    return len({identity(state) for state in states if state is not None}) + illegal


def statement(expected: int, got: int) -> str:
    """A note with the number of expanded states, counted as that project does.

    >>> statement(12, 9)
    'states on which generateSuccessor was called, or that it returned: expected 12, got 9'
    >>> statement(12, 12)[-10:]
    '12 (right)'
    """
    label = "states on which generateSuccessor was called, or that it returned"
    return f"{label}: " + (f"expected {expected:,}, got {got:,}" if got != expected else f"{got:,} (right)")


def stub(questions: Iterable[Mapping[str, Any]]) -> str:
    """The file from which students start: it can be imported, and it earns no points."""
    parts = (TEMPLATES / "stub.txt").read_text(encoding="utf-8").split("\n\n\n")
    known = {match[1]: text.rstrip("\n") for text in parts if (match := re.match(r"(?:class|def) (\w+)", text))}
    stub = parts[:3]
    for part, role in {question["part"]: question["role"] for question in questions}.items():
        other = "FUNCTION" if role == "evaluation" else "PART"
        stub.append(known.get(part) or known[other].replace(other, part))
    return "\n\n\n".join(stub) + "\n"


def handout(title: str, questions: Iterable[Mapping[str, Any]]) -> str:
    """What students read first: the questions with their points, and the commands."""
    rows = "".join(
        f"| {question['id']} {question['title']} | `{question['part']}` | {points_text(question['points'])} |\n"
        for question in questions
    )
    return (TEMPLATES / "handout.md").read_text(encoding="utf-8").format(title=title, rows=rows)
