"""`new-assignment --from FOLDER`: the text files of a Berkeley course become cases, which our own search solves."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.cases import loading
from autograder.cases.case import MatchInput
from autograder.cases.right_answer import derive, derive_all
from autograder.cases.truth import best_actions
from autograder.commands.checks import check_for_students, check_stub
from autograder.commands.options import GraderOptions
from autograder.course.kit import release
from autograder.course.new_assignment import write_files
from autograder.grading.grade import grade
from autograder.platforms import cs188_check, cs188_files, cs188_tests, load_assignment
from pacman.core.errors import InputError
from pacman.core.layout import Layout
from pacman.core.rounds import directional
from pacman.core.state import start
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.search import alphabeta, exhaustive
from tests.mistakes import changed, mistakes
from tests.platforms.cs188_grading import SOLUTIONS
from tests.written_files import write_files as written

COURSE = Path(__file__).parent / "cs188" / "course"


def run(course: Path, *words: object) -> tuple[int, str, str]:
    out = () if "--out" in words else ("--out", course / "ours")
    done = CliRunner().invoke(app, ["new-assignment", "Course", *map(str, ("--from", course, *words, *out))])
    if isinstance(done.exception, InputError):
        return 2, done.stdout, str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def course(tmp_path: Path) -> Path:
    shutil.copytree(COURSE, tmp_path / "course")
    return tmp_path / "course"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


imported = cs188_tests.convert


def problems(course: Path) -> list[str]:
    return [line.replace(str(course / "test_cases") + "/", "") for line in imported(course).lines()[0]]


def test_a_whole_course(tmp_path: Path) -> None:
    code, out, err = run(COURSE, "--out", tmp_path / "ours")
    assert (code, err) == (0, "")
    assert "10 of 10 tests imported" in out
    assert "4 tree, 3 position, 3 match; 4 agree" in out
    assignment = loading.load(str(tmp_path / "ours"))
    assert [(question.id, question.part, question.points) for question in assignment.questions] == [
        ("q1", "ReflexAgent", 4),
        ("q2", "MinimaxAgent", 5),
        ("q3", "AlphaBetaAgent", 5),
        ("q4", "ExpectimaxAgent", 5),
        ("q5", "betterEvaluationFunction", 6),
        ("q6", "AlphaBetaAgent", 2),
    ]
    assert all("value" not in question.criteria for question in assignment.questions)
    assert len(derive_all(assignment)) == 7


def test_the_assignment_says_for_which_files_it_is(tmp_path: Path) -> None:
    """No command needs --api: not a grading, not the upload for Gradescope, not the kit."""
    folder, tests = tmp_path / "ours", tmp_path / "course"
    shutil.copytree(COURSE, tests)
    edit(tests / "test_cases/q1/games.test", 'maxTime: "60"', 'maxTime: "300"')
    run(tests, "--out", folder, "--keys", 0)
    assignment, api = load_assignment(str(folder), None)
    assert (assignment.title, assignment.api, api.name, assignment.stub) == (
        *("Course", "cs188", "cs188"), (folder / "stub.py").resolve(),
    )  # fmt: skip
    assert {case.id: case.input.shows for case in assignment.cases}["q4/9-game"] == "game"
    assert GraderOptions(allow_unsafe=True).packed(str(folder)).unpack()[0].api.name == "cs188"
    assert assignment.limits.submission_seconds == 1000
    done = CliRunner().invoke(app, ["gradescope", str(folder), "--out", str(tmp_path / "up.zip")])
    assert done.exit_code == 0, done.output
    assert json.loads(zipfile.ZipFile(tmp_path / "up.zip").read("settings.json"))["api"] == "cs188"
    check_stub(assignment)
    kit = zipfile.ZipFile(BytesIO(release(assignment)))
    assert "getAction" in kit.read("ours/multiAgents.py").decode()
    assert "| q3 Alpha-beta | `AlphaBetaAgent` | 5 |" in kit.read("ours/handout.md").decode()
    assert "grade multiAgents.py\n" in kit.read("ours/README.md").decode()


def test_a_goal_that_a_right_file_misses_is_lowered(course: Path, tmp_path: Path) -> None:
    """Wins and scores alike, also a minimum. `never.py` wins no game: a goal of no win would be no goal."""
    games, never = course / "test_cases/q1/games.test", tmp_path / "never.py"
    edit(games, 'scoreThresholds: "300"', 'scoreThresholds: "300 9000"\nscoreMinimum: "8000"')
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 2)
    (far,) = [line for line in out.splitlines() if line.startswith("q1/games: ")]
    assert "reaches wins 4 to 4, goals 2, 4, minimum 1; mean_score " in far
    assert far.endswith(", goals 300, 9000, minimum 8000")
    lowered, minimum = err.splitlines()
    line = rf"{tmp_path}/ours/cases/q1/games.yaml: mean_score 9000 lowered to (\d+0): solutions.py reaches [\d.]+ to "
    match = re.match(line, lowered)
    assert match
    assert f"mean_score 8000 lowered to {match[1]}: " in minimum
    (case,) = loading.load(str(tmp_path / "ours")).only(None, "q1/games").cases
    least = float(match[1])
    assert isinstance(case.input, MatchInput)
    assert (case.input.steps.mean_score, case.input.steps.minimum) == ((300, least), {"wins": 1, "mean_score": least})
    assert code == 0
    never.write_text((tmp_path / "ours/stub.py").read_text("utf-8").replace("raiseNotDefined()", "return 0"), "utf-8")
    edit(never, "return 0", "return 'Stop'")
    _, _, err = run(course, "--out", tmp_path / "other", "--keys", 1, "--agent", never)
    assert "games.yaml: wins 4: never.py reaches 0 to 0 with 1 key; lower the goal, or play more games" in err


def test_shared_states_become_a_tree_and_a_cycle_ends_at_the_horizon(course: Path) -> None:
    case = imported(course).cases["q2", "1-shared"]
    tree = Outline.parse(case["tree"])
    assert case["plies"] == 4
    assert tree.successor("West").successor("North") == tree.successor("East").successor("North")
    assert exhaustive(tree, 4).value == 6  # m is worth 8.5 to MAX, but after West the ghost chooses the win, worth 6
    assert tree.successor("West").successor("South").name == "won"
    assert tree.height() == 4  # e and f lead back to the start, below the horizon
    edit(course / "test_cases/q2/1-shared.test", "e West s\nf West s\n", "e West won\nf West lost\n")
    tree = Outline.parse(imported(course).cases["q2", "1-shared"]["tree"])
    assert tree.height() == 5  # the tree below the horizon is drawn too
    assert exhaustive(tree, 4).value == 6


def test_an_end_is_won_or_lost_as_the_course_says(course: Path, tmp_path: Path) -> None:
    """Whatever its number is: a file that does not evaluate lost states gets no points for it, a right file does."""
    path, file = course / "test_cases/q2/0-two-answers.test", tmp_path / "multiAgents.py"
    edit(path, 'win_states: "w x y z"\nlose_states: ""', 'win_states: "w"\nloseStates: "x y z"')
    edit(path, "w 2.0", "w -2.0")
    run(course, "--out", tmp_path / "ours", "--keys", 0)
    loaded, api = load_assignment(str(tmp_path / "ours"), None)
    loaded = loaded.only("q2", "q2/0-two-answers")
    assert "Left: -2 won =w; Right: 9 lost =x" in cast(Outline, loaded.cases[0].root).to_one_line()
    end = "        if state.isWin() or state.isLose() or depth == self.depth:\n"
    for more, points in (("", 5), ("        if state.isLose():\n            return float('-inf'), None\n", 0)):
        file.write_text(SOLUTIONS.read_text(encoding="utf-8").replace(end, more + end), encoding="utf-8")
        assert grade(file, loaded, 1, api=api).questions[0].earned == points


def test_alpha_beta_gets_the_cut_of_its_solution(course: Path) -> None:
    path = course / "test_cases/q3/0-cut.solution"
    assert imported(course).cases["q3", "0-cut"]["cut"] == "strict"
    edit(path, "c c1 c2 r", "c c1 r")
    done = imported(course)
    assert (done.cases["q3", "0-cut"]["cut"], done.problems) == ("equal", [])
    tree = Outline.parse(done.cases["q3", "0-cut"]["tree"])
    assert alphabeta(tree, 2).action == "Left"


def test_three_agents_a_mean_and_matches() -> None:
    done = imported(COURSE)
    tree = Outline.parse(done.cases["q4", "0-mean"]["tree"])
    assert tree.successor("Left").layer is Layer.CHANCE
    assert exhaustive(tree, 3).value == pytest.approx((6 + 0 + 1) / 3)
    games, better = done.cases["q1", "games"], done.cases["q5", "games"]
    assert (games["steps"], games["games"]) == ({"wins": [2, 4], "mean_score": [300.0], "minimum": {"wins": 1.0}}, 4)
    assert games["ghosts"] == ["random"]
    assert (better["steps"], better["rounds"], better["ghosts"]) == ({"wins": [1, 3]}, 1, ["directional"])
    assert games["seed"] == imported(COURSE).cases["q1", "games"]["seed"]
    assert better["seed"] == 5


BAD = mistakes(Path(__file__).with_name("mistakes.txt"))


@pytest.mark.parametrize(("file", "change", "problem"), BAD, ids=[f"{row[0]}-{n}" for n, row in enumerate(BAD)])
def test_a_problem_is_reported_and_the_rest_imported(course: Path, file: str, change: str, problem: str) -> None:
    path = course / "test_cases" / file
    path.write_text(changed(path.read_text(encoding="utf-8"), change), encoding="utf-8")
    done = imported(course)
    found = [line.replace(f"{course / 'test_cases'}/", "") for line in done.lines()[0]]
    assert found == ([problem] if problem else [])
    is_kept = not problem or ".solution" in problem or "CONFIG" in problem
    assert len(done.cases) == (10 if is_kept else 9)


GRAPH = """class: "GraphGameTreeTest"\nalg: "MinimaxAgent"\ndepth: "{}"\nnum_agents: "2"\nstart_state: "s0"
win_states: ""\nlose_states: ""\nsuccessors: \"\"\"\n{}\"\"\"\nevaluation: \"\"\"\n{}\"\"\"\n"""
CIRCLE = "s0 on s1\ns1 on s0\n", "s0 1\ns1 2\n"


