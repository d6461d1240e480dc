"""What is asked: cases, the questions that hold them, and the assignment. Loaded from YAML, checked, never run here.

assignments/NAME/assignment.yaml          questions, points, criteria, limits
assignments/NAME/cases/QUESTION/CASE.yaml
assignments/NAME/references/QUESTION/CASE.yaml   (see reference.py)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from autograder.marked import Marked, Strict, read
from pacman.errors import InputError, nearest
from pacman.layers import Layer, model
from pacman.layout import Layout
from pacman.outline import Outline, OutlineError
from pacman.state import GameState, start

CRITERIA = ("value", "action", "expanded", "generated")
Cut = Literal["equal", "strict", "either"]
Positive = Annotated[int, Field(ge=1)]


class CaseInput(Strict):
    """What every kind of case says. `shows` is its purpose in one line; `seconds` overrides the assignment's limit."""

    shows: str
    weight: Annotated[float, Field(gt=0)] = 1
    seconds: Annotated[float, Field(gt=0)] | None = None


class SearchInput(CaseInput):
    """`ties: first` makes the first best action the only right one; `cut` is when alpha-beta may leave a node."""

    ties: Literal["any", "first"] = "any"
    cut: Cut = "equal"


class TreeInput(SearchInput):
    """One search of a drawn tree, `plies` deep."""

    kind: Literal["tree"]
    tree: str
    plies: Annotated[int, Field(ge=0)]


class PositionInput(SearchInput):
    """A line of play: `moves` searches by Pacman, `rounds` deep each, against ghosts seeded with `seed`.

    The line follows the reference's moves. Where no search is asked for, `accept` lists the right actions at the
    first position, which is then the only one.
    """

    kind: Literal["position"]
    layout: str
    ghosts: list[str]
    seed: int = 0
    rounds: Positive = 1
    moves: Positive = 1
    accept: list[str] | None = None


class Thresholds(Strict):
    """Steps to reach; each one reached earns the same share."""

    wins: Annotated[list[int], Field(min_length=1)] | None = None
    mean_score: Annotated[list[float], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def ascending(self) -> Thresholds:
        if self.wins is None and self.mean_score is None:
            raise ValueError("give steps for wins, mean_score or both")
        for steps in (self.wins, self.mean_score):
            if steps is not None and list(steps) != sorted(set(steps)):
                raise ValueError("steps ascend")
        return self


class MatchInput(CaseInput):
    """Whole games, numbered from 1 and seeded with `seed` and their number."""

    kind: Literal["match"]
    layout: str
    ghosts: list[str]
    games: Positive
    steps: Thresholds
    seed: int = 0
    rounds: Positive = 1
    max_plies: Positive = 2000


KINDS = {"tree": TreeInput, "position": PositionInput, "match": MatchInput}
AnyInput = TreeInput | PositionInput | MatchInput


class Limits(Strict):
    """What one case may use up."""

    seconds: Annotated[float, Field(gt=0)] = 10
    memory_mb: Annotated[int, Field(ge=128)] = 1024
    output_kb: Positive = 64


class Question(Strict):
    """A part that the student writes, and what it is worth.

    `part` is its name in the submission; `role` is how it is called: a `search` is compared with the reference
    search, a `choice` only picks actions, an `evaluation` is put under a search of the grader's.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9_-]+$")]
    title: str
    part: str
    points: Annotated[float, Field(gt=0)]
    role: Literal["search", "choice", "evaluation"]
    reference: Literal["exhaustive", "alphabeta"] | None = None
    layers: Annotated[list[Literal["max", "min", "chance"]], Field(min_length=1)] | None = None
    criteria: dict[Literal["value", "action", "expanded", "generated"], Annotated[float, Field(gt=0)]] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def complete(self) -> Question:
        if (self.role == "search") != (self.reference is not None):
            raise ValueError("a search, and nothing else, needs a reference: exhaustive or alphabeta")
        if (self.role == "search") != bool(self.criteria):
            raise ValueError("a search, and nothing else, needs criteria and their weights")
        return self


class AssignmentInput(Strict):
    title: str
    limits: Limits = Limits()
    questions: Annotated[list[Question], Field(min_length=1)]


@dataclass(frozen=True)
class Case:
    """One case of one question, with everything that its input names made ready."""

    name: str
    question: Question
    input: AnyInput
    source: Path
    seconds: float

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
    def has_reference(self) -> bool:
        return self.question.role == "search" and not isinstance(self.input, MatchInput)

    @cached_property
    def digest(self) -> str:
        """Changes with whatever the reference depends on: the input, the layout behind its name, the search."""
        asked = self.input.model_dump(exclude={"shows", "weight", "seconds"})
        if not isinstance(self.input, TreeInput):
            asked["layout"] = str(self.layout)
        asked["reference"] = self.question.reference
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


def load(name: str) -> Assignment:
    """The assignment of that name, or in that folder; InputError names file, line and field of what is wrong."""
    folder = Path(name) if (Path(name) / "assignment.yaml").is_file() else _shelf() / name
    if not (folder / "assignment.yaml").is_file():
        raise InputError(f"no assignment '{name}': {nearest(name, names())}")
    marked = read(folder / "assignment.yaml")
    said = marked.validate(AssignmentInput)
    ids = [question.id for question in said.questions]
    for index, question in enumerate(ids):
        if question in ids[:index]:
            raise marked.error(("questions", index, "id"), f"a second question '{question}'")
    cases: list[Case] = []
    for index, each in enumerate(said.questions):
        files = sorted((folder / "cases" / each.id).glob("*.yaml"))
        if not files:
            raise marked.error(
                ("questions", index), f"question '{each.id}' has no cases in {folder / 'cases' / each.id}"
            )
        cases += [load_case(file, each, said.limits) for file in files]
    for stray in sorted((folder / "cases").iterdir()):
        if stray.name not in ids:
            raise InputError(f"{stray}: belongs to no question: {nearest(stray.name, ids)}")
    return Assignment(folder.name, folder, said.title, said.limits, tuple(said.questions), tuple(cases))


def load_case(path: Path, question: Question, limits: Limits) -> Case:
    """The case in a file, with its tree, layout and ghosts checked."""
    marked = read(path)
    kind = marked.data.get("kind") if isinstance(marked.data, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        problem = "the key 'kind' is missing" if kind is None else f"kind: no kind '{kind}'"
        raise marked.error(("kind",), f"{problem}: {nearest(str(kind), KINDS)}")
    schema: Any = KINDS[kind]
    said: AnyInput = marked.validate(schema)
    case = Case(path.stem, question, said, path, said.seconds or limits.seconds)
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
            raise marked.error(("kind",), f"a tree asks for a search, but {question.id} asks for a {question.role}")
        met = _layers(tree)
    else:
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
