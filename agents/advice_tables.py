"""The names that students expect, and the usual causes of errors, for `agents.advice`."""

from __future__ import annotations

BERKELEY = {
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
BERKELEY_POSITION = {
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
MEANT = {
    "plies ply plies_left": "plies, the second argument of search",
    "value utility eval evaluate": "self.evaluate(node) for a leaf; other values come from your search",
    "children successors get_children get_successors neighbors": "node.successor(action) for each action of "
    "node.actions()",
    "player agent turn type is_max is_min is_chance": "node.layer, as in Layer.MIN",
    "probability probabilities prob": "`for action, probability in node.outcomes():` at a CHANCE node",
    "alpha beta": "alpha and beta as parameters of your own method, from call to call",
}
"""Names that people expect -> what to write here."""
MEANT_POSITION = {
    "x y": "`x, y = pose.position`, for example of state.pacman",
    "walls width height": "state.maze, as in state.maze.is_wall(x, y) and state.maze.width",
    "pos position pacman_position": "state.pacman.position",
}
"""The same for a position of Pacman and for its parts."""
METHODS = {
    "native": "actions|outcomes",
    "cs188": "(?i:is_?(?:win|lose)|as_?list|get_?(?:num_?agents|legal_?actions|score|num_?food|food|capsules|direction|"
    "ghost_?states|(?:pacman_?|ghost_?)?positions?))",
}
"""By style, a pattern for the names of methods that need no argument."""
BERKELEY_FILES = ("util", "game", "ghostAgents", "pacmanAgents", "multiAgents")

_LINE = "A search returns a Line, which is a pair. To compare or add the value of a successor, write `.value`."
_PAIR = "One side is a pair or a list, not a number. Take the number out of it; of a Line, this is `.value`."
_CELL = "distances() gets the number of a square: write state.pacman.cell, or state.maze.cell(x, y) for another one."
_POINT = "One side is a pair, here a position (x, y), not a number: take x or y out of it."
_NO_LINE = "A search returns `Line(value, action)` or the tuple `(value, action)`, and only a Line has `.value`."
_INIT = (
    "An `__init__` of your own accepts the options and passes them on: write `def __init__(self, **options):` and, "
    "first in it, `super().__init__(**options)`."
)
NATIVE_CAUSES: tuple[tuple[str, str], ...] = (
    (r"RecursionError", "The search calls itself without end. Does each call get fewer plies, and does it stop at 0?"),
    (r"SystemExit", "Delete this call: it ends the program, and a search has to return a Line."),
    (r"TypeError: .*(between instances of|unsupported operand|bad operand) .*'Line'", _LINE),
    (r"TypeError: .*('?tuple.* \(.*\bdistances\(.*\bposition\b|'(Pacman|Ghost)Pose'.*\bdistances\()", _CELL),
    (r"TypeError: .*(between instances of|unsupported operand|bad operand) .*'tuple'.* \(.*\.position\b", _POINT),
    (r"TypeError: .*(between instances of|unsupported operand|bad operand) .*'tuple'", _PAIR),
    (r"TypeError: can't multiply sequence|TypeError: can only concatenate tuple", _PAIR),
    (r"AttributeError: '(tuple|int|float)' object has no attribute '(value|action)'", _NO_LINE),
    (r"TypeError: \w*evaluation\(\) (missing|takes)", "The project calls it with one argument, the state."),
    (r"TypeError: \w+\.evaluate_action\(\) (missing|takes)", "The project calls evaluate_action(state, action)."),
    (r"TypeError: \w+\.search\(\) missing \d required positional arguments?: '(?!node|plies)",
     "The project calls search(node, plies). Give other parameters a default value, as in alpha=-inf, or let search "
     "call a method of your own that has them."),
    (r"AttributeError: can't set attribute .*\.(value|action) *=",
     "A Line cannot change. Make a new one: best = Line(value, action)."),
    (r"(TypeError|SubmissionError): search returned (?!<generator|<coroutine)",
     f"{_NO_LINE} Does each way through the search end with a return?"),
    (r"TypeError: cannot unpack (?!.*NoneType)|ValueError: (not enough|too many) values to unpack",
     "The left side of an assignment has more or fewer names than the right side has values. A Line has two: value "
     "and action."),
    (r"TypeError: .*__init__\(\) (got an unexpected keyword argument '(rounds|evaluation)'|takes 1 positional)",
     _INIT),
    (r"TypeError: \w+\.choose\(\) (missing|takes)",
     "If this is a method of your agent: the game calls `choose(state)` for its move, so give yours another name."),
    (r"TypeError: .*\bbegin\(\) takes 1 positional argument",
     "Write `def begin(self, rng):` and, first in it, `super().begin(rng)`."),
    (r"TypeError: Line\.__new__",
     "A Line has two parts: Line(value, action). The action is None where nobody chooses."),
    (r"TypeError: '(bool|Layer|float|int)' object is not callable .*\b(is_terminal|layer|score|is_win|is_lose)\(",
     "layer, is_terminal and score are no methods: write them without parentheses."),
    (r"TypeError: eval\(\) arg 1", "eval() runs a text as Python code. To evaluate a node, write self.evaluate(node)."),
    (r"AttributeError: 'str' object has no attribute '(score|layer|is_terminal|actions|successor|outcomes)'",
     "This is a text, for example an action. The node after an action is node.successor(action)."),
    (r"AttributeError: '(Outline|CountedNode)' object has no attribute",
     "Many cases are drawn trees. In a search use only layer, is_terminal, actions(), successor(action) and outcomes() "
     "of a node, and self.evaluate(node)."),
    (r"ValueError: this \w+ node has no score",
     "A drawn tree gives a score only to leaves and to nodes at the horizon. Evaluate a node only if it is terminal or "
     "plies is 0."),
    (r"ValueError: outcomes\(\) was called", "Check node.layer before you call outcomes()."),
    (r"(ValueError|IllegalAction): illegal action ([-\d.]|\()",
     "successor(action) got a number or a pair in place of an action. At a CHANCE node, outcomes() gives pairs: write "
     "`for action, probability in node.outcomes():`."),
    (r"(ValueError|IllegalAction): illegal action None",
     "The action is None: at a leaf, at the horizon and at a CHANCE node nobody chooses an action."),
    (r"(ValueError|IllegalAction): illegal action", "Take the actions of a node from its own actions()."),
)  # fmt: skip
"""(a pattern at the start of an error's type and text, what is usually wrong). The first row that fits counts.

These rows are for files of this project's own style. The code of the line stands behind the text in parentheses.
"""
CS188_CAUSES: tuple[tuple[str, str], ...] = (
    (r"RecursionError", "Does the recursion stop at isWin(), at isLose() and after self.depth rounds?"),
    (r"SystemExit", "Delete this call: getAction must return an action."),
    (r"AttributeError: '\w+' object has no attribute '(evaluationFunction|depth)'",
     "MultiAgentSearchAgent.__init__ sets it: the class must inherit from MultiAgentSearchAgent, and an own __init__ "
     "must call super().__init__()."),
    (r"AttributeError: a game state has no", "A game state has the methods of Berkeley's project, with its names."),
    (r"AttributeError: \w+ is not available: this case is a small tree",
     "A drawn tree has no board. A search reads only the score: is the default of evalFn 'scoreEvaluationFunction'?"),
    (r"ValueError: list\.remove.*[Ss][Tt][Oo][Pp]",
     "This case is a small tree without the action Stop: first check `if Directions.STOP in ...`."),
    (r"TypeError: better\w*\(\) (missing|takes)", "The grader calls it with one argument, the game state."),
    (r"Exception: illegal action .* of agent",
     "Do getLegalActions and generateSuccessor get the same state and the same agent?"),
    (r"NameError: .*\(except [^:]*, \w+:",  # before Python 3.14 this is a syntax error
     "This is Python 2: in Python 3 write `except E as e:`."),
    (r"TypeError.*'(map|filter|zip|dict_keys|dict_values|dict_items)'",
     "In Python 3 this is not a list: wrap it in list(...)."),
    (r"TypeError: .*(unsupported|bad) operand .*'(tuple|list)'",
     "One side is a pair or a list, not a number: take the number out of it."),
    (r"TypeError: cannot unpack (?!.*NoneType)|ValueError: (not enough|too many) values to unpack",
     "The left side has more or fewer names than the right side has values."),
    (r".*('float' object cannot be interpreted as an integer|indices must be integers)",
     "In Python 3 / gives a float: use // to divide integers."),
)  # fmt: skip
"""The same for files of Berkeley's style."""
CAUSES: tuple[tuple[str, str], ...] = (
    (r"\w+: .*( returned <(async_)?(generator|coroutine) (?!.*<genexpr>)|'coroutine')",
     "A function with `yield` and an `async` function return no value when they are called: write it with `return`."),
    (r"TypeError: '(builtin_function_or_method|function|type)' object is not subscriptable",
     "Brackets [ ] stand after a function: a call has parentheses ( )."),
    (r"(Type|Attribute)Error: .*'(builtin_function_or_)?(method|function)'",
     "A function has no () here, or where the variable got its value."),
    (r"BdbQuit", "breakpoint() does not work in the sandbox. Run the case with: python -m autograder case"),
    (r"EOFError", "The grader has no keyboard, so input() cannot read anything."),
    (r"TypeError: '[<>]=?' not supported between instances of '(NoneType' and 'str|str' and 'NoneType)'",
     "If the values of two pairs are equal, Python compares their actions: here one is None. Compare the values alone, "
     "with `key=lambda pair: pair[0]`."),
    (r"(TypeError|AttributeError): .*NoneType|(SubmissionError|WrongReturn): .* returned None",
     "A value is None here. Perhaps one way through a method ends without a `return`, or a variable still has its "
     "first value None."),
    (r"ValueError: (max|min)\(\) (iterable argument|arg) is (empty|an empty sequence)",
     "max() or min() got nothing to choose from: for example the actions at the end of a game, the food when none is "
     "left, or the ghosts of a board without any."),
    (r"TypeError: .*unhashable type", "Only values that cannot change can be keys of a dict: use a tuple, not a list."),
    (r"TypeError: .*missing \d+ required", "A call gives too few arguments: compare it with the `def` line."),
    (r"TypeError: \w+\(\) takes .* but \d+ (was|were) given", "A call gives too many arguments: see the `def` line."),
    (r"TypeError: .*takes .* but \d+ (was|were) given",
     "A call gives too many arguments, or the `def` line of that method has no `self`."),
    (r"TypeError: .*is not callable", "There are parentheses after something that is not a function or a method."),
    (r"AttributeError: 'tuple' object has no attribute '(sort|append|remove|insert|pop|extend|reverse)'",
     "A tuple cannot change: make a list of it with list(...), or a sorted list with sorted(...)."),
    (r"UnboundLocalError", "The variable gets a value only in an `if` or a loop that did not run. Give it one before."),
    (r"NameError", "The name is misspelt, or its `import` is missing."),
    (r"KeyError: -?\d+\.5 .*\bcell\(",
     "There is no square at .5: a scared ghost can stand between two squares. Round its x and y first."),
    (r"KeyError: (\(-?\d+, -?\d+\)|-?\d+) .*\b(distance|steps)",
     "If the key is a square: there is no path to it, or it is a wall. `key in the_dict` says so; 0 would be wrong."),
    (r"KeyError",
     "The dict has no such key. `key in the_dict` says so, and `the_dict.get(key, 0)` gives 0 instead."),
    (r"RuntimeError: .* changed size during iteration",
     "A loop adds or removes elements of what it goes through. Let it go through a copy: list(...)."),
    (r"AssertionError", "The condition of this `assert` is false here. Print the values in it."),
    (r"ValueError: (invalid literal|could not convert)", "This text is no number."),
    (r"TypeError: (can only concatenate|unsupported operand|bad operand|'[<>=]+' not supported|object of type)",
     "The values on this line have types that do not go together. The message names the types."),
    (r"PermissionError|OSError: .*[Rr]ead-only",
     "In the sandbox no code can write a file. It can read your own files and Python's. To see a value, print it."),
    (r"FileNotFoundError", "The sandbox contains only your own files and Python."),
    (r"IndexError", "The list is shorter than expected, perhaps empty."),
    (r"ZeroDivisionError: .*/\s*len\(",
     "The divisor is 0: it counts a list that is empty here, for example the actions at the end of a game, or the food "
     "when none is left."),
    (r"ZeroDivisionError", "The divisor is 0, for example the distance to something on the same square."),
)  # fmt: skip
"""The rows for both styles, after those of the style."""

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
PYTHON_2_SYNTAX = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "parameters cannot be parenthesized",
    "invalid decimal literal",
)
