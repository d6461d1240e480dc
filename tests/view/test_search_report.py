"""What a study says of a search, held against the search itself, and against the true values of every node."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents import load
from agents.agent_analysis import analyse
from agents.base import SearchAgent
from pacman.commands.search_choice import agent_search, choose_search
from pacman.core.errors import InputError
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.state import GameState, start
from pacman.core.trace import CountedNode, ExitReason, Trace
from pacman.core.tree import Line, Node
from pacman.search.algorithms import ALGORITHMS, Options, run_search
from pacman.search.bounds import constant_bounds
from pacman.search.exhaustive import exhaustive
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.analysis.search_report import SearchReport
from pacman.view.analysis.worker import AnalysisWorker
from tests.sample_answers import solution
from tests.view.fake_screen import wait_for_report

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


def studied(tree: Outline, algorithm: str = "alphabeta") -> SearchReport:
    found = run_search(algorithm, tree, tree.height(), Options(bounds=constant_bounds(-10, 10)))
    return report_from_trace(tree, tree.height(), found.trace, algorithm)


def position(layout: str = "smallish", ghosts: tuple[str, ...] = ("random", "optimal")) -> GameState:
    state = start(layout, list(ghosts))
    for _ in range(7 * len(state.layers)):
        state = state.successor(state.actions()[-1])
    return state


# ---- drawn trees


def test_the_books_tree() -> None:
    study = studied(FIGURE_5_2)
    assert study.roots == (("a1", (3, 3)), ("a2", (-inf, 2)), ("a3", (2, 2)))
    assert study.line == ("a1", "b1")
    assert [tuple(layer) for layer in study.layers] == [(Layer.MAX, None, 1, 3, 0, 0), (Layer.MIN, None, 3, 7, 1, 2)]
    pruned = next(seen for seen in study.nodes if seen.unseen)
    assert (pruned.action, pruned.unseen) == ("a2", ("c2", "c3"))


def test_what_is_known_step_by_step() -> None:
    """Alpha-beta on the book's tree: the root, the first MIN node and the second, at every step."""
    study = studied(FIGURE_5_2)
    numbers = [seen.number for seen in study.nodes if seen.action in ("", "a1", "a2")]
    told = [[study.known(number, step) for number in numbers] for step in range(len(study.steps))]
    unknown = (-inf, inf)
    assert told[:8] == [
        [unknown, unknown, unknown],
        [unknown, unknown, unknown],
        [unknown, (-inf, 3), unknown],
        [unknown, (-inf, 3), unknown],
        [unknown, (-inf, 3), unknown],
        [(3, inf), (3, 3), unknown],
        [(3, inf), (3, 3), (-inf, 2)],
        [(3, inf), (3, 3), (-inf, 2)],
    ]
    assert study.known(0) == (3, 3)


# The outcome b of b is a chance node that is probed: a leaf is made of it, and no move of it is searched.
PROBED_TO_A_LEAF = Outline.parse(
    "min\n  a: -5\n  b: chance\n    a @1/2: max\n      a: -1\n      b: max\n        a: 0\n"
    "    b @1/2: chance\n      a @1: 0"
)


@given(trees, st.sampled_from(ALGORITHMS))
@example(PROBED_TO_A_LEAF, "star2")
def test_the_counts_are_the_traces(tree: Outline, algorithm: str) -> None:
    found = run_search(algorithm, tree, tree.height(), Options(bounds=constant_bounds(-10, 10)))
    study = report_from_trace(tree, tree.height(), found.trace)
    took = found.statistics
    assert (study.generated, study.expanded) == (took.generated, took.expanded)
    assert len(study.nodes) == found.trace.distinct + 1
    assert list(study.steps) == found.trace.visits
    assert sum(layer.pruned for layer in study.layers) == sum(len(seen.unseen) for seen in study.nodes)
    assert study.line == found.line[: len(study.line)]
    assert (found.value, found.value) == study.known(0)


