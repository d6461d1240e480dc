"""Why a case was missed, drawn: the first node at which the answer and the reference part."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.answer import Answer, Claim
from autograder.cases import Case, MatchInput, TreeInput
from autograder.compare import Verdict
from autograder.reference import Reference, close, roots, trace_of
from pacman.outline import Outline, number
from pacman.search import exhaustive
from pacman.state import GameState
from pacman.trace import Path, Trace
from pacman.tree import Node

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
    index = verdict.missed[0]
    root, plies = list(roots(case, reference))[index]
    claim, move = answer.claims[index], reference.moves[index]
    cut = move.touched[0].cut
    _, trace = trace_of(case, root, plies, cut)
    place, sentence = _first_difference(case, root, plies, trace, claim)
    if isinstance(case.input, TreeInput):
        assert isinstance(root, Outline)
        return Explanation(sentence, _drawing(case, root, plies, trace, claim, place))
    board = tuple(str(root).splitlines()[:-1]) if isinstance(root, GameState) else ()
    path = " > ".join(place) if place else "the root"
    which = f"Pacman's move {index + 1}, {plies} plies deep: "
    return Explanation(f"{which}{sentence}", (*board, f"path to it: {path}  {HERE}" if place is not None else ""))


def _first_difference(case: Case, root: Node, plies: int, trace: Trace, claim: Claim) -> tuple[Path | None, str]:
    """The node to look at first, and what is wrong there."""
    if case.question.reference != "alphabeta":  # inside a window a value may be a bound: there only the trace tells
        for path, value in claim.values:
            node = _at(root, path)
            if node is not None and len(path) <= plies:
                right = exhaustive(node, plies - len(path)).value
                if not close(value, right):
                    return path, f"at {_name(path)} {number(right)} was expected, yours is {_number(value)}"
    if claim.trace is None:
        return None, f"{claim.generated:,} successors were made"
    right_paths, your_paths = list(trace.paths()), list(claim.trace.paths())
    mine, yours = set(right_paths), set(your_paths)
    extra = next((path for path in your_paths if path not in mine), None)
    lacking = next((path for path in right_paths if path not in yours), None)
    if extra is not None and (lacking is None or len(extra) <= len(lacking)):
        reason = "it lies below the horizon" if len(extra) > plies else "it cannot matter any more"
        return extra, f"{_name(extra)} was made, though {reason}"
    if lacking is not None:
        return lacking, f"{_name(lacking)} was never made"
    if claim.trace.generated != claim.trace.distinct:
        seen: set[int] = set()
        for made in claim.trace.made:
            if made in seen:
                path = claim.trace.path(made)
                times = claim.trace.made.count(made)
                return path, f"{_name(path)} was made {times} times: keep a successor, and do not make it again"
            seen.add(made)
    if claim.value is None or not close(claim.value, _value(root, plies)):
        return (), "every node was looked at, and none too many; the value of the root is wrong"
    return (), "the value is right, but this action does not earn it"


def _drawing(case: Case, root: Outline, plies: int, trace: Trace, claim: Claim, place: Path | None) -> tuple[str, ...]:
    """The tree with what was expected and what came, the nodes that need not be looked at marked as pruned."""
    made = {(), *trace.paths()}
    yours = {(), *claim.trace.paths()} if claim.trace else set()
    values = dict(claim.values)
    if claim.value is not None:
        values[()] = claim.value
    rows: list[tuple[str, str, str, str]] = []

    def draw(node: Outline, path: Path, label: str) -> None:
        left = plies - len(path)
        kind = node.kind.value if node.kind else "leaf"
        if path not in made and path not in yours and left >= 0:
            expected, got = "pruned", "pruned"
        elif left < 0:
            expected, got = "", "made" if path in yours else ""
        else:
            expected = _number(exhaustive(node, left).value) if path in made else "pruned"
            got = _number(values[path]) if path in values else ("seen" if path in yours else "not seen")
            if not path and claim.value is None:
                got = "no number"
        rows.append(("  " * len(path) + label + kind, expected, got, HERE if path == place else ""))
        for index, (action, branch) in enumerate(node.branches):
            if left >= 0:
                chance = f" @{node.probabilities[index]}" if node.probabilities else ""
                draw(branch, (*path, action), f"{action}{chance}: ")

    draw(root, (), "")
    width = max(len(row[0]) for row in rows)
    head = f"{'':<{width}}  {'expected':>10}  {'yours':>10}"
    lines = [f"{name:<{width}}  {expected:>10}  {got:>10}  {mark}".rstrip() for name, expected, got, mark in rows]
    if len(lines) > MAX_LINES:
        here = next((index for index, line in enumerate(lines) if line.endswith(HERE)), 0)
        first = max(0, min(here - MAX_LINES // 2, len(lines) - MAX_LINES))
        lines = lines[first : first + MAX_LINES]
    return (head, *lines)


def _value(root: Node, plies: int) -> float:
    """The value that a search of `root` should have found."""
    return exhaustive(root, plies).value


def _at(root: Node, path: Path) -> Node | None:
    """The node at the end of a path; None where the path is none of this tree's."""
    for action in path:
        if root.is_terminal or action not in root.actions():
            return None
        root = root.successor(action)
    return root


def _name(path: Path) -> str:
    return "node " + " > ".join(path) if path else "the root"


def _number(value: float) -> str:
    return number(value) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"