def levels(number: int) -> str:
    """The moves of a graph with so many levels, in which each state leads three times to the next one."""
    return "".join(f"s{n} a{k} s{n + 1}\n" for n in range(number) for k in range(3))


@pytest.mark.parametrize(
    ("depth", "rows", "values", "nodes"),
    [
        (2, levels(20), "s4 1\n", 1 + 3 + 9 + 27 + 81),  # it is cut at the horizon
        (3, *CIRCLE, 7),
        (6, levels(12), "s12 1\n", "the tree of this graph is too large: expected at most 5,000 nodes"),
        (60, *CIRCLE, "the search of this graph is too deep: expected at most 100 plies"),
    ],
)
def test_a_tree_has_an_end_and_a_limit(course: Path, depth: int, rows: str, values: str, nodes: int | str) -> None:
    path = course / "test_cases/q2/2-much.test"
    path.write_text(GRAPH.format(depth, rows, values), encoding="utf-8")
    assert problems(course) == ([] if isinstance(nodes, int) else [f"q2/2-much.test:8: {nodes}"])
    if isinstance(nodes, int):
        assert cs188_files.Graph(cs188_files.read(path), Layer.MIN).tree().size() == nodes


def test_an_end_must_be_an_end_or_at_the_full_depth(course: Path) -> None:
    path = course / "test_cases/q2/0-two-answers.test"
    edit(path, 'win_states: "w x y z"', 'win_states: "x y z"')
    edit(path, 'depth: "1"', 'depth: "2"')
    assert problems(course) == [
        "q2/0-two-answers.test:24: leads to the state 'w', which has no successors; "
        "expected it in win_states or lose_states, or at the depth limit"
    ]


