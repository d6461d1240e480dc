"""A class is graded again: what runs, who changes, by how much and why; and nothing changes before it is applied."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from autograder.cases import loading
from autograder.cases.case import Case, MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.commands import regrade as command
from autograder.course import versions
from autograder.course.grade import grade_class, note_version
from autograder.course.intake.roster import Student
from autograder.course.job import PackedGrader
from autograder.course.marks.marks import load_works
from autograder.course.regrade import Regrade, reasons, regrade_class
from autograder.course.store import Store
from autograder.course.versions import Steps
from autograder.grading.grade import Grader
from autograder.judge.scorecard import PRACTICE_NOTE, Scorecard
from autograder.platforms import submission_api
from autograder.sandbox import Level, SandboxCheck, check_sandbox, submission_files
from autograder.sandbox.fork_server import Walls
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import filled_store, small_class
from tests.course.filled_store import card

LOADED = loading.load("multiagent")
GRADER = Grader.of(LOADED, 1, sandbox_check=SandboxCheck(Level.SAFE, Walls()))
HALF = card({"q1": [1.0, 0.0], "q2": [0.0, 1.0, 1.0]})


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (HALF, ()),
        (card({"q1": [1.0, 0.0], "q2": [0.0, 1.0, 1.0]}, {"q1/a": 3}), ("weight of q1/a",)),
        (card({"q1": [1.0, 1.0], "q2": [0.0, 1.0, 1.0]}), ("q1/b 0 % -> 100 %",)),
        (card({"q1": [1.0], "q2": [0.0, 1.0, 1.0]}), ("q1/b is gone",)),
        (card({"q1": [1.0, 0.0, 1.0], "q2": [0.0, 1.0, 1.0]}), ("q1/c is new",)),
        (card({"q2": [0.0, 1.0, 1.0]}), ("q1 is gone",)),
        (card({"q1": [1.0, 0.0], "q2": [0.0, 1.0, 1.0]}, points={"q1": 6, "q2": 5}), ("points of q1",)),
        (card({"q1": [1.0, 0.0], "q2": [0.0, 1.0, 1.0]}, withheld={"q2": "locked"}), ("q2 is locked",)),
        (card({"q1": [0.5, 1.0], "q2": [1.0] * 3}), ("q1/a 100 % -> 50 %", "q1/b 0 % -> 100 %", "q2/a 0 % -> 100 %")),
        (None, ("could not be graded",)),
    ],
)
def test_a_change_names_its_cases(new: Scorecard | None, expected: tuple[str, ...]) -> None:
    assert reasons(HALF, new) == expected


def test_every_change_of_the_points_has_a_reason() -> None:
    rng = random.Random(1)

    def any_card() -> Scorecard:
        shares = {name: [rng.choice([0, 0.5, 1]) for _ in range(rng.randint(1, 4))] for name in ("q1", "q2")}
        weights = {f"{name}/{letter}": rng.choice([1, 2, 3]) for name in shares for letter in "abcd"}
        withheld = {"q2": rng.choice(["", "", "locked"])}
        return card(shares, weights, points={"q1": rng.choice([4, 6]), "q2": 5}, withheld=withheld)

    for _ in range(300):
        old, new = any_card(), any_card()
        assert reasons(old, new) or new.earned == pytest.approx(old.earned)


def regraded(path: Path, place: Path, apply: bool = False) -> tuple[Regrade, int]:
    """What a regrade finds, and how many steps ran."""
    packed = small_class.packed_grader(place)
    with Store.open(str(path)) as store:
        found = regrade_class(store, packed, small_class.threads, 2)
        if apply:
            found.apply(store, packed)
        return found, sum(map(len, found.steps.values()))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small assignment, and a store with five submissions that were graded with it."""
    folder = tmp_path_factory.mktemp("class")
    place = small_class.write_assignment(folder)
    packed = small_class.packed_grader(place)
    grader, steps = packed.unpack()
    with Store.open(str(folder / "class.db"), create=True) as store:
        for name in ("right", "deeper", "maximin", "one_part", "syntax"):
            path = folder / f"{name}.py"
            path.write_text(small_class.SUBMISSIONS[name], encoding="utf-8")
            store.add_attempt(Student(name), "trees", submission_files.read(path))
        store.add_attempt(Student("broken"), "trees", None, problem="not a Python file")
        note_version(store, grader, steps)
        assert grade_class(store, packed, store.attempts("trees")[:5], small_class.threads, 2) == {}
    return folder


