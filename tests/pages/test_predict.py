"""The questions of the practice page: right answers are those of the search, and nothing false is said of a guess."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from autograder.pages.predict.local_search import local_answer, right_model
from autograder.pages.predict.misconceptions import is_same, misconceptions_about
from autograder.pages.predict.practice_trees import FOLDER, PracticeTree, practice_trees
from autograder.pages.predict.questions import Question
from autograder.pages.predict.situation import Kind, Situation
from autograder.pages.predict.situations import situations
from pacman.core.errors import InputError
from tests.pages import choose_trees
from tests.pages.told_numbers import is_true

TABLE = Path(__file__).parents[2] / "docs" / "practice-trees.md"
TREES = practice_trees()
QUESTIONS = [question for tree in TREES for question in tree.questions()]
SEARCHES = list(choose_trees.SHARES)


def all_situations(tree: PracticeTree) -> list[Situation]:
    return situations(tree.tree, tree.result(), tree.bounds)


def random_trees(search: str, count: int = 40) -> list[PracticeTree]:
    rng = Random(f"other trees for {search}")
    bounds = choose_trees.BOUNDS if search.startswith("star") else None
    rows = choose_trees.ROWS[search]
    return [
        PracticeTree(search, choose_trees._drawn(rng, rng.choice(rows), range(-8, 9)), bounds) for _ in range(count)
    ]


def test_there_are_twenty_trees_from_easy_to_hard() -> None:
    assert len(TREES) == 20
    assert [tree.search for tree in TREES] == sorted((tree.search for tree in TREES), key=SEARCHES.index)
    assert {tree.search for tree in TREES} == set(SEARCHES)
    assert {question.situation.kind for question in QUESTIONS} == set(Kind)


@pytest.mark.parametrize("search", SEARCHES)
def test_the_model_of_the_right_search_answers_as_the_recorded_search_does(search: str) -> None:
    """So a wrong answer comes from the change of the model, and from nothing else."""
    for tree in random_trees(search):
        for situation in all_situations(tree):
            if situation.star is not None:
                continue
            answer = local_answer(situation, right_model(situation, situation.kind not in (Kind.VALUE, Kind.ACTION)))
            assert answer is not None, f"{situation}\n{tree}"
            assert is_same(answer, situation.right), f"{situation}\n{tree}"


@pytest.mark.slow("of pages", keep=2)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_sentence_about_a_wrong_answer_is_true(search: str) -> None:
    """On the twenty trees, and on others: the numbers are computed again, and the right answer is another one."""
    told = 0
    for tree in [*(tree for tree in TREES if tree.search == search), *random_trees(search)]:
        for question in tree.questions():
            for wrong in question.wrong:
                assert not is_same(wrong.answer, question.situation.right)
                for words, _ in wrong.told:
                    assert is_true(question.situation, wrong.answer, words), f"{words}\n{question}\n{tree}"
                    told += 1
    assert told > 100


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.situation.kind.value)
def test_every_wrong_answer_is_that_of_its_misconceptions(question: Question) -> None:
    """No two rows have the same answer, and each misconception with an answer stands in exactly one row."""
    for one, other in combinations(question.wrong, 2):
        assert not is_same(one.answer, other.answer)
    named = [each for wrong in question.wrong for each in wrong.misconceptions]
    assert len(named) == len({id(each) for each in named})
    for each in misconceptions_about(question.situation.kind):
        answer = each.answer(question.situation)
        rows = [wrong for wrong in question.wrong if each in wrong.misconceptions]
        assert len(rows) == (answer is not None)
        assert all(answer is not None and is_same(row.answer, answer) for row in rows)


def test_the_grader_says_the_same_sentences() -> None:
    """Each sentence that is quoted belongs to a row of the examination; only mistakes of star1 and star2 have none."""
    unknown = {each.name for kind in Kind for each in misconceptions_about(kind) if not each.sentence}
    assert unknown == {
        "outcome-window-of-node", "outcome-window-open", "outcome-window-bounds-only", "outcome-window-not-divided",
        "missing-outcomes-as-nothing", "outcome-bounds-exchanged", "mean-of-seen-outcomes", "probes-as-star1",
        "probes-leave-early",
    }  # fmt: skip


NOT_SEPARATED: dict[str, set[tuple[str, str]]] = {}
"""By search: the misconceptions that its trees do not tell apart."""


@pytest.mark.parametrize("search", SEARCHES)
def test_the_trees_separate_every_pair_of_misconceptions(search: str) -> None:
    table = choose_trees.answers([tree for tree in TREES if tree.search == search])
    pairs = combinations(sorted(table), 2)
    same = {(one[0], other[0]) for one, other in pairs if not choose_trees.are_separated(table[one], table[other])}
    assert same == NOT_SEPARATED.get(search, set())


@pytest.mark.slow("of pages")
def test_the_trees_are_those_that_the_tool_chooses() -> None:
    chosen = [tree for search, seed in choose_trees.SEEDS.items() for tree in choose_trees.chosen_trees(search, seed)]
    files = {f"{number:02}-{tree.search}.txt": str(tree) for number, tree in enumerate(chosen, 1)}
    if os.environ.get("UPDATE_TREES"):
        for file in FOLDER.glob("*.txt"):
            file.unlink()
        for name, text in files.items():
            (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.txt")} == files


def test_the_table_in_the_docs() -> None:
    text = choose_trees.table_text(TREES)
    if os.environ.get("UPDATE_TREES"):
        TABLE.write_text(text, encoding="utf-8", newline="\n")
    assert TABLE.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ["max\n  a: 1\n", "# negamax\nmax\n  a: 1\n", "# star1 with bounds\nmax\n  a: 1\n"])
def test_a_file_names_its_search(text: str) -> None:
    with pytest.raises(InputError, match=r"x.txt:1: expected '# SEARCH' or"):
        PracticeTree.parse(text, "x.txt")


def test_a_text_of_a_tree_is_read_again() -> None:
    for tree in TREES:
        assert PracticeTree.parse(str(tree), "again") == tree
