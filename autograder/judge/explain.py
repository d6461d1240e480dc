"""Explains a missed case: the first node at which the answer and the right search differ, with a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from itertools import accumulate
from math import copysign, inf
from typing import NamedTuple

from autograder.cases.case import TOLERANCE, Case, MatchInput, PositionInput, Question
from autograder.cases.truth import CaseTruth, is_close, right_trace, searched_roots
from autograder.judge.compare import Verdict, first_repeated
from autograder.judge.points_as_text import node_name, value_text
from autograder.judge.scorecard import Diagram, NodeRow
from autograder.judge.submission_answer import Answer, Claim, clean
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.plain_values import LARGEST
from pacman.core.errors import agent_name, counted
from pacman.core.state import GameState
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.play.game import Result
from pacman.record.trace import ExitReason, Path, Visit
from pacman.search.algorithms import Options, run_search

MAX_DRAWN = 60
"""The most nodes of a tree that a picture or a table shows: a larger one is too wide to read."""
MAX_ACTION = 40
NO_LEAD = "the value of the root is right, but the action does not lead to it"
SEEN, NOT_SEEN, PRUNED = "seen", "not seen", "pruned"
"""What is said of a node without a value of the submission."""
HERE = "<-- here"
"""The mark of a node."""
NO_CLAIM = Claim(None, "", None, "", 0, None, ())
NO_ANSWER = Claim(None, "nothing", None, "", 0, None, ())
"""Of a search that did not end, or that ended with an exception."""


class FirstDifference(NamedTuple):
    """The path of the node to look at first, and what is wrong there.

    `costs_only` is true for a node that was generated without need: a wrong value or action says more.
    """

    path: Path | None
    why: str
    costs_only: bool = False


class Explanation(NamedTuple):
    """One sentence that says where to look, and what a picture of that place is made from."""

    sentence: str
    diagram: Diagram = Diagram("")


def explain(case: Case, truth: CaseTruth | None, answer: Answer, verdict: Verdict) -> Explanation:
    """The first difference between the answer to a missed case and the right one."""
    if fault := verdict.fault:
        has_run = not fault.at_import and fault.kind not in (FaultKind.MISSING_PART, FaultKind.NOT_WRITTEN)
        return Explanation(fault.advice, _place_of_fault(case, truth, answer) if has_run else Diagram(""))
    if isinstance(case.input, MatchInput):
        return describe_games(case, answer)
    if truth is None:
        return _wrong_action(case, answer)
    return draw_search(case, truth, verdict.missed_searches[0], answer, is_missed=True)


def draw_search(
    case: Case, truth: CaseTruth, index: int, answer: Answer | None = None, is_missed: bool = False
) -> Explanation:
    """A drawing of one search of a case, with the expected values and, if there is an answer, those of the answer.

    If the search `is_missed`, also a sentence about the first difference, which is marked in the drawing.
    """
    root, plies = list(searched_roots(case, truth))[index]
    claim = answer.claims[index] if answer else NO_CLAIM
    search = MissedSearch(case.question, root, plies, claim, truth.moves[index].touched[0].cut, case.tolerance)
    path, sentence, _ = (is_missed and search.first_difference()) or FirstDifference(None, NO_LEAD * is_missed)
    if isinstance(root, Outline):
        return Explanation(sentence, search.diagram(path))
    assert isinstance(root, GameState)
    moves = [action for state, action in _positions(case.start, truth.line) if state.mover == 0][:index]
    move = f"Pacman's move {index + 1} ({counted(plies, 'ply')} deep)"
    diagram = Diagram(str(root), plies, marked=path, notes=tuple(search.describe_position(path, moves)))
    return Explanation(f"{move}: {sentence}" if sentence else move, diagram)


def _positions(state: GameState, line: Sequence[str]) -> Iterator[tuple[GameState, str]]:
    """Each action of a line of play, after the position in which it is played."""
    return zip(accumulate(line, GameState.successor, initial=state), line, strict=False)


def _wrong_action(case: Case, answer: Answer) -> Explanation:
    """The chosen action, the accepted ones, and the student's own values of both; the position as the picture."""
    assert isinstance(case.input, PositionInput)
    values = dict(answer.losing_move.values) if answer.losing_move else {}

    def with_value(action: str) -> str:
        return f"{action} ({own_value_text(values[action])})" if action in values else action

    accepted = " or ".join(map(with_value, case.input.accept or ()))
    chosen = clean(answer.action, MAX_ACTION) if answer.action not in values else with_value(answer.action or "")
    note = "; your values are in parentheses" if values else ""
    return Explanation(f"action: expected {accepted}, got {chosen}{note}", Diagram(str(case.start)))