def test_files_that_cannot_be_read_and_two_tests_of_one_name(course: Path) -> None:
    files = {"CONFIG": "order = q2 q1\n", "q2/picture.test": b"\x89PNG\xff\xfe", "q2/notes.txt": "no test"}
    written(course / "test_cases", files)
    shutil.copy(course / "test_cases/q3/0-cut.test", course / "test_cases/q3/0 cut.test")
    assert problems(course) == [
        'CONFIG:1: expected name: "text" or name: """, got \'order = q2 q1\'',
        "q2/picture.test:1: not a text file",
        "q3/0-cut.test:1: q3 has two tests '0-cut'; rename one of them",
    ]
    assert len(imported(course).cases) == 10


def test_a_single_folder_and_nothing_to_import(tmp_path: Path) -> None:
    code, out, _ = run(COURSE / "test_cases" / "q3", "--out", tmp_path / "q3")
    assert (code, "2 of 2 tests imported" in out) == (0, True)
    assert [question.id for question in loading.load(str(tmp_path / "q3")).questions] == ["q3"]
    (tmp_path / "empty").mkdir()
    written(tmp_path, {"other/q9/a.test": 'class: "Strange"\n', "kept": "mine"})
    exists = f"--out {tmp_path / 'kept'}: this exists already; choose another folder"
    for source, out_name, error in (
        ("none", "ours", "no such folder; expected a folder with .test files or with a folder test_cases"),
        ("empty", "ours", "no .test file in it or in its folders; expected folders such as q2 with them"),
        ("other", "ours", "nothing imported; 1 test found, with the problems listed above"),
        (COURSE, "kept", exists),
    ):
        code, _, problem = run(tmp_path / source, "--out", tmp_path / out_name)
        assert (code, problem) == (2, error if error == exists else f"{tmp_path / source}: {error}")
    assert not (tmp_path / "ours").exists()
    assert (tmp_path / "kept").read_text() == "mine"


