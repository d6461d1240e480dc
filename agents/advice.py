"""What an exception in a student's code means, and what to write instead: the same in a window, a game and a report.

Pure: it reads the type and the text of the exception, the lines of the file, and the number of the line. No object of
the student's code is touched. The student's own process asks it, because only there a stranger's file is parsed.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from inspect import isclass
from itertools import pairwise
from typing import TypeVar

import agents.base
import pacman
from agents import advice_tables as tables
from pacman.core.layout import Maze
from pacman.core.state import GameState
from pacman.core.tree import Layer, Line

T = TypeVar("T", bound=ast.AST)
NATIVE, CS188 = "native", "cs188"
"""The two styles of files: this project's own, and that of Berkeley's CS 188."""
CS188_MODULES = ("util", "game", "pacman", "ghostAgents")
"""The modules that `agents.cs188.modules` gives to a file of Berkeley's style."""
PLACES = {
    **{name: "pacman" for name, module in pacman._MODULE_OF.items() if module.startswith("pacman.core.")},
    **dict.fromkeys(("BaseAgent", "NotWritten", "ReflexBase", "SearchAgent"), "agents.base"),
}
"""Each public name that a student's file may import -> its module."""
_POSE = ("position", "direction", "cell", "timer", "is_scared")
_MEMBERS: dict[str, Sequence[str]] = {
    "Outline": ("layer", "is_terminal", "score", "actions", "successor", "outcomes"),
    "GameState": dir(GameState),
    "PacmanPose": _POSE,
    "GhostPose": _POSE,
    "Maze": dir(Maze),
    "Line": Line._fields,
    "Layer": tuple(Layer.__members__),
}
"""The members of the objects that a student's code gets, by the name of their class."""
_POSITION = frozenset(_MEMBERS) - {"Outline", "Line", "Layer"}
_NEAR = 0.8
"""How similar two names are, at least, if one is said to be meant: `getFood` is not `getGhost`."""
_LOOK_ALIKE = str.maketrans("АВЕЅІЈКМНОРСТХУаеѕіјорсхуΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABESIJKMHOPCTXYaesijopcxyABEZHIKMNOPTYXo")
"""Cyrillic and Greek letters -> the Latin letters that look the same."""
ASSUMED = {
    "": "your search gets a MIN node for each optimal ghost and a CHANCE node for every other one",
    "MIN": "your search takes every ghost for a minimiser",
    "CHANCE": "your search takes every ghost for a random one",
}
"""What an agent's class says of the ghosts -> what its search gets."""
_CONSTANT = r"""("[^"\n]*"|'[^'\n]*'|\b\d+\b)"""
GRID_NAME = re.compile(r"\s*(\w+)\s*=\s*(?:[\w.]+\.(getFood|getWalls)\(\)\s*$)?")
GRID_LOOP = re.compile(r"\bfor\s+(\w+)\s+in\s+(?:[\w.]+\.(getFood|getWalls)\(\)|(\w+))\s*(?=[:)\]]|if\b|$)")
LAYER_COMPARISON = re.compile(
    rf"\.layer\s*(?:[=!]=|is\b|in\b)(?:\s+not\b)?\s*[(\[{{]?\s*{_CONSTANT}"
    rf"|{_CONSTANT}\s*(?:[=!]=|is\b)(?:\s+not\b)?\s*\w+(?:\.\w+)*\.layer\b(?!\.)"
)
"""A line that compares the layer of a node with a string or a number; the group that is not None is that constant."""
_TEST = r"(\b(?:if|elif|while|and|or|not|return)\b|[=!]=)[\s(]*"
UNCALLED = {
    style: re.compile(rf"{_TEST}((?!self\.)(\w+)(?:\.\w+)*\.(?:{names}))\b(?!\s*[.(\[])")
    for style, names in tables.METHODS.items()
}
"""By style, a use of a method without its parentheses: the word before it, the method, and what it belongs to."""


