"""What stands around a named mistake: the smallest tree, the action, windows, what is right, and exceptions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import PositionInput, Question
from autograder.commands.case_choice import choose_case
from autograder.judge.examination import evidence
from autograder.judge.examination.asking import with_advice
from autograder.judge.examination.cs188_words import in_cs188_words
from autograder.judge.examination.examine import AnsweredCase, examine
from autograder.judge.examination.hypotheses import hypotheses
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.shrinking import shrink
from autograder.judge.scorecard import Examination
from autograder.judge.submission_answer import Answer, Fault
from autograder.judge.usual_causes import usual_cause
from autograder.platforms.cs188.messages import with_advice as cs188_advice
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.search import exhaustive
from tests.in_process_asking import ask_here
from tests.judge.examination.agents import MINIMAX, WINDOW, written
from tests.platforms.cs188_mistakes import SLIPS

MULTIAGENT = loading.load("multiagent")
CLASSIC = loading.load("classic")


def question(name: str, api: str = "native") -> Question:
    (found,) = (each for each in (CLASSIC if api == "cs188" else MULTIAGENT).questions if each.id == name)
    return found


def examined(
    folder: Path, text: str, name: str = "q2", api: str = "native", cases: tuple[AnsweredCase, ...] = ()
) -> Examination | None:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    asked = question(name, api)
    with ask_here(file, asked.part, api) as ask:
        return examine(asked, cases, ask, api == "cs188")


def slip(name: str, part: str) -> str:
    """A Berkeley-style file with this mistake."""
    return next(each.source for each in SLIPS if (each.name, each.part) == (name, part))


# The smallest tree


def test_in_rounds_the_smallest_tree_has_an_action_at_the_root() -> None:
    tree = Outline.parse("max ~3\n  a: min ~2\n    b: min ~1\n      c: max ~7\n        d: 5\n  e: 4")
    small, plies = shrink(tree, 6, lambda batch: [True] * len(batch), in_rounds=True)
    assert (small.to_one_line(), plies) == ("max ~0 { e: 0 }", 2)


def test_a_tree_in_rounds_loses_a_ghost_and_a_round() -> None:
    text = "max\n  a: min\n    b: min\n      c: max\n        d: min\n          e: min\n            f: 5\n  g: 4"
    tree = Outline.parse(text)
    small, plies = shrink(tree, 6, lambda batch: [each.height() >= 2 for each, _ in batch], in_rounds=True)
    assert (small.size(), small.height(), plies) == (3, 2, 2)


def test_numbers_become_small_also_those_above_the_horizon() -> None:
    tree = Outline.parse("max ~-328\n  a: min ~-14375\n    c: -149218\n  b: 3000.5")
    small, _ = shrink(
        tree, 2, lambda batch: [exhaustive(*each).action == "b" and len(each[0].branches) == 2 for each in batch]
    )
    assert small.to_one_line() == "max ~0 { a: 0; b: 1 }"


def test_a_named_mistake_has_a_tree_on_which_its_model_fails(tmp_path: Path) -> None:
    result = examined(tmp_path, written(MINIMAX, [("if plies == 0", "if plies <= 1")]))
    assert result is not None
    assert result.mistakes == ("ply-short",)
    assert result.smallest is not None
    tree = Outline.parse(result.smallest.tree)
    right = exhaustive(tree, result.smallest.plies).value
    assert right != exhaustive(tree, result.smallest.plies - 1).value
    assert tree.size() == 2
    assert result.smallest.picture[-1].startswith("action: expected ") or "<-- here" in "".join(result.smallest.picture)


# The action


@pytest.mark.slow("that grade or examine wrong searches")
def test_a_berkeley_report_shows_the_wrong_action(tmp_path: Path) -> None:
    result = examined(tmp_path, slip("min-as-max", "MinimaxAgent"), "q2", "cs188")
    assert result is not None
    assert result.smallest is not None
    assert re.fullmatch(r"action: expected \w+, got \w+", result.smallest.picture[-1])
    assert not any(line.startswith("max") and line.endswith("<-- here") for line in result.smallest.picture)
    assert "node." not in result.hint
    assert Outline.parse(result.smallest.tree).branches


# Windows


def test_a_search_without_cuts_shows_no_windows_of_its_own(tmp_path: Path) -> None:
    """It may test for a cut and never change the bounds, or have no bounds at all."""
    result = examined(tmp_path, written(WINDOW, [("best >= beta", "False"), ("best <= alpha", "False")]), "q3")
    assert result is not None
    assert result.mistakes == ("no-cut",)
    assert result.smallest is not None
    assert "your window" not in result.smallest.picture[0]
    assert result.smallest.picture[-1].endswith("but it cannot change the result any more")
    assert result.right.endswith("only the generated nodes differ.")


# Exceptions


@pytest.mark.parametrize("api", ["native", "cs188"])
def test_an_exception_is_the_first_sentence(tmp_path: Path, api: str) -> None:
    if api == "native":
        text = written(MINIMAX, [("if node.is_terminal:", "if False:"), ("-inf, None", "-inf, node.actions()[0]")])
    else:
        text = slip("min-as-max", "MinimaxAgent").replace("def getAction(self, gameState):",
            "def getAction(self, gameState):\n        gameState.getLegalActions(0).remove('Stop')")  # fmt: skip
    result = examined(tmp_path, text, "q2", api)
    assert result is not None
    assert re.match(
        r"Your search ends with \w+Error: .* \(line \d+: .*\) on \d+ of \d+ small trees\.", result.sentences[0]
    )
    assert result.smallest is not None
    assert result.smallest.picture[-1].startswith(("got: ValueError: ", "got: IndexError: "))
    assert Outline.parse(result.smallest.tree).branches
    assert result.hint


def failed_case(fault: str) -> AnsweredCase:
    """A case with a position that lost all its points."""
    case = next(each for each in MULTIAGENT.cases if isinstance(each.input, PositionInput) and each.has_reference)
    answer = Answer(fault=Fault("raised", fault) if fault else None)
    return AnsweredCase(case, loading.load_reference(MULTIAGENT, case), answer, 0)


def test_an_exception_in_a_position_only_is_said(tmp_path: Path) -> None:
    fault = "ValueError: min() arg is an empty sequence (line 23: return min(lines))"
    result = examined(tmp_path, MINIMAX, cases=(failed_case(fault),))
    assert result is not None
    assert result.sentences[0].startswith(f"Your search ends with {fault} in the position q2/")
    assert re.fullmatch(r"It is right on \d+ small trees\.", result.sentences[1])
    assert result.hint.startswith("max() or min() got nothing")


def test_advice_becomes_the_hint() -> None:
    fault = "ValueError: list.remove(x): x not in list (line 3: actions.remove('Stop')); check first"
    assert evidence.split_advice(fault) == (fault.removesuffix("; check first"), "Check first.")
    ask = with_advice(lambda questions: [], lambda fault: fault)
    assert ask([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: unsupported operand type(s) for +: 'int' and 'tuple' (line 3: a + b)",
        "ValueError: not enough values to unpack (expected 2, got 1) (line 3: a, b = c)",
    ],
)
def test_causes_in_a_berkeley_file_do_not_speak_of_lines(text: str) -> None:
    advised = cs188_advice(Fault("raised", text)).text
    assert advised.startswith(f"{text}; ")
    assert not usual_cause(advised)
    assert "Line" not in evidence.split_advice(advised)[1]


# Silence


def test_a_search_that_is_right_on_every_tree_gets_an_honest_sentence(tmp_path: Path) -> None:
    result = examined(tmp_path, MINIMAX, cases=(failed_case(""),))
    assert result is not None
    (sentence,) = result.sentences
    assert re.fullmatch(
        r"On \d+ small trees every answer of your search is right; it is wrong only in the position q2/\S+\.", sentence
    )
    assert (result.mistakes, result.smallest, result.right) == ((), None, "")
    assert result.hint == evidence.POSITION_HINT
    assert "getLegalActions" in in_cs188_words(result.hint)


def test_an_infinite_value_is_drawn(tmp_path: Path) -> None:
    text = written(MINIMAX, [("best, choice = inf, None", "best, choice = -inf, None")])
    result = examined(tmp_path, text)
    assert result is not None
    assert result.smallest is not None
    assert "-inf" in "".join(result.smallest.picture)


# What is right


@pytest.mark.slow("that grade or examine wrong searches")
def test_what_is_right_names_no_kind_with_a_wrong_answer(tmp_path: Path) -> None:
    result = examined(tmp_path, written(MINIMAX, [("best, choice = inf, None", "best, choice = 3, None")]))
    assert result is not None
    assert "MIN" not in result.right
    assert re.fullmatch(r"No mistake was found in \d\d+ trees of MAX nodes only\.", result.right)


def test_hints_in_rounds_have_no_word_of_our_own_nodes() -> None:
    ours = re.compile(
        r"node\.\w|`successor`|is_terminal|`evaluate`|`plies`|outcomes\(|first best|the value and the action"
    )
    for cuts in ("", "equal", "strict"):
        for layers in ((Layer.MAX, Layer.MIN), (Layer.MAX, Layer.CHANCE)):
            for row in hypotheses(Scope(layers, True, cuts)):  # type: ignore[arg-type]
                assert not ours.search(in_cs188_words(row.hint)), row.hint


# One leaf as a tree


def test_a_single_leaf_can_be_run_again() -> None:
    case = choose_case("-4", MULTIAGENT, "MinimaxAgent", 0, Path("mine.py"))
    assert (str(case.root), case.input.plies) == ("-4", 0)  # type: ignore[union-attr]
