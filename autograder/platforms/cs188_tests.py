"""From a folder of Berkeley test files to an assignment: each test becomes a case, each folder a question.

A test becomes a drawn tree, a line of play or whole games, by its class.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from math import floor
from pathlib import Path
from typing import Any, TypeVar

from agents.base import SearchAgent
from agents.cs188.base_state import in_snake_case
from autograder.case_strength.match_shares import GOALS
from autograder.cases import loading, yaml_file
from autograder.cases.case import MAX_SECONDS, Case, Limits, Question
from autograder.cases.ghosts import own_file, player
from autograder.cases.right_answer import derive
from autograder.cases.truth import size_problem
from autograder.judge.points_as_text import shares
from autograder.platforms import cs188, cs188_check
from autograder.platforms.cs188_files import Graph, TestFile, read
from autograder.platforms.cs188_ghosts import ghosts_of
from pacman.core.errors import InputError, counted, listed, nearest, one_line
from pacman.core.files import read_text
from pacman.core.layout import Layout
from pacman.core.rounds import model
from pacman.core.state import start
from pacman.core.tree import Line, Node
from pacman.play.game import Game
from pacman.search.exhaustive import exhaustive

T = TypeVar("T")
Plain = dict[str, Any]
"""A question or a case as plain values, as in a YAML file."""
MAX_MOVES = 40
SECONDS_OF_A_GAME = 30
"""The time for a game of a test that gives no maxTime."""
MOST_SECONDS = 1000
"""The most time for all cases of an imported course together: with more, Gradescope would stop the grading."""
MAX_CONTRADICTIONS = 3
"""How many contradictions of one file are reported; more of them usually have the same cause."""
STUB = "stub.py"
CRITERIA = {"action": 2.0, "touched": 2.0, "expanded": 1.0}
AGENTS: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = {
    "MinimaxAgent": ("Minimax", "exhaustive", "optimal", ("none",)),
    "AlphaBetaAgent": ("Alpha-beta", "alphabeta", "optimal", ("strict", "equal")),
    "ExpectimaxAgent": ("Expectimax", "exhaustive", "random", ("none",)),
}
"""How an agent is graded: its title, our right search, the ghosts that it expects, and the cuts to try."""
SCORES = {"wins": "wins", "mean_score": "score", "finished": "nonTimeout"}
"""The kind of a step -> what the names of its fields begin with."""


@dataclass
class Imported:
    """Questions and cases as plain values, by their ids. `told` costs nothing, `problems` do.

    `others` has the classes of tests that this program does not grade, with the folders of the tests; `lost` the
    folders of which no test could be imported. `agreeing` solutions agree with our search, `unchecked` tests have none.
    `ghost_files` are the files with ghosts of the course, all below `top`. A course may write `is_snake_case`.
    """

    top: Path
    questions: dict[str, Plain] = field(default_factory=dict)
    cases: dict[tuple[str, str], Plain] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    ghost_files: dict[str, str] = field(default_factory=dict)
    is_snake_case: bool = False
    tests: int = 0
    agreeing: int = 0
    unchecked: int = 0

    @contextmanager
    def problem(self) -> Iterator[None]:
        """Adds the InputError that ends the block, if any, to the problems; the program continues after the block."""
        try:
            yield
        except InputError as error:
            self.problems.append(str(error))

    def summary(self, out: Path) -> str:
        """One line with the numbers of imported and compared tests, and the questions that are lost."""
        kinds = Counter(case["kind"] for case in self.cases.values())
        each = ", ".join(f"{kinds[kind]} {kind}" for kind in ("tree", "position", "match") if kinds[kind])
        agreement = f"{self.agreeing} agree with their .solution, {self.unchecked} have no .solution"
        agreement += f", {kinds['match']} of kind match need none" if kinds["match"] else ""
        lost = f"; nothing of {', '.join(self.lost)}" if self.lost and self.cases else ""
        imported = f"{len(self.cases)} of {counted(self.tests, 'test')} imported into {out}"
        return f"{imported}: {each or 'none'}; {agreement}{lost}"

    def lines(self) -> tuple[list[str], list[str]]:
        """A line for each kind of problem, first for what is not graded here; and for each kind that costs nothing."""
        problems, places = _by_kind(self.problems), [place for each in self.others.values() for place in each]
        if places:
            left_out = f"{counted(len(places), 'test')} left out, in {listed(list(dict.fromkeys(places)))}"
            classes = ", ".join(sorted(self.others))
            problems.insert(0, f"{left_out}, of classes that this program does not grade: {classes}")
        return problems, _by_kind(self.told)


def _by_kind(lines: list[str]) -> list[str]:
    """The first of the lines that differ only in their place, with the number of the others."""
    kinds: dict[str, list[str]] = {}
    for each in dict.fromkeys(lines):
        kinds.setdefault(re.sub(r"^.*?:\d+: ", "", each), []).append(each)
    return [f"{first} (and {len(others)} more)" if others else first for first, *others in kinds.values()]


def folders(top: Path, imported: Imported) -> list[Path]:
    """The folders that CONFIG's order names, or else all with tests. InputError for none, and for several courses."""
    if not top.is_dir():
        raise InputError(f"{top}: no such folder; expected a folder with .test files or with a folder test_cases")
    if (top / "test_cases").is_dir():
        top = top / "test_cases"
    if any(top.glob("*.test")):
        return [top]
    subfolders = {path.name: path for path in sorted(top.iterdir()) if path.is_dir() and any(path.glob("*.test"))}
    if not subfolders:
        return folders(_only_course(top), imported)
    config = _config(top, imported)
    order = list(dict.fromkeys(config.text("order", " ".join(subfolders)).split()))
    if others := [name for name in subfolders if name not in order]:
        imported.told.append(f"{listed(others)}: not in the order of {config.path}, so left out")
    if missing := [name for name in order if name not in subfolders]:
        imported.told.append(f"{listed(missing)}: in the order of {config.path}, but without tests")
    return [subfolders[name] for name in order if name in subfolders]


