"""The student's side: runs a submission and answers one case's requests. It knows no reference and keeps no score.

Started by `autograder.sandbox` as `python worker.py PIPE`; requests come on the standard input, replies leave by PIPE.
Everything that this process says is a claim, since the student's code can change anything in here.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from numbers import Real
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = ("autograder", "agents.solutions", "agents.load", "pacman.search", "pacman.kernel")
MAX_MADE = 200_000
MAX_VALUES = 2_000
MAX_TEXT = 300
MODULE = "submission"


class Hidden(ImportError):
    """A submission imports what would answer for it."""


class Refused(Exception):
    """What was asked for is not there, or is not what was expected; the text is for the student."""


class Hider(importlib.abc.MetaPathFinder):
    """Keeps the grader and ready-made searches out of a submission. (A courtesy: the sandbox is what holds.)"""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if any(name == hidden or name.startswith(hidden + ".") for hidden in HIDDEN):
            raise Hidden(f"imports {name}, which a submission may not use")
        return None


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from autograder.transport import MAX_REPLY, MAX_REQUEST, inherited, receive, send

    requests, replies = os.dup(0), inherited(sys.argv[1])
    _empty_stdin()
    student = Student()
    while True:
        body = receive(requests, MAX_REQUEST)
        if body is None:
            os._exit(0)
        request: dict[str, Any] = json.loads(body)
        try:
            reply = student.answer(request)
        except BaseException as error:  # whatever a submission raises, SystemExit too, is its answer
            reply = {"fault": student.fault(error)}
        reply["n"] = request["n"]
        sys.stdout.flush()
        send(replies, reply, MAX_REPLY)


def _empty_stdin() -> None:
    """A submission that reads its input finds an end, and not the next request."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


