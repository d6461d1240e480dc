"""Why a case was missed, drawn: the first node at which the answer and the reference part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from autograder.cases.case import Case, MatchInput
from autograder.cases.reference import Reference, is_close, reference_trace, searched_roots
from autograder.judge.compare import Verdict
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.layers import Layer
from pacman.core.outline import Outline, number
from pacman.core.state import GameState
from pacman.core.trace import ExitReason, Path, Visit
from pacman.core.tree import Node
from pacman.search import exhaustive
from pacman.search.algorithms import Options, run_search

MAX_LINES = 60
HERE = "<-- here"


@dataclass(frozen=True)
class Explanation:
    """One sentence that says where to look, and a picture of the place (lines, none for a match)."""

    sentence: str
    picture: tuple[str, ...] = ()


def explain(case: Case, reference: Reference | None, answer: Answer, verdict: Verdict) -> Explanation:
    """Where the answer to a missed case first goes wrong."""
    if verdict.fault:
        return Explanation("")
    if isinstance(case.input, MatchInput):
        ends = ", ".join(f"{result.outcome} {result.score}" for result in answer.results)
        return Explanation(f"games: {ends}")
    if reference is None:
        return Explanation("the position:", tuple(str(case.start).splitlines()[:-1]))
    if not verdict.missed:
        return Explanation("right, but too slow")
    index = verdict.missed[0]
    root, plies = list(searched_roots(case, reference))[index]
    place = _Place(case, root, plies, answer.claims[index], reference.moves[index].touched[0].cut)
    path, sentence = place.first_difference()
    if isinstance(root, Outline):
        return Explanation(sentence, place.drawing(path))
    which = f"Pacman's move {index + 1}, {plies} plies deep: "
    return Explanation(f"{which}{sentence}", tuple(place.scene(path, _pacmans(case.start, reference.line, index))))


def _pacmans(state: GameState, line: Sequence[str], moves: int) -> list[str]:
    """Pacman's moves before the one that is looked at, the ghosts' moves left out."""
    made: list[str] = []
    for action in line:
        if state.mover == 0 and len(made) == moves:
            break
        if state.mover == 0:
            made.append(action)
        state = state.successor(action)
    return made


class _Place:
    """One search that was missed: the claim, and beside it the reference search, watched."""

    def __init__(self, case: Case, root: Node, plies: int, claim: Claim, cut: str) -> None:
        self.case, self.root, self.plies, self.claim = case, root, plies, claim
        self.windows = case.question.reference == "alphabeta"
        self.asks_value = "value" in case.question.criteria
        self.visits: Mapping[Path, Visit] = {}
        if self.windows:
            self.trace = run_search("alphabeta", root, plies, Options(strict=cut == "strict")).trace
            self.visits = {self.trace.path(visit.number): visit for visit in self.trace.visits}
        else:
            self.trace = reference_trace(root, plies, cut)
        self.values = dict(claim.values)
        if claim.value is not None:
            self.values[()] = claim.value

    def first_difference(self) -> tuple[Path | None, str]:
        """The node to look at first, and what is wrong there."""
        return self._wrong_value() or self._other_nodes() or self._wrong_end()

    def _wrong_value(self) -> tuple[Path, str] | None:
        """The first node, in the order in which they were settled, whose value cannot be right there."""
        for path, value in self.claim.values:
            node = _at(self.root, path)
            if node is None or len(path) > self.plies:
                continue
            right = exhaustive(node, self.plies - len(path)).value
            visit = self.visits.get(path)
            if self.windows and (visit is None or self._within(value, right, visit)):
                continue
            if not self.windows and is_close(value, right, self.case.tolerance):
                continue
            window = f" in the window {_window(visit)}" if visit and (visit.alpha, visit.beta) != (-inf, inf) else ""
            return path, f"at {_name(path)}{window} {_expected(right, visit)} was expected, yours is {_number(value)}"
        return None

    def _within(self, value: float, right: float, visit: Visit) -> bool:
        """True when a value says of a node what its window asks: exact inside it, a bound outside, hard or soft."""
        if right <= visit.alpha:
            return value <= visit.alpha or is_close(value, visit.alpha, self.case.tolerance)
        if right >= visit.beta:
            return value >= visit.beta or is_close(value, visit.beta, self.case.tolerance)
        return is_close(value, right, self.case.tolerance)

    def _wrong_end(self) -> tuple[Path, str]:
        right, mine = exhaustive(self.root, self.plies).value, self.claim.value
        near = mine is not None and is_close(mine, right, self.case.tolerance)
        if not self.asks_value:
            return (), "every node was looked at, and none too many; but this action is not the best of the root"
        if not near:
            return (), "every node was looked at, and none too many; the value of the root is wrong"
        return (), "the value is right, but this action does not earn it"

    def _other_nodes(self) -> tuple[Path | None, str] | None:
        """The first node that one of the two traces has and the other has not, or that was made again."""
        trace, claim = self.trace, self.claim
        if claim.trace is None:
            return None, f"{claim.generated:,} successors were made"
        right_paths, your_paths = list(trace.paths()), list(claim.trace.paths())
        mine, yours = set(right_paths), set(your_paths)
        extra = next((path for path in your_paths if path not in mine), None)
        lacking = next((path for path in right_paths if path not in yours), None)
        if extra is not None and (lacking is None or len(extra) <= len(lacking)):
            return extra, f"{_name(extra)} was made, though {self._needless(extra)}"
        if lacking is not None:
            return lacking, f"{_name(lacking)} was never made"
        seen: set[int] = set()
        for made in claim.trace.successors:
            if made in seen:
                path = claim.trace.path(made)
                times = claim.trace.successors.count(made)
                return path, f"{_name(path)} was made {times} times: keep a successor, and do not make it again"
            seen.add(made)
        return None

    def _needless(self, path: Path) -> str:
        """Why a right search does not make the node at the end of a path."""
        if len(path) > self.plies:
            return "it lies below the horizon"
        if _at(self.root, path) is None:
            return "nobody whose turn it is can make it: do the agents move in turn?"
        return "it cannot matter any more"

    def drawing(self, place: Path | None) -> tuple[str, ...]:
        """The tree with what was expected and what came: values, windows, and the nodes that each left out."""
        assert isinstance(self.root, Outline)
        made = {(), *self.trace.paths()}
        yours = {(), *self.claim.trace.paths()} if self.claim.trace else set()
        rows: list[tuple[str, str, str, str, str]] = []

        def draw(node: Outline, path: Path, label: str) -> None:
            left = self.plies - len(path)
            visit = self.visits.get(path)
            expected, got = "", "made" if path in yours else ""
            if left >= 0:
                expected = "pruned"
                if path in made:
                    right = exhaustive(node, left).value
                    expected = _expected(visit.value if visit and visit.value is not None else right, visit)
                got = "pruned" if path not in made else "not seen"
                if path in self.values:
                    got = _number(self.values[path])
                elif path in yours:
                    got = "seen" if path or not self.asks_value else "no number"
            window = _window(visit) if visit and visit.why is not ExitReason.LEAF else ""
            kind = node.kind.value if node.kind else "leaf"
            rows.append(("  " * len(path) + label + kind, window, expected, got, HERE if path == place else ""))
            for index, (action, branch) in enumerate(node.branches):
                if left >= 0:
                    chance = f" @{node.probabilities[index]}" if node.probabilities else ""
                    draw(branch, (*path, action), f"{action}{chance}: ")

        draw(self.root, (), "")
        return _table(rows, self.windows)

    def scene(self, place: Path | None, before: list[str]) -> Iterator[str]:
        """A position: the board, Pacman's moves so far, the two principal lines, and the way to the difference."""
        assert isinstance(self.root, GameState)
        yield from str(self.root).splitlines()[:-1]
        yield f"moves so far: {', '.join(before) or 'none'}"
        right = _number(exhaustive(self.root, self.plies).value)
        yield f"expected line: {_line(self.root, self._right_line())} = {right}"
        value = self.claim.value_text if self.claim.value is None else _number(self.claim.value)
        yield f"your line: {_line(self.root, self._claimed_line())}" + (f" = {value}" if self.asks_value else "")
        if place is not None:
            yield f"path to it: {' > '.join(place) if place else 'the root'}  {HERE}"

    def _right_line(self) -> list[str]:
        """What everybody does if all play as the search takes them to; it ends where chance decides."""
        node, line = self.root, list[str]()
        while len(line) < self.plies:
            action = exhaustive(node, self.plies - len(line)).action
            if action is None:
                break
            line.append(action)
            node = node.successor(action)
        return line

    def _claimed_line(self) -> list[str]:
        """The same as the claim tells it: the root's action, then by the values of the nodes that it reports."""
        line: list[str] = []
        node, action = self.root, self.claim.action
        while action is not None and action in node.actions() and len(line) < self.plies:
            line.append(action)
            node = node.successor(action)
            if node.is_terminal or node.layer is Layer.CHANCE:
                break
            known = {each: self.values[(*line, each)] for each in node.actions() if (*line, each) in self.values}
            if not known:
                break
            action = (max if node.layer is Layer.MAX else min)(known, key=known.__getitem__)
        return line


