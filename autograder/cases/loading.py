"""Reads and checks the YAML files of an assignment: questions, cases with their trees or positions.

assignments/NAME/assignment.yaml          questions, points, criteria, limits
assignments/NAME/cases/QUESTION/CASE.yaml
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import cast

from agents.cs188.base_state import snake_case
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
    layout_path,
    name_problem,
    normal,
)
from autograder.cases.ghosts import model_of, own_file, read_file
from autograder.cases.hidden import trees_of
from autograder.cases.truth import size_problem
from autograder.cases.yaml_file import Place, YamlFile, read
from autograder.student_process.request_handler import parse_file
from pacman.core.errors import InputError, listed, nearest, not_python, one_line
from pacman.core.layout import Layout
from pacman.core.layout import names as layout_names
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline, OutlineError, number

ENDINGS = (".yaml", ".yml")


def names() -> list[str]:
    """The names of the assignments that come with the project, sorted."""
    return sorted(file.parent.name for file in _own_folder().glob("*/assignment.yaml"))


def case_ids(name: str) -> list[str]:
    """The ids of the cases of an assignment, by the names of the files alone: none of them is read."""
    paths = (path for path in _folder(name).glob("cases/*/*") if path.suffix in ENDINGS)
    return sorted(normal(f"{path.parent.name}/{path.stem}") for path in paths)


def _folder(name: str) -> Path:
    """The folder of an assignment, given as that folder or as the name of one that comes with the project.

    InputError if it could be both: a folder of that name may come from a stranger.
    """
    folder, own = Path(name), _own_folder() / name
    if not (folder / "assignment.yaml").is_file():
        return own
    if name in names() and not folder.samefile(own):
        here = f"write {os.path.join(os.curdir, name)} for the folder, or start in another folder for the other one"
        raise InputError(f"{name}: an assignment of the project and a folder with an assignment.yaml; {here}")
    return folder


def load(name: str, growing: bool = False, cases_of: str | None = None) -> Assignment:
    """The assignment with this name, or in the folder `name`; with `cases_of`, only that question has its cases.

    InputError names file, line and key of the first problem. A `growing` assignment may lack the cases of a question.
    """
    folder = _folder(name)
    if not (folder / "assignment.yaml").is_file():
        if Path(name).name == "assignment.yaml" and Path(name).is_file():
            raise InputError(f"{name}: give the folder with this file: {Path(name).parent}")
        if Path(name).is_dir():
            raise InputError(f"{name}: no file assignment.yaml in this folder")
        beside = [str(each.parent) for each in sorted(Path(name).parent.glob("*/assignment.yaml"))]
        raise InputError(f"no assignment '{name}': {nearest(name, [*names(), *beside])}")
    short_name = folder.name or folder.resolve().name
    if problem := name_problem(short_name):
        raise InputError(f"{one_line(name, to_text=str)}: the name of the folder {problem}; rename it")
    file = read(folder / "assignment.yaml")
    assignment = file.validate(AssignmentInput)
    ids = [question.id for question in assignment.questions]
    for index, question_id in enumerate(ids):
        place = ("questions", index, "id")
        if problem := name_problem(question_id):
            raise file.error(place, f"questions.{index}.id: '{one_line(question_id, 60, str)}' {problem}")
        if normal(question_id).casefold() in (normal(other).casefold() for other in ids[:index]):
            raise file.error(place, f"questions.{index}.id: a second question '{question_id}'")
    _check_requirements(assignment.questions, file)
    _check_names(assignment, file)
    folders = {normal(path.name): path for path in sorted((folder / "cases").glob("*")) if path.name[0] != "."}
    cases: list[Case] = []
    for index, question in enumerate(assignment.questions):
        files = _case_files(folders.pop(normal(question.id), None))
        if not files and not growing:
            expected = folder / "cases" / question.id
            others = folders.keys() - {normal(each) for each in ids}
            there = f"; there is {listed(sorted(others))}" if others else ""
            problem = f"question '{question.id}' has no cases; put them in {expected}{there}"
            raise file.error(("questions", index), problem)
        if cases_of is None or normal(cases_of) == normal(question.id):
            about = question, assignment.limits, assignment.tolerance, folder, assignment.names
            new = [case_of(read(path), *about) for path in files]
            if not growing:
                _check_drawn(index, question, new, file)
            _check_hidden([case for case in new if case.input.hidden])
            cases += new
    for stray, path in folders.items():
        raise InputError(f"{path}: no question has the id '{stray}': {nearest(stray, ids)}")
    paths = {key: (folder / path).resolve() for key in ("stub", "solutions") if (path := getattr(assignment, key))}
    styles = tuple(sorted((folder / "styles").resolve().glob("*.py")))
    answers = (*styles, (folder / "instructors.md").resolve(), *(paths[key] for key in paths if key == "solutions"))
    own = {"name": short_name, "folder": folder, "cases": tuple(cases), "styles": styles, "answers": answers}
    return Assignment(**vars(assignment) | paths | own)


def _check_names(assignment: AssignmentInput, file: YamlFile) -> None:
    """Refuses a name of a course for what Berkeley-style files do not use, or that they have already."""
    if not assignment.names:
        return
    from agents.cs188.modules import NAMES, is_taken  # most assignments need none of it

    known = [name for name in NAMES if not name.startswith("_")]
    for theirs, ours in assignment.names.items():
        problem = ""
        if assignment.api != "cs188":
            problem = "only for api: cs188"
        elif not theirs.isidentifier() or theirs.startswith("_"):
            problem = f"'{one_line(theirs, 60, str)}' is no name"
        elif is_taken(theirs, ours):
            problem = f"'{theirs}' is no new name: it stands beside '{ours}' already"
        elif ours not in known:
            problem = f"nothing that files use is called '{one_line(ours, 60, str)}': {nearest(ours, known)}"
        if problem:
            raise file.error(("names", theirs), f"names: {problem}")


def _case_files(folder: Path | None) -> list[Path]:
    """The case files in a folder, by name; InputError for any other file and for two cases with the same name."""
    if folder is None or not folder.is_dir():
        return []
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in files:
        if path.suffix not in ENDINGS:
            raise InputError(f"{path}: not a case; expected a name that ends in .yaml")
        if problem := name_problem(path.stem):
            raise InputError(f"{one_line(path, to_text=str)}: the name of the case {problem}; rename the file")
    for path, following in pairwise(files):
        if normal(following.stem) == normal(path.stem):
            raise InputError(f"{following}: a second case '{folder.name}/{path.stem}'; the first is {path.name}")
    return files


def _check_hidden(cases: Sequence[Case]) -> None:
    """Refuses hidden cases of one question with different weights: its points would tell which ones were passed."""
    for case in cases:
        if case.input.weight != (weight := cases[0].input.weight):
            problem = f"hidden cases of a question need equal weights; {cases[0].source.name} has {number(weight)}"
            raise read(case.source).error(("weight",), f"weight: {problem}")


def _check_drawn(index: int, question: Question, own: Sequence[Case], file: YamlFile) -> None:
    """Refuses drawn cases that are like none of the question's public cases with a tree."""
    trees = trees_of(own)
    for name in question.hidden.like if question.hidden else ():
        if name not in trees:
            problem = f"no public case '{name}' with a tree in {question.id}: {nearest(name, trees)}"
            raise file.error(("questions", index, "hidden", "like"), f"questions.{index}.hidden.like: {problem}")