def _recorded(course: Path, alphabetical: bool, question: str = "q2", is_sorted: bool = False) -> Path:
    """The path of a `.solution` for a game, as that project would write it: with our rules and its draws."""
    test = cs188_files.read(course / f"test_cases/{question}/9-game.test")
    layout = Layout.parse("\n".join(row for _, row in test.require("layout").lines()))
    cut = "none" if question == "q2" else "strict"
    game = cs188_check.Game(layout, test.number("seed"), test.number("depth"), Layer.MIN, (cut,))
    state, rows = start(layout, [directional()] * 2, order="index"), list[str]()
    while not state.is_terminal and len(rows) < 25:
        view = state.assuming(Layer.MIN)
        actions = best_actions(view, game.rounds * len(view.layers))
        counts = cs188_check.right_counts(view, game, is_sorted)
        rows.append(f"[[{list(actions)}, {counts[0]}], [{list(actions)}, 7]]".replace("'", '"'))
        state, rng = state.successor(actions[0]), Random(game.seed + len(rows))
        while not state.is_terminal and state.mover:
            state = state.successor(cs188_check.draw(state, rng, alphabetical))
    path = course / f"test_cases/{question}/9-game.solution"
    path.write_text('optimalActions: """\n' + "\n".join(rows) + '\n"""\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("alphabetical", [True, False], ids=["newer", "older"])
def test_a_game_is_compared_with_its_solution(course: Path, tmp_path: Path, alphabetical: bool) -> None:
    """The new case has the positions of this game, as far as it is right."""
    path = _recorded(course, alphabetical)
    lines = path.read_text().splitlines()
    done = imported(course)
    assert (done.problems, done.agreeing) == ([], 5)
    own = done.cases["q2", "9-game"]
    assert (own["moves"], "seed" in own, own["line"][0]) == (len(lines) - 2, False, re.findall(r"\w+", lines[1])[0])
    write_files(cs188_tests.files(done, tmp_path / "ours", "t"), tmp_path / "ours")
    (case,) = loading.load(str(tmp_path / "ours")).only(None, "q2/9-game").cases
    assert list(derive(case).line) == own["line"]
    edit(path, lines[3], lines[3].replace(lines[3][: lines[3].index("]")], '[[["Stop"'))
    (problem,) = problems(course)
    assert problem.startswith("q2/9-game.solution:4: contradiction: move 3: action Stop in the solution, ")
    assert imported(course).cases["q2", "9-game"]["moves"] == 2


def test_another_order_of_the_actions_is_named_and_costs_nothing(course: Path) -> None:
    path = _recorded(course, True, "q3", is_sorted=True)
    done = imported(course)
    assert (done.problems, done.agreeing) == ([], 5)
    (told,) = [line for line in done.told if str(path) in line]
    assert told.endswith(": its numbers of states fit actions in alphabetical order, which changes no marks")


def test_what_is_behind_the_border_of_a_board_is_ignored_and_named(course: Path, tmp_path: Path) -> None:
    """Boards of courses have blanks there, and rows that are too long."""
    board, drawn = course / "layouts/columns.lay", course / "test_cases/q2/9-game.test"
    rows = board.read_text(encoding="utf-8").splitlines()
    board.write_text("\n".join([f"{rows[0]}  ", *rows[1:-1], f"{rows[-1]}%"]), encoding="utf-8")
    edit(drawn, "G%\n", "G% .\n")
    status, lines, _ = run(course, "--out", tmp_path / "ours")
    assert status == 0
    assert lines.count("is ignored: the first row is shorter") == 2


def test_a_wrong_count_in_a_game(course: Path) -> None:
    path = _recorded(course, True)
    lines = path.read_text().splitlines()
    count = int(re.findall(r"\d+", lines[1])[0])
    edit(path, f" {count}]", f" {count + 1}]")
    assert problems(course) == [
        f"q2/9-game.solution:2: contradiction: move 1: {count + 1:,} generated states in the solution, "
        f"{count:,} in the grader's search"
    ]


def test_a_case_that_our_schema_refuses_is_reported(course: Path, tmp_path: Path) -> None:
    done = imported(course)
    done.cases["q2", "0-two-answers"]["plies"] = -1
    write_files(cs188_tests.files(done, tmp_path / "ours", "t"), tmp_path / "ours")
    (problem,) = done.problems
    assert problem.endswith("0-two-answers.yaml:3: plies: expected a number greater than or equal to 0, not -1")
    assert len(loading.load(str(tmp_path / "ours")).cases) == 9


@pytest.mark.parametrize(
    ("number", "newer", "older"),
    [
        (0.0, "East", "West"),
        (0.06, "North", "West"),
        (0.47, "North", "East"),
        (0.52, "South", "North"),
        (0.99, "West", "South"),
    ],
)
def test_a_ghost_draws_its_move_like_in_that_project(number: float, newer: str, older: str) -> None:
    """One random number is compared with the running sum of the probabilities, in the order of the actions."""

    class Dice:
        def random(self) -> float:
            return number

    drawn, dice = "%%%%%%%\n%P   .%\n%   G %\n%     %\n%%%%%%%", cast(Any, Dice())
    state = start(drawn, [directional()], order="index").successor("Stop")
    assert cs188_check.draw(state, dice, alphabetical=True) == newer
    assert cs188_check.draw(state, dice, alphabetical=False) == older


def test_ghosts_without_a_place_in_the_layout_are_left_out(course: Path) -> None:
    edit(course / "test_cases/q1/games.test", "[RandomGhost(1)]", "[RandomGhost(i + 1), DirectionalGhost(2)]")
    assert imported(course).cases["q1", "games"]["ghosts"] == ["random"]


def test_a_question_that_is_lost_is_named(course: Path, tmp_path: Path) -> None:
    (course / "layouts/columns.lay").unlink()
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 0)
    assert code == 1
    assert out.splitlines()[0].endswith("; nothing of q1, q5")
    assert "layoutName: no file layouts/columns.lay next to the tests; put it there (and 1 more)" in err


