"""What a diagnosis may say and use: no hidden case, nothing about a stub, the same sentences every time."""

# ruff: noqa: E501 (programs in one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import PositionInput, Question
from autograder.grading.grade import grade
from autograder.judge.diagnosis import finder
from autograder.judge.diagnosis.finder import AnsweredCase, find_mistake
from autograder.judge.diagnosis.first_step import StepFinder
from autograder.judge.diagnosis.judge_visits import VisitJudge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.diagnosis.run import Ask, Criteria, Right, Search, Trial, WatchedTree
from autograder.judge.diagnosis.steps import Breach, Step
from autograder.judge.scorecard import Diagnosis, WrongStep
from autograder.judge.submission_answer import COMPUTED, Answer, Claim, Fault
from autograder.report.blocks import code_lines
from autograder.student_process import tree_questions
from pacman.core.tree_text import Outline
from tests.in_process_asking import ask_here
from tests.judge.diagnosed import QUESTIONS, STRICT, diagnosed, diagnosed_text
from tests.judge.diagnosis.agents import BEST_ON_SELF, CHANCE, MINIMAX, RIGHT, WINDOW, written

ROOT = Path(__file__).parents[3]
MULTIAGENT = loading.load("multiagent")
Q2, Q3 = QUESTIONS["q2"], QUESTIONS["q3"]
EARLY = written(MINIMAX, [("plies == 0", "plies <= 1")])


def text_file(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


def with_step(folder: Path, text: str, question: Question = Q2, api: str = "native") -> tuple[Diagnosis, WrongStep]:
    """What is wrong with a search, and its first wrong step."""
    found = diagnosed_text(folder, text, question, api)
    assert found is not None
    assert found.step is not None
    return found, found.step


def test_an_exception_without_a_usual_cause_hears_of_the_variables_that_are_shown(tmp_path: Path) -> None:
    text = written(MINIMAX, [("best, choice = -inf, None", "raise LookupError('odd')")])
    found, step = with_step(tmp_path, text)
    assert "plies = " in step.words
    assert found.hint == finder.MARKED_HINT


SIDES = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN
    def search(self, node, plies):
        return self.best(node, plies)
    def best(self, node, left):
        if left == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [self.pair(act, child, left) for act, child in self.pairs(node)]
        return min(lines) if node.layer is Layer.MIN else max(lines)
    def pair(self, act, child, left):
        return Line(self.best(child, left - 1).value, act)
    def pairs(self, node):
        for act in node.actions():
            yield act, node.successor(act)
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("self.best(node, plies)", "self.best(plies, plies)", "if left == 0", "node = 1 comes from there"),
        ("self.best(child, left", "self.best(act, left", "if left == 0", "node = '.*' comes from there"),
        (
            "self.pair(act, child, left)",
            "self.pair(act, child, left if act == node.actions()[0] else None)",
            "left - 1",
            "left = None comes from there",
        ),
        (
            "return Line(self.evaluate",
            "return None  # (self.evaluate",
            ").value",
            "what best returned comes from there",
        ),
        ("in node.actions()", "in node.moves()", "in node.moves()", ""),
    ],
    ids=["no node", "an action", "none", "nothing returned", "generator"],
)
def test_the_line_that_causes_an_exception_is_marked(tmp_path: Path, old: str, new: str, line: str, words: str) -> None:
    _, step = with_step(tmp_path, written(SIDES, [(old, new)]))
    source = (tmp_path / "mine.py").read_text(encoding="utf-8").splitlines()
    assert line in source[step.line - 1]
    assert [new in source[each - 1] for each in step.also] == [True] * bool(words)
    assert not words or re.search(f"Look at line {step.also[0]} too: {words}", step.words)


SHORT = """
class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(each), plies - 1).value, each) for each in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
"""
ENDS = [
    ("return Line(best, choice)\n            beta", "break\n            beta"),
    (
        "beta = min(beta, best)\n        return Line(best, choice)",
        "beta = min(beta, best)\n        return Line(alpha, choice)",
    ),
]
NO_END = [("terminal:", "terminal and node.score > 0:"), ("(lines, key", "(lines, default=None, key")]
SHARED = [("plies):", "plies, lines=[]):"), ("lines = [", "lines += [")]
FIRST_SENTENCES = [
    (SHORT, [(".value, each)", ", each)")], "a pair inside of a pair for a M.. node, .* a number elsewhere (line 14)."),
    (SHORT, NO_END, "At the end of the game, your search returns no value (line 14)."),
    (SHORT, SHARED, "asked other questions before: `lines` (line 10) keeps what an earlier call put in."),
    (MINIMAX, [("return self.look(node", "self.look(node")], "Your search returned None; expected .* (line 13)."),
    (WINDOW, ENDS, "search returns alpha, which is not the smallest of its successors' values (line 44)."),
]


