"""Converts one Berkeley test to one case: a drawn tree, a line of play or whole games, by the class of the test."""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, TypeVar

from agents.base import SearchAgent
from autograder.cases.case import MAX_SECONDS
from autograder.cases.right_answer import ghost
from autograder.cases.truth import size_problem
from autograder.platforms.cs188 import solution_check
from autograder.platforms.cs188.graph import Graph
from autograder.platforms.cs188.testfile import TestFile, read
from pacman.core.errors import InputError, counted, nearest, one_line
from pacman.core.layout import Layout
from pacman.core.rounds import directional, model
from pacman.core.state import start
from pacman.core.tree import Layer, Line, Node
from pacman.play.game import Game
from pacman.search.exhaustive import exhaustive

T = TypeVar("T")
MAX_MOVES = 40
MAX_GHOSTS = 100
SECONDS_OF_A_GAME = 30
"""The time for a game of a test that gives no maxTime."""
GHOSTS = {"RandomGhost": "random", "DirectionalGhost": "directional"}
PROBABILITIES = ("prob_attack", "prob_scaredFlee")
MAX_CONTRADICTIONS = 3
"""How many contradictions of one file are reported; more of them usually have the same cause."""


@dataclass(frozen=True)
class Algorithm:
    """How an agent is graded: our right search, the ghosts that it expects, and the cuts to try."""

    title: str
    reference: str
    ghost: str
    cuts: tuple[str, ...] = ("none",)

    @property
    def layer(self) -> Layer:
        """The layer of the ghosts that the agent expects."""
        return model(self.ghost).layer


CRITERIA = {"action": 2.0, "touched": 2.0, "expanded": 1.0}
ALGORITHMS = {
    "MinimaxAgent": Algorithm("Minimax", "exhaustive", "optimal"),
    "AlphaBetaAgent": Algorithm("Alpha-beta", "alphabeta", "optimal", ("strict", "equal")),
    "ExpectimaxAgent": Algorithm("Expectimax", "exhaustive", "random"),
}
EVALUATIONS = {"better": "betterEvaluationFunction", "betterEvaluationFunction": "betterEvaluationFunction"}


@dataclass
class Notes:
    """Problems of the tests, what costs nothing (`told`), and how many solutions agree or do not exist.

    `unknown` has what this program does not grade, and the folders of its tests.
    """

    problems: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    unknown: dict[str, list[str]] = field(default_factory=dict)
    agreeing: int = 0
    unchecked: int = 0

    @contextmanager
    def problem(self) -> Iterator[None]:
        """Adds the InputError that ends the block, if any, to the problems; the program continues after the block."""
        try:
            yield
        except InputError as error:
            self.problems.append(str(error))


class Unknown(InputError):
    """A test of something that this program does not grade; it is skipped. The text is the same for all such tests."""