GAMES = """class: "EvalAgentTest"\nagentName: "ReflexAgent"\nlayoutName: "columns"\nghosts: "{ghosts}"
numGames: "3"\nmaxTime: "20"\nwinsMinimum: "1"\nwinsThresholds: "0 3"\nnonTimeoutThresholds: "3"\nscoreMinimum: "0"\n"""


@pytest.mark.parametrize(
    ("ghosts", "kinds"),
    [
        ("[DirectionalGhost(1, prob_attack=0.25, prob_scaredFlee=0.25)]", ["directional(0.25)"]),
        ("[DirectionalGhost(1, 0.8, 1.0)]", ["directional(0.8/1.0)"]),
        ("[DirectionalGhost(1)]", ["directional"]),
        ("[RandomGhost(i + 1) for i in range(4)]", ["random"]),
        ("[hunters.Hunter(1, 0.5, mood='bad')]", ["hunters.py:Hunter:share=0.5:mood=bad"]),
        ("[ghost for ghost in own()]", "write the ghosts one by one, as in [RandomGhost(1)]"),
        ("[DirectionalGhost(1, 2)]", "expected numbers from 0 to 1 as probabilities of a DirectionalGhost"),
        ("[Haunter(1)]", "unknown ghost 'Haunter': known: DirectionalGhost, RandomGhost"),
        ("[Hunter(1, index)]", "Hunter of hunters.py cannot play here: malformed node or string on line 1"),
        (
            "[Hunter(1, size=3)]",
            "Hunter of hunters.py cannot play here: Hunter has no option 'size': known: mood, ",
        ),
        ("[Quoted(1)]", "Quoted of hunters.py cannot play here: module 'hunters@"),
        ("[Outside(1)]", "unknown ghost 'Outside': known: "),
        ("[Link(1)]", "unknown ghost 'Link': known: "),
        ("[Lazy(1)]", "hunters.py:15: returned 'Sleep'; legal here: "),
    ],
)
def test_the_ghosts_of_a_match(course: Path, tmp_path: Path, ghosts: str, kinds: list[str] | str) -> None:
    """Those of the course come with their file, which is in its folder; what the expression says is never executed."""
    ghosts_of_course = COURSE.with_name("hunters.txt").read_text(encoding="utf-8")
    (course / "hunters.py").write_text(ghosts_of_course, encoding="utf-8")
    for file, name in ((tmp_path / "other.py", "Outside"), (tmp_path / "folder/own.py", "Link")):
        file.parent.mkdir(exist_ok=True)
        file.write_text(ghosts_of_course.replace("Hunter", name), encoding="utf-8")
    (course / "link.py").symlink_to(tmp_path / "folder/own.py")
    (course / "a.py").touch(0o000)
    written(course, {"test_cases/q1/own.test": GAMES.format(ghosts=ghosts)})
    done = imported(course)
    if isinstance(kinds, str):
        (problem,) = done.lines()[0]
        assert f"q1/own.test:4: ghosts: {kinds}" in problem
        return
    assert done.problems == []
    write_files(cs188_tests.files(done, tmp_path / "ours", "t"), tmp_path / "ours")
    assert loading.load(str(tmp_path / "ours")).only(None, "q1/own").cases[0].input.kind == "match"
    case = done.cases["q1", "own"]
    assert (case["ghosts"], case["seconds"], case["weight"]) == (kinds, 60.0, 3.0)
    assert case["steps"] == {"wins": [0, 3], "finished": [3], "minimum": {"wins": 1.0, "mean_score": 0.0}}


