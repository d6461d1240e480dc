"""The turn loop: seeds, limits, faults, clocks; recordings; many games in a few numbers."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

from agents.ghosts import DirectionalGhost, OptimalGhost, RandomGhost, sample
from agents.pacmen import GreedyPacman, KeyboardPacman, RandomPacman, ScriptedPacman
from agents.searchers import Expectiminimax, Minimax
from pacman import GameState, InputError, Layer, start
from pacman.play.game import Game, Ply, Result, stream
from pacman.play.game_statistics import interval, tally
from pacman.play.recording import Recorder, Replay, ReplayError
from pacman.search import exhaustive


def game(player=None, layout="smallish", seed=0, **options) -> Game:
    ghosts = [RandomGhost(), DirectionalGhost()][: len(start(layout).ghosts)]
    return Game(start(layout, ghosts), [player or RandomPacman(), *ghosts], ["p", "a", "b"], seed=seed, **options)


def actions(game: Game) -> list[str]:
    return [ply.action for ply in game]


def test_the_same_seed_gives_the_same_game() -> None:
    assert actions(game(seed=3)) == actions(game(seed=3))
    assert actions(game(seed=3)) != actions(game(seed=4))


def test_a_seed_means_the_same_on_every_machine() -> None:
    """Golden: the streams come from the seed's text, not from a hash that changes between runs."""
    assert [stream(7, agent).randrange(1000) for agent in (0, 1, 2)] == GOLDEN_STREAMS
    played = game(seed=1).play()
    assert (played.outcome, played.score, played.plies) == GOLDEN_GAME


GOLDEN_STREAMS = [722, 56, 678]
GOLDEN_GAME = ("loss", -463, 39)


def test_one_agents_choices_do_not_depend_on_anothers_draws() -> None:
    class Drawing(ScriptedPacman):
        def choose(self, state: GameState) -> str:
            self.rng.random()
            return super().choose(state)

    plain = [ply.action for ply in game(ScriptedPacman(), max_plies=30) if ply.agent]
    assert plain == [ply.action for ply in game(Drawing(), max_plies=30) if ply.agent]


def test_a_game_ends_at_its_limit() -> None:
    result = game(ScriptedPacman(), "meadow", max_plies=5).play()
    assert (result.outcome, result.plies, result.fault) == ("truncated", 5, None)


class Raises(RandomPacman):
    def choose(self, state: GameState) -> str:
        raise KeyError("no such thing")


class Exits(RandomPacman):
    def choose(self, state: GameState) -> str:
        raise SystemExit(0)


class Up(RandomPacman):
    def choose(self, state: GameState) -> str:
        return "Up"


class Nothing(RandomPacman):
    def choose(self, state: GameState) -> str:
        return None  # type: ignore[return-value]


class Hangs(RandomPacman):
    def choose(self, state: GameState) -> str:
        while True:
            pass


FAULTS = {
    Raises: "KeyError: 'no such thing'",
    Exits: "SystemExit: 0",
    Up: "returned 'Up', which is not legal; legal: West, Stop, East",
    Nothing: "returned None, which is not legal; legal: West, Stop, East",
    Hangs: "no answer within 0.05 s",
}


@pytest.mark.parametrize("player", FAULTS, ids=lambda player: player.__name__)
def test_a_faulty_agent_ends_its_own_game(player: type) -> None:
    result = game(player(), move_timeout=0.05).play()
    assert result.outcome == "fault"
    assert result.fault is not None
    assert (result.fault.agent, result.fault.ply, result.fault.reason) == (0, 0, FAULTS[player])
    assert (result.plies, result.score) == (0, 0)


def test_a_hanging_agent_is_stopped_and_does_not_go_on_in_the_background() -> None:
    count = [0]

    class Counts(RandomPacman):
        def choose(self, state: GameState) -> str:
            while True:
                count[0] += 1

    game(Counts(), move_timeout=0.05).play()
    time.sleep(0.2)
    before = count[0]
    time.sleep(0.1)
    assert count[0] == before


def test_the_number_of_agents_must_fit() -> None:
    with pytest.raises(ValueError, match="2 agents for a position with 3"):
        Game(start("smallish"), [RandomPacman(), RandomGhost()], ["p", "a"])