def _place_of_fault(case: Case, truth: CaseTruth | None, answer: Answer) -> Diagram:
    """The position in which the code failed, the game up to there, or the tree if it is not large."""
    if isinstance(case.input, MatchInput) and answer.lost_game:
        return _lost_game(case, answer)
    roots: list[Node] = [root for root, _ in searched_roots(case, truth)] if truth else [case.root]
    root = roots[min(len(answer.claims), len(roots) - 1)]
    return Diagram("" if isinstance(root, Outline) and root.size() > MAX_DRAWN else str(root))


def _lost_game(case: Case, answer: Answer) -> Diagram:
    """The game that was not won; without a start if there is none."""
    game = answer.lost_game
    return Diagram(str(case.start), game=game.number, moves=" ".join(game.moves)) if game else Diagram("")


def describe_games(case: Case, answer: Answer) -> Explanation:
    """How many games were won, and the outcome and score of each game; first the lost and the truncated ones.

    Also a lost game, with the value of each action at Pacman's last move.
    """
    match, results = case.input, answer.results
    assert isinstance(match, MatchInput)
    wins = sum(result.outcome == "win" for result in results)
    sentence = f"games won: {wins} of {len(results)}"
    if any(result.outcome == "truncated" for result in results):
        sentence += f"; a truncated game reached its limit of {match.max_plies} plies before Pacman won or lost"
    games = tuple((number, each.outcome, each.score, each.plies) for number, each in worst_first(results))
    values = answer.losing_move.values if answer.losing_move else None
    return Explanation(sentence, replace(_lost_game(case, answer), games=games, values=values))


def own_value_text(value: float) -> str:
    """A value of the student's code as text: what replaces infinity is infinity again.

    >>> own_value_text(-1e12), own_value_text(2)
    ('-inf', '2')
    """
    return value_text(copysign(inf, value) if abs(value) == LARGEST else value)


def worst_first(results: Sequence[Result]) -> list[tuple[int, Result]]:
    """The games with their numbers, from 1: the lost ones, then the truncated ones, then the won ones."""
    order = {"loss": 0, "truncated": 1}
    return sorted(enumerate(results, 1), key=lambda game: order.get(game[1].outcome, 2))


