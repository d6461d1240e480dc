"""That project's folder of tests as one of our assignments: cases, questions, and references recorded by our search."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from autograder import cases, reference
from autograder.cs188 import held, replay
from autograder.cs188.graph import Graph
from autograder.cs188.testfile import TestFile, read
from pacman.errors import InputError, nearest
from pacman.game import stream
from pacman.layers import Layer
from pacman.layout import Layout
from pacman.search import exhaustive
from pacman.state import start

MOST_MOVES = 40
MOST_LINES = 3
"""So many contradictions are named in one file; more of them have the same cause."""


@dataclass(frozen=True)
class Algorithm:
    """What stands behind the name of an agent: our reference, the ghosts' layer, and the cuts to try in turn."""

    title: str
    reference: str
    layer: Layer
    ghost: str
    cuts: tuple[str, ...]
    criteria: dict[str, float]


TREE = {"action": 2.0, "touched": 2.0, "expanded": 1.0}
ALGORITHMS = {
    "MinimaxAgent": Algorithm("Minimax", "exhaustive", Layer.MIN, "optimal", ("none",), TREE),
    "AlphaBetaAgent": Algorithm("Alpha-beta", "alphabeta", Layer.MIN, "optimal", ("strict", "equal"), TREE),
    "ExpectimaxAgent": Algorithm("Expectimax", "exhaustive", Layer.CHANCE, "random", ("none",), TREE),
}
EVALUATIONS = {"better": "betterEvaluationFunction", "betterEvaluationFunction": "betterEvaluationFunction"}


@dataclass
class Imported:
    """What came of a folder: the questions with their cases as plain values, and what there is to say."""

    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    cases: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    tests: int = 0
    skipped: int = 0
    agreeing: int = 0
    unchecked: int = 0

    def summary(self, out: Path) -> str:
        kinds = [case["kind"] for case in self.cases.values()]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("tree", "position", "match") if kind in kinds)
        return (
            f"{len(self.cases)} of {self.tests} tests imported into {out}: {each or 'none'}; {self.agreeing} agree "
            f"with their .solution, {self.unchecked} have none to hold against; {self.skipped} of unknown class skipped"
        )


def folders(top: Path) -> list[Path]:
    """The folders with tests, in the order that CONFIG says; InputError when there are none."""
    if not top.is_dir():
        raise InputError(f"{top}: no such folder; expected one with .test files, or with a folder test_cases")
    if (top / "test_cases").is_dir():
        top = top / "test_cases"
    if any(top.glob("*.test")):
        return [top]
    found = sorted(path for path in top.iterdir() if path.is_dir() and any(path.glob("*.test")))
    if not found:
        raise InputError(f"{top}: no .test file here or one folder down; expected folders such as q2 with .test files")
    order = read(top / "CONFIG").fields.get("order") if (top / "CONFIG").is_file() else None
    places = order.text.split() if order else []
    return sorted(found, key=lambda path: (places.index(path.name) if path.name in places else len(places), path.name))


def convert(top: Path) -> Imported:
    """Every test below `top` that can be asked here; the others are named in `problems`, each with file and line."""
    done = Imported()
    for folder in folders(top):
        id = _plain(folder.name)
        points = _points(folder, done)
        for path in sorted(folder.glob("*.test")):
            done.tests += 1
            try:
                _one(path, id, points, done)
            except _Unknown as unknown:
                done.skipped += 1
                done.problems.append(str(unknown))
            except InputError as error:
                done.problems.append(str(error))
    return done


def write(done: Imported, out: Path, title: str) -> int:
    """Writes the assignment and records every reference with our own search; returns how many were recorded."""
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: this folder is not empty; name one with --out that is, or that is not there yet")
    asked = [question for question in done.questions.values() if any(id == question["id"] for id, _ in done.cases)]
    out.mkdir(parents=True, exist_ok=True)
    (out / "assignment.yaml").write_text(_yaml({"title": title, "questions": asked}), encoding="utf-8")
    for (id, name), case in done.cases.items():
        (out / "cases" / id).mkdir(parents=True, exist_ok=True)
        (out / "cases" / id / f"{name}.yaml").write_text(_yaml(case), encoding="utf-8")
    assignment = cases.load(str(out))
    recorded = [case for case in assignment.cases if case.has_reference]
    for each in recorded:
        reference.save(reference.path_of(assignment, each), reference.derive(each))
    return len(recorded)


