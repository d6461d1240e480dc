"""Why a search chose its action: each claim of the sentences is computed again from the whole tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import load
from agents.analysis import analyse, analyse_node, choose_search
from agents.base import SearchAgent
from agents.searchers import Searcher, default_evaluation
from pacman.core.state import GameState, start
from pacman.core.tree import Evaluation, Layer, Line, Node, score
from pacman.core.tree_text import Outline
from pacman.record.report import SearchReport, report_from_trace
from pacman.record.why import MOVES, why
from pacman.search.algorithms import ALGORITHMS, Options, run_search
from pacman.search.exhaustive import exhaustive
from tests.record.test_report import FIGURE_5_2, tree_report, trees, watched

PACMEN = ("minimax", "alphabeta", "expectimax", "expectiminimax")
NEAR = 1e-6
CASES = "In (?:the worst case|the most probable case|one case|one of the most probable cases) after|After"
STORY = re.compile(rf"({CASES}) ([^:]*): (.*?)\.(?= [A-Z]|$)")


def check(report: SearchReport, evaluate: Evaluation = score) -> str:
    """Checks every claim about this report against the whole tree; returns the words."""
    words, root = why(report), report.root
    assert words.isascii()
    if root.is_terminal or root.layer is Layer.CHANCE:
        return words
    value = cache(lambda node, plies: exhaustive(node, plies, evaluate).value)
    sign = 1 if root.layer is Layer.MAX else -1
    values = {action: sign * value(root.successor(action), report.plies - 1) for action in root.actions()}
    assert values[report.action or ""] >= max(values.values()) - NEAR, "the search chose a best action"
    check_comparison(words, report.action or "", values, sign)
    for story in STORY.finditer(words):
        check_story(story, report, value, sign)
    return words


def check_comparison(words: str, action: str, values: dict[str, float], sign: int) -> None:
    """The first sentence is true; `values` are seen from the side of who moves."""
    first, best = re.split(r"\.(?: |$)", words)[0], values[action]
    skipped = re.search(r"without a look at ([^.]*)\.", words)
    others = {name: number for name, number in values.items() if name not in [action, *actions_in(skipped)]}
    if claim := re.fullmatch(r"\S+ is (at least )?(\S+) better(?: on average)?(?: for MIN)? than (.*)", first):
        amount, near = float(claim[2]), 0.01 + 1e-3 * float(claim[2])
        if claim[1]:
            named = others if claim[3] == "every other action" else {name: others[name] for name in listed_in(claim[3])}
            assert all(best - number >= amount - near for number in named.values())
        else:
            assert abs(best - max(others.values()) - amount) < near
            assert abs(others[claim[3].removeprefix("the next best, ")] - max(others.values())) < NEAR
    elif claim := re.fullmatch(r"\S+ is as good as ([^;]*); (.*)", first):
        equal, order = listed_in(claim[1]), list(values)
        assert {name for name, number in others.items() if abs(number - best) < NEAR} >= set(equal)
        is_first = all(order.index(action) < order.index(name) for name in equal)
        assert ("the first in order wins" in claim[2]) == is_first
    elif claim := re.fullmatch(r"The value of \S+ is (at \w+ )?(\S+)", first):
        assert claim[1] or abs(float(claim[2]) - sign * best) < 0.01 + 1e-3 * abs(best)
    else:
        assert re.match(r"\S+ is (at least as good as .*; the search|the only legal action)", first), first
        assert not others or best >= max(others.values()) - NEAR


def listed_in(words: str) -> list[str]:
    return re.split(r", | and ", words)


def actions_in(match: re.Match[str] | None) -> list[str]:
    return listed_in(match[1]) if match else []


def check_story(story: re.Match[str], report: SearchReport, value: Callable[[Any, int], float], sign: int) -> None:
    """The story is a legal line, each outcome in it is as the story says, and it ends as it says."""
    case, line, ending = story.groups()
    first, *moves = line.split(", ")
    node: Node = report.root.successor(first)
    is_pacman, is_tied = isinstance(node, GameState), False
    for ply, move in enumerate((move for move in moves if move != "..."), 1):
        who, action = re.fullmatch(r"(Pacman|ghost \d|[A-Z]+) (\S+)(?: \(.*\))?", move).groups()  # type: ignore[union-attr]
        assert who == ((f"ghost {node.mover}" if node.mover else "Pacman") if is_pacman else node.layer.name)  # type: ignore[attr-defined]
        assert action in node.actions()
        chances = dict(node.outcomes()) if node.layer is Layer.CHANCE else {}
        each = {name: sign * value(node.successor(name), report.plies - ply - 1) for name, p in chances.items() if p}
        assert not each or case != "In the worst case after" or each[action] <= min(each.values()) + NEAR
        if each and "most probable" in case:
            assert chances[action] == max(chances.values())
            is_tied |= list(chances.values()).count(chances[action]) > 1
        node = node.successor(action)
    plies = int(re.search(r"on ply (\d+)", ending)[1])  # type: ignore[index]
    assert (moves[-1:] == ["..."]) == (plies > MOVES + 2)
    if moves[-1:] == ["..."]:
        return
    assert is_tied == (case == "In one of the most probable cases after")
    assert plies == len(moves) + 1
    assert ("Pacman is caught" in ending) == (is_pacman and node.is_lose)  # type: ignore[attr-defined]
    assert ("Pacman wins" in ending) == (is_pacman and node.is_win)  # type: ignore[attr-defined]
    assert "utility" not in ending or node.is_terminal
    assert "with the evaluation" not in ending or (plies == report.plies and not node.is_terminal)
    if shown := re.search(r"(?:utility|evaluation|value is) (-?[\d.e+-]+)$", ending):
        true = value(node, report.plies - plies)
        assert abs(float(shown[1]) - true) < 0.01 + 1e-3 * abs(true)


def positions(layout: str, ghosts: list[str], seed: int) -> list[GameState]:
    """Positions of a game with random moves in which Pacman moves, some just before its end."""
    rng, state = Random(seed), start(layout, ghosts)
    found = []
    while not state.is_terminal and len(found) < 40:
        if state.mover == 0:
            found.append(state)
        state = state.successor(rng.choice(state.actions()))
    return found[-2:] + found[:-2:9]


@pytest.mark.parametrize("name", [*PACMEN, "exhaustive", "star1", "star2", "star2.5"])
def test_every_registered_search_says_the_truth(name: str) -> None:
    agent = Searcher(2, "score")
    if name in PACMEN:
        agent = load.make_pacman(name, [f"rounds={1 if name == 'expectimax' else 2}"])
    else:
        agent.algorithm = name
    sentences = set()
    for number, (layout, ghosts) in enumerate(
        [
            ("nook", ["random"]),
            ("nook", ["optimal"]),
            ("trap", ["optimal"]),
            ("gamble", ["random"]),
            ("hunt", ["directional"]),
            ("smallish", ["random", "optimal"]),
        ]
    ):
        for state in (state for seed in range(2) for state in positions(layout, ghosts, 10 * number + seed)):
            report = analyse(agent, state)
            sentences.add(check(report, default_evaluation if name in PACMEN else score))
    assert len(sentences) > 3


@given(trees, st.sampled_from(ALGORITHMS))
def test_every_search_of_a_drawn_tree_says_the_truth(tree: Outline, algorithm: str) -> None:
    check(tree_report(tree, algorithm))


def test_the_tree_of_the_textbook() -> None:
    assert why(tree_report(FIGURE_5_2, "exhaustive")) == (
        "a1 is 1 better than the next best, a2. After a2, MIN c1: the end on ply 2 has the utility 2. "
        "After a1, MIN b1: the end on ply 2 has the utility 3."
    )
    assert why(tree_report(FIGURE_5_2)).startswith("a1 is 1 better than the next best, a3.")


@pytest.mark.parametrize(
    ("text", "algorithm", "words"),
    [
        ("max\n  a: 3\n  b: min\n    x: 2\n    y: 100", "alphabeta", "a is at least 1 better than b. After b, MIN x: "),
        ("max\n  a: 3\n  b: 3\n  c: 1", "exhaustive", "a is as good as b; the first in order wins. After a: "),
        ("max\n  a: 3", "exhaustive", "a is the only legal action. After a: the end on ply 1 has the utility 3."),
        ("min\n  a: 3\n  b: 1", "exhaustive", "b is 2 better for MIN than the next best, a. "),
        ("chance\n  a: 3\n  b: 1", "exhaustive", "Nobody chooses here: the value is a mean. CHANCE: 1/2 * 3 + 1/2 * 1"),
        (
            "max\n  a: 0\n  b: chance\n    x @1/4: -8\n    y @3/4: 4",
            "exhaustive",
            "b is 1 better on average than the next best, a. After a: the end on ply 1 has the utility 0. "
            "In the most probable case after b, CHANCE y (probability 3/4): the end on ply 2 has the utility 4.",
        ),
        (
            "max\n  a: 0\n  b: chance\n    x: -2\n    y: 4",
            "exhaustive",
            "b is 1 better on average than the next best, a. After a: the end on ply 1 has the utility 0. "
            "In one of the most probable cases after b, CHANCE x (probability 1/2): ",
        ),
        (
            "max { a: 3; b: chance { x: 2; y: min { p: 3; q: -9 } } }",  # y is cut, so nobody knows the worst case
            "star1",
            "a is at least 0.5 better on average than b. In one case after b, CHANCE x (probability 1/2): ",
        ),
        (
            "max\n  a: 10\n  b: 3\n  c: 4",
            "star1",
            "The value of a is 10. The search stopped without a look at b and c.",
        ),
        ("7", "exhaustive", "The game is over here."),
    ],
)
def test_examples(text: str, algorithm: str, words: str) -> None:
    assert why(tree_report(Outline.parse(text), algorithm)).startswith(words)


@pytest.mark.parametrize("name", PACMEN)
def test_a_lost_position_says_how_long_pacman_lives(name: str) -> None:
    mean = " on average" if name == "expectimax" else ""
    state = start("%%%%%%%%\n%G.P..G%\n%%%%%%%%", ["optimal", "optimal"])
    assert why(choose_search(name, rounds=2)(state)) == (
        f"East is 9 better{mean} than the next best, West. After West, ghost 1 East: Pacman is caught on ply 2. "
        "After East, ghost 1 East, ghost 2 West, Pacman East: Pacman is caught on ply 4."
    )


class WrongChoice(SearchAgent):
    """Minimax that takes the worst action at the root."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        lines = [Line(self.value(node.successor(action), plies - 1), action) for action in node.actions()]
        return min(lines, key=lambda line: line.value)

    def value(self, node: Node, plies: int) -> float:
        if plies == 0 or node.is_terminal:
            return self.evaluate(node)
        values = [self.value(node.successor(action), plies - 1) for action in node.actions()]
        return max(values) if node.layer is Layer.MAX else min(values)