def mine(folder: Path, parameters: str, condition: str) -> Path:
    """A student's file whose agent fails unless its constructor gets arguments that fulfil a condition."""
    head = f"from game import Agent\n\n\nclass Mine(Agent):\n    def __init__(self, {parameters}):\n"
    body = f"        assert {condition}\n\n    def getAction(self, state):\n        return 'Stop'\n"
    return written(folder, {"multiAgents.py": head + body}) / "multiAgents.py"


def test_an_agent_of_the_student_plays_whole_games(course: Path, tmp_path: Path) -> None:
    """Its class gets the arguments of the test, also in a grading; a sample answer without the class plays nothing."""
    games = course / "test_cases/q5/games.test"
    edit(games, '"ExpectimaxAgent"\nagentArgs: "evalFn=better,depth=1"', '"Mine"\nagentArgs: "first=North,depth=3"')
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 1)
    assert (code, err) == (0, "")
    assert (
        "q5/games: solutions.py has no Mine, so the goals of its games are not tried; name a file with --agent" in out
    )
    case = loading.load(str(tmp_path / "ours")).only(None, "q5/games").cases[0]
    assert isinstance(case.input, MatchInput)
    assert (case.question.part, case.question.role, case.input.rounds) == ("Mine", "choice", 1)
    assert case.input.arguments == {"first": "North", "depth": "3"}
    file = mine(tmp_path, "first, depth", "(first, depth) == ('North', '3')")
    loaded, api = load_assignment(str(tmp_path / "ours"), None)
    (question,) = grade(file, loaded.only("q5", None), 1, api=api).questions
    assert [(case.fault, [lost.criterion for lost in case.lost]) for case in question.cases] == [("", ["wins"])]


