"""One test of that project as one case of ours, by its class: a drawn tree, a line of play, whole games."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from agents.base import SearchAgent
from autograder.cases import reference_recorder
from autograder.platforms.cs188 import solution_check
from autograder.platforms.cs188.graph import Graph
from autograder.platforms.cs188.testfile import TestFile, read
from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer, model
from pacman.core.layout import Layout
from pacman.core.state import start
from pacman.core.tree import Line, Node
from pacman.play.game import Game
from pacman.search import exhaustive

T = TypeVar("T")
MOST_MOVES = 40
MOST_LINES = 3
"""So many contradictions are named in one file; more of them have the same cause."""


@dataclass(frozen=True)
class Algorithm:
    """What stands behind the name of an agent: our reference, the ghosts it expects, and the cuts to try."""

    title: str
    reference: str
    ghost: str
    cuts: tuple[str, ...] = ("none",)

    @property
    def layer(self) -> Layer:
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
    """What there is to say about tests that are imported all the same, and how their solutions compared."""

    problems: list[str] = field(default_factory=list)
    agreeing: int = 0
    unchecked: int = 0

    @contextmanager
    def problem(self) -> Iterator[None]:
        """Notes the InputError that ends the block, if one does, and goes on after it."""
        try:
            yield
        except InputError as error:
            self.problems.append(str(error))


class Unknown(InputError):
    """A test of a class, an algorithm or an agent that is not known here; it is skipped."""


def asked(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The question that a test belongs to, without its name and points, and the case; both as plain values.

    Unknown for what cannot be asked here, InputError for what is wrong; both name file and line.
    """
    return _known(test, "class", KINDS)(test, notes)


def _known(test: TestFile, name: str, known: Mapping[str, T]) -> T:
    """What the text of a field stands for."""
    said = test.said(name)
    if said.text.strip() not in known:
        problem = f"{name} '{said.text}' is not known here: {nearest(said.text, known)}; skipped"
        raise Unknown(f"{test.path}:{said.line}: {problem}")
    return known[said.text.strip()]


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
    seed, rounds, drawn = test.number("seed"), test.number("depth", least=1), test.said("layout")
    rows = "\n".join(row for _, row in drawn.rows())
    try:
        layout = Layout.parse(rows, "layout")
    except InputError as error:
        raise test.error(drawn.line, str(error)) from None
    ghosts = [algorithm.ghost] * min(solution_check.GHOSTS, len(layout.ghosts))
    most = MOST_MOVES
    if solution := _solution(test, notes):
        with notes.problem():
            moves = solution_check.moves(solution)[:MOST_MOVES]
            most = len(moves)
            game = solution_check.Game(layout, seed, rounds, algorithm.layer, algorithm.cuts)
            found = solution_check.partings(moves, game)
            for each in found[:MOST_LINES]:
                notes.problems.append(f"{solution.path}:{each.line}: contradiction: {each.problem}")
            if len(found) > MOST_LINES:
                notes.problems.append(f"{solution.path}: {len(found) - MOST_LINES} more moves like these")
            notes.agreeing += not found
    case: dict[str, Any] = {"kind": "position", "shows": _shows(test), "layout": rows + "\n", "ghosts": ghosts}
    case |= {"seed": seed, "rounds": rounds, "moves": _length(layout, ghosts, seed, rounds, most)}
    case["stop"] = "either"  # as there: a solution's lines hold a count for each
    if algorithm.reference == "alphabeta":
        case["cut"] = "strict"
    return _search(test, algorithm), case


def _length(layout: Layout, ghosts: list[str], seed: int, rounds: int, most: int) -> int:
    """How many moves Pacman has in the game that our references follow, `most` at most."""

    class Pacman(SearchAgent):
        def search(self, node: Node, plies: int) -> Line:
            return exhaustive(node, plies)

    players = [Pacman(rounds), *map(reference_recorder.ghost, ghosts)]
    game = Game(start(layout, ghosts), players, ["pacman", *ghosts], seed)
    return sum(1 for _ in islice((ply for ply in game if ply.agent == 0), most))


