"""The ghosts of a Berkeley test: those of every such project, with their probabilities, and those of the course.

The ghosts of a test are a Python expression, of which nothing is executed. A class that the course wrote is copied with
its file, and tried in a game.
"""

from __future__ import annotations

import ast
import inspect
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from agents.load import module_from_text
from autograder.cases.ghosts import CourseGhost, model_of, try_ghosts
from autograder.platforms.cs188_files import TestFile
from pacman.core.errors import InputError, nearest
from pacman.core.files import read_text
from pacman.core.layout import Layout
from pacman.core.rounds import directional
from pacman.core.state import start

GHOSTS = ("RandomGhost", "DirectionalGhost")
PROBABILITIES = ("prob_attack", "prob_scaredFlee")
MAX_GHOSTS = 100
FILE = "ghostAgents.py"


def ghosts_of(test: TestFile, layout: Layout, top: Path) -> tuple[list[str], dict[str, str]]:
    """The ghosts of a test, as a case names them, and the files of those that the course wrote.

    Like that project, it leaves out ghosts without a place in the layout. Runs no file that is not below `top`.
    InputError for a ghost that cannot play.
    """
    entry = test.require("ghosts")
    names: list[str] = []
    files: dict[str, str] = {}
    for name, call in _calls(test)[: len(layout.ghosts)]:
        try:
            if name in GHOSTS:
                names.append("random" if name == "RandomGhost" else _directional(call))
            else:
                word, own = _course_ghost(_file_of(test, name, top), name, call)
                files |= own
                names.append(word)
                try_ghosts(start(layout, [model_of(each, files) for each in names]), names, files, "a game")
        except InputError as error:
            raise test.error(entry.line, f"ghosts: {error}") from None
    return names, files


def _calls(test: TestFile) -> list[tuple[str, ast.Call]]:
    """The class of each ghost in the expression, and its call; InputError for another form."""
    entry = test.require("ghosts")
    try:
        value = ast.parse(entry.text.strip(), mode="eval").body
        if isinstance(value, ast.ListComp):
            bounds = value.generators[0].iter
            assert isinstance(bounds, ast.Call)
            items = [value.elt] * min(len(range(*map(ast.literal_eval, bounds.args))), MAX_GHOSTS)
        else:
            assert isinstance(value, ast.List | ast.Tuple)
            items = value.elts
        calls = [each for each in items if isinstance(each, ast.Call)]
        names = [re.sub(r".*\.", "", ast.unparse(each.func)) for each in calls]
        assert len(calls) == len(items)
        assert all(map(str.isidentifier, names))
    except (SyntaxError, ValueError, TypeError, RecursionError, AssertionError):
        raise test.error(entry.line, "ghosts: write the ghosts one by one, as in [RandomGhost(1)]") from None
    return list(zip(names, calls, strict=True))


def _arguments(call: ast.Call, parameters: list[str]) -> dict[str, Any]:
    """The values of a call by the parameters of the class, without the ghost's number."""
    values = dict(zip(parameters, call.args, strict=False)) | {each.arg or "": each.value for each in call.keywords}
    return {name: ast.literal_eval(value) for name, value in values.items() if name not in ("self", parameters[0])}


def _directional(call: ast.Call) -> str:
    """A directional ghost with the probabilities of its call, for attack and for flight."""
    try:
        values = dict.fromkeys(PROBABILITIES, 0.8) | _arguments(call, ["index", *PROBABILITIES])
        return directional(*(float(values[name]) for name in PROBABILITIES)).name
    except (ValueError, TypeError, InputError):
        raise InputError("expected numbers from 0 to 1 as probabilities of a DirectionalGhost") from None


def _course_ghost(path: Path | None, name: str, call: ast.Call) -> tuple[str, dict[str, str]]:
    """A ghost that the course wrote, as a case names it, and its file. InputError if it cannot play here."""
    if path is None:
        raise InputError(f"unknown ghost '{name}': {nearest(name, GHOSTS)}")
    try:
        files = {path.name: read_text(path)}
        definition = getattr(module_from_text(path.name, files[path.name]), name)
        options = _arguments(call, [*inspect.signature(definition).parameters, "index"])
        word = ":".join([f"{path.name}:{name}", *(f"{key}={value}" for key, value in options.items())])
        CourseGhost(word, files)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{name} of {path.name} cannot play here: {error}") from None
    return word, files


def _file_of(test: TestFile, name: str, top: Path) -> Path | None:
    """The file below `top`, and above the test, in which a class is defined: ghostAgents.py or another one."""
    top = top.resolve()
    for above in [each for each in test.path.resolve().parents if each.is_relative_to(top)]:
        for path in (above / FILE, *sorted(above.glob("*.py"))):
            with suppress(OSError):
                text = (
                    path.read_text("utf-8", "replace") if path.is_file() and path.resolve().is_relative_to(top) else ""
                )
                if re.search(rf"^class {name}\b", text, re.MULTILINE):
                    return path
    return None