def test_the_marks_are_those_of_the_course(course: Path, tmp_path: Path) -> None:
    """What is not in `order` is left out, two agents in a folder earn together, 0 points stay 0."""
    tests = course / "test_cases"
    about = 'max_points: "{}"\nclass: "{}Question"\n'
    files = {"q1": about.format(0, "PartialCredit"), "q2": about.format(5, "PassAllTests")}
    files["q3"] = about.format(4, "PartialCredit") + 'depends: "q2"\n'
    written(tests, {"CONFIG": 'order: "q2 q3 q1"\n', **{f"{name}/CONFIG": text for name, text in files.items()}})
    edit(tests / "q2/9-game.test", '"MinimaxAgent"', '"AlphaBetaAgent"')
    edit(tests / "q2/0-two-answers.test", "successors:", "children:")
    edit(tests / "q2/0-two-answers.test", "num_agents", "numAgents")
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 0)
    assert (code, err) == (0, "")
    assert "q4, q5 and q6: not in the order of" in out
    assert "q2, q2-alphabeta: no points until every case is right" in out
    questions = {each.id: each for each in loading.load(str(tmp_path / "ours")).questions}
    assert {id: each.points for id, each in questions.items()} == {"q2": 5, "q2-alphabeta": 0, "q3": 4, "q1": 0}
    assert (questions["q2"].all_or_nothing, questions["q2"].requires) == (True, {"q2-alphabeta": 1})
    assert questions["q3"].requires == {"q2": 1}
    parts = cs188_tests.convert(course, parts=True).questions
    assert [parts[id]["points"] for id in ("q2", "q2-alphabeta")] == [3.33, 1.67]
    assert not any(question["all_or_nothing"] for question in parts.values())


