"""Wrong searches lose points, right ones none: mutants of right files, and variants that students write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.case_strength import idlers
from autograder.case_strength.mutants import Mutant, mutants
from autograder.case_strength.trials import (
    NOTHING,
    SOMETHING,
    Searches,
    Trial,
    earned_criteria,
    lost_and_kept,
    random_trees,
    run_trials,
    searches_of,
)
from autograder.cases import loading
from autograder.cases.right_answer import derive
from autograder.commands.checks import check_without_games, summary
from autograder.platforms import submission_api
from tests.command_line import run_here
from tests.course import small_class
from tests.judge.diagnosis.agents import RIGHT as STYLES
from tests.judge.diagnosis.agents import written
from tests.paths import ROOT
from tests.written_files import written_assignment

ASSIGNMENTS = {"multiagent": "native", "classic": "cs188"}
SEARCHES = [
    (name, question.id)
    for name in ASSIGNMENTS
    for question in loading.load(name).questions
    if question.role == "search"
]
SOLUTIONS = {name: ROOT / "autograder" / "assignments" / name / "solutions.py" for name in ASSIGNMENTS}
RIGHT = {name: sorted((ROOT / "tests" / "submissions" / name).glob("*.py")) for name in ASSIGNMENTS}
ONE = (ROOT / "tests" / "submissions" / "multiagent" / "one_function.py").read_text(encoding="utf-8")

BERKELEY = SOLUTIONS["classic"].read_text(encoding="utf-8")


ASSIGNMENT = "title: A\nquestions:\n  - {{id: {id}, title: Q, part: {part}, points: 1, role: search, {keys}}}\n"


def own_searches(name: str, question: str) -> Searches:
    return searches_of(loading.load(name).only(question).cases)


def share(source: str, question: str, name: str = "multiagent") -> float:
    """The share of a question that a file earns, if it gets all points for whole games."""
    truths = {case.id: truth for case, truth in own_searches(name, question)}
    earned, total = 0.0, 0.0
    for case in loading.load(name).cases:
        if case.question.id == question:
            total += case.input.weight
            criteria = {"all": 1.0}
            weights: dict[str, float] = {"all": 1.0}
            if case.id in truths:
                criteria = earned_criteria(source, case, truths[case.id], ASSIGNMENTS[name])
                weights = {**case.question.criteria}
            points = sum(weights[criterion] * part for criterion, part in criteria.items())
            earned += case.input.weight * points / sum(weights[criterion] for criterion in criteria)
    return earned / total


def changed(*changes: tuple[str, str], source: str = ONE) -> str:
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(("name", "question"), SEARCHES)
def test_every_right_file_gets_full_marks(name: str, question: str) -> None:
    assert len(RIGHT[name]) >= 5
    for file in (SOLUTIONS[name], *RIGHT[name]):
        assert share(file.read_text(encoding="utf-8"), question, name=name) == pytest.approx(1), file.name


@pytest.mark.slow("that grade or diagnose wrong searches")
@pytest.mark.parametrize(("name", "question"), SEARCHES)
def test_nothing_wrong_survives_in_a_small_sample(name: str, question: str) -> None:
    """The command `check` tries all mutants."""
    own, api = own_searches(name, question), ASSIGNMENTS[name]
    of_question = own[0][0].question
    randoms = random_trees(of_question, [case for case, _ in own], api)
    for file in (SOLUTIONS[name], *RIGHT[name]):
        every = list(mutants(file.read_text(encoding="utf-8"), of_question.part))
        some = run_trials(file.stem, every[:: len(every) // 3 + 1], own, randoms, api)
        assert 2 <= len(some) <= 3
        assert not [(trial.mutant.line, trial.mutant.old, trial.mutant.new) for trial in some if trial.survives]


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_weak_cases_are_found(tmp_path: Path) -> None:
    text = ASSIGNMENT.format(id="q", part="MinimaxAgent", keys="reference: exhaustive, criteria: {value: 1}")
    case = "kind: tree\nshows: one ply\nplies: 1\ntree: |\n  max ~0\n    a: 1\n    b: 2\n"
    weak = str(written_assignment(tmp_path / "weak", text, {"q/one": case}).folder)
    (tmp_path / "weak" / "styles").mkdir()
    (tmp_path / "weak" / "styles" / "mine.py").write_text(ONE, encoding="utf-8")
    done = run_here("autograder", "check", weak, "--mutants", "40")
    assert done.returncode == 1
    assert "cases       1 public case; 1 of 1 with a search have a right answer\n" in done.stdout
    assert "; it is wrong on this tree:\n  " in done.stdout
    right = run_here("autograder", "check", weak, "--mutants", "0")
    assert right.returncode == 0
    assert right.stdout.endswith("\n0 problems\n")
    (tmp_path / "weak" / "styles" / "mine.py").write_text(
        changed(("value > best.value", "value >= 9 + best.value")), encoding="utf-8"
    )
    (tmp_path / "weak" / "two.yaml").write_text(case, encoding="utf-8")
    wrong = run_here("autograder", "check", weak, "--mutants", "0")
    assert wrong.returncode == 1
    assert f"  {weak}/two.yaml: no case, because it is not in {weak}/cases/QUESTION\n" in wrong.stdout
    assert "  mine.py: q/one: loses value\n" in wrong.stdout
    assert wrong.stdout.endswith("\n2 problems\n")


def test_survivors_are_shown_by_their_kind_in_twenty_lines() -> None:
    def trial(line: int, old: str, tree: str) -> Trial:
        return Trial("mine", Mutant(line, old, "new", ""), "value", NOTHING, SOMETHING, tree)

    small, large = "max\n  a: 1\n  b: 2", "\n".join(["max", *("  a: 1" for _ in range(17))])
    trials = [*(trial(number, "same", large) for number in range(1, 4)), trial(5, "other", small)]
    same, other = summary("q", [*trials, replace(trials[0], lost=SOMETHING)]).problems
    assert same.startswith("mine.py:1: same -> new: loses nothing; 2 more like it; it is wrong on this tree:\nmax")
    assert other == "mine.py:5: other -> new: loses nothing"
    assert "max\n  a: 1" in summary("q", trials[-1:]).problems[0]
    right = [replace(trials[0], lost=SOMETHING)] * 9
    assert [len(summary("q", [*right[:count], trials[0]]).problems) for count in (8, 9)] == [1, 0]
    assert summary("q", [*right, trials[0]]).details
    many = summary("q", [trial(number, f"kind {number}", small) for number in range(1, 31)])
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


@pytest.mark.parametrize("id", [question for name, question in SEARCHES if name == "multiagent"])
def test_the_cases_find_the_known_mistakes(id: str) -> None:
    loaded = loading.load("multiagent")
    question = next(each for each in loaded.questions if each.id == id)
    own = searches_of(loaded.of(question))
    randoms = random_trees(question, [case for case, _ in own], "native")
    lost, kept = lost_and_kept(question, own, randoms)
    assert (len(lost) > 20, kept) == (True, [])
    few, missed = lost_and_kept(question, own[:1], randoms)
    assert {*few, *missed} <= {*lost}
    assert missed or id != "q2", "one tree finds not all"
    hidden = [(replace(case, input=replace(case.input, hidden=True)), truth) for case, truth in own]
    assert lost_and_kept(question, hidden, randoms) == (lost, kept), "hidden cases count too"


# Beside the known mistakes and the mutants: questions, the largest share that a wrong search may keep, the changes.
WRONG = {
    "does not end at the first action": (
        "q2", 0.7, (("best = None\n", "best = self.search(node.successor(node.actions()[0]), plies)\n"),),
    ),
    "reads the score": ("q2 q3 q4 q5", 0.99, (("self.evaluate(node)", "node.score"),)),
    "moves of Pacman": ("q2 q3 q4", 0.9, (("getLegalActions(agentIndex)", "getLegalActions(0)"),)),
}  # fmt: skip


@pytest.mark.parametrize(("questions", "most", "changes"), WRONG.values(), ids=WRONG)
def test_a_wrong_search_loses_points(questions: str, most: float, changes: tuple[tuple[str, str], ...]) -> None:
    """The last row is about a Berkeley-style file: moves of Pacman taken for those of the ghosts."""
    is_classic = "getLegalActions" in changes[0][0]
    source = changed(*changes, source=BERKELEY if is_classic else ONE)
    for question in questions.split():
        assert share(source, question, "classic" if is_classic else "multiagent") <= most, question


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
CUTS = "\n\nclass MinimaxAgent(AlphaBetaAgent):\n    pass\n"


VARIANTS = {name: written(text) for name, (text, question) in STYLES.items() if question == "q2"}
VARIANTS |= {
    name: changed(("class MinimaxAgent", "class Plain")) + text
    for name, text in {"deepening": DEEPENING, "cuts": CUTS}.items()
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_right_variants_get_full_marks_where_no_order_is_asked(variant: str) -> None:
    assert share(VARIANTS[variant], "q2") == pytest.approx(1)


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
    rows = {"a": (5, 6, 7), "b": (1, 8, 1), "c": (5, 9, 6)}
    tree = "max ~0\n" + "".join(
        f"  {action}: min ~0\n    a: {a}\n    b: {b}\n    c: {c}\n" for action, (a, b, c) in rows.items()
    )
    drawing = tree.replace("\n", "\n  ").rstrip(" ")
    keys = "reference: alphabeta, order: any, criteria: {value: 1, expanded: 1, generated: 1}"
    text = ASSIGNMENT.format(id="q3", part="AlphaBetaAgent", keys=keys)
    case_text = f"kind: tree\nshows: cuts in both orders\nplies: 2\ntree: |\n  {drawing}"
    assignment = written_assignment(tmp_path, text, {"q3/one": case_text})
    (case,) = assignment.cases
    truth = derive(case)

    def earned(source: str) -> float:
        criteria = earned_criteria(source, case, truth, "native")
        return sum(criteria.values()) / len(criteria)

    assert earned(ONE) == 1
    assert earned(changed(("if alpha >= beta:", "if False:"))) == pytest.approx(2 / 3)
    assert earned(changed(("class AlphaBetaAgent", "class Plain")) + ORDERED) == 1


# ---- programs that do not search


CHANCE_TREES = {name: tree for name, tree in small_class.TREES.items() if name.startswith("q2")}
ASKED = [
    (name, api, question.id)
    for name in loading.names()
    for api in ("native", "cs188")
    for question in loading.load(name).questions
    if question.role != "evaluation"
]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=6)
@pytest.mark.parametrize(("name", "api", "question"), ASKED)
def test_a_program_that_does_not_search_earns_at_most_a_tenth(name: str, api: str, question: str) -> None:
    loaded = loading.load(name)
    own = next(each for each in loaded.questions if each.id == question)
    shares = idlers.earned_shares(loaded, own, submission_api(api))
    assert len(shares) >= 5
    if api != loaded.api:  # without a value to compare, the right action of who makes all nodes is a right answer
        shares = {name: share for name, share in shares.items() if not name.endswith("after all nodes")}
    assert max(shares.values()) <= idlers.MOST_EARNED, shares
    if (name, question, api) == ("multiagent", "q2", "native"):
        whole = idlers.earned_shares(loaded, replace(own, all_or_nothing=True), submission_api(api))
        assert max(whole.values()) == 0 < max(shares.values())


def test_check_reports_a_program_that_earns_points_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_class, "TREES", {"q1/01-zero": "max\n  a: 0\n  b: 0\n", **CHANCE_TREES})
    folder = small_class.write_assignment(tmp_path)
    *_, result = check_without_games(loading.load(str(folder)), 1)
    assert result.text == "programs that compare nothing earn at most 100 % of a question"
    assert result.problems == tuple(
        f"q1: a program that returns {name} and compares nothing earns 100 %; expected at most 10 %"
        for name in (f"the first action{after}" for after in idlers.MADE)
    )