def _only_course(top: Path) -> Path:
    """The only folder below with a course, or the only one with tests of adversarial search. InputError for others."""
    tests: dict[Path, list[Path]] = {}
    for path in sorted(top.rglob("*.test")):
        tests.setdefault(path.parent.parent, []).append(path)
    courses = list(tests)
    if len(courses) > 1:
        ours = [folder for folder in courses if any(_ours(path) for path in tests[folder])]
        courses = ours or courses
    if len(courses) == 1:
        return courses[0]
    if not courses:
        raise InputError(f"{top}: no .test file in it or in its folders; expected folders such as q2 with them")
    names = (str(each.parent if each.name == "test_cases" else each) for each in courses)
    raise InputError(f"{top}: {counted(len(courses), 'course')} in its folders; name one of {', '.join(names)}")


def _ours(path: Path) -> bool:
    """True for a test with a search that this program imports; games are also in the course's other projects."""
    try:
        return '"GraphGameTreeTest"' in (text := read_text(path)) or '"PacmanGameTreeTest"' in text
    except (OSError, ValueError):
        return False


def convert(top: Path, parts: bool = False) -> Imported:
    """Converts every graded test below `top`; a test that cannot be converted is a line in the problems.

    With `parts`, each case earns its part of a question, also where the course gives all or nothing.
    """
    imported = Imported(top)
    for folder in folders(top, imported):
        config, before, is_other = _config(folder, imported), set(imported.cases), False
        for path in sorted(folder.glob("*.test")):
            imported.tests += 1
            with imported.problem():
                test = read(path)
                imported.is_snake_case |= test.is_snake_case
                if kind := _other_project(test):
                    is_other = True
                    imported.others.setdefault(kind, []).append(folder.name)
                else:
                    _add_test(test, _plain(folder.name), imported)
        if cases := [case for case in imported.cases if case not in before]:
            _give_points(config, cases, imported, parts)
        elif not is_other:
            imported.lost.append(folder.name)
    if ids := [id for id, question in imported.questions.items() if question["all_or_nothing"]]:
        whole = "no points until every case is right, as in CONFIG; with --parts each case earns its part"
        imported.told.append(f"{', '.join(ids)}: {whole}")
    if imported.is_snake_case:
        imported.told.append("the tests are in snake_case: students' files may be, too, and stub.py is")
    return imported


