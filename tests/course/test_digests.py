"""A digest changes with what a run depends on, and with nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.course import digests
from autograder.course.job import Steps
from autograder.grading.grade import Grader
from autograder.sandbox import Level, SandboxCheck
from autograder.sandbox.fork_server import Walls

LOADED = loading.load("multiagent")
REFERENCES = {case.id: loading.load_reference(LOADED, case) for case in LOADED.cases if case.has_reference}
GRADER = Grader(LOADED, REFERENCES, SandboxCheck(Level.FULL, Walls()), 1)


def test_a_key_changes_only_what_matches_depend_on() -> None:
    plain, keyed = Steps.of(GRADER), Steps.of(replace(GRADER, key=GameKey.new()))
    changed = {name for name in plain.digests if plain.digests[name] != keyed.digests[name]}
    matches = {case.id for case in LOADED.cases if isinstance(case.input, MatchInput)}
    assert matches
    assert {name for name in changed if "/" in name} == matches
    assert plain.grader != keyed.grader


def test_what_is_only_judged_changes_no_run() -> None:
    case = next(case for case in LOADED.cases if case.id == "q2/01-figure")
    before = digests.case_digest(case, LOADED, REFERENCES[case.id])
    heavier = replace(case, input=replace(case.input, weight=7, shows="x", target_seconds=1))
    assert digests.case_digest(heavier, LOADED, REFERENCES[case.id]) == before
    slower = replace(case, seconds=case.seconds + 1)
    assert digests.case_digest(slower, LOADED, REFERENCES[case.id]) != before
    other = replace(LOADED, limits=replace(LOADED.limits, memory_mb=2048))
    assert digests.case_digest(case, other, REFERENCES[case.id]) != before
    assert digests.assignment_digest(other, REFERENCES, {}) != digests.assignment_digest(LOADED, REFERENCES, {})


def test_the_files_of_the_judge_decide_points_and_no_run() -> None:
    def files(places: tuple[str, ...]) -> set[Path]:
        found = (digests.ROOT / place for place in places)
        return {file for place in found for file in (place.rglob("*.py") if place.is_dir() else [place])}

    runner, grader = files(digests.RUNNER), files(digests.GRADER)
    assert all(path.is_file() for path in grader)
    assert runner < grader
    names = {path.relative_to(digests.ROOT).as_posix() for path in grader - runner}
    assert "autograder/judge/compare.py" in names
    assert not any(name.startswith(("autograder/sandbox", "autograder/student_process")) for name in names)
