"""Wrong searches lose points, right ones none: mutants of the styles, and variants that students write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.commands.shared.assignment_checks import _summary
from autograder.strength.misreading import Misreading, MisreadNode
from autograder.strength.mutants import Mutant, mutants
from autograder.strength.strength import Task, Trial, View, earned_criteria, search_cases, trials
from pacman.core.layers import Layer
from pacman.core.tree import Node
from tests.command_line import run_here

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
ASSIGNMENTS = {"multiagent": "native", "classic": "cs188"}
SEARCHES = [
    (name, question.id)
    for name in ASSIGNMENTS
    for question in loading.load(name).questions
    if question.role == "search"
]
STYLES = {name: loading.load(name).styles for name in ASSIGNMENTS}
ONE = next(file for file in STYLES["multiagent"] if file.stem == "one_function").read_text(encoding="utf-8")

BERKELEY = next(file for file in STYLES["classic"] if file.stem == "agent_index").read_text(encoding="utf-8")


def unchanged(node: Node) -> Node:
    return node


def share(source: str, question: str, view: View = unchanged, name: str = "multiagent") -> float:
    """The share of a question that a file earns, if it gets all points for whole games."""
    references = {case.id: reference for case, reference in search_cases(name, question)}
    earned, total = 0.0, 0.0
    for case in loading.load(name).cases:
        if case.question.id == question:
            total += case.input.weight
            criteria = {"all": 1.0}
            weights: dict[str, float] = {"all": 1.0}
            if case.id in references:
                criteria = earned_criteria(source, case, references[case.id], ASSIGNMENTS[name], view)
                weights = {**case.question.criteria}
            points = sum(weights[criterion] * part for criterion, part in criteria.items())
            earned += case.input.weight * points / sum(weights[criterion] for criterion in criteria)
    return earned / total


def changed(*changes: tuple[str, str], source: str = ONE) -> str:
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


@pytest.mark.slow("that grade or examine wrong searches", keep=2)
@pytest.mark.parametrize(("name", "question"), SEARCHES)
def test_every_style_gets_full_marks(name: str, question: str) -> None:
    assert len(STYLES[name]) >= 6
    for file in STYLES[name]:
        assert share(file.read_text(encoding="utf-8"), question, name=name) == pytest.approx(1), file.name


@pytest.mark.slow("that grade or examine wrong searches")
@pytest.mark.parametrize(("name", "question"), SEARCHES)
def test_nothing_wrong_survives_in_a_small_sample(name: str, question: str) -> None:
    """The command `check` tries all mutants."""
    for file in STYLES[name]:
        some = trials(Task(name, ASSIGNMENTS[name], question, file, most=3))
        assert 2 <= len(some) <= 3
        assert not [(trial.mutant.line, trial.mutant.old, trial.mutant.new) for trial in some if trial.survives]


@pytest.mark.slow("that grade or examine wrong searches")
def test_weak_cases_are_found(tmp_path: Path) -> None:
    (tmp_path / "weak" / "cases" / "q").mkdir(parents=True)
    (tmp_path / "weak" / "styles").mkdir()
    (tmp_path / "weak" / "styles" / "mine.py").write_text(ONE, encoding="utf-8")
    (tmp_path / "weak" / "assignment.yaml").write_text(
        "title: Weak\nquestions:\n  - {id: q, title: Q, part: MinimaxAgent, points: 1, role: search, "
        "reference: exhaustive, criteria: {value: 1}}\n",
        encoding="utf-8",
    )
    (tmp_path / "weak" / "cases" / "q" / "one.yaml").write_text(
        "kind: tree\nshows: one ply\nplies: 1\ntree: |\n  max ~0\n    a: 1\n    b: 2\n", encoding="utf-8"
    )
    weak = str(tmp_path / "weak")
    assert run_here("autograder", "record", "--assignment", weak).returncode == 0
    done = run_here("autograder", "check", weak, "--mutants", "40")
    assert done.returncode == 1
    assert "references  1 of 1 fit their cases\n" in done.stdout
    assert "; it is wrong on this tree:\n  " in done.stdout
    right = run_here("autograder", "check", weak, "--mutants", "0")
    assert right.returncode == 0
    assert right.stdout.endswith("\n0 problems\n")
    (tmp_path / "weak" / "styles" / "mine.py").write_text(
        changed(("value > best.value", "value >= 9 + best.value")), encoding="utf-8"
    )
    wrong = run_here("autograder", "check", weak, "--mutants", "0")
    assert wrong.returncode == 1
    assert "  mine.py: q/one: loses value\n" in wrong.stdout
    assert wrong.stdout.endswith("\n1 problem\n")


def test_survivors_are_shown_by_their_kind_in_twenty_lines() -> None:
    def trial(line: int, old: str, tree: str) -> Trial:
        return Trial("q", "mine", Mutant(line, old, "new", ""), True, False, False, False, "value", tree)

    small, large = "max\n  a: 1\n  b: 2", "\n".join(["max", *("  a: 1" for _ in range(17))])
    trials = [*(trial(number, "same", large) for number in range(1, 4)), trial(5, "other", small)]
    same, other = _summary("q", [*trials, replace(trials[0], loses=True)]).problems
    assert same.startswith("mine.py:1: same -> new: loses nothing; 2 more like it; it is wrong on this tree:\nmax")
    assert other == "mine.py:5: other -> new: loses nothing"
    assert "max\n  a: 1" in _summary("q", trials[-1:]).problems[0]
    misread = [trial(0, f"MAX at depth {depth}", small) for depth in range(9)]
    assert len(_summary("q", misread).problems) == 1
    many = _summary("q", [trial(number, f"kind {number}", small) for number in range(1, 31)])
    lines = "\n".join(many.problems).splitlines()
    assert len(lines) <= 20
    assert lines[-1] == "and 21 wrong searches of 21 more kinds"


def test_mutants_change_one_place_and_are_always_the_same() -> None:
    every = list(mutants(ONE, "AlphaBetaAgent"))
    assert every == list(mutants(ONE, "AlphaBetaAgent"))
    assert len({mutant.source for mutant in every}) == len(every) > 200
    pairs = {(mutant.old, mutant.new) for mutant in every}
    assert {("alpha >= beta", "alpha > beta"), ("plies - 1", "plies"), ("max", "min"), ("inf", "9999")} <= pairs
    assert ("self.evaluate(node)", "node.score") in pairs
    assert ("break", "(deleted)") in pairs


def test_a_search_that_does_not_end_is_wrong() -> None:
    endless = changed(("plies == 0 or node.is_terminal", "False"), ("node.successor(action)", "node"))
    assert share(changed(("plies - 1", "plies"), source=endless), "q2") < 0.2
    again = changed(("best = None\n", "best = self.search(node.successor(node.actions()[0]), plies)\n"))
    assert share(again, "q2") < 0.7


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("q2", MIN, MAX),
        ("q3", MIN, MAX),
        ("q4", CHANCE, MAX),
        ("q4", CHANCE, MIN),
        ("q5", CHANCE, MIN),
        ("q5", MIN, MAX),
    ],
)
def test_a_search_that_is_wrong_with_two_ghosts_keeps_at_most_seventy_percent(
    question: str, own: Layer, other: Layer
) -> None:
    for rule in (Misreading(own, other, below=own), Misreading(own, other, row=2)):
        view: Callable[[Node], Node] = lambda node, rule=rule: MisreadNode(node, rule)  # type: ignore[misc]  # noqa: E731
        assert share(ONE, question, view) <= 0.7, rule


@pytest.mark.parametrize("question", ["q2", "q3", "q4", "q5"])
def test_a_search_that_never_returns_an_action_keeps_at_most_twenty_percent(question: str) -> None:
    source = changed(
        ("best = Line(value, action)", "best = Line(value, None)"), ("Line(best, best_action)", "Line(best, None)")
    )
    assert share(source, question) <= 0.2


@pytest.mark.parametrize("question", ["q2", "q3", "q4", "q5"])
def test_a_search_that_reads_the_score_loses_points(question: str) -> None:
    assert share(changed(("self.evaluate(node)", "node.score")), question) < 1


@pytest.mark.parametrize("number", ["99", "999", "9999", "9999999"])
def test_a_number_in_place_of_infinity_loses_points(number: str) -> None:
    assert share(changed(("import inf", f"import inf as _\ninf = {number}")), "q3") < 1


UNCOUNTED = """
class MinimaxAgent(Plain):
    def search(self, node, plies):
        while hasattr(node, "inside"):
            node = node.inside
        return super().search(node, plies)
