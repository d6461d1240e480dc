"""The benchmarks measure what they say: fair races, honest counts, a report that holds machine and seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from pacman import kernel, start
from pacman.core.state import GameState
from pacman.search import exhaustive
from tests.bench import memory, peers
from tests.bench.__main__ import AREAS, run
from tests.bench.engine import StoredNode, middle, minimax, walk
from tests.bench.figures import Figure, Figures, interleaved, machine, report, spread, timed
from tests.bench.growth import POSITIONS, positions


def test_the_floor_is_the_same_search_over_the_same_tree() -> None:
    state = middle("smallish")
    made = StoredNode.of(state, 4)
    assert minimax(made, 4) == minimax(state, 4) == exhaustive(state, 4).value

    def count(node: GameState, plies: int) -> int:
        return 1 + sum(count(node.successor(action), plies - 1) for action in node.actions()) if plies else 1

    assert made.size() == count(state, 4)
    assert walk("nook", 50) == 50


def test_calls_are_timed_in_turns_and_once_beforehand() -> None:
    called: list[str] = []
    rows = interleaved(3, lambda: called.append("a"), lambda: called.append("b"))
    assert called == ["a", "b"] * 4
    assert [len(row) for row in rows] == [3, 3]
    assert all(seconds > 0 for row in rows for seconds in row)


def test_a_figure_is_a_median_with_the_distance_of_its_quartiles() -> None:
    figure = timed("n", [1.0, 2.0, 3.0, 4.0, 100.0], "ms", "m")
    assert figure.value == 3
    assert figure.spread == spread([1, 2, 3, 4, 100]) == 50.5
    assert spread([7]) == 0


def test_a_report_holds_machine_versions_method_and_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fast(repeats: int) -> Iterator[Figure]:
        yield Figure("speed", 1234.5, "nodes/s", f"{repeats} times", "at least 60", 0.25)

    monkeypatch.setitem(AREAS, "fast", fast)  # type: ignore[arg-type]
    figures = run(3, ("fast",))
    text = report(figures)
    for words in ("speed: 1,234 ± 0.25 nodes/s   (goal: at least 60)", "3 times", "interleaved", "numba", "edq-pacai"):
        assert words in text
    said = json.loads(json.dumps(asdict(figures)))
    assert said["figures"][0]["value"] == 1234.5
    assert {"python", "system", "processor", "cores", "compiler", "numpy"} <= said["machine"].keys()
    assert Figures(machine(), 3, figures.figures) == figures


def test_every_area_is_there() -> None:
    assert {"engine", "growth", "search", "kernel", "games"} <= AREAS.keys()


def test_growth_asks_the_same_positions_every_time() -> None:
    for ghosts in (1, 4):
        found = positions("crossroads", ghosts)
        assert found == positions("crossroads", ghosts)
        assert len(set(found)) == POSITIONS
        assert {(state.mover, len(state.ghosts), state.is_terminal) for state in found} == {(0, ghosts, False)}


def test_held_states_are_different_and_fit() -> None:
    assert len(memory.distinct_states(500)) == 500
    found = memory.peak_memory("from tests.bench.memory import distinct_states; distinct_states(1000)")
    if found is None:
        pytest.skip("this system does not tell")
    assert 5 < found < 200


def test_the_memory_of_a_search_grows_with_the_plies_alone() -> None:
    """A straight line, while the nodes grow more than tenfold at every step."""
    root = start(memory.LANES, ["optimal"])
    few, some, many = (memory.peak(lambda plies=plies: exhaustive(root, plies)) for plies in (6, 10, 14))  # type: ignore[misc]
    assert 0 < many - some <= 2 * (some - few)
    assert many < 10_000


@pytest.mark.skipif(not kernel.is_available(), reason="the compiled path is not here")
def test_the_compiled_searches_allocate_a_block_and_nothing_a_node() -> None:
    state = middle("smallish")
    few, many = (memory.peak(lambda plies=plies: kernel.exhaustive(state, plies)) for plies in (4, 12))  # type: ignore[misc]
    assert many - few < 8 * 1000


def test_the_peer_plays_on_an_equal_board() -> None:
    state = peers.without_capsules(start("smallish"))
    assert state.capsules == ()
    assert set(state.food) == set(start("smallish").food) | set(start("smallish").capsules)
    rows = peers.picture(state).split("\n")
    assert [len(row) for row in rows] == [20] * 7
    assert rows[5] == "%....%...0....%....%"
    assert rows[3] == "%.%......12......%.%"
    for game in peers.games(state):
        end = state
        for action in game:
            end = end.successor(action)
        assert end.is_terminal


def test_a_peer_that_plays_by_other_rules_is_found_out() -> None:
    pytest.importorskip("pacai", reason="the extra `peers` is not installed")
    from pacai.core.action import Action
    from pacai.pacman.board import Board
    from pacai.pacman.gamestate import GameState as Theirs

    state = peers.without_capsules(start("smallish"))
    theirs = Theirs(board=Board("equal", peers.picture(state)), move_delays=dict.fromkeys(range(3), 100))
    theirs.game_start()
    game = next(peers.games(state))
    line = peers.RecordedGame(game, tuple(map(Action, game)))
    peers.compare(state, theirs, line)
    other = list(map(Action, game))
    other[0] = Action("stop" if game[0] != "Stop" else "west")
    with pytest.raises(ValueError, match="not at the same position at ply 1"):
        peers.compare(state, theirs, peers.RecordedGame(game, tuple(other)))


def test_random_games_of_the_benchmarks_have_a_seed() -> None:
    assert middle("smallish", seed=3) == middle("smallish", seed=3) != middle("smallish", seed=4)
