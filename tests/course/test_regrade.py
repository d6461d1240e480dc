"""A class is graded again: what runs, who changes, by how much and why; and nothing changes before it is applied."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from autograder.cases import loading
from autograder.cases.case import MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.commands import regrade as command
from autograder.course import versions
from autograder.course.grade import note_dates, note_version
from autograder.course.marks import marks as of_class
from autograder.course.regrade import Regrade, reasons, regrade_class
from autograder.course.store import Store
from autograder.course.versions import Steps
from autograder.grading.grade import Grader
from autograder.judge.scorecard import PRACTICE_NOTE, Scorecard
from autograder.sandbox import Level, SandboxCheck
from autograder.sandbox.fork_server import Walls
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import small_class
from tests.course.filled_store import card

LOADED = loading.load("multiagent")
CHECK = SandboxCheck(Level.SAFE, Walls())
GRADER = Grader.of(LOADED, 1, sandbox_check=CHECK)
HALF = {"q1": [1.0, 0.0], "q2": [0.0, 1.0, 1.0]}


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (card(HALF), ()),
        (card(HALF, {"q1/a": 3}), ("weight of q1/a",)),
        (card(HALF | {"q1": [1.0, 1.0]}), ("q1/b 0 % -> 100 %",)),
        (card(HALF | {"q1": [1.0]}), ("q1/b is gone",)),
        (card(HALF | {"q1": [1.0, 0.0, 1.0]}), ("q1/c is new",)),
        (card({"q2": [0.0, 1.0, 1.0]}), ("q1 is gone",)),
        (card(HALF, points={"q1": 6, "q2": 5}), ("points of q1",)),
        (card(HALF, withheld={"q2": "locked"}), ("q2 is locked",)),
        (card({"q1": [0.5, 1.0], "q2": [1.0] * 3}), ("q1/a 100 % -> 50 %", "q1/b 0 % -> 100 %", "q2/a 0 % -> 100 %")),
        (None, ("could not be graded",)),
    ],
)
def test_a_change_names_its_cases(new: Scorecard | None, expected: tuple[str, ...]) -> None:
    assert reasons(card(HALF), new) == expected


def test_a_drawn_case_that_is_another_tree_is_named_so() -> None:
    def drawn(share: float) -> Scorecard:
        whole = card({"q1": [share]})
        (question,) = whole.questions
        return replace(whole, questions=(replace(question, cases=(replace(question.cases[0], id="q1/drawn-1"),)),))

    for changed, more in (((), ""), (("q1/drawn-1", "q1/a"), " (another tree now)")):
        assert reasons(drawn(0.0), drawn(1.0), changed) == (f"q1/drawn-1 0 % -> 100 %{more}",)


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


def regraded(place: Path, apply: bool = False) -> tuple[Regrade, int]:
    """What a regrade finds, and how many steps ran."""
    packed = small_class.packed_grader(place)
    with Store.open(str(place.parent / "class.db")) as store:
        found = regrade_class(store, packed, small_class.threads, 2)
        if apply:
            found.apply(store)
        return found, sum(len(outcome.new) for outcome in found.outcomes)


@pytest.fixture(scope="module", autouse=True)
def _no_diagnosis() -> Iterator[None]:
    """A diagnosis takes longer than the cases of a whole class. (What of it runs again is in test_grade_class.)"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.grading.grade.needs_diagnosis", lambda *arguments: False)
        patch.setattr("autograder.course.workers.local_workers", ThreadPoolExecutor)
        yield


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small assignment, and a store with five submissions that were graded with it."""
    folder = tmp_path_factory.mktemp("class")
    assignment, names = small_class.write_assignment(folder), ("right", "deeper", "maximin", "one_part", "syntax")
    files = {f"{name}.py": small_class.SUBMISSIONS[name] for name in names}
    small_class.write_files(folder / "class", files | {"broken.zip": ""})
    with Store.open(str(folder / "class.db"), create=True) as store:
        note_version(store, *small_class.packed_grader(assignment).unpack())
        assert small_class.graded(store, folder / "class", assignment) == {}
    return folder


@pytest.fixture
def place(first: Path, tmp_path: Path) -> Path:
    """The assignment of `first` in a folder of its own, beside a copy of the store."""
    shutil.copytree(first / "trees", tmp_path / "trees")
    shutil.copy(first / "class.db", tmp_path / "class.db")
    return tmp_path / "trees"


def marks(place: Path) -> dict[str, float]:
    """The points of each student in the store beside an assignment."""
    with Store.open(str(place.parent / "class.db")) as store:
        return {row.student.key: row.adjusted for row in of_class.marks(store, "trees", "last")}


def reweigh(place: Path, case: str = "01-first") -> None:
    file = place / "cases" / "q1" / f"{case}.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "weight: 2\n", encoding="utf-8")


def test_what_the_staff_adjusted_stays_and_the_table_says_so(place: Path) -> None:
    """Another API is refused, and `grade-all` changes no mark."""
    path, folder = place.parent / "class.db", place.parent / "one"
    refused = pytest.raises(InputError, match="'trees' was graded with api: native; write that into assignment.yaml")
    with Store.open(str(path)) as store:
        with refused:
            regrade_class(store, small_class.packed_grader(place, api="cs188"), small_class.threads, 2)
        store.add_adjustment("maximin", "trees", "q1", 3.5, "an appeal")
    reweigh(place)
    found, _ = regraded(place, apply=True)
    (change,) = found.changes
    assert (change.before, change.after, change.difference) == (9.5, 9.5, 0)
    assert change.reasons == ("weight of q1/01-first", "q1 stays at 3.5 (adjusted)")
    assert found.overview == "5 submissions compared: 0 raised, 0 lowered, 5 unchanged"
    assert marks(place)["maximin"] == pytest.approx(9.5), "it is kept"
    small_class.write_files(folder, {"right.py": small_class.RIGHT})
    arguments = ("grade-all", str(folder), "--store", str(path), "--assignment", str(place), "--jobs", "1")
    assert "another version" not in run_here("autograder", *arguments).stderr
    said = run_here("autograder", "regrade", "--store", str(path), "--dry-run").stderr
    assert said.endswith("--assignment trees: the store knows only its name; give its folder\n")
    (place / "cases/q1/01-first.yaml").write_text((place / "cases/q1/02-second.yaml").read_text(encoding="utf-8"))
    before = marks(place)
    small_class.write_files(folder, {"new.py": small_class.RIGHT})
    said = run_here("autograder", *arguments).stdout.splitlines()
    assert said[0] == "2 submissions: 2 graded"
    assert said[-1].startswith("1 result of another version of the assignment or the grader, not changed here: regrade")
    assert marks(place) == {**before, "new": 10}


def test_a_mark_that_changes_only_where_the_staff_opened_a_question_is_listed(place: Path) -> None:
    """Who loses points stands before who gains some."""
    settings = place / "assignment.yaml"
    weighed = settings.read_text(encoding="utf-8").replace("points: 4", "points: 5").replace("points: 6", "points: 5")
    locked = settings.read_text(encoding="utf-8").replace("ExpectimaxAgent,", "ExpectimaxAgent, requires: {q1: 0.9},")
    settings.write_text(weighed, encoding="utf-8")
    changes = [(each.student.key, each.difference > 0) for each in regraded(place)[0].changes]
    assert changes == [("maximin", False), ("one_part", True)]
    settings.write_text(locked, encoding="utf-8")
    regraded(place, apply=True)
    with Store.open(str(place.parent / "class.db")) as store:
        store.add_adjustment("maximin", "trees", "q1", 4, "an appeal")
    settings.write_text(locked.replace("points: 6", "points: 5"), encoding="utf-8")
    found, _ = regraded(place, apply=True)
    lowered = {change.student.key for change in found.changes if change.difference == -1}
    assert lowered == {"right", "deeper", "maximin"} == {change.student.key for change in found.changes}
    assert marks(place)["maximin"] == 9


def test_another_case_runs_alone_and_once_and_a_change_that_is_taken_back_is_a_regrade_too(place: Path) -> None:
    file, before = place / "cases" / "q1" / "03-third.yaml", marks(place)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("1: 7", "1: 4"), encoding="utf-8")
    found, steps = regraded(place)
    (change,) = found.changes
    assert change.student.key == "maximin"
    assert [reason.split()[0] for reason in change.reasons] == ["q1/03-third"]
    assert steps == 4, "the case, for those who have a search that can be imported"
    again, steps = regraded(place, apply=True)
    assert (again.changes, steps) == (found.changes, 0)
    assert marks(place) != before
    file.write_text(text, encoding="utf-8")
    found, steps = regraded(place, apply=True)
    assert (marks(place), steps) == (before, 0)
    assert [change.difference > 0 for change in found.changes] == [change.difference < 0]


def test_one_student_runs_again_without_a_change(place: Path) -> None:
    """As after a run on a machine with a fault: the new answers replace the stored ones, and the old result stays."""
    packed = small_class.packed_grader(place)
    _, steps = packed.unpack()
    with Store.open(str(place.parent / "class.db")) as store:
        work = next(each.work for each in store.attempts("trees") if each.student.key == "right")
        last, known = store.last_results("trees")[work], store.steps(work, steps.runner)
        store.add_steps(work, [replace(each, content={}) for each in known])  # what the fault wrote
        store.add_result(replace(last, earned=1.0), store.scorecard(last.id))
        found = regrade_class(store, packed, small_class.threads, 2, students={"right"})
        assert (len(found.changes), found.unchanged, found.up_to_date) == (1, 0, 0)
        assert (len(found.outcomes[0].new), len(store.steps(work, steps.runner))) == (len(known), 2 * len(known))
        assert marks(place)["right"] == 1
        found.apply(store)
        assert (marks(place)["right"], len(store.results("trees"))) == (10, 7)
        newest = {each.case: each.content for each in store.steps(work, steps.runner)}
        assert newest.keys() == {each.case for each in known}
        assert all(content for case, content in newest.items() if "/" in case)
        kept = regrade_class(store, packed, small_class.threads, 2)
        assert (kept.up_to_date, kept.outcomes) == (5, [])


@pytest.mark.parametrize(
    ("name", "what", "practice", "warnings"),
    [
        ("multiagent", "games", "practice games", ("with --key FILE, which makes", PRACTICE_NOTE)),
        ("warm-up", "hidden cases", "drawn for practice", (PRACTICE_NOTE,)),
    ],
)
def test_a_store_remembers_the_key_of_its_games_and_drawn_cases(
    store: Store, name: str, what: str, practice: str, warnings: tuple[str, ...]
) -> None:
    loaded, first, second = loading.load(name), GameKey.new(), GameKey.new()

    def check_key(key: GameKey | None, name: str, remembers: bool = True, **changes: object) -> str:
        grader = Grader(replace(loaded, name=name, **changes), {}, CHECK, 1, key=key)  # type: ignore[arg-type]
        return note_version(store, grader, Steps("", {}, "", "", {}), remembers)

    assert check_key(first, "keyed") == ""
    said = check_key(None, "practice")
    assert all(text in said for text in warnings)
    assert check_key(None, "practice") == ""  # once
    assert check_key(None, "other", remembers=False)
    assert check_key(first, "other") == ""
    for key, given in ((None, "there is no --key"), (second, f"--key is the key {second.digest[:12]}")):
        with pytest.raises(InputError) as error:
            check_key(key, "keyed")
        assert str(error.value) == (
            f"store {store.name}: 'keyed': the {what} are drawn from the key {first.digest[:12]}, and {given}; name "
            "the file of the first key with --key"
        )
    with pytest.raises(InputError, match=f"the {what} are {practice}; start again without --key, or grade into"):
        check_key(first, "practice")
    public = tuple(replace(each, hidden=None) for each in loaded.questions)
    trees = tuple(each for each in loaded.cases if not isinstance(each.input, MatchInput))
    assert check_key(None, "keyed", questions=public, cases=trees) == ""  # the key changes nothing


def test_a_key_changes_only_what_matches_depend_on_and_names_change_every_run() -> None:
    plain, keyed = Steps.of(GRADER), Steps.of(replace(GRADER, key=GameKey.new()))
    changed = {name for name in plain.digests if plain.digests[name] != keyed.digests[name]}
    matches = {case.id for case in LOADED.cases if isinstance(case.input, MatchInput)}
    assert matches == {name for name in changed if "/" in name} != set()
    assert plain.grader != keyed.grader
    named = Steps.of(replace(GRADER, assignment=replace(LOADED, names={"is_winning": "isWin"})))
    assert plain.runner != named.runner, "names decide whether a file runs: everything runs again"
    assert plain.grader != named.grader


def test_what_is_only_judged_changes_no_run() -> None:
    case = next(case for case in LOADED.cases if case.id == "q2/01-figure")
    other = replace(LOADED, limits=replace(LOADED.limits, memory_mb=2048))
    for changed, assignment, is_same in (
        (replace(case, input=replace(case.input, weight=7, shows="x")), LOADED, True),
        (replace(case, seconds=case.seconds + 1), LOADED, False),
        (case, other, False),
    ):
        digests = [
            versions.case_digest(*each, GRADER.truths[case.id]) for each in ((case, LOADED), (changed, assignment))
        ]
        assert (len({*digests}) == 1) == is_same
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


LISTED = """\
trees: 5 submissions compared: 0 raised, 1 lowered, 4 unchanged
ran: 0 steps (cases, imports, diagnoses); the rest was judged again