@pytest.mark.parametrize(("base", "edits", "sentence"), FIRST_SENTENCES)
def test_the_first_sentence_names_the_cause(
    base: str, edits: Sequence[tuple[str, str]], sentence: str, tmp_path: Path
) -> None:
    found = diagnosed_text(tmp_path, written(base, edits), QUESTIONS["q3" if base is WINDOW else "q2"])
    assert found is not None
    assert re.search(sentence.replace("(", r"\(").replace(")", r"\)"), found.sentences[0])


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_what_the_assignment_tolerates_is_no_wrong_step(tmp_path: Path) -> None:
    text = written(
        MINIMAX, [("return Line(self.evaluate(node), None)", "return Line(round(self.evaluate(node), 1), None)")]
    )
    case = next(each for each in MULTIAGENT.cases if each.question == Q2 and isinstance(each.root, Outline))
    exact, tolerant = (replace(case, tolerance=each) for each in (1e-6, 0.1))
    assert diagnosed(text_file(tmp_path, text), Q2, cases=[AnsweredCase(exact, Answer())]) is not None
    assert diagnosed(text_file(tmp_path, text), Q2, cases=[AnsweredCase(tolerant, Answer())]) is None


def test_the_step_has_the_line_the_successors_the_proof_and_the_extent(tmp_path: Path) -> None:
    text = written(MINIMAX, [("if line.value < best", "if line.value > best"), ("= inf, None", "= -inf, None")])
    found, step = with_step(tmp_path, text)
    assert found.mistakes == ("min-as-max",)
    start = text.splitlines().index("    def min_value(self, node, plies, depth, ghosts):")
    line = text.splitlines().index("        return Line(best, choice)", start) + 1
    assert (step.line, step.function, step.layer) == (line, "min_value", "MIN")
    assert step.columns[:2] == ("successor", "its value")
    values = [float(row[1]) for row in step.rows]
    assert f"A MIN node is worth the smallest of {values[0]:g} and {values[1]:g}: {min(values):g}." in step.words
    assert f"This call returned {max(values):g}." in step.words
    assert step.proof == f"With {min(values):g} in its place, your search gives the right answer for this tree."
    broken, shown = map(int, re.findall(r"\d+", step.extent)[:2])
    assert broken == shown > 10
    assert step.extent.endswith(" MIN nodes where it changes the value; at nodes of other layers it never happens.")
    zero = [(f"best, choice = {start}, None", "best, choice = 0, None") for start in ("-inf", "inf")]
    assert with_step(tmp_path, written(MINIMAX, zero))[1].extent.endswith(" MIN nodes where it changes the value.")


