"""Search reports agree with the search itself, and with the true value of every node."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents import load
from agents.analysis import analyse, analyse_node, choose_search, search_of_player, shown_instead
from agents.base import SearchAgent
from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.core.tree import Layer, Line, Node
from pacman.core.tree_text import Outline
from pacman.picture.lecture import lecture_words
from pacman.record.report import SearchReport, reference_window, report_from_trace
from pacman.record.rows import RowKind, TreeBrowser, node_facts
from pacman.record.trace import CountedNode, ExitReason, Trace
from pacman.record.why import why
from pacman.record.words import node_in_words
from pacman.search.algorithms import ALGORITHMS, Options, run_search
from pacman.search.bounds import constant_bounds
from pacman.search.exhaustive import exhaustive
from tests.paths import ROOT
from tests.platforms.cs188_grading import SOLUTIONS as CLASSIC
from tests.sample_answers import solution

FIGURE_5_2 = Outline.parse(
    "max\n  a1: min\n    b1: 3\n    b2: 12\n    b3: 8\n  a2: min\n    c1: 2\n    c2: 4\n    c3: 6\n"
    "  a3: min\n    d1: 14\n    d2: 5\n    d3: 2"
)
trees = st.recursive(
    st.integers(-9, 9).map(lambda utility: Outline(None, utility)),
    lambda below: st.builds(
        lambda kind, children: Outline.parse(str(Outline(kind, None, tuple(zip("abcd", children, strict=False))))),
        st.sampled_from(Layer),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=14,
)


def watched(name: str, rounds: int, file: str = __file__) -> Any:
    """The agent of a test file with this name, from a start of the file that is watched."""
    return load.make_pacman(f"{file}:{name}", rounds=rounds, load=load.load_watched)


def tree_report(tree: Outline, algorithm: str = "alphabeta") -> SearchReport:
    result = run_search(algorithm, tree, tree.height(), Options(bounds=constant_bounds(-10, 10)))
    return report_from_trace(tree, tree.height(), result.trace, algorithm)


def position(layout: str = "smallish", ghosts: tuple[str, ...] = ("random", "optimal")) -> GameState:
    state = start(layout, list(ghosts))
    for _ in range(7 * len(state.layers)):
        state = state.successor(state.actions()[-1])
    return state


# ---- drawn trees


def test_the_tree_of_the_textbook() -> None:
    report = tree_report(FIGURE_5_2)
    assert report.root_intervals == (("a1", (3, 3)), ("a2", (-inf, 2)), ("a3", (2, 2)))
    assert report.line == ("a1", "b1")
    assert [tuple(layer) for layer in report.layers] == [(Layer.MAX, None, 1, 3, 0), (Layer.MIN, None, 3, 7, 1)]
    pruned = next(node for node in report.nodes if node.unseen)
    assert (pruned.action, pruned.unseen) == ("a2", ("c2", "c3"))


def test_the_interval_of_a_node_at_each_step() -> None:
    """Alpha-beta on the tree of the textbook: the root and the first two MIN nodes, at each step."""
    report = tree_report(FIGURE_5_2)
    numbers = [node.number for node in report.nodes if node.action in ("", "a1", "a2")]
    intervals = [[report.interval(number, step) for number in numbers] for step in range(len(report.steps))]
    unknown = (-inf, inf)
    assert intervals[:8] == [
        [unknown, unknown, unknown],
        [unknown, unknown, unknown],
        [unknown, (-inf, 3), unknown],
        [unknown, (-inf, 3), unknown],
        [unknown, (-inf, 3), unknown],
        [(3, inf), (3, 3), unknown],
        [(3, inf), (3, 3), (-inf, 2)],
        [(3, inf), (3, 3), (-inf, 2)],
    ]
    assert report.interval(0) == (3, 3)


# The outcome b of b is a chance node: the probe makes a leaf below it, and the search searches no move of it.
PROBED_TO_A_LEAF = Outline.parse(
    "min\n  a: -5\n  b: chance\n    a @1/2: max\n      a: -1\n      b: max\n        a: 0\n"
    "    b @1/2: chance\n      a @1: 0"
)


@pytest.mark.slow("that compare searches")
@given(trees, st.sampled_from(ALGORITHMS))
@example(PROBED_TO_A_LEAF, "star2")
def test_the_counts_are_those_of_the_trace(tree: Outline, algorithm: str) -> None:
    result = run_search(algorithm, tree, tree.height(), Options(bounds=constant_bounds(-10, 10)))
    report = report_from_trace(tree, tree.height(), result.trace)
    counts = result.statistics
    assert (report.generated, report.expanded) == (counts.generated, counts.expanded)
    assert len(report.nodes) == result.trace.distinct + 1
    assert list(report.steps) == result.trace.visits
    assert report.line == result.line[: len(report.line)]
    assert (result.value, result.value) == report.interval(0)


@given(trees, st.sampled_from(ALGORITHMS))
def test_every_interval_contains_the_true_value_at_every_step(tree: Outline, algorithm: str) -> None:
    report = tree_report(tree, algorithm)
    values = [exhaustive(node.node, report.plies - node.depth).value for node in report.nodes]
    for step in (*range(len(report.steps)), None):
        for number, value in enumerate(values):
            low, high = report.interval(number, step)
            assert low - 1e-9 <= value <= high + 1e-9, (report.nodes[number].action, step)


@given(trees)
def test_an_exhaustive_search_knows_every_value_and_only_narrows_intervals(tree: Outline) -> None:
    report = tree_report(tree, "exhaustive")
    for node in report.nodes:
        value = exhaustive(node.node, report.plies - node.depth).value
        assert report.interval(node.number) == (value, value)
        intervals = [report.interval(node.number, step) for step in range(len(report.steps))]
        assert all(later[0] >= earlier[0] and later[1] <= earlier[1] for earlier, later in pairwise(intervals))


@given(trees)
def test_a_search_without_a_tracing_hook_has_the_same_report(tree: Outline) -> None:
    """The made successors and the leaves are enough to work out the rest."""
    trace = Trace()
    exhaustive(CountedNode(tree, trace), tree.height())
    report = report_from_trace(tree, tree.height(), trace)
    with_hook = tree_report(tree, "exhaustive")
    assert [visit.number for visit in report.steps] == [visit.number for visit in with_hook.steps]
    assert (report.generated, report.expanded) == (with_hook.generated, with_hook.expanded)


# ---- agents at positions of Pacman


@pytest.mark.parametrize(
    ("name", "assumed", "same"),
    [
        ("minimax", Layer.MIN, "exhaustive"),
        ("alphabeta", Layer.MIN, "alphabeta"),
        ("expectimax", Layer.CHANCE, "exhaustive"),
        ("expectiminimax", None, "exhaustive"),
    ],
)
def test_the_report_of_an_agent_is_that_of_the_library_search(name: str, assumed: Layer | None, same: str) -> None:
    state = position()
    agent = solution(name, "rounds=2")
    report = analyse(agent, state)
    root = state if assumed is None else state.assuming(assumed)
    result = run_search(same, root, 6)
    counts = result.statistics
    assert (report.expanded, report.generated) == (counts.expanded, counts.generated)
    assert sum(layer.cut for layer in report.layers) == counts.cutoffs
    assert report.interval(0) == (result.value, result.value)
    assert report.action == result.action == agent.choose(state)
    for action, (low, high) in report.root_intervals:
        value = exhaustive(root.successor(action), 5).value
        assert low <= value <= high
        assert low == high or same == "alphabeta"
    assert vars(agent).keys() == {"rounds", "evaluation"}, "the agent has not changed"


def test_heat_counts_each_expanded_node_once_and_the_paths_follow_the_line() -> None:
    report = analyse(load.make_pacman("expectiminimax", ["rounds=2", "evaluation=score"]), position())
    assert sum(sum(one.values()) for one in report.heat) == report.expanded
    for path in report.line_places:
        assert len(path) == 3
        assert all(abs(x - to_x) + abs(y - to_y) <= 1 for (x, y), (to_x, to_y) in pairwise(path))
    assert report.line_places[0][0] == report.root.pacman.position


class Windowed(SearchAgent):
    """Alpha-beta as many students write it."""

    assumes = Layer.MIN
    raises_alpha = True

    def search(self, node: Node, plies: int) -> Line:
        return self.look(node, plies, -inf, inf)

    def look(self, node: Node, depth: int, alpha: float, beta: float) -> Line:
        if depth == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        sign, best = (1, Line(-inf, None)) if node.layer is Layer.MAX else (-1, Line(inf, None))
        for action in node.actions():
            value = self.look(node.successor(action), depth - 1, alpha, beta).value
            best = Line(value, action) if sign * value > sign * best.value else best
            if sign < 0:
                beta = min(beta, value)
            elif self.raises_alpha:
                alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best


class NeverRaised(Windowed):
    """Does not hand on the alpha of a MAX node."""

    raises_alpha = False


def test_the_windows_of_a_student_have_those_of_alpha_beta_beside_them() -> None:
    report, reference = analyse(watched("Windowed", 2), position()), analyse(solution("alphabeta"), position())
    steps, right = (
        [(step.number, step.alpha, step.beta, step.value) for step in each.steps] for each in (report, reference)
    )
    assert steps == right
    assert report.root_intervals == reference.root_intervals
    own = {visit.number: (visit.alpha, visit.beta) for visit in report.steps}
    assert report.reference_windows is not None
    assert {reference_window(report, node.number) for node in report.nodes} == {"", "as in alpha-beta"}
    assert {number: window for number, window in enumerate(report.reference_windows) if window} == own

    root = Outline.parse(str(FIGURE_5_2))
    report = analyse_node(watched("NeverRaised", 1), root, 2)
    assert [reference_window(report, number) for number in (0, *report.nodes[0].children)] == [
        "",
        "",
        "alpha-beta has α 3",
        "alpha-beta has α 3",
    ]
    browser = TreeBrowser(report)
    browser.select(report.nodes[0].children[1])
    assert "no bounds  (alpha-beta has α 3)" in node_facts(browser)[1]
    assert "(alpha-beta has α 3)" in lecture_words(browser)
    plain = analyse(watched("InnerFunction", 1), position())
    assert (plain.reference_windows, reference_window(plain, 0)) == (None, "")


class InnerFunction(SearchAgent):
    """Minimax in a function inside `search`; the root has no call of it."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        def value(node: Node, plies: int) -> float:
            if plies == 0 or node.is_terminal:
                return self.evaluate(node)
            values = [value(node.successor(action), plies - 1) for action in node.actions()]
            return max(values) if node.layer is Layer.MAX else min(values)

        return max((Line(value(node.successor(a), plies - 1), a) for a in node.actions()), key=lambda line: line.value)


