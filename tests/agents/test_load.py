"""Agents created by name and from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import load
from agents.base import NotWritten
from agents.ghosts import RandomGhost
from autograder.sandbox.in_process import InProcess
from pacman import GameState, InputError, start
from pacman.play.game import Game

STUBS = ("MinimaxAgent", "AlphaBetaAgent", "ExpectimaxAgent", "ExpectiminimaxAgent")
CLASSIC = Path("autograder/assignments/classic/solutions.py").resolve()
STUDENT = Path(load.__file__).with_name("student.py")


@pytest.mark.parametrize("name", load.PACMEN)
def test_every_registered_pacman_chooses_a_legal_action(name: str) -> None:
    from random import Random

    player, state = load.make_pacman(name), start("nook")
    player.begin(Random(0))
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


def test_a_file_that_exits_or_has_a_modules_name_does_no_harm(tmp_path: Path) -> None:
    import random

    (tmp_path / "random.py").write_text("class Agent:\n    def choose(self, state):\n        return 'Stop'\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit('bye')\n")
    load.make_pacman(f"{tmp_path / 'random.py'}:Agent")
    import random as random_again

    assert random_again is random
    with pytest.raises(InputError, match=r"leaves\.py:1: cannot be imported: SystemExit: bye"):
        load.load_module(tmp_path / "leaves.py")


@pytest.mark.parametrize("stem", ["random", "json", "agents", "pacman"])
def test_an_evaluation_is_found_in_a_file_of_any_name(tmp_path: Path, stem: str) -> None:
    file = tmp_path / f"{stem}.py"
    file.write_text(
        "from agents.base import SearchAgent\n\n\ndef mine(node):\n    return 7\n\n\nclass A(SearchAgent):\n    pass\n"
    )
    assert load.make_pacman(f"{file}:A", ["evaluation=mine"]).evaluate(None) == 7
    assert load.files_of([f"minimax:evaluation={file}:mine", "reflex"]) == [str(file)]


@pytest.mark.parametrize("error", ["ValueError('no')", "SystemExit(0)", "KeyError"])
def test_an_error_in_a_constructor_is_one_line(tmp_path: Path, error: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"class A:\n    def __init__(self):\n        raise {error}\n\n    def choose(self, state):\n        pass\n"
    )
    with pytest.raises(InputError, match="A: its constructor failed: "):
        load.make_pacman(f"{file}:A")


def test_a_ghosts_model_must_be_a_known_one(tmp_path: Path) -> None:
    head = "from pacman import GhostModel, Layer\nclass Boo:\n    def choose(self, state): pass\n"
    needs, unknown = "a ghost needs an attribute 'model'", "unknown model 'lazy'; expected random"
    models = {"": needs, "model = 'optimal'": needs, "model = GhostModel('lazy', Layer.CHANCE, None)": unknown}
    for number, (model, message) in enumerate(models.items()):
        file = tmp_path / f"boo{number}.py"
        file.write_text(f"{head}    {model}\n")
        with pytest.raises(InputError, match=message):
            load.make_ghost(f"{file}:Boo")


@pytest.mark.parametrize("text", ["def f(:", "import a_package_nobody_has", "1 / 0"])
def test_a_file_that_cannot_be_imported_leaves_no_module(tmp_path: Path, text: str) -> None:
    import sys

    (tmp_path / "mine.py").write_text(text)
    before = set(sys.modules)
    with pytest.raises(InputError):
        load.load_module(tmp_path / "mine.py")
    assert not [name for name in set(sys.modules) - before if name.startswith("mine")]


def test_a_file_can_import_files_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "other_file.py").write_text("ACTION = 'Stop'\n")
    (tmp_path / "main.py").write_text(
        "from other_file import ACTION\nclass A:\n    def choose(self, state):\n        return ACTION\n"
    )
    assert load.make_pacman(f"{tmp_path / 'main.py'}:A").choose(None) == "Stop"


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