def convert_test(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The question of a test, without id and points, and its case, both as plain values.

    Unknown for a test that cannot be converted, InputError for a mistake in the file; both with file and line.
    """
    text = test.text("class")
    if text not in KINDS and not _is_misspelt(text, KINDS):
        raise Unknown(f"the class {one_line(text, 60, str)}: this program grades only adversarial search")
    return _known(test, "class", KINDS)(test, notes)


def _is_misspelt(text: str, known: Mapping[str, Any]) -> bool:
    """True if `text` is nearly one of the names: a class of another project has other words in its name."""
    return any(SequenceMatcher(None, text.lower(), name.lower()).ratio() > 0.8 for name in known)


def _known(test: TestFile, name: str, known: Mapping[str, T]) -> T:
    """The value in `known` for the text of a field, in capital or small letters; InputError if there is none."""
    entry = test.require(name)
    values = {each.lower(): value for each, value in known.items()}
    if entry.text.strip().lower() not in values:
        raise test.error(entry.line, f"unknown {name} '{entry.text}': {nearest(entry.text, known)}; skipped")
    return values[entry.text.strip().lower()]


def _search(test: TestFile, algorithm: Algorithm) -> dict[str, Any]:
    return {
        "title": algorithm.title,
        "part": test.text("alg"),
        "role": "search",
        "reference": algorithm.reference,
        "layers": ["max", algorithm.layer.value],
        "criteria": dict(CRITERIA),
    }


def _tree(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    algorithm = _known(test, "alg", ALGORITHMS)
    graph = Graph(test, algorithm.layer)
    tree = graph.tree()
    cut = algorithm.cuts[0]
    if solution := _solution(test, notes):
        with notes.problem():
            cut = solution_check.agreed_cut(solution, graph, tree, algorithm.cuts)
            notes.agreeing += 1
    case: dict[str, Any] = {"kind": "tree", "shows": _shows(test), "plies": graph.plies}
    if cut != "none":
        case["cut"] = cut
    return _search(test, algorithm), {**case, "tree": f"{tree}\n"}


def _position(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    algorithm = _known(test, "alg", ALGORITHMS)
    seed, rounds, drawing = test.number("seed"), test.number("depth", least=1), test.require("layout")
    rows = "\n".join(row for _, row in drawing.rows())
    try:
        layout = Layout.parse(rows, "layout")
    except InputError as error:
        raise test.error(drawing.line, str(error)) from None
    notes.told += [f"{test.path}:{drawing.line}: {note}" for note in layout.notes]
    ghosts = [algorithm.ghost] * min(solution_check.GHOSTS, len(layout.ghosts))
    max_moves = MAX_MOVES
    root = start(layout, ghosts)
    if problem := size_problem(root, rounds * len(root.layers)):
        raise test.error(test.require("depth").line, f"depth: {problem}")
    if solution := _solution(test, notes):
        with notes.problem():
            moves = solution_check.read_moves(solution)[:MAX_MOVES]
            max_moves = len(moves)
            game = solution_check.Game(layout, seed, rounds, algorithm.layer, algorithm.cuts)
            differences = solution_check.find_disagreements(moves, game)
            for each in differences[:MAX_CONTRADICTIONS]:
                notes.problems.append(f"{solution.path}:{each.line}: contradiction: {each.problem}")
            if more := max(0, len(differences) - MAX_CONTRADICTIONS):
                notes.problems.append(f"{solution.path}: {counted(more, 'more contradiction')}")
            notes.agreeing += not differences
    case: dict[str, Any] = {
        "kind": "position",
        "shows": _shows(test),
        "layout": f"{layout}\n" if layout.notes else rows + "\n",
        "ghosts": ghosts,
    }
    case |= {"seed": seed, "rounds": rounds, "moves": _length(layout, ghosts, seed, rounds, max_moves)}
    case["stop"] = "either"  # like the solution, whose lines have a count for each
    if algorithm.reference == "alphabeta":
        case["cut"] = "strict"
    return _search(test, algorithm), case


def _length(layout: Layout, ghosts: list[str], seed: int, rounds: int, max_moves: int) -> int:
    """How many moves Pacman makes in the game that the right answer follows, at most `max_moves`.

    The line of play ends before a position whose search is too large.
    """

    class Pacman(SearchAgent):
        def search(self, node: Node, plies: int) -> Line:
            return exhaustive(node, plies)

    players = [Pacman(rounds), *map(ghost, ghosts)]
    game = Game(start(layout, ghosts), players, ["pacman", *ghosts], seed)
    moves = 0
    for ply in game:
        moves += ply.agent == 0
        if moves == max_moves or (ply.state.mover == 0 and size_problem(ply.state, rounds * len(ply.state.layers))):
            break
    return moves


def _match(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    agent, options = test.require("agentName"), _options(test)
    if agent.text == "ReflexAgent":
        question = {"title": "Reflex agent", "part": "ReflexAgent", "role": "choice"}
    elif options.get("evalFn") in EVALUATIONS:
        part = EVALUATIONS[options["evalFn"]]
        question = {"title": "Evaluation function", "part": part, "role": "evaluation"}
    elif agent.text.isidentifier():
        question = {"title": agent.text, "part": agent.text, "role": "choice"}
    else:
        raise test.error(agent.line, f"agentName: expected the name of a class, got {one_line(agent.text, 60)}")
    games = test.number("numGames", least=1)
    steps, most = _steps(test), max((0, *test.numbers("winsThresholds"), *test.numbers("winsMinimum")))
    if most > games:
        raise test.error(test.require("numGames").line, f"numGames: {most} wins are not possible in {games} games")
    depth = options.get("depth", "2")
    layout = _layout(test)
    notes.told += layout.notes
    ghosts = _ghosts(test, notes)[: len(layout.ghosts)]  # like that project, which leaves the other ghosts out
    case = {"kind": "match", "shows": _shows(test), "layout": f"{layout}\n", "ghosts": ghosts, "games": games}
    rounds = 1 if agent.text == "ReflexAgent" else int(depth) if re.fullmatch(r"[1-9]", depth) else 2
    seconds = test.number("maxTime", least=1) if "maxTime" in test.fields else SECONDS_OF_A_GAME
    limit = float(min(MAX_SECONDS, seconds * games))
    if question["role"] == "choice" and (arguments := {key: options[key] for key in options if key != "depth"}):
        case["arguments"] = arguments
    return question, {**case, "steps": steps, "rounds": rounds, "seed": _seed(test), "seconds": limit}


def _steps(test: TestFile) -> dict[str, Any]:
    """The goals of a match, and the minimum below which it earns nothing; InputError if there is no goal."""
    names = {"wins": "wins", "mean_score": "score", "finished": "nonTimeout"}
    steps: dict[str, Any] = {}
    minimum: dict[str, float] = {}
    for kind, name in names.items():
        number = float if kind == "mean_score" else int
        if goals := sorted({number(goal) for goal in test.numbers(f"{name}Thresholds")}):
            steps[kind] = goals
        if least := test.numbers(f"{name}Minimum"):
            minimum |= {kind: float(least[0])} if kind == "mean_score" or least[0] > 0 else {}
    if not steps:
        raise test.error(1, "expected winsThresholds, scoreThresholds or nonTimeoutThresholds: without them it earns 0")
    return {**steps, "minimum": minimum} if minimum else steps


def _options(test: TestFile) -> dict[str, str]:
    """The options of the agent, by name."""
    entry = test.fields.get("agentArgs")
    words = (word.partition("=") for word in entry.text.split(",") if word) if entry else ()
    return {name.strip(): value.strip() for name, _, value in words}


def _ghosts(test: TestFile, notes: Notes) -> list[str]:
    """The ghosts of the Python expression in a test, with their probabilities; InputError for an unknown one."""
    entry = test.require("ghosts")
    try:
        value = ast.parse(entry.text.strip(), mode="eval").body
        if isinstance(value, ast.ListComp):
            bounds = value.generators[0].iter
            assert isinstance(bounds, ast.Call)
            count = len(range(*(ast.literal_eval(each) for each in bounds.args)))
            items: list[ast.expr] = [value.elt] * min(count, MAX_GHOSTS)
        else:
            assert isinstance(value, ast.List | ast.Tuple)
            items = value.elts
        calls = [
            (each.func.id, each) for each in items if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
        ]
        assert len(calls) == len(items)
    except (SyntaxError, ValueError, TypeError, RecursionError, AssertionError):
        raise test.error(entry.line, "ghosts: write the ghosts one by one, as in [RandomGhost(1)]") from None
    for name, _ in calls:
        if name not in GHOSTS:
            raise test.error(entry.line, f"ghosts: unknown ghost '{name}': {nearest(name, GHOSTS)}")
    return [GHOSTS[name] if name == "RandomGhost" else _directional(call, test, notes) for name, call in calls]


def _directional(call: ast.Call, test: TestFile, notes: Notes) -> str:
    """A directional ghost with the probability of its call. Ours has one, for attack and for flight."""
    given = dict(zip(("index", "prob_attack", "prob_scaredFlee"), call.args, strict=False))
    given |= {each.arg: each.value for each in call.keywords if each.arg}
    line = test.require("ghosts").line
    try:
        attack, flee = (float(ast.literal_eval(given[name])) if name in given else 0.8 for name in PROBABILITIES)
        name = directional(attack).name
    except (ValueError, TypeError, InputError):
        raise test.error(line, "ghosts: expected numbers from 0 to 1 as probabilities of a DirectionalGhost") from None
    if flee != attack:
        notes.told.append(f"{test.path}:{line}: prob_scaredFlee {flee:g} is dropped: a ghost here has one, {attack:g}")
    return name


def _layout(test: TestFile) -> Layout:
    """The layout from the folder `layouts/` next to the tests; InputError if it is missing or cannot be played."""
    entry = test.require("layoutName")
    for above in list(test.path.resolve().parents)[:4]:
        path = above / "layouts" / f"{entry.text}.lay"
        if re.fullmatch(r"\w+", entry.text) and path.is_file():
            try:
                return Layout.load(str(path))
            except InputError as error:
                raise test.error(entry.line, f"layoutName: {error}") from None
    problem = f"layoutName: no file layouts/{entry.text}.lay next to the tests; put it there"
    raise test.error(entry.line, problem)


def _seed(test: TestFile) -> int:
    """The seed; a word, which that project allows, becomes a number."""
    entry = test.fields.get("randomSeed")
    text = entry.text.strip() if entry else "0"
    return int(text) if re.fullmatch(r"\d{1,9}", text) else zlib.crc32(text.encode()) % 1_000_000


def _solution(test: TestFile, notes: Notes) -> TestFile | None:
    """The solution file of a test; None if there is none, if it cannot be read, or if it belongs to another test."""
    path = test.path.with_suffix(".solution")
    if not path.is_file():
        notes.unchecked += 1
        return None
    with notes.problem():
        solution = read(path)
        name = solution.owner.replace("\\", "/").rpartition("/")[2]
        if name and name != test.path.stem:
            raise solution.error(1, f"expected the solution of {test.path.name}, got that of {name}.test")
        return solution
    return None


def _shows(test: TestFile) -> str:
    """The purpose of a test: the last paragraph of its diagram, or else the words in the name of its file."""
    diagram = test.fields.get("diagram")
    last = diagram.text.strip().rpartition("\n\n")[2] if diagram and "\n\n" in diagram.text else ""
    words = " ".join(last.split())
    is_sentence = bool(re.fullmatch(r"[A-Z][\w ,.;:'()-]{20,200}", words))
    return words if is_sentence else re.sub(r"^[\d_-]+(?=\D)|[_-]+", " ", test.path.stem).strip() or test.path.stem


KINDS: dict[str, Callable[[TestFile, Notes], tuple[dict[str, Any], dict[str, Any]]]] = {
    "GraphGameTreeTest": _tree,
    "PacmanGameTreeTest": _position,
    "EvalAgentTest": _match,
}