def test_a_stored_value_that_one_search_shows_is_no_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number can be equal by chance."""
    trees = [Outline.parse(f"max {{ West: min {{ a: 1; b: {n} }}; East: min {{ a: 2; b: 0 }} }}") for n in range(3, 7)]
    judge = VisitJudge.judge

    def judged(self: VisitJudge, tree: WatchedTree) -> tuple[Step, ...]:
        steps = judge(self, tree)
        is_first = bool(steps) and tree.search.tree == trees[0]
        return (replace(steps[0], breach=Breach.OTHER_VALUES, got=1, action="West"), *steps) if is_first else steps

    monkeypatch.setattr(VisitJudge, "judge", judged)
    text = written(MINIMAX, [("if line.value < best", "if line.value > best"), ("= inf, None", "= -inf, None")])
    with ask_here(text_file(tmp_path, text), Q2.part) as asked:

        def ask(searches: Sequence[Search]) -> list[Trial]:
            rights = (Right(each, "") for each in searches)
            return [Trial(each.search, each, run) for each, run in zip(rights, asked(searches), strict=True)]

        values = Criteria(value=True, nodes=False, repeats=False)
        finder = StepFinder(Q2, ask, Scope.of(Q2, False, ""), values)
        found = finder.find(ask([Search(tree, 2) for tree in trees]))
    assert found is not None
    assert found.mistakes == ("min-as-max",)


def test_a_search_that_stops_too_early_shows_the_numbers_that_it_compares(tmp_path: Path) -> None:
    _, step = with_step(tmp_path, EARLY)
    assert "plies = 1" in step.words.partition(". There, ")[2]
    assert "self.rounds" not in step.words
    own = [("return self.look(node, plies)", "self.rounds = plies\n        return self.look(node, plies)")]
    assert "self.rounds = 2" in with_step(tmp_path, written(MINIMAX, [*own, ("plies == 0", "plies <= 1")]))[1].words


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_step_whose_caller_has_no_line_is_at_the_head_of_its_function(tmp_path: Path) -> None:
    """For example, if another thread calls."""
    text = written(
        MINIMAX,
        [
            ("class", "from concurrent.futures import ThreadPoolExecutor\n\n\nclass"),
            (
                "self.look(child, plies - 1, depth + 1, ghosts)",
                "ThreadPoolExecutor(1).submit(self.look, child, plies - 2).result()",
            ),
        ],
    )
    _, step = with_step(tmp_path, text)
    assert "plies = " in step.words
    assert step.line == text.splitlines().index("    def min_value(self, node, plies, depth, ghosts):") + 1
    assert code_lines(step)[0] == f"> {step.line}"


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize("text", [EARLY, written(BEST_ON_SELF)])
def test_the_same_file_gets_the_same_words(tmp_path: Path, text: str) -> None:
    first, second = diagnosed_text(tmp_path, text, Q2), diagnosed_text(tmp_path, text, Q2)
    assert first is not None
    assert first == second


def test_a_stub_is_not_diagnosed(tmp_path: Path) -> None:
    assert diagnosed(ROOT / "agents" / "student.py", Q2) is None


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_hidden_cases_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the cases that a student may see; none of a question that lost points in hidden cases alone."""
    given: list[Sequence[AnsweredCase]] = []

    def noted(question: Question, cases: Sequence[AnsweredCase], ask: Ask, in_rounds: bool) -> Diagnosis | None:
        given.append(cases)
        return find_mistake(question, cases, ask, in_rounds)

    monkeypatch.setattr(finder, "find_mistake", noted)
    whole = MULTIAGENT.only("q2", None)
    open_cases = whole.cases[:4]
    hidden = [replace(case, input=replace(case.input, hidden=True)) for case in whole.cases[4:8]]
    file = text_file(tmp_path, EARLY)
    card = grade(file, replace(whole, cases=(*hidden, *open_cases)), jobs=2)
    (cases,) = given
    assert [each.case.id for each in cases] == [case.id for case in open_cases]
    found = card.questions[0].diagnosis
    assert found is not None
    assert found.step is not None
    assert (found.step.line, EARLY.splitlines()[found.step.line - 1]) in found.step.code
    given.clear()
    card = grade(file, replace(whole, cases=tuple(hidden)), jobs=2)
    assert card.earned < card.points
    assert (given, card.questions[0].diagnosis) == ([], None)


def test_an_error_of_the_diagnosis_is_said_and_costs_no_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("nothing")

    monkeypatch.setattr(finder, "find_mistake", fails)
    (question,) = grade(text_file(tmp_path, EARLY), MULTIAGENT.only("q2", None), jobs=2).questions
    assert 0 < question.earned < question.points
    assert question.diagnosis is not None
    assert question.diagnosis.sentences[0].startswith("The grader itself failed to look for the mistake")
    assert question.diagnosis.mistakes == ("grader-failed",)


@pytest.mark.parametrize("api", ["native", "cs188"])
def test_an_exception_is_the_first_sentence_and_has_its_line(tmp_path: Path, api: str) -> None:
    if api == "native":
        text = written(MINIMAX, [("if node.is_terminal:", "if False:"), ("-inf, None", "-inf, node.actions()[0]")])
        question = Q2
    else:
        text = (
            "class MinimaxAgent:\n    def getAction(self, state):\n        state.getLegalActions(0).remove('Nowhere')\n"
        )
        question = next(each for each in loading.load("classic").questions if each.id == "q2")
    found, step = with_step(tmp_path, text, question, api)
    assert re.match(
        r"Your search ends with \w+Error: .* \(line (\d+): .*\) on \d+ of \d+ small trees", found.sentences[0]
    )
    assert f"line {step.line}:" in found.sentences[0]
    assert step.words.startswith("Here the exception was raised")


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_search_that_never_ends_has_the_line_of_its_loop(tmp_path: Path) -> None:
    text = written(MINIMAX, [("        for action in node.actions():\n            child = node.successor(action)\n            line = self.look(child, plies - 1, depth + 1, ghosts)",
                              "        for action in iter(node.actions, ()):\n            action = action[0]\n            child = node.successor(action)\n            line = self.look(child, plies - 1, depth + 1, ghosts)")])  # fmt: skip
    found, step = with_step(tmp_path, text)
    assert (found.mistakes, step.function) == (("never-ends",), "min_value")
    assert re.match(r"Your search makes 1,0\d\d successors on a tree of \d+ nodes, and goes on ", found.sentences[0])


