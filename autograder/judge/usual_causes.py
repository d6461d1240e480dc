"""The usual cause of an error in a student's search, in one sentence for beginners."""

from __future__ import annotations

import re

_NONE = (
    "A value is None here. Perhaps one way through a method ends without a `return`, or a variable still has its first "
    "value None."
)
_LINE = "A search returns a Line, which is a pair. To compare or add the value of a successor, write `.value`."
_PAIR = "One side is a pair or a list, not a number. Take the number out of it; of a Line, this is `.value`."
_EQUAL_PAIRS = (
    "If the values of two pairs are equal, Python compares their actions: here one is None. Compare the values alone, "
    "with `key=lambda pair: pair[0]`."
)
_NO_LINE = "A search returns `Line(value, action)` or the tuple `(value, action)`, and only a Line has `.value`."
_DRAWN = (
    "Many cases are drawn trees. In a search use only layer, is_terminal, actions(), successor(action) and outcomes() "
    "of a node, and self.evaluate(node)."
)
_TOO_EARLY = (
    "A drawn tree gives a score only to leaves and to nodes at the horizon. Evaluate a node only if it is terminal or "
    "plies is 0."
)
_NAMES = (
    "The left side of an assignment has more or fewer names than the right side has values. A Line has two: value and "
    "action."
)
_PROBABILITY = (
    "successor(action) got a number or a pair in place of an action. At a CHANCE node, outcomes() gives pairs: write "
    "`for action, probability in node.outcomes():`."
)
_NO_ACTION = "The action is None: at a leaf, at the horizon and at a CHANCE node nobody chooses an action."
_EMPTY = (
    "max() or min() got nothing to choose from: for example the actions at the end of a game, or the food when none is "
    "left."
)

_INIT = (
    "An `__init__` of your own accepts the options and passes them on: write `def __init__(self, **options):` and, "
    "first in it, `super().__init__(**options)`."
)

