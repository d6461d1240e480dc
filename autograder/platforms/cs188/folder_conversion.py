"""Converts a folder of Berkeley test files to an assignment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.cases import loading, yaml_file
from autograder.cases.case import Limits, Question
from autograder.cases.right_answer import derive
from autograder.platforms.cs188 import first_files
from autograder.platforms.cs188.case_conversion import Notes, Unknown, convert_test
from autograder.platforms.cs188.testfile import TestFile, read
from pacman.core.errors import InputError, counted

STUB = "stub.py"


@dataclass
class Imported:
    """The result of a conversion: questions and cases as plain values, and notes about problems."""

    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    cases: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    tests: int = 0
    skipped: int = 0

    def summary(self, out: Path) -> str:
        """One line with the numbers of imported, compared and skipped tests."""
        kinds = [case["kind"] for case in self.cases.values()]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("tree", "position", "match") if kind in kinds)
        agreement = f"{self.notes.agreeing} agree with their .solution, {self.notes.unchecked} have no .solution"
        skipped = f"{counted(self.skipped, 'test')} skipped (unknown class, algorithm or agent)"
        imported = f"{len(self.cases)} of {counted(self.tests, 'test')} imported into {out}"
        return f"{imported}: {each or 'none'}; {agreement}; {skipped}"


def folders(top: Path, notes: Notes) -> list[Path]:
    """The folders with tests in the order of CONFIG; InputError if there are none."""
    if not top.is_dir():
        raise InputError(f"{top}: no such folder; expected a folder with .test files or with a folder test_cases")
    if (top / "test_cases").is_dir():
        top = top / "test_cases"
    if any(top.glob("*.test")):
        return [top]
    subfolders = sorted(path for path in top.iterdir() if path.is_dir() and any(path.glob("*.test")))
    if not subfolders:
        raise InputError(f"{top}: no .test file in it or in its folders; expected folders such as q2 with .test files")
    config = _config(top, notes)
    places = config.fields["order"].text.split() if "order" in config.fields else []
    return sorted(
        subfolders, key=lambda path: (places.index(path.name) if path.name in places else len(places), path.name)
    )


def convert(top: Path) -> Imported:
    """Converts every test below `top`; a test that cannot be converted is a line with its place in `notes.problems`."""
    imported = Imported()
    for folder in folders(top, imported.notes):
        id = _plain(folder.name)
        points, config = 1.0, _config(folder, imported.notes)
        with imported.notes.problem():
            points = float(config.number("max_points", least=1)) if "max_points" in config.fields else 1.0
        for path in sorted(folder.glob("*.test")):
            imported.tests += 1
            with imported.notes.problem():
                try:
                    _convert_file(path, id, points, imported)
                except Unknown:
                    imported.skipped += 1
                    raise
    return imported


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
    questions = [question for id, question in imported.questions.items() if id in used]
    keys = {"title": title, "api": "cs188", "stub": STUB, "questions": questions}
    return {
        **texts,
        "assignment.yaml": yaml_file.write(keys),
        STUB: first_files.stub(questions),
        "handout.md": first_files.handout(title, questions),
    }


def _convert_file(path: Path, id: str, points: float, imported: Imported) -> None:
    test = read(path)
    question, case = convert_test(test, imported.notes)
    question = {"id": id, "title": question.pop("title"), "points": points, **question}
    known = imported.questions.setdefault(id, question)
    if (known["part"], known["role"]) != (question["part"], question["role"]):
        raise InputError(
            f"{path}:1: this test is for {question['part']}, but the tests before it in {id} are for {known['part']}; "
            "move it to another folder"
        )
    name = _plain(path.stem)
    if (id, name) in imported.cases:
        raise InputError(f"{path}:1: {id} has two tests '{name}'; rename one of them")
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
