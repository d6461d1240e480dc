"""Checks of what students get: the stub earns nothing, and the kit grades a file in an empty folder."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.cases.case import Assignment
from autograder.course.kit.release import STUBS, release
from autograder.grading.grade import grade
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.points_as_text import points_text
from pacman.core.errors import InputError
from pacman.environment import all_with


def check_stub(assignment: Assignment, api: SubmissionApi) -> None:
    """InputError if the stub of an assignment earns points: it may contain an answer."""
    if assignment.stub is None:
        return
    card = grade(assignment.stub, assignment, 1, api=api)
    earning = [case.id for question in card.questions for case in question.cases if case.earned]
    if earning:
        more = f" and {len(earning) - 1} more" if earning[1:] else ""
        raise InputError(f"{assignment.stub}: the stub earns points in {earning[0]}{more}; take the answers out")


def problem_of_kit(assignment: Assignment, api: SubmissionApi) -> tuple[str, str]:
    """What the kit of an assignment does in an empty folder, and what is wrong with it; empty if nothing is.

    It grades the stub there with the grader that is in it; without a stub, the solutions.
    """
    if all(case.input.hidden for case in assignment.cases):
        return "none: every case is hidden", ""
    try:
        content = release(assignment, api.name)
    except InputError as error:
        return "not made", str(error)
    file = assignment.stub or assignment.solutions
    if file is None:
        return "made, but not tried: the assignment names no stub and no solutions", ""
    with TemporaryDirectory() as name, zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(name)
        folder, place = Path(name) / assignment.name, Path(name) / "elsewhere"
        place.mkdir()
        (place / STUBS[api.name]).write_bytes(file.read_bytes())
        words = [sys.executable, "-P", "-m", "autograder", "grade", STUBS[api.name], "--json", "-", "--allow-unsafe"]
        done = subprocess.run(words, cwd=place, env=all_with(PYTHONPATH=str(folder)), capture_output=True)
    try:
        card = json.loads(done.stdout)
        return f"opens in an empty folder: {points_text(card['earned'])} points for {file.name}", ""
    except (ValueError, KeyError):
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "does not grade", lines[-1].replace(name, "KIT") if lines else "the grader in it ended without a word"
