"""That project's words for ours, and what to do about a file's faults: for the grader's reports.

In that project a state is *expanded* (in its newer versions: *generated*) when it is touched by `generateSuccessor`,
as the parent or as the child; a state that is touched again counts once. With us a node is expanded when at least
one of its successors was made, and every successor that was made counts, each time.
"""

from __future__ import annotations

import re

from autograder.judge.submission_answer import Fault
from autograder.student_process.cs188.compatibility_modules import CONTENT
from autograder.student_process.cs188.position import identity
from pacman.core.errors import nearest
from pacman.core.state import GameState
from pacman.core.trace import Trace
from pacman.core.tree import Node

FILE = "multiAgents.py"
SHOWING = ("graphicsUtils", "graphicsDisplay", "textDisplay", "tkinter", "Tkinter", "turtle", "pygame", "matplotlib")
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
    "cmp": "a key= instead of a comparison",
    "maxint": "float('inf')",
    "has_key": "`key in counter`",
    "iteritems": "items",
    "itervalues": "values",
    "iterkeys": "keys",
}


def touched(root: Node, trace: Trace) -> int:
    """How many states that project would count as expanded: distinct ones, parents and children alike.

    On a drawn tree every node is a state of its own; positions are told apart by all but who moves. A successor
    that the rules do not allow, made by an agent out of turn, is counted as one more.
    """
    if not trace.successors:
        return 0
    if not isinstance(root, GameState):
        return trace.distinct + 1
    states: list[GameState | None] = [root]
    strange = 0
    for parent, action in zip(trace.parents[1:], trace.actions[1:], strict=True):
        before = states[parent]
        after = before.successor(action) if before is not None and action in before.actions() else None
        strange += after is None
        states.append(after)
    return len({identity(state) for state in states if state is not None}) + strange


def statement(expected: int, got: int) -> str:
    """The counts in that project's terms, to stand beside ours.

    >>> statement(12, 9)
    "states expanded in the project's own terms (touched by generateSuccessor, parent or child): 9, expected 12"
    """
    terms = "states expanded in the project's own terms (touched by generateSuccessor, parent or child)"
    return f"{terms}: {got:,}" + (f", expected {expected:,}" if got != expected else ", as expected")


def with_advice(fault: Fault) -> Fault:
    """The same fault, its line ending in what to do about it."""
    advice = _advice(fault)
    return Fault(fault.kind, f"{fault.text}; {advice}") if advice else fault


def with_syntax_advice(text: str) -> str:
    """The line about a file that is no valid Python, ending in what to do if it is Python 2.

    >>> with_syntax_advice("Missing parentheses in call to 'print'. Did you mean print(...)?")[-54:]
    'write print(...), except E as e:, // where ints divide'
    """
    if any(sign in text for sign in _PYTHON_2_SYNTAX):
        return f"{text}; this is Python 2; make it Python 3: write print(...), except E as e:, // where ints divide"
    if "inconsistent use of tabs" in text or "unindent does not match" in text:
        return f"{text}; indent with spaces alone"
    return text


_PYTHON_2_SYNTAX = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "parameters cannot be parenthesized",
    "invalid decimal literal",
)
_GAME = re.compile(r"^game \d+, ply \d+: ")
_RAISED = (
    (r"^RecursionError", "does the recursion stop at isWin(), at isLose() and when self.depth rounds are searched?"),
    (r"^ValueError: list\.remove.*[Ss][Tt][Oo][Pp]",
     "in a drawn tree nobody can stop: first ask `if Directions.STOP in ...`"),
    (r"^TypeError: '[<>]=?' not supported between instances of",
     "Python 2 put things of any kind in an order, Python 3 does not"),
    (r"^TypeError.*'(map|filter|zip|dict_keys|dict_values|dict_items)'",
     "in Python 3 it is no list; wrap it in list(...)"),
    (r"'float' object cannot be interpreted as an integer|indices must be integers",
     "in Python 3 / makes a float; // divides whole numbers"),
)  # fmt: skip
"""What a raised error looks like, and what to do about it."""


def _advice(fault: Fault) -> str:
    text = _GAME.sub("", fault.text)
    if fault.kind == "missing package":
        found = re.search(r"'([^']*)'", text)
        return _about_import(found[1].partition(".")[0] if found else "")
    if fault.kind == "exit":
        return "delete the call; a search returns an action, and raises if something is wrong"
    if fault.kind == "time" and text != fault.text:
        return "these are the seconds of all the games together: what does it cost to evaluate one state?"
    if fault.kind == "time":
        return "does every branch of the recursion come nearer to self.depth, or to isWin() or isLose()?"
    for old, new in PYTHON_2.items():
        if re.search(rf"'{old}'", text) and "Error" in text:
            return f"that is Python 2; in Python 3 it is {new}"
    if found := re.search(r"cannot import name '(\w+)' from '(\w+)'", text):
        return f"in {found[2]} {nearest(found[1], CONTENT[found[2]])}" if found[2] in CONTENT else ""
    return next((advice for pattern, advice in _RAISED if re.search(pattern, text)), "")


def _about_import(name: str) -> str:
    if name in SHOWING:
        return "nothing is shown while a file is graded: delete this import"
    if name in OTHER_PROJECTS:
        return f"another file of the project, which is not there when {FILE} is graded: copy what you use of it"
    return f"graded are files that import {', '.join(CONTENT)} and Python's own modules; {nearest(name, CONTENT)}"