def test_a_students_wrong_choice_is_told() -> None:
    words = why(analyse_node(watched("WrongChoice", 1, __file__), FIGURE_5_2, 2))
    assert words.startswith("The search chose a2, although its own values say that a1 is 1 better. After a1, MIN b1: ")


class NoAction(WrongChoice):
    """Minimax that returns no action."""

    def search(self, node: Node, plies: int) -> Line:
        return Line(self.value(node, plies), None)


def test_a_search_that_returned_no_action_chose_none() -> None:
    report = analyse_node(watched("NoAction", 1, __file__), FIGURE_5_2, 2)
    assert (report.action, why(report)) == (None, "The search chose no action.")


class NoValues(SearchAgent):
    """Returns an action, and looks at no node."""

    def search(self, node: Node, plies: int) -> Line:
        return Line(0, node.actions()[-1])


def test_a_search_without_values_says_nothing_about_what_follows() -> None:
    assert "After" not in why(analyse(watched("NoValues", 1, __file__), start("nook", ["random"])))


def test_of_equal_actions_one_in_the_middle_was_not_the_first_in_order() -> None:
    tree = Outline.parse("max { a: min ~1 { x: 3 }; b: min ~9 { x: 3 }; c: min ~1 { x: 3 } }")
    report = report_from_trace(tree, 2, run_search("exhaustive", tree, 2, Options(order="score")).trace)
    assert check(report).startswith("b is as good as a and c; the search took this one.")