"""
STARTS_AT_999 = (
    ("        best = None\n", "        best = None if node.layer is Layer.MAX else Line(999, None)\n"),
    ("            best = inf\n", "            best = 999\n"),
)


def test_a_search_that_counts_no_node_earns_nothing_for_nodes() -> None:
    source = changed(("class MinimaxAgent", "class Plain"), ("self.evaluate(node)", "node.score")) + UNCOUNTED
    for case, reference in search_cases("multiagent", "q2"):
        earned = earned_criteria(source, case, reference, "native")
        if reference.moves[0].touched[0].generated:
            assert (earned["expanded"], earned["generated"]) == (0, 0), case.id


@pytest.mark.parametrize("question", ["q2", "q3", "q5"])
def test_a_ghost_that_starts_at_999_loses_a_tenth(question: str) -> None:
    assert share(changed(*STARTS_AT_999), question) <= 0.9


def test_moves_of_pacman_taken_for_those_of_the_ghosts_lose_a_tenth() -> None:
    source = changed(("getLegalActions(agentIndex)", "getLegalActions(0)"), source=BERKELEY)
    for question in ("q2", "q3", "q4"):
        assert share(source, question, name="classic") <= 0.9, question


MEMO = """
class MinimaxAgent(Plain):
    def search(self, node, plies):
        if not hasattr(self, "known"):
            self.known = {}
        if (node, plies) not in self.known:
            self.known[node, plies] = super().search(node, plies)
        return self.known[node, plies]
