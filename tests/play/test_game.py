"""The turn loop (seeds, limits, faults, clocks), the agents that do not search, and recordings."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.ghosts import DirectionalGhost, OptimalGhost, RandomGhost, sample
from agents.pacmen import GreedyPacman, KeyboardPacman, RandomPacman, ScriptedPacman
from pacman import GameState, InputError, Layer, start
from pacman.play.game import Fault, Game, Ply, stream
from pacman.play.recording import Recorder, Replay, ReplayError
from pacman.search import exhaustive


def game(player=None, layout="smallish", seed=0, **options) -> Game:
    ghosts = [RandomGhost(), DirectionalGhost()][: len(start(layout).ghosts)]
    return Game(start(layout, ghosts), [player or RandomPacman(), *ghosts], ["p", "a", "b"], seed=seed, **options)


def actions(game: Game) -> list[str]:
    return [ply.action for ply in game]


def fault_of(game: Game) -> Fault:
    """The fault that ended a game."""
    fault = game.play().fault
    assert fault is not None
    return fault


def test_a_seed_means_the_same_game_on_every_machine() -> None:
    """Golden numbers: the streams come from the seed's text, not from a hash that changes between runs."""
    assert [stream(7, agent).randrange(1000) for agent in (0, 1, 2)] == [722, 56, 678]
    result = game(seed=1).play()
    assert (result.outcome, result.score, result.plies) == ("loss", -463, 39)
    assert actions(game(seed=3)) == actions(game(seed=3)) != actions(game(seed=4))


def test_the_choices_of_one_agent_do_not_depend_on_the_random_numbers_of_another() -> None:
    class Drawing(ScriptedPacman):
        def choose(self, state: GameState) -> str:
            self.rng.random()
            return super().choose(state)

    plain = [ply.action for ply in game(ScriptedPacman(), max_plies=30) if ply.agent]
    assert plain == [ply.action for ply in game(Drawing(), max_plies=30) if ply.agent]


def test_a_game_ends_at_its_limit_and_needs_all_agents() -> None:
    result = game(ScriptedPacman(), "meadow", max_plies=5).play()
    assert (result.outcome, result.plies, result.fault) == ("truncated", 5, None)
    with pytest.raises(ValueError, match="got 2 agents, but the position needs 3"):
        Game(start("smallish"), [RandomPacman(), RandomGhost()], ["p", "a"])


# ---- faults


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
    count = 0

    def choose(self, state: GameState) -> str:
        while True:
            self.count += 1


class Recurses(RandomPacman):
    def choose(self, state: GameState, calls: int = 99) -> str:
        if not calls:
            raise RecursionError("deep")
        return self.choose(state, calls - 1)


class BadBegin(RandomPacman):
    def begin(self, rng: Random) -> None:
        raise KeyError("seed")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