@pytest.mark.parametrize(("arguments", "made"), [("", "4"), ('agentArgs: "depth=3"', "'3'")])
def test_an_agent_without_a_depth_in_the_test_has_its_own(course: Path, arguments: str, made: str) -> None:
    games = course / "test_cases/q5/games.test"
    edit(games, '"ExpectimaxAgent"\nagentArgs: "evalFn=better,depth=1"', f'"Mine"\n{arguments}')
    run(course, "--keys", 0)
    file = mine(course, "depth=4", f"depth == {made}")
    loaded, api = load_assignment(str(course / "ours"), None)
    (question,) = grade(file, loaded.only("q5", None), 1, api=api).questions
    assert [case.fault for case in question.cases] == [""]


def test_a_course_in_snake_case(course: Path, tmp_path: Path) -> None:
    """The fields say so; then the stub is in snake_case too."""
    games = course / "test_cases/q5/games.test"
    text = games.read_text(encoding="utf-8").replace("evalFn", "eval_fn")
    games.write_text(re.sub("[a-z][A-Z](?=\\w*:)", lambda m: f"{m[0][0]}_{m[0][1].lower()}", text), encoding="utf-8")
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 1)
    assert (code, err) == (0, "")
    assert "the tests are in snake_case: students' files may be, too" in out
    loaded = loading.load(str(tmp_path / "ours"))
    assert (loaded.names, loaded.only("q5", None).questions[0].role) == ({}, "evaluation")
    stub = (tmp_path / "ours/stub.py").read_text(encoding="utf-8")
    assert "def get_action(self, game_state" in stub
    check_stub(loaded)
    loading.check_parts(loaded)
    assert not [text for result in check_for_students(loaded) for text in result.problems]


def test_solutions_of_2013_compare_only_states_that_are_looked_at(course: Path) -> None:
    """There a state that is made and never looked at does not count: so `expanded` and not `touched` is compared."""
    edit(course / "test_cases/q3/0-cut.solution", "generated:", "expanded:")
    questions = imported(course).questions
    assert list(questions["q3"]["criteria"]) == ["action", "expanded"]
    assert "touched" in questions["q4"]["criteria"]


def test_a_folder_with_tests_that_is_called_like_an_assignment_is_asked_about(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.rename(course.with_name("multiagent"))
    monkeypatch.chdir(course.parent)
    code, _, problem = run(Path("multiagent"), "--out", "ours")
    assert code == 2
    assert "an assignment of the project and a folder with .test files; write ./multiagent for the folder" in problem
    assert run(Path("./multiagent").absolute(), "--out", "ours", "--keys", 0)[0] == 0


def test_many_lines_of_one_kind_are_one_line(course: Path, tmp_path: Path) -> None:
    (course / "test_cases/CONFIG").unlink()
    for number in range(20):
        negamax = 'class: "GraphGameTreeTest"\nalg: "NegamaxAgent"\n'
        searches = {f"q{number % 2 + 6}/{number}.test": 'class: "GraphSearchTest"\n', f"q8/{number}.test": negamax}
        written(course / "test_cases", searches)
    code, out, err = run(course, "--out", tmp_path / "ours", "--keys", 0)
    assert (code, out.splitlines()[0].partition("; nothing of ")[2]) == (1, "q8")
    unknown, other = err.splitlines()
    assert unknown == "20 tests left out, in q6 and q7, of classes that this program does not grade: GraphSearchTest"
    assert other.endswith("(and 19 more)")
    assert (tmp_path / "ours/instructors.md").read_text(encoding="utf-8").count("NegamaxAgent") == 20


def test_the_only_course_below_a_folder_is_taken(course: Path, tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    course.rename(tmp_path / "all/course")
    assert len(imported(tmp_path / "all").cases) == 10
    shutil.copytree(tmp_path / "all/course", tmp_path / "all/old")
    written(tmp_path / "all/search", {"test_cases/q1/own.test": 'class: "GraphSearchTest"\n'})
    with pytest.raises(InputError, match=r"2 courses in its folders; name one of .*course, .*old$"):
        imported(tmp_path / "all")