@pytest.mark.parametrize(
    "loop",
    [
        "number = 0\nwhile number == 0:\n    for other in range(5):\n        len([other])",
        "number = 0\nall(True for place in iter(int, 1))",
        "number = 0\nwhile number == 0:\n    try:\n        len([1])\n    except Exception:\n        pass",
    ],
    ids=["nested", "generator", "try"],
)
def test_a_loop_on_the_tree_of_a_case_has_its_line_whenever_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str
) -> None:
    lines = loop.replace("\n", "\n        ")
    text = written(MINIMAX, [("        for action in node.actions():", f"        {lines}\n        for action in node.actions():")])  # fmt: skip
    case = next(each for each in MULTIAGENT.cases if each.id == "q2/01-figure")
    answer = Answer(fault=Fault("time", "no answer within 10 s", COMPUTED))
    hanging = AnsweredCase(case, answer, 0)
    found = set()
    for limit in range(1_000, 1_010):
        monkeypatch.setattr(tree_questions, "MAX_LINES", limit)
        monkeypatch.setattr(tree_questions, "LOOP_LINES", 100)
        diagnosis = diagnosed(text_file(tmp_path, text), Q2, cases=(hanging,))
        assert diagnosis is not None
        found.add(diagnosis)
    (diagnosis,) = found
    assert (diagnosis.mistakes, diagnosis.smallest and diagnosis.smallest.start) == (
        ("never-ends",),
        str(case.root),
    )
    assert diagnosis.step is not None
    assert "number = 0" in diagnosis.step.words
    assert text.splitlines()[diagnosis.step.line - 1].strip() == loop.splitlines()[1]


def failed_case(fault: str) -> AnsweredCase:
    """A case with a position that lost all its points."""
    case = next(each for each in MULTIAGENT.cases if isinstance(each.input, PositionInput) and each.has_truth)
    answer = Answer(fault=Fault("raised", fault) if fault else None)
    return AnsweredCase(case, answer, 0)


def test_a_search_that_is_right_on_every_tree_gets_an_honest_sentence(tmp_path: Path) -> None:
    found = diagnosed(text_file(tmp_path, written(MINIMAX)), Q2, cases=(failed_case(""),))
    assert found is not None
    (sentence,) = found.sentences
    assert re.fullmatch(
        r"On \d+ small trees every answer of your search is right; it is wrong only in the position q2/\S+\.", sentence
    )
    assert (found.mistakes, found.smallest, found.step) == ((), None, None)
    assert found.hint == finder.ONLY_IN_POSITIONS.hint
    infinite = Claim(None, "inf (float)", "West", "West", 1, None, ())
    case = failed_case("")._replace(answer=Answer((infinite,)))
    found = diagnosed(text_file(tmp_path, written(MINIMAX)), Q2, cases=(case,))
    assert found is not None
    assert found.hint == finder.INFINITE_HINT


def test_a_cut_at_equality_is_named_in_both_directions(tmp_path: Path) -> None:
    late = written(WINDOW, [("if best >= beta", "if best > beta"), ("if best <= alpha", "if best < alpha")])
    found, step = with_step(tmp_path, late, Q3)
    assert re.search(r" There, alpha = \S+, beta = \S+\. Look at line \d+ too", step.words)
    assert re.fullmatch(
        r"At M\w\w nodes, your search cuts only if the best value is beyond (alpha|beta); "
        r"the task says: cut also where the two are equal \(line \d+\)\.",
        found.sentences[0],
    )
    strict = diagnosed(text_file(tmp_path, written(WINDOW)), Q3, cases=STRICT["cs188"])
    assert strict is not None
    assert "your search also cuts where the best value is equal to" in strict.sentences[0]
    assert strict.mistakes == ("cuts-too-early",)
    assert strict.step is not None
    assert "can still change" not in strict.step.words


def test_the_code_goes_on_three_lines_below_the_step_but_not_behind_its_function(tmp_path: Path) -> None:
    _, early = with_step(tmp_path, EARLY)
    assert max(number for number, _ in early.code) == early.line + 3
    text = written(MINIMAX, [("if line.value < best", "if line.value > best"), ("= inf, None", "= -inf, None")])
    _, last = with_step(tmp_path, text)
    assert text.splitlines()[last.line - 1] == "        return Line(best, choice)"
    assert max(number for number, _ in last.code) == last.line


