"""Converts a folder of Berkeley test files to an assignment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from pathlib import Path
from typing import Any

from autograder.case_strength.match_shares import GOALS
from autograder.cases import loading, yaml_file
from autograder.cases.case import Case, Limits, Question
from autograder.cases.right_answer import derive
from autograder.judge.points_as_text import shares
from autograder.platforms.cs188 import first_files
from autograder.platforms.cs188.case_conversion import Notes, Unknown, convert_test
from autograder.platforms.cs188.testfile import TestFile, read
from pacman.core.errors import InputError, counted

STUB = "stub.py"
MOST_SECONDS = 1000
"""The most time for all cases of an imported course together: with more, Gradescope would stop the grading."""


@dataclass
class Imported:
    """The result of a conversion: questions and cases as plain values, and notes about problems."""

    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    cases: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    tests: int = 0

    def summary(self, out: Path) -> str:
        """One line with the numbers of imported and compared tests."""
        kinds = [case["kind"] for case in self.cases.values()]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("tree", "position", "match") if kind in kinds)
        agreement = f"{self.notes.agreeing} agree with their .solution, {self.notes.unchecked} have no .solution"
        imported = f"{len(self.cases)} of {counted(self.tests, 'test')} imported into {out}"
        return f"{imported}: {each or 'none'}; {agreement}"

    @property
    def told(self) -> list[str]:
        """A line for each kind of thing that costs nothing."""
        return _by_kind(self.notes.told)

    @property
    def problems(self) -> list[str]:
        """A line for each kind of problem: what is not graded here, then the others."""
        unknown = [
            f"{counted(len(places), 'test')} left out, in {' and '.join(dict.fromkeys(places))}: {what}"
            for what, places in self.notes.unknown.items()
        ]
        return [*unknown, *_by_kind(self.notes.problems)]


def _by_kind(lines: list[str]) -> list[str]:
    """The first of the lines that differ only in their place, with the number of the others."""
    kinds: dict[str, list[str]] = {}
    for each in dict.fromkeys(lines):
        kinds.setdefault(re.sub(r"^.*?:\d+: ", "", each), []).append(each)
    return [f"{of_kind[0]} (and {len(of_kind) - 1} more)" if of_kind[1:] else of_kind[0] for of_kind in kinds.values()]


def folders(top: Path, notes: Notes) -> list[Path]:
    """The folders that CONFIG's order names, or else all with tests. InputError for none, and for several courses."""
    if not top.is_dir():
        raise InputError(f"{top}: no such folder; expected a folder with .test files or with a folder test_cases")
    if (top / "test_cases").is_dir():
        top = top / "test_cases"
    if any(top.glob("*.test")):
        return [top]
    subfolders = {path.name: path for path in sorted(top.iterdir()) if path.is_dir() and any(path.glob("*.test"))}
    if not subfolders:
        courses = sorted({path.parent.parent for path in top.rglob("*.test")})
        if len(courses) == 1:
            return folders(courses[0], notes)
        named = (
            f"name one of {', '.join(map(str, courses))}" if courses else "expected folders such as q2 with .test files"
        )
        raise InputError(f"{top}: no .test file in it or in its folders; {named}")
    config = _config(top, notes)
    if "order" not in config.fields:
        return list(subfolders.values())
    order = list(dict.fromkeys(config.fields["order"].text.split()))
    if others := [name for name in subfolders if name not in order]:
        notes.told.append(f"{' and '.join(others)}: not in the order of {config.path}, so left out")
    return [subfolders[name] for name in order if name in subfolders]


def convert(top: Path, parts: bool = False) -> Imported:
    """Converts every graded test below `top`; a test that cannot be converted is a line in `notes.problems`.

    With `parts`, each case earns its part of a question, also where the course gives all or nothing.
    """
    imported = Imported()
    for folder in folders(top, imported.notes):
        config = _config(folder, imported.notes)
        before = set(imported.cases)
        for path in sorted(folder.glob("*.test")):
            imported.tests += 1
            with imported.notes.problem():
                try:
                    _convert_file(path, _plain(folder.name), imported)
                except Unknown as unknown:
                    imported.notes.unknown.setdefault(str(unknown), []).append(folder.name)
        if cases := [case for case in imported.cases if case not in before]:
            _give_points(config, cases, imported, parts)
    if ids := [id for id, question in imported.questions.items() if question["all_or_nothing"]]:
        whole = "no points until every case is right, as in CONFIG; with --parts each case earns its part"
        imported.notes.told.append(f"{', '.join(ids)}: {whole}")
    return imported


def _give_points(config: TestFile, cases: list[tuple[str, str]], imported: Imported, parts: bool) -> None:
    """The points of a folder, for its question; if its tests are for several agents, for the question of each.

    Where only all of them together earn something, the first question has the points and requires the others.
    """
    points, fields = 1.0, config.fields
    with imported.notes.problem():
        points = float(config.number("max_points")) if "max_points" in fields else 1.0
    is_whole = "class" in fields and "PassAllTests" in fields["class"].text and not parts
    counts = Counter(id for id, _ in cases)
    first, *others = counts
    each = [points, *(0.0 for _ in others)] if is_whole else shares(points, [float(n) for n in counts.values()])
    needed = [_plain(word) for word in fields["depends"].text.split()] if "depends" in fields else []
    requires = {id: 1.0 for id in needed if id in imported.questions and id not in counts}
    for id, own in zip(counts, each, strict=True):
        question = imported.questions[id]
        has_searches = any(imported.cases[place]["kind"] != "match" for place in cases if place[0] == id)
        question |= {"points": own, "all_or_nothing": is_whole and has_searches, "requires": dict(requires)}
        if is_whole and id == first:
            question["requires"] |= dict.fromkeys(others, 1.0)
    for case in (imported.cases[place] for place in cases if len(cases) > 1):
        if case["kind"] == "match":  # there each goal of each test is one point
            case["weight"] = float(sum(len(goals) for kind, goals in case["steps"].items() if kind != "minimum"))


