"""Every way to write an assignment, a case or a reference wrongly, and the exact line that says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.cases import loading, reference_recorder
from pacman.core.errors import InputError
from tests.command_line import run_here

ROOT = Path(__file__).parents[2]

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
R = "references/q1/tree.yaml"
P = "references/q1/line.yaml"

# A file, what is written there instead of what, and the line that must come.
WRONG = [
    # The assignment.
    (A, "title: A small one\n", "", "assignment.yaml:1: the key 'title' is missing"),
    (A, "title: A small one", "titel: A small one", "assignment.yaml:1: unknown key 'titel': did you mean 'title'?"),
    (A, "title: A small one", "title: 3", "assignment.yaml:1: title: expected a string, not 3"),
    (A, "points: 3", "points: none", "assignment.yaml:6: questions.0.points: expected a number, not 'none'"),
    (A, "points: 3", "points: 0", "assignment.yaml:6: questions.0.points: expected greater than 0, not 0"),
    (A, "points: 3", "points: .inf", "assignment.yaml:6: questions.0.points: expected a finite number, not inf"),
    (A, "role: search", "role: serach",
     "assignment.yaml:7: questions.0.role: expected 'search', 'choice' or 'evaluation', not 'serach'"),
    (A, "    reference: exhaustive\n", "",
     "assignment.yaml:3: questions.0: a search, and nothing else, needs a reference: exhaustive or alphabeta"),
    (A, "    criteria: {value: 2, action: 1}\n", "",
     "assignment.yaml:3: questions.0: a search, and nothing else, needs criteria and their weights"),
    (A, "value: 2", "valeu: 2",
     "assignment.yaml:10: questions.0.criteria.valeu: expected 'value', 'action', 'touched', 'expanded', "
     "'generated' or 'time', not 'valeu'"),
    (A, "value: 2", "value: -2", "assignment.yaml:10: questions.0.criteria.value: expected greater than 0, not -2"),
    (A, "value: 2", "value: .nan", "assignment.yaml:10: questions.0.criteria.value: expected a finite number, not nan"),
    (A, "{value: 2, action: 1}", "{time: 2}",
     "assignment.yaml:3: questions.0: criteria: time alone judges no answer; give weights for value, action, ... too"),
    (A, "action: 1}", "time: 1}",
     "assignment.yaml:3: questions.0: the criterion time, and nothing else, needs target_seconds"),
    (A, "    points: 3\n", "    points: 3\n    target_seconds: 2\n",
     "assignment.yaml:3: questions.0: the criterion time, and nothing else, needs target_seconds"),
    (A, "part: MinimaxAgent", "prt: MinimaxAgent",
     "assignment.yaml:5: unknown key 'questions.0.prt': did you mean 'part'?"),
    (A, "id: q2", "id: q1", "assignment.yaml:11: a second question 'q1'"),
    (A, "id: q2", "id: Q 2",
     "assignment.yaml:11: questions.1.id: expected lower-case letters, digits, - and _, not 'Q 2'"),
    (A, "{q1: 0.5}", "[q1]", "assignment.yaml:16: questions.1.requires: expected a mapping, as in {one: 1, two: 2}"),
    (T, "shows: a small", "shows: small: a",
     "cases/q1/tree.yaml:2:13: not valid YAML: mapping values are not allowed here (a text with a colon in it is put "
     "in quotes, a drawing stands below '|')"),
    (A, "q1: 0.5", "q9: 0.5", "assignment.yaml:16: requires: no question 'q9': known: q1, q2"),
    (A, "q1: 0.5", "q1: 2", "assignment.yaml:16: questions.1.requires.q1: expected less than or equal to 1, not 2"),
    (A, "q1: 0.5", "q2: 0.5", "assignment.yaml:16: requires: a circle: q2 needs q2"),
    (A, "    points: 3\n", "    points: 3\n    requires: {q2: 1}\n",
     "assignment.yaml:7: requires: a circle: q1 needs q2 needs q1"),
    (A, "questions:", "tolerance: -1\nquestions:",
     "assignment.yaml:2: tolerance: expected greater than or equal to 0, not -1"),
    (A, "questions:", "tolerance: 1e-6\nquestions:",
     "assignment.yaml:2: tolerance: expected a number, not '1e-6' (a number with a power needs a point in YAML, as in "
     "1.0e-6)"),
    (A, "questions:", "limits: {second: 2}\nquestions:",
     "assignment.yaml:2: unknown key 'limits.second': did you mean 'seconds'?"),
    (A, ASSIGNMENT, "",
     "assignment.yaml:1: expected a mapping of title, stub, solutions, limits, tolerance, questions"),
    (A, ASSIGNMENT, "title: x\nquestions: []\n",
     "assignment.yaml:2: questions: expected at least 1 item"),
    (A, "[max, min]", "[max, mni]",
     "assignment.yaml:9: questions.0.layers.1: expected 'max', 'min' or 'chance', not 'mni'"),
    # Cases: what they are.
    (T, "kind: tree", "knd: tree", "cases/q1/tree.yaml:1: unknown key 'knd': did you mean 'kind'?"),
    (T, "kind: tree\n", "", "cases/q1/tree.yaml:1: the key 'kind' is missing; expected tree, position, match"),
    (T, "kind: tree", "kind: tre", "cases/q1/tree.yaml:1: kind: no kind 'tre': did you mean 'tree'?"),
    (T, "kind: tree", "kind: 3", "cases/q1/tree.yaml:1: kind: no kind '3': known: match, position, tree"),
    (T, TREE, "", "cases/q1/tree.yaml:1: expected a mapping with kind: tree, position, match"),
    (T, TREE, "- tree\n", "cases/q1/tree.yaml:1: expected a mapping with kind: tree, position, match"),
    (T, "plies: 2", "plies: 2\nplies: 3", "cases/q1/tree.yaml:4: the key 'plies' stands here twice"),
    (T, "kind: tree", "kind: [tree", "cases/q1/tree.yaml:2:6: not valid YAML: expected ',' or ']', but got ':'"),
    # Cases: their fields.
    (T, "plies: 2", "plys: 2", "cases/q1/tree.yaml:3: unknown key 'plys': did you mean 'plies'?"),
    (T, "plies: 2", "plies: two", "cases/q1/tree.yaml:3: plies: expected a whole number, not 'two'"),
    (T, "plies: 2", "plies: -1", "cases/q1/tree.yaml:3: plies: expected greater than or equal to 0, not -1"),
    (T, "plies: 2", "plies: 2\nweight: 0", "cases/q1/tree.yaml:4: weight: expected greater than 0, not 0"),
    (T, "plies: 2", "plies: 2\ncut: strikt",
     "cases/q1/tree.yaml:4: cut: expected 'equal', 'strict' or 'either', not 'strikt'"),
    (T, "plies: 2", "plies: 2\nties: last", "cases/q1/tree.yaml:4: ties: expected 'any' or 'first', not 'last'"),
    (T, "plies: 2", "plies: 2\nhidden: perhaps",
     "cases/q1/tree.yaml:4: hidden: expected true or false, not 'perhaps'"),
    (T, "shows: a small tree\n", "", "cases/q1/tree.yaml:1: the key 'shows' is missing"),
    (T, "x: 2", "x: two", "cases/q1/tree.yaml:8:8: unknown kind 'two'; expected max, min, chance or a number"),
    (T, "b: min", "b: chance", "cases/q1/tree.yaml:4: a chance layer, but q1 has only max, min"),
    (L, "nook", "nok", "cases/q1/line.yaml:3: layout: no layout 'nok': did you mean 'nook'?"),
    (L, "[optimal]", "[optmal]", "cases/q1/line.yaml:4: ghosts: no ghost 'optmal': did you mean 'optimal'?"),
    (L, "[optimal]", "[random]", "cases/q1/line.yaml:4: a chance layer, but q1 has only max, min"),
    (L, "[optimal]", "[optimal, optimal]",
     "cases/q1/line.yaml:3: layout: too many ghosts: 2; layout 'nook' has 1"),
    (L, "moves: 2", "moves: 0", "cases/q1/line.yaml:6: moves: expected greater than or equal to 1, not 0"),
    (L, "moves: 2", "moves: 2\naccept: [West]",
     "cases/q1/line.yaml:7: accept: for a choice, and only there, list the right actions"),
    (C, "[East]", "[Nroth]", "cases/q2/choice.yaml:8: accept: 'Nroth' is not legal here: known: East, Stop"),
    (C, "[East]", "[]", "cases/q2/choice.yaml:8: accept: expected at least 1 item"),
    (C, CHOICE, TREE, "cases/q2/choice.yaml:1: a tree asks for a search, but q2 asks for a choice"),
    (M, "[1, 2]", "[2, 1]", "cases/q1/match.yaml:6: steps: steps ascend"),
    (M, "[1, 2]", "[1, 3]", "cases/q1/match.yaml:1: steps: 3 wins cannot be reached in 2 games"),
    (M, "{wins: [1, 2]}", "{win: [1]}", "cases/q1/match.yaml:6: unknown key 'steps.win': did you mean 'wins'?"),
    (M, "{wins: [1, 2]}", "{}", "cases/q1/match.yaml:6: steps: give steps for wins, mean_score or seconds"),
    (M, "{wins: [1, 2]}", "{seconds: [1, 2]}", "cases/q1/match.yaml:6: steps: steps for seconds descend"),
    (M, "games: 2", "games: 2\ntarget_seconds: 1",
     "cases/q1/match.yaml:6: target_seconds: of a match the time is a step: steps: {seconds: [...]}"),
    # Cases: where they are.
    ("cases/q1/tree.yml", "", TREE, "cases/q1/tree.yml: a second case 'q1/tree', beside tree.yaml"),
    ("cases/q1/notes.txt", "", "x", "cases/q1/notes.txt: not a case; expected a name that ends in .yaml"),
    ("cases/q3/tree.yaml", "", TREE, "cases/q3: belongs to no question: known: q1, q2"),
    # References.
    (T, "y: 9", "y: 8",
     "references/q1/tree.yaml:1: this reference does not fit its case, which has changed; record it with: "
     "python -m autograder record --assignment copied"),
    (R, "digest:", "digst:", "references/q1/tree.yaml:1: unknown key 'digst': did you mean 'digest'?"),
    (R, "value: 3.0", "value: three", "references/q1/tree.yaml:3: moves.0.value: expected a number, not 'three'"),
    (R, "moves:", "moves: []\nmvs:", "references/q1/tree.yaml:3: unknown key 'mvs': did you mean 'moves'?"),
    (P, "moves:\n- value", "moves:\n- vlue",
     "references/q1/line.yaml:4: unknown key 'moves.0.vlue': did you mean 'value'?"),
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assignment")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    loaded = loading.load(str(folder))
    for case in loaded.cases:
        if case.has_reference:
            reference_recorder.save(loading.reference_path(loaded, case), reference_recorder.derive(case))
    return folder


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copied"))


def load(folder: Path) -> None:
    """An assignment with its references, as grading loads them."""
    loaded = loading.load(str(folder))
    for case in loaded.cases:
        if case.has_reference:
            loading.load_reference(loaded, case)


def test_as_it_stands_it_is_right(copied: Path) -> None:
    load(copied)


@pytest.mark.parametrize(("file", "old", "new", "line"), WRONG, ids=[f"{row[0]}-{n}" for n, row in enumerate(WRONG)])
def test_one_line_names_the_place_and_what_was_expected(copied: Path, file: str, old: str, new: str, line: str) -> None:
    path = copied / file
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load(copied)
    said = str(raised.value).replace("\\", "/").removeprefix(copied.as_posix() + "/")
    assert said == line


def test_a_reference_of_another_case_is_named(copied: Path) -> None:
    shutil.copy(copied / R, copied / P)
    with pytest.raises(InputError, match=r"line.yaml:1: this reference belongs to 'q1/tree', not to 'q1/line'; record"):
        load(copied)


def test_a_reference_that_lost_a_move_is_named(copied: Path) -> None:
    path = copied / P
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex("- value")], encoding="utf-8")
    with pytest.raises(InputError, match=r"line.yaml:3: moves: 2 expected, as its case asks, not 1; record"):
        load(copied)


def test_no_reference_and_a_file_that_is_no_text(copied: Path) -> None:
    (copied / R).unlink()
    with pytest.raises(InputError, match=r"tree.yaml: case 'q1/tree' has no reference; record it with"):
        load(copied)
    (copied / T).write_bytes(b"kind: \xff")
    with pytest.raises(InputError, match=r"tree.yaml: cannot be read: not UTF-8 at byte 7"):
        load(copied)


def test_a_mistake_exits_2(copied: Path) -> None:
    (copied / T).write_text(TREE.replace("plies: 2", "plies: two"), encoding="utf-8")
    done = run_here("autograder", "grade", "agents/student.py", "--assignment", str(copied))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("tree.yaml:3: plies: expected a whole number, not 'two'\n")
    assert done.stderr.count("\n") == 1


def test_check_names_each_reference_that_does_not_fit(copied: Path) -> None:
    text = (copied / R).read_text(encoding="utf-8")
    (copied / R).write_text(text.replace("value: 3.0", "value: 4.0"), encoding="utf-8")
    (copied / P).unlink()
    (copied / "references" / "q1" / "gone.yaml").write_text("digest: x\n", encoding="utf-8")
    done = run_here("autograder", "record", "--check", "--assignment", str(copied))
    said = done.stdout.replace("\\", "/").replace(copied.as_posix() + "/references/q1/", "").splitlines()
    assert done.returncode == 1
    assert said == [
        "line.yaml: case 'q1/line' has no reference",
        "tree.yaml:2: moves: differs from what the reference search finds for 'q1/tree'",
        "gone.yaml: belongs to no case",
        "2 references, 3 not up to date",
    ]
