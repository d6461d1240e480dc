"""One submission in one process, and the answers to the grader's questions about it.

The submission can change anything in this process. So the grader treats every answer as a claim, and checks it
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
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

from autograder.student_process import escape_attempts, plain_values
from autograder.student_process.messages import (
    MAX_REPLY,
    MAX_REQUEST,
    BadFrame,
    receive,
    record_reply,
    restore,
    send,
    tree_from_text,
)
from autograder.student_process.native_api import NativeApi
from autograder.student_process.plain_values import MAX_TEXT, SubmissionError, describe, finite, plain_number
from autograder.student_process.tree_questions import (
    SECONDS,
    NegatedScore,
    Output,
    WatchedLimitedTrace,
    changed_names,
    end_process_after,
    kept_values,
    line_limit,
    negated_score,
    shifted_score,
    time_limit,
)
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.record.program import Program
from pacman.record.trace import Trace
from pacman.record.watcher import Watcher

READY = {"n": 0}
"""The first message of every process. If it does not come, the grader has failed and not the submission."""
MAX_GENERATED = 200_000
MAX_CODE = MAX_REQUEST // 4
MAX_KEPT = 3
"""The most names of what stays from one search to the next."""
APIS = {
    "native": "autograder.student_process.native_api:NativeApi",
    "cs188": "autograder.student_process.cs188_api:Cs188Api",
}


def with_names(api: str, names: Mapping[str, str]) -> str:
    """The name of an API with a course's names for the methods of a game state, for `api_named`.

    >>> with_names("cs188", {"is_win": "isWin"}), with_names("cs188", {})
    ('cs188 is_win=isWin', 'cs188')
    """
    return " ".join([api, *(f"{theirs}={ours}" for theirs, ours in names.items())])


def api_named(text: str) -> NativeApi:
    """The API with this name, which creates and calls the parts of a file; after it may follow names of methods."""
    name, *names = text.split(" ")
    module, _, class_name = APIS[name].partition(":")
    api: NativeApi = getattr(importlib.import_module(module), class_name)()
    api.names = dict(each.split("=") for each in names)
    return api


def serve(student: RequestHandler, read: Callable[[int], bytes], write: Callable[[memoryview], int]) -> None:
    """Says that the process is ready, then answers every request. When there are no more, ends the process at once.

    Exit handlers and threads that a submission left running do not run any more.
    """
    send(write, READY, MAX_REPLY)
    while True:
        body = receive(read)
        if body is None:
            os._exit(0)
        request: dict[str, Any] = json.loads(body)
        if request["question"] == "watch":
            end_process_after(SECONDS)
        start = time.process_time()
        try:
            with time_limit(request.get("seconds", 0)):
                reply = student.answer(request)
        except BaseException as error:  # whatever a submission raises, even SystemExit, is its answer
            reply = {"fault": {**student.fault(error), "seconds": time.process_time() - start}}
        with contextlib.suppress(BaseException):  # the stream can be one of the submission
            sys.stdout.flush()
        try:
            send(write, {**reply, "n": request["n"]}, MAX_REPLY)
        except BadFrame as error:
            too_large = SubmissionError(f"the answer is too large: {error}")
            fault = plain_values.describe_fault(too_large, "", (), "in the answer")
            send(write, {"fault": fault, "n": request["n"]}, MAX_REPLY)


class RequestHandler:
    """One submission, and the part of it that the case tests."""

    def __init__(self, api: str = "native") -> None:
        self.api = api_named(api)
        self._modules = frozenset(sys.modules)  # here, before the fork: it would touch many pages of memory
        self.path = self.folder = ""
        self.text = b""
        self.part: Any = None
        self.known_position: GameState | None = None
        self.watcher: Watcher | None = None
        self.games = 0
        """How many games began."""
        self.during = "at the start"
        """What is running, for the messages of faults."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request of the grader: the result of the method that `request["question"]` names."""
        reply: dict[str, Any] = getattr(self, request["question"])(request)
        return reply

    probe = staticmethod(escape_attempts.probe)

    def parse_files(self, request: dict[str, Any]) -> dict[str, Any]:
        """For each file, the names that it defines at top level and its bytecode, for all cases. Runs none of them."""
        return {"files": [parse_file(Path(file)) for file in request["files"]]}

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Imports the submission, with only the imports that graded code may make.

        With `counts_lines`, a loop at module level that never ends raises an error, which names its line.
        """
        self.path, self.folder, self.during = request["path"], request["folder"], "while importing"
        with open(self.path, "rb", buffering=0) as file:
            text = file.read()
        # Last: the submission's files replace no other module.
        sys.path += dict.fromkeys((os.path.dirname(self.path), request["folder"]))
        reseed("0/0")
        self.text = text
        if request["code"]:
            code: CodeType = marshal.loads(base64.b64decode(request["code"]))
        else:
            code = compile(text, self.path, "exec", dont_inherit=True)
        self.program = Program(self.path, request["folder"], code, self._modules)
        with line_limit({self.path}, Trace()) if request.get("counts_lines") else contextlib.nullcontext():
            self.module = self.program.start()
        return {}

    def load_part(self, request: dict[str, Any]) -> dict[str, Any]:
        """Imports the submission, creates the part that the case tests, and tells an agent that a game begins."""
        self.load(request)
        self.during = f"in {request['part']}"
        self.part = self.api.make(
            self.module, request["part"], request["rounds"], request["role"], **request["arguments"]
        )
        return self.begin(request) if request["role"] != "evaluation" else {}

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Tells the part that a game begins. Its random numbers depend only on how many games began before."""
        self.during = "at the start of a game"
        seed = f"{self.games}/0"
        self.games += 1
        reseed(seed)
        self.part.begin(random.Random(seed))
        return {}

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """The value and the action that the student's search returns, and the trace of the nodes that it generated.

        Without the trace if there are more than MAX_GENERATED nodes.
        """
        self.during = "during the search"
        is_score = request.get("evaluation", "score") == "score"
        return search_reply(self.api, self.part, _root(request), request["plies"], is_score, Trace())

    def watch(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a search as `search` gives it, or what it `raised`, with a record of every step of the code.

        The submission starts afresh, unless the request keeps the part of the search before. The request gives the
        paths of nodes and the numbers that take the place of what the code returns for them. After a number of lines
        an error ends the search; after some processor time, `serve` ends the process.
        """
        watcher = self.watcher = self.watcher or Watcher([], self.api.number_of)
        trace = WatchedLimitedTrace(request["most_successors"])
        trace.watcher = watcher
        root, result = _root(request), _result(None, None)
        stream = Output().as_stream()
        self.api.values = []
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            try:
                with line_limit(watcher.paths, trace):
                    if not request.get("keeps_part"):
                        self._start_again(request, watcher)
                    self.during = "during the search"
                    kept = self._kept_values() if request["keeps_variables"] else {}
                    replaced = {tuple(path): (place, value) for path, place, value in request.get("replaced", ())}
                    watcher.start(trace, replaced, request["keeps_variables"])
                    value, action = self.api.search(self.part, root, request["plies"], trace)
                trace.check()
                result = _result(value, action)
                result["kept"] = changed_names(kept, self._kept_values(), self._lines())[:MAX_KEPT] if kept else []
            except BaseException as error:  # whatever a submission raises, even SystemExit, is its answer
                result["raised"] = self.fault(error)
            finally:
                watcher.stop()
        return {**result, **_trace_reply(trace, self.api.values), "record": record_reply(watcher)}

    def _start_again(self, request: dict[str, Any], watcher: Watcher | None = None) -> None:
        """Executes the submission again and creates a new part."""
        self.during = "while importing"
        reseed(request["seed"])
        self.module = self.program.start(watcher)
        self.during = f"in {request['part']}"
        self.part = self.api.make(self.module, request["part"], request["rounds"], "search")
        if shift := request.get("evaluation_shift"):
            self.part.evaluation = shifted_score(shift)
        self.during = "at the start of a game"
        self.part.begin(random.Random(request["seed"]))

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        """The action that the part chooses at a position. SubmissionError if it is not a string."""
        self.during = "during the choice of an action"
        action = self.part.choose(self._position(request))
        if not isinstance(action, str):
            raise SubmissionError(f"choose returned {describe(action)}; expected an action such as 'West'")
        return {"action": str(action)[:MAX_TEXT]}

    def evaluate(self, request: dict[str, Any]) -> dict[str, Any]:
        """What the evaluation returns for each leaf of a search of a position. The grader makes the search itself."""
        self.during = "during an evaluation"
        return {"values": self.api.evaluate(self.part, self._position(request), request["plies"])}

    def _position(self, request: dict[str, Any]) -> GameState:
        """The position in a request. Its text is in the request, or it is a later position of the same game."""
        if "position" in request:
            self.known_position = GameState.parse(request["position"])
            return self.known_position
        assert self.known_position is not None
        return restore(request["later_position"], self.known_position)

    def action_values(self, request: dict[str, Any]) -> dict[str, Any]:
        """The value that a part without a search gives to each action at a position; none if it gives no values."""
        values = self.api.action_values(self.part, GameState.parse(request["position"]))
        return {"values": [plain_number(finite(value)) for value in values]}

    def _kept_values(self) -> dict[str, str]:
        return kept_values(self.module, getattr(self.part, "agent", self.part))

    def _lines(self) -> list[str]:
        with contextlib.suppress(SyntaxError, UnicodeError):
            return importlib.util.decode_source(self.text).split("\n")
        return []

    def fault(self, error: BaseException) -> dict[str, Any]:
        """The fault that an error means, with the student's own line."""
        style = self.api.style
        return plain_values.describe_fault(error, self.path, self._lines(), self.during, self.folder, style)


def _root(request: dict[str, Any]) -> Node:
    """The tree or the position that a request asks to search."""
    if "packed" in request:
        return tree_from_text(request["packed"])
    return Outline.parse(request["tree"]) if "tree" in request else GameState.parse(request["position"])


def _result(value: Any, action: Any) -> dict[str, Any]:
    """The value and the action that a search returned, as plain values and as text."""
    return {
        "value": plain_number(value),
        "value_text": describe(value),
        "action": str(action)[:MAX_REQUEST] if isinstance(action, str) else None,  # no action of a tree is longer
        "choice": describe(action),
    }


def search_reply(api: NativeApi, part: Any, root: Node, plies: int, is_score: bool, trace: Trace) -> dict[str, Any]:
    """The reply to a request for a search: value, action and, if it is not too large, the trace, which it fills.

    The agent evaluates a node by its score or, if not `is_score`, by another evaluation with the same numbers.
    """
    if not is_score:
        root = NegatedScore(root)
        part.evaluation = negated_score
    value, action = api.search(part, root, plies, trace)
    return {**_result(value, action), **_trace_reply(trace, api.values)}


def _trace_reply(trace: Trace, values: list[tuple[int, float]]) -> dict[str, Any]:
    """The number of generated nodes and, if that is not too large, the trace and the returned values."""
    if len(trace.successors) > MAX_GENERATED:
        return {"generated": len(trace.successors)}
    names = {action: index for index, action in enumerate(dict.fromkeys(trace.actions))}
    report = {
        "names": list(names),
        "parents": trace.parents,
        "actions": [names[action] for action in trace.actions],
        "made": trace.successors,
    }
    return {"generated": len(trace.successors), "trace": report, "values": list(map(list, values))}


def reseed(seed: str) -> None:
    """Seeds the global random generators, so that a submission which uses them gets the same numbers in every run."""
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.Random(seed).getrandbits(32))


def parse_file(path: Path) -> dict[str, Any]:
    """The names and the bytecode of one file, or the `error` and `line` if it is not valid Python."""
    import ast  # needed once per submission; at the top, every case would load it

    try:
        tree = ast.parse(path.read_bytes())
        code = compile(tree, str(path), "exec", dont_inherit=True)  # finds errors that parsing alone does not
    except (SyntaxError, ValueError) as error:
        place = {"text": (getattr(error, "text", "") or "")[:MAX_TEXT], "offset": getattr(error, "offset", 0) or 0}
        return {
            "error": str(getattr(error, "msg", error))[:MAX_TEXT],
            "line": getattr(error, "lineno", 0) or 0,
            **place,
        }
    except (RecursionError, MemoryError):
        return {"error": "nested too deeply", "line": 0}
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names += [target.id for target in targets if isinstance(target, ast.Name)]  # `MinimaxAgent = Mine` is one too
    bytecode = base64.b64encode(marshal.dumps(code)).decode("ascii")
    return {"names": names, "code": bytecode if len(bytecode) <= MAX_CODE else ""}