def test_a_keyboard_player_turns_when_there_is_a_way() -> None:
    player, state = KeyboardPacman(), start("smallish")
    player.begin(Random(0))
    assert player.choose(state) == "Stop"
    player.press("North")
    assert player.choose(state) == "Stop"
    player.press("West")
    state = state.successor("West")
    while state.mover:
        state = state.successor(state.actions()[0])
    player.press("North")
    assert player.choose(state) == "West"


def test_greedy_takes_what_is_next_to_it() -> None:
    assert GreedyPacman().choose(start("%%%%%%\n% P. %\n%   .%\n%%%%%%")) == "East"


def hunted(state: GameState) -> float:
    """The optimal ghost's evaluation, written out."""
    steps = state.maze.distances(state.pacman.cell)
    gaps = [(-1 if ghost.timer else 1) * steps.get(ghost.touches[0], 0) for ghost in state.ghosts]
    return state.score + sum(gaps) / 1024


def test_an_optimal_ghost_minimises_what_pacman_can_reach() -> None:
    """On many positions its action is a best one of MIN's, by the plain exhaustive search of the same evaluation."""
    rng, checked = Random(5), 0
    for _ in range(60):
        state = start("smallish", ["optimal", "random"])
        for _ in range(rng.randrange(60)):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if state.is_terminal or state.layer is not Layer.MIN:
            continue
        value = exhaustive(state, 6, hunted).value
        action = OptimalGhost(rounds=2).choose(state)
        assert exhaustive(state.successor(action), 5, hunted).value == pytest.approx(value)
        checked += 1
    assert checked > 10


def test_sampling_reads_the_probabilities() -> None:
    rng, outcomes = Random(1), (("a", 0.5), ("b", 0.0), ("c", 0.25), ("d", 0.25))
    counts = {action: 0 for action, _ in outcomes}
    for _ in range(4000):
        counts[sample(outcomes, rng)] += 1
    assert counts["b"] == 0
    assert abs(counts["a"] - 2000) < 150
    assert abs(counts["c"] - 1000) < 130


def test_where_the_pessimist_gives_up_the_optimist_wins() -> None:
    def rate(agent: type) -> tuple[float, int]:
        results = []
        for seed in range(40):
            ghosts = [RandomGhost(), RandomGhost()]
            state = start("gamble", ghosts)
            results.append(Game(state, [agent(rounds=2, evaluation="score"), *ghosts], ["", "", ""], seed=seed).play())
        return tally(results).win_rate, max(result.plies for result in results)

    assert rate(Minimax) == (0.0, 1)
    assert rate(Expectiminimax)[0] > 0.5


def test_a_tally_adds_up() -> None:
    results = [Result("win", 500, 9, 0, ()), Result("loss", -300, 9, 1, ()), Result("fault", 10, 9, 2, ())]
    total = tally(results)
    assert (total.games, total.mean_score, total.outcomes) == (3, 70, {"fault": 1, "loss": 1, "win": 1})
    low, high = total.interval
    assert 0 < low < 1 / 3 == total.win_rate < high < 1
    assert interval(0, 5)[0] == 0.0
    assert interval(5, 5)[1] == 1.0


def recorded(path: Path, **options) -> list[Ply]:
    played = game(seed=5, **options)
    with Recorder(path, played):
        return list(played)


def test_a_recording_is_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    plies = recorded(path)
    replay = Replay.load(path)
    again = list(replay)
    assert [(ply.agent, ply.action, ply.state) for ply in again] == [
        (ply.agent, ply.action, ply.state) for ply in plies
    ]
    assert replay.start.layers == plies[0].state.layers
    assert replay.note == ""
    assert replay.result is not None
    assert replay.result.score == plies[-1].state.score