def _other_project(test: TestFile) -> str:
    """The class of a test that belongs to another project; "" for one of this project, also a misspelt one."""
    kind = test.text("class")
    names = (SequenceMatcher(None, kind.lower(), name.lower()).ratio() for name in KINDS)
    return one_line(kind, 60, str) if kind not in KINDS and max(names) <= 0.8 else ""


def _add_test(test: TestFile, id: str, imported: Imported) -> None:
    """Adds the case of a test, and its question. InputError for a test that cannot be converted."""
    question, case = _known(test, "class", KINDS)(test, imported)
    known = imported.questions.get(id, question)
    if (known["part"], known["role"]) != (question["part"], question["role"]):
        id = f"{id}-{_plain(question['part']).removesuffix('agent')}"
    name = _plain(test.path.stem)
    if (id, name) in imported.cases:
        raise InputError(f"{test.path}:1: {id} has two tests '{name}'; rename one of them")
    first = {"id": id, "title": question["title"], "points": 1.0, **question, "all_or_nothing": False, "requires": {}}
    known = imported.questions.setdefault(id, first)
    if "touched" not in question.get("criteria", CRITERIA):
        known["criteria"] = question["criteria"]
    imported.cases[id, name] = {"kind": "", "shows": _shows(test), **case}


def _give_points(config: TestFile, cases: list[tuple[str, str]], imported: Imported, parts: bool) -> None:
    """The points of a folder, for its question; if its tests are for several agents, for the question of each.

    Where only all of them together earn something, the first question has the points and requires the others.
    """
    points = 1.0
    with imported.problem():
        points = float(config.number("max_points", default=1))
    is_whole = "PassAllTests" in config.text("class", "") and not parts
    counts = Counter(id for id, _ in cases)
    first, *others = counts
    each = [points, *(0.0 for _ in others)] if is_whole else shares(points, [float(n) for n in counts.values()])
    needed = map(_plain, config.text("depends", "").split())
    requires = {id: 1.0 for id in needed if id in imported.questions and id not in counts}
    for id, own in zip(counts, each, strict=True):
        has_searches = any(imported.cases[place]["kind"] != "match" for place in cases if place[0] == id)
        more = dict.fromkeys(others, 1.0) if is_whole and id == first else {}
        whole = is_whole and has_searches
        imported.questions[id] |= {"points": own, "all_or_nothing": whole, "requires": {**requires, **more}}
    for case in (imported.cases[place] for place in cases if len(cases) > 1):
        if case["kind"] == "match":  # there each goal of each test is one point
            case["weight"] = float(sum(len(goals) for kind, goals in case["steps"].items() if kind != "minimum"))


def files(imported: Imported, out: Path, title: str) -> dict[str, str]:
    """The files of the assignment: path in its folder `out` -> text. A case that our schema refuses is a problem."""
    texts = dict(imported.ghost_files)
    for (id, name), case in list(imported.cases.items()):
        place, text = f"cases/{id}/{name}.yaml", yaml_file.write(case)
        try:
            if not any(map(own_file, case.get("ghosts", ()))):  # those are not in `out` yet, and have been tried
                file = yaml_file.parse(text, out / place)
                written = loading.case_of(file, Question(**imported.questions[id]), Limits())
                if written.has_truth:
                    derive(written)
            texts[place] = text
        except InputError as error:  # their files allow what our schema refuses
            imported.problems.append(str(error))
            del imported.cases[id, name]
    used = {id for id, _ in imported.cases}
    questions = []
    for question in (each for id, each in imported.questions.items() if id in used):
        requires = {id: share for id, share in question["requires"].items() if id in used}
        keys = {**question, "requires": requires}
        questions.append({key: value for key, value in keys.items() if value or key == "points"})
    seconds = sum(case.get("seconds", 0) for case in imported.cases.values()) + Limits.submission_seconds
    limits = {"submission_seconds": float(min(MOST_SECONDS, seconds))}
    about: Plain = {"title": title, "api": "cs188", "stub": STUB, "limits": limits}
    spell = in_snake_case if imported.is_snake_case else str
    lines = [imported.summary(out), *imported.lines()[1], *imported.lines()[0][: bool(imported.others)]]
    return {
        **texts,
        "assignment.yaml": yaml_file.write({**about, "questions": questions}),
        STUB: spell(cs188.stub(questions)),
        "handout.md": spell(cs188.handout(title, questions)),
        "instructors.md": "# From the tests of the course\n\n"
        + "".join(f"- {line}\n" for line in (*lines, *imported.problems)),
    }


