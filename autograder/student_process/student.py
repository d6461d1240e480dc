"""One submission in one process, and what it is asked. Everything that leaves here is a claim.

The student's code can change anything in this process; the grader believes none of it
(see `autograder.judge.submission_answer`).
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import importlib.util
import json
import marshal
import os
import random
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from autograder.student_process import escape_attempts, plain_values
from autograder.student_process.native_api import MODULE, NativeApi
from autograder.student_process.plain_values import MAX_TEXT, Refused, plain, said
from autograder.student_process.transport import MAX_REPLY, MAX_REQUEST, BadFrame, receive, send
from pacman.core.outline import Outline
from pacman.core.state import GameState
from pacman.core.trace import Trace

MAX_MADE = 200_000
MAX_CODE = MAX_REQUEST // 4
APIS = {
    "native": "autograder.student_process.native_api:NativeApi",
    "cs188": "autograder.student_process.cs188.adapter:Cs188Api",
}


def module_of(api: str) -> str:
    """Where the class of an API is."""
    return APIS[api].partition(":")[0]


def serve(requests: int, replies: int) -> None:
    """Answers requests from one descriptor on the other until there are no more, then ends the process at once.

    Neither exit handlers nor threads that a submission left running get a turn.
    """
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
        with contextlib.suppress(BaseException):  # it may be a stream that the submission put there
            sys.stdout.flush()
        try:
            send(replies, {**reply, "n": request["n"]}, MAX_REPLY)
        except BadFrame as error:
            refusal = plain_values.fault(Refused(f"the answer is too large: {error}"), "", (), "answering")
            send(replies, {"fault": refusal, "n": request["n"]}, MAX_REPLY)


class Student:
    """One submission, and the part of it that is asked."""

    def __init__(self) -> None:
        self.path = ""
        self.text = b""
        self.api = NativeApi()
        self.part: Any = None
        self.doing = "starting"

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        known = (self.survey, self.load, self.ready, self.begin, self.search, self.choose, escape_attempts.probe)
        return next(method(request) for method in known if method.__name__ == request["ask"])

    def survey(self, request: dict[str, Any]) -> dict[str, Any]:
        """What each file defines at its top, and the file compiled, once for all cases. Nothing of it is run."""
        return {"files": [_survey(Path(file)) for file in request["files"]]}

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Imports the submission, seeing only what graded code may import."""
        self.path, self.doing = request["path"], "importing"
        text = Path(self.path).read_bytes()
        module, _, name = APIS[request["api"]].partition(":")
        self.api = getattr(importlib.import_module(module), name)()
        sys.path.append(str(Path(self.path).parent))  # last: a file beside it stands in for no other module
        for name, given in request["under"].items():  # modules that lie in no file
            module_given = sys.modules[name] = ModuleType(name)
            exec(compile(given, name, "exec", dont_inherit=True), vars(module_given))
        self.api.prepare(request["role"])
        _reseed("0/0")
        self.text = text
        if request["code"]:
            code: CodeType = marshal.loads(base64.b64decode(request["code"]))
        else:
            code = compile(text, self.path, "exec", dont_inherit=True)
        spec = importlib.util.spec_from_file_location(MODULE, self.path)
        assert spec is not None
        self.module = importlib.util.module_from_spec(spec)
        # A dataclass, or a search for a function by its name, looks the module up.
        sys.modules[MODULE] = self.module
        sys.modules.setdefault(Path(self.path).stem, self.module)
        exec(code, vars(self.module))
        return {}

    def ready(self, request: dict[str, Any]) -> dict[str, Any]:
        """All that comes before the first question: the part in question, an agent or an evaluation under a search."""
        self.load(request)
        self.doing = request["part"]
        self.part = self.api.make(self.module, request["part"], request["rounds"], request["role"])
        return self.begin(request) if request["role"] != "evaluation" else {}

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        self.doing = "begin"
        _reseed(request["seed"])
        self.api.begin(self.part, random.Random(request["seed"]))
        return {}

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """The line that the student's search finds, and what it touched on the way."""
        self.doing = "search"
        root = Outline.parse(request["tree"]) if "tree" in request else GameState.parse(request["position"])
        trace = Trace()
        value, action = self.api.search(self.part, root, request["plies"], trace)
        names = {action: index for index, action in enumerate(dict.fromkeys(trace.actions))}
        reply: dict[str, Any] = {
            "value": plain(value),
            "said": said(value),
            "action": str(action)[:MAX_TEXT] if isinstance(action, str) else None,
            "choice": said(action),
            "generated": len(trace.successors),
        }
        if len(trace.successors) <= MAX_MADE:
            reply["trace"] = {
                "names": list(names),
                "parents": trace.parents,
                "actions": [names[action] for action in trace.actions],
                "made": trace.successors,
            }
            reply["values"] = self.api.values
        return reply

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        self.doing = "choose"
        action = self.api.choose(self.part, GameState.parse(request["position"]))
        if not isinstance(action, str):
            raise Refused(f"choose returned {said(action)}; expected an action")
        return {"action": str(action)[:MAX_TEXT]}

    def fault(self, error: BaseException) -> dict[str, Any]:
        lines: list[str] = []
        with contextlib.suppress(SyntaxError, UnicodeError):
            lines = importlib.util.decode_source(self.text).splitlines()
        return plain_values.fault(error, self.path, lines, self.doing)


def _reseed(seed: str) -> None:
    """The same numbers in every run for a submission that draws from the shared generators."""
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.Random(seed).getrandbits(32))


def _survey(path: Path) -> dict[str, Any]:
    import ast  # once a submission; every case would load it

    try:
        tree = ast.parse(path.read_bytes())
        code = compile(tree, str(path), "exec", dont_inherit=True)  # also finds what parsing alone lets through
    except (SyntaxError, ValueError) as error:
        return {"error": str(getattr(error, "msg", error))[:MAX_TEXT], "line": getattr(error, "lineno", 0) or 0}
    except (RecursionError, MemoryError):
        return {"error": "nested too deeply", "line": 0}
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    packed = base64.b64encode(marshal.dumps(code)).decode("ascii")
    return {"names": names, "code": packed if len(packed) <= MAX_CODE else ""}