CAUSES: tuple[tuple[str, str], ...] = (
    (r"BdbQuit", "breakpoint() does not work in the sandbox. Run the case with: python -m autograder case"),
    (
        r"no answer within",
        "To see where your code is, run the case with `python -m autograder case`, and press Ctrl-C.",
    ),
    (r"imports '(util|game|ghostAgents)'", "This looks like a Berkeley-style file: add --api cs188."),
    (r"EOFError", "The grader has no keyboard, so input() cannot read anything."),
    (r"RecursionError", "The search calls itself without end. Does each call get fewer plies, and does it stop at 0?"),
    (r"TypeError: .*(between instances of|unsupported operand|bad operand) .*'Line'", _LINE),
    (r"TypeError: .*(between instances of|unsupported operand|bad operand) .*'tuple'", _PAIR),
    (r"TypeError: can't multiply sequence|TypeError: can only concatenate tuple", _PAIR),
    (r"AttributeError: '(tuple|int|float)' object has no attribute '(value|action)'", _NO_LINE),
    (r"TypeError: '[<>]=?' not supported between instances of '(NoneType' and 'str|str' and 'NoneType)'", _EQUAL_PAIRS),
    (r"(TypeError|AttributeError): .*'?NoneType'?", _NONE),
    (r"TypeError: search returned|search returned", f"{_NO_LINE} Does each way through the search end with a return?"),
    (r"TypeError: cannot unpack|ValueError: (not enough|too many) values to unpack", _NAMES),
    (r"ValueError: (max|min)\(\) (iterable argument|arg) is (empty|an empty sequence)", _EMPTY),
    (r"TypeError: .*unhashable type", "Only values that cannot change can be keys of a dict: use a tuple, not a list."),
    (r"TypeError: .*__init__\(\) got an unexpected keyword argument '(rounds|evaluation)'", _INIT),
    (r"TypeError: .*__init__\(\) takes 1 positional argument", _INIT),
    (
        r"TypeError: .*\bbegin\(\) takes 1 positional argument",
        "Write `def begin(self, rng):` and, first in it, `super().begin(rng)`.",
    ),
    (
        r"TypeError: Line\.__new__",
        "A Line has two parts: Line(value, action). The action is None where nobody chooses.",
    ),
    (r"TypeError: .*missing \d+ required", "A call gives too few arguments: compare it with the `def` line."),
    (
        r"TypeError: .*takes .* but \d+ (was|were) given",
        "A call gives too many arguments, or the `def` line of that method has no `self`.",
    ),
    (
        r"TypeError: '(bool|Layer|float|int)' object is not callable .*\b(is_terminal|layer|score|is_win|is_lose)\(",
        "layer, is_terminal and score are no methods: write them without parentheses.",
    ),
    (
        r"TypeError: '(builtin_function_or_)?(method|function)' object is not (iterable|subscriptable)",
        "The parentheses after a method are missing: write node.actions(), node.outcomes().",
    ),
    (r"TypeError: .*is not callable", "There are parentheses after something that is not a function or a method."),
    (r"TypeError: eval\(\) arg 1", "eval() runs a text as Python code. To evaluate a node, write self.evaluate(node)."),
    (
        r"AttributeError: 'str' object has no attribute '(score|layer|is_terminal|actions|successor|outcomes)'",
        "This is a text, for example an action. The node after an action is node.successor(action).",
    ),
    (
        r"AttributeError: 'tuple' object has no attribute '(sort|append|remove|insert|pop|extend|reverse)'",
        "A tuple cannot change: make a list of it with list(...), or a sorted list with sorted(...).",
    ),
    (r"AttributeError: '(Outline|CountedNode)' object has no attribute", _DRAWN),
    (r"ValueError: this \w+ node has no score", _TOO_EARLY),
    (r"ValueError: outcomes\(\) was called", "Check node.layer before you call outcomes()."),
    (r"(ValueError|IllegalAction): illegal action ([-\d.]|\()", _PROBABILITY),
    (r"(ValueError|IllegalAction): illegal action None", _NO_ACTION),
    (r"(ValueError|IllegalAction): illegal action", "Take the actions of a node from its own actions()."),
    (r"UnboundLocalError", "The variable gets a value only in an `if` or a loop that did not run. Give it one before."),
    (r"NameError", "The name is misspelt, or its `import` is missing."),
    (r"KeyError", "The dict has no such key. `key in the_dict` says so, and `the_dict.get(key)` gives None instead."),
    (
        r"RuntimeError: .* changed size during iteration",
        "A loop adds or removes elements of what it goes through. Let it go through a copy: list(...).",
    ),
    (r"AssertionError", "The condition of this `assert` is false here. Print the values in it."),
    (r"ValueError: (invalid literal|could not convert)", "This text is no number."),
    (
        r"TypeError: (can only concatenate|unsupported operand|bad operand|'[<>=]+' not supported|object of type)",
        "The values on this line have types that do not go together. The message names the types.",
    ),
    (r"(FileNotFoundError|PermissionError)", "The sandbox contains only your own files and Python."),
    (r"IndexError", "The list is shorter than expected, perhaps empty."),
    (r"ZeroDivisionError", "The divisor is 0, for example the distance to something on the same square."),
)
"""(a pattern at the start of the error's type and text, what is usually wrong). The first row that fits counts."""


def usual_cause(error: str) -> str:
    """What usually causes an error, given as "TYPE: TEXT"; "" if nothing is known. The text may begin with a place.

    >>> usual_cause("game 2, ply 7: NameError: name 'ing' is not defined")
    'The name is misspelt, or its `import` is missing.'
    """
    error = re.sub(r"^game \d+, ply \d+: ", "", error)
    if re.search(r"line \d+: .*\); ", error):  # the text already ends with advice
        return ""
    return next((cause for pattern, cause in CAUSES if re.match(pattern, error)), "")