@given(trees, st.sampled_from(ALGORITHMS))
def test_every_interval_holds_the_true_value_at_every_step(tree: Outline, algorithm: str) -> None:
    study = studied(tree, algorithm)
    true = [exhaustive(seen.node, study.plies - seen.depth).value for seen in study.nodes]
    for step in (*range(len(study.steps)), None):
        for number, value in enumerate(true):
            low, high = study.known(number, step)
            assert low - 1e-9 <= value <= high + 1e-9, (study.nodes[number].action, step)


@given(trees)
def test_an_exhaustive_search_knows_everything_and_learns_in_order(tree: Outline) -> None:
    study = studied(tree, "exhaustive")
    for seen in study.nodes:
        value = exhaustive(seen.node, study.plies - seen.depth).value
        assert study.known(seen.number) == (value, value)
        told = [study.known(seen.number, step) for step in range(len(study.steps))]
        assert all(later[0] >= earlier[0] and later[1] <= earlier[1] for earlier, later in pairwise(told))


@given(trees)
def test_a_search_that_nobody_watched_has_the_same_study(tree: Outline) -> None:
    """From the successors made alone, and the leaves, all else follows."""
    trace = Trace()
    exhaustive(CountedNode(tree, trace), tree.height())
    study = report_from_trace(tree, tree.height(), trace)
    watching = studied(tree, "exhaustive")
    assert [visit.number for visit in study.steps] == [visit.number for visit in watching.steps]
    assert (study.generated, study.expanded) == (watching.generated, watching.expanded)


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
def test_an_agents_search_is_the_librarys(name: str, assumed: Layer | None, same: str) -> None:
    state = position()
    agent = solution(name, "rounds=2")
    study = analyse(agent, state)
    root = state if assumed is None else state.assuming(assumed)
    found = run_search(same, root, 6)
    took = found.statistics
    assert (study.expanded, study.generated) == (took.expanded, took.generated)
    assert sum(layer.cut for layer in study.layers) == took.cutoffs
    assert study.known(0) == (found.value, found.value)
    assert study.action == found.action == agent.choose(state)
    for action, (low, high) in study.roots:
        value = exhaustive(root.successor(action), 5).value
        assert low <= value <= high
        assert low == high or same == "alphabeta"
    assert vars(agent).keys() == {"rounds", "evaluation"}, "the agent is left as it was"


def test_heat_counts_each_expanded_node_once_and_walks_follow_the_line() -> None:
    study = analyse(load.pacman("expectiminimax", ["rounds=2", "evaluation=score"]), position())
    assert sum(sum(one.values()) for one in study.heat) == study.expanded
    for walk in study.walks:
        assert len(walk) == 3
        assert all(abs(x - to_x) + abs(y - to_y) <= 1 for (x, y), (to_x, to_y) in pairwise(walk))
    assert study.walks[0][0] == study.root.pacman.position


def test_a_study_at_a_ghosts_turn_is_about_his_actions() -> None:
    state = position()
    state = state.successor(state.actions()[0])
    study = analyse(load.pacman("expectiminimax", ["rounds=1"]), state)
    assert tuple(action for action, _ in study.roots) == state.actions()


