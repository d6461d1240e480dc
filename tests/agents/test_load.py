"""Agents created by name and from files."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from agents import load
from agents.base import NotWritten
from agents.ghosts import RandomGhost
from agents.searchers import Linear
from autograder.sandbox.in_process import InProcess
from pacman import GameState, InputError, start
from pacman.play.game import Game
from tests.command_line import run_here

STUBS = ("MinimaxAgent", "AlphaBetaAgent", "ExpectimaxAgent", "ExpectiminimaxAgent")
CLASSIC = Path("autograder/assignments/classic/solutions.py").resolve()
STUDENT = Path(load.__file__).with_name("student.py")


@pytest.mark.parametrize("name", load.PACMEN)
def test_every_registered_pacman_chooses_a_legal_action(name: str) -> None:
    player, state = load.make_pacman(name), start("nook")
    player.begin(random.Random(0))
    assert player.choose(state) in state.actions()


def test_a_stub_says_that_it_is_not_written() -> None:
    for name in (*(f"{stub}.search" for stub in STUBS), "ReflexAgent.evaluate_action"):
        agent = load.make_pacman(f"{STUDENT}:{name.split('.')[0]}")
        with pytest.raises(NotWritten, match=f"^{name} is not written yet$"):
            agent.choose(start("smallish"))
    with pytest.raises(NotWritten, match="^better_evaluation is not written yet$"):
        load.load_module(STUDENT).better_evaluation(start("smallish"))


def test_options_are_converted_to_the_type_of_their_default(tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(
        "class Typed:\n"
        "    def __init__(self, count=1, share=0.5, bold=False, name='x'):\n"
        "        self.all = count, share, bold, name\n"
        "    def choose(self, state):\n"
        "        return 'Stop'\n"
    )
    typed = load.make_pacman(f"{file}:Typed", ["count=7", "share=1", "bold=true", "name=y"])
    assert typed.all == (7, 1.0, True, "y")
    with pytest.raises(InputError, match="bold=maybe: expected true or false"):
        load.make_pacman(f"{file}:Typed", ["bold=maybe"])
    assert load.make_pacman("minimax:rounds=3", rounds=1).rounds == 3, "an agent's own option wins over --rounds"
    assert load.make_pacman(f"{file}:Typed", rounds=3).all[0] == 1, "--rounds is for agents that search"


def test_a_file_with_the_name_of_a_module_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("class Agent:\n    def choose(self, state):\n        return 'Stop'\n")
    load.make_pacman(f"{tmp_path / 'random.py'}:Agent")
    assert sys.modules["random"] is random


@pytest.mark.parametrize("stem", ["random", "json", "agents", "pacman"])
def test_an_evaluation_is_found_in_a_file_of_any_name(tmp_path: Path, stem: str) -> None:
    file = tmp_path / f"{stem}.py"
    file.write_text(
        "from agents.base import SearchAgent\n\n\ndef mine(node):\n    return 7\n\n\nclass A(SearchAgent):\n    pass\n"
    )
    assert load.make_pacman(f"{file}:A", ["evaluation=mine"]).evaluate(None) == 7
    assert load.files_of([f"minimax:evaluation={file}:mine", "reflex"]) == [str(file)]


FAILS = "class A:\n    def __init__(self): raise {}\n    def choose(self, state): pass\n"
GHOST = "from pacman import GhostModel, Layer\nclass A:\n    def choose(self, state): pass\n    {}\n"
WRONG = [
    *(
        (FAILS.format(error), "A: its constructor failed: ")
        for error in ("ValueError('no')", "SystemExit(0)", "KeyError")
    ),
    *((GHOST.format(each), "a ghost needs an attribute 'model'") for each in ("", "model = 'optimal'")),
    (GHOST.format("model = GhostModel('lazy', Layer.CHANCE, None)"), "unknown model 'lazy'; expected random"),
    ("def f(:", "mine.py:1: not valid Python"),
    ("import a_package_nobody_has", "imports 'a_package_nobody_has', which is not installed"),
    ("1 / 0", "mine.py:1: cannot be imported: ZeroDivisionError"),
    ("raise SystemExit('bye')", "mine.py:1: cannot be imported: SystemExit: bye"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_in_a_file_is_said(text: str, message: str, tmp_path: Path) -> None:
    """And a file that cannot be imported leaves no module."""
    (tmp_path / "mine.py").write_text(text)
    before = set(sys.modules)
    with pytest.raises(InputError, match=re.escape(message)):
        load.make_ghost(f"{tmp_path / 'mine.py'}:A")
    assert "class A" in text or set(sys.modules) <= before


def test_a_file_can_import_files_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "other_file.py").write_text("ACTION = 'Stop'\n")
    (tmp_path / "main.py").write_text(
        "from other_file import ACTION\nclass A:\n    def choose(self, state):\n        return ACTION\n"
    )
    assert load.make_pacman(f"{tmp_path / 'main.py'}:A").choose(None) == "Stop"


def test_after_ctrl_c_the_line_that_ran_is_said(tmp_path: Path) -> None:
    text = "from agents.base import BaseAgent\nclass A(BaseAgent):\n  def choose(self, state):\n    {}\n"
    (tmp_path / "mine.py").write_text(text.format("raise KeyboardInterrupt"))
    done = run_here("pacman", "watch", f"{tmp_path / 'mine.py'}:A", "--layout", "nook", "--view", "none")
    assert done.returncode == 130
    assert re.search(r"^stopped: score 0 after 0 plies, seed \d+; mine.py:4 was running$", done.stderr, re.M)


def test_a_berkeley_style_agent_plays_as_in_the_grader() -> None:
    pacman = load.make_pacman(f"{CLASSIC}:MinimaxAgent", ["depth=3"])
    game = Game(start("nook"), [pacman, RandomGhost()], ["", ""], seed=3, max_plies=20)
    plies = [(game.state, ply) for ply in game]
    assert load.load_module(CLASSIC).GameState is not GameState, "its modules are those of the grader"
    runner = InProcess.of_file(CLASSIC, "cs188")
    with runner.session(60) as session:
        runner.load_part(session, "choice", "MinimaxAgent", 3)
        state = start("nook")
        for after, ply in plies:
            if ply.agent == 0:
                assert session.ask("choose", position=str(state))["action"] == ply.action
            state = after
    depths = [load.make_pacman(f"{CLASSIC}:MinimaxAgent", ["depth=3"], rounds).rounds for rounds in (None, 2)]
    assert depths == [3, 2], "rounds of the command line, else the depth"
    with pytest.raises(InputError, match="has no option 'x': known: depth, evalFn, eval_fn, rounds"):
        load.make_pacman(f"{CLASSIC}:MinimaxAgent", ["x=1"])


def test_a_scared_ghost_is_hunted_only_if_it_can_be_caught_in_time() -> None:
    text = str(start("%%%%%%%\n%P .G.%\n%%%%%%%"))  # three steps away
    for timer, points in ((6, 0.0), (7, 1 / 4)):
        state = GameState.parse(text.replace(":Stop:0:", f":Stop:{timer}:"))
        assert Linear(hunted=1.0)(state) - state.score == points
