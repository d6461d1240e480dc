"""What is asked: cases, the questions that hold them, and the assignment. Loaded from YAML, checked, never run here.

assignments/NAME/assignment.yaml          questions, points, criteria, limits
assignments/NAME/cases/QUESTION/CASE.yaml
assignments/NAME/references/QUESTION/CASE.yaml   (see reference.py)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.cases.marked import Marked, read
from autograder.cases.schema import (
    CRITERIA,
    KINDS,
    TOLERANCE,
    AnyInput,
    AssignmentInput,
    Limits,
    MatchInput,
    PositionInput,
    Question,
    SearchInput,
    TreeInput,
)
from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer, model
from pacman.core.layout import Layout
from pacman.core.outline import Outline, OutlineError
from pacman.core.state import GameState, start

__all__ = [
    "CRITERIA", "Assignment", "Case", "Limits", "MatchInput", "PositionInput", "Question", "SearchInput", "TreeInput",
    "case_of", "load", "load_case", "names",
]  # fmt: skip

ENDINGS = (".yaml", ".yml")
UNSAID = {"shows", "weight", "seconds", "target_seconds", "hidden"}
"""What a case says that its reference does not depend on."""


@dataclass(frozen=True)
class Case:
    """One case of one question, with everything that its input names made ready."""

    name: str
    question: Question
    input: AnyInput
    source: Path
    seconds: float
    tolerance: float = TOLERANCE

    @property
    def id(self) -> str:
        return f"{self.question.id}/{self.name}"

    @cached_property
    def tree(self) -> Outline:
        assert isinstance(self.input, TreeInput)
        return Outline.parse(self.input.tree)

    @cached_property
    def layout(self) -> Layout:
        assert not isinstance(self.input, TreeInput)
        drawn = "\n" in self.input.layout
        return Layout.parse(self.input.layout, "layout") if drawn else Layout.load(self.input.layout)

    @cached_property
    def start(self) -> GameState:
        assert not isinstance(self.input, TreeInput)
        return start(self.layout, self.input.ghosts)

    @property
    def target_seconds(self) -> float | None:
        """How long a right answer may take to earn the criterion `time`."""
        return self.input.target_seconds or self.question.target_seconds

    @property
    def has_reference(self) -> bool:
        return self.question.role == "search" and not isinstance(self.input, MatchInput)

    @cached_property
    def digest(self) -> str:
        """Changes with whatever the reference depends on: the input, the layout behind its name, the search."""
        asked = self.input.model_dump(exclude=UNSAID)
        if not isinstance(self.input, TreeInput):
            asked["layout"] = str(self.layout)
        if asked.get("stop") == "searched":
            del asked["stop"]  # the digests of before there was a choice
        asked["reference"] = self.question.reference
        if self.tolerance != TOLERANCE:
            asked["tolerance"] = self.tolerance
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Assignment:
    name: str
    folder: Path
    title: str
    limits: Limits
    questions: tuple[Question, ...]
    cases: tuple[Case, ...]

    def of(self, question: Question) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.question == question)

    def only(self, question: str | None, case: str | None) -> Assignment:
        """The assignment cut down to one question, one case, or a question's case; InputError for unknown names."""
        if case and "/" in case:
            inside, _, case = case.partition("/")
            if question not in (None, inside):
                raise InputError(f"case '{inside}/{case}' is not in question '{question}'")
            question = inside
        questions, cases = self.questions, self.cases
        if question is not None:
            questions = tuple(each for each in questions if each.id == question)
            if not questions:
                known = nearest(question, [each.id for each in self.questions])
                raise InputError(f"no question '{question}' in assignment '{self.name}': {known}")
        cases = tuple(each for each in cases if each.question in questions)
        if case is not None:
            chosen = tuple(each for each in cases if each.name == case)
            if not chosen:
                known = nearest(case, [each.name for each in cases])
                raise InputError(f"no case '{case}' in {question or f'assignment {self.name!r}'}: {known}")
            cases = chosen
            questions = tuple(each for each in questions if any(case.question == each for case in cases))
        return Assignment(self.name, self.folder, self.title, self.limits, questions, cases)


def names() -> list[str]:
    """The assignments that come with the project."""
    return sorted(folder.name for folder in _shelf().iterdir() if (folder / "assignment.yaml").is_file())


def load(name: str, growing: bool = False) -> Assignment:
    """The assignment of that name, or in that folder; InputError names file, line and field of what is wrong.

    A `growing` one may have questions without cases.
    """
    folder = Path(name) if (Path(name) / "assignment.yaml").is_file() else _shelf() / name
    if not (folder / "assignment.yaml").is_file():
        raise InputError(f"no assignment '{name}': {nearest(name, names())}")
    marked = read(folder / "assignment.yaml")
    said = marked.validate(AssignmentInput)
    ids = [question.id for question in said.questions]
    for index, question in enumerate(ids):
        if question in ids[:index]:
            raise marked.error(("questions", index, "id"), f"a second question '{question}'")
    _check_requirements(said.questions, marked)
    cases: list[Case] = []
    for index, each in enumerate(said.questions):
        files = _files(folder / "cases" / each.id)
        if not files and not growing:
            raise marked.error(
                ("questions", index), f"question '{each.id}' has no cases in {folder / 'cases' / each.id}"
            )
        cases += [load_case(file, each, said.limits, said.tolerance) for file in files]
    for stray in sorted((folder / "cases").glob("*")):
        if stray.name not in ids and not stray.name.startswith("."):
            raise InputError(f"{stray}: belongs to no question: {nearest(stray.name, ids)}")
    return Assignment(folder.name, folder, said.title, said.limits, tuple(said.questions), tuple(cases))


