"""The right answers of the shipped assignments are what they were: one digest for each case."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from autograder.cases import loading, right_answer
from autograder.cases.right_answer import derive_all
from autograder.course.job import PackedGrader
from autograder.grading.grade import Grader

DIGESTS = Path(__file__).with_name("truth_digests.txt")
"""A line for each case with a search: assignment, case, digest. `UPDATE_TRUTH=1 pytest` writes it anew."""


def digest_lines() -> list[str]:
    """The lines that belong into the file."""
    lines = []
    for name in loading.names():
        for case_id, truth in derive_all(loading.load(name)).items():
            digest = hashlib.sha256(json.dumps(asdict(truth), sort_keys=True).encode()).hexdigest()[:12]
            lines.append(f"{name} {case_id} {digest}")
    return lines


def test_the_right_answer_of_every_case_is_what_it_was() -> None:
    """Value, best actions, sets of nodes and line of play: a change here changes the points of students."""
    lines = digest_lines()
    if os.environ.get("UPDATE_TRUTH"):
        DIGESTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == DIGESTS.read_text(encoding="utf-8").splitlines()


def test_a_packed_grader_has_the_right_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker of a class derives none: it unpacks the grader once, and grades many submissions."""
    packed = PackedGrader.of(Grader.of(loading.load("warm-up"), 1))
    monkeypatch.setattr(right_answer, "derive", lambda case: pytest.fail(f"derived again: {case.id}"))
    grader, _ = packed.unpack()
    assert grader.truths.keys() == {case.id for case in grader.assignment.cases if case.has_truth}
    with pytest.raises(pytest.fail.Exception):
        Grader.of(grader.assignment, 1)