def advice(error: str, source: Sequence[str] = (), line: int = 0, style: str = NATIVE) -> str:
    """What usually causes an error, or what to write instead, in one or two sentences; "" if nothing is known.

    `error` is "TYPE: TEXT", as Python writes it; `source` are the lines of the file in which it happened.

    >>> advice("AttributeError: 'GameState' object has no attribute 'getScore'")[:31]
    'Write self.evaluate(node) in a '
    >>> advice("NameError: name 'ing' is not defined")
    'The name is misspelt, or its `import` is missing.'
    """
    kind, _, text = error.partition(": ")
    code = source[line - 1].strip() if 0 < line <= len(source) else ""
    with suppress(RecursionError):  # a file can be nested more deeply than `ast.unparse` goes
        if near := _about(kind, text, code, _File(source, line), style):
            return near
    rows = (*(tables.NATIVE_CAUSES if style == NATIVE else tables.CS188_CAUSES), *tables.CAUSES)
    return next((cause for pattern, cause in rows if re.match(pattern, f"{error} ({code})")), "")


def time_advice(style: str, is_match: bool, is_one_answer: bool = False) -> str:
    """What to look at if code did not answer in time, alone or in a match; of one answer, the line is known."""
    if is_one_answer:
        first = "One answer took all this time: does every loop and every recursion end?"
        return f"{first} A search of squares has to remember the squares that it has seen."
    if style == NATIVE:
        return "To see where your code is, run the case with `python -m autograder case`, and press Ctrl-C."
    if is_match:
        return "This is the time limit of all games together: how long does it take to evaluate one state?"
    return "Does every branch of the recursion come closer to self.depth, isWin() or isLose()?"


def syntax_advice(problem: str, style: str = NATIVE) -> str:
    """What to change in a file that is not valid Python 3, by Python's own text; "" if nothing is known."""
    if style == CS188 and any(sign in problem for sign in tables.PYTHON_2_SYNTAX):
        return "This is Python 2. In Python 3 write `print(...)`, `except E as e:`, and `//` to divide integers."
    if "inconsistent use of tabs" in problem or "unindent does not match" in problem:
        return "Indent only with spaces."
    return ""


def layer_advice(source: Iterable[str]) -> str:
    """What to write in the first line that compares a layer with a string or a number; "" if there is none."""
    for number, line in enumerate(source, 1):
        if match := LAYER_COMPARISON.search(line[:300].partition("#")[0]):
            other = (match[1] or match[2])[:20]
            word = other.strip("\"'").upper().removeprefix("LAYER.")
            write = f"Layer.{word}, without quotes" if word in Layer.__members__ else "for example Layer.MAX"
            return f"Line {number} compares a layer with {other}. They are never equal: write {write}."
    return ""


def grid_advice(source: Iterable[str]) -> str:
    """What to write in the first line that goes through a grid as if it were a list of positions; "" if there is none.

    >>> grid_advice(["food = state.getFood()", "near = min(distance(here, each) for each in food)"])[:46]
    'Line 2 goes through getFood() itself: its item'
    """
    grids, lines = dict[str, str](), [*source]
    for number, line in enumerate(lines, 1):
        text = line[:300].partition("#")[0]
        if re.match(r"\s*(?:def|class)\b", text):
            grids.clear()
        if match := GRID_LOOP.search(text):
            grid = match[2] or grids.get(match[3], "")
            is_column = re.search(rf"\bin\s+(?:enumerate\()?{match[1]}\b", "\n".join(lines[number - 1 : number + 2]))
            if grid and not is_column:
                items = f"Line {number} goes through {grid}() itself: its items are columns of True and False"
                return f"{items}. For positions write {grid}().asList()."
        if match := GRID_NAME.match(text):
            grids[match[1]] = match[2] or ""
    return ""


def uncalled_advice(source: Sequence[str], part: str, style: str) -> str:
    """What is missing in the first test of a method itself in this class or function; "" if nothing is.

    >>> uncalled_advice(["class MinimaxAgent:", "    if state.isWin or state.isLose():"], "MinimaxAgent", CS188)
    'Line 2 tests the method state.isWin itself, which is always true: its () are missing.'
    """
    nodes = {name for line in source for name in re.findall(r"\b(\w+)\.(?:successor|layer)\b", line[:300])}
    for number, code in _lines_of(source, part):
        match = UNCALLED[style].search(code)
        if match and (style == CS188 or match[3] in nodes):
            how = {"return": "returns", "==": "compares with", "!=": "compares with"}.get(match[1], "tests")
            truth = ", which is always true" if how == "tests" else ", not with its result" if "=" in match[1] else ""
            return f"Line {number} {how} the method {match[2]} itself{truth}: its () are missing."
    return ""