def test_a_recording_cut_off_anywhere_opens_to_its_last_whole_ply(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded(path, max_plies=6)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for size in range(first - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ReplayError) as caught:
            Replay.load(path)
        assert str(caught.value) == f"{path}: cut off within its first line, so there is no position to show"
    for size in range(first - 1, len(whole) - 1):
        path.write_bytes(whole[:size])
        replay = Replay.load(path)
        plies = list(replay)
        complete = sum(b'"ply"' in line for line in whole[:size].split(b"\n")[:-1])
        assert complete <= len(plies) <= complete + 1
        assert replay.note == f"{path}: cut off after {len(plies)} plies; this is what is there"


def test_recordings_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded(path, max_plies=6)
    lines = path.read_text().split("\n")

    def problem(*changed: str) -> str:
        path.write_text("\n".join(changed))
        with pytest.raises(ReplayError) as caught:
            list(Replay.load(path))
        assert "\n" not in str(caught.value)
        return str(caught.value).removeprefix(str(path))

    assert problem("# Notes") == ':1: not a recorded game; expected a line with "format": "pacman-game"'
    assert problem("{}", *lines[1:]) == ':1: not a recorded game; expected a line with "format": "pacman-game"'
    newer = json.dumps({**json.loads(lines[0]), "version": 9})
    assert problem(newer, *lines[1:]) == ":1: version 9 of the format; this program reads 1"
    assert problem(lines[0], lines[2], *lines[2:]) == ":2: expected ply 0"
    assert problem(*lines[:3], lines[3].replace('"seconds":', '"seconds":1'), *lines[4:]).endswith(
        "was changed after it was written"
    )
    other = json.dumps({**json.loads(lines[1]), "action": "Up"})
    assert problem(lines[0], other).startswith(": differs at ply 0: illegal action 'Up' of Pacman; legal: ")
    other = json.dumps({**json.loads(lines[1]), "check": 1})
    assert problem(lines[0], other) == ": differs at ply 0: the rules lead to another position"
    header = json.loads(lines[0])
    header["start"][0] = "%%"
    assert problem(json.dumps(header)).startswith(":1: the header cannot be read: a position needs a picture")


def test_a_recording_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        Recorder(tmp_path / "no" / "game.json", game())


class BadBegin(RandomPacman):
    def begin(self, rng: Random) -> None:
        raise KeyError("seed")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError


class BadText(RandomPacman):
    def choose(self, state: GameState) -> str:
        raise Unspeakable


class BadAnswer(RandomPacman):
    def choose(self, state: GameState) -> str:
        class Shy:
            def __repr__(self) -> str:
                raise ValueError

        return Shy()  # type: ignore[return-value]


class ManyLines(RandomPacman):
    def choose(self, state: GameState) -> str:
        raise ValueError("a\nb\x1b[31m" + 1000 * "c")


@pytest.mark.parametrize("player", [BadBegin, BadText, BadAnswer, ManyLines])
def test_whatever_an_agent_says_is_one_printable_line(player: type) -> None:
    result = game(player()).play()
    assert result.fault is not None
    assert (result.outcome, result.fault.agent, result.fault.ply) == ("fault", 0, 0)
    assert result.fault.reason.isprintable()
    assert len(result.fault.reason) < 400


def test_an_agent_cannot_change_the_game_that_it_looks_at() -> None:
    state = start("nook")
    for pose in (state.pacman, state.ghosts[0]):
        for name in ("direction", "after", "timer", "actions"):
            with pytest.raises(AttributeError, match="a pose cannot be changed"):
                setattr(pose, name, 40)
    with pytest.raises((TypeError, AttributeError)):
        state.maze.distances(state.pacman.cell).pop(16)  # type: ignore[attr-defined]


def test_a_recorded_end_that_the_moves_do_not_lead_to(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded(path)
    *lines, end, _ = path.read_text().split("\n")
    for key, value in (("score", 99999), ("outcome", "win"), ("plies", 3), ("seed", 9)):
        told = json.loads(end)
        assert told["end"][key] != value
        told["end"][key] = value
        path.write_text("\n".join([*lines, json.dumps(told), ""]))
        with pytest.raises(ReplayError, match="the recorded end is not the one that its moves lead to"):
            list(Replay.load(path))
    told = json.loads(end)
    told["end"]["score"] = "many"
    path.write_text("\n".join([*lines, json.dumps(told), ""]))
    with pytest.raises(ReplayError, match="the end of the game cannot be read"):
        Replay.load(path)
    path.write_text("\n".join([*lines, end, lines[1], ""]))
    with pytest.raises(ReplayError, match="something stands behind the end of the game"):
        Replay.load(path)


def test_only_an_older_recording_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious = 1\n")
    with pytest.raises(InputError, match="is there already, and is no recording"):
        Recorder(path, game())
    assert path.read_text() == "precious = 1\n"
    with pytest.raises(InputError, match="not a file"):
        Recorder(tmp_path, game())
    again = tmp_path / "game.json"
    assert len(recorded(again)) == len(recorded(again))
