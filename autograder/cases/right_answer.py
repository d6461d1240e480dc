"""The right answer of a case: derives its reference with the reference searches."""

from __future__ import annotations

from agents.base import BaseAgent
from agents.ghosts import OptimalGhost, RandomGhost
from autograder.cases.case import Case, PositionInput, SearchInput, TreeInput
from autograder.cases.reference import (
    WITHOUT,
    Reference,
    ReferenceCounts,
    ReferenceMove,
    is_close,
    nodes_digest,
    reference_trace,
    size_problem,
)
from pacman.core.errors import InputError
from pacman.core.ghost_models import model
from pacman.core.layers import Layer
from pacman.core.rules import STOP
from pacman.core.tree import Node
from pacman.play.game import stream
from pacman.search import exhaustive
from pacman.search.ordering import ExcludedActions, OrderedNode


def derive(case: Case) -> Reference:
    """The reference of a case, from a new run of the reference search.

    InputError if the game of a position ends before all its moves.
    """
    case_input = case.input
    if isinstance(case_input, TreeInput):
        return Reference(digest=case.digest, moves=(_move(case, case.root, case_input.plies),))
    assert isinstance(case_input, PositionInput)
    state, line = case.start, list[str]()
    moves: list[ReferenceMove] = []
    ghosts = [ghost(name) for name in case_input.ghosts]
    for number, agent in enumerate(ghosts, 1):
        agent.begin(stream(case_input.seed, number))
    while len(moves) < case_input.moves:
        if state.is_terminal:
            end = f"the game ends after {len(moves)} of {case_input.moves} moves of Pacman"
            raise InputError(f"{case.source}: moves: {end}; write a smaller number")
        if state.mover == 0:
            moves.append(_move(case, state, case_input.rounds * len(state.layers)))
            action = moves[-1].best[0]
        else:
            action = ghosts[state.mover - 1].choose(state)
        if len(moves) == case_input.moves and state.mover == 0:
            break
        line.append(action)
        state = state.successor(action)
    return Reference(digest=case.digest, line=tuple(line), moves=tuple(moves))


def ghost(name: str) -> BaseAgent:
    """The agent that plays a kind of ghost exactly as a search models it."""
    ghost_model = model(name)
    if ghost_model.layer is Layer.MIN:
        return OptimalGhost()
    agent = RandomGhost()
    agent.model = ghost_model
    return agent


def _move(case: Case, root: Node, plies: int) -> ReferenceMove:
    case_input = case.input
    assert isinstance(case_input, SearchInput)
    if problem := size_problem(root, plies):
        key = "plies" if isinstance(case_input, TreeInput) else "rounds"
        raise InputError(f"{case.source}: {key}: {problem}; write a smaller number")
    cuts = {"either": ["equal", "strict"]}.get(case_input.cut, [case_input.cut])
    if case.question.reference != "alphabeta":
        cuts = ["none"]
    views = [root]
    if isinstance(case_input, PositionInput) and case_input.stop == "either":
        cuts = [*cuts, *(f"{cut}{WITHOUT}{STOP}" for cut in cuts)]
        views.append(OrderedNode(root, ExcludedActions(STOP)))
    touched = []
    for cut in cuts:
        trace = reference_trace(root, plies, cut)
        counts = ReferenceCounts(
            cut=cut, expanded=len(trace.expanded), generated=trace.generated, nodes=nodes_digest(trace)
        )
        touched.append(counts)
    value = exhaustive(root, plies).value
    best: list[str] = []
    if plies and not root.is_terminal and root.layer is not Layer.CHANCE:
        best = list(dict.fromkeys(action for view in views for action in best_actions(view, plies, case.tolerance)))
    if case_input.ties == "first":
        best = best[:1]
    return ReferenceMove(value=float(value), best=tuple(best), touched=tuple(touched))


def best_actions(root: Node, plies: int, tolerance: float = 0) -> list[str]:
    """Every best action of MAX or MIN at `root`, in the order of the actions."""
    values = {action: exhaustive(root.successor(action), plies - 1).value for action in root.actions()}
    best = (max if root.layer is Layer.MAX else min)(values.values())
    return [action for action, value in values.items() if is_close(value, best, tolerance)]
