"""Creates an agent from its name on the command line: a registered name or `path/file.py:ClassName`, and options."""

from __future__ import annotations

import inspect
import linecache
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from agents import ghosts, pacmen, searchers
from agents.advice import CS188, NATIVE, advice, missing_base
from agents.base import WrongReturn
from agents.cs188.agent import AgentByDepth, GhostByIndex, give_modules, is_berkeley_style, renamed
from agents.cs188.modules import adopt
from pacman.core.errors import InputError, error_line, listed, nearest, syntax_error
from pacman.core.rounds import MODELS, GhostModel, is_named
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.program import SourceFinder, SourceLoader, module_from_source
from pacman.record.trace import CountedNode
from pacman.record.watcher import BELOW, Watcher

MAX_EVENTS = 300_000
"""The most events of a search that is watched in a window: some 15 for each of its nodes."""
Load = Callable[[str], ModuleType]

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
    "perfect": pacmen.PerfectPacman,
}
GHOSTS: Mapping[str, type] = {
    "random": ghosts.RandomGhost,
    "directional": ghosts.DirectionalGhost,
    "optimal": ghosts.OptimalGhost,
}


@cache
def load_module(path: str | Path) -> ModuleType:
    """The module in a Python file; the file runs only once.

    InputError, in one line, if there is no such file, if it is not valid Python, or if an error stops its import.
    """
    return _load(Path(path), "", SourceLoader)


def load_watched(path: str | Path) -> ModuleType:
    """A new module of a Python file. Its code reports to a watcher, and so does what it imports from its own folder.

    The module has that watcher under the name `WATCHER`. For the next import, the modules of that folder are those
    from before. InputError as for `load_module`.
    """
    folder = str(Path(path).resolve().parent)
    loader = partial(SourceLoader, watcher=Watcher([], _number_of, MAX_EVENTS, spare_frames=0))
    finder = SourceFinder((folder,), loader)
    before = {name: sys.modules.pop(name) for name in imported_files([Path(path)]).values()}
    sys.meta_path.insert(0, finder)
    try:
        return _load(Path(path), "@watched", loader)
    finally:
        sys.meta_path.remove(finder)
        for name in imported_files([Path(path)]).values():
            del sys.modules[name]
        sys.modules.update(before)


def _number_of(value: Any) -> int | None:
    """The number of a node in a trace, BELOW for a position or a tree of no trace, None for another object."""
    if isinstance(value, CountedNode):
        return value.number
    return BELOW if isinstance(value, GameState | Outline) else None


def _load(path: Path, mark: str, loader: Callable[[str, str], SourceLoader]) -> ModuleType:
    """A new module of a file; the `mark` is part of its name."""
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.suffix != ".py":
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py")
    # A unique name, so that a student's random.py replaces neither Python's `random` nor another student's file.
    name = f"{path.stem}@{zlib.crc32(str(path.resolve()).encode()):08x}{mark}"
    folder = str(path.resolve().parent)
    module = module_from_source(name, str(path), folder)
    sys.path.append(folder)  # the file may import files from its own folder; installed packages come first
    try:
        return _run(module, path, path.read_bytes(), loader(name, str(path)).exec_module)
    finally:
        sys.path.remove(folder)


def module_from_text(file: str, text: str) -> ModuleType:
    """A new module of a file with this text, which need not be on this machine. InputError as for `load_module`."""

    def run(module: ModuleType) -> None:
        exec(compile(text, file, "exec", dont_inherit=True), vars(module))

    module = ModuleType(f"{Path(file).stem}@{zlib.crc32(text.encode()):08x}")
    return _run(module, Path(file), text.encode(), run)


def _run(module: ModuleType, path: Path, source: bytes, run: Callable[[ModuleType], object]) -> ModuleType:
    """The module, after `run` has executed it. InputError for every error of its code."""
    if is_berkeley_style(source):
        give_modules(module)
    sys.modules[module.__name__] = module  # dataclasses and `evaluation=NAME` find their module by its name
    try:
        run(module)
    except BaseException as error:  # a student's file may raise anything, even SystemExit
        sys.modules.pop(module.__name__, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        if isinstance(error, SyntaxError):
            raise syntax_error(path, error) from None
        raise InputError(_import_error(path, error)) from None
    return module


def imported_files(files: Iterable[Path]) -> dict[Path, str]:
    """The files that these files import from their own folders, with the names of their modules; no packages."""
    folders = {file.resolve().parent for file in files}
    modules = [
        (Path(file), name)
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) and "@" not in name and not getattr(module, "__package__", None)
    ]
    return {path: name for path, name in modules if path.parent in folders and name != "__main__"}