student  handed in  before  after  change  why
maximin               7.33      7   -0.33  weight of q1/01-first
"""


def test_the_command_lists_who_changes_then_adds_the_results(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another weight runs nothing, and changes nothing before it is applied; then also if nobody reads the table.

    No line of a file is cut.
    """
    monkeypatch.setenv("COLUMNS", "40")
    path, before = str(place.parent / "class.db"), marks(place)
    reweigh(place)

    def run(*more: str) -> str:
        done = run_here("autograder", "regrade", "--store", path, "--assignment", str(place), "--jobs", "1", *more)
        assert done.returncode == 0, done.stderr
        return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())

    advice = "no points are changed yet; to change them, use --apply instead of --dry-run\n"
    assert run("--dry-run") == LISTED + advice
    assert marks(place) == before
    applied = run("--apply", "--reason", "the first\ntree counts\ttwice")
    assert applied == LISTED + "added: 5 results; the old ones stay in the store\n"
    assert marks(place) == before | {"maximin": 7}
    with Store.open(path) as store:
        (event,) = store.events()
        assert len(store.results("trees")) == 10
        store.remember("late trees", ["", ""])  # as grade-all does
    text = "5 submissions compared: 0 raised, 1 lowered, 4 unchanged; reason: the first tree counts twice"
    assert (event.kind, event.text.endswith(text)) == ("regrade", True)
    last, _ = regraded(place)
    assert (last.changes, last.unchanged, last.up_to_date) == ((), 0, 5)
    with (place / "assignment.yaml").open("a", encoding="utf-8") as file:
        file.write("due: 2026-11-22T23:59Z\n")
    said = run("--apply", "--reason", "a week more")
    assert "new dates: 2026-11-22T23:59Z; gradebook and feedback use them now, for all students\n" in said

    def is_closed(*_: object) -> NoReturn:  # as in `regrade --apply | head -n 3`
        raise BrokenPipeError

    monkeypatch.setattr(command, "_print", is_closed)
    reweigh(place, "02-second")
    run_here("autograder", "regrade", "--store", path, "--assignment", str(place), "--apply", "--reason", "x")
    with Store.open(path) as store:
        assert len(store.results("trees")) == 15
        assert store.fact("late trees") == ["2026-11-22T23:59Z", ""]


def test_a_new_zone_of_the_due_time_asks_for_the_times_of_moodle_again(tmp_path: Path) -> None:
    early, late = (replace(LOADED, due=f"2026-11-26T23:59{zone}") for zone in ("Z", "+01:00"))
    again = "grade-all with --roster again: times of Moodle's worksheet are still those of the old zone"
    with Store.open(str(tmp_path / "class.db"), create=True) as store:
        assert note_dates(store, early) == ""
        assert again not in note_dates(store, late), "there is no worksheet"
        store.remember("worksheet", ["Teilnehmer/in"])
        assert note_dates(store, early).endswith(again)
        assert again not in note_dates(store, late, has_roster=True)
        assert again not in note_dates(store, replace(late, due="2026-11-27T23:59+01:00"))
