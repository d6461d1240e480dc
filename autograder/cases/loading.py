"""Assignments read from YAML and checked: questions, cases with their trees and positions, recorded references.

assignments/NAME/assignment.yaml          questions, points, criteria, limits
assignments/NAME/cases/QUESTION/CASE.yaml
assignments/NAME/references/QUESTION/CASE.yaml
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import cast

from autograder.cases.case import (
    KINDS,
    TOLERANCE,
    AnyInput,
    Assignment,
    AssignmentInput,
    Case,
    Limits,
    MatchInput,
    PositionInput,
    Question,
    TreeInput,
)
from autograder.cases.reference import Reference
from autograder.cases.yaml_file import YamlFile, read
from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer, model
from pacman.core.layout import Layout
from pacman.core.outline import Outline, OutlineError
from pacman.core.state import GameState, start

ENDINGS = (".yaml", ".yml")
IRRELEVANT = ("shows", "weight", "seconds", "target_seconds", "hidden")
"""What a case says that its reference does not depend on."""


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
    asked = marked.validate(AssignmentInput)
    ids = [question.id for question in asked.questions]
    for index, question in enumerate(ids):
        if not re.fullmatch(r"[a-z0-9_-]+", question):
            problem = f"id: expected lower-case letters, digits, - and _, not '{question}'"
            raise marked.error(("questions", index, "id"), f"questions.{index}.{problem}")
        if question in ids[:index]:
            raise marked.error(("questions", index, "id"), f"a second question '{question}'")
    _check_requirements(asked.questions, marked)
    cases: list[Case] = []
    for index, each in enumerate(asked.questions):
        files = _files(folder / "cases" / each.id)
        if not files and not growing:
            raise marked.error(
                ("questions", index), f"question '{each.id}' has no cases in {folder / 'cases' / each.id}"
            )
        cases += [case_of(read(file), each, asked.limits, asked.tolerance) for file in files]
    for stray in sorted((folder / "cases").glob("*")):
        if stray.name not in ids and not stray.name.startswith("."):
            raise InputError(f"{stray}: belongs to no question: {nearest(stray.name, ids)}")
    stub, solutions = (None if name is None else (folder / name).resolve() for name in (asked.stub, asked.solutions))
    return Assignment(folder.name, folder, asked.title, asked.limits, asked.questions, tuple(cases), stub, solutions)


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


def _check_requirements(questions: Sequence[Question], marked: YamlFile) -> None:
    """Refuses prerequisites that are no question, and questions that wait for each other."""
    requires = {question.id: list(question.requires) for question in questions}
    for index, question in enumerate(questions):
        for needed in question.requires:
            place = ("questions", index, "requires", needed)
            if needed not in requires:
                raise marked.error(place, f"requires: no question '{needed}': {nearest(needed, requires)}")
    try:
        TopologicalSorter(requires).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        place = ("questions", list(requires).index(circle[0]), "requires", circle[1])
        raise marked.error(place, f"requires: a circle: {' needs '.join(circle)}") from None


def case_of(marked: YamlFile, question: Question, limits: Limits, tolerance: float = TOLERANCE) -> Case:
    """The case that a YAML file says, with its tree, layout and ghosts checked."""
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
    asked = cast(AnyInput, marked.validate(KINDS[kind]))
    root, drawing = _root(asked, question, marked)
    _check(asked, question, root, marked)
    digest = _digest(asked, question, drawing, tolerance)
    return Case(
        marked.path.stem, question, asked, root, digest, marked.path, asked.seconds or limits.seconds, tolerance
    )


def _root(asked: AnyInput, question: Question, marked: YamlFile) -> tuple[Outline | GameState, dict[str, str]]:
    """The tree that is drawn in a case, or its first position, with its drawing; InputError where it cannot be read."""
    if isinstance(asked, TreeInput):
        if question.role != "search":
            role = "an evaluation" if question.role == "evaluation" else f"a {question.role}"
            raise marked.error(("kind",), f"a tree asks for a search, but {question.id} asks for {role}")
        try:
            # Blank lines before it give its errors the line numbers of this file; a block begins below its key.
            above = marked.line(("tree",)) - 1 + ("\n" in asked.tree)
            tree = Outline.parse("\n" * above + asked.tree, str(marked.path))
            return tree, {"tree": asked.tree}
        except OutlineError as error:
            raise InputError(str(error)) from None
    for index, ghost in enumerate(asked.ghosts):
        try:
            model(ghost)
        except InputError as error:
            raise marked.error(("ghosts", index), f"ghosts: {error}") from None
    try:
        layout = Layout.parse(asked.layout, "layout") if "\n" in asked.layout else Layout.load(asked.layout)
        return start(layout, asked.ghosts), {"layout": str(layout)}
    except InputError as error:
        raise marked.error(("layout",), f"layout: {error}") from None


def _check(asked: AnyInput, question: Question, root: Outline | GameState, marked: YamlFile) -> None:
    """Refuses a case that its question cannot ask."""
    if isinstance(asked, MatchInput) and asked.target_seconds is not None:
        raise marked.error(
            ("target_seconds",), "target_seconds: of a match the time is a step: steps: {seconds: [...]}"
        )
    if isinstance(asked, PositionInput):
        assert isinstance(root, GameState)
        if question.role == "evaluation":
            raise marked.error(("kind",), f"a position asks for an action, but {question.id} asks for an evaluation")
        if asked.stop == "either" and "value" in question.criteria:
            raise marked.error(("stop",), "stop: without Stop the value may be another, and value is a criterion here")
        if (question.role == "choice") != (asked.accept is not None):
            raise marked.error(("accept",), "accept: for a choice, and only there, list the right actions")
        for index, action in enumerate(asked.accept or ()):
            if action not in root.actions():
                raise marked.error(
                    ("accept", index), f"accept: '{action}' is not legal here: {nearest(action, root.actions())}"
                )
    for layer in _layers(root) if isinstance(root, Outline) else set(root.layers):
        if question.layers and layer.value not in question.layers:
            place = ("tree",) if isinstance(asked, TreeInput) else ("ghosts",)
            raise marked.error(place, f"a {layer.value} layer, but {question.id} has only {', '.join(question.layers)}")


def _digest(asked: AnyInput, question: Question, drawing: dict[str, str], tolerance: float) -> str:
    """Changes with whatever the reference depends on: the input, the layout behind its name, the search."""
    relevant = {name: value for name, value in asdict(asked).items() if name not in IRRELEVANT} | drawing
    if relevant.get("stop") == "searched":
        del relevant["stop"]  # the digests of before there was a choice
    relevant["reference"] = question.reference
    if tolerance != TOLERANCE:
        relevant["tolerance"] = tolerance
    return hashlib.sha256(json.dumps(relevant, sort_keys=True).encode()).hexdigest()[:16]


def _layers(tree: Outline) -> set[Layer]:
    here = set() if tree.is_terminal else {tree.layer}
    return here.union(*(_layers(branch) for _, branch in tree.branches))


def _shelf() -> Path:
    return Path(str(resources.files("autograder"))) / "assignments"


def reference_path(assignment: Assignment, case: Case) -> Path:
    """Where the reference of a case is kept."""
    return assignment.folder / "references" / case.question.id / f"{case.name}.yaml"


def load_reference(assignment: Assignment, case: Case) -> Reference:
    """The recorded reference of a case; InputError when it is missing or belongs to another version of the case."""
    path = reference_path(assignment, case)
    again = f"record it with: python -m autograder record --assignment {assignment.name}"
    if not path.is_file():
        raise InputError(f"{path}: case '{case.id}' has no reference; {again}")
    marked = read(path)
    reference = marked.validate(Reference)
    if reference.digest != case.digest:
        owner = next((other.id for other in assignment.cases if other.digest == reference.digest), None)
        problem = f"belongs to '{owner}', not to '{case.id}'" if owner else "does not fit its case, which has changed"
        raise marked.error(("digest",), f"this reference {problem}; {again}")
    wanted = case.input.moves if isinstance(case.input, PositionInput) else 1
    if len(reference.moves) != wanted:
        raise marked.error(
            ("moves",), f"moves: {wanted} expected, as its case asks, not {len(reference.moves)}; {again}"
        )
    return reference