def files(imported: Imported, out: Path, title: str) -> dict[str, str]:
    """The files of the assignment: path in its folder `out` -> text. A case that our schema refuses is a problem."""
    texts = {}
    for (id, name), case in list(imported.cases.items()):
        place, text = f"cases/{id}/{name}.yaml", yaml_file.write(case)
        try:
            file = yaml_file.parse(text, out / place)
            written = loading.case_of(file, Question(**imported.questions[id]), Limits())
            if written.has_truth:
                derive(written)
            texts[place] = text
        except InputError as error:  # their files allow what our schema refuses
            imported.notes.problems.append(str(error))
            del imported.cases[id, name]
    used = {id for id, _ in imported.cases}
    questions = [
        {
            key: value
            for key, value in {**question, "requires": {id: 1.0 for id in question["requires"] if id in used}}.items()
            if value or key == "points"
        }
        for id, question in imported.questions.items()
        if id in used
    ]
    seconds = sum(case.get("seconds", 0) for case in imported.cases.values()) + Limits.submission_seconds
    limits = {"submission_seconds": float(min(MOST_SECONDS, seconds))}
    keys = {"title": title, "api": "cs188", "stub": STUB, "limits": limits, "questions": questions}
    lines = [imported.summary(out), *imported.told, *imported.notes.unknown, *imported.notes.problems]
    return {
        **texts,
        "assignment.yaml": yaml_file.write(keys),
        STUB: first_files.stub(questions),
        "handout.md": first_files.handout(title, questions),
        "instructors.md": "# From the tests of the course\n\n" + "".join(f"- {line}\n" for line in lines),
    }


def lower_goals(case: Case, numbers: Sequence[Mapping[str, float]], player: str) -> tuple[str, list[str]]:
    """How far a right file is from the goals of a match, given what it reached with several keys, as one line.

    The goals that it missed with some of the keys are lowered in the file of the case; a line for each of them.
    """
    if not all(numbers) or not numbers:
        return (
            f"{case.id}: {player} cannot play these games, so their goals are not tried; name a file with --agent",
            [],
        )
    file = yaml_file.read(case.source)
    steps, lines, far = file.data["steps"], list[str](), list[str]()
    minimum = steps.get("minimum", {})
    for kind in GOALS:
        reached = [each[kind] for each in numbers]
        least, most = min(reached), max(reached)
        sure = floor(least / 10) * 10.0 if kind == "mean_score" else least
        goals = [*steps.get(kind, ()), *([minimum[kind]] if kind in minimum else ())]
        missed = [goal for goal in dict.fromkeys(goals) if goal > least]
        if goals:
            far.append(f"{kind} {least:g} to {most:g}, goals {', '.join(f'{goal:g}' for goal in goals)}")
        for goal in missed:
            why = f"{player} reaches {least:g} to {most:g} with {counted(len(numbers), 'key')}"
            if sure <= 0 and kind != "mean_score":
                lines.append(f"{case.source}: {kind} {goal:g}: {why}; lower the goal, or play more games")
                continue
            lines.append(f"{case.source}: {kind} {goal:g} lowered to {sure:g}: {why}")
            if kind in steps:
                steps[kind] = sorted({type(each)(min(each, sure)) for each in steps[kind]})
            if kind in minimum:
                minimum[kind] = min(minimum[kind], sure)
    if lines:
        case.source.write_text(yaml_file.write(file.data), encoding="utf-8", newline="\n")
    return f"{case.id}: {player} reaches {'; '.join(far)}", lines


def _convert_file(path: Path, id: str, imported: Imported) -> None:
    test = read(path)
    question, case = convert_test(test, imported.notes)
    known = imported.questions.get(id, question)
    if (known["part"], known["role"]) != (question["part"], question["role"]):
        id = f"{id}-{_plain(question['part']).removesuffix('agent')}"
    name = _plain(path.stem)
    if (id, name) in imported.cases:
        raise InputError(f"{path}:1: {id} has two tests '{name}'; rename one of them")
    if id not in imported.questions:
        imported.questions[id] = {"id": id, "title": question.pop("title"), "points": 1.0, **question}
        imported.questions[id] |= {"all_or_nothing": False, "requires": {}}
    imported.cases[id, name] = case


def _config(folder: Path, notes: Notes) -> TestFile:
    """The folder's CONFIG; without fields if there is none or if it cannot be read."""
    path = folder / "CONFIG"
    if path.is_file():
        with notes.problem():
            return read(path)
    return TestFile(path)


def _plain(name: str) -> str:
    """`name` in the letters that the id of a question and the name of a case may have."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-") or "q"