@pytest.fixture
def place(first: Path, tmp_path: Path) -> Path:
    """The assignment of `first` in a folder of its own, beside a copy of the store."""
    shutil.copytree(first / "trees", tmp_path / "trees")
    shutil.copy(first / "class.db", tmp_path / "class.db")
    return tmp_path / "trees"


def marks(path: Path) -> dict[str, float]:
    with Store.open(str(path)) as store:
        found = load_works(store, "trees")
    return {work.student.key: work.chosen("last").earned for work in found}


def reweigh(place: Path) -> None:
    file = place / "cases" / "q1" / "01-first.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "weight: 2\n", encoding="utf-8")


def test_what_the_staff_adjusted_stays_and_the_table_says_so(place: Path) -> None:
    """Another API is refused, and `grade-all` says that it grades again."""
    path, folder = place.parent / "class.db", place.parent / "one"
    refused = pytest.raises(InputError, match="'trees' was graded with --api native; grade again with --api native")
    with Store.open(str(path)) as store, refused:
        regrade_class(store, small_class.packed_grader(place, api="cs188"), small_class.threads, 2)
    with Store.open(str(path)) as store:
        store.add_adjustment("maximin", "trees", "q1", 3.5, "an appeal")
    reweigh(place)
    found, _ = regraded(path, place, apply=True)
    (change,) = found.changes
    assert (change.before, change.after, change.difference) == (9.5, 9.5, 0)
    assert change.reasons == ("weight of q1/01-first", "q1 stays at 3.5 (adjusted)")
    assert found.overview == "5 submissions compared: 0 raised, 0 lowered, 5 unchanged"
    with Store.open(str(path)) as store:
        marked = {work.student.key: work.adjusted(work.chosen("last")) for work in load_works(store, "trees")}
    assert marked["maximin"] == pytest.approx(9.5), "it is kept"
    folder.mkdir()
    (folder / "right.py").write_text(small_class.SUBMISSIONS["right"], encoding="utf-8")
    arguments = ("grade-all", str(folder), "--store", str(path), "--assignment", str(place), "--jobs", "1")
    assert "another version" not in run_here("autograder", *arguments).stderr
    (place / "cases/q1/01-first.yaml").write_text((place / "cases/q1/02-second.yaml").read_text(encoding="utf-8"))
    said = run_here("autograder", *arguments).stderr
    assert "1 result of another version of the assignment or the grader: graded again" in said


def test_another_case_runs_alone_and_once_and_a_change_that_is_taken_back_is_a_regrade_too(place: Path) -> None:
    path, file = place.parent / "class.db", place / "cases" / "q1" / "03-third.yaml"
    before, text = marks(path), file.read_text(encoding="utf-8")
    file.write_text(text.replace("1: 7", "1: 4"), encoding="utf-8")
    found, steps = regraded(path, place)
    (change,) = found.changes
    assert change.student.key == "maximin"
    assert [reason.split()[0] for reason in change.reasons] == ["q1/03-third"]
    # The case for those who have a search that is imported, and the diagnoses for those who lost points in it.
    assert 4 <= steps <= 8
    again, steps = regraded(path, place, apply=True)
    assert (again.changes, steps) == (found.changes, 0)
    assert marks(path) != before
    file.write_text(text, encoding="utf-8")
    found, steps = regraded(path, place, apply=True)
    assert (marks(path), steps) == (before, 0)
    assert [change.difference > 0 for change in found.changes] == [change.difference < 0]


def test_one_student_runs_again_without_a_change(place: Path) -> None:
    """As after a run on a machine with a fault: the new answers replace the stored ones, and the old result stays."""
    path = place.parent / "class.db"
    packed = small_class.packed_grader(place)
    _, steps = packed.unpack()
    with Store.open(str(path)) as store:
        work = next(each.work for each in store.attempts("trees") if each.student.key == "right")
        last = store.last_results("trees")[work]
        known = store.steps(work, steps.runner)
        store.add_steps(work, [replace(each, content={}) for each in known])  # what the fault wrote
        store.add_result(replace(last, earned=1.0), store.scorecard(last.id))
        found = regrade_class(store, packed, small_class.threads, 2, students={"right"})
        assert (len(found.changes), found.unchanged, found.up_to_date) == (1, 0, 0)
        assert len(found.steps[work]) == len(known)
        assert len(store.steps(work, steps.runner)) == 2 * len(known)
        assert marks(path)["right"] == 1
        found.apply(store, packed)
        assert len(store.results("trees")) == 7
    assert marks(path)["right"] == 10
    with Store.open(str(path)) as store:
        newest = {each.case: each.content for each in store.steps(work, steps.runner)}
        assert newest.keys() == {each.case for each in known}
        assert all(content for case, content in newest.items() if "/" in case)
        kept = regrade_class(store, packed, small_class.threads, 2)
        assert (kept.up_to_date, kept.steps) == (5, {})


