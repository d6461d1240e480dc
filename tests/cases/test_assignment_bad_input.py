"""Assignments and cases: what is read, and errors, each with its exact one-line message."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import Assignment
from autograder.cases.right_answer import derive_all
from autograder.commands.checks import check_without_games
from autograder.grading.submission_api import NATIVE
from pacman.core.errors import InputError
from tests.command_line import run_here

ASSIGNMENT = """title: A small one
questions:
  - id: q1
    title: Minimax
    part: MinimaxAgent
    points: 3
    role: search
    reference: exhaustive
    layers: [max, min]
    criteria: {value: 2, action: 1}
  - id: q2
    title: Reflexes
    part: ReflexAgent
    points: 2
    role: choice
    requires: {q1: 0.5}
"""
TREE = """kind: tree
shows: a small tree
plies: 2
tree: |
  max
    a: 3
    b: min
      x: 2
      y: 9
"""
LINE = """kind: position
shows: a line of play
layout: nook
ghosts: [optimal]
rounds: 1
moves: 2
"""
CHOICE = """kind: position
shows: food beside him
layout: |
  %%%%%
  %P. %
  %%%%%
ghosts: []
accept: [East]
"""
MATCH = """kind: match
shows: games
layout: nook
ghosts: [optimal]
games: 2
steps: {wins: [1, 2]}
"""
FILES = {
    "assignment.yaml": ASSIGNMENT,
    "cases/q1/tree.yaml": TREE,
    "cases/q1/line.yaml": LINE,
    "cases/q1/match.yaml": MATCH,
    "cases/q2/choice.yaml": CHOICE,
}
A, T, L, M, C = FILES

# A file, the old text, the new text, and the expected message.
WRONG = [
    # The assignment.
    (A, "title: A small one\n", "", "assignment.yaml:1: the key 'title' is missing"),
    (A, "title: A small one", "titel: A small one", "assignment.yaml:1: unknown key 'titel': did you mean 'title'?"),
    (A, "title: A small one", "title: 3", "assignment.yaml:1: title: expected a string, not 3"),
    (A, "points: 3", "points: none", "assignment.yaml:6: questions.0.points: expected a number, not 'none'"),
    (A, "points: 3", "points: -1",
     "assignment.yaml:6: questions.0.points: expected a number greater than or equal to 0, not -1"),
    (A, "role: search", "role: serach",
     "assignment.yaml:7: questions.0.role: expected 'search', 'choice' or 'evaluation', not 'serach'"),
    (A, "    reference: exhaustive\n", "",
     "assignment.yaml:3: questions.0: `role: search` needs `reference: exhaustive` or `reference: alphabeta`"),
    (A, "    criteria: {value: 2, action: 1}\n", "",
     "assignment.yaml:7: questions.0: role: search needs the key criteria, with weights, as in {value: 2, action: 1}"),
    (A, "value: 2", "valeu: 2",
     "assignment.yaml:10: questions.0.criteria.valeu: expected 'value', 'action', 'touched', 'expanded' or "
     "'generated', not 'valeu'"),
    (A, "value: 2", "value: .nan", "assignment.yaml:10: questions.0.criteria.value: expected a finite number, not nan"),
    (A, "    points: 3\n", "    points: 3\n    target_seconds: 2\n",
     "assignment.yaml:7: unknown key 'questions.0.target_seconds': no points depend on the time of a search; for a "
     "limit use seconds"),
    (A, "part: MinimaxAgent", "prt: MinimaxAgent",
     "assignment.yaml:5: unknown key 'questions.0.prt': did you mean 'part'?"),
    (A, "id: q2", "id: Q1", "assignment.yaml:11: questions.1.id: a second question 'Q1'"),
    (A, "id: q2", "id: a/b", "assignment.yaml:11: questions.1.id: 'a/b' contains '/'"),
    (A, "role: choice", "role: choice\n    reference: exhaustive",
     "assignment.yaml:11: questions.1: the key reference is only for role: search, but this question has role: choice"),
    (A, "{q1: 0.5}", "[q1]", "assignment.yaml:16: questions.1.requires: expected a mapping, as in {one: 1, two: 2}"),
    (T, "shows: a small", "shows: small: a",
     "cases/q1/tree.yaml:2:13: not valid YAML: mapping values are not allowed here (put a text that contains "
     "a colon in quotes, and the drawing of a tree below `key: |`)"),
    (A, "    points: 3\n", "    points: 3\n    hidden: {like: [three]}\n",
     "assignment.yaml:7: questions.0.hidden.like: no public case 'three' with a tree in q1: did you mean 'tree'?"),
    (A, "    points: 2\n", "    points: 2\n    hidden: {like: [choice]}\n",
     "assignment.yaml:11: questions.1: the key hidden is only for role: search, but this question has role: choice"),
    (A, "q1: 0.5", "q9: 0.5", "assignment.yaml:16: requires: no question 'q9': known: q1, q2"),
    (A, "q1: 0.5", "q1: 2",
     "assignment.yaml:16: questions.1.requires.q1: expected a number less than or equal to 1, not 2"),
    (A, "    points: 3\n", "    points: 3\n    requires: {q2: 1}\n",
     "assignment.yaml:7: requires: questions require each other in a circle: q1 needs q2 needs q1"),
    (A, "questions:", "tolerance: -1\nquestions:",
     "assignment.yaml:2: tolerance: expected a number greater than or equal to 0, not -1"),
    (A, "questions:", "tolerance: 1e-6\nquestions:",
     "assignment.yaml:2: tolerance: expected a number, not '1e-6' (in YAML a number with an exponent needs a decimal "
     "point, as in 1.0e-6)"),
    (A, "questions:", "due: 2026-11-22\nquestions:",
     "assignment.yaml:2: due: expected a time with its zone, as in 2026-11-22T23:59+01:00; got '2026-11-22'"),
    (A, "questions:", "due: 2026-11-22T23:59Z\nlate_per_day: ten\nquestions:",
     "assignment.yaml:3: late_per_day: expected a share of the points, as in 10%; got 'ten'"),
    (A, "questions:", "late_per_day: 10\nquestions:",
     "assignment.yaml:2: late_per_day: expected a text, as in 10%, not 10"),
    (A, "questions:", "limits: {second: 2}\nquestions:",
     "assignment.yaml:2: unknown key 'limits.second': did you mean 'seconds'?"),
    (A, ASSIGNMENT, "",
     "assignment.yaml:1: expected a mapping with the keys title, api, due, late_per_day, hidden_results, stub, "
     "solutions, names, limits, tolerance, "
     "questions"),
    (A, ASSIGNMENT, "title: x\nquestions: []\n",
     "assignment.yaml:2: questions: expected at least 1 item"),
    (A, "[max, min]", "[max, mni]",
     "assignment.yaml:9: questions.0.layers.1: expected 'max', 'min' or 'chance', not 'mni'"),
    # Cases: the kind.
    (T, "kind: tree", "knd: tree", "cases/q1/tree.yaml:1: unknown key 'knd': did you mean 'kind'?"),
    (T, "kind: tree\n", "", "cases/q1/tree.yaml:1: the key 'kind' is missing; expected kind: tree, position or match"),
    (T, "kind: tree", "kind: tre", "cases/q1/tree.yaml:1: kind: no kind 'tre': did you mean 'tree'?"),
    (T, TREE, "", "cases/q1/tree.yaml:1: expected a mapping that begins with kind: tree, position or match"),
    (T, "plies: 2", "plies: 2\nplies: 3", "cases/q1/tree.yaml:4: duplicate key 'plies'; remove one of them"),
    (T, "kind: tree", "\tkind: tree", "cases/q1/tree.yaml:1:1: not valid YAML: a tab; YAML wants spaces"),
    (T, "kind: tree", "kind: [tree", "cases/q1/tree.yaml:2:6: not valid YAML: expected ',' or ']', but got ':'"),
    # Cases: their keys.
    (T, "plies: 2", "plys: 2", "cases/q1/tree.yaml:3: unknown key 'plys': did you mean 'plies'?"),
    (T, "plies: 2", "plies: two", "cases/q1/tree.yaml:3: plies: expected a whole number, not 'two'"),
    (T, "plies: 2", "plies: 2\nweight: 0", "cases/q1/tree.yaml:4: weight: expected a number greater than 0, not 0"),
    (T, "plies: 2", "plies: 2\ncut: strikt",
     "cases/q1/tree.yaml:4: cut: expected 'equal' or 'strict', not 'strikt'"),
    (T, "plies: 2", "plies: 2\nties: first",
     "cases/q1/tree.yaml:4: unknown key 'ties': every best action is right; remove this key"),
    (T, "plies: 2", "plies: 2\nhidden: perhaps",
     "cases/q1/tree.yaml:4: hidden: expected true or false, not 'perhaps'"),
    (T, "shows: a small tree\n", "", "cases/q1/tree.yaml:1: the key 'shows' is missing"),
    (T, "x: 2", "x: two", "cases/q1/tree.yaml, line 8: unknown kind 'two'; expected max, min, chance or a number"),
    (T, "b: min", "b: chance", "cases/q1/tree.yaml:4: tree: a chance layer, but question q1 allows only max, min"),
    (L, "nook", "nok", "cases/q1/line.yaml:3: layout: no layout 'nok': did you mean 'nook'?"),
    (L, "nook", "layouts/mine.lay", "cases/q1/line.yaml:3: layout: "
     "FOLDER/copied/layouts/mine.lay: no such file; a path starts in the folder of the assignment"),
    (L, "nook", f"{'x' * 300}.lay", "cases/q1/line.yaml:3: layout: "
     f"FOLDER/copied/{'x' * 300}.lay: no such file; a path starts in the folder of the assignment"),
    (L, "nook", "../mine.lay", "cases/q1/line.yaml:3: layout: "
     "'../mine.lay' is not in the folder of the assignment; copy the file into it"),
    (L, "nook", "|\n  %%%%%%%%%%\n  %P1.1.1.1%\n  %.1...2..%\n  %%%%%%%%%%",
     "cases/q1/line.yaml:3: layout: cannot draw 6 ghosts in this order: a layout has only the digits 1 to 4 for them, "
     "and ghosts with the same digit are ordered by x, then y"),
    (L, "[optimal]", "[optmal]", "cases/q1/line.yaml:4: ghosts: no ghost 'optmal': did you mean 'optimal'?"),
    (L, "[optimal]", "[random]", "cases/q1/line.yaml:4: ghosts: a chance layer, but question q1 allows only max, min"),
    (L, "[optimal]", "[optimal, optimal]",
     "cases/q1/line.yaml:3: layout: too many ghosts: 2; layout 'nook' has 1"),
    (L, "moves: 2", "moves: 0", "cases/q1/line.yaml:6: moves: expected a number greater than or equal to 1, not 0"),
    (L, "moves: 2", "moves: 2\naccept: [West]",
     "cases/q1/line.yaml:7: accept: only for role: choice, but question q1 has role: search"),
    (C, "[East]", "[Nroth]", "cases/q2/choice.yaml:8: accept: illegal action 'Nroth'; legal: Stop, East"),
    (C, "accept: [East]\n", "",
     "cases/q2/choice.yaml:1: the key 'accept' is missing: list the right actions, because q2 has role: choice"),
    (C, "[East]", "[]", "cases/q2/choice.yaml:8: accept: expected at least 1 item"),
    (C, CHOICE, TREE, "cases/q2/choice.yaml:1: kind: tree needs role: search, but question q2 has role: choice"),
    (M, "[1, 2]", "[2, 1]",
     "cases/q1/match.yaml:6: steps: wins: expected rising numbers, each only once, as in [1, 2, 4]"),
    (M, "[1, 2]", "[1, 3]", "cases/q1/match.yaml:6: steps: 3 wins are impossible in 2 games"),
    (M, "{wins: [1, 2]}", "{win: [1]}", "cases/q1/match.yaml:6: unknown key 'steps.win': did you mean 'wins'?"),
    (M, "{wins: [1, 2]}", "{}",
     "cases/q1/match.yaml:6: steps: expected at least one of wins, mean_score, finished and seconds"),
    (M, "{wins: [1, 2]}", "{seconds: [1, 2]}",
     "cases/q1/match.yaml:6: steps: seconds: expected falling numbers, each only once, as in [20, 10]"),
    # Cases: their files.
    ("cases/q1/tree.yml", "", TREE, "cases/q1/tree.yml: a second case 'q1/tree'; the first is tree.yaml"),
    ("cases/q1/notes.txt", "", "x", "cases/q1/notes.txt: not a case; expected a name that ends in .yaml"),
    ("cases/q3/tree.yaml", "", TREE, "cases/q3: no question has the id 'q3': known: q1, q2"),
    # Cases: their right answers.
    (T, "plies: 2", "plies: 1",
     "cases/q1/tree.yaml: this min node has no score: it is no leaf and has no evaluation (~)"),
    (L, "moves: 2", "moves: 900",
     "cases/q1/line.yaml: moves: the game ends after 15 of 900 moves of Pacman; write a smaller number"),
    (L, "moves: 2", "moves: 2\nline: [East]",
     "cases/q1/line.yaml: line: only 1 action, and then Pacman has made 1 move; write more actions, or fewer moves"),
    (L, "rounds: 1", "rounds: 51",
     "cases/q1/line.yaml: rounds: the search is too large; expected at most 500,000 nodes; write a smaller number"),
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assignment")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copied"))


def refusal(folder: Path, check: Callable[[Assignment], object] = derive_all) -> str:
    """Why an assignment cannot be loaded or checked; "" if it can."""
    try:
        check(loading.load(str(folder)))
    except InputError as error:
        return str(error)
    return ""


def test_the_assignment_without_errors_loads(copied: Path) -> None:
    assert not refusal(copied)
    assert len(loading.load(str(copied)).cases) == len(list((copied / "cases").rglob("*.yaml"))) > 0


@pytest.mark.parametrize(("file", "old", "new", "line"), WRONG, ids=[f"{row[0]}-{n}" for n, row in enumerate(WRONG)])
def test_one_line_names_the_place_and_what_was_expected(copied: Path, file: str, old: str, new: str, line: str) -> None:
    path = copied / file
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    message = refusal(copied).replace("\\", "/").removeprefix(copied.as_posix() + "/")
    assert message.replace(copied.parent.as_posix(), "FOLDER") == line


def test_a_match_with_too_large_a_search_over_an_evaluation_is_refused(copied: Path) -> None:
    (copied / A).write_text(ASSIGNMENT.replace("role: choice", "role: evaluation"), encoding="utf-8")
    for ghosts, rounds, problem in (
        ("", 101, "the search is too deep; expected at most 100 plies"),
        ("optimal", 20, "the search is too large; expected at most 500,000 nodes"),
    ):
        (copied / C).write_text(MATCH.replace("optimal", ghosts) + f"rounds: {rounds}\n", encoding="utf-8")
        assert refusal(copied) == f"{copied / C}:7: rounds: {problem}; write a smaller number"


def test_the_commands_give_an_error_or_the_list_of_all(copied: Path) -> None:
    """What is wrong in a file ends a grading with status 2; `check` goes on, if only a right answer is missing."""
    (copied / T).write_text(TREE.replace("plies: 2", "plies: two"), encoding="utf-8")
    done = run_here("autograder", "grade", "agents/student.py", "--assignment", str(copied))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("tree.yaml:3: plies: expected a whole number, not 'two'\n")
    (copied / T).write_text(TREE.replace("plies: 2", "plies: 1"), encoding="utf-8")
    result = next(check_without_games(loading.load(str(copied)), str(copied), NATIVE, 1))
    assert (result.name, result.text) == ("cases", "1 of 2 have a right answer")
    assert [problem.rpartition("/")[2] for problem in result.problems] == [
        "tree.yaml: this min node has no score: it is no leaf and has no evaluation (~)"
    ]
    (copied / A).write_text(f"{ASSIGNMENT}stub: stbu.py\n", encoding="utf-8")
    (copied / "stub.py").write_text(STUB, encoding="utf-8")
    with pytest.raises(InputError, match=r"yaml:\d\d: stub: no such file: stbu.py; did you mean 'stub.py'\?$"):
        next(check_without_games(loading.load(str(copied)), str(copied), NATIVE, 1))


STUB = "class MinimaxAgent:\n    pass\n\n\nclass ReflexAgent:\n    pass\n"
PARTS = [
    (STUB, "MinimxAgent", "assignment.yaml:6: questions.0.part: no class or function 'MinimxAgent' in stub.py: "
                          "did you mean 'MinimaxAgent'?"),
    (STUB.replace("class ReflexAgent:\n    pass", "ReflexAgent = 3"), "MinimaxAgent", ""),
    ("class MinimaxAgent(:\n", "MinimaxAgent", "stub.py: cannot be read as Python: invalid syntax (stub.py, line 1)"),
    (None, "MinimxAgent", ""),
]  # fmt: skip


@pytest.mark.parametrize("key", ["stub", "solutions"])
def test_each_part_is_checked_against_the_stub_or_the_solutions(copied: Path, key: str) -> None:
    """Nothing is checked if there is none of the two files, or if the assignment names none."""
    loading.check_parts(loading.load(str(copied)))
    for stub, part, line in PARTS:
        (copied / "stub.py").unlink(missing_ok=True)
        if stub:
            (copied / "stub.py").write_text(stub, encoding="utf-8")
        (copied / A).write_text(f"{key}: stub.py\n" + ASSIGNMENT.replace("MinimaxAgent", part), encoding="utf-8")
        message = refusal(copied, loading.check_parts)
        assert message.replace("\\", "/").replace(copied.as_posix() + "/", "") == line
    (copied / A).write_text(f"{key}: stub.py\n{ASSIGNMENT}", encoding="utf-8")
    (copied / "stub.py").write_text("class MinimaxAgent:\n    pass\n", encoding="utf-8")
    with pytest.raises(InputError, match="yaml:1[0-9]: questions.1.part: no class"):
        loading.check_parts(loading.load(str(copied)).only("q2"))


def test_every_question_of_multiagent_has_five_cases_and_a_match() -> None:
    loaded = loading.load("multiagent")
    for question in loaded.questions:
        kinds = [case.input.kind for case in loaded.of(question)]
        assert len(kinds) >= 5
        assert "match" in kinds
        if question.role == "search":
            assert kinds.count("position") >= 2
            assert kinds.count("tree") >= 5


def test_one_question_can_be_read_without_the_others(copied: Path) -> None:
    """A student who asks for one question does not wait for the others, and not for their mistakes."""
    (copied / T).write_text("kind: nothing\n", encoding="utf-8")
    assignment = loading.load(str(copied), cases_of="q2")
    assert {case.question.id for case in assignment.cases} == {"q2"}
    assert [question.id for question in assignment.questions] == ["q1", "q2"]
    with pytest.raises(InputError, match="kind"):
        loading.load(str(copied))


def test_parts_of_the_own_assignments_are_in_their_stubs() -> None:
    for name in loading.names():
        loading.check_parts(loading.load(name))


NAMES = ["Woche 4 für alle", "第四周", "الأسبوع ٤", "Q1 (neu)", "неделя_4"]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script_are_accepted(copied: Path, name: str) -> None:
    folder = copied.rename(copied.parent / name)
    (folder / "cases" / "q1").rename(folder / "cases" / name)
    (folder / "cases" / name / "tree.yaml").rename(folder / "cases" / name / f"{name}.yaml")
    (folder / A).write_text(ASSIGNMENT.replace("id: q1", f"id: {name}").replace("{q1:", f"{{{name}:"), encoding="utf-8")
    assert not refusal(folder)
    loaded = loading.load(str(folder))
    assert loaded.name == name
    assert f"{name}/{name}" in [case.id for case in loaded.only(name, name).cases]


def test_a_decomposed_name_is_the_same_name(copied: Path) -> None:
    """An archive from macOS can store an umlaut as a letter and a separate accent."""
    (copied / "cases" / "q1").rename(copied / "cases" / "fru\u0308h")
    (copied / A).write_text(ASSIGNMENT.replace("q1", "fr\u00fch"), encoding="utf-8")
    assert not refusal(copied)
    assert loading.load(str(copied)).only("fru\u0308h", "tree").cases


UNSAFE = {
    "a\tb": "contains a character that cannot be printed",
    "week\u202e4": "contains a character that cannot be printed",
    "aux": "is reserved by Windows",
    "a:b": "contains ':'",
    "-4": "begins with '-', which starts an option on a command line",
}


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot create such files")
def test_an_unsafe_name_of_a_case_or_a_folder_is_refused_in_one_line(copied: Path) -> None:
    for name, problem in UNSAFE.items():
        case = (copied / T).rename(copied / "cases" / "q1" / f"{name}.yaml")
        message = refusal(copied)
        assert message.endswith(f".yaml: the name of the case {problem}; rename the file")
        case.rename(copied / T)
        copied = copied.rename(copied.parent / name)
        other = refusal(copied)
        assert other.endswith(f"the name of the folder {problem}; rename it")
        assert (message + other).isprintable()
        copied = copied.rename(copied.parent / "copied")


def test_a_file_that_is_not_text_and_a_folder_without_an_assignment(copied: Path, tmp_path: Path) -> None:
    (copied / T).write_bytes(b"kind: \xff")
    assert refusal(copied).endswith("tree.yaml:1: cannot be read: not UTF-8; save the file as UTF-8")
    assert refusal(tmp_path).endswith("no file assignment.yaml in this folder")