def constructor_advice(source: Sequence[str], part: str) -> str:
    """What is missing if a Berkeley-style agent takes a depth and does not pass it on; "" if nothing is.

    >>> lines = ["class MinimaxAgent(A):", "    def __init__(self, evalFn, depth='2'):", "        super().__init__()"]
    >>> constructor_advice(lines, "MinimaxAgent")[:60]
    'Line 3 does not pass evalFn and depth on, so self.depth keep'
    """
    lines, calls = [*_lines_of(source, part)], r"\b(?:super\([^()]*\)\.__init__\(|\w+\.__init__\(self)\)"
    number = next((number for number, code in lines if re.search(calls, code)), 0)
    takes_depth = any(re.match(r"\s+def __init__\(.*\bdepth\b", code) for _, code in lines)
    if not number or not takes_depth or any(re.search(r"\bself\.depth\b[^=]*=[^=]", code) for _, code in lines):
        return ""
    kept = "so self.depth keeps its default, also where the grader asks for another depth"
    return f"Line {number} does not pass evalFn and depth on, {kept}: write super().__init__(evalFn, depth)."


def assumes_advice(source: Sequence[str], part: str, layers: Collection[str]) -> str:
    """What is wrong with the line `assumes` of a search for these layers; "" if it is right, or in another class.

    >>> assumes_advice(["class MinimaxAgent(SearchAgent):", "    assumes = Layer.CHANCE"], "MinimaxAgent", ["min"])[:27]
    'Line 2 says `assumes = Laye'
    """
    wanted = "" if {"min", "chance"} <= {*layers} else "MIN" if "min" in layers else "CHANCE"
    lines = [*_lines_of(source, part)]
    said = [
        (number, match[1]) for number, code in lines if (match := re.match(r"\s+assumes\b.*=\s*([\w.]{1,80})", code))
    ]
    is_agent = bool(lines) and lines[0][1].startswith(f"class {part}(SearchAgent)")
    if not is_agent or len(said) > 1 or (not said and any("assumes" in code for _, code in lines)):
        return ""
    found = said[0][1].rpartition(".")[2].removesuffix("None") if said else ""
    if found == wanted or found not in ASSUMED:
        return ""
    place = "Line {} says `assumes = {}`".format(*said[0]) if said else f"{part} has no line with `assumes`"
    needed = f"needs `assumes = Layer.{wanted}`" if wanted else "needs no such line"
    return f"{place}, so in a game {ASSUMED[found]}. {part} {needed}."


def _lines_of(source: Sequence[str], part: str) -> Iterator[tuple[int, str]]:
    """The numbers and the code of the lines of a class or function at top level, without comments and texts."""
    is_inside = is_text = False
    for number, line in enumerate(source, 1):
        has_quotes = (line.count('"""') + line.count("'''")) % 2 == 1
        if not is_text and re.match(r"[^\s#)\]}]", line):
            is_inside = bool(re.match(rf"(?:class|def) {part}\b", line))
        if is_inside:
            code = re.sub(r"""(["']).*?\1""", "", line[:300]).partition("#")[0]
            yield number, "" if is_text or has_quotes else code
        is_text ^= has_quotes


def other_style(style: str) -> str:
    """What to do about a file in this style if the assignment expects the other one."""
    own, other = (
        ("Berkeley's style", "this project's own") if style == CS188 else ("this project's own style", "Berkeley's")
    )
    return f"This file is in {own}, and the assignment expects {other}. `--api {style}` is for files in {own}."


def missing_base(part: str, role: str) -> str:
    """Why a class without a base class is no agent, and what to write.

    >>> missing_base("MinimaxAgent", "search")[:67]
    'the class MinimaxAgent has no base class: write `class MinimaxAgent'
    """
    base = "SearchAgent" if role == "search" else "ReflexBase"
    return f"the class {part} has no base class: write `class {part}({base}):`, and import {base} from agents.base"


