"""What people typed before, or in a course of Berkeley, does what the words of today do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pacman.commands.earlier import in_words_of_today
from tests.command_line import run_here

PAIRS = {
    "watch --pacman minimax -a rounds=1 -l nook --view none": "watch minimax:rounds=1 -l nook --view none",
    "watch -l nook --view none --pacman-arg=rounds=1": "watch expectiminimax:rounds=1 -l nook --view none",
    "watch --compare minimax,expectimax -l gamble --seed 3 --view none": (
        "watch minimax expectimax -l gamble --seed 3 --view none"
    ),
    "play -p scripted -a actions=East,East -l nook --view none": (
        "watch scripted:actions=East,East -l nook --view none"
    ),
    "watch --view none -l nook minimax --no-hold -a rounds=1": "watch minimax:rounds=1 -l nook --view none",
    "watch --compare minimax,expectimax -l nook --view none -a rounds=1": (
        "watch minimax:rounds=1 expectimax:rounds=1 -l nook --view none"
    ),
    "play --games=2 -p reflex -l nook --view none": "watch reflex --games 2 -l nook --view none",
    "simulate -p expectimax -arounds=1 -l nook -n 4 -j 1": "simulate expectimax:rounds=1 -l nook -n 4 -j 1",
    "solve-exactly --agent minimax -a rounds=1 --games 2": "solve-exactly --agent minimax:rounds=1 --games 2",
}


@pytest.mark.parametrize("earlier", PAIRS)
def test_it_does_the_same_as_in_the_words_of_today(earlier: str) -> None:
    done, expected = (run_here("pacman", *line.split()) for line in (earlier, PAIRS[earlier]))
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


@pytest.mark.parametrize(
    ("earlier", "today"),
    [
        ("play --json -l nook", "watch keyboard --json -l nook"),
        ("play -l nook", "play -l nook"),
        ("film game.json --side-by-side --seed 3", "film game.json --seed 3"),
        ("watch --no-hold minimax -a rounds=1", "watch --no-hold minimax:rounds=1"),
        ("watch --view=none minimax -a rounds=1", "watch --view=none minimax:rounds=1"),
        ("watch --compare=minimax,expectimax", "watch minimax expectimax"),
        ("watch --pacman=minimax -a rounds=1", "watch minimax:rounds=1"),
        ("solve-exactly --agent=minimax -a rounds=1", "solve-exactly --agent minimax:rounds=1"),
        ("replay game.json --see=minimax --rounds 2", "replay game.json --see minimax:rounds=2"),
        ("film game.json --see-arg=rounds=1", "film game.json --see expectiminimax:rounds=1"),
        ("replay game.json --rounds 2", "replay game.json --see expectiminimax:rounds=2"),
        ("simulate --games 3 -a rounds=1", "simulate reflex:rounds=1 --games 3"),
    ],
)
def test_each_word_of_before(earlier: str, today: str) -> None:
    assert in_words_of_today(earlier.split()) == today.split()
