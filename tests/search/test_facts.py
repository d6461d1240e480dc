"""Known trees and whole games, and the result of each search there: value, action, nodes and leaves."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf

import pytest

from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.games.minesweeper import Minesweeper
from pacman.games.tictactoe import TicTacToe
from pacman.record.trace import CountedNode, Trace
from pacman.search import alphabeta, constant_bounds, run_search
from pacman.search.algorithms import Options
from pacman.search.exhaustive import Exhaustive
from pacman.search.ordering import Order, OrderedNode
from pacman.search.star1 import Branch, lower_bound, upper_bound, window
from pacman.search.table import Table

TEN = constant_bounds(-10, 10)


def draw(kind: str, *children: Outline | float, p: list[str] | None = None) -> Outline:
    """A drawn tree in short form, for example `draw("max", 3, draw("min", 2, 5))`, with the actions a1, a2, ..."""
    lines = [kind]
    for number, child in enumerate(children, 1):
        label = f"a{number}" + (f" @{p[number - 1]}" if p else "")
        first, *rest = str(child).split("\n")
        lines += [f"  {label}: {first}", *("  " + line for line in rest)]
    return Outline.parse("\n".join(lines))


def run(name: str, tree: Outline, plies: int | None = None, **options: object) -> tuple[float, str | None, int, int]:
    result = run_search(name, tree, tree.height() if plies is None else plies, Options(**options))  # type: ignore[arg-type]
    return result.value, result.action, result.statistics.nodes, result.statistics.leaves


SORTED = draw("max", draw("min", 3, 12, 8), draw("min", 2, 4, 6), draw("min", 2, 5, 14))


@pytest.mark.parametrize(
    ("tree", "name", "result"),
    [
        (draw("max", draw("chance", 10, 10), draw("chance", 9, 100)), "exhaustive", (54.5, "a2", 7, 4)),
        (draw("max", draw("min", 10, 10), draw("min", 9, 100)), "exhaustive", (10, "a1", 7, 4)),
        (draw("max", draw("chance", 3, 12, 9), draw("chance", 2, 4, 6)), "exhaustive", (8, "a1", 9, 6)),
        (draw("max", draw("chance", 2, 4, 6), draw("chance", 15, 6, 0)), "exhaustive", (7, "a2", 9, 6)),
        (SORTED, "alphabeta", (3, "a1", 9, 5)),
    ],
)
def test_textbook_values_and_counts(tree: Outline, name: str, result: tuple[float, str, int, int]) -> None:
    value, *rest = run(name, tree)
    assert (value, rest) == (pytest.approx(result[0]), [*result[1:]])


BELOW = draw("min", -2, draw("chance", draw("max", 0, -5), draw("max", 3, -5)))


@pytest.mark.parametrize(("name", "nodes", "leaves"), [("exhaustive", 9, 5), ("star1", 8, 4), ("star2", 7, 3)])
def test_star_counts_below_min(name: str, nodes: int, leaves: int) -> None:
    assert run(name, BELOW, bounds=TEN) == (-2, "a1", nodes, leaves)


def windows(p: list[float], values: list[float]) -> list[tuple[float, float]]:
    """(A, B) for each outcome in order, before they are limited to the interval [L, U] of the outcome."""
    results = []
    branches = [Branch(str(index), share, -10, 10) for index, share in enumerate(p)]
    for branch, value in zip(branches, values, strict=True):
        a = (4 - (upper_bound(branches) - branch.probability * branch.hi)) / branch.probability
        b = (5 - (lower_bound(branches) - branch.probability * branch.lo)) / branch.probability
        results.append((a, b))
        assert window(branches, branch, 4, 5) == pytest.approx((max(a, -10), min(b, 10)))
        branch.learn(value, -inf, inf)
    return results


def test_star1_windows() -> None:
    third = 1 / 3
    assert windows([third] * 3, [2, 2, 9]) == [pytest.approx(ab) for ab in ((-8, 35), (0, 23), (8, 11))]
    assert windows([1 / 2, 1 / 4, 1 / 4], [2, 2, 9])[:2] == [(-2, 20), (2, 26)]


def perfect(branching: int, depth: int, mover: Layer = Layer.MAX, value: int = 0) -> Outline:
    """A uniform tree whose first action is always best. Each step to the right is worse for the mover."""
    if depth == 0:
        return Outline(None, value)
    sign = -1 if mover is Layer.MAX else 1
    other = Layer.MIN if mover is Layer.MAX else Layer.MAX
    step = (branching + 1) ** depth
    children = [perfect(branching, depth - 1, other, value + sign * rank * step) for rank in range(branching)]
    return Outline(mover, None, tuple((f"a{rank}", child) for rank, child in enumerate(children, 1)))


@pytest.mark.parametrize(("b", "d"), [(2, 2), (2, 5), (3, 3), (3, 4), (4, 5), (4, 6)])
def test_alphabeta_enters_the_minimal_tree_of_knuth_and_moore(b: int, d: int) -> None:
    value, action, nodes, leaves = run("alphabeta", perfect(b, d))
    assert (value, action) == (0, "a1")
    assert leaves == b ** ceil(d / 2) + b ** floor(d / 2) - 1
    if (b, d) == (4, 6):
        assert (nodes, leaves) == (268, 127)


class CentreFirst(Order):
    def sort(self, node: Node, depth: int) -> list[str]:
        legal = node.actions()
        return [square for square in "513792468" if square in legal]


@pytest.mark.parametrize(
    ("root", "strict", "nodes", "leaves"),
    [
        (TicTacToe(), False, 18_297, 7_330),
        (OrderedNode(TicTacToe(), CentreFirst()), False, 7_275, 2_893),
        (TicTacToe(), True, 146_120, 62_162),
    ],
    ids=["reading order", "centre first", "strict"],
)
def test_the_counts_of_alphabeta_on_tictactoe(root: Node, strict: bool, nodes: int, leaves: int) -> None:
    trace = Trace()
    scores: list[float] = []

    def evaluate(node: Node) -> float:
        scores.append(node.score)
        return node.score

    line = alphabeta(CountedNode(root, trace), 9, evaluate, strict=strict)
    assert (line.value, trace.generated + 1, len(scores)) == (0, nodes, leaves)


BOARDS = [((2, 2, 1), "1/3"), ((3, 3, 1), "1"), ((3, 3, 2), "6/7"), ((3, 3, 3), "33/56"), ((3, 3, 4), "27/70")]


@pytest.mark.slow("that compare searches", keep=3)
@pytest.mark.parametrize(("board", "expected"), BOARDS)
def test_the_best_win_probability_of_minesweeper(board: tuple[int, int, int], expected: str) -> None:
    width, height, _ = board
    line = Exhaustive(hooks=[Table()]).visit(Minesweeper(*board), 2 * width * height)
    assert line.value == pytest.approx(float(Fraction(expected)), abs=1e-12)