def lower_goals(case: Case, numbers: Sequence[Mapping[str, float]], player: str, hint: str) -> tuple[str, list[str]]:
    """How far a right file is from the goals of a match, given what it reached with several keys, as one line.

    The goals that it missed with some of the keys are lowered in the file of the case; a line for each of them. If the
    file cannot play, the line ends with the `hint`.
    """
    if not numbers or not all(GOALS[0] in each for each in numbers):
        why = "has no" if not numbers else "gets an error as"
        return f"{case.id}: {player} {why} {case.question.part}, so the goals of its games are not tried{hint}", []
    file = yaml_file.read(case.source)
    steps, lines, far = file.data["steps"], list[str](), list[str]()
    minimum = steps.get("minimum", {})
    for kind in GOALS:
        reached = [each[kind] for each in numbers]
        least, most = min(reached), max(reached)
        sure = floor(least / 10) * 10.0 if kind == "mean_score" else least
        goals = [*steps.get(kind, ()), *([minimum[kind]] if kind in minimum else ())]
        if goals:
            texts = [f"{goal:g}" for goal in steps.get(kind, ())]
            texts += [f"minimum {minimum[kind]:g}"] if kind in minimum else []
            far.append(f"{kind} {least:g} to {most:g}, goals {', '.join(texts)}")
        for goal in (each for each in dict.fromkeys(goals) if each > least):
            why = f"{player} reaches {least:g} to {most:g} with {counted(len(numbers), 'key')}"
            if sure <= 0 < goal:  # what a Pacman gets who stands still, or loses
                lines.append(f"{case.source}: {kind} {goal:g}: {why}; lower the goal, or play more games")
                continue
            lines.append(f"{case.source}: {kind} {goal:g} lowered to {sure:g}: {why}")
            if kind in steps:
                steps[kind] = sorted({type(each)(min(each, sure)) for each in steps[kind]})
            if kind in minimum:
                minimum[kind] = min(minimum[kind], sure)
    if lines:
        case.source.write_text(yaml_file.write(file.data), encoding="utf-8", newline="\n")
    return f"{case.id}: {player} reaches {'; '.join(far)}", lines


def _config(folder: Path, imported: Imported) -> TestFile:
    """The folder's CONFIG; without fields if there is none or if it cannot be read."""
    path = folder / "CONFIG"
    if path.is_file():
        with imported.problem():
            return read(path)
    return TestFile(path)