class Windowed(SearchAgent):
    """Alpha-beta in methods of its own, one for each layer, as many students write it."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        return self.best(node, plies, -inf, inf)

    def value(self, node: Node, depth: int, alpha: float, beta: float) -> float:
        if depth == 0 or node.is_terminal:
            return self.evaluate(node)
        if node.layer is Layer.MAX:
            return self.best(node, depth, alpha, beta).value
        return self.worst(node, depth, alpha, beta)

    def best(self, node: Node, depth: int, alpha: float, beta: float) -> Line:
        found = Line(-inf, None)
        for action in node.actions():
            value = self.value(node.successor(action), depth - 1, alpha, beta)
            found = max(found, Line(value, action), key=lambda line: line.value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return found

    def worst(self, node: Node, depth: int, alpha: float, beta: float) -> float:
        found = inf
        for action in node.actions():
            found = min(found, self.value(node.successor(action), depth - 1, alpha, beta))
            beta = min(beta, found)
            if alpha >= beta:
                break
        return found


def test_methods_of_a_students_own_show_their_windows() -> None:
    study, reference = analyse(Windowed(rounds=2), position()), analyse(solution("alphabeta"), position())
    entries = [(visit.number, visit.alpha, visit.beta, visit.value) for visit in study.steps]
    assert entries == [(visit.number, visit.alpha, visit.beta, visit.value) for visit in reference.steps]
    assert study.roots == reference.roots


class Aspiring(Windowed):
    """Begins with a narrow window."""

    def search(self, node: Node, plies: int) -> Line:
        return self.best(node, plies, -1000, 1000)


def test_a_method_that_hands_its_node_on_is_the_same_entry() -> None:
    study = analyse(Aspiring(rounds=1), position())
    assert [(visit.alpha, visit.beta) for visit in study.steps if visit.number == 0] == [(-1000, 1000)]


class Closed(SearchAgent):
    """Minimax in a function inside of `search`, which nobody can watch: only what it makes and evaluates is seen."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        def value(node: Node, plies: int) -> float:
            if plies == 0 or node.is_terminal:
                return self.evaluate(node)
            values = [value(node.successor(action), plies - 1) for action in node.actions()]
            return max(values) if node.layer is Layer.MAX else min(values)

        return max((Line(value(node.successor(a), plies - 1), a) for a in node.actions()), key=lambda line: line.value)


def test_values_below_what_can_be_watched_are_worked_out() -> None:
    study, reference = analyse(Closed(rounds=2), position()), analyse(solution("minimax"), position())
    assert study.roots == reference.roots
    assert [visit.number for visit in study.steps] == [visit.number for visit in reference.steps]
    assert [study.known(seen.number) for seen in study.nodes] == [
        reference.known(seen.number) for seen in reference.nodes
    ]


class Peeking(SearchAgent):
    """Evaluates every successor first, to search the best one first, and looks ahead within its evaluation."""

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


def test_an_evaluation_that_looks_ahead_breaks_nothing() -> None:
    agent = Peeking(rounds=1)
    study = analyse(agent, position())
    assert study.known(0) == (agent.search(position(), 3).value,) * 2
    assert {visit.number for visit in study.steps} <= {seen.number for seen in study.nodes if seen.depth <= 3}


class Stubborn(SearchAgent):
    """Never gives up, and takes every exception for his own."""

    def search(self, node: Node, plies: int) -> Line:
        try:
            lines = [Line(self.search(node.successor(action), plies).value, action) for action in node.actions()]
        except Exception:
            return Line(0, None)
        return max(lines, key=lambda line: line.value, default=Line(0, None))


def test_a_search_without_an_end_is_stopped_and_says_so() -> None:
    ticks = iter(range(10_000))
    study = analyse(Stubborn(rounds=1), position(), clock=lambda: next(ticks))
    assert study.note == "stopped after 10 s"
    assert study.steps[-1].why is ExitReason.STOPPED
    assert (study.action, study.known(0)) == (None, (-inf, inf))


@pytest.mark.parametrize("name", ["expectiminimax", "exhaustive", "alphabeta", "star1", "star2", "star2.5"])
def test_of_a_large_search_the_first_round_is_kept_with_its_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = position()
    whole = choose_search(name, (), 2)(state)
    monkeypatch.setattr("agents.agent_analysis.analyse.__defaults__", ("", 10, 10.0, time.perf_counter))
    top = choose_search(name, (), 2)(state)
    assert top.note == "only the first 3 plies: more than 10 nodes"
    assert max(seen.depth for seen in top.nodes) <= 3
    assert len(top.nodes) < len(whole.nodes)
    assert (top.roots, top.action) == (whole.roots, whole.action)


# ---- names


def test_searches_by_name() -> None:
    state = position()
    assert choose_search("expectimax", (), 1)(state).title == "expectimax, 1 round"
    assert choose_search("star2", (), 1)(state).title == "star2, 1 round"
    assert agent_search("minimax", (), 3)(state).plies == 9
    assert agent_search("greedy", (), 1)(state).title == "exhaustive, 1 round"
    assert choose_search("alphabeta", ("evaluation=score",), 1)(state).root == state.assuming(Layer.MIN), (
        "the agent's comes first"
    )
    for name in set(ALGORITHMS) - {"alphabeta"}:
        assert choose_search(name, (), 1)(state).known(0) == (exhaustive(state, 3).value,) * 2


