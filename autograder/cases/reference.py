"""What is right: recorded with the reference searches, kept beside the cases, checked against them by a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from agents.base import BaseAgent
from agents.ghosts import OptimalGhost, RandomGhost
from autograder.cases.loading import Assignment, Case, PositionInput, SearchInput, TreeInput
from autograder.cases.marked import Strict, read
from autograder.cases.schema import TOLERANCE
from pacman.core.errors import InputError
from pacman.core.layers import Layer, model
from pacman.core.rules import STOP
from pacman.core.trace import Counted, Trace
from pacman.core.tree import Line, Node
from pacman.play.game import stream
from pacman.search import alphabeta, exhaustive
from pacman.search.ordering import Ordered, Without

WITHOUT = " without "
"""Between the name of a cut and that of an action which the search leaves out."""


class Touched(Strict):
    """What the reference touched, with the cut that it used: counts, and a digest of the set of nodes made."""

    cut: str
    expanded: int
    generated: int
    nodes: str


class Move(Strict):
    """One search of a case: the value, every right action (none where nobody chooses), and each right trace."""

    value: float
    best: list[str]
    touched: list[Touched]


class Reference(Strict):
    """The answer to a case. `line` is every ply of a position's line of play, the ghosts' too."""

    digest: str
    line: list[str] = Field(default_factory=list)
    moves: list[Move]


def close(value: float, expected: float, tolerance: float = TOLERANCE) -> bool:
    """Equal but for rounding: within the tolerance, absolute, plus that share of `expected`.

    By default one millionth. NaN is close to nothing, itself neither; an infinity to itself alone.

    >>> close(1 / 3, 0.333333), close(2e9 + 1, 2e9), close(0.1, 0.11, 0.01), close(float("nan"), float("nan"))
    (True, True, True, False)
    """
    within = tolerance + tolerance * abs(expected)
    return value == expected or (isfinite(within) and abs(value - expected) <= within)


def derive(case: Case) -> Reference:
    """The reference of a case, worked out anew."""
    said = case.input
    if isinstance(said, TreeInput):
        return Reference(digest=case.digest, moves=[_move(case, case.tree, said.plies)])
    assert isinstance(said, PositionInput)
    state, line = case.start, list[str]()
    moves: list[Move] = []
    ghosts = [ghost(name) for name in said.ghosts]
    for number, agent in enumerate(ghosts, 1):
        agent.begin(stream(said.seed, number))
    while len(moves) < said.moves:
        if state.is_terminal:
            raise InputError(f"{case.source}: the game ends after {len(moves)} of {said.moves} moves; ask for fewer")
        if state.mover == 0:
            moves.append(_move(case, state, said.rounds * len(state.layers)))
            action = moves[-1].best[0]
        else:
            action = ghosts[state.mover - 1].choose(state)
        if len(moves) == said.moves and state.mover == 0:
            break
        line.append(action)
        state = state.successor(action)
    return Reference(digest=case.digest, line=line, moves=moves)


def roots(case: Case, reference: Reference) -> Iterator[tuple[Node, int]]:
    """Each node that is searched in a case, with the plies to look ahead."""
    said = case.input
    if isinstance(said, TreeInput):
        yield case.tree, said.plies
        return
    assert isinstance(said, PositionInput)
    state = case.start
    for action in (*reference.line, ""):
        if state.mover == 0:
            yield state, said.rounds * len(state.layers)
        if action:
            state = state.successor(action)


def trace_of(case: Case, root: Node, plies: int, cut: str) -> tuple[Line, Trace]:
    """The reference search of one node, and what it touches. A cut that ends in " without Stop" never looks at it."""
    trace = Trace()
    cut, _, left_out = cut.partition(WITHOUT)
    if left_out:
        root = Ordered(root, Without(left_out))
    if case.question.reference == "alphabeta":
        return alphabeta(Counted(root, trace), plies, strict=cut == "strict"), trace
    return exhaustive(Counted(root, trace), plies), trace


def nodes(trace: Trace) -> str:
    """A digest of the set of nodes that were made, whatever the order and however often."""
    lines = sorted({"/".join(path) for path in trace.paths()})
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:16]


def ghost(name: str) -> BaseAgent:
    """The agent that plays as a search models it."""
    modelled = model(name)
    if modelled.layer is Layer.MIN:
        return OptimalGhost()
    agent = RandomGhost()
    agent.model = modelled
    return agent


def _move(case: Case, root: Node, plies: int) -> Move:
    said = case.input
    assert isinstance(said, SearchInput)
    cuts = {"either": ["equal", "strict"]}.get(said.cut, [said.cut])
    if case.question.reference != "alphabeta":
        cuts = ["none"]
    views = [root]
    if isinstance(said, PositionInput) and said.stop == "either":
        cuts = [*cuts, *(f"{cut}{WITHOUT}{STOP}" for cut in cuts)]
        views.append(Ordered(root, Without(STOP)))
    touched = []
    for cut in cuts:
        _, trace = trace_of(case, root, plies, cut)
        found = Touched(cut=cut, expanded=len(trace.expanded), generated=trace.generated, nodes=nodes(trace))
        touched.append(found)
    value = exhaustive(root, plies).value
    best: list[str] = []
    if plies and not root.is_terminal and root.layer is not Layer.CHANCE:
        best = list(dict.fromkeys(action for view in views for action in _best(view, plies, case.tolerance)))
    return Move(value=value, best=best[:1] if said.ties == "first" else best, touched=touched)


def _best(root: Node, plies: int, tolerance: float) -> list[str]:
    """Every action that earns what the search finds."""
    value = exhaustive(root, plies).value
    return [a for a in root.actions() if close(exhaustive(root.successor(a), plies - 1).value, value, tolerance)]


def path_of(assignment: Assignment, case: Case) -> Path:
    return assignment.folder / "references" / case.question.id / f"{case.name}.yaml"


def load(assignment: Assignment, case: Case) -> Reference:
    """The recorded reference of a case; InputError when it is missing or belongs to another version of the case."""
    path = path_of(assignment, case)
    again = f"record it with: python -m autograder record --assignment {assignment.name}"
    if not path.is_file():
        raise InputError(f"{path}: case '{case.id}' has no reference; {again}")
    marked = read(path)
    reference = marked.validate(Reference)
    if reference.digest != case.digest:
        owner = next((other.id for other in assignment.cases if other.digest == reference.digest), None)
        problem = f"belongs to '{owner}', not to '{case.id}'" if owner else "does not fit its case, which has changed"
        raise marked.error(("digest",), f"this reference {problem}; {again}")
    wanted = case.input.moves if isinstance(case.input, PositionInput) else 1
    if len(reference.moves) != wanted:
        raise marked.error(
            ("moves",), f"moves: {wanted} expected, as its case asks, not {len(reference.moves)}; {again}"
        )
    return reference


def save(path: Path, reference: Reference) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(reference), encoding="utf-8")


def text(reference: Reference) -> str:
    """A reference as its file has it."""
    said: dict[str, Any] = reference.model_dump()
    if not said["line"]:
        del said["line"]
    return str(yaml.safe_dump(said, sort_keys=False, default_flow_style=None, width=110))
