"""An assignment with every kind of case, and for each search a right reply, as the student's process sends it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

from autograder.cases.case import Assignment, Case
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth, RightMove, is_close, right_trace, searched_roots
from autograder.student_process.request_handler import _trace_reply
from pacman.core.tree import Node
from pacman.record.trace import Trace
from pacman.search.algorithms import Options, run_search
from tests.written_files import written_assignment

ASSIGNMENT = """\
title: Every kind of case
questions:
  - {id: q1, title: Minimax, part: MinimaxAgent, points: 10, role: search, reference: exhaustive,
     criteria: {value: 3, action: 2, touched: 1, expanded: 1, generated: 1}}
  - {id: q2, title: Alpha-beta, part: AlphaBetaAgent, points: 10, role: search, reference: alphabeta,
     criteria: {value: 2, action: 1, touched: 1, expanded: 2, generated: 2}}
  - {id: q3, title: Only the action, part: ExpectimaxAgent, points: 10, role: search, reference: exhaustive,
     criteria: {action: 1, expanded: 1}}
  - {id: q4, title: Reflex, part: ReflexAgent, points: 10, role: choice}
"""
TREE = """\
max
  West: min =Left
    a: 3
    b: 12
    c: 8
  East: min
    a: 2
    b: max
      x: 4
      y: -1
  Stop: min
    a: 14
    b: 2.5
"""
CHANCE = TREE.replace("min", "chance")
POSITION = "%%%%%%\n%P. G%\n%. ..%\n%%%%%%\n"
CASES = {
    "q1/tree": ("tree", TREE, "plies: 3"),
    "q1/short": ("tree", TREE.replace("b: max", "b: max ~7"), "plies: 2"),
    "q1/secret": ("tree", TREE, "plies: 3\nhidden: true"),
    "q1/position": ("position", POSITION, "ghosts: [optimal]\nmoves: 2"),
    "q2/tree": ("tree", TREE, "plies: 3"),
    "q2/strict": ("tree", TREE, "plies: 3\ncut: strict"),
    "q2/position": ("position", POSITION, "ghosts: [optimal]"),
    "q3/tree": ("tree", CHANCE, "plies: 3"),
    "q3/stop": ("position", POSITION, "ghosts: [random]\nstop: either"),
    "q4/choice": ("position", POSITION, "ghosts: [random]\naccept: [East, South]"),
    "q4/match": ("match", POSITION, "ghosts: [random]\ngames: 3\nsteps: {wins: [1, 2], mean_score: [0, 100]}"),
}


@cache
def graded_cases() -> tuple[Assignment, dict[str, tuple[Case, CaseTruth | None]]]:
    """The assignment, and its cases by their ids, each with the right answer."""
    with tempfile.TemporaryDirectory() as name:
        texts = {
            case_id: f"kind: {kind}\nshows: {case_id}\n{keys}\n{'tree' if kind == 'tree' else 'layout'}: |\n"
            + indent(drawing, "  ")
            for case_id, (kind, drawing, keys) in CASES.items()
        }
        assignment = written_assignment(Path(name, "every"), ASSIGNMENT, texts)
        return assignment, {case.id: (case, derive(case) if case.has_truth else None) for case in assignment.cases}


@cache
def right_replies(case_id: str) -> tuple[dict[str, Any], ...]:
    """The replies of a right search to each request of a case."""
    case, truth = graded_cases()[1][case_id]
    assert truth is not None
    return tuple(
        _reply(root, plies, move) for (root, plies), move in zip(searched_roots(case, truth), truth.moves, strict=True)
    )


def _reply(root: Node, plies: int, move: RightMove) -> dict[str, Any]:
    trace = right_trace(root, plies, move.touched[0].cut)
    visits = run_search("exhaustive", root, plies, Options()).trace
    values = {visits.path(visit.number): visit.value for visit in visits.visits}
    return {
        "value": move.value,
        "value_text": str(move.value),
        "action": move.best[0] if move.best else None,
        "choice": str(move.best[:1]),
        **_trace_reply(trace, [(number, values[trace.path(number)]) for number in range(min(6, len(trace.parents)))]),
    }


def most_earned(case: Case, truth: CaseTruth, replies: list[Any]) -> float:
    """The most that these replies can earn, from 0 to 1: a second and simpler comparison than the judge's."""
    if len(replies) < len(truth.moves):
        return 0.0
    weights = case.question.criteria
    shares = []
    roots = searched_roots(case, truth)
    for (root, plies), move, reply in zip(roots, truth.moves, replies, strict=True):
        value, best = reply.get("value"), move.best or (None,)
        right = {"value": type(value) in (int, float) and is_close(value, move.value, case.tolerance)}
        right["action"] = reply.get("action") in best
        traces = [right_trace(root, plies, counts.cut) for counts in move.touched]
        nodes, parents, made = _nodes(reply)
        right["touched"] = any(nodes == _paths(trace) for trace in traces)
        right["expanded"] = right["touched"] or any(
            parents == {path.rpartition("/")[0] for path in _paths(trace)} for trace in traces
        )
        right["generated"] = right["touched"] and made in [trace.generated for trace in traces]
        shares.append(sum(weight for name, weight in weights.items() if right[name]) / sum(weights.values()))
    return sum(shares) / len(shares)


def _paths(trace: Trace) -> set[str]:
    return {"".join(f"/{action}" for action in path) for path in trace.paths()}


def _nodes(reply: dict[str, Any]) -> tuple[set[str], set[str], int]:
    """The paths of all nodes that a reply names, those of their parents, and the number of generated nodes."""
    trace = reply.get("trace")
    if trace is None:
        return set(), set(), -1
    paths = [""]
    for parent, action in zip(trace["parents"][1:], trace["actions"][1:], strict=True):
        paths.append(f"{paths[parent]}/{trace['names'][action]}")
    expanded = {paths[trace["parents"][number]] for number in trace["made"]}
    return set(paths[1:]), expanded, len(trace["made"])