def test_other_games_are_refused(tmp_path: Path) -> None:
    """A store remembers the key of its games."""
    path, first, second = tmp_path / "class.db", GameKey.new(), GameKey.new()
    loaded = loading.load("multiagent")

    def grader(key: GameKey | None, name: str = "multiagent") -> Grader:
        return Grader(replace(loaded, name=name), {}, check_sandbox(), 1, submission_api("native"), key)

    def check_key(store: Store, grader: Grader, remembers: bool = True) -> str:
        return note_version(store, grader, Steps("", {}, "", "", {}), remembers)

    with Store.open(str(path), create=True) as store:
        assert check_key(store, grader(first, "keyed")) == ""
        assert "with --key FILE, which makes" in check_key(store, grader(None, "practice"))
        assert check_key(store, grader(None, "practice")) == ""  # once
        assert check_key(store, grader(None, "other"), remembers=False)
        assert check_key(store, grader(first, "other")) == ""
        graded = replace(filled_store.card(filled_store.FULL), key_digest=first.digest)
        filled_store.add(store, "ada", graded)
        filled_store.add(store, "bob", "no file")
        for key in (None, second):
            with pytest.raises(InputError) as error:
                check_key(store, grader(key, "keyed"))
            given = f"--key is the key {second.digest[:12]}" if key else "there is no --key"
            assert str(error.value) == (
                f"store {path}: 'keyed': the games are drawn from the key {first.digest[:12]}, and {given}; name the "
                "file of the first key with --key"
            )
        with pytest.raises(InputError, match="the games are practice games; start again without --key, or grade into"):
            check_key(store, grader(first, "practice"))
        public = tuple(replace(each, hidden=None) for each in loaded.questions)
        trees = replace(loaded, name="keyed", questions=public, cases=tuple(filter(has_truth, loaded.cases)))
        assert check_key(store, Grader(trees, {}, check_sandbox(), 1)) == ""  # the key changes nothing
    with Store.open(str(path)) as store:
        assert check_key(store, grader(first)) == ""
        other = PackedGrader.of(grader(second))
        with pytest.raises(InputError, match="drawn from the key"):
            regrade_class(store, other, small_class.threads, 2)


def test_other_drawn_cases_are_refused_where_there_are_no_games(tmp_path: Path) -> None:
    path, loaded, key = tmp_path / "class.db", loading.load("warm-up"), GameKey.new()

    def check_key(store: Store, key: GameKey | None, name: str) -> str:
        grader = Grader(replace(loaded, name=name), {}, check_sandbox(), 1, key=key)
        return note_version(store, grader, Steps("", {}, "", "", {}))

    with Store.open(str(path), create=True) as store:
        assert check_key(store, key, "keyed") == ""
        assert check_key(store, None, "practice") == PRACTICE_NOTE
        assert check_key(store, None, "practice") == ""  # once
        for other in (None, GameKey.new()):
            with pytest.raises(InputError, match=f"the hidden cases are drawn from the key {key.digest[:12]}, and "):
                check_key(store, other, "keyed")
        with pytest.raises(InputError, match="the hidden cases are drawn for practice; start again without --key, or"):
            check_key(store, key, "practice")


def has_truth(case: Case) -> bool:
    return case.has_truth


def test_a_key_changes_only_what_matches_depend_on() -> None:
    plain, keyed = Steps.of(GRADER), Steps.of(replace(GRADER, key=GameKey.new()))
    changed = {name for name in plain.digests if plain.digests[name] != keyed.digests[name]}
    matches = {case.id for case in LOADED.cases if isinstance(case.input, MatchInput)}
    assert matches
    assert {name for name in changed if "/" in name} == matches
    assert plain.grader != keyed.grader


