"""References worked out with the reference searches, and written beside their cases."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from agents.base import BaseAgent
from agents.ghosts import OptimalGhost, RandomGhost
from autograder.cases.case import Case, PositionInput, SearchInput, TreeInput
from autograder.cases.reference import (
    WITHOUT,
    Move,
    Reference,
    ReferenceCounts,
    is_close,
    nodes_digest,
    reference_trace,
)
from autograder.cases.yaml_file import write
from pacman.core.errors import InputError
from pacman.core.layers import Layer, model
from pacman.core.rules import STOP
from pacman.core.tree import Node
from pacman.play.game import stream
from pacman.search import exhaustive
from pacman.search.ordering import ExcludedActions, OrderedNode


def derive(case: Case) -> Reference:
    """The reference of a case, worked out anew."""
    said = case.input
    if isinstance(said, TreeInput):
        return Reference(digest=case.digest, moves=(_move(case, case.root, said.plies),))
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
    return Reference(digest=case.digest, line=tuple(line), moves=tuple(moves))


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
        views.append(OrderedNode(root, ExcludedActions(STOP)))
    touched = []
    for cut in cuts:
        trace = reference_trace(root, plies, cut)
        found = ReferenceCounts(
            cut=cut, expanded=len(trace.expanded), generated=trace.generated, nodes=nodes_digest(trace)
        )
        touched.append(found)
    value = exhaustive(root, plies).value
    best: list[str] = []
    if plies and not root.is_terminal and root.layer is not Layer.CHANCE:
        best = list(dict.fromkeys(action for view in views for action in best_actions(view, plies, case.tolerance)))
    return Move(value=float(value), best=tuple(best[:1] if said.ties == "first" else best), touched=tuple(touched))


def best_actions(root: Node, plies: int, tolerance: float = 0) -> list[str]:
    """Every action of MAX or MIN that earns what the search finds."""
    values = {action: exhaustive(root.successor(action), plies - 1).value for action in root.actions()}
    best = (max if root.layer is Layer.MAX else min)(values.values())
    return [action for action, value in values.items() if is_close(value, best, tolerance)]


def save(path: Path, reference: Reference) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(reference), encoding="utf-8")


def text(reference: Reference) -> str:
    """A reference as its file has it."""
    return write({name: value for name, value in asdict(reference).items() if value})
