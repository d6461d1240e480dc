"""Digests of what a result depends on: the grader's own files, a case with everything that its run reads, a question.

Two of them are for the grader. The `runner` decides what the code of a submission does; the `grader` also decides how
many points that earns. So after a change of the judge, nothing has to run again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from autograder.cases.case import Assignment, Case, MatchInput, TreeInput
from autograder.cases.truth import CaseTruth
from autograder.grading.grade import IMPORT, Grader
from autograder.sandbox import check_sandbox
from autograder.shipped import ROOT

RUNNER = (
    *("pacman/core", "pacman/record/trace.py", "pacman/record/watcher.py", "pacman/record/rewriting.py"),
    *("pacman/search", "pacman/compiled", "pacman/play", "agents/base.py", "agents/ghosts.py", "agents/load.py"),
    "agents/cs188",
    *("autograder/student_process", "autograder/shipped.py", "autograder/sandbox", "autograder/sandbox/syscalls.txt"),
    *("autograder/platforms/cs188.py", "autograder/judge/submission_answer.py"),
    *(f"autograder/cases/{name}.py" for name in ("game_seeds", "ghosts", "right_answer", "truth")),
)
"""The files and folders that decide what the code of a submission does and how the grader reads its answers."""
GRADER = (*RUNNER, "autograder/cases", "autograder/judge", "autograder/grading")
JUDGED_ONLY = ("shows", "weight", "cut", "hidden", "steps", "accept", "stop")
"""The keys of a case that change how an answer is judged, and not the answer."""


@cache
def sources_digest(places: tuple[str, ...]) -> str:
    """A digest of the project's Python files in these places, and of the version of Python."""
    whole = hashlib.sha256(f"Python {sys.version_info[0]}.{sys.version_info[1]}".encode())
    for place in map(ROOT.joinpath, places):
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            content = path.read_bytes().replace(b"\r\n", b"\n")
            whole.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:16]


def this_machine() -> tuple[str, str]:
    """The version and the sandbox of this machine: equal on all machines, so that they give equal results."""
    check = check_sandbox()
    return sources_digest(GRADER), f"{check.level.value}, {check.walls}"


@dataclass(frozen=True)
class Steps:
    """The steps of a grading and the digests of what they depend on: the same for all submissions.

    `digests` has one for the import, for each case and for each diagnosis, by the name of the step. `helpers` are the
    files of the course that every submission may import.
    """

    runner: str
    digests: Mapping[str, str]
    assignment_digest: str
    grader: str
    helpers: Mapping[str, bytes]

    @property
    def version(self) -> tuple[str, str]:
        """The version of the assignment and of the program that judges, as a result has it."""
        return self.assignment_digest, self.grader

    @classmethod
    def of(cls, grader: Grader, helpers: Mapping[str, bytes] = MappingProxyType({})) -> Steps:
        """The steps of a grader."""
        assignment, truths, key = grader.assignment, grader.truths, grader.key.digest if grader.key else ""
        limits = asdict(assignment.limits)
        added = [*sorted(assignment.names.items()), *_contents(helpers)]
        own = {case.id: case_digest(case, assignment, truths.get(case.id), key) for case in assignment.cases}
        diagnoses = {}
        for each in assignment.questions:  # what a diagnosis depends on, besides the judge
            cases = [(own[case.id], case.tolerance) for case in assignment.of(each) if not case.input.hidden]
            about = asdict(each) | {"points": 0, "requires": {}, "title": ""}
            diagnoses[each.id] = _digest([about, cases, sources_digest(GRADER)])
        # Which file of a submission is graded, and whether it can be imported.
        parts = sorted({question.part for question in assignment.questions})
        imports = _digest([parts, limits, max(case.seconds for case in assignment.cases)])
        return cls(
            _digest([sources_digest(RUNNER), grader.api.name, *added]),
            {**own, **diagnoses, IMPORT: imports},
            assignment_digest(assignment, truths, helpers),
            _digest([sources_digest(GRADER), grader.api.name, key, *added]),
            dict(helpers),
        )


def _contents(helpers: Mapping[str, bytes]) -> list[tuple[str, str]]:
    return [(name, hashlib.sha256(helpers[name]).hexdigest()) for name in sorted(helpers)]


def case_digest(case: Case, assignment: Assignment, truth: CaseTruth | None, key_digest: str = "") -> str:
    """The digest of everything that a run of the case reads; only games depend on the key."""
    case_input = {name: value for name, value in asdict(case.input).items() if name not in JUDGED_ONLY}
    if not isinstance(case.input, TreeInput):
        case_input["layout"] = str(case.start)  # the maze itself, and not the name of its file
    right = asdict(truth) if truth else None  # it gives the line of play and the limits of a trace
    limits = asdict(assignment.limits) | {"seconds": case.seconds}
    key = key_digest if isinstance(case.input, MatchInput) else ""
    ghosts = dict(case.ghost_files)
    return _digest([case.id, case_input, [case.question.role, case.question.part], limits, right, key, ghosts])


def assignment_digest(assignment: Assignment, truths: Mapping[str, CaseTruth], helpers: Mapping[str, bytes]) -> str:
    """The digest of everything in an assignment that can change a scorecard, with the files that the course adds."""
    cases = [
        [asdict(case.input), case_digest(case, assignment, truths.get(case.id)), case.tolerance]
        for case in assignment.cases
    ]
    about = [assignment.name, assignment.title, asdict(assignment.limits), list(map(asdict, assignment.questions))]
    return _digest([*about, cases, *_contents(helpers)])


def _digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:16]