def nearest_part(part: str, names: Iterable[str]) -> str:
    """The name that is probably meant by the name of a part, whatever its capitals; "" if none is near.

    >>> nearest_part("MinimaxAgent", ["MINIMAX", "ExpectimaxAgent"]), nearest_part("MinimaxAgent", ["MaxAgent"])
    ('MINIMAX', '')
    """
    own = {_stem(name): name for name in names}
    close = get_close_matches(_stem(part), own, n=1, cutoff=0.85)  # stricter than usual: parts have similar names
    return own[close[0]] if close else ""


def other_letter(name: str) -> str:
    """A sentence about the first letter of a name that looks like a Latin one and is none; "" if there is none.

    >>> other_letter("Minimax\\u0410gent"), other_letter("MinimaxAgent")
    (' Its letter 8 is CYRILLIC CAPITAL LETTER A.', '')
    """
    number = next((number for number, letter in enumerate(name) if ord(letter) in _LOOK_ALIKE), -1)
    return f" Its letter {number + 1} is {unicodedata.name(name[number])}." if number >= 0 else ""


def is_nearly_public(name: str) -> bool:
    """True for a name of a class, function or constant that a file may import, or that is nearly one.

    >>> is_nearly_public("Line"), is_nearly_public("Lines"), is_nearly_public("search")
    (True, True, False)
    """
    return name in tables.BERKELEY or bool(get_close_matches(name, PLACES, n=1, cutoff=_NEAR))


def _stem(name: str) -> str:
    """The part of a name by which a misspelt name is recognised: "minimax" for MiniMax_Agent."""
    return name.translate(_LOOK_ALIKE).replace("_", "").lower().removesuffix("agent")


def _about(kind: str, text: str, code: str, file: _File, style: str) -> str:
    """What the names in an error, or in its file, say about its cause."""
    if style == CS188 and (old := next((each for each in tables.PYTHON_2 if f"'{each}'" in text), "")):
        return f"This is Python 2: in Python 3 write {tables.PYTHON_2[old]}."
    if kind == "NotWritten":
        return file.unwritten(text.partition(" ")[0])
    if kind in ("ModuleNotFoundError", "ImportError", "ForbiddenImport"):
        return _about_import(text, file, style)
    bare = {*re.findall(rf"\.({tables.METHODS[style]})\b(?!\s*\()", code)}
    if len(bare) == 1 and re.search(r"'(builtin_function_or_)?method'", text):
        return f"The parentheses after {bare.pop()} are missing."
    if kind == "UnboundLocalError" and (match := re.search(r"'(\w+)'", text)):
        return file.own_member(match[1] if f"{match[1]}(" in code else "") or file.too_early(match[1])
    if "outcomes() was called" in text and (second := file.second_if()):
        return second
    if kind == "AttributeError" and "NoneType" not in text:
        return _about_member(text, code, file, style)
    if kind == "NameError" and (match := re.match(r"name '(\w+)' is not defined", text)):
        return _about_name(match[1], file, style)
    divisor = re.search(r"/\s*(\w+)", code) if kind == "ZeroDivisionError" else None
    if divisor and re.search(rf"\b{divisor[1]}\s*=\s*len\(", file.text):
        return f"{divisor[1]} is 0 here: it counts a list that is empty, for example the actions at the end of a game."
    is_pair = "'str'" in text  # of equal values, whose actions Python compares
    return file.about_none(code) if not is_pair and ("NoneType" in text or " returned None" in text) else ""


