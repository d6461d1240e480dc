"""Overlays: every one at three sizes as it was kept, their words, and that no value hides another."""

from __future__ import annotations

from itertools import combinations

import pytest

from agents.agent_analysis import analyse
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.core.errors import InputError
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.state import GameState, start
from pacman.play.game import Game
from pacman.search.algorithms import run_search
from pacman.view.analysis.number_text import claim, count
from pacman.view.analysis.overlay import OVERLAYS, by_agent, draw, draw_way, following, overlay, table_tall
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.analysis.search_report import LayerCount, SearchReport
from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.paint import Painter
from pacman.view.picture.regions import Regions
from pacman.view.picture.snapshot import Snapshot
from pacman.view.theme import DARK, THEMES, Colour
from tests.sample_answers import solution
from tests.view.reference_pictures import is_like_reference
from tests.view.test_search_report import position

SIZES = [(640, 400), (1280, 720), (1920, 1080)]
LOOKS = dict(zip(SIZES, THEMES, strict=True))


class Words(Canvas):
    """A canvas that keeps what was written on it, and where: (text, left, right, middle, size)."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.words: list[tuple[str, float, float, float, float]] = []

    def text(
        self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0, part: float = 1.0
    ) -> None:
        wide = text_width(text, size)
        self.words.append((text, x - anchor * wide, x + (1 - anchor) * wide, y, size))
        super().text(text, x, y, size, colour, anchor, part)

    def spell(self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0) -> None:
        self.text(text, x, y, size, colour, anchor)


def study(name: str = "alphabeta", state: GameState | None = None, rounds: int = 2) -> SearchReport:
    agent = solution(name, f"rounds={rounds}", "evaluation=better_evaluation")
    return analyse(agent, state or position(), name)


def written(shown: SearchReport, name: str, size: tuple[int, int] = (1280, 720)) -> Words:
    assert isinstance(shown.root, GameState)
    canvas = Words(*size)
    draw(canvas, shown, name, DARK, Regions.fit(*size, shown.root.maze))
    return canvas


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", OVERLAYS[1:])
def test_an_overlay_looks_as_it_was_kept(name: str, size: tuple[int, int]) -> None:
    state = position()
    shown, colours = study("expectiminimax" if name == "line" else "alphabeta"), THEMES[LOOKS[size]]
    canvas, frame = Canvas(*size), Regions.fit(*size, state.maze)
    Painter(colours).paint(canvas, Snapshot(state, state, names=("Pacman", "one", "two")), frame)
    draw(canvas, shown, name, colours, frame)
    assert is_like_reference(canvas, f"search/{name}-{size[0]}x{size[1]}")


def test_none_draws_nothing() -> None:
    canvas = Canvas(300, 200)
    before = canvas.rgb()
    draw(canvas, study(), "none", DARK, Regions.fit(300, 200, position().maze))
    assert canvas.rgb() == before
    tree = Outline.parse("max\n  a: 3")
    draw(
        canvas,
        report_from_trace(tree, 1, run_search("exhaustive", tree, 1).trace),
        "values",
        DARK,
        Regions.fit(300, 200, position().maze),
    )
    assert canvas.rgb() == before, "a drawn tree has no board"


def test_values_are_those_of_the_root_actions() -> None:
    shown = study(state=start("smallish"))
    words = [word for word, *_ in written(shown, "values").words]
    told = {action: claim(*known) for action, known in shown.roots}
    assert words == [told["West"], f"stop {told['Stop']}", told["East"]]
    assert any(word.startswith("≤") for word in words)


CROSS = "%%%%%%%\n%.. ..%\n%.%.%.%\n%..P..%\n%.%.%.%\n%..G..%\n%%%%%%%"


@pytest.mark.parametrize("size", [*SIZES, (300, 200)])
@pytest.mark.parametrize("layout", ["meadow", "pillars", CROSS])
def test_no_value_hides_another_or_leaves_the_picture(layout: str, size: tuple[int, int]) -> None:
    state = start(layout)
    for step in range(12):
        canvas = written(study("expectimax", state, 1), "values", size)
        for one, other in combinations(canvas.words, 2):
            (_, left, right, y, tall), (_, to_left, to_right, to_y, to_tall) = one, other
            apart = right <= to_left or to_right <= left or abs(y - to_y) >= 0.5 * (tall + to_tall)
            assert apart, (one, other, str(state))
        assert isinstance(state, GameState)
        stage = Regions.fit(*size, state.maze).board_area
        assert all(left >= stage.left - 1 and right <= stage.right + 1 for _, left, right, _, _ in canvas.words)
        for _ in state.layers:
            actions = state.actions()
            state = state.successor(actions[(5 * step + 3) % len(actions)])
            if state.is_terminal:
                return


def test_heat_says_how_many_nodes_were_expanded() -> None:
    shown = study()
    totals = [sum(one.get(place, 0) for one in shown.heat) for place in {place for one in shown.heat for place in one}]
    assert sorted(word for word, *_ in written(shown, "heat").words) == sorted(map(count, totals))


def test_the_way_to_a_node_is_everyones_walk_there() -> None:
    shown = study()
    deepest = max(shown.nodes, key=lambda seen: seen.depth)
    state = shown.root
    assert isinstance(state, GameState)
    pacman = [state.pacman.position]
    for number in shown.path(deepest.number)[1:]:
        mover, state = state.mover, state.successor(shown.nodes[number].action)
        pacman += [state.pacman.position] if mover == 0 else []
    assert shown.way(deepest.number)[0] == tuple(pacman)
    assert [walk[-1] for walk in shown.way(deepest.number)[1:]] == [ghost.position for ghost in state.ghosts]
    assert shown.way(0) == tuple((walk[0],) for walk in shown.walks)
    canvas, frame = Canvas(640, 400), Regions.fit(640, 400, state.maze)
    before = canvas.rgb()
    draw_way(canvas, shown, 0, DARK, frame)
    assert canvas.rgb() == before, "nobody has gone anywhere at the root"
    draw_way(canvas, shown, deepest.number, DARK, frame)
    assert canvas.rgb() != before


def test_layers_are_a_table_with_sums() -> None:
    shown = study()
    words = [word for word, *_ in written(shown, "layers").words]
    assert words[:3] == ["generated", "expanded", "cut"]
    assert words[3::4] == ["MAX Pacman", "MIN ghost 1", "MIN ghost 2", "all"]
    rows = [[int(word) for word in words[start : start + 3]] for start in range(4, len(words), 4)]
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
    assert rows[-1][:2] == [shown.generated, shown.expanded]


@pytest.mark.parametrize("size", [(480, 360), *SIZES])
def test_the_table_hides_nobody(size: tuple[int, int]) -> None:
    ghosts = [RandomGhost(), RandomGhost()]
    game = Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "one", "two"], seed=0)
    frame = Regions.fit(*size, game.start.maze)
    for ply in [*game][2:-1:15]:
        state = ply.state
        words = written(study("expectimax", state, 1), "layers", size).words
        left, right = min(left for _, left, *_ in words), max(right for _, _, right, *_ in words)
        top, foot = min(y for *_, y, _ in words), max(y for *_, y, _ in words)
        ghosts_too = size[0] > 640  # a smaller picture may have no room for that
        for place in (state.pacman.position, *(ghost.position for ghost in state.ghosts if ghosts_too)):
            x, y = frame.middle(*place, state.maze.height)
            assert not (left <= x <= right and top <= y <= foot), (place, str(state))


def test_a_films_table_is_below_the_board() -> None:
    shown = study()
    assert isinstance(shown.root, GameState)
    frame = Regions.around(24, shown.root.maze, 3, table_tall(3))
    canvas = Words(frame.width, frame.height)
    draw(canvas, shown, "layers", DARK, frame)
    board_ends = frame.top + 24 * shown.root.maze.height
    assert all(board_ends < y < frame.chips.top for *_, y, _ in canvas.words)


def test_rounds_are_added_up_by_agent() -> None:
    layers = [LayerCount(Layer.MAX, 0, 1, 3, 0, 0), LayerCount(Layer.MIN, 1, 3, 9, 1, 2)]
    assert by_agent([*layers, *layers]) == (
        LayerCount(Layer.MAX, 0, 2, 6, 0, 0),
        LayerCount(Layer.MIN, 1, 6, 18, 2, 4),
    )


def test_overlays_come_round_and_unknown_ones_are_named() -> None:
    name = "none"
    seen = []
    for _ in OVERLAYS:
        seen.append(name)
        name = following(name)
    assert (tuple(seen), name) == (OVERLAYS, "none")
    with pytest.raises(InputError) as caught:
        overlay("value")
    assert str(caught.value) == "no overlay 'value': did you mean 'values'?"