class MissedSearch:
    """One missed search: the submission's claim, and the right search that is run again with a trace."""

    def __init__(
        self,
        question: Question,
        root: Node,
        plies: int,
        claim: Claim,
        cut: str,
        tolerance: float = TOLERANCE,
        values: Mapping[Path, float] | None = None,
    ) -> None:
        """With `values`, which are for MAX, in place of those that the claim reports."""
        self.root, self.plies, self.claim, self.tolerance = root, plies, claim, tolerance
        self.has_windows = question.reference == "alphabeta"
        self.compares_value = "value" in question.criteria
        self.cut = cut if self.has_windows else ""
        if self.has_windows:
            self.trace = run_search("alphabeta", root, plies, Options(strict=cut == "strict")).trace
        else:
            self.trace = right_trace(root, plies, cut)
        visits = self.trace.visits if self.has_windows else ()
        self.visits: Mapping[Path, Visit] = {self.trace.path(visit.number): visit for visit in visits}
        self.reported = self._of_max(claim.values) if values is None else [*values.items()]
        self.values = dict(self.reported)
        if claim.value is not None:
            self.values[()] = claim.value
        elif self.compares_value:  # what was returned is no number, whatever the code worked out inside
            self.values.pop((), None)

    @cached_property
    def right(self) -> Mapping[Path, Visit]:
        """The value and the best action of every node above the horizon or on it, from one search of the root."""
        trace = run_search("exhaustive", self.root, self.plies, Options()).trace
        return {trace.path(visit.number): visit for visit in trace.visits}

    def right_value(self, path: Path) -> float:
        """The right value of a node that `right` has."""
        value = self.right[path].value
        assert value is not None
        return value

    def _is_close(self, value: float | None, other: float) -> bool:
        return value is not None and is_close(value, other, self.tolerance)

    def _of_max(self, reported: Sequence[tuple[Path, float]]) -> list[tuple[Path, float]]:
        """The reported values; none if they can be those of a negamax, so that it is not known for whom they are.

        Then one is the opposite of the right value, and one does not follow from the values below it.
        """
        values, choose = dict(reported), {Layer.MAX: max, Layer.MIN: min}
        known = [(value, self.right_value(path)) for path, value in reported if path in self.right]
        if not any(value and self._is_close(value, -right) for value, right in known):
            return [*reported]
        for path, value in reported:
            node = _node_at(self.root, path)
            actions = node.actions() if node and not node.is_terminal else ()
            below = [values[(*path, action)] for action in actions if (*path, action) in values]
            if node and below and node.layer in choose and not self._is_close(value, choose[node.layer](below)):
                return []
        return [*reported]

    # The first difference.

    def first_difference(self) -> FirstDifference | None:
        """The first difference of a search whose value, action or nodes are wrong; None if none is."""
        nodes = self._wrong_nodes()
        root = self._wrong_root("the" if nodes else "your search generated the right nodes, but the")
        return self._wrong_value() or (root if root and (nodes is None or nodes.costs_only) else nodes)

    def _wrong_value(self) -> FirstDifference | None:
        """The first node with an impossible value, in the order in which the submission returned the values."""
        for path, value in self.reported:
            visit = self.visits.get(path)
            if path not in self.right or (self.has_windows and visit is None):
                continue
            right = self.right_value(path)
            if self._is_possible(value, right, visit):
                continue
            window = f" in the window {_window(visit)}" if visit and (visit.alpha, visit.beta) != (-inf, inf) else ""
            where = f"at {node_name(path)}{window}"
            return FirstDifference(path, f"{where}: expected {_expected(right, visit)}, got {value_text(value)}")
        return None

    def _is_possible(self, value: float, right: float, visit: Visit | None) -> bool:
        """True if a right search can return this value: exact inside the window, outside it a bound (hard or soft)."""
        if visit and right <= visit.alpha:
            return value <= visit.alpha or self._is_close(value, visit.alpha)
        if visit and right >= visit.beta:
            return value >= visit.beta or self._is_close(value, visit.beta)
        return self._is_close(value, right)

    @cached_property
    def best_actions(self) -> tuple[str | None, ...]:
        """The actions with the best value at the root; only None where nobody chooses: at an end, or by chance."""
        if self.right[()].action is None:
            return (None,)
        value = self.right_value(())
        return tuple(action for action in self.root.actions() if self._is_close(self.right_value((action,)), value))

    def action_line(self) -> str:
        """The expected and the returned action; empty if the action is right, or if the search never returned."""
        action, best = self.claim.action, self.best_actions
        if action in best or not (action or self.claim.choice):
            return ""
        got = self.claim.choice if action is None else action
        is_illegal = None not in best and action is not None and action not in self.root.actions()
        note = ", which is no action of the root" if is_illegal else ""
        return f"action: expected {' or '.join(map(str, best))}, got {got}{note}"

    def _wrong_root(self, start: str) -> FirstDifference | None:
        """What is wrong at the root, in a sentence that begins with `start`."""
        if self.compares_value and not self._is_close(self.claim.value, self.right_value(())):
            return FirstDifference((), f"{start} value of the root is wrong")
        if not self.action_line():
            return None
        why = NO_LEAD if self.compares_value else f"{start} action is not a best action at the root"
        return FirstDifference(None, why)

    def _wrong_nodes(self) -> FirstDifference | None:
        """The first node that only one of the two searches generated, or that the submission generated again."""
        claimed = self.claim.trace
        if claimed is None:
            why = f"your search generated {self.claim.generated:,} successors, too many to compare one by one"
            return FirstDifference(None, why)
        right_paths, claimed_paths = (dict.fromkeys(each.paths()) for each in (self.trace, claimed))
        extra = next((path for path in claimed_paths if path not in right_paths), None)
        missing = next((path for path in right_paths if path not in claimed_paths), None)
        if extra is not None and (missing is None or len(extra) <= len(missing)):
            is_below, is_node = len(extra) > self.plies, _node_at(self.root, extra) is not None
            why = "it is below the horizon" if is_below else "it cannot change the result any more"
            if not is_below and not is_node:
                why = "no legal move leads there; does each agent move only in its own turn?"
            costs_only = is_node and not is_below
            return FirstDifference(extra, f"your search generated {node_name(extra)}, but {why}", costs_only)
        if missing is not None:
            return FirstDifference(missing, f"your search never generated {node_name(missing)}")
        if (node := first_repeated(claimed.successors)) is None:
            return None
        path, times = claimed.path(node), claimed.successors.count(node)
        again = f"{times} times; store the successor and use it again"
        return FirstDifference(path, f"your search generated {node_name(path)} {again}", True)

    # The drawing.

    def diagram(self, marked: Path | None, why: str = "") -> Diagram:
        """The tree with windows, expected values and the submission's values, and a mark.

        The notes are the expected and the returned action if they differ, and `why`. A large tree is not drawn, and has
        only the rows around the marked one, and those above it.
        """
        start, rows = str(self.root), [*self.rows()]
        if len(rows) > MAX_DRAWN:
            here = next((index for index, row in enumerate(rows) if row.path == marked), 0)
            first = max(0, min(here - MAX_DRAWN // 2, len(rows) - MAX_DRAWN))
            above = [row for row in rows[:first] if row.path == (marked or ())[: len(row.path)]]
            start, rows = "", [*above, *rows[first : first + MAX_DRAWN]]
        notes = tuple(filter(None, [self.action_line(), why]))
        return Diagram(start, self.plies, tuple(rows), marked, cut=self.cut, notes=notes)

    def rows(self) -> Iterator[NodeRow]:
        """Each node of the tree down to the first ply below the horizon, parents first."""
        assert isinstance(self.root, Outline)
        right_paths = {(), *self.trace.paths()}
        claimed_paths = {(), *self.claim.trace.paths()} if self.claim.trace else set()

        def got(path: Path) -> str:
            if path in self.values:
                return value_text(self.values[path])
            if path in claimed_paths:
                if path or not self.compares_value:
                    return SEEN
                is_line = self.claim.value_text.startswith("Line(")  # a Line in a Line, too long for a cell
                return "a Line" if is_line else self.claim.value_text.partition(" ")[0]
            return NOT_SEEN if path in right_paths else PRUNED

        def below(node: Outline, path: Path, probability: str = "") -> Iterator[NodeRow]:
            visit = self.visits.get(path)
            if len(path) > self.plies:
                is_seen = path in claimed_paths
                row = NodeRow(path, "", SEEN if is_seen else "", differs=is_seen)
            elif path in right_paths:
                value = visit.value if visit and visit.value is not None else self.right_value(path)
                window = _window(visit) if visit and visit.why is not ExitReason.LEAF else ""
                claimed, text = self.values.get(path), got(path)
                is_possible = claimed is not None and self._is_possible(claimed, self.right_value(path), visit)
                row = NodeRow(path, _expected(value, visit), text, window, not is_possible and text != SEEN)
            else:
                row = NodeRow(path, PRUNED, got(path), differs=got(path) != PRUNED)
            row = row if self.claim is not NO_CLAIM else replace(row, got="", differs=False)
            kind = node.kind.value if node.kind else f"{node.end} leaf".lstrip()
            yield replace(row, kind=kind, probability=probability)
            probabilities = map(str, node.probabilities or [""] * len(node.branches))
            for (action, branch), chance in zip(node.branches, probabilities, strict=True):
                if len(path) <= self.plies:
                    yield from below(branch, (*path, action), chance)

        return below(self.root, ())

    def describe_position(self, marked: Path | None, earlier: list[str]) -> Iterator[str]:
        """Pacman's `earlier` moves, the right line of play, the claimed one, and the path to the mark."""
        assert isinstance(self.root, GameState)
        yield f"moves so far: {', '.join(earlier) or 'none'}"
        yield f"expected line of play: {_line_text(self.root, self._right_line())} = {value_text(self.right_value(()))}"
        if self.claim is NO_CLAIM:
            return
        value = self.claim.value_text if self.claim.value is None else value_text(self.claim.value)
        end = f" = {value}" if self.compares_value else ""
        claimed = [action] if (action := self.claim.action) in self.root.actions() else []
        yield f"your line of play: {_line_text(self.root, claimed)}{end}"
        if marked is not None:
            yield f"path to the node: {' > '.join(marked) if marked else 'the root'}  {HERE}"

    def _right_line(self) -> list[str]:
        """The actions that the right search expects from all agents, up to the first CHANCE node."""
        path: Path = ()
        while (action := self.right[path].action) is not None:
            path = (*path, action)
        return list(path)


def _node_at(root: Node, path: Path) -> Node | None:
    """The node at the end of a path; None if the path is not in this tree."""
    for action in path:
        if root.is_terminal or action not in root.actions():
            return None
        root = root.successor(action)
    return root


def _line_text(state: GameState, actions: Sequence[str]) -> str:
    """A line of play as text: who moves where, up to the first ghost that moves by chance."""
    moves = [f"{agent_name(position.mover)} {action}" for position, action in _positions(state, actions)]
    end = reduce(GameState.successor, actions, state)
    by_chance = [f"ghost {end.mover} by chance"] if not end.is_terminal and end.layer is Layer.CHANCE else []
    return ", ".join([*moves, *by_chance]) or "none"


def _expected(value: float, visit: Visit | None) -> str:
    """A value as text, or only a bound on it, if its window lets a search know no more."""
    if visit is None or visit.why is ExitReason.LEAF or visit.alpha < value < visit.beta:
        return value_text(value)
    return f"<={value_text(value)}" if value <= visit.alpha else f">={value_text(value)}"


def _window(visit: Visit) -> str:
    return f"({value_text(visit.alpha)}, {value_text(visit.beta)})"