def test_values_that_no_call_shows_are_worked_out() -> None:
    report, reference = analyse(watched("InnerFunction", 2), position()), analyse(solution("minimax"), position())
    assert report.root_intervals == reference.root_intervals
    assert [visit.number for visit in report.steps] == [visit.number for visit in reference.steps]
    assert [report.interval(node.number) for node in report.nodes] == [
        reference.interval(node.number) for node in reference.nodes
    ]


class LookingAhead(SearchAgent):
    """Evaluates every successor to search the best one first, and its evaluation looks ahead too."""

    def evaluate(self, node: Any) -> float:
        ahead = [self.weighed(node.successor(action), 2.0) / 2 for action in node.actions()]
        return max([node.score, *ahead])

    def weighed(self, node: Any, weight: float) -> float:
        return float(node.score * weight)

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        actions = sorted(node.actions(), key=lambda action: -self.evaluate(node.successor(action)))
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in actions]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


def test_an_evaluation_may_look_ahead() -> None:
    agent = watched("LookingAhead", 1)
    report = analyse(agent, position())
    assert report.interval(0) == (agent.search(position(), 3).value,) * 2
    assert {visit.number for visit in report.steps} <= {node.number for node in report.nodes if node.depth <= 3}


class Endless(SearchAgent):
    """Never ends, and catches every Exception."""

    def search(self, node: Node, plies: int) -> Line:
        try:
            lines = [Line(self.search(node.successor(action), plies).value, action) for action in node.actions()]
        except Exception:
            return Line(0, None)
        return max(lines, key=lambda line: line.value, default=Line(0, None))