def test_what_is_only_judged_changes_no_run() -> None:
    case = next(case for case in LOADED.cases if case.id == "q2/01-figure")
    before = versions.case_digest(case, LOADED, GRADER.truths[case.id])
    heavier = replace(case, input=replace(case.input, weight=7, shows="x"))
    assert versions.case_digest(heavier, LOADED, GRADER.truths[case.id]) == before
    slower = replace(case, seconds=case.seconds + 1)
    assert versions.case_digest(slower, LOADED, GRADER.truths[case.id]) != before
    other = replace(LOADED, limits=replace(LOADED.limits, memory_mb=2048))
    assert versions.case_digest(case, other, GRADER.truths[case.id]) != before
    assert versions.assignment_digest(other, GRADER.truths, {}) != versions.assignment_digest(LOADED, GRADER.truths, {})


def test_the_files_of_the_judge_decide_points_and_no_run() -> None:
    def files(places: tuple[str, ...]) -> set[Path]:
        found = (versions.ROOT / place for place in places)
        return {file for place in found for file in (place.rglob("*.py") if place.is_dir() else [place])}

    runner, grader = files(versions.RUNNER), files(versions.GRADER)
    assert all(path.is_file() for path in grader)
    assert runner < grader
    names = {path.relative_to(versions.ROOT).as_posix() for path in grader - runner}
    assert "autograder/judge/compare.py" in names
    assert not any(name.startswith(("autograder/sandbox", "autograder/student_process")) for name in names)
    imported = {
        f"{module.replace('.', '/')}.py"
        for path in files(("autograder/sandbox", "autograder/student_process"))
        for module in re.findall(r"^ *from (autograder\.(?:cases|judge)[.\w]*) import", path.read_text(), re.MULTILINE)
    }
    # A case is in its own digest; the others are about diagnoses.
    others = {"autograder/cases/case.py"}
    others |= {f"autograder/judge/diagnosis/{name}.py" for name in ("choices", "run", "trials")}
    assert imported & names <= others


def without_blanks(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def test_results_are_added_also_if_nobody_reads_the_table(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `regrade --apply | head -n 3`."""

    def is_closed(*_: object) -> NoReturn:
        raise BrokenPipeError

    monkeypatch.setattr(command, "_print", is_closed)
    path = str(place.parent / "class.db")
    reweigh(place)
    with Store.open(path) as store:
        before = len(store.results("trees"))
    run_here("autograder", "regrade", "--store", path, "--assignment", str(place), "--apply", "--reason", "x")
    with Store.open(path) as store:
        assert len(store.results("trees")) == before + 5


def test_the_command_lists_who_changes_then_adds_the_results(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another weight runs nothing, and changes nothing before it is applied."""
    monkeypatch.setenv("COLUMNS", "100")
    path = place.parent / "class.db"
    before = marks(path)
    reweigh(place)
    arguments = ("regrade", "--store", str(path), "--assignment", str(place), "--jobs", "1")
    done = run_here("autograder", *arguments, "--dry-run")
    listed = """\
trees: 5 submissions compared: 0 raised, 1 lowered, 4 unchanged
ran: 0 steps (cases, imports, diagnoses); the rest was judged again

student  handed in  before  after  change  why
maximin               7.33      7   -0.33  weight of q1/01-first
"""
    advice = "no points are changed yet; to change them, use --apply instead of --dry-run\n"
    assert done.returncode == 0, done.stderr
    assert without_blanks(done.stdout) == listed + advice
    assert marks(path) == before
    done = run_here("autograder", *arguments, "--apply", "--reason", "the first\ntree counts\ttwice")
    assert without_blanks(done.stdout) == listed + "added: 5 results; the old ones stay in the store\n"
    assert marks(path) == before | {"maximin": 7}
    with Store.open(str(path)) as store:
        (event,) = store.events()
        assert len(store.results("trees")) == 10
    text = "5 submissions compared: 0 raised, 1 lowered, 4 unchanged; reason: the first tree counts twice"
    assert (event.kind, event.text.endswith(text)) == ("regrade", True)
    last, _ = regraded(path, place)
    assert (last.changes, last.unchanged, last.up_to_date) == ((), 0, 5)
    with (place / "assignment.yaml").open("a", encoding="utf-8") as file:
        file.write("due: 2026-11-22T23:59Z\n")
    done = run_here("autograder", *arguments, "--apply", "--reason", "a week more")
    assert "new dates: 2026-11-22T23:59Z; gradebook and feedback use them now\n" in done.stdout
    with Store.open(str(path)) as store:
        assert store.fact("late trees") == ["2026-11-22T23:59Z", ""]