def _about_member(text: str, code: str, file: _File, style: str) -> str:
    match = re.match(r"(?:type object |module )?'([\w.]+)'(?: object)? has no attribute '(\w+)'", text)
    owner, name = match.groups() if match else ("", text)
    if not match and re.fullmatch(r"\w+", text) and f"Layer.{text}" in code:
        owner = "Layer"  # Python 3.11 says only the name of a member that an Enum lacks
    if style == NATIVE and owner in ("pacman", "agents", "agents.base"):
        return _write_imports([name])
    if style == NATIVE and owner in _MEMBERS:
        near = _did_you_mean(name, _MEMBERS[owner], 0.75)
        if owner in ("Layer", "Line"):
            return near or (f"Known: {', '.join(sorted(Layer.__members__))}." if owner == "Layer" else "")
        return _berkeley(name, owner in _POSITION) or near or _meant(name, owner in _POSITION)
    if owner not in file.classes:  # a type of Python
        kind = getattr(builtins, owner, None)
        near = _did_you_mean(name, dir(kind)) if isclass(kind) else ""
        return near or (_berkeley(name, True) if style == NATIVE and owner in ("tuple", "list") else "")
    if text := file.misplaced(owner, name):
        return text
    is_agent = hasattr(agents.base, owner) or owner.endswith("Agent")
    is_given = name in ("depth", "evaluationFunction", "index")
    if style == CS188 and is_given and is_agent and not file.classes[owner].bases:
        return f"The class {owner} has no base class: write `class {owner}(MultiAgentSearchAgent):`."
    if style == CS188 and is_given and (text := file.replaced_constructor(owner)):
        return text
    if style == NATIVE and file.is_agent(owner):
        near = _berkeley(name, True) or _did_you_mean(name, file.members(owner), 0.75) or _meant(name, False)
    else:
        near = _did_you_mean(name, file.members(owner))
    is_set = re.search(rf"\bself\.{re.escape(name)}\b[^=\n]*=[^=]", file.text)
    return near or ("" if is_set else f"Nothing in the file defines {name} for this class.")


def _about_name(name: str, file: _File, style: str) -> str:
    if text := file.own_member(name):
        return text
    if style == NATIVE and name in Layer.__members__:
        return f"Write Layer.{name}."
    if style == NATIVE and (name in PLACES or name in tables.BERKELEY):
        return _write_imports([name])
    if name in sys.stdlib_module_names:
        return f"Write `import {name}` at the top of the file."
    if text := file.unbound(name):
        return text
    own = _did_you_mean(name, file.names() - {name}, 0.7) or (_meant(name, False) if style == NATIVE else "")
    return own or _did_you_mean(name, [*vars(builtins), *(PLACES if style == NATIVE else ())], 0.85)


def _about_import(text: str, file: _File, style: str) -> str:
    absent = re.search(r"No module named '([\w.]+)'|^([\w.]+)$", text)
    module = (absent[1] or absent[2]) if absent else ""
    match = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", text)
    name, place = match.groups() if match else ("", "")
    if style == CS188:
        if "agents.base" in file.text:
            return other_style(NATIVE)
        return _about_cs188_import(module.partition(".")[0], name, place)
    statement = " ".join(file.lines[max(file.line - 1, 0) : file.line + 9])
    if module in tables.BERKELEY_FILES and "agents.base" in file.text:
        words = [word for word in re.findall(r"\w+", statement) if word in tables.BERKELEY and word != "util"]
        uses = [f"{word}: {tables.BERKELEY[word]}" for word in words[:3]]
        return "; ".join([f"This file does not need {module}, a file of the Berkeley project", *uses]) + "."
    if module in ("util", "game", "ghostAgents"):
        return other_style(CS188)
    if name and name not in PLACES:
        return _write_imports([name])
    parts = re.match(r"\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,*]+)", statement)
    names = re.findall(r"\w+|\*", parts[2].split(" import ")[0]) if parts else []
    if "*" in names:
        return "Import the names one by one, for example `from pacman import Layer, Line, Node`."
    if parts and parts[1].partition(".")[0].lower() in ("pacman", "agents", "agent"):
        return _write_imports([name for name in names if name in PLACES])
    with_it = "hand it in too, or grade both files: their folder, or this one with --with"
    return f"If {module} is a file of your own, {with_it}." if module else ""


def _about_cs188_import(module: str, name: str, place: str) -> str:
    """About an import of a Berkeley-style file: of an absent `module`, or of a `name` that `place` does not have."""
    if name:
        names = dir(sys.modules.get(place)) if place in CS188_MODULES else ()
        return _did_you_mean(name, (each for each in names if "_" in name or "_" not in each or each.isupper()), 0.7)
    if module in tables.GRAPHICS:
        return "Graded code cannot use graphics: delete this import."
    if module in tables.OTHER_PROJECTS:
        return "Only multiAgents.py is graded, without the project's other files: copy what you use into it."
    known = f"A file can import {', '.join(CS188_MODULES)}, numpy and Python's own modules."
    return f"{_did_you_mean(module, CS188_MODULES, 0.75)} {known}".strip() if module else ""