def test_an_agent_that_draws_has_the_same_study_each_time(tmp_path: Path) -> None:
    path = tmp_path / "drawing.py"
    path.write_text(
        "from agents.base import SearchAgent\nfrom pacman.core.tree import Line\n\n\n"
        "class Drawing(SearchAgent):\n"
        "    def search(self, node, plies):\n"
        "        action = self.rng.choice(node.actions())\n"
        "        return Line(self.evaluate(node.successor(action)) + self.rng.random(), action)\n",
        encoding="utf-8",
    )
    think = agent_search(f"{path}:Drawing")
    first, second = think(position()), think(position())
    assert first.title == "Drawing, 2 rounds"
    assert (first.action, first.known(0)) == (second.action, second.known(0))


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("expectimx", (), "no search 'expectimx': did you mean 'expectimax'? (or FILE.py:CLASS)"),
        (
            "greedy",
            (),
            "greedy does not search; known: minimax, alphabeta, expectimax, expectiminimax, exhaustive, star1, star2, "
            "star2.5",
        ),
        ("star1", ("depth=2",), "star1 takes no argument 'depth=2': only agents take arguments"),
        ("minimax", ("rouns=2",), "minimax takes no argument 'rouns': did you mean 'rounds'?"),
    ],
)
def test_names_that_are_none(name: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        choose_search(name, arguments)
    assert str(caught.value) == message


# ---- the desk


def test_a_desk_thinks_beside_whoever_asks() -> None:
    state = position()
    free = threading.Event()

    def think(asked: GameState) -> SearchReport:
        assert free.wait(10)
        return analyse(load.pacman("minimax", ["rounds=1"]), asked)

    desk = AnalysisWorker(think)
    assert desk.ask(state) is None
    assert (desk.is_busy(state), desk.status(state)) == (True, "thinking ...")
    free.set()
    study = wait_for_report(desk, state, 10)
    assert study is not None
    assert desk.ask(state) is study
    assert not desk.is_busy(state)
    desk.stop()


def test_what_a_search_raises_is_told_in_words() -> None:
    class Broken(SearchAgent):
        def search(self, node: Node, plies: int) -> Line:
            return [][plies]  # type: ignore[no-any-return]

    desk = AnalysisWorker(lambda state: analyse(Broken(), state))
    assert wait_for_report(desk, position(), 10) is None
    assert desk.status(position()) == "IndexError: list index out of range"
    unwritten = AnalysisWorker(choose_search("agents/student.py:MinimaxAgent"))
    assert wait_for_report(unwritten, position(), 10) is None
    reason = "agents/student.py:MinimaxAgent: NotWritten: MinimaxAgent.search is not written yet"
    assert unwritten.status(position()) == reason
    with pytest.raises(InputError) as caught:
        choose_search("agents/student.py:MinimaxAgent")(position())
    assert str(caught.value) == reason


def test_only_the_latest_of_many_questions_is_answered_next() -> None:
    asked: list[GameState] = []
    begun, free = threading.Event(), threading.Event()

    def think(state: GameState) -> SearchReport:
        asked.append(state)
        begun.set()
        assert free.wait(10)
        return analyse(load.pacman("minimax", ["rounds=1"]), state)

    desk = AnalysisWorker(think)
    first = position()
    others = [first.successor(action) for action in first.actions()]
    desk.ask(first)
    assert begun.wait(10)
    for state in others:
        desk.ask(state)
    free.set()
    assert wait_for_report(desk, others[-1], 10) is not None
    assert asked == [first, others[-1]]


def test_a_finished_game_has_no_study() -> None:
    over = start("%%%%%\n%P. %\n%%%%%", []).successor("East")
    desk = AnalysisWorker(lambda state: pytest.fail("nobody thinks about a finished game"))
    assert wait_for_report(desk, over, 0) is None
    assert desk.status(over) == "the game is over"