def _match(test: TestFile, notes: Notes) -> tuple[dict[str, Any], dict[str, Any]]:
    agent, options = test.said("agentName"), _options(test)
    if agent.text == "ReflexAgent":
        question = {"title": "Reflex agent", "part": "ReflexAgent", "role": "choice"}
    elif options.get("evalFn") in EVALUATIONS:
        part = EVALUATIONS[options["evalFn"]]
        question = {"title": "Evaluation function", "part": part, "role": "evaluation"}
    else:
        problem = f"games of '{agent.text}' are imported for ReflexAgent and for evalFn=better alone; skipped"
        raise Unknown(f"{test.path}:{agent.line}: {problem}")
    wins = sorted({step for step in test.numbers("winsMinimum") + test.numbers("winsThresholds") if step > 0})
    scores = sorted({*test.numbers("scoreMinimum"), *test.numbers("scoreThresholds")})
    games = test.number("numGames", least=1)
    if wins and wins[-1] > games:
        raise test.error(test.said("numGames").line, f"numGames: {wins[-1]} wins cannot be reached in {games} games")
    if not wins and not scores:
        raise test.error(1, "neither winsThresholds nor scoreThresholds nor a minimum of them: nothing to reach")
    steps = {"wins": wins, "mean_score": [float(score) for score in scores]}
    depth = options.get("depth", "2")
    layout = _layout(test)
    ghosts = _ghosts(test)[: len(layout.ghosts)]  # as there: the rest stay out
    case = {"kind": "match", "shows": _shows(test), "layout": f"{layout}\n", "ghosts": ghosts, "games": games}
    rounds = 1 if agent.text == "ReflexAgent" else int(depth) if re.fullmatch(r"[1-9]", depth) else 2
    reached = {name: said for name, said in steps.items() if said}
    return question, {**case, "steps": reached, "rounds": rounds, "seed": _seed(test)}


def _options(test: TestFile) -> dict[str, str]:
    said = test.fields.get("agentArgs")
    words = (word.partition("=") for word in said.text.split(",") if word) if said else ()
    return {name.strip(): value.strip() for name, _, value in words}


def _ghosts(test: TestFile) -> list[str]:
    said = test.said("ghosts")
    kinds = {"RandomGhost": "random", "DirectionalGhost": "directional"}
    names = re.findall(r"(\w+)\s*\(", said.text)
    for name in names:
        if name not in kinds:
            raise test.error(said.line, f"ghosts: '{name}' is not known here: {nearest(name, kinds)}")
    return [kinds[name] for name in names]


def _layout(test: TestFile) -> Layout:
    """The layout, from `layouts/` beside the tests; InputError when it is not there or cannot be played."""
    said = test.said("layoutName")
    for above in list(test.path.resolve().parents)[:4]:
        path = above / "layouts" / f"{said.text}.lay"
        if re.fullmatch(r"\w+", said.text) and path.is_file():
            try:
                return Layout.load(str(path))
            except InputError as error:
                raise test.error(said.line, f"layoutName: {error}") from None
    problem = f"layoutName: no file layouts/{said.text}.lay beside the tests; put it there"
    raise test.error(said.line, problem)


def _seed(test: TestFile) -> int:
    """The seed; a word, as that project allows, becomes a number of its own."""
    said = test.fields.get("randomSeed")
    text = said.text.strip() if said else "0"
    return int(text) if re.fullmatch(r"\d{1,9}", text) else zlib.crc32(text.encode()) % 1_000_000


def _solution(test: TestFile, notes: Notes) -> TestFile | None:
    """The solution beside a test, if it can be read and belongs to it."""
    path = test.path.with_suffix(".solution")
    if not path.is_file():
        notes.unchecked += 1
        return None
    with notes.problem():
        solution = read(path)
        name = solution.belongs.replace("\\", "/").rpartition("/")[2]
        if name and name != test.path.stem:
            raise solution.error(1, f"this is the solution of {name}.test; expected that of {test.path.name}")
        return solution
    return None


def _shows(test: TestFile) -> str:
    """What a test is for: the last words of its diagram where it has some, otherwise where it comes from."""
    diagram = test.fields.get("diagram")
    last = diagram.text.strip().rpartition("\n\n")[2] if diagram and "\n\n" in diagram.text else ""
    words = " ".join(last.split())
    told = bool(re.fullmatch(r"[A-Z][\w ,.;:'()-]{20,200}", words))
    return words if told else f"{test.path.parent.name}/{test.path.name}"


KINDS: dict[str, Callable[[TestFile, Notes], tuple[dict[str, Any], dict[str, Any]]]] = {
    "GraphGameTreeTest": _tree,
    "PacmanGameTreeTest": _position,
    "EvalAgentTest": _match,
}