def _table(rows: list[tuple[str, str, str, str, str]], windows: bool) -> tuple[str, ...]:
    """The rows under their headings, cut to MAX_LINES around the one that is marked."""
    width = max(len(row[0]) for row in rows)
    wide = max(len(row[1]) for row in [*rows, ("", "window", "", "", "")])
    head = f"{'':<{width}}  {'expected':>10}  {'yours':>10}"
    lines = [f"{name:<{width}}  {expected:>10}  {got:>10}  {mark}".rstrip() for name, _, expected, got, mark in rows]
    if windows:
        head = f"{'':<{width}}  {'window':<{wide}}  {'expected':>10}  {'yours':>10}"
        lines = [
            f"{name:<{width}}  {window:<{wide}}  {expected:>10}  {got:>10}  {mark}".rstrip()
            for name, window, expected, got, mark in rows
        ]
    if len(lines) > MAX_LINES:
        here = next((index for index, line in enumerate(lines) if line.endswith(HERE)), 0)
        first = max(0, min(here - MAX_LINES // 2, len(lines) - MAX_LINES))
        lines = lines[first : first + MAX_LINES]
    return (head, *lines)


def _at(root: Node, path: Path) -> Node | None:
    """The node at the end of a path; None where the path is none of this tree's."""
    for action in path:
        if root.is_terminal or action not in root.actions():
            return None
        root = root.successor(action)
    return root


def _line(state: GameState, actions: list[str]) -> str:
    """A line as people say it: who goes where; a ghost that moves by chance ends it."""
    said = []
    for action in actions:
        said.append(f"{'Pacman' if state.mover == 0 else f'ghost {state.mover}'} {action}")
        state = state.successor(action)
    if not state.is_terminal and state.layer is Layer.CHANCE:
        said.append(f"ghost {state.mover} by chance")
    return ", ".join(said) or "none"


def _expected(value: float, visit: Visit | None) -> str:
    """A value, or no more of it than its window lets a search know."""
    if visit is None or visit.why is ExitReason.LEAF or visit.alpha < value < visit.beta:
        return _number(value)
    return f"<={_number(value)}" if value <= visit.alpha else f">={_number(value)}"


def _window(visit: Visit) -> str:
    def end(bound: float) -> str:
        return ("-" if bound < 0 else "") + "inf" if abs(bound) == inf else _number(bound)

    return f"({end(visit.alpha)}, {end(visit.beta)})"


def _name(path: Path) -> str:
    return "node " + " > ".join(path) if path else "the root"


def _number(value: float) -> str:
    return number(value) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"
