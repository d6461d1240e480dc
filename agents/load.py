"""From a name on the command line to an agent: a registered name, or `path/file.py:ClassName`, with arguments."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from agents import ghosts, pacmen, solutions
from pacman.errors import InputError, nearest

PACMEN: Mapping[str, type] = {
    "keyboard": pacmen.KeyboardPacman,
    "random": pacmen.RandomPacman,
    "greedy": pacmen.GreedyPacman,
    "scripted": pacmen.ScriptedPacman,
    "reflex": solutions.ReflexAgent,
    "minimax": solutions.MinimaxAgent,
    "alphabeta": solutions.AlphaBetaAgent,
    "expectimax": solutions.ExpectimaxAgent,
    "expectiminimax": solutions.ExpectiminimaxAgent,
}
GHOSTS: Mapping[str, type] = {
    "random": ghosts.RandomGhost,
    "directional": ghosts.DirectionalGhost,
    "optimal": ghosts.OptimalGhost,
}


def module(path: str | Path) -> ModuleType:
    """The file as a module; InputError, in one line, when it is missing, is not Python or does not import."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py")
    made = importlib.util.module_from_spec(spec)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = made  # a dataclass, or `evaluation=NAME`, looks its module up by name
    try:
        spec.loader.exec_module(made)
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno}: not valid Python: {error.msg}") from None
    except ModuleNotFoundError as error:
        raise InputError(f"{path}: imports '{error.name}', which is not installed") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's file may raise anything, SystemExit too
        raise InputError(f"{path}: does not import: {type(error).__name__}: {error}".replace("\n", " ")) from None
    finally:
        if before is not None:
            sys.modules[path.stem] = before
    return made


def pacman(name: str, arguments: Iterable[str] = ()) -> Any:
    """The Pacman of that name, made with `key=value` arguments."""
    return _make(name, PACMEN, "Pacman", arguments)


def ghost(name: str, arguments: Iterable[str] = ()) -> Any:
    """The ghost of that name, made with `key=value` arguments."""
    made = _make(name, GHOSTS, "ghost", arguments)
    if not hasattr(made, "model"):
        raise InputError(f"{name}: a ghost needs a 'model' that says whether a search takes it for CHANCE or MIN")
    return made


def _make(name: str, known: Mapping[str, type], kind: str, arguments: Iterable[str]) -> Any:
    if ":" in name or name.endswith(".py"):
        file, _, wanted = name.rpartition(":") if ":" in name else (name, "", "")
        made = module(file)
        classes = {
            key: value
            for key, value in vars(made).items()
            if inspect.isclass(value) and value.__module__ == made.__name__ and callable(getattr(value, "choose", None))
        }
        if wanted not in classes:
            hint = nearest(wanted, classes)
            raise InputError(
                f"{file}: no agent '{wanted}': {hint}"
                if wanted
                else f"{file}: name an agent, as in {file}:CLASS; {hint}"
            )
        return _call(classes[wanted], wanted, arguments)
    if name not in known:
        raise InputError(f"no {kind} '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    return _call(known[name], name, arguments)


def _call(make: Callable[..., Any], name: str, arguments: Iterable[str]) -> Any:
    parameters = inspect.signature(make).parameters
    given: dict[str, Any] = {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if not equals:
            raise InputError(f"'{argument}': expected key=value")
        if key not in parameters:
            raise InputError(f"{name} takes no argument '{key}': {nearest(key, parameters)}")
        given[key] = _value(name, key, text, parameters[key].default)
    try:
        return make(**given)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except TypeError as error:
        raise InputError(f"{name}: {error}") from None


def _value(name: str, key: str, text: str, default: object) -> Any:
    """`text` as the type of the argument's default."""
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


def takes(known: Mapping[str, type], name: str, key: str) -> bool:
    """True when the agent of that registered name has an argument `key`; an agent from a file is asked to have it."""
    return key in inspect.signature(known[name]).parameters if name in known else True