def test_an_endless_search_is_stopped_and_the_note_says_so() -> None:
    ticks = iter(range(10_000))
    report = analyse(watched("Endless", 1), position(), clock=lambda: next(ticks))
    assert report.note == "stopped after 10 s"
    assert report.steps[-1].why is ExitReason.STOPPED
    assert (report.action, report.interval(0)) == (None, (-inf, inf))
    assert why(report) == "The search chose no action (stopped after 10 s)."
    assert {row.kind for row in TreeBrowser(report).rows() if row.number is None} == {RowKind.PENDING}, "no cut"


@pytest.mark.parametrize("name", ["expectiminimax", "exhaustive", "alphabeta", "star1", "star2", "star2.5"])
def test_a_large_search_keeps_its_first_round_with_its_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = position()
    whole = choose_search(name, rounds=2)(state)
    monkeypatch.setattr("agents.analysis.MAX_NODES", 10)
    top = choose_search(name, rounds=2)(state)
    assert top.note == "shows only the first 3 plies: the whole search has more than 10 nodes"
    assert max(node.depth for node in top.nodes) <= 3
    assert len(top.nodes) < len(whole.nodes)
    assert (top.root_intervals, top.action) == (whole.root_intervals, whole.action)


# ---- names


def test_searches_by_name() -> None:
    state = position()
    assert choose_search("expectimax", rounds=1)(state).title == "expectimax, 1 round"
    assert choose_search("star2", rounds=1)(state).title == "star2, 1 round"
    assert search_of_player("minimax", 3)(state).plies == 9
    assert search_of_player("greedy", 1)(state).title == "expectiminimax, 1 round"
    assert choose_search("alphabeta:evaluation=score", 1)(state).root == state.assuming(Layer.MIN), (
        "the agent's comes first"
    )
    for name in set(ALGORITHMS) - {"alphabeta"}:
        assert choose_search(name, rounds=1)(state).interval(0) == (exhaustive(state, 3).value,) * 2