def _write_imports(names: Sequence[str]) -> str:
    """The import statements for some names; for one unknown name, what it is called here, or the nearest name."""
    places: dict[str, list[str]] = {}
    for name in names:
        if name in PLACES:
            places.setdefault(PLACES[name], []).append(name)
    if places:
        parts = [f"`from {place} import {', '.join(each)}`" for place, each in places.items()]
        return f"Write {' and '.join(parts)}."
    if len(names) != 1:
        return ""
    if names[0] in tables.BERKELEY:
        return f"Use {tables.BERKELEY[names[0]]}: {names[0]} is a name of the Berkeley project."
    close = get_close_matches(names[0], PLACES, n=1, cutoff=_NEAR)
    return f"Did you mean `from {PLACES[close[0]]} import {close[0]}`?" if close else ""


def _berkeley(name: str, is_position: bool) -> str:
    write = tables.BERKELEY.get(name) or (tables.BERKELEY_POSITION.get(name, "") if is_position else "")
    return f"Write {write}: {name} is a name of the Berkeley project." if write else ""


def _meant(name: str, is_position: bool) -> str:
    rows = [*(tables.MEANT_POSITION.items() if is_position else ()), *tables.MEANT.items()]
    return next((f"Write {write}." for names, write in rows if name in names.split()), "")


def _did_you_mean(name: str, known: Iterable[str], cutoff: float = _NEAR) -> str:
    """The known name that differs only in capital letters, or is similar, or begins with this name."""
    public = {each.lower(): each for each in known if not each.startswith("_") and each != name}
    close = get_close_matches(name.lower(), public, n=1, cutoff=cutoff)
    if len(name) > 2:
        close += [each for each in public if each.startswith(name.lower())]
    return f"Did you mean '{public[close[0]]}'?" if close else ""


@lru_cache(1)
def _parsed(source: str) -> ast.Module:
    """The syntax tree of a file, empty if it is not Python. A diagnosis asks for the same one again and again."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names to which these nodes give a value, and those that they say are given one elsewhere."""
    names = set[str]()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.alias):
            names.add((isinstance(node, ast.alias) and node.asname) or node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names.update(node.names)
        elif isinstance(node, ast.arg) or (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)):
            names.add(node.arg if isinstance(node, ast.arg) else node.id)
    return names


def _returns(node: ast.AST) -> bool:
    """True if something in it returns a result."""
    return any(isinstance(each, ast.Return) and each.value for each in ast.walk(node))