class _Unknown(InputError):
    """A test of a class that is not known here."""


def _one(path: Path, id: str, points: float, done: Imported) -> None:
    test = read(path)
    said = test.said("class")
    kinds: dict[str, Callable[[TestFile, Imported], tuple[dict[str, Any], dict[str, Any]]]] = {
        "GraphGameTreeTest": _tree,
        "PacmanGameTreeTest": _position,
        "EvalAgentTest": _match,
    }
    kind = kinds.get(said.text.strip())
    if kind is None:
        raise _Unknown(
            f"{path}:{said.line}: class '{said.text}' is not known here: {nearest(said.text, kinds)}; skipped"
        )
    question, case = kind(test, done)
    question = {"id": id, "title": question.pop("title"), "points": points, **question}
    there = done.questions.setdefault(id, question)
    if (there["part"], there["role"]) != (question["part"], question["role"]):
        raise InputError(f"{path}:1: asks for {question['part']}, but the tests before it in {id} for {there['part']}")
    done.cases[id, _plain(path.stem)] = case


def _algorithm(test: TestFile) -> Algorithm:
    said = test.said("alg")
    if said.text not in ALGORITHMS:
        problem = f"alg '{said.text}' is not known here: {nearest(said.text, ALGORITHMS)}; skipped"
        raise _Unknown(f"{test.path}:{said.line}: {problem}")
    return ALGORITHMS[said.text]


def _search(test: TestFile) -> dict[str, Any]:
    algorithm = _algorithm(test)
    layers = ["max", algorithm.layer.value]
    return {
        "title": algorithm.title,
        "part": test.text("alg"),
        "role": "search",
        "reference": algorithm.reference,
        "layers": layers,
        "criteria": dict(algorithm.criteria),
    }


def _tree(test: TestFile, done: Imported) -> tuple[dict[str, Any], dict[str, Any]]:
    algorithm = _algorithm(test)
    graph = Graph(test, algorithm.layer)
    tree = graph.tree()
    cut = algorithm.cuts[0]
    solution = _solution(test, done)
    if solution is not None:
        try:
            held.check_owner(solution, test)
            cut = held.agreed_cut(solution, graph, tree, list(algorithm.cuts))
            done.agreeing += 1
        except InputError as error:
            done.problems.append(str(error))
    case: dict[str, Any] = {"kind": "tree", "shows": _shows(test), "plies": graph.plies}
    if cut != "none":
        case["cut"] = cut
    return _search(test), {**case, "tree": str(tree) + "\n"}


def _position(test: TestFile, done: Imported) -> tuple[dict[str, Any], dict[str, Any]]:
    algorithm = _algorithm(test)
    seed, rounds, drawn = test.number("seed"), test.number("depth", least=1), test.said("layout")
    rows = "\n".join(row for _, row in drawn.rows())
    try:
        layout = Layout.parse(rows, "layout")
    except InputError as error:
        raise test.error(drawn.line, str(error)) from None
    ghosts = [algorithm.ghost] * min(replay.GHOSTS, len(layout.ghosts))
    most = MOST_MOVES
    solution = _solution(test, done)
    if solution is not None:
        try:
            held.check_owner(solution, test)
            said = replay.moves(solution)[:MOST_MOVES]
            most = len(said)
            pruned = algorithm.reference == "alphabeta"
            found = replay.partings(said, replay.Game(layout, seed, rounds, algorithm.layer, pruned))
            done.problems += [
                f"{solution.path}:{each.line}: contradiction: {each.problem}" for each in found[:MOST_LINES]
            ]
            if len(found) > MOST_LINES:
                done.problems.append(f"{solution.path}: {len(found) - MOST_LINES} more moves like these")
            done.agreeing += not found
        except InputError as error:
            done.problems.append(str(error))
    case: dict[str, Any] = {"kind": "position", "shows": _shows(test), "layout": rows + "\n", "ghosts": ghosts}
    case |= {"seed": seed, "rounds": rounds, "moves": _length(layout, ghosts, seed, rounds, most)}
    case["stop"] = "either"  # as there: a solution's lines hold a count for each
    if algorithm.reference == "alphabeta":
        case["cut"] = "strict"
    return _search(test), case