"""
DEEPENING = """
class MinimaxAgent(Plain):
    def search(self, node, plies, first=True):
        for depth in range(plies if first else 0):
            self.search(node, depth, False)
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        pick = max if node.layer is Layer.MAX else min
        return pick((Line(self.search(node.successor(a), plies - 1, False).value, a) for a in node.actions()),
                    key=lambda line: line.value)
"""
COPIES = """
import copy


class MinimaxAgent(Plain):
    def search(self, node, plies):
        return super().search(copy.deepcopy(node), plies)
"""
CUTS = """
class MinimaxAgent(AlphaBetaAgent):
    pass
"""


@pytest.mark.parametrize("variant", [MEMO, DEEPENING, COPIES, CUTS])
def test_right_variants_get_full_marks_where_no_order_is_asked(variant: str) -> None:
    source = changed(("class MinimaxAgent", "class Plain")) + variant
    assert share(source, "q2") == pytest.approx(1)


def test_a_search_that_goes_on_below_the_horizon_loses_points_in_any_order() -> None:
    source = changed(("plies == 0 or", "plies == -1 or"))
    assert share(source, "q2") < 0.9


ORDERED = """
class AlphaBetaAgent(Plain):
    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best, choice = (-inf, None) if node.layer is Layer.MAX else (inf, None)
        for action in reversed(node.actions()):
            value = self.search(node.successor(action), plies - 1, alpha, beta).value
            if node.layer is Layer.MAX:
                if value > best:
                    best, choice = value, action
                alpha = max(alpha, best)
            else:
                if value < best:
                    best, choice = value, action
                beta = min(beta, best)
            if alpha >= beta:
                break
        return Line(best, choice)
"""


def test_an_alpha_beta_question_can_accept_any_order(tmp_path: Path) -> None:
    """The values and a limit of nodes count: another order passes, a search without cuts does not."""
    folder = tmp_path / "free"
    (folder / "cases" / "q3").mkdir(parents=True)
    (folder / "assignment.yaml").write_text(
        "title: Free\nquestions:\n  - {id: q3, title: Q, part: AlphaBetaAgent, points: 1, role: search, "
        "reference: alphabeta, order: any, criteria: {value: 1, expanded: 1, generated: 1}}\n",
        encoding="utf-8",
    )
    rows = {"a": (5, 6, 7), "b": (1, 8, 1), "c": (5, 9, 6)}
    tree = "max ~0\n" + "".join(
        f"  {action}: min ~0\n    a: {a}\n    b: {b}\n    c: {c}\n" for action, (a, b, c) in rows.items()
    )
    (folder / "cases" / "q3" / "one.yaml").write_text(
        "kind: tree\nshows: cuts in both orders\nplies: 2\ntree: |\n  " + tree.replace("\n", "\n  ").rstrip(" "),
        encoding="utf-8",
    )
    assert run_here("autograder", "record", "--assignment", str(folder)).returncode == 0
    assignment = loading.load(str(folder))
    (case,) = assignment.cases
    reference = loading.load_reference(assignment, case)

    def earned(source: str) -> float:
        criteria = earned_criteria(source, case, reference, "native")
        return sum(criteria.values()) / len(criteria)

    assert earned(ONE) == 1
    assert earned(changed(("if alpha >= beta:", "if False:"))) == pytest.approx(2 / 3)
    assert earned(changed(("class AlphaBetaAgent", "class Plain")) + ORDERED) == 1