def _files(folder: Path) -> list[Path]:
    """The cases in a folder, by name; InputError for anything else there, and for two of one name."""
    if not folder.is_dir():
        return []
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in files:
        if path.suffix not in ENDINGS:
            raise InputError(f"{path}: not a case; expected a name that ends in .yaml")
    for path, following in pairwise(files):
        if following.stem == path.stem:
            raise InputError(f"{following}: a second case '{folder.name}/{path.stem}', beside {path.name}")
    return files


def _check_requirements(questions: Sequence[Question], marked: Marked) -> None:
    """Refuses prerequisites that are no question, and questions that wait for each other."""
    requires = {question.id: list(question.requires) for question in questions}
    for index, question in enumerate(questions):
        for needed in question.requires:
            place = ("questions", index, "requires", needed)
            if needed not in requires:
                raise marked.error(place, f"requires: no question '{needed}': {nearest(needed, requires)}")
            circle = _circle(question.id, requires)
            if circle:
                raise marked.error(place, f"requires: a circle: {' needs '.join(circle)}")


def _circle(start: str, requires: dict[str, list[str]]) -> list[str]:
    """The way from a question back to itself by what it requires, or nothing."""
    ways = [[start, needed] for needed in requires[start]]
    met = set[str]()
    while ways:
        way = ways.pop(0)
        if way[-1] == start:
            return way
        if way[-1] not in met:
            met.add(way[-1])
            ways += [[*way, needed] for needed in requires.get(way[-1], ())]
    return []


def load_case(path: Path, question: Question, limits: Limits, tolerance: float = TOLERANCE) -> Case:
    """The case in a file, with its tree, layout and ghosts checked."""
    return case_of(read(path), question, limits, tolerance)


def case_of(marked: Marked, question: Question, limits: Limits, tolerance: float = TOLERANCE) -> Case:
    """The case that a YAML file says, checked."""
    if not isinstance(marked.data, dict):
        raise marked.error((), f"expected a mapping with kind: {', '.join(KINDS)}")
    if "kind" not in marked.data:
        misspelt = next((key for key in marked.data if nearest(key, ["kind"]).startswith("did")), None)
        if misspelt is not None:
            raise marked.error((misspelt,), f"unknown key '{misspelt}': did you mean 'kind'?")
        raise marked.error((), f"the key 'kind' is missing; expected {', '.join(KINDS)}")
    kind = marked.data["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise marked.error(("kind",), f"kind: no kind '{kind}': {nearest(str(kind), KINDS)}")
    schema: Any = KINDS[kind]
    said: AnyInput = marked.validate(schema)
    case = Case(marked.path.stem, question, said, marked.path, said.seconds or limits.seconds, tolerance)
    _check(case, marked)
    return case


def _check(case: Case, marked: Marked) -> None:
    """Refuses a case whose parts cannot be read, or that its question cannot ask."""
    said, question = case.input, case.question
    if isinstance(said, TreeInput):
        try:
            # Blank lines before it give the drawing's errors the line numbers of this file.
            tree = Outline.parse("\n" * (marked.text_line(("tree",)) - 1) + said.tree, str(case.source))
        except OutlineError as error:
            raise InputError(str(error)) from None
        if question.role != "search":
            role = "an evaluation" if question.role == "evaluation" else f"a {question.role}"
            raise marked.error(("kind",), f"a tree asks for a search, but {question.id} asks for {role}")
        met = _layers(tree)
    else:
        if isinstance(said, MatchInput) and said.target_seconds is not None:
            raise marked.error(
                ("target_seconds",), "target_seconds: of a match the time is a step: steps: {seconds: [...]}"
            )
        for index, ghost in enumerate(said.ghosts):
            try:
                model(ghost)
            except InputError as error:
                raise marked.error(("ghosts", index), f"ghosts: {error}") from None
        try:
            met = set(case.start.layers)
        except InputError as error:
            raise marked.error(("layout",), f"layout: {error}") from None
    if isinstance(said, PositionInput):
        if question.role == "evaluation":
            raise marked.error(("kind",), f"a position asks for an action, but {question.id} asks for an evaluation")
        if said.stop == "either" and "value" in question.criteria:
            raise marked.error(("stop",), "stop: without Stop the value may be another, and value is a criterion here")
        if (question.role == "choice") != (said.accept is not None):
            raise marked.error(("accept",), "accept: for a choice, and only there, list the right actions")
        for index, action in enumerate(said.accept or ()):
            if action not in case.start.actions():
                known = nearest(action, case.start.actions())
                raise marked.error(("accept", index), f"accept: '{action}' is not legal here: {known}")
    for layer in met:
        if question.layers and layer.value not in question.layers:
            place = ("tree",) if isinstance(said, TreeInput) else ("ghosts",)
            raise marked.error(place, f"a {layer.value} layer, but {question.id} has only {', '.join(question.layers)}")


def _layers(tree: Outline) -> set[Layer]:
    here = set() if tree.is_terminal else {tree.layer}
    return here.union(*(_layers(branch) for _, branch in tree.branches))


def _shelf() -> Path:
    return Path(str(resources.files("autograder"))) / "assignments"