def _length(layout: Layout, ghosts: list[str], seed: int, rounds: int, most: int) -> int:
    """How many moves Pacman has in the game that our references follow, `most` at most."""
    players = [reference.ghost(name) for name in ghosts]
    for number, player in enumerate(players, 1):
        player.begin(stream(seed, number))
    state, made = start(layout, ghosts), 0
    while not state.is_terminal and made < most:
        if state.mover == 0:
            action = exhaustive(state, rounds * len(state.layers)).action
            assert action is not None
            made += 1
        else:
            action = players[state.mover - 1].choose(state)
        state = state.successor(action)
    return made


def _match(test: TestFile, done: Imported) -> tuple[dict[str, Any], dict[str, Any]]:
    agent, options = test.said("agentName"), _options(test)
    if agent.text == "ReflexAgent":
        question = {"title": "Reflex agent", "part": "ReflexAgent", "role": "choice"}
    elif options.get("evalFn") in EVALUATIONS:
        part = EVALUATIONS[options["evalFn"]]
        question = {"title": "Evaluation function", "part": part, "role": "evaluation"}
    else:
        problem = f"games of '{agent.text}' are imported for ReflexAgent and for evalFn=better alone; skipped"
        raise _Unknown(f"{test.path}:{agent.line}: {problem}")
    wins = sorted({step for step in test.numbers("winsMinimum") + test.numbers("winsThresholds") if step > 0})
    scores = sorted({*test.numbers("scoreMinimum"), *test.numbers("scoreThresholds")})
    games = test.number("numGames", least=1)
    if wins and wins[-1] > games:
        raise test.error(test.said("numGames").line, f"numGames: {wins[-1]} wins cannot be reached in {games} games")
    if not wins and not scores:
        raise test.error(1, "neither winsThresholds nor scoreThresholds nor a minimum of them: nothing to reach")
    steps = {"wins": wins, "mean_score": [float(score) for score in scores]}
    depth = options.get("depth", "2")
    case = {"kind": "match", "shows": _shows(test), "layout": _layout(test), "ghosts": _ghosts(test), "games": games}
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


def _layout(test: TestFile) -> str:
    """The layout's drawing, from `layouts/` beside the tests; InputError when it is not there or cannot be played."""
    said = test.said("layoutName")
    for above in list(test.path.resolve().parents)[:4]:
        path = above / "layouts" / f"{said.text}.lay"
        if re.fullmatch(r"\w+", said.text) and path.is_file():
            rows = path.read_text(encoding="utf-8-sig").strip("\n")
            try:
                return str(Layout.parse(rows, str(path))) + "\n"
            except ValueError as error:
                raise test.error(said.line, f"layoutName: {error}") from None
    problem = f"layoutName: no file layouts/{said.text}.lay beside the tests; put it there"
    raise test.error(said.line, problem)


def _seed(test: TestFile) -> int:
    """The seed; a word, as that project allows, becomes a number of its own."""
    said = test.fields.get("randomSeed")
    text = said.text.strip() if said else "0"
    return int(text) if re.fullmatch(r"\d{1,9}", text) else zlib.crc32(text.encode()) % 1_000_000


def _solution(test: TestFile, done: Imported) -> TestFile | None:
    path = test.path.with_suffix(".solution")
    if not path.is_file():
        done.unchecked += 1
        return None
    try:
        return read(path)
    except InputError as error:
        done.problems.append(str(error))
        return None


def _points(folder: Path, done: Imported) -> float:
    """What the folder's CONFIG says a question is worth, 1 where it says nothing."""
    path = folder / "CONFIG"
    if not path.is_file():
        return 1.0
    try:
        config = read(path)
        return float(config.number("max_points", least=1)) if "max_points" in config.fields else 1.0
    except InputError as error:
        done.problems.append(str(error))
        return 1.0


def _shows(test: TestFile) -> str:
    """What a test is for: the last words of its diagram where it has some, otherwise where it comes from."""
    diagram = test.fields.get("diagram")
    last = diagram.text.strip().rpartition("\n\n")[2] if diagram and "\n\n" in diagram.text else ""
    words = " ".join(last.split())
    told = bool(re.fullmatch(r"[A-Z][\w ,.;:'()-]{20,200}", words))
    return words if told else f"{test.path.parent.name}/{test.path.name}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-") or "q"


def _yaml(said: dict[str, Any]) -> str:
    return yaml.dump(said, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, since trees and layouts are drawings."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)