def _plain(name: str) -> str:
    """`name` in the letters that the id of a question and the name of a case may have."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-") or "q"


def _letters(name: str) -> str:
    """`name` in small letters without `-` and `_`, in which courses differ."""
    return re.sub("[-_ ]", "", name.lower())


def _known(test: TestFile, name: str, known: Mapping[str, T]) -> T:
    """The value in `known` for the text of a field, in capital or small letters; InputError if there is none."""
    entry = test.require(name)
    values = {each.lower(): value for each, value in known.items()}
    if entry.text.strip().lower() not in values:
        raise test.error(entry.line, f"unknown {name} '{entry.text}': {nearest(entry.text, known)}; skipped")
    return values[entry.text.strip().lower()]


# One test becomes one case.


def _search(test: TestFile) -> tuple[Plain, str, tuple[str, ...]]:
    """The question of a test with a search, the ghosts that it expects, and the cuts to try."""
    title, reference, kind, cuts = _known(test, "alg", AGENTS)
    question = {
        "title": title,
        "part": test.text("alg"),
        "role": "search",
        "reference": reference,
        "layers": ["max", model(kind).layer.value],
        "criteria": dict(CRITERIA),
    }
    return question, kind, cuts


def _tree(test: TestFile, imported: Imported) -> tuple[Plain, Plain]:
    question, kind, cuts = _search(test)
    graph = Graph(test, model(kind).layer)
    tree, cut = graph.tree(), cuts[0]
    if solution := _solution(test, imported):
        with imported.problem():
            cut = cs188_check.agreed_cut(solution, graph, tree, cuts)
            imported.agreeing += 1
        if "expanded" in solution.fields:  # there, a state that is made and never looked at does not count
            del question["criteria"]["touched"]
    own = {} if cut == "none" else {"cut": cut}
    return question, {"kind": "tree", "plies": graph.plies, **own, "tree": f"{tree}\n"}


def _position(test: TestFile, imported: Imported) -> tuple[Plain, Plain]:
    question, kind, cuts = _search(test)
    seed, rounds, drawing = test.number("seed"), test.number("depth", least=1), test.require("layout")
    rows = "\n".join(row for _, row in drawing.lines())
    try:
        layout = Layout.parse(rows, "layout")
    except InputError as error:
        raise test.error(drawing.line, str(error)) from None
    imported.told += [f"{test.path}:{drawing.line}: {note}" for note in layout.notes]
    ghosts = [kind] * min(cs188_check.GHOSTS, len(layout.ghosts))
    root, line = start(layout, ghosts), list[str]()
    if problem := size_problem(root, rounds * len(root.layers)):
        raise test.error(test.require("depth").line, f"depth: {problem}")
    if solution := _solution(test, imported):
        with imported.problem():
            moves = cs188_check.read_moves(solution)[:MAX_MOVES]
            game = cs188_check.Game(layout, seed, rounds, model(kind).layer, cuts)
            replay = cs188_check.play_again(moves, game)
            _compare(solution, replay, imported)
            line = [action for actions in replay.rounds[:-1] for action in actions]
    case = {
        "kind": "position",
        "layout": f"{layout}\n" if layout.notes else rows + "\n",
        "ghosts": ghosts,
        "rounds": rounds,
        **({"line": line, "moves": len(replay.rounds)} if line else _drawn(layout, ghosts, seed, rounds)),
        "stop": "either",  # like the solution, whose lines have a count for each
        **({"cut": "strict"} if question["reference"] == "alphabeta" else {}),
    }
    return question, case


def _compare(solution: TestFile, replay: cs188_check.Replay, imported: Imported) -> None:
    """Notes where a solution and our search differ in a game; another order of the actions costs nothing."""
    differences = replay.problems
    if replay.counts and replay.is_sorted:
        order = "its numbers of states fit actions in alphabetical order, which changes no marks"
        imported.told.append(f"{solution.path}:{replay.counts[0][0]}: {order}")
    else:
        differences = sorted(replay.problems + replay.counts)
    lines = [f"{solution.path}:{line}: contradiction: {problem}" for line, problem in differences]
    imported.problems += lines[:MAX_CONTRADICTIONS]
    if more := lines[MAX_CONTRADICTIONS:]:
        imported.problems.append(f"{solution.path}: {counted(len(more), 'more contradiction')}")
    imported.agreeing += not differences


def _drawn(layout: Layout, ghosts: list[str], seed: int, rounds: int) -> Plain:
    """The seed of a game without a solution, and how many moves Pacman makes in it.

    The line of play ends before a position whose search is too large.
    """

    class Pacman(SearchAgent):
        def search(self, node: Node, plies: int) -> Line:
            return exhaustive(node, plies)

    game = Game(
        start(layout, ghosts), [Pacman(rounds), *(player(each, {}) for each in ghosts)], ["pacman", *ghosts], seed
    )
    moves = 0
    for ply in game:
        moves += ply.agent == 0
        if moves == MAX_MOVES or (ply.state.mover == 0 and size_problem(ply.state, rounds * len(ply.state.layers))):
            break
    return {"seed": seed, "moves": moves}


def _match(test: TestFile, imported: Imported) -> tuple[Plain, Plain]:
    agent, words = test.require("agentName"), test.text("agentArgs", "").split(",")
    options = {key.strip(): value.strip() for key, _, value in (word.partition("=") for word in words if word)}
    evaluation = next((_letters(value) for key, value in options.items() if _letters(key) == "evalfn"), "")
    title, part, role = agent.text, agent.text, "choice"
    if part == "ReflexAgent":
        title = "Reflex agent"
    elif evaluation in ("better", "betterevaluationfunction"):
        title, part, role = "Evaluation function", "betterEvaluationFunction", "evaluation"
    elif not part.isidentifier():
        raise test.error(agent.line, f"agentName: expected the name of a class, got {one_line(part, 60)}")
    games = test.number("numGames", least=1)
    steps, most = _steps(test), max((0, *test.numbers("winsThresholds"), *test.numbers("winsMinimum")))
    if most > games:
        raise test.error(test.require("numGames").line, f"numGames: {most} wins are not possible in {games} games")
    layout, depth = _layout(test), options.get("depth", "")
    imported.told += layout.notes
    ghosts, ghost_files = ghosts_of(test, layout, imported.top)
    imported.ghost_files |= ghost_files
    seed = test.text("randomSeed", "0")  # a word, which that project allows, becomes a number
    case = {
        "kind": "match",
        "layout": f"{layout}\n",
        "ghosts": ghosts,
        "games": games,
        **({"arguments": options} if role == "choice" and options else {}),
        "steps": steps,
        **({"rounds": int(depth) if re.fullmatch("[1-9]", depth) else 2} if role == "evaluation" else {}),
        "seed": int(seed) if re.fullmatch(r"\d{1,9}", seed) else zlib.crc32(seed.encode()) % 1_000_000,
        "seconds": float(min(MAX_SECONDS, games * test.number("maxTime", 1, default=SECONDS_OF_A_GAME))),
    }
    return {"title": title, "part": part, "role": role}, case


def _steps(test: TestFile) -> dict[str, Any]:
    """The goals of a match, and the minimum below which it earns nothing; InputError if there is no goal."""
    steps: dict[str, Any] = {}
    minimum: dict[str, float] = {}
    for kind, name in SCORES.items():
        number = float if kind == "mean_score" else int
        if goals := sorted({number(goal) for goal in test.numbers(f"{name}Thresholds")}):
            steps[kind] = goals
        if least := test.numbers(f"{name}Minimum"):
            minimum |= {kind: float(least[0])} if kind == "mean_score" or least[0] > 0 else {}
    if not steps:
        raise test.error(1, "expected winsThresholds, scoreThresholds or nonTimeoutThresholds: without them it earns 0")
    return {**steps, "minimum": minimum} if minimum else steps


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


def _solution(test: TestFile, imported: Imported) -> TestFile | None:
    """The solution file of a test; None if there is none, if it cannot be read, or if it belongs to another test."""
    path = test.path.with_suffix(".solution")
    if not path.is_file():
        imported.unchecked += 1
        return None
    with imported.problem():
        solution = read(path)
        name = solution.owner.replace("\\", "/").rpartition("/")[2]
        if name and _letters(name) != _letters(test.path.stem):
            raise solution.error(1, f"expected the solution of {test.path.name}, got that of {name}.test")
        return solution
    return None


def _shows(test: TestFile) -> str:
    """The purpose of a test: the last paragraph of its diagram, or else the words in the name of its file."""
    words = " ".join(test.text("diagram", "").rpartition("\n\n")[2].split())
    is_sentence = bool(re.fullmatch(r"[A-Z][\w ,.;:'()-]{20,200}", words))
    return words if is_sentence else re.sub(r"^[\d_-]+(?=\D)|[_-]+", " ", test.path.stem).strip() or test.path.stem


KINDS: Mapping[str, Callable[[TestFile, Imported], tuple[Plain, Plain]]] = {
    "GraphGameTreeTest": _tree,
    "PacmanGameTreeTest": _position,
    "EvalAgentTest": _match,
}