def _check_requirements(questions: Sequence[Question], file: YamlFile) -> None:
    """Refuses requirements that name no question, and questions that require each other."""
    requires = {question.id: list(question.requires) for question in questions}
    for index, question in enumerate(questions):
        for needed in question.requires:
            place = ("questions", index, "requires", needed)
            if needed not in requires:
                raise file.error(place, f"requires: no question '{needed}': {nearest(needed, requires)}")
    try:
        TopologicalSorter(requires).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        place = ("questions", list(requires).index(circle[0]), "requires", circle[1])
        problem = f"questions require each other in a circle: {' needs '.join(circle)}"
        raise file.error(place, f"requires: {problem}") from None


def spellings(assignment: Assignment, part: str) -> tuple[str, ...]:
    """The names that a part may have in a submission: of a Berkeley-style one also that in snake_case."""
    return (part, snake_case(part)) if assignment.api == "cs188" else (part,)


def check_parts(assignment: Assignment) -> None:
    """Refuses a question whose `part` is not defined in the stub; without a stub, in the solutions.

    Checks nothing if the assignment has neither of the two files.
    """
    path = next((path for path in (assignment.stub, assignment.solutions) if path and path.is_file()), None)
    if path is None:
        return
    survey = parse_file(path)
    if "error" in survey:
        raise not_python(f"{path}:{survey['line']}", survey["error"], survey.get("text", ""), survey.get("offset", 0))
    file, parts = read(assignment.folder / "assignment.yaml"), survey["names"]
    places = {each["id"]: index for index, each in enumerate(file.data["questions"])}
    for question in assignment.questions:  # perhaps only some of those in the file
        index = places[question.id]
        if not set(spellings(assignment, question.part)) & set(parts):
            problem = f"no class or function '{question.part}' in {path.name}: {nearest(question.part, parts)}"
            raise file.error(("questions", index, "part"), f"questions.{index}.part: {problem}")