@pytest.mark.parametrize(
    ("name", "kind", "layer"),
    [
        ("Minimax", "minimax", Layer.MIN),
        ("AlphaBeta", "alphabeta", Layer.MIN),
        ("Expectimax", "expectimax", Layer.CHANCE),
    ],
)
def test_a_right_search_is_shown_of_an_agent_that_returns_only_an_action(name: str, kind: str, layer: Layer) -> None:
    """It is the one that the name of the class says, as deep, with the evaluation of the agent."""
    analyse_position = search_of_player(f"{CLASSIC}:{name}Agent:depth=1")
    report = analyse_position(position())
    assert (report.title, report.plies) == (f"not your code: a right {kind}, 1 round", 3)
    assert report.root == position().assuming(layer)
    assert report.interval(0)[0] == exhaustive(position().assuming(layer), 3).value
    assert load.make_pacman(f"{CLASSIC}:{name}Agent").assumes is layer
    assert shown_instead(analyse_position) == f"{kind}, 1 round"
    assert not shown_instead(search_of_player("minimax"))
    assert not shown_instead(search_of_player("greedy"))
    assert shown_instead(search_of_player(f"{ROOT / 'agents/student.py'}:ReflexAgent")) == "expectiminimax, 2 rounds"


def test_an_agent_with_random_choices_has_the_same_report_each_time(tmp_path: Path) -> None:
    path = tmp_path / "random_agent.py"
    path.write_text(
        "from agents.base import SearchAgent\n\n\nclass Random(SearchAgent):\n    def search(self, node, plies):\n"
        "        return self.rng.random(), self.rng.choice(node.actions())\n"
    )
    analyse_position = search_of_player(f"{path}:Random")
    first, second = analyse_position(position()), analyse_position(position())
    assert first.title == "Random, 2 rounds"
    assert (first.action, first.interval(0)) == (second.action, second.interval(0))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("expectimx", "no search 'expectimx': did you mean 'expectimax'? (or FILE.py:CLASS)"),
        (
            "greedy",
            "greedy does not search; known: minimax, alphabeta, expectimax, expectiminimax, exhaustive, star1, star2, "
            "star2.5",
        ),
        ("star1:depth=2", "star1 has no option 'depth': known: evaluation, rounds"),
        ("minimax:rouns=2", "minimax has no option 'rouns': did you mean 'rounds'?"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        choose_search(name)
    assert str(caught.value) == message


@pytest.mark.parametrize(("search", "decimals"), [("expectimax", 2), ("minimax", 2)])
def test_all_numbers_of_a_view_have_the_same_decimals(search: str, decimals: int) -> None:
    """The values in the rows of the tree, the windows, and the arithmetic; a lecture has one decimal less."""
    report = choose_search(search, rounds=2)(position())
    assert report.decimals == decimals
    browser = TreeBrowser(report)
    rows = browser.rows()
    texts = [row.value for row in rows] + [row.window for row in rows]
    texts += [node_in_words(report, number) for number in range(len(report.nodes))]
    numbers = [number for text in texts for number in re.findall(r"−?\d+(?:\.\d+)?", re.sub(r"\d+(/\d+)? ×", "", text))]
    assert len(numbers) > 50
    assert {len(number.partition(".")[2]) for number in numbers} == {decimals}
    assert {len(number.partition(".")[2]) for number in re.findall(r"−?\d+\.\d+", lecture_words(browser))} == {
        decimals - 1
    }


def test_small_values_have_more_decimals_and_a_drawn_tree_has_its_own() -> None:
    report = choose_search("minimax", rounds=1)(position())
    for claims, decimals in ((((3.0, 3.0),), 0), (((0.125, 1 / 3),), 4), (((2.5, 1 / 3),), 3), (((-12.25, 4.0),), 2)):
        assert replace(report, claims=claims).decimals == decimals
    assert tree_report(FIGURE_5_2).decimals is None