NEGAMAX = """
from agents.base import SearchAgent
from pacman.core.tree import Layer, Line

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        return self.negamax(node, plies, 1 if node.layer is Layer.MAX else -1)

    def negamax(self, node, plies, side):
        if plies == 0 or node.is_terminal:
            return Line(side * self.evaluate(node), None)
        best = choice = None
        for action in node.actions():
            child = node.successor(action)
            turn = 1 if child.layer is Layer.MAX else -1
            value = turn * side * self.negamax(child, plies - 1, turn).value
            if best is None or value > best:
                best, choice = value, action
        return Line(best, choice)
"""


@pytest.mark.parametrize(
    ("text", "said", "is_turned"),
    [
        (NEGAMAX.replace("value > best", "(value > best if side > 0 else value < best)"), "A MIN node is worth", True),
        (NEGAMAX.replace("self.evaluate(node), None", "self.evaluate(node) + 7, None"), "This call returned 7.", False),
        (written(MINIMAX, [("if line.value > best", "if line.value < best"), ("= -inf, None", "= inf, None")]),
         "This call returned 0.", False),
    ],
    ids=["negated", "as it is here", "no negamax"],
)  # fmt: skip
def test_the_words_say_if_a_number_is_read_for_the_one_who_moves(
    text: str, said: str, is_turned: bool, tmp_path: Path
) -> None:
    _, step = with_step(tmp_path, text)
    assert said in step.words
    assert ("Elsewhere this function returns values for the one who moves" in step.words) == is_turned


def test_values_that_no_call_returns_are_compared_with_those_of_the_leaves(tmp_path: Path) -> None:
    text = """
from agents.base import SearchAgent
from pacman import Layer, Line

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        self.found = {}
        self.look(node, plies, ())
        return Line(self.found[()], None)

    def look(self, node, plies, path):
        for action in node.actions() if plies and not node.is_terminal else ():
            self.look(node.successor(action), plies - 1, (*path, action))
        below = [value for other, value in self.found.items() if other[:-1] == path]
        self.found[path] = max(below) if below else self.evaluate(node)
"""
    found = diagnosed_text(tmp_path, text, Q2)
    assert found is not None
    assert found.sentences == ("If the root is a MIN node with one ply left, your search takes the largest value.",)
    assert (found.mistakes, found.step) == (("min-as-max",), None)


def test_a_negamax_that_cuts_too_early_hears_of_beta_alone(tmp_path: Path) -> None:
    cuts = NEGAMAX.replace("= value, action\n", "= value, action\n            if value > 0:\n                break\n")
    found, _ = with_step(tmp_path, cuts.replace("MinimaxAgent", "AlphaBetaAgent"), Q3)
    assert (found.mistakes, "always the best value with beta" in found.hint) == (("cuts-too-early",), True)


def test_a_variable_of_the_next_round_is_not_in_the_table(tmp_path: Path) -> None:
    """It is read when the call for the next successor begins: the loop has gone on."""
    loop = "for action, chance in node.outcomes():\n"
    edits = [(loop, f"{loop}            weight = chance / 2\n"), ("+= chance *", "+= weight *")]
    _, step = with_step(tmp_path, written(CHANCE, edits), QUESTIONS["q5"])
    assert step.columns == ("successor", "its value", "then total")


def test_a_wrong_number_of_plies_is_counted_by_its_calls_in_this_tree(tmp_path: Path) -> None:
    """Behind the first wrong number no call has the right one: on other trees there is nothing to count."""
    text = written(MINIMAX, [("plies - 1, depth + 1, ghosts", "plies, depth + 1, ghosts")])
    found, step = with_step(tmp_path, text)
    assert (found.mistakes, step.layer, step.extent) == (("wrong-plies-passed",), "MIN", "")
    assert step.proof == "With the right result of this call, your search gives the right answer for this tree."


def test_a_stack_that_goes_below_the_horizon_has_its_line(tmp_path: Path) -> None:
    text = written(RIGHT["a stack instead of recursion"][0], [("left == 0", "left == -1")])
    found = diagnosed_text(tmp_path, text, Q2)
    line = next(number for number, code in enumerate(text.splitlines(), 1) if "here.successor(action)" in code)
    assert found is not None
    assert found.sentences[0].endswith(f"small trees, your search goes on with no plies left (line {line}).")
