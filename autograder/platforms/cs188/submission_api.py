"""The submission API of Berkeley-style files: counts in the terms of that project, and advice on how to repair faults.

In that project a state is *expanded* (in newer versions: *generated*) when `generateSuccessor` touches it, as parent or
as child; each state counts once. In this project a node is expanded when at least one of its successors is made, and
every successor that is made counts each time. Searches of such files return only an action: no value is compared.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agents.cs188.modules import CONTENT
from agents.cs188.position import identity
from autograder.cases.case import Case
from autograder.cases.truth import CaseTruth, right_trace, searched_roots
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.compare import Verdict
from autograder.judge.submission_answer import Answer, Fault
from pacman.core.errors import nearest
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.record.trace import Trace

FILE = "multiAgents.py"
GRAPHICS = ("graphicsUtils", "graphicsDisplay", "textDisplay", "tkinter", "Tkinter", "turtle", "pygame", "matplotlib")
OTHER_PROJECTS = (
    "search", "searchAgents", "searchTestClasses", "featureExtractors", "qlearningAgents", "learningAgents",
    "valueIterationAgents", "mdp", "environment", "inference", "bustersAgents", "layout", "pacmanAgents",
    "keyboardAgents", "multiagentTestClasses", "testClasses", "grading", "autograder",
)  # fmt: skip

PYTHON_2 = {
    "xrange": "range",
    "raw_input": "input",
    "unicode": "str",
    "long": "int",
    "reduce": "functools.reduce",
    "cmp": "`key=...` instead of a comparison function",
    "maxint": "float('inf')",
    "has_key": "`key in counter`",
    "iteritems": "items",
    "itervalues": "values",
    "iterkeys": "keys",
}
_PYTHON_2_SYNTAX = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "parameters cannot be parenthesized",
    "invalid decimal literal",
)
_GAME = re.compile(r"^game \d+, ply \d+: ")
_RAISED = (
    (r"^RecursionError", "does the recursion stop at isWin(), at isLose() and after self.depth rounds?"),
    (r"^ValueError: list\.remove.*[Ss][Tt][Oo][Pp]",
     "this case is a small tree without the action Stop: first check `if Directions.STOP in ...`"),
    (r"^TypeError: '[<>]=?' not supported between instances of",
     "Python 3 cannot compare values of different types"),
    (r"^NameError: .*\(line \d+: except [^:]*, \w+:",  # before Python 3.14 this is a syntax error
     "this is Python 2; in Python 3 write `except E as e:`"),
    (r"^TypeError.*'(map|filter|zip|dict_keys|dict_values|dict_items)'",
     "in Python 3 this is not a list; wrap it in list(...)"),
    (r"^TypeError: .*(unsupported|bad) operand .*'(tuple|list)'",
     "one side is a pair or a list, not a number; take the number out of it"),
    (r"^TypeError: cannot unpack|^ValueError: (not enough|too many) values to unpack",
     "the left side has more or fewer names than the right side has values"),
    (r"'float' object cannot be interpreted as an integer|indices must be integers",
     "in Python 3 / gives a float; use // to divide integers"),
)  # fmt: skip
"""Patterns of raised errors, and the advice for each."""


class Cs188Api(SubmissionApi):
    """The texts and the advice for such files."""

    def with_advice(self, fault: Fault) -> Fault:
        """The same fault; its text ends with advice if there is any."""
        advice = _advice(fault)
        together = f"{fault.advice}; {advice}" if fault.advice else advice
        return replace(fault, text=f"{fault.text}; {advice}", advice=together) if advice else fault

    def with_syntax_advice(self, text: str) -> str:
        """The text of a syntax error; it ends with advice if the file is Python 2 or mixes tabs and spaces.

        >>> API.with_syntax_advice("Missing parentheses in call to 'print'. Did you mean print(...)?")[-64:]
        'write `print(...)`, `except E as e:` and `//` to divide integers'
        """
        if any(sign in text for sign in _PYTHON_2_SYNTAX):
            advice = "write `print(...)`, `except E as e:` and `//` to divide integers"
            return f"{text}; this is Python 2; change it to Python 3: {advice}"
        if "inconsistent use of tabs" in text or "unindent does not match" in text:
            return f"{text}; indent only with spaces"
        return text

    def count_note(self, case: Case, truth: CaseTruth | None, answer: Answer, verdict: Verdict) -> str:
        """How many states the first wrong search expanded, counted as the Berkeley project does; "" if none is wrong.

        Also "" for a fault, for whole games, and for a search that made more nodes than the process sends.
        """
        if truth is None or answer.fault or not verdict.missed_searches:
            return ""
        index = verdict.missed_searches[0]
        (root, plies), claim = list(searched_roots(case, truth))[index], answer.claims[index]
        if claim.trace is None:
            return ""
        counts = [touched(root, right_trace(root, plies, right.cut)) for right in truth.moves[index].touched]
        got = touched(root, claim.trace)
        return statement(got if got in counts else counts[0], got)


API = Cs188Api("cs188", "classic", frozenset({"value"}), counts_agents=True)


def touched(root: Node, trace: Trace) -> int:
    """How many states that project would count as expanded: all different parents and children.

    On a drawn tree every node is a different state. Two positions are the same state if they differ only in whose turn
    it is. An illegal successor, which an agent makes out of turn, counts as one more state.
    """
    if not trace.successors:
        return 0
    if not isinstance(root, GameState):
        return trace.distinct + 1
    states: list[GameState | None] = [root]
    illegal = 0
    for parent, action in trace.edges():
        before = states[parent]
        after = before.successor(action) if before is not None and action in before.actions() else None
        illegal += after is None
        states.append(after)
    return len({identity(state) for state in states if state is not None}) + illegal


def statement(expected: int, got: int) -> str:
    """A note with the number of expanded states, counted as that project does.

    >>> statement(12, 9)
    'states on which generateSuccessor was called, or that it returned: expected 12, got 9'
    >>> statement(12, 12)[-10:]
    '12 (right)'
    """
    label = "states on which generateSuccessor was called, or that it returned"
    return f"{label}: " + (f"expected {expected:,}, got {got:,}" if got != expected else f"{got:,} (right)")


def _advice(fault: Fault) -> str:
    text = _GAME.sub("", fault.text)
    if fault.kind == "missing package":
        match = re.search(r"'([^']*)'", text)
        return _import_advice(match[1].partition(".")[0] if match else "")
    if fault.kind == "exit":
        return "delete this call; getAction must return an action"
    if fault.kind == "time" and text != fault.text:
        return "this is the time limit of all games together; how long does it take to evaluate one state?"
    if fault.kind == "time":
        return "does every branch of the recursion come closer to self.depth, isWin() or isLose()?"
    for old, new in PYTHON_2.items():
        if re.search(rf"'{old}'", text) and "Error" in text:
            return f"this is Python 2; in Python 3 write {new}"
    if match := re.search(r"cannot import name '(\w+)' from '(\w+)'", text):
        return f"{match[2]} has no {match[1]}: {nearest(match[1], CONTENT[match[2]])}" if match[2] in CONTENT else ""
    return next((advice for pattern, advice in _RAISED if re.search(pattern, text)), "")


def _import_advice(name: str) -> str:
    if name in GRAPHICS:
        return "graded code cannot use graphics; delete this import"
    if name in OTHER_PROJECTS:
        return f"only {FILE} is graded, without the project's other files; copy what you use into it"
    return f"available: {', '.join(CONTENT)} and Python's own modules; {nearest(name, CONTENT)}"
