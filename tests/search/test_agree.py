"""All searches agree exactly with the exhaustive search: on all small trees, and on random trees of many shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pacman.core.tree import Layer, Line
from pacman.core.tree_text import Outline
from pacman.search import constant_bounds, exhaustive, run_search, star2
from pacman.search.algorithms import ALGORITHMS, AUTO, Options
from pacman.search.alphabeta import AlphaBeta
from pacman.search.base import Hook, Search, Step
from pacman.search.exhaustive import Exhaustive
from pacman.search.star1 import Star1
from pacman.search.star2 import Star2
from pacman.search.table import Table
from tests.bench.engine import StoredNode

LAYERS = (Layer.MAX, Layer.MIN, Layer.CHANCE)


def leaf(value: float) -> Outline:
    return Outline(None, value)


def inner(layer: Layer, children: list[Outline], weights: list[int] | None = None) -> Outline:
    branches = tuple((f"a{number}", child) for number, child in enumerate(children, 1))
    if layer is not Layer.CHANCE:
        return Outline(layer, None, branches)
    weights = weights or [1] * len(children)
    return Outline(layer, None, branches, tuple(Fraction(weight, sum(weights)) for weight in weights))


def leaves(tree: Outline) -> Iterator[float]:
    if tree.is_terminal:
        yield tree.score
    for action in tree.actions():
        yield from leaves(tree.successor(action))


def searches(low: float, high: float, hooks: Callable[[], list[Hook]] = list) -> dict[str, Search]:
    bounds = constant_bounds(low, high)
    return {
        "alphabeta": AlphaBeta(hooks=hooks()),
        "strict": AlphaBeta(strict=True, hooks=hooks()),
        "star1": Star1(bounds, hooks=hooks()),
        "star2": Star2(bounds, hooks=hooks()),
        "star2.5": Star2(bounds, probes=2, hooks=hooks()),
        "star2.5, 3 probes": Star2(bounds, probes=3, hooks=hooks()),
    }


class Halves(Hook):
    """Stores the result of a search for one half of a tree in a window, because many trees share their halves.

    A search never probes a half, because the window of the root is open. So its result depends on nothing else.
    """

    def __init__(self) -> None:
        self.lines: dict[tuple[int, float, float], Line] = {}

    def visit(self, search: Step, node: StoredNode, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if plies != 2:
            return search(node, plies, alpha, beta)
        key = id(node), alpha, beta
        line = self.lines.get(key)
        if line is None:
            line = self.lines[key] = search(node, plies, alpha, beta)
        return line


@pytest.mark.slow("that compare searches", keep=10)
@pytest.mark.parametrize("layers", list(product(LAYERS, repeat=3)), ids=lambda layers: "-".join(map(repr, layers)))
def test_every_small_tree(layers: tuple[Layer, Layer, Layer]) -> None:
    """All 6,561 binary trees with three layers and the leaves 0, 1 and 2, with tight and with loose bounds."""
    top, middle, bottom = layers
    leaf = partial(StoredNode, Layer.MAX)
    pairs = [StoredNode.inner(bottom, [leaf(x), leaf(y)]) for x, y in product((0, 1, 2), repeat=2)]
    halves = [StoredNode.inner(middle, [left, right]) for left, right in product(pairs, repeat=2)]
    tight, loose = (searches(*ends, lambda: [Halves()]) for ends in ((0, 2), (-1, 3)))
    full = Exhaustive(hooks=[Halves()])
    for left, right in product(halves, repeat=2):
        tree = StoredNode.inner(top, [left, right])
        expected = full.visit(tree, 3)
        for name, search in tight.items():
            assert search.visit(tree, 3) == expected, (name, str(tree))
        if left is halves[0] or right is halves[-1] or left is right:
            for name, search in loose.items():
                assert search.visit(tree, 3) == expected, (name, str(tree))


values = st.one_of(
    st.integers(0, 2),
    st.sampled_from([-1, 0, 1, 1 + 2**-40, 1 - 1e-9, 0.1, 0.3]),
    st.integers(-20, 20),
    st.sampled_from([1e12, 1e12 + 1, -1e12, 1e100, -1e100]),
)
kinds = st.sampled_from(LAYERS)


def inner_nodes(children: st.SearchStrategy[Outline]) -> st.SearchStrategy[Outline]:
    weights = st.lists(st.integers(0, 5), min_size=4, max_size=4)
    return st.builds(
        lambda layer, below, shares: inner(layer, below, [max(shares[0], 1), *shares[1 : len(below)]]),
        kinds,
        st.lists(children, min_size=1, max_size=4),
        weights,
    )


ragged = st.recursive(values.map(leaf), inner_nodes, max_leaves=40)


def keeps_contract(result: float, value: float, alpha: float, beta: float, slack: float = 0) -> bool:
    """The contract of a fail-soft search: a bound outside the window, the value inside it."""
    if result <= alpha:
        return value <= result + slack
    return value >= result - slack if result >= beta else abs(result - value) <= slack


@settings(max_examples=150)
@given(ragged, st.sampled_from([0, 0, 1, 1e5]), st.data())
def test_ragged_trees(tree: Outline, room: float, data: st.DataObject) -> None:
    """They have unequal and zero probabilities, near-equal and huge values, single children, and tight bounds.

    A table changes no value. In a window, the fail-soft contract holds.
    """
    plies, known = tree.height(), sorted(leaves(tree))
    expected = exhaustive(tree, plies)
    ends = st.one_of(st.sampled_from(known), st.floats(known[0] - 2, known[-1] + 2))
    alpha = data.draw(ends, "alpha")
    beta = data.draw(ends.filter(lambda end: end > alpha) | st.just(alpha + max(1, abs(alpha))), "beta")
    slack = 1e-12 * max(1, abs(known[0]), abs(known[-1]))
    # The mean of equal values can differ from them by one bit, and so be outside tight bounds by this bit.
    near = partial(pytest.approx, rel=1e-12, abs=1e-12)
    for name, search in searches(known[0] - room, known[-1] + room).items():
        result = search.visit(tree, plies)
        assert result.value == near(expected.value), name
        if result.action != expected.action:
            assert expected.action is not None
            assert result.action is not None
            assert exhaustive(tree.successor(result.action), plies - 1).value == near(expected.value), name
        assert keeps_contract(search.visit(tree, plies, alpha, beta).value, expected.value, alpha, beta, slack), name
    for name, search in searches(known[0] - 1, known[-1] + 1, lambda: [Table()]).items():
        assert search.visit(tree, plies).value == near(expected.value), name


@given(ragged)
def test_no_search_generates_a_successor_twice_or_enters_more_nodes_than_exhaustive(tree: Outline) -> None:
    options = Options(bounds=constant_bounds(min(leaves(tree)) - 1, max(leaves(tree)) + 1))
    results = {name: run_search(name, tree, tree.height(), options) for name in (*ALGORITHMS, AUTO)}
    full = results["exhaustive"].statistics
    assert (full.nodes, full.leaves) == (tree.size(), len(list(leaves(tree))))
    for name, result in results.items():
        assert result.trace.generated == result.trace.distinct, name
        assert result.statistics.nodes <= full.nodes, name
        assert result.statistics.leaves <= full.leaves, name


@given(ragged)
def test_the_principal_line_is_best_play_to_a_leaf(tree: Outline) -> None:
    options = Options(bounds=constant_bounds(min(leaves(tree)), max(leaves(tree))))
    for name in (*ALGORITHMS, AUTO):
        node, plies = tree, tree.height()
        for action in run_search(name, tree, plies, options).line:
            successor = node.successor(action)
            if node.layer is Layer.CHANCE:
                likeliest = max(probability for _, probability in node.outcomes())
                assert dict(node.outcomes())[action] == likeliest
            else:
                best = exhaustive(node, plies).value
                assert exhaustive(successor, plies - 1).value == pytest.approx(best, rel=1e-12, abs=1e-12), name
            node, plies = successor, plies - 1
        assert node.is_terminal


def test_a_bound_in_a_table_is_no_value() -> None:
    """Below u, 7 is enough to leave the subtree; below v, its value is needed."""
    subtree = "max { p: 7; q: 9 }"
    tree = Outline.parse(f"chance {{ u: min {{ a: 6; b: {subtree} }}; v: max {{ c: {subtree} }} }}")
    assert AlphaBeta(hooks=[Table()]).visit(tree, 3) == Line(7.5, None)


def test_the_same_subtree_under_two_outcomes() -> None:
    """One object that is a successor at two heights counts as two nodes."""
    shared = inner(Layer.MIN, [leaf(3), leaf(1), leaf(2)])
    deeper = inner(Layer.MIN, [shared, leaf(5)])
    tree = inner(Layer.MAX, [leaf(1.5), inner(Layer.CHANCE, [shared, deeper, shared])])
    for probes in (1, 2, 3):
        assert star2(tree, 4, constant_bounds(0, 6), probes=probes) == exhaustive(tree, 4)


def test_star2_searches_like_star1_without_min_nodes_below_chance() -> None:
    tree = inner(
        Layer.MAX,
        [inner(Layer.CHANCE, [inner(Layer.MAX, [leaf(x), leaf(y)]) for x, y in ((1, 2), (0, 5), (3, 3))])] * 2
        + [inner(Layer.CHANCE, [inner(Layer.MAX, [leaf(0), leaf(1)])] * 3)],
    )
    options = Options(bounds=constant_bounds(0, 6))
    one, two = (run_search(name, tree, 3, options).statistics for name in ("star1", "star2"))
    assert one.leaves == two.leaves < 18


def test_star2_probes_through_several_chance_layers() -> None:
    """With two random ghosts in a row, the first moves below both are enough for a cut."""
    pair = inner(Layer.CHANCE, [inner(Layer.MIN, [leaf(1), leaf(9)]), inner(Layer.MIN, [leaf(2), leaf(9)])])
    tree = inner(Layer.MAX, [leaf(4), inner(Layer.CHANCE, [pair, pair])])
    one = run_search("star1", tree, 4, Options(bounds=constant_bounds(-10, 10))).statistics
    two = run_search("star2", tree, 4, Options(bounds=constant_bounds(-10, 10))).statistics
    assert (one.leaves, two.leaves, two.probe_cutoffs) == (6, 4, 1)