def forget_files(files: Iterable[Path]) -> None:
    """Makes the next use of these files, and of the files that they import from their folders, run them again."""
    for name in imported_files(files).values():
        sys.modules.pop(name, None)
    load_module.cache_clear()


def _import_error(path: Path, error: BaseException) -> str:
    """The message that says why a file cannot be imported."""
    if isinstance(error, ModuleNotFoundError):
        return f"{path}: imports '{error.name}', which is not installed"
    lines = [frame.lineno or 0 for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f"{path}:{lines[-1]}" if lines else str(path)
    advice = advice_at(error_line(error), str(path), lines[-1]) if lines else ""
    return f"{where}: cannot be imported: {error_line(error)}{f'. {advice}' if advice else ''}"


def advice_at(error: str, file: str, line: int) -> str:
    """What to write instead of a line of a user's file in which an error happened: "TYPE: TEXT"."""
    lines = linecache.getlines(file)
    style = CS188 if is_berkeley_style("".join(lines).encode()) else NATIVE
    return advice(error, lines, line, style)


def name_and_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The agent and its options in a text such as "minimax:rounds=3".

    A part without "=" belongs to the part before it, because names of files have colons too.

    >>> name_and_options("my.py:Mine:rounds=3:evaluation=my.py:better")
    ('my.py:Mine', ('rounds=3', 'evaluation=my.py:better'))
    """
    name, *options = re.split(r":(?=\w+=)", text.strip())
    return name, tuple(options)


def files_of(agents: Iterable[str]) -> list[str]:
    """The files that agents with these names and options come from, each once; also those of their evaluations."""
    names = [name_and_options(text) for text in agents]
    parts = [each for name, options in names for each in (name, *(option.partition("=")[2] for option in options))]
    return [file for file in dict.fromkeys(file_and_class(part)[0] for part in parts if ".py" in part) if file]


def make_pacman(text: str, options: Iterable[str] = (), rounds: int | None = None, load: Load = load_module) -> Any:
    """The Pacman with this name and options, as in "minimax:rounds=3", and with more `key=value` options.

    He looks `rounds` rounds ahead if he has that option and no other value for it. `load` gives the module of his file.
    InputError for an unknown name, for options that it does not have, and if its constructor raises an error.
    """
    return _make(text, PACMEN, "Pacman", options, rounds, load)


def make_ghost(text: str, rounds: int | None = None, load: Load = load_module) -> Any:
    """The ghost with this name and options; `load` gives the module of its file.

    InputError also if it has no valid `model`.
    """
    ghost = _make(text, GHOSTS, "ghost", (), rounds, load)
    name, _ = name_and_options(text)
    if not isinstance(getattr(ghost, "model", None), GhostModel):
        raise InputError(f"{name}: a ghost needs an attribute 'model': RANDOM, OPTIMAL or directional() from pacman")
    if not is_named(ghost.model):
        raise InputError(f"{name}: unknown model '{ghost.model}'; expected {listed([*MODELS], 'or')}")
    return ghost


def _make(
    text: str,
    known: Mapping[str, type],
    kind: str,
    more: Iterable[str],
    rounds: int | None,
    load: Load,
) -> Any:
    """The agent with this name: a class in `known`, or a class in a file."""
    name, own = name_and_options(text)
    make: Callable[..., Any] | None = known.get(name)
    file, class_name = file_and_class(name)
    if file:
        module = load(file)
        classes = {
            key: value
            for key, value in vars(module).items()
            if inspect.isclass(value)
            and value.__module__ == module.__name__
            and any(
                callable(getattr(value, method, None))
                for method in ("choose", "getAction", "get_action", "getDistribution")
            )
        }
        if class_name not in classes:
            definition = vars(module).get(class_name)
            if inspect.isclass(definition) and not callable(getattr(definition, "begin", None)):
                role = "search" if callable(getattr(definition, "search", None)) else "choice"
                raise InputError(f"{file}: {missing_base(class_name, role)}")
            if kind == "Pacman" and inspect.isfunction(definition):
                user = next((f"{file}:{name}" for name in classes), "CLASS")
                option = "evalFn" if any(hasattr(each, "getAction") for each in classes.values()) else "evaluation"
                advice = f"name the agent that uses it, as in {user}:{option}={class_name}"
                raise InputError(f"{file}: '{class_name}' is a function, not an agent: {advice}")
            noun = "ghost" if kind == "ghost" else "agent"
            problem = f"no {noun} '{class_name}':" if class_name else f"name its class, as in {file}:CLASS;"
            raise InputError(f"{file}: {problem} {nearest(class_name, classes)}")
        make, name = classes[class_name], class_name
        if not callable(getattr(make, "choose", None)):
            adopt(make, {})
            make = GhostByIndex.of(classes[name]) if kind == "ghost" else partial(_by_depth, make)
    if make is None and kind == "Pacman" and name in GHOSTS:
        raise InputError(f"no Pacman '{name}': a ghost. A list of ghosts has no spaces, as in --ghosts random,{name}")
    if make is None:
        raise InputError(f"no {kind} '{name}': {nearest(name, known)} (or FILE.py:CLASS)")
    has_rounds = rounds is not None and _accepts(make, "rounds")
    return create(make, name, [*([f"rounds={rounds}"] if has_rounds else []), *more, *own])


def _accepts(make: Callable[..., Any], key: str) -> bool:
    """True if this can be called with an argument of this name."""
    parameters = inspect.signature(make).parameters
    return key in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def _by_depth(
    definition: type, evalFn: str | None = None, depth: int = 2, rounds: int = 0, eval_fn: str | None = None
) -> AgentByDepth:
    """A Berkeley-style agent as a player here: with the options of that project, or with this project's `rounds`."""
    evalFn = evalFn or eval_fn
    make = partial(definition, **renamed(definition, {"evalFn": evalFn})) if evalFn else definition
    agent = AgentByDepth(make, definition.__name__, rounds or depth)
    try:
        agent.prepare()
    except WrongReturn as error:
        raise InputError(str(error)) from None
    return agent


def file_and_class(name: str) -> tuple[str, str]:
    """The file and the class that `path/file.py:ClassName` names; no file for a registered agent."""
    if ":" in name or name.endswith(".py"):
        file, _, class_name = name.rpartition(":") if ":" in name else (name, "", "")
        return file, class_name
    return "", ""


def create(make: Callable[..., Any], name: str, options: Iterable[str]) -> Any:
    """What `make`, which users know as `name`, returns for `key=value` options. InputError if they do not fit."""
    parameters = inspect.signature(make).parameters
    values: dict[str, Any] = {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals:
            raise InputError(f"'{option}': expected key=value")
        if not _accepts(make, key):
            raise InputError(f"{name} has no option '{key}': {nearest(key, parameters)}")
        is_function = key == "evaluation" and ".py:" in text
        values[key] = _function(text) if is_function else _value(name, key, text, parameters.get(key))
    try:
        return make(**values)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's constructor may raise anything, even SystemExit
        raise InputError(f"{name}: its constructor failed: {error_line(error)}") from None


def _function(text: str) -> Callable[..., Any]:
    """The function that `path/file.py:NAME` names. InputError if there is none."""
    file, _, name = text.rpartition(":")
    module = load_module(file)
    functions = {key: value for key, value in vars(module).items() if inspect.isfunction(value)}
    if name not in functions:
        own = [key for key, value in functions.items() if value.__module__ == module.__name__]
        raise InputError(f"{file}: no function '{name}': {nearest(name, own)}")
    function: Callable[..., Any] = functions[name]
    return function


def _value(name: str, key: str, text: str, parameter: inspect.Parameter | None) -> Any:
    """`text`, converted to the type of the parameter's default; without a default, to its annotated type."""
    default = None if parameter is None else parameter.default
    if parameter is not None and default is parameter.empty:
        annotated = getattr(parameter.annotation, "__name__", str(parameter.annotation))
        default = {"int": 0, "float": 0.0, "bool": False}.get(annotated)
    expected = {bool: "true or false", int: "a whole number", float: "a number"}.get(type(default))
    if default is None or expected is None:
        return text
    try:
        return {"true": True, "false": False}[text.lower()] if type(default) is bool else type(default)(text)
    except (KeyError, ValueError):
        raise InputError(f"{name}: {key}={text}: expected {expected}") from None
