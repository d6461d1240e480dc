"""Compares exact values with a plain solver over GameStates, with deep search, and with the results of games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents.ghosts import RandomGhost
from agents.pacmen import RandomPacman, ScriptedPacman
from agents.perfect import PerfectPacman
from pacman import GameState, InputError, Layer, compiled, start
from pacman.commands.regret import compute_regret, regret
from pacman.commands.solve_exactly import SolutionReport
from pacman.play.exact import Solution, solve
from pacman.play.game import Game
from pacman.search import exhaustive

pytest.importorskip("numba")

LANE = "%%%%%%%\n%P...G%\n%%%%%%%"
RING = "%%%%%\n%P .%\n% % %\n%o G%\n%%%%%"
TWINS = "%%%%%%\n%P. G%\n% %% %\n%.  G%\n%%%%%%"
BOARDS = [
    (LANE, ["random"]),
    (LANE, ["optimal"]),
    (RING, ["random"]),
    (RING, ["directional"]),
    (RING, ["optimal"]),
    (TWINS, ["random", "optimal"]),
    ("nook", ["directional(0.5)"]),
]


def regret_of(solution: Solution, state: GameState, action: str) -> float:
    values = solution.action_values(state)
    return max(values.values()) - values[action]


def solve_plainly(root: GameState, sweeps: int = 400) -> dict[GameState, float]:
    """Points still to come from every position, by value iteration from 0 over a dictionary of GameStates."""

    def without_score(state: GameState) -> GameState:
        turn, pacman, ghosts, homes, food, capsules, _, outcome = state._parts
        # Pacman's direction has no effect on the game, and the solver leaves it out.
        pacman = pacman.poses.pacman(pacman.cell)
        return GameState(turn, pacman, ghosts, homes, food, capsules, 0, outcome)

    # Where an eaten ghost came home under Pacman, a lost position can equal one that goes on, except in its score.
    edges: dict[GameState, list[tuple[float, float, GameState | None]]] = {}
    frontier = [without_score(root)]
    for state in frontier:
        if state in edges:
            continue
        edges[state] = []
        chance = dict(state.outcomes()) if state.layer is Layer.CHANCE else {}
        for action in state.actions():
            after = state.successor(action)
            reached = None if after.is_terminal else without_score(after)
            edges[state].append((chance.get(action, 0.0), after.score, reached))
            if reached is not None:
                frontier.append(reached)
    values: dict[GameState | None, float] = {None: 0.0, **dict.fromkeys(edges, 0.0)}
    for _ in range(sweeps):
        for state, out in edges.items():
            if state.layer is Layer.CHANCE:
                values[state] = sum(p * (points + values[after]) for p, points, after in out)
            else:
                best = max if state.layer is Layer.MAX else min
                values[state] = best(points + values[after] for _, points, after in out)
    return {state: values[state] for state in edges}


@pytest.mark.parametrize(("board", "ghosts"), BOARDS)
def test_every_value_agrees_with_a_plain_solver(board: str, ghosts: list[str]) -> None:
    root = start(board, ghosts)
    solution = solve(root)
    values = solve_plainly(root)
    assert solution.states == len(values)
    assert solution.error < 1e-6
    for state, value in values.items():
        assert solution.value(state) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("board", "ghosts"), BOARDS)
def test_a_value_is_the_backup_of_its_successors_values(board: str, ghosts: list[str]) -> None:
    """One ply of search with the solved values as evaluation finds the solved value again."""
    solution = solve(start(board, ghosts))
    state, rng = solution.root, Random(1)
    while not state.is_terminal:
        assert exhaustive(state, 1, solution.value).value == pytest.approx(solution.value(state), abs=1e-6)
        state = state.successor(rng.choice(state.actions()))


def test_perfect_play_has_no_regret_and_earns_its_value() -> None:
    solution = solve(start("gamble", ["random", "random"]))
    pacman = PerfectPacman()
    pacman.solution = solution
    perfect = regret(solution, pacman, [RandomGhost(), RandomGhost()], games=300, seed=1)
    assert perfect.largest == 0
    assert perfect.worst is None
    assert perfect.imperfect == 0
    assert perfect.mean_score == pytest.approx(solution.value(solution.root), abs=90)  # 3 standard errors
    at_random = regret(solution, RandomPacman(), [RandomGhost(), RandomGhost()], games=100)
    assert at_random.mean > 1


def test_the_win_probability_equals_the_share_of_games_won() -> None:
    solution = solve(start("gamble", ["random", "random"]))
    pacman = PerfectPacman()
    pacman.solution = solution
    games = [Game(solution.root, [pacman, RandomGhost(), RandomGhost()], [""] * 3, seed=n).play() for n in range(300)]
    share = sum(game.outcome == "win" for game in games) / 300
    assert share == pytest.approx(solution.win_probability(solution.root), abs=0.07)
    assert solution.win_error < 1e-6


def test_a_perfect_pacman_solves_the_board_of_his_game() -> None:
    pacman = PerfectPacman()
    game = Game(start("nook", ["random"]), [pacman, RandomGhost()], ["", ""], seed=4)
    assert game.play().outcome == "win"
    first = pacman.solution
    assert pacman.solved(start("nook", ["random"])) is first
    assert pacman.solved(start("nook", ["optimal"])) is not first


def test_a_board_that_cannot_be_solved_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"more than 1,000 positions .*; raise the limit with --states N"):
        solve(start("nook", ["random"]), most_states=1000)
    with pytest.raises(InputError, match=r"too large to solve: up to 3.6e\+68 positions"):
        solve(start("crossroads"))
    with pytest.raises(InputError, match="--states 1000000000000: expected a number from 1 to 268435456"):
        solve(start("nook"), most_states=10**12)
    with pytest.raises(KeyError, match="has another board or other ghosts"):
        solve(start(LANE, ["random"])).number(start(RING, ["random"]))
    monkeypatch.setattr("pacman.compiled.is_available", lambda: False)
    with pytest.raises(
        InputError, match="solving a board exactly needs it; install it with: python -m pip install numba"
    ):
        solve(start("nook"))


def test_a_position_outside_the_solution_has_no_value() -> None:
    """This includes positions whose key equals the key of a solved position."""
    first = start(RING, ["random"])
    later = first.successor("South").successor("North").successor("South").successor("North")
    solution = solve(later)
    assert solution.value(later) == pytest.approx(solve(first).value(later), abs=1e-6)
    with pytest.raises(KeyError, match="food or capsules"):
        solution.value(start(RING, ["random"]).successor("South"))
    with pytest.raises(KeyError, match="or other ghosts"):
        solution.value(later.assuming(Layer.MIN))
    long = GameState.parse(str(later).replace(":39:random", ":99:random"))
    assert long.ghosts[0].timer == 99
    with pytest.raises(KeyError, match="scared for too long"):
        solution.value(long)
    with pytest.raises(InputError, match="scared for more than 40 moves"):
        solve(long)


def test_the_values_can_be_saved(tmp_path: Path) -> None:
    solution = solve(start("nook", ["random"]))
    solution.save(tmp_path / "nook.npz")
    saved = np.load(tmp_path / "nook.npz")
    assert saved["values"][0] == 742.0
    assert len(saved["keys"]) == len(saved["wins"]) == solution.states
    with pytest.raises(InputError, match="cannot be written: No such file"):
        solution.save(tmp_path / "nowhere" / "nook.npz")


def test_the_report_has_value_error_and_actions() -> None:
    solution = solve(start("nook", ["random"]))
    assert SolutionReport(solution).as_json()["expected_score"] == 742.0
    assert "expected final score: 742.000000 (error at most " in str(SolutionReport(solution))
    assert solution.action(solution.root) == "East"
    assert regret_of(solution, solution.root, "South") == pytest.approx(3.75)


def test_regret_finds_the_worst_move() -> None:
    solution = solve(start("nook", ["random"]))
    scripted = ScriptedPacman("South,North,Stop,Stop")
    result = regret(solution, scripted, [RandomGhost()], games=3, seed=2)
    regrets, positions = [], []
    for seed in range(2, 5):
        game = Game(solution.root, [scripted, RandomGhost()], ["", ""], seed=seed)
        before = game.state
        for ply in game:
            if ply.agent == 0:
                regrets.append(regret_of(solution, before, ply.action))
                positions.append((seed, before))
            before = ply.state
    assert result.moves == len(regrets)
    assert result.mean == pytest.approx(sum(regrets) / len(regrets))
    assert result.worst is not None
    assert result.largest == result.worst.regret == max(regrets) > 0
    assert (result.worst.seed, result.worst.state) == positions[regrets.index(max(regrets))]  # the first of equals
    assert result.imperfect == sum(regret > 1e-6 for regret in regrets)
    assert result.worst.best == solution.action(result.worst.state) != result.worst.action
    assert GameState.parse(result.as_json()["worst"]["position"]) == result.worst.state
    assert str(result.worst.state) in str(result)


def test_the_command_measures_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    compute_regret(games=3, json_file=Path("-"), pacman="perfect", arguments=[], ghosts="optimal", seed=1)
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["imperfect_moves"], found["worst"]) == (3, 0, None)
    assert found["regret_a_move"] == pytest.approx(0, abs=1e-6)
    assert found["perfect_score"] <= found["mean_score"]  # a real ghost looks two rounds ahead, not to the end
    with pytest.raises(InputError, match="--games 0: expected at least 1 game"):
        compute_regret(games=0)
    with pytest.raises(InputError, match="a person cannot play here"):
        compute_regret(pacman="keyboard")
    with pytest.raises(InputError, match="this board is too large to solve: up to "):
        compute_regret(layout="crossroads", pacman="random")


def test_a_fault_ends_the_measurement_in_one_line() -> None:
    class Broken(RandomPacman):
        def choose(self, state: GameState) -> str:
            raise RuntimeError("no\nidea")

    with pytest.raises(InputError, match=r"^seed 5: Pacman at ply 0, \S+test_exact.py:\d+: RuntimeError: no idea$"):
        regret(solve(start("nook")), Broken(), [RandomGhost()], games=1, seed=5)


def test_a_perfect_pacman_is_ready_before_the_game() -> None:
    lines: list[str] = []
    PerfectPacman().prepare(lines.append)
    assert not compiled.must_compile("solve.explore")
    later_lines: list[str] = []
    PerfectPacman().prepare(later_lines.append)
    assert later_lines == []
