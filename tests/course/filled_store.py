"""A small class in a store, filled without running any student code: nothing here needs a sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course.intake.roster import Student
from autograder.course.records import result_of
from autograder.course.store import Store
from autograder.judge.scorecard import CaseScore, Diagnosis, QuestionScore, Scorecard
from autograder.sandbox.submission_files import SubmissionFiles

PLY_SHORT = Diagnosis(
    ("Your search stops one ply too early.",), "With how many plies left is a node evaluated?", ("ply-short",)
)
UNNAMED = Diagnosis(("Your search is wrong on trees with MIN > MAX (3 of 8 questions).",), "Draw the tree.", ())
FULL = {"q1": [1.0, 1.0], "q2": [1.0, 1.0, 1.0]}
TITLES = {"q1": "Reflex", "q2": "Minimax"}
POINTS = {"q1": 4.0, "q2": 5.0}


def card(
    shares: Mapping[str, Sequence[float]],
    weights: Mapping[str, float] | None = None,
    faults: Mapping[str, str] | None = None,
    diagnoses: Mapping[str, Diagnosis] | None = None,
    seconds: float = 2.0,
    points: Mapping[str, float] = POINTS,
    withheld: Mapping[str, str] | None = None,
) -> Scorecard:
    """A scorecard with these shares of the cases a, b, c, ... of each question."""
    questions = []
    for name, own in shares.items():
        ids = [f"{name}/{letter}" for letter in "abcdef"[: len(own)]]
        cases = tuple(
            CaseScore(each, "tree", "", (weights or {}).get(each, 1.0), share, fault=(faults or {}).get(each, ""))
            for each, share in zip(ids, own, strict=True)
        )
        found = (diagnoses or {}).get(name)
        locked = (withheld or {}).get(name, "")
        questions.append(QuestionScore(name, TITLES[name], points[name], cases, found, withheld=locked))
    return Scorecard("multiagent", "Multi-agent search", "x.py", "safe", tuple(questions), seconds)


def add(
    store: Store,
    key: str,
    graded: Scorecard | str | None,
    received: str = "",
    name: str = "",
    assignment: str = "multiagent",
    text: str = "",
    version: tuple[str, str] = ("a1", "g1"),
    source: str = "",
) -> int:
    """Adds a submission with a scorecard, with the reason why it could not be graded, or without a result: its work."""
    about = assignment, None, received, source or f"{key}.py"
    if isinstance(graded, str):
        store.add_attempt(Student(key, name), *about, problem=graded)
        return 0
    files = SubmissionFiles({f"{key}.py": f"# {key} {received} {text}\n".encode()}, f"{key}.py")
    number = store.add_attempt(Student(key, name), assignment, files, *about[2:])
    (work,) = (each.work for each in store.attempts(assignment) if each.id == number)
    if graded is not None:
        store.add_result(result_of(work, *version, graded), graded)
    return work


def small_class(path: Path) -> Path:
    """A file with six students: one with three attempts, one late, one not gradable, one without a submission."""
    fill(str(path))
    return path


def fill(where: str) -> None:
    """Fills the store at this place with the small class."""
    with Store.open(where, create=True) as store:
        add(store, "ada", card({"q1": [1.0, 0.5], "q2": [0, 0, 1]}, diagnoses={"q2": PLY_SHORT}), T(1), "Ada, B")
        add(store, "ada", card(FULL, seconds=9), T(2), "Ada, B")
        add(store, "ada", card({"q1": [1.0, 1.0], "q2": [1, 1, 0]}, diagnoses={"q2": UNNAMED}), T(3), "Ada, B")
        add(store, "bob", card({"q1": [1.0, 0.0], "q2": [0, 0, 1]}, diagnoses={"q2": PLY_SHORT}), T(5), "=Bob")
        faults = {"q2/a": "time", "q2/b": "raised"}
        add(store, "eve", card({"q1": [1.0, 1 / 3], "q2": [0, 0, 0]}, faults=faults, seconds=30.04), T(2), "Eve")
        add(store, "fay", card({"q1": [1.0, 0.0], "q2": [0, 1, 0]}, diagnoses={"q2": PLY_SHORT}), T(2), "Fay")
        add(store, "mal", "mal.zip: not a readable archive", T(2), "Mal")
        due = (("", T(4)),)
        students = [replace(each, section="A", due=due if each.key == "bob" else ()) for each in store.students()]
        store.replace_roster([*students, Student("zoë", "Zoë", "B")])


def T(day: int) -> str:
    """Noon of a day in November."""
    return f"2026-11-{day:02}T12:00:00Z"
