"""What a student probably meant where an error names an unknown member, name or import, or where a value is None.

Runs in the student's process, because only there the objects of an error exist.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from types import FrameType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import agents.base
import pacman
from pacman.core.errors import nearest
from pacman.core.layout import Maze
from pacman.core.rules import GhostPose, PacmanPose
from pacman.core.state import GameState
from pacman.core.tree import Layer, Line, NodeWrapper
from pacman.core.tree_text import Outline

if TYPE_CHECKING:
    import ast

_PLACES = {
    **{name: "pacman" for name, module in pacman._MODULE_OF.items() if module.startswith("pacman.core.")},
    **dict.fromkeys(("BaseAgent", "NotWritten", "ReflexBase", "SearchAgent"), "agents.base"),
}
"""Each public name that a submission may import -> its module."""
_POSE = ("position", "direction", "cell", "timer", "is_scared")
_DRAWN = ("layer", "is_terminal", "score", "actions", "successor", "outcomes")
_BERKELEY = {
    "getLegalActions": "node.actions()",
    "getLegalPacmanActions": "node.actions()",
    "generateSuccessor": "node.successor(action)",
    "generatePacmanSuccessor": "state.successor(action)",
    "getNextState": "node.successor(action)",
    "isWin": "node.is_terminal (of a position also state.is_win)",
    "isLose": "node.is_terminal (of a position also state.is_lose)",
    "getScore": "self.evaluate(node) in a search, or state.score of a position",
    "getNumAgents": "node.layer, which says who decides",
    "evaluationFunction": "self.evaluate(node)",
    "depth": "plies, the second argument of search",
    "getAction": "search(node, plies)",
    "Directions": "NORTH, SOUTH, EAST, WEST and STOP of pacman",
    "manhattanDistance": "abs(x1 - x2) + abs(y1 - y2), or state.maze.distances(cell)",
    "util": "Python's own modules",
}
"""A name of the Berkeley project -> what to write here, also for a drawn tree."""
_BERKELEY_POSITION = {
    "getFood": "state.food, the positions of the food",
    "getNumFood": "state.food_left",
    "hasFood": "`(x, y) in state.food`",
    "getCapsules": "state.capsules",
    "getWalls": "state.maze, as in state.maze.is_wall(x, y)",
    "hasWall": "state.maze.is_wall(x, y)",
    "getPacmanPosition": "state.pacman.position",
    "getPacmanState": "state.pacman",
    "getGhostStates": "state.ghosts",
    "getGhostState": "state.ghosts[number]",
    "getGhostPosition": "state.ghosts[number].position",
    "getGhostPositions": "`[ghost.position for ghost in state.ghosts]`",
    "getPosition": "position, without parentheses",
    "getDirection": "direction, without parentheses",
    "scaredTimer": "timer",
    "asList": "state.food itself, which is a tuple of positions",
}
"""The same for a position of Pacman and for its parts."""
_MEANT = {
    **dict.fromkeys(("plies", "ply", "plies_left"), "plies, the second argument of search"),
    **dict.fromkeys(
        ("value", "utility", "eval", "evaluate"), "self.evaluate(node) for a leaf; other values come from your search"
    ),
    **dict.fromkeys(
        ("children", "successors", "get_children", "get_successors", "neighbors"),
        "node.successor(action) for each action of node.actions()",
    ),
    **dict.fromkeys(
        ("player", "agent", "turn", "type", "is_max", "is_min", "is_chance"), "node.layer, as in Layer.MIN"
    ),
    **dict.fromkeys(
        ("probability", "probabilities", "prob"), "`for action, probability in node.outcomes():` at a CHANCE node"
    ),
    **dict.fromkeys(("alpha", "beta"), "alpha and beta as parameters of your own method, from call to call"),
}
"""A name that people expect -> what to write here."""
_MEANT_POSITION = {
    **dict.fromkeys(("x", "y"), "`x, y = pose.position`, for example of state.pacman"),
    **dict.fromkeys(("walls", "width", "height"), "state.maze, as in state.maze.is_wall(x, y) and state.maze.width"),
    **dict.fromkeys(("pos", "position", "pacman_position"), "state.pacman.position"),
}
"""The same for a position of Pacman and for its parts."""
_BERKELEY_FILES = ("util", "game", "ghostAgents", "pacmanAgents", "multiAgents")


def advice(error: BaseException, frame: FrameType | None, source: Sequence[str], line: int) -> str:
    """What the student can write instead, for the end of the error's text; "" if nothing is known.

    `frame` is the innermost one of the student's code, and `line` its line in `source`. Raises no error, whatever the
    student's objects do.
    """
    try:
        if isinstance(error, AttributeError):
            return _about_member(error.obj, str(error.name), source)
        if isinstance(error, ImportError):
            return _about_import(error, " ".join(source[max(line - 1, 0) : line + 9]), source)
        if isinstance(error, UnboundLocalError):
            return ""
        if isinstance(error, NameError) and frame is not None:
            return _about_name(str(error.name), frame)
        if isinstance(error, TypeError) and "NoneType" in str(error):
            return _about_none(source)
    except KeyboardInterrupt:
        raise
    except BaseException:  # from a student's object, or a file that cannot be parsed
        pass
    return ""


def is_nearly_public(name: str) -> bool:
    """True for a name of a class, function or constant that a submission may import, or that is nearly one.

    >>> is_nearly_public("Line"), is_nearly_public("Lines"), is_nearly_public("search")
    (True, True, False)
    """
    return name in _BERKELEY or bool(get_close_matches(name, _PLACES, n=1, cutoff=0.75))


def misplaced_method(part: type, name: str, source: str) -> str:
    """Where a file defines the method `name` of the class `part`, if its indentation puts it elsewhere; else "".

    It is then inside another method, or outside the class.
    """
    import ast

    tree = _parsed(source)
    bodies = [(node.name, node.body) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for outer, body in (*bodies, ("", tree.body)):
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name == name and _has_self(node):
                place = f"inside the method {outer}" if outer else f"outside the class {part.__name__}"
                return f"indent the `def` of {name} (line {node.lineno}) like that of a method: it is {place}"
    return ""


@lru_cache(1)
def _parsed(source: str) -> ast.Module:
    """The syntax tree of a file. A diagnosis asks for the same one again and again."""
    import ast  # only in functions: it is slow to load

    return ast.parse(source)


def _has_self(function: ast.FunctionDef) -> bool:
    return [argument.arg for argument in function.args.args][:1] == ["self"]


def _about_member(owner: Any, name: str, source: Sequence[str]) -> str:
    owner = owner.inside if isinstance(owner, NodeWrapper) else owner
    if owner is None:
        return _about_none(source)
    if isinstance(owner, ModuleType):
        return _write_imports([name])
    if owner is Layer:
        return nearest(name, Layer.__members__) if name.isupper() else _did_you_mean(name, dir(owner))
    if owner is Line:
        return _did_you_mean(name, dir(owner))
    kind = type(owner)
    is_agent = isinstance(owner, agents.base.BaseAgent)
    if is_agent and (text := misplaced_method(kind, name, "\n".join(source))):
        return text
    is_ours = isinstance(owner, Outline | GameState | PacmanPose | GhostPose | Maze)
    if isinstance(owner, Line):
        return _did_you_mean(name, Line._fields)
    if not (is_ours or is_agent or isinstance(owner, tuple | list)):
        return _did_you_mean(name, dir(owner))
    native = _BERKELEY.get(name) or ("" if isinstance(owner, Outline) else _BERKELEY_POSITION.get(name, ""))
    if native:
        return f"write {native}: {name} is a name of the Berkeley project"
    if isinstance(owner, Outline):
        return _did_you_mean(name, _DRAWN, 0.75) or _meant(name)
    members = {*dir(kind), *getattr(owner, "__dict__", ())}
    members &= {*_POSE} if isinstance(owner, PacmanPose | GhostPose) else members
    meant = _meant(name, _MEANT_POSITION if is_ours else {}) if is_ours or is_agent else ""
    if not is_agent:
        return _did_you_mean(name, members) or meant
    is_set = re.search(rf"\bself\.{re.escape(name)}\b[^=\n]*=[^=]", "\n".join(source))
    near = _did_you_mean(name, members, 0.75) or meant
    return near or ("" if is_set else f"nothing in the file defines {name} for this class")


def _meant(name: str, more: Mapping[str, str] = MappingProxyType({})) -> str:
    text = {**_MEANT, **more}.get(name)
    return f"write {text}" if text else ""


def _about_import(error: ImportError, statement: str, source: Sequence[str]) -> str:
    if error.name in _BERKELEY_FILES and any("agents.base" in line for line in source):
        uses = [f"{name}: {_BERKELEY[name]}" for name in re.findall(r"\w+", statement) if name in _BERKELEY]
        uses = [each for each in uses if not each.startswith("util")]
        return "; ".join([f"{error.name} is a file of the Berkeley project, which this file does not need", *uses[:3]])
    match = re.match(r"cannot import name '(\w+)'", str(error))
    if match and match[1] not in _PLACES:
        return _write_imports([match[1]])
    found = re.match(r"\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,*]+)", statement)
    if not found:
        return ""
    names = re.findall(r"\w+|\*", found[2].split(" import ")[0])
    if "*" in names:
        return "import the names one by one, for example `from pacman import Layer, Line, Node`"
    own = found[1].partition(".")[0].lower() in ("pacman", "agents", "agent")
    return _write_imports([name for name in names if name in _PLACES]) if own else ""


def _write_imports(names: Sequence[str]) -> str:
    """The import statements for some names; for one unknown name, what it is called here, or the nearest name."""
    places: dict[str, list[str]] = {}
    for name in names:
        if name in _PLACES:
            places.setdefault(_PLACES[name], []).append(name)
    if places:
        return "write " + " and ".join(f"`from {place} import {', '.join(each)}`" for place, each in places.items())
    if len(names) != 1:
        return ""
    if names[0] in _BERKELEY:
        return f"use {_BERKELEY[names[0]]}: {names[0]} is a name of the Berkeley project"
    close = get_close_matches(names[0], _PLACES, n=1)
    return f"did you mean `from {_PLACES[close[0]]} import {close[0]}`?" if close else ""


def _about_name(name: str, frame: FrameType) -> str:
    agent = frame.f_locals.get("self")
    if isinstance(agent, agents.base.BaseAgent) and name in dir(type(agent)):
        return f"write self.{name}: it belongs to the class"
    if name in Layer.__members__:
        return f"write Layer.{name}"
    if name in _PLACES or name in _BERKELEY:
        return _write_imports([name])
    if name in sys.stdlib_module_names:
        return f"write `import {name}` at the top of the file"
    own = _did_you_mean(name, [*frame.f_locals, *frame.f_globals]) or _meant(name)
    return own or _did_you_mean(name, [*vars(builtins), *_PLACES], 0.85)


def _did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.7) -> str:
    """The known name that differs only in capital letters, or is similar, or begins with this name."""
    public = {each.lower(): each for each in known if not each.startswith("_")}
    close = get_close_matches(name.lower(), public, n=1, cutoff=cutoff)
    if len(name) > 2:
        close += [each for each in public if each.startswith(name.lower())]
    return f"did you mean '{public[close[0]]}'?" if close else ""


def _about_none(source: Sequence[str]) -> str:
    """The first line that computes a value in vain, or the first function that can end without a `return`."""
    import ast

    nodes = [*ast.walk(_parsed("\n".join(source)))]
    for node in nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Line", "max", "min", "sum"):
            return f"perhaps a `return` is missing in line {call.lineno}, which computes a value and drops it"
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and _ends_without_return(node.body) and _returns_value(node):
            ended = f"perhaps {node.name} (line {node.lineno}) ended without a `return`"
            return f"{ended}, or a variable still has its first value None"
    return ""


def _returns_value(function: ast.FunctionDef) -> bool:
    """True if a `return` of the function itself has a value, or if the function says that it returns one."""
    import ast

    if function.returns is not None:
        return ast.unparse(function.returns) != "None"
    nodes: list[ast.AST] = [*function.body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            return True
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            nodes += ast.iter_child_nodes(node)
    return False


def _ends_without_return(body: Sequence[ast.stmt]) -> bool:
    """True if the code after the last statement can be reached.

    An `elif` at the end counts as an `else`: one of the conditions is perhaps always true.
    """
    import ast

    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.If):
        other = last.orelse[-1] if last.orelse else None
        rest = other.body if isinstance(other, ast.If) else last.orelse
        return not rest or _ends_without_return(last.body) or _ends_without_return(rest)
    if isinstance(last, ast.With):
        return _ends_without_return(last.body)
    if isinstance(last, ast.While):
        return not (isinstance(last.test, ast.Constant) and last.test.value)
    return not isinstance(last, ast.Try | ast.Match)