class _File:
    """What a file defines, and around one of its lines."""

    def __init__(self, lines: Sequence[str], line: int) -> None:
        self.lines, self.line = lines, line
        self.text = "\n".join(each.rstrip("\r\n") for each in lines)

    def each(self, *kinds: type[T]) -> list[T]:
        """Every node of these kinds in the syntax tree."""
        return [node for node in ast.walk(_parsed(self.text)) if isinstance(node, kinds)]

    @property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes of the file by name."""
        return {node.name: node for node in self.each(ast.ClassDef)}

    @property
    def function(self) -> ast.FunctionDef | None:
        """The innermost function whose body has the line; None if there is none."""
        functions = self.each(ast.FunctionDef)
        around = [node for node in functions if node.body[0].lineno <= self.line <= (node.end_lineno or 0)]
        return max(around, key=lambda node: node.lineno, default=None)

    def is_in(self, node: ast.ClassDef) -> bool:
        """True if the line stands in a class."""
        return node.lineno <= self.line <= (node.end_lineno or 0)

    def unbound(self, name: str) -> str:
        """Where a name has no value that is a variable of other functions only, not of that with the line; else ""."""
        functions = self.each(ast.FunctionDef)
        inner = self.function
        inside = {below for node in functions for below in ast.walk(node) if below is not node}
        outside = (node for node in ast.walk(_parsed(self.text)) if node not in inside)
        if inner is None or name not in _names(inside) or name in _names(ast.walk(inner)) | _names(outside):
            return ""
        parameters = ast.unparse(inner.args) or "none"
        return f"{inner.name} (line {inner.lineno}) gives {name} no value; its parameters are: {parameters}."

    def too_early(self, name: str) -> str:
        """Why a variable of the function with the line has no value there, if no line above gives it one; else ""."""
        nodes = ast.walk(self.function) if self.function else ()
        stores = [
            each.lineno
            for each in nodes
            if isinstance(each, ast.Name) and (each.id, type(each.ctx)) == (name, ast.Store)
        ]
        if hasattr(builtins, name) and stores:
            what = f"Line {stores[0]} gives {name} a value, so in this function {name} is not Python's own {name}"
            return f"{what}: give the variable another name."
        return f"No line above it in this function gives {name} a value." if stores and min(stores) >= self.line else ""

    def second_if(self) -> str:
        """What to write if the line is in the `else` of an `if` that stands after another one, both about a layer."""
        nodes = ast.walk(_parsed(self.text))
        bodies = [
            body for node in nodes for name in ("body", "orelse") if isinstance(body := getattr(node, name, 0), list)
        ]
        for first, second in (pair for body in bodies for pair in pairwise(body)):
            if isinstance(first, ast.If) and isinstance(second, ast.If) and second.orelse and not first.orelse:
                is_inside = second.orelse[0].lineno <= self.line <= (second.orelse[-1].end_lineno or 0)
                if (
                    is_inside
                    and _ends_without_return(first.body)
                    and all(".layer" in ast.unparse(each.test) for each in (first, second))
                ):
                    where = f"also runs after the `if` in line {first.lineno}"
                    return f"The `else` around this line {where}: write `elif` in line {second.lineno}."
        return ""

    def unwritten(self, part: str) -> str:
        """Why a part such as "MinimaxAgent.search" is not written although the file seems to have it; else "".

        It is defined twice, or under a similar name.
        """
        owner, _, name = part.rpartition(".")
        same = [node for node in _parsed(self.text).body if isinstance(node, ast.ClassDef) and node.name == owner]
        body = same[-1].body if same else _parsed(self.text).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        own = [node for node in functions if node.name == name]
        for what, twice in ((owner, same), (name, own)):
            if any(_returns(node) for node in twice[-2:-1]):
                lines = " and ".join(str(node.lineno) for node in twice[-2:])
                return (
                    f"{what} is defined twice (lines {lines}), and the last one counts: delete the one that is empty."
                )
        if place := self.misplaced(owner, name):
            return place
        others = {_stem(node.name): node for node in functions if node.name != name and self._is_spare(node)}
        close = get_close_matches(_stem(name), others, n=1, cutoff=_NEAR)
        return f"Line {others[close[0]].lineno} defines {others[close[0]].name}: write {name}." if close else ""

    def _is_spare(self, function: ast.FunctionDef) -> bool:
        """True for a function with a result whose name stands nowhere else, as that of a part that is misspelt."""
        around = (*self.lines[: function.lineno - 1], *self.lines[function.end_lineno or 0 :])
        return _returns(function) and not re.search(rf"\b{function.name}\b", "\n".join(around))

    def _bases(self, name: str) -> list[str]:
        """The names of a class and of the classes above it, each once."""
        names, classes = [name], self.classes
        for each in names:  # it grows
            bases = classes[each].bases if each in classes else []
            above = dict.fromkeys(ast.unparse(base).rpartition(".")[2] for base in bases)
            names += [base for base in above if base not in names]
        return names

    def is_agent(self, name: str) -> bool:
        """True if a class of the file is one of `agents.base` with something more."""
        return any(hasattr(agents.base, base) and base not in self.classes for base in self._bases(name))

    def members(self, name: str) -> set[str]:
        """The methods and attributes of a class of the file, with those of its bases."""
        members = {"rounds", "evaluation", "rng"} if self.is_agent(name) else set[str]()
        for base in self._bases(name):
            members.update(dir(getattr(agents.base, base, object)))
            for node in ast.walk(self.classes[base]) if base in self.classes else ():
                if isinstance(node, ast.FunctionDef):
                    members.add(node.name)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    members.add(node.attr)
                elif isinstance(node, ast.Assign) and node in self.classes[base].body:
                    members.update(target.id for target in node.targets if isinstance(target, ast.Name))
        return members

    def names(self) -> set[str]:
        """The names to which the file gives a value."""
        return _names(ast.walk(_parsed(self.text)))

    def own_member(self, name: str) -> str:
        """What to write for the name of a member of the class around the line; "" if it has no such member."""
        owner = next((each.name for each in reversed(self.classes.values()) if self.is_in(each)), "")
        return f"Write self.{name}: it belongs to the class." if owner and name in self.members(owner) else ""

    def replaced_constructor(self, name: str) -> str:
        """What to write if the class has an `__init__` that does not call the one of its base class; else ""."""
        own = [
            each for each in self.classes[name].body if isinstance(each, ast.FunctionDef) and each.name == "__init__"
        ]
        if not own or ast.unparse(own[0]).count("__init__") > 1:
            return ""
        head = "def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):"
        what = f"The __init__ in line {own[0].lineno} takes the place of the one that sets it"
        return f"{what}: write `{head}` and, first in it, `super().__init__(evalFn, depth)`."

    def misplaced(self, part: str, name: str) -> str:
        """Where the method `name` of the class `part` is defined instead of in this class; else ""."""
        bodies = [(f"inside the method {node.name}", node.body) for node in self.each(ast.FunctionDef)]
        for place, body in (*bodies, (f"outside the class {part}", _parsed(self.text).body)):
            for node in body:
                if not isinstance(node, ast.FunctionDef) or node.name != name:
                    continue
                if [argument.arg for argument in node.args.args][:1] == ["self"]:
                    return f"Indent the `def` of {name} (line {node.lineno}) like that of a method: it is {place}."
        return ""

    def about_none(self, code: str) -> str:
        """The line that computes a value in vain, asks a dict for nothing, or the function that may not return.

        `code` is the line of the error.
        """
        for call in (node.value for node in self.each(ast.Expr)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Line", "max", "min", "sum"):
                return f"Perhaps a `return` is missing in line {call.lineno}, which computes a value and drops it."
        for number, line in enumerate(self.lines[: self.line], 1):
            asks = re.search(r"(?:\b(\w+)\s*=(?!=).*)?\.get\([^,()]*\)", line)
            if asks and (number == self.line or (asks[1] and re.search(rf"\b{asks[1]}\b", code))):
                what = f"The `get` in line {number} gives None for a key that the dict does not have"
                return f"{what}: give it a second argument, for example `.get(key, 0)`."
        for function in self.each(ast.FunctionDef):
            says = ast.unparse(function.returns) if function.returns else ""
            if _ends_without_return(function.body) and (says or _returns(function)) and says != "None":
                cause = f"Perhaps {function.name} (line {function.lineno}) ended without a `return`"
                return f"{cause}, or a variable still has its first value None.{self._no_assumption()}"
        return ""

    def _no_assumption(self) -> str:
        """A sentence about a search without CHANCE nodes that does not say so; "" if the line is in none."""
        for owner in filter(self.is_in, self.classes.values()):
            text = ast.unparse(owner)
            is_own = [ast.unparse(base) for base in owner.bases] == ["SearchAgent"] and "Layer.MIN" in text
            if is_own and not re.search(r"\bassumes\b|\bCHANCE\b|\.outcomes\b", text):
                return f" {owner.name} has no line `assumes = Layer.MIN`, so random ghosts are CHANCE nodes."
        return ""


def _ends_without_return(body: Sequence[ast.stmt]) -> bool:
    """True if the code after the last statement can be reached.

    An `elif` at the end counts as an `else`: one of the conditions is perhaps always true.
    """
    last = body[-1]
    if isinstance(last, ast.If):
        other = last.orelse[-1] if last.orelse else None
        rest = other.body if isinstance(other, ast.If) else last.orelse
        return not rest or _ends_without_return(last.body) or _ends_without_return(rest)
    if isinstance(last, ast.With):
        return _ends_without_return(last.body)
    if isinstance(last, ast.While):
        return not (isinstance(last.test, ast.Constant) and last.test.value)
    return not isinstance(last, ast.Return | ast.Raise | ast.Try | ast.Match)
