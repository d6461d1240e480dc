"""From a name on the command line to an agent: a registered name, or `path/file.py:ClassName`, with arguments."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from agents import ghosts, pacmen, perfect, searchers
from pacman.core.errors import InputError, error_line, nearest
from pacman.core.layers import GhostModel, is_named

PACMEN: Mapping[str, type] = {
    "keyboard": pacmen.KeyboardPacman,
    "random": pacmen.RandomPacman,
    "greedy": pacmen.GreedyPacman,
    "scripted": pacmen.ScriptedPacman,
    "reflex": searchers.Reflex,
    "minimax": searchers.Minimax,
    "alphabeta": searchers.AlphaBeta,
    "expectimax": searchers.Expectimax,
    "expectiminimax": searchers.Expectiminimax,
    "perfect": perfect.PerfectPacman,
}
GHOSTS: Mapping[str, type] = {
    "random": ghosts.RandomGhost,
    "directional": ghosts.DirectionalGhost,
    "optimal": ghosts.OptimalGhost,
}


@cache
def load_module(path: str | Path) -> ModuleType:
    """The file as a module, run once; InputError, in one line, when it is missing, is not Python or does not import."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    # A name of its own, so that a student's random.py is not Python's, nor another student's.
    name = f"{path.stem}@{zlib.crc32(str(path.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py")
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made  # a dataclass, or `evaluation=NAME`, looks its module up by name
    folder = str(path.resolve().parent)
    sys.path.append(folder)  # while it is imported it finds its neighbours, after everything that is installed
    try:
        spec.loader.exec_module(made)
    except BaseException as error:  # a student's file may raise anything, SystemExit too
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(_why_not(path, error)) from None
    finally:
        sys.path.remove(folder)
    return made


def _why_not(path: Path, error: BaseException) -> str:
    """The line that says why a file does not import."""
    if isinstance(error, SyntaxError):
        where = f"{path}:{error.lineno}" if error.lineno else str(path)
        return f"{where}: not valid Python: {error.msg}"
    if isinstance(error, ModuleNotFoundError):
        return f"{path}: imports '{error.name}', which is not installed"
    return f"{path}: does not import: {error_line(error)}"


def pacman(name: str, arguments: Iterable[str] = ()) -> Any:
    """The Pacman of that name, made with `key=value` arguments."""
    return _make(name, PACMEN, "Pacman", arguments)


def make_ghost(name: str, arguments: Iterable[str] = ()) -> Any:
    """The ghost of that name, made with `key=value` arguments."""
    made = _make(name, GHOSTS, "ghost", arguments)
    if not isinstance(getattr(made, "model", None), GhostModel):
        raise InputError(f"{name}: a ghost needs a 'model' (RANDOM, OPTIMAL or directional() of pacman)")
    if not is_named(made.model):
        raise InputError(f"{name}: its model '{made.model}' is none of random, directional and optimal")
    return made


def _make(name: str, known: Mapping[str, type], kind: str, arguments: Iterable[str]) -> Any:
    if ":" in name or name.endswith(".py"):
        file, _, wanted = name.rpartition(":") if ":" in name else (name, "", "")
        made = load_module(file)
        classes = {
            key: value
            for key, value in vars(made).items()
            if inspect.isclass(value) and value.__module__ == made.__name__ and callable(getattr(value, "choose", None))
        }
        if wanted not in classes:
            problem = f"no agent '{wanted}':" if wanted else f"name an agent, as in {file}:CLASS;"
            raise InputError(f"{file}: {problem} {nearest(wanted, classes)}")
        return _call(classes[wanted], wanted, arguments)
    if name not in known:
        raise InputError(f"no {kind} '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    return _call(known[name], name, arguments)


def _call(make: Callable[..., Any], name: str, arguments: Iterable[str]) -> Any:
    parameters = inspect.signature(make).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    values: dict[str, Any] = {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if not equals:
            raise InputError(f"'{argument}': expected key=value")
        if key not in parameters and not takes_any:
            raise InputError(f"{name} takes no argument '{key}': {nearest(key, parameters)}")
        values[key] = _value(name, key, text, parameters.get(key))
    try:
        return make(**values)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's constructor may raise anything, SystemExit too
        raise InputError(f"{name}: cannot be made: {error_line(error)}") from None


def _value(name: str, key: str, text: str, parameter: inspect.Parameter | None) -> Any:
    """`text` as the type of the argument's default, or else as it is annotated."""
    default = None if parameter is None else parameter.default
    if parameter is not None and default is parameter.empty:
        annotated = getattr(parameter.annotation, "__name__", str(parameter.annotation))
        default = {"int": 0, "float": 0.0, "bool": False}.get(annotated)
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise InputError(f"{name}: {key}={text}: expected true or false")
        return text.lower() == "true"
    for kind, what in ((int, "a whole number"), (float, "a number")):
        if isinstance(default, kind):
            try:
                return kind(text)
            except ValueError:
                raise InputError(f"{name}: {key}={text}: expected {what}") from None
    return text


def accepts_option(known: Mapping[str, type], name: str, key: str) -> bool:
    """True when the agent of that registered name has an argument `key`; an agent from a file is asked to have it."""
    return key in inspect.signature(known[name]).parameters if name in known else True
