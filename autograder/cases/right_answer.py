"""Derives the right answer of a case with the searches of this project, in the grader's process. No file holds one."""

from __future__ import annotations

from autograder.cases.case import Assignment, Case, MatchInput, PositionInput, SearchInput, TreeInput
from autograder.cases.ghosts import players, try_ghosts
from autograder.cases.truth import (
    WITHOUT,
    CaseTruth,
    RightMove,
    RightNodes,
    best_actions,
    nodes_digest,
    right_trace,
    size_problem,
)
from pacman.core.errors import InputError, counted
from pacman.core.rules import STOP
from pacman.core.tree import Layer, Node
from pacman.play.game import stream
from pacman.search.exhaustive import exhaustive
from pacman.search.ordering import ExcludedActions, OrderedNode


def derive_all(assignment: Assignment) -> dict[str, CaseTruth]:
    """The right answer of each case of an assignment that has one, by the id of the case.

    InputError as in `derive`, and for a mistake in a ghost of the course.
    """
    for case in assignment.cases:
        if isinstance(case.input, MatchInput) and case.ghost_files:
            try_ghosts(case.start, case.input.ghosts, case.ghost_files, case.id)
    return {case.id: derive(case) for case in assignment.cases if case.has_truth}


def derive(case: Case) -> CaseTruth:
    """The right answer of a case with a search.

    InputError if the game of a position ends before all its moves, if a search is too large, or if a tree gives a node
    at the horizon no evaluation.
    """
    try:
        return _derive(case)
    except InputError:
        raise
    except ValueError as error:  # from a node without an evaluation; the lines below the first one draw it
        path = _without_score(case.root, case.input.plies) if isinstance(case.input, TreeInput) else ""
        raise InputError(f"{case.source}: {path}{str(error).splitlines()[0].removesuffix(':')}") from None


def _without_score(node: Node, plies: int, path: tuple[str, ...] = ()) -> str:
    """The first node at the horizon of a tree that has no evaluation, for a message; "" if there is none."""
    if plies == 0 or node.is_terminal:
        is_whole = node.is_terminal or getattr(node, "evaluation", None) is not None
        return "" if is_whole else f"node {' > '.join(path)}: " if path else "the root: "
    below = (_without_score(node.successor(action), plies - 1, (*path, action)) for action in node.actions())
    return next(filter(None, below), "")


def _derive(case: Case) -> CaseTruth:
    case_input = case.input
    if isinstance(case_input, TreeInput):
        return CaseTruth((_right_move(case, case.root, case_input.plies),))
    assert isinstance(case_input, PositionInput)
    state, line = case.start, list[str]()
    moves: list[RightMove] = []
    ghosts = players(case)
    for number, agent in enumerate(ghosts, 1):
        agent.begin(stream(case_input.seed, number))
    while len(moves) < case_input.moves:
        if state.is_terminal:
            end = f"the game ends after {len(moves)} of {case_input.moves} moves of Pacman"
            raise InputError(f"{case.source}: moves: {end}; write a smaller number")
        if state.mover == 0:
            moves.append(_right_move(case, state, case_input.rounds * len(state.layers)))
            action = moves[-1].best[0]
        else:
            action = ghosts[state.mover - 1].choose(state)
        if len(moves) == case_input.moves and state.mover == 0:
            break
        if case_input.line is not None:
            if len(line) == len(case_input.line):
                end = f"only {counted(len(line), 'action')}, and then Pacman has made {counted(len(moves), 'move')}"
                raise InputError(f"{case.source}: line: {end}; write more actions, or fewer moves")
            action = case_input.line[len(line)]
        line.append(action)
        state = state.successor(action)
    return CaseTruth(tuple(moves), tuple(line))


def _right_move(case: Case, root: Node, plies: int) -> RightMove:
    case_input = case.input
    assert isinstance(case_input, SearchInput)
    if problem := size_problem(root, plies):
        key = "plies" if isinstance(case_input, TreeInput) else "rounds"
        raise InputError(f"{case.source}: {key}: {problem}; write a smaller number")
    cuts: list[str] = [case_input.cut if case.question.reference == "alphabeta" else "none"]
    views = [root]
    if isinstance(case_input, PositionInput) and case_input.stop == "either":
        cuts.append(f"{cuts[0]}{WITHOUT}{STOP}")
        views.append(OrderedNode(root, ExcludedActions(STOP)))
    best: list[str] = []
    if plies and not root.is_terminal and root.layer is not Layer.CHANCE:
        best = list(dict.fromkeys(action for view in views for action in best_actions(view, plies, case.tolerance)))
    value = float(exhaustive(root, plies).value)
    traces = {cut: right_trace(root, plies, cut) for cut in cuts}
    nodes = (RightNodes(cut, len(each.expanded), each.generated, nodes_digest(each)) for cut, each in traces.items())
    return RightMove(value, tuple(best), tuple(nodes))
