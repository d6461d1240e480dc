"""An assignment as plain JSON values, for a place where no YAML can be read.

The values come from files that were checked when they were loaded. So nothing here checks them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from autograder.cases.case import (
    KINDS,
    AnyInput,
    Assignment,
    Case,
    Drawn,
    Limits,
    Question,
    Thresholds,
    TreeInput,
    layout_path,
)
from autograder.cases.ghosts import model_of
from pacman.core.layout import Layout
from pacman.core.state import GameState, start
from pacman.core.tree_text import Outline


def to_json(assignment: Assignment) -> dict[str, Any]:
    """The questions and the cases. The files of the assignment are left out."""
    return {
        "name": assignment.name,
        "title": assignment.title,
        "api": assignment.api,
        "names": dict(assignment.names),
        "limits": asdict(assignment.limits),
        "questions": [asdict(question) for question in assignment.questions],
        "cases": [_case_to_json(case, assignment.folder) for case in assignment.cases],
    }


def from_json(values: Mapping[str, Any]) -> Assignment:
    """The assignment that `to_json` wrote."""
    rows = (_with_tuples(each) for each in values["questions"])
    questions = {each["id"]: Question(**each | {"hidden": each["hidden"] and Drawn(**each["hidden"])}) for each in rows}
    cases = tuple(_case_from_json(each, questions[each["question"]]) for each in values["cases"])
    about = {key: values[key] for key in ("name", "title", "api", "names")}
    limits = Limits(**values["limits"])
    return Assignment(**about, folder=Path(), limits=limits, questions=tuple(questions.values()), cases=cases)


def _case_to_json(case: Case, folder: Path) -> dict[str, Any]:
    drawing = getattr(case.input, "layout", "")
    file = layout_path(drawing, folder)
    return {
        "name": case.name,
        "question": case.question.id,
        "input": asdict(case.input),
        "layout": drawing if "\n" in drawing or not drawing else str(Layout.load(str(file or drawing))),
        "seconds": case.seconds,
        "tolerance": case.tolerance,
        "ghost_files": dict(case.ghost_files),
    }


def _case_from_json(values: Mapping[str, Any], question: Question) -> Case:
    values_of_input = _with_tuples(values["input"])
    if "steps" in values_of_input:
        values_of_input["steps"] = Thresholds(**values_of_input["steps"])
    case_input = cast(AnyInput, KINDS[values_of_input["kind"]](**values_of_input))
    root: Outline | GameState
    if isinstance(case_input, TreeInput):
        root = Outline.parse(case_input.tree)
    else:
        name = "layout" if "\n" in case_input.layout else case_input.layout
        ghosts = [model_of(ghost, values["ghost_files"]) for ghost in case_input.ghosts]
        root = start(Layout.parse(values["layout"], name), ghosts)
    about = Path(f"{values['name']}.yaml"), values["seconds"], values["tolerance"], values["ghost_files"]
    return Case(values["name"], question, case_input, root, *about)


def _with_tuples(value: Any) -> Any:
    """The same, with a tuple in place of every list: JSON has no tuples, and the classes of cases have no lists."""
    if isinstance(value, list | tuple):
        return tuple(map(_with_tuples, value))
    return {key: _with_tuples(each) for key, each in value.items()} if isinstance(value, dict) else value
