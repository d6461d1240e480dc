"""The turn loop (seeds, limits, faults, clocks), recordings, and statistics of many games."""

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
from pacman.play.recording import Recorder, Replay, ReplayError
from pacman.play.series import GameStatistics, interval
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
    """Golden numbers: the streams come from the seed's text, not from a hash that changes between runs."""
    assert [stream(7, agent).randrange(1000) for agent in (0, 1, 2)] == GOLDEN_STREAMS
    result = game(seed=1).play()
    assert (result.outcome, result.score, result.plies) == GOLDEN_GAME


GOLDEN_STREAMS = [722, 56, 678]
GOLDEN_GAME = ("loss", -463, 39)


def test_the_choices_of_one_agent_do_not_depend_on_the_random_numbers_of_another() -> None:
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
    """Fails with this error at each move."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def choose(self, state: GameState) -> str:
        raise self.error


class Returns(RandomPacman):
    """Returns this, whatever is legal."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, state: GameState) -> str:
        return self.answer  # type: ignore[return-value]


class Hangs(RandomPacman):
    def choose(self, state: GameState) -> str:
        while True:
            pass


@pytest.mark.parametrize(
    ("player", "reason", "line"),
    [
        (Raises(KeyError("no such thing")), "KeyError: 'no such thing'", "raise self.error"),
        (Raises(SystemExit(0)), "SystemExit: 0", "raise self.error"),
        (Returns("Up"), "returned 'Up', which is not legal; legal: West, Stop, East", ""),
        (Returns(None), "returned None, which is not legal; legal: West, Stop, East", ""),
        (Hangs(), "no answer within 0.5 s", "while True: pass"),
    ],
    ids=["error", "exit", "illegal", "nothing", "hangs"],
)
def test_a_faulty_agent_ends_its_own_game_with_the_line_of_its_code(
    player: RandomPacman, reason: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is short only for the agent that hangs: on a busy machine, another one may need longer."""
    monkeypatch.chdir(Path(__file__).parent)
    result = game(player, move_timeout=0.5 if isinstance(player, Hangs) else 60).play()
    assert (result.outcome, result.plies, result.score) == ("fault", 0, 0)
    fault = result.fault
    assert fault is not None
    assert (fault.agent, fault.ply, fault.reason) == (0, 0, reason)
    if not line:
        assert (fault.where, fault.traceback) == ("", "")
        return
    file, _, number = fault.where.partition(":")
    assert file == "test_game.py"
    assert Path(__file__).read_text(encoding="utf-8").splitlines()[int(number) - 1].strip() in line
    first, *frames, last = fault.traceback.split("\n")
    assert (first, last) == ("Traceback (most recent call last):", reason)
    assert all("game.py" not in frame.replace("test_game.py", "") for frame in frames)  # only the agent's own code
    assert str(fault) == f"Pacman at ply 0, {fault.where}: {reason}"


def test_a_long_recursion_has_a_short_traceback() -> None:
    class Recurses(RandomPacman):
        def choose(self, state: GameState) -> str:
            return self.other(state)

        def other(self, state: GameState) -> str:
            return self.choose(state)

    fault = game(Recurses()).play().fault
    assert fault is not None
    assert fault.reason.startswith("RecursionError")
    assert len(fault.traceback.split("\n")) < 45
    assert "calls are left out" in fault.traceback


def test_a_recording_keeps_the_line_of_a_fault_but_not_its_traceback(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded_game = game(Raises(KeyError("no such thing")))
    with Recorder(path, recorded_game):
        recorded_game.play()
    replay = Replay.load(path)
    assert list(replay) == []
    assert replay.result is not None
    assert recorded_game.result is not None
    assert replay.result.fault == recorded_game.result.fault
    assert replay.result.fault is not None
    assert replay.result.fault.traceback == ""
    *lines, end = path.read_text().splitlines()
    for change in ({"where": 3}, {"ply": "x"}, {"traceback": "x"}, {"reason": None}):
        entry = json.loads(end)
        entry["end"]["fault"] |= change
        path.write_text("\n".join([*lines, json.dumps(entry), ""]))
        with pytest.raises(ReplayError, match="the result of the game cannot be read"):
            Replay.load(path)
    entry = json.loads(end)
    entry["end"]["fault"]["reason"] = "a\x1b[2J"
    path.write_text("\n".join([*lines, json.dumps(entry), ""]))
    replay = Replay.load(path)
    assert list(replay) == []
    assert replay.result is not None
    assert replay.result.fault is not None
    assert replay.result.fault.reason.isprintable()


def test_a_hanging_agent_is_stopped_and_does_not_run_on_in_the_background() -> None:
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
    with pytest.raises(ValueError, match="got 2 agents, but the position needs 3"):
        Game(start("smallish"), [RandomPacman(), RandomGhost()], ["p", "a"])


def test_a_keyboard_player_turns_as_soon_as_the_maze_allows_it() -> None:
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


def test_greedy_pacman_eats_the_food_next_to_him() -> None:
    assert GreedyPacman().choose(start("%%%%%%\n% P. %\n%   .%\n%%%%%%")) == "East"


def hunted(state: GameState) -> float:
    """The optimal ghost's evaluation, as plain Python."""
    steps = state.maze.distances(state.pacman.cell)
    gaps = [(-1 if ghost.timer else 1) * steps.get(ghost.touches[0], 0) for ghost in state.ghosts]
    return state.score + sum(gaps) / 1024


def test_an_optimal_ghost_minimises_the_value() -> None:
    """On many positions the exhaustive search with the same evaluation confirms that no action is better for MIN."""
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


def test_samples_follow_the_probabilities() -> None:
    rng, outcomes = Random(1), (("a", 0.5), ("b", 0.0), ("c", 0.25), ("d", 0.25))
    counts = {action: 0 for action, _ in outcomes}
    for _ in range(4000):
        counts[sample(outcomes, rng)] += 1
    assert counts["b"] == 0
    assert abs(counts["a"] - 2000) < 150
    assert abs(counts["c"] - 1000) < 130


def test_minimax_gives_up_where_expectiminimax_wins() -> None:
    def rate(agent: type) -> tuple[float, int]:
        results = []
        for seed in range(40):
            ghosts = [RandomGhost(), RandomGhost()]
            state = start("gamble", ghosts)
            results.append(Game(state, [agent(rounds=2, evaluation="score"), *ghosts], ["", "", ""], seed=seed).play())
        return GameStatistics.of(results).win_rate, max(result.plies for result in results)

    assert rate(Minimax) == (0.0, 1)
    assert rate(Expectiminimax)[0] > 0.5


def test_statistics_add_up() -> None:
    results = [Result("win", 500, 9, 0, ()), Result("loss", -300, 9, 1, ()), Result("fault", 10, 9, 2, ())]
    total = GameStatistics.of(results)
    assert (total.games, total.mean_score, total.outcomes) == (3, 70, {"fault": 1, "loss": 1, "win": 1})
    low, high = total.win_interval
    assert 0 < low < 1 / 3 == total.win_rate < high < 1
    assert interval(0, 5)[0] == 0.0
    assert interval(5, 5)[1] == 1.0


def record_game(path: Path, **options) -> list[Ply]:
    recorded_game = game(seed=5, **options)
    with Recorder(path, recorded_game):
        return list(recorded_game)


def test_a_replay_equals_the_recorded_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    plies = record_game(path)
    replay = Replay.load(path)
    again = list(replay)
    assert [(ply.agent, ply.action, ply.state) for ply in again] == [
        (ply.agent, ply.action, ply.state) for ply in plies
    ]
    assert replay.start.layers == plies[0].state.layers
    assert replay.note == ""
    assert replay.result is not None
    assert replay.result.score == plies[-1].state.score


def test_an_incomplete_recording_is_replayed_up_to_its_last_complete_ply(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record_game(path, max_plies=6)
    all_bytes = path.read_bytes()
    first = all_bytes.index(b"\n") + 1
    for size in range(first - 1):
        path.write_bytes(all_bytes[:size])
        with pytest.raises(ReplayError) as caught:
            Replay.load(path)
        assert str(caught.value) == f"{path}: incomplete: the file ends in its first line, before the first position"
    for size in range(first - 1, len(all_bytes) - 1):
        path.write_bytes(all_bytes[:size])
        replay = Replay.load(path)
        plies = list(replay)
        complete = sum(b'"ply"' in line for line in all_bytes[:size].split(b"\n")[:-1])
        assert complete <= len(plies) <= complete + 1
        count = "1 ply" if len(plies) == 1 else f"{len(plies)} plies"
        assert replay.note == f"{path}: the recording is incomplete; it ends after {count}"


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record_game(path, max_plies=6)
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
    assert problem(newer, *lines[1:]) == ":1: format version 9; expected 3: record the game again"
    assert problem(lines[0], lines[2], *lines[2:]) == ":2: expected ply 0"
    assert problem(*lines[:3], lines[3].replace('"seconds":', '"seconds":1'), *lines[4:]).endswith(
        "was changed after it was written"
    )
    other = json.dumps({**json.loads(lines[1]), "action": "Up"})
    assert problem(lines[0], other).startswith(": ply 0: illegal action 'Up' of Pacman; legal: ")
    header = json.loads(lines[0])
    header["start"][0] = "%%"
    assert problem(json.dumps(header)).startswith(":1: the header cannot be read: a position needs a picture")


def test_a_recording_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        Recorder(tmp_path / "no" / "game.json", game())


class BadBegin(RandomPacman):
    def begin(self, rng: Random) -> None:
        raise KeyError("seed")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


@pytest.mark.parametrize(
    "player",
    [BadBegin(), Raises(Unspeakable()), Returns(Unspeakable()), Raises(ValueError("a\nb\x1b[31m" + 1000 * "c"))],
    ids=["begin", "error", "answer", "many lines"],
)
def test_the_reason_of_every_fault_is_one_printable_line(player: RandomPacman) -> None:
    result = game(player).play()
    assert result.fault is not None
    assert (result.outcome, result.fault.agent, result.fault.ply) == ("fault", 0, 0)
    assert result.fault.reason.isprintable()
    assert len(result.fault.reason) < 400


def test_an_agent_cannot_change_the_state_of_its_game() -> None:
    state = start("nook")
    for pose in (state.pacman, state.ghosts[0]):
        for name in ("direction", "after", "timer", "actions"):
            with pytest.raises(AttributeError, match="a pose cannot be changed"):
                setattr(pose, name, 40)
    with pytest.raises((TypeError, AttributeError)):
        state.maze.distances(state.pacman.cell).pop(16)  # type: ignore[attr-defined]


def test_a_recorded_result_that_differs_from_the_moves_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record_game(path)
    *lines, end, _ = path.read_text().split("\n")
    for key, value in (("score", 99999), ("outcome", "win"), ("plies", 3), ("seed", 9)):
        entry = json.loads(end)
        assert entry["end"][key] != value
        entry["end"][key] = value
        path.write_text("\n".join([*lines, json.dumps(entry), ""]))
        with pytest.raises(ReplayError, match="the recorded result is not the result of the recorded moves"):
            list(Replay.load(path))
    entry = json.loads(end)
    entry["end"]["score"] = "many"
    path.write_text("\n".join([*lines, json.dumps(entry), ""]))
    with pytest.raises(ReplayError, match="the result of the game cannot be read"):
        Replay.load(path)
    path.write_text("\n".join([*lines, end, lines[1], ""]))
    with pytest.raises(ReplayError, match="expected nothing after the result of the game"):
        Replay.load(path)


def test_only_an_older_recording_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious = 1\n")
    with pytest.raises(InputError, match="this file exists and is not a recording; choose another file"):
        Recorder(path, game())
    assert path.read_text() == "precious = 1\n"
    with pytest.raises(InputError, match="not a regular file"):
        Recorder(tmp_path, game())
    again = tmp_path / "game.json"
    assert len(record_game(again)) == len(record_game(again))