def case_of(
    file: YamlFile,
    question: Question,
    limits: Limits,
    tolerance: float = TOLERANCE,
    folder: Path = Path(),
    names: Mapping[str, str] = MappingProxyType({}),
) -> Case:
    """The case in a YAML file, with its tree, layout and ghosts checked.

    `folder` is that of the assignment, `names` are those of the course.
    """
    kinds = "tree, position or match"
    if not isinstance(file.data, dict):
        raise file.error((), f"expected a mapping that begins with kind: {kinds}")
    if "kind" not in file.data:
        misspelt = next((key for key in file.data if nearest(key, ["kind"]).startswith("did")), None)
        if misspelt is not None:
            raise file.error((misspelt,), f"unknown key '{misspelt}': did you mean 'kind'?")
        raise file.error((), f"the key 'kind' is missing; expected kind: {kinds}")
    kind = file.data["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise file.error(("kind",), f"kind: no kind '{kind}': {nearest(str(kind), KINDS)}")
    case_input = cast(AnyInput, file.validate(KINDS[kind]))
    ghost_files = _ghost_files(case_input, file, folder, names)
    root = _root(case_input, question, file, folder, ghost_files)
    for place, problem in _problems(case_input, question, root):
        raise file.error(place, problem)
    seconds = case_input.seconds or limits.seconds
    return Case(normal(file.path.stem), question, case_input, root, file.path, seconds, tolerance, ghost_files)


def _ghost_files(case_input: AnyInput, file: YamlFile, folder: Path, names: Mapping[str, str]) -> dict[str, str]:
    """The files of the ghosts that the course wrote; InputError for a ghost that cannot play."""
    files: dict[str, str] = {}
    for index, name in enumerate(() if isinstance(case_input, TreeInput) else case_input.ghosts):
        try:
            if own_file(name) and isinstance(case_input, PositionInput):
                raise InputError("a ghost in a file of the course plays only in a case with kind: match")
            files |= read_file(name, folder, names)
            model_of(name, files)
        except InputError as error:
            raise file.error(("ghosts", index), f"ghosts: {error}") from None
    return files


def _root(
    case_input: AnyInput, question: Question, file: YamlFile, folder: Path, ghost_files: Mapping[str, str]
) -> Outline | GameState:
    """The drawn tree of a case, or its first position; InputError if they cannot be read."""
    if isinstance(case_input, TreeInput):
        if question.role != "search":
            problem = f"kind: tree needs role: search, but question {question.id} has role: {question.role}"
            raise file.error(("kind",), problem)
        try:
            # Blank lines above the drawing give its errors the line numbers of this file; a block begins below its key.
            above = file.line(("tree",)) - 1 + ("\n" in case_input.tree)
            return Outline.parse("\n" * above + case_input.tree, str(file.path))
        except OutlineError as error:
            raise InputError(str(error)) from None
    try:
        is_drawn = "\n" in case_input.layout
        layout = Layout.parse(case_input.layout, "layout") if is_drawn else _layout(case_input.layout, folder)
        str(layout)  # a position is sent as text
        return start(layout, [model_of(name, ghost_files) for name in case_input.ghosts])
    except ValueError as error:  # also a layout with more ghosts than it can draw
        raise file.error(("layout",), f"layout: {error}") from None


def _layout(name: str, folder: Path) -> Layout:
    """The layout of the project with this name, or the one in this file of an assignment. InputError for another one.

    A file elsewhere would not be in the kit, and not on the machine that grades.
    """
    path = layout_path(name, folder)
    if path is None:
        if name not in layout_names():
            raise InputError(f"no layout {one_line(name)}: {nearest(name, layout_names())}")
        return Layout.load(name)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{one_line(name)} is not in the folder of the assignment; copy the file into it")
    if not os.path.isfile(path):  # not `path.is_file()`, which fails for a name that is too long
        raise InputError(f"{path}: no such file; a path starts in the folder of the assignment")
    return Layout.load(str(path))


def _problems(case_input: AnyInput, question: Question, root: Outline | GameState) -> Iterator[tuple[Place, str]]:
    """The key and the text of each problem of a case that does not fit its question."""
    role = question.role
    if isinstance(case_input, MatchInput) and role == "evaluation":
        assert isinstance(root, GameState)
        if problem := size_problem(root, case_input.rounds * len(root.layers)):
            yield ("rounds",), f"rounds: {problem}; write a smaller number"
    if isinstance(case_input, PositionInput):
        assert isinstance(root, GameState)
        if role == "evaluation":
            fit = f"does not fit question {question.id} with role: evaluation"
            yield ("kind",), f"kind: position {fit}; use kind: match"
        if case_input.stop == "either" and question.compares_value:
            why = "because without Stop the value can differ"
            yield ("stop",), f"`stop: either` cannot be used with the criterion value, {why}"
        if role == "choice" and case_input.accept is None:
            yield (), f"the key 'accept' is missing: list the right actions, because {question.id} has role: choice"
        if role != "choice" and case_input.accept is not None:
            yield ("accept",), f"accept: only for role: choice, but question {question.id} has role: {role}"
        for index, action in enumerate(case_input.accept or ()):
            if action not in root.actions():
                legal = ", ".join(root.actions())
                yield ("accept", index), f"accept: illegal action '{action}'; legal: {legal}"
    for layer in layers_in(root) if isinstance(root, Outline) else set(root.layers):
        if question.layers and layer.value not in question.layers:
            key = "tree" if isinstance(case_input, TreeInput) else "ghosts"
            allowed = ", ".join(question.layers)
            yield (key,), f"{key}: a {layer.value} layer, but question {question.id} allows only {allowed}"


def layers_in(tree: Outline) -> set[Layer]:
    """The layers of all inner nodes of a tree."""
    layers = set() if tree.is_terminal else {tree.layer}
    return layers.union(*(layers_in(branch) for _, branch in tree.branches))


def _own_folder() -> Path:
    """The folder with the assignments that come with the project."""
    return Path(str(resources.files("autograder"))) / "assignments"


def name_or_folder(assignment: Assignment) -> str:
    """What `load` needs to find this assignment again: the name of one of the project's own, else the folder."""
    return assignment.name if assignment.folder.parent == _own_folder() else str(assignment.folder)
