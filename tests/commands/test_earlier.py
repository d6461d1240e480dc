"""What people typed before, or in a course of Berkeley, does what the words of today do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pacman.commands.earlier import in_words_of_today
from tests.command_line import run_here

PAIRS = {
    "watch --pacman minimax -a rounds=1 -l nook": "watch minimax:rounds=1 -l nook",
    "watch -l nook --pacman-arg=rounds=1": "watch expectiminimax:rounds=1 -l nook",
    "watch --compare minimax,expectimax -l gamble --seed 3": "watch minimax expectimax -l gamble --seed 3",
    "watch --compare=minimax,expectimax -a rounds=1": "watch minimax:rounds=1 expectimax:rounds=1",
    "watch --pacman=minimax -a rounds=1": "watch minimax:rounds=1",
    "watch --no-hold minimax -a rounds=1": "watch --no-hold minimax:rounds=1",
    "watch --view=none minimax -a rounds=1": "watch --view=none minimax:rounds=1",
    "watch -l nook minimax --no-hold -a rounds=1": "watch -l nook minimax:rounds=1 --no-hold",
    "play -p scripted -a actions=East,East -l nook": "watch scripted:actions=East,East -l nook",
    "play --games=2 -p reflex -l nook": "watch reflex --games=2 -l nook",
    "play --json -l nook": "watch keyboard --json -l nook",
    "play -l nook": "play -l nook",
    "simulate -p expectimax -arounds=1 -l nook -n 4": "simulate expectimax:rounds=1 -l nook -n 4",
    "simulate --games 3 -a rounds=1": "simulate reflex:rounds=1 --games 3",
    "solve-exactly --agent minimax -a rounds=1 --games 2": "solve-exactly --games 2 --agent minimax:rounds=1",
    "solve-exactly --agent=minimax -a rounds=1": "solve-exactly --agent minimax:rounds=1",
    "film game.json --side-by-side --seed 3": "film game.json --seed 3",
    "film game.json --see-arg=rounds=1": "film game.json --see expectiminimax:rounds=1",
    "replay game.json --see=minimax --rounds 2": "replay game.json --see minimax:rounds=2",
    "replay game.json --rounds 2": "replay game.json --see expectiminimax:rounds=2",
}


def test_each_line_of_before_in_the_words_of_today() -> None:
    assert {earlier: " ".join(in_words_of_today(earlier.split())) for earlier in PAIRS} == PAIRS
    earlier = "play --games=2 -p scripted -a actions=East -l nook --view none"
    done, expected = (run_here("pacman", *words) for words in (earlier.split(), in_words_of_today(earlier.split())))
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, expected.stderr)


def test_a_berkeley_style_file_is_watched_as_its_students_type_it(tmp_path: Path) -> None:
    file = tmp_path / "multiAgents.py"
    file.write_text(
        "from game import Agent\n\n\nclass MinimaxAgent(Agent):\n"
        "    def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):\n        self.depth = int(depth)\n\n"
        "    def getAction(self, state):\n"
        "        print('depth', self.depth)\n        return state.getLegalActions(0)[0]\n"
    )
    done = run_here("pacman", "watch", "-p", f"{file}:MinimaxAgent", "-a", "depth=3", "-l", "nook", "--view", "none")
    assert done.returncode in (0, 1), done.stderr
    assert "depth 3" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("solve-exactly -a rounds=2", "no such option '-a': an agent's options follow its name"),
        ("duel minimax reflex --compare x", "no such option '--compare': write the agents one after the other"),
        ("watch minimax -a rounds", "no such option '-a'"),
        ("simulate minimax -p reflex", "unexpected argument: minimax"),
    ],
)
def test_nothing_is_dropped_without_a_word(line: str, problem: str) -> None:
    done = run_here("pacman", *line.split())
    assert (done.returncode, problem in done.stderr) == (2, True), done.stderr
