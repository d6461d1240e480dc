"""That project's folder of tests as one of our assignments: cases, questions, and references recorded by our search."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.cases import loading, reference_recorder, yaml_file
from autograder.cases.case import Limits, Question
from autograder.platforms.cs188.test_conversion import Notes, Unknown, asked
from autograder.platforms.cs188.testfile import TestFile, read
from pacman.core.errors import InputError


@dataclass
class Imported:
    """What came of a folder: the questions with their cases as plain values, and what there is to say."""

    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    cases: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    tests: int = 0
    skipped: int = 0

    def summary(self, out: Path) -> str:
        kinds = [case["kind"] for case in self.cases.values()]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("tree", "position", "match") if kind in kinds)
        held = f"{self.notes.agreeing} agree with their .solution, {self.notes.unchecked} have none to hold against"
        skipped = f"{self.skipped} of unknown class skipped"
        return f"{len(self.cases)} of {self.tests} tests imported into {out}: {each or 'none'}; {held}; {skipped}"


def folders(top: Path, notes: Notes) -> list[Path]:
    """The folders with tests, in the order that CONFIG says; InputError when there are none."""
    if not top.is_dir():
        raise InputError(f"{top}: no such folder; expected one with .test files, or with a folder test_cases")
    if (top / "test_cases").is_dir():
        top = top / "test_cases"
    if any(top.glob("*.test")):
        return [top]
    found = sorted(path for path in top.iterdir() if path.is_dir() and any(path.glob("*.test")))
    if not found:
        raise InputError(f"{top}: no .test file here or one folder down; expected folders such as q2 with .test files")
    config = _config(top, notes)
    places = config.fields["order"].text.split() if "order" in config.fields else []
    return sorted(found, key=lambda path: (places.index(path.name) if path.name in places else len(places), path.name))


def convert(top: Path) -> Imported:
    """Every test below `top` that can be asked here; the others are named in `problems`, each with file and line."""
    done = Imported()
    for folder in folders(top, done.notes):
        id = _plain(folder.name)
        points, config = 1.0, _config(folder, done.notes)
        with done.notes.problem():
            points = float(config.number("max_points", least=1)) if "max_points" in config.fields else 1.0
        for path in sorted(folder.glob("*.test")):
            done.tests += 1
            with done.notes.problem():
                try:
                    _one(path, id, points, done)
                except Unknown:
                    done.skipped += 1
                    raise
    return done


def write(done: Imported, out: Path, title: str) -> int:
    """Writes the assignment and records every reference with our own search; returns how many were recorded.

    InputError unless `out` is a new or an empty folder that can be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: this folder is not empty; name one with --out that is, or that is not there yet")
    try:
        return _write(done, out, title)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None


def _write(done: Imported, out: Path, title: str) -> int:
    for (id, name), case in list(done.cases.items()):
        path = out / "cases" / id / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml_file.write(case), encoding="utf-8")
        try:
            loading.case_of(yaml_file.read(path), Question(**done.questions[id]), Limits())
        except InputError as error:  # what our schema refuses and their files allow
            done.notes.problems.append(str(error))
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
            del done.cases[id, name]
    if not done.cases:
        return 0
    having = {id for id, _ in done.cases}
    asked = [question for id, question in done.questions.items() if id in having]
    (out / "assignment.yaml").write_text(yaml_file.write({"title": title, "questions": asked}), encoding="utf-8")
    assignment = loading.load(str(out))
    recorded = [case for case in assignment.cases if case.has_reference]
    for each in recorded:
        reference_recorder.save(loading.reference_path(assignment, each), reference_recorder.derive(each))
    return len(recorded)


def _one(path: Path, id: str, points: float, done: Imported) -> None:
    test = read(path)
    question, case = asked(test, done.notes)
    question = {"id": id, "title": question.pop("title"), "points": points, **question}
    there = done.questions.setdefault(id, question)
    if (there["part"], there["role"]) != (question["part"], question["role"]):
        raise InputError(f"{path}:1: asks for {question['part']}, but the tests before it in {id} for {there['part']}")
    name = _plain(path.stem)
    if (id, name) in done.cases:
        raise InputError(f"{path}:1: a second test '{name}' in {id}; give it another name")
    done.cases[id, name] = case


def _config(folder: Path, notes: Notes) -> TestFile:
    """The folder's CONFIG; without fields where there is none, or none that can be read."""
    path = folder / "CONFIG"
    if path.is_file():
        with notes.problem():
            return read(path)
    return TestFile(path)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-") or "q"