class Student:
    """One submission, and the part of it that is asked."""

    def __init__(self) -> None:
        self.path = ""
        self.source: list[str] = []
        self.part: Any = None
        self.exhaustive: Any = None
        self.doing = "starting"

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {
            "survey": self.survey,
            "load": self.load,
            "make": self.make,
            "begin": self.begin,
            "search": self.search,
            "choose": self.choose,
        }[request["ask"]](request)

    def survey(self, request: dict[str, Any]) -> dict[str, Any]:
        """The names that each file defines at its top, without running it."""
        return {"files": [_survey(Path(file)) for file in request["files"]]}

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Imports the submission, within the limits, seeing only what graded code may import."""
        _limit(request["seconds"], request["memory_mb"])
        self.path, self.doing = request["path"], "importing"
        text = Path(self.path).read_bytes()
        sys.path += [*request["site"], str(Path(self.path).parent)]
        from pacman.errors import InputError  # noqa: F401  (the rules, ready before the search is hidden)

        if request["role"] == "evaluation":
            from pacman.search import exhaustive

            self.exhaustive = exhaustive  # to put under the evaluation, see `make`
        for name in [name for name in sys.modules if name.partition(".")[0] == "autograder"]:
            del sys.modules[name]
        for name in [name for name in sys.modules if name.startswith("pacman.search")]:
            del sys.modules[name]
        sys.meta_path.insert(0, Hider())
        code: CodeType = compile(text, self.path, "exec", dont_inherit=True)
        self.source = importlib.util.decode_source(text).splitlines()
        spec = importlib.util.spec_from_file_location(MODULE, self.path)
        assert spec is not None
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[MODULE] = self.module  # a dataclass, or `evaluation=NAME`, looks its module up by name
        exec(code, vars(self.module))
        return {}

    def make(self, request: dict[str, Any]) -> dict[str, Any]:
        """Readies the part in question: an agent, or an evaluation under a search of ours."""
        from agents.base import SearchAgent

        self.doing = name = request["part"]
        part: Any = vars(self.module).get(name)
        is_class = request["role"] != "evaluation"
        if not callable(part) or isinstance(part, type) != is_class:
            raise Refused(f"{name} is missing: the file defines no such {'class' if is_class else 'function'}")
        if request["role"] == "evaluation":
            exhaustive = self.exhaustive

            class Under(SearchAgent):
                def search(self, node: Any, plies: int) -> Any:
                    return exhaustive(node, plies, lambda leaf: _number_of(part(leaf), name))

            self.part = Under(request["rounds"])
        else:
            self.part = part(rounds=request["rounds"]) if issubclass(part, SearchAgent) else part()
        return {}

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        from random import Random

        self.doing = "begin"
        self.part.begin(Random(request["seed"]))
        return {}

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """The line that the student's search finds, and what it touched on the way."""
        from pacman.outline import Outline
        from pacman.state import GameState
        from pacman.trace import Counted, Trace

        self.doing = "search"
        root = Outline.parse(request["tree"]) if "tree" in request else GameState.parse(request["position"])
        trace = Trace()
        values: list[tuple[int, float]] = []
        _watch(self.part, values)
        line = self.part.search(Counted(root, trace), request["plies"])
        if not isinstance(line, tuple) or len(line) != 2:
            raise Refused(f"search returned {_said(line)}; expected Line(value, action)")
        value, action = line
        names = {action: index for index, action in enumerate(dict.fromkeys(trace.actions))}
        reply: dict[str, Any] = {
            "value": _plain(value),
            "said": _said(value),
            "action": str(action)[:MAX_TEXT] if isinstance(action, str) else None,
            "choice": _said(action),
            "generated": len(trace.made),
        }
        if len(trace.made) <= MAX_MADE:
            reply["trace"] = {
                "names": list(names),
                "parents": trace.parents,
                "actions": [names[action] for action in trace.actions],
                "made": trace.made,
            }
            reply["values"] = values
        return reply

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        from pacman.state import GameState

        self.doing = "choose"
        action = self.part.choose(GameState.parse(request["position"]))
        if not isinstance(action, str):
            raise Refused(f"choose returned {_said(action)}; expected an action")
        return {"action": str(action)[:MAX_TEXT]}

    def fault(self, error: BaseException) -> dict[str, Any]:
        """What went wrong, with the student's own line: the innermost of the traceback that stands in his file."""
        import traceback

        line = 0
        trace: TracebackType | None = error.__traceback__
        for frame, number in traceback.walk_tb(trace):
            if frame.f_code.co_filename == self.path:
                line = number
        if isinstance(error, SyntaxError) and error.filename == self.path:
            line = error.lineno or 0
        kind = "raised"
        if isinstance(error, Refused):
            kind, line = "refused", 0
        elif isinstance(error, Hidden):
            kind = "hidden"
        elif isinstance(error, ModuleNotFoundError):
            kind = "missing package"
        elif type(error).__name__ == "NotWritten":
            kind = "not written"
        elif isinstance(error, SystemExit):
            kind = "exit"
        return {
            "kind": kind,
            "type": type(error).__name__[:MAX_TEXT],
            "message": _text_of(error.name if isinstance(error, ModuleNotFoundError) else error),
            "line": line,
            "text": self.source[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(self.source) else "",
            "doing": self.doing,
        }


def _watch(agent: Any, values: list[tuple[int, float]]) -> None:
    """Has `agent.search`, as it calls itself, write down the value of each counted node: for the drawing of a miss."""
    search: Callable[..., Any] = type(agent).search

    def watched(node: Any, *rest: Any, **named: Any) -> Any:
        line = search(agent, node, *rest, **named)
        number = getattr(node, "_number", None)
        if number is not None and isinstance(line, tuple) and line and len(values) < MAX_VALUES:
            value = _plain(line[0])
            if value is not None:
                values.append((number, value))
        return line

    agent.search = watched


def _number_of(value: Any, name: str) -> float:
    """`value` if an evaluation may return it."""
    plain = _plain(value)
    if plain is None:
        raise Refused(f"{name} returned {_said(value)}; expected a finite number")
    return plain


def _plain(value: Any) -> float | None:
    """`value` as an exact int or float, or None where it is no finite number. True is no number; numpy's are."""
    from math import isfinite

    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, int) and type(value) is int and abs(value) < 1 << 53:
        return value
    try:
        number = float.__pos__(float(value))
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _said(value: Any) -> str:
    """`value` as the student would recognise it."""
    try:
        text = repr(value)
    except BaseException:  # a student's __repr__
        text = "something without a repr"
    shown = text if len(text) <= 80 else text[:77] + "..."
    return shown if value is None else f"{shown} ({type(value).__name__})"


def _text_of(error: object) -> str:
    try:
        return str(error).strip().partition("\n")[0][:MAX_TEXT]
    except BaseException:  # a student's __str__
        return ""


def _survey(path: Path) -> dict[str, Any]:
    import ast

    try:
        tree = ast.parse(path.read_bytes())
        compile(tree, str(path), "exec", dont_inherit=True)  # finds what parsing alone lets through
    except (SyntaxError, ValueError) as error:
        return {"error": str(getattr(error, "msg", error))[:MAX_TEXT], "line": getattr(error, "lineno", 0) or 0}
    except (RecursionError, MemoryError):
        return {"error": "nested too deeply", "line": 0}
    return {"names": [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]}


def _limit(seconds: float, memory_mb: int) -> None:
    """Hard limits, from the inside and for good, where the system has them."""
    if sys.platform == "win32":
        return
    import resource

    memory = memory_mb << 20
    for limit, most in (
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        try:
            resource.setrlimit(limit, (most, most))
        except (OSError, ValueError):
            continue  # a tighter limit already holds


if __name__ == "__main__":
    main()
