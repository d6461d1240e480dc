"""Compares exact values with a plain solver over GameStates, with deep search, and with the results of games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from agents.ghosts import RandomGhost
from agents.pacmen import PerfectPacman, RandomPacman, ScriptedPacman
from pacman import GameState, GhostModel, InputError, Layer, start
from pacman.commands.games import GameSetup
from pacman.commands.measure import regret_of, solve_exactly, values_of
from pacman.commands.options import BoardOptions
from pacman.play.exact import Solution, _explore, solve
from pacman.play.game import Game
from pacman.search import exhaustive

LANE = "%%%%%%%\n%P...G%\n%%%%%%%"
RING = "%%%%%\n%P .%\n% % %\n%o G%\n%%%%%"
TWINS = "%%%%%%\n%P. G%\n% %% %\n%.  G%\n%%%%%%"
BOARDS: list[tuple[str, list[str | GhostModel]]] = [
    (LANE, ["random"]),
    (LANE, ["optimal"]),
    (RING, ["random"]),
    (RING, ["directional"]),
    (RING, ["optimal"]),
    (TWINS, ["random", "optimal"]),
    ("nook", ["directional(0.5)"]),
    ("%%%%%\n%P .%\n%%%%%", []),
    (LANE, [GhostModel("eager", Layer.CHANCE, lambda pacman, ghost: ((ghost.legal()[0], 1.0),))]),
]


def loss(solution: Solution, state: GameState, action: str) -> float:
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
def test_every_value_agrees_with_a_plain_solver_and_with_search(board: str, ghosts: list[str | GhostModel]) -> None:
    """The proof of the error needs that the first values are too high: no play from a position earns more."""
    root = start(board, ghosts)
    solution, values = solve(root), solve_plainly(root)
    assert solution.states == len(values)
    assert solution.error < 1e-6
    for state, value in values.items():
        assert solution.value(state) == pytest.approx(value, abs=1e-6)
    _, high, _ = _explore(root, len(values), len)
    assert (high[:-2] >= solution.values - solution.error).all()
    state, rng = root, Random(1)
    while not state.is_terminal:  # one ply of search with the solved values finds the solved value again
        assert exhaustive(state, 1, solution.value).value == pytest.approx(solution.value(state), abs=1e-6)
        state = state.successor(rng.choice(state.actions()))


@pytest.fixture(scope="module")
def gamble() -> Solution:
    return PerfectPacman().prepare(start("gamble", ["random", "random"]))


def test_the_known_numbers_of_gamble_are_those_of_games(gamble: Solution) -> None:
    assert (gamble.states, gamble.sweeps) == (113_026, 52)
    assert gamble.value(gamble.root) == pytest.approx(351.404, abs=1e-3)
    assert gamble.win_probability(gamble.root) == pytest.approx(0.828290, abs=1e-6)
    assert max(gamble.error, gamble.win_error) < 5e-9
    agents = [PerfectPacman(), RandomGhost(), RandomGhost()]
    perfect = regret_of(gamble, agents, games=300, seed=1)
    assert (perfect["largest_regret"], perfect["worst"], perfect["imperfect_moves"]) == (0, None, 0)
    assert perfect["mean_score"] == pytest.approx(gamble.value(gamble.root), abs=90)  # 3 standard errors
    games = [Game(gamble.root, agents, [""] * 3, seed=n).play() for n in range(300)]
    wins = [game.outcome for game in games].count("win")
    assert wins / 300 == pytest.approx(gamble.win_probability(gamble.root), abs=0.07)
    assert regret_of(gamble, [RandomPacman(), *agents[1:]], games=100)["regret_a_move"] > 1


def test_a_perfect_pacman_solves_the_board_of_his_game() -> None:
    pacman = PerfectPacman()
    game = Game(start("nook", ["random"]), [pacman, RandomGhost()], ["", ""], seed=4)
    assert game.play().outcome == "win"
    first = pacman.solution
    pacman.choose(start("nook", ["random"]).successor("Stop").successor("West"))
    assert pacman.solution is first
    pacman.choose(start("nook", ["optimal"]))
    assert pacman.solution is not first


def test_a_perfect_pacman_is_ready_before_the_game_and_solves_once_in_a_series() -> None:
    solutions = [GameSetup(BoardOptions("nook"), "perfect").game(seed).agents[0].solution for seed in (1, 2)]
    assert solutions[0] is not None
    assert solutions[0] is solutions[1]
    with pytest.raises(InputError, match=r"more than 100 positions; .* perfect:states=N"):
        GameSetup(BoardOptions("nook"), "perfect:states=100").game(1)


def test_a_board_that_cannot_be_solved_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"^this board has more than 1,000 positions; raise the limit with --states N"):
        solve(start("nook", ["random"]), most_states=1000)
    with pytest.raises(InputError, match="this game is over; there is nothing to solve"):
        solve(start("%%%%%\n%P. %\n%%%%%").successor("East"))


def test_a_position_outside_the_solution_has_no_value() -> None:
    first = start(RING, ["random"])
    later = first.successor("South").successor("North").successor("South").successor("North")
    solution = solve(later)
    assert solution.value(later) == pytest.approx(solve(first).value(later), abs=1e-6)
    assert GameState.parse(str(later)) in solution
    for other in (first.successor("South"), later.assuming(Layer.MIN), start(LANE, ["random"])):
        assert other not in solution
        with pytest.raises(KeyError, match="no game from the solved position leads to this one"):
            solution.value(other)


def test_the_values_and_the_worst_move_of_an_agent() -> None:
    solution = solve(start("nook", ["random"]))
    assert values_of(solution)["expected_score"] == 742.0
    assert solution.action(solution.root) == "East"
    assert loss(solution, solution.root, "South") == pytest.approx(3.75)
    agents, losses = [ScriptedPacman("South,North,Stop,Stop"), RandomGhost()], list[tuple[float, int, GameState]]()
    result = regret_of(solution, agents, games=3, seed=2)
    for seed in range(2, 5):
        before = solution.root
        for ply in Game(solution.root, agents, ["", ""], seed=seed):
            if ply.agent == 0:
                losses.append((loss(solution, before, ply.action), seed, before))
            before = ply.state
    points = [each for each, _, _ in losses]
    assert (result["moves"], result["regret_a_move"]) == (len(points), pytest.approx(sum(points) / len(points)))
    assert result["imperfect_moves"] == sum(each > 1e-6 for each in points)
    worst = result["worst"]
    most, seed, state = max(losses, key=lambda each: each[0])  # the first of equals
    assert (result["largest_regret"], worst["seed"], GameState.parse(worst["position"])) == (most, seed, state)
    assert worst["best"] == solution.action(state) != worst["action"]


def test_the_command_measures_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    solve_exactly(BoardOptions("nook", "optimal"), games=3, json_file=Path("-"), agent="perfect", seed=1)
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 1795
    agent = found["agent"]
    assert (agent["games"], agent["imperfect_moves"], agent["worst"]) == (3, 0, None)
    assert agent["regret_a_move"] == pytest.approx(0, abs=1e-6)
    assert agent["perfect_score"] <= agent["mean_score"]  # a real ghost looks two rounds ahead, not to the end
    solve_exactly(games=1, json_file=Path("-"), agent="random", seed=7)
    assert json.loads(capsys.readouterr().out)["agent"]["worst"]["seed"] == 7


def test_the_values_can_be_saved(tmp_path: Path) -> None:
    solve_exactly(out=tmp_path / "nook.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "nook.jsonl").read_text(encoding="utf-8").splitlines()]
    solution = solve(start("nook"))
    assert len(lines) == solution.states
    for line in lines:
        state = GameState.parse(line["position"])
        assert (line["value"], line["win_probability"]) == (solution.value(state), solution.win_probability(state))
    with pytest.raises(InputError, match=r"^--out \S*nook.jsonl: cannot be written: no such file or directory"):
        solve_exactly(out=tmp_path / "nowhere" / "nook.jsonl")