@pytest.mark.parametrize(
    ("player", "reason", "line"),
    [
        (Raises(KeyError("no such thing")), "KeyError: 'no such thing'", "raise self.error"),
        (Raises(SystemExit(0)), "SystemExit: 0", "raise self.error"),
        (Returns("Up"), "returned 'Up', which is not legal; legal: West, Stop, East", ""),
        (Returns(None), "returned None, which is not legal; legal: West, Stop, East", ""),
        (Hangs(), "no answer within 0.5 s", "while True: self.count += 1"),
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


@pytest.mark.parametrize(
    "player",
    [BadBegin(), Raises(Unspeakable()), Returns(Unspeakable()), Raises(ValueError("a\nb\x1b[31m" + 1000 * "c"))],
    ids=["begin", "error", "answer", "many lines"],
)
def test_the_reason_of_every_fault_is_one_printable_line(player: RandomPacman) -> None:
    fault = fault_of(game(player))
    assert (fault.agent, fault.ply) == (0, 0)
    assert fault.reason.isprintable()
    assert len(fault.reason) < 400


def test_a_long_recursion_has_a_short_traceback() -> None:
    fault = fault_of(game(Recurses()))
    assert fault.reason == "RecursionError: deep"
    assert len(fault.traceback.split("\n")) < 45
    assert "calls are left out" in fault.traceback
    assert 'raise RecursionError("deep")' in fault.traceback, "the innermost calls are shown"


def test_a_hanging_agent_is_stopped_and_does_not_run_on_in_the_background() -> None:
    player = Hangs()
    game(player, move_timeout=0.05).play()
    time.sleep(0.2)
    before = player.count
    time.sleep(0.1)
    assert player.count == before


# ---- agents


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
    drawn = [sample(outcomes, rng) for _ in range(4000)]
    assert "b" not in drawn
    assert abs(drawn.count("a") - 2000) < 150
    assert abs(drawn.count("c") - 1000) < 130


# ---- recordings


def record_game(path: Path, player: RandomPacman | None = None, **options) -> list[Ply]:
    recorded_game = game(player, seed=5, **options)
    with Recorder(path, recorded_game):
        return list(recorded_game)


def test_a_replay_equals_the_recorded_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    plies = record_game(path)
    replay = Replay.load(path)
    assert [(ply.agent, ply.action, ply.state) for ply in replay] == [
        (ply.agent, ply.action, ply.state) for ply in plies
    ]
    assert (replay.start.layers, replay.note) == (plies[0].state.layers, "")
    assert replay.result is not None
    assert replay.result.score == plies[-1].state.score


def test_an_incomplete_recording_is_replayed_up_to_its_last_complete_ply(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record_game(path, max_plies=6)
    all_bytes = path.read_bytes()
    first = all_bytes.index(b"\n") + 1
    for size in range(len(all_bytes) - 1):
        path.write_bytes(all_bytes[:size])
        if size < first - 1:
            with pytest.raises(ReplayError) as caught:
                Replay.load(path)
            problem = "incomplete: the file ends in its first line, before the first position"
            assert str(caught.value) == f"{path}: {problem}"
            continue
        replay = Replay.load(path)
        plies = list(replay)
        complete = sum(b'"ply"' in line for line in all_bytes[:size].split(b"\n")[:-1])
        assert complete <= len(plies) <= complete + 1
        count = "1 ply" if len(plies) == 1 else f"{len(plies)} plies"
        assert replay.note == f"{path}: the recording is incomplete; it ends after {count}"


def changed(line: str, **values: object) -> str:
    return json.dumps(json.loads(line) | values)


def test_a_changed_recording_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record_game(path, Raises(KeyError("no such thing")))
    *_, fault_end = path.read_text().splitlines()
    record_game(path)
    header, first, second, third, *rest, end = path.read_text().splitlines()
    not_recorded = ':1: not a recorded game; expected a line with "format": "pacman-game"'
    unreadable, wrong = "the result of the game cannot be read", "the recorded result is not the result of the recorded"

    def ends(line: str = end, **values: Any) -> list[str]:
        """The same game with a changed end."""
        old = json.loads(line)["end"]
        return [header, first, second, third, *rest, changed(end, end=old | values)]

    def fault(**values: Any) -> list[str]:
        return ends(fault=json.loads(fault_end)["end"]["fault"] | values)

    table: list[tuple[list[str], str]] = [
        (["{}", first], not_recorded),
        ([changed(header, seed="x"), first], ":1: the header cannot be read: seed: unexpected value 'x'"),
        ([changed(header, start=["%%"])], ":1: the header cannot be read: a position needs a picture"),
        ([header, second, second], ":2: expected ply 0"),
        ([header, first, second, changed(third, seconds=7), *rest, end], "was changed after it was written"),
        ([header, changed(first, action="Up")], ": ply 0: illegal action 'Up' of Pacman; legal: "),
        ([*ends(), first], "expected nothing after the result of the game"),
        *(
            (ends(**{key: value}), wrong)
            for key, value in {"score": 99, "outcome": "win", "plies": 3, "seed": 9}.items()
        ),
        (ends(score="many"), unreadable),
        *((fault(**each), unreadable) for each in ({"where": 3}, {"ply": "x"}, {"traceback": "x"})),
    ]
    for lines, expected in table:
        path.write_text("\n".join([*lines, ""]))
        with pytest.raises(ReplayError) as caught:
            list(Replay.load(path))
        assert expected in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_recording_keeps_the_line_of_a_fault_but_not_its_traceback(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded_game = game(Raises(KeyError("no such thing")))
    with Recorder(path, recorded_game):
        recorded_game.play()

    def fault() -> Fault:
        replay = Replay.load(path)
        assert list(replay) == []
        assert replay.result is not None
        assert replay.result.fault is not None
        return replay.result.fault

    assert recorded_game.result is not None
    assert (fault(), fault().traceback) == (recorded_game.result.fault, "")
    path.write_text(path.read_text().replace("no such thing", r"a\u001b[2J"))
    assert fault().reason.isprintable()


def test_only_an_older_recording_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious = 1\n")
    with pytest.raises(InputError, match="this file exists and is not a recording; choose another file"):
        Recorder(path, game())
    assert path.read_text() == "precious = 1\n"
    with pytest.raises(InputError, match="not a regular file"):
        Recorder(tmp_path, game())
    with pytest.raises(InputError, match="cannot be written: no such file or directory"):
        Recorder(tmp_path / "no" / "game.json", game())
    again = tmp_path / "game.json"
    assert len(record_game(again)) == len(record_game(again))


def test_each_ply_is_in_the_file_at_once(tmp_path: Path) -> None:
    played = game(seed=5)
    with Recorder(tmp_path / "game.json", played):
        first = next(played)
        replay = Replay.load(tmp_path / "game.json")
        assert [ply.action for ply in replay] == [first.action]
        assert replay.note.endswith("it ends after 1 ply")
