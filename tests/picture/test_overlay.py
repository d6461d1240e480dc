"""Overlays: each one looks like its stored picture at three sizes, and no value hides another."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import pytest

from agents.analysis import analyse
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.core.layout import names
from pacman.core.numbers import format_interval, format_short
from pacman.core.state import GameState, places_of, start
from pacman.core.tree_text import Outline
from pacman.picture.bars import Message, draw_help_panel, draw_message
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import DARK, THEMES, Colour
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import (
    OVERLAYS,
    TABLE,
    agent_boxes,
    draw_overlay,
    draw_paths,
    layers_height,
    next_overlay,
    table_height,
)
from pacman.picture.paint import Painter
from pacman.picture.screen_regions import LECTURE, LIST, Box, Regions
from pacman.play.game import Game
from pacman.record.report import LayerCount, SearchReport
from tests.record.test_report import position, tree_report
from tests.sample_answers import solution
from tests.view.reference_pictures import is_like_reference

SIZES = [(640, 400), (1280, 720), (1920, 1080)]
THEME_NAMES = dict(zip(SIZES, THEMES, strict=True))


class Words(Canvas):
    """A canvas that records each text and its box, which is as high as a line."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.words: list[tuple[str, Box]] = []

    def text(
        self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0, part: float = 1.0
    ) -> None:
        width = text_width(text, size)
        self.words.append((text, Box(x - anchor * width, y - size / 2, width, size)))
        super().text(text, x, y, size, colour, anchor, part)

    def spell(self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0) -> None:
        self.text(text, x, y, size, colour, anchor)

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.words]

    def overlaps(self, part: float = 0.8) -> list[object]:
        """The pairs of texts that meet, if only this part of the height of a line counts."""
        cores = [
            (text, box._replace(top=box.top + box.height * (1 - part) / 2, height=part * box.height))
            for text, box in self.words
        ]
        return [(one, other) for one, other in combinations(cores, 2) if one[1].meets(other[1])]

    def outside(self, area: Box) -> list[object]:
        """The texts that are not whole inside this area."""
        return [
            word
            for word in self.words
            if not (area.left <= word[1].left and word[1].right <= area.right)
            or not (area.top <= word[1].top and word[1].bottom <= area.bottom)
        ]


@cache
def agent_report(name: str = "alphabeta", state: GameState | None = None, rounds: int = 2) -> SearchReport:
    agent = solution(name, f"rounds={rounds}", "evaluation=better_evaluation")
    return analyse(agent, state or position(), name)


def overlay_canvas(report: SearchReport, name: str, size: tuple[int, int] = (1280, 720)) -> Words:
    assert isinstance(report.root, GameState)
    canvas = Words(*size)
    table = table_height(name, len(report.root.layers))
    draw_overlay(canvas, report, name, DARK, Regions.fit(*size, report.root.maze, table=table))
    return canvas


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", [overlay.name for overlay in TABLE])
def test_an_overlay_looks_like_its_stored_picture(name: str, size: tuple[int, int]) -> None:
    state = position()
    report, colours = agent_report("expectiminimax" if name == "line" else "alphabeta"), THEMES[THEME_NAMES[size]]
    canvas = Canvas(*size)
    frame = Regions.fit(*size, state.maze, table=table_height(name, 3))
    Painter(colours).paint(canvas, VisibleState(state, state, names=("Pacman", "one", "two")), frame)
    draw_overlay(canvas, report, name, colours, frame)
    assert is_like_reference(canvas, f"search/{name}-{size[0]}x{size[1]}")


def test_none_draws_nothing() -> None:
    canvas = Canvas(300, 200)
    before = canvas.rgb()
    draw_overlay(canvas, agent_report(), "none", DARK, Regions.fit(300, 200, position().maze))
    assert canvas.rgb() == before
    report = tree_report(Outline.parse("max\n  a: 3"))
    draw_overlay(canvas, report, "values", DARK, Regions.fit(300, 200, position().maze))
    assert canvas.rgb() == before, "a drawn tree has no board"


def test_values_are_the_values_of_the_root_actions() -> None:
    report = agent_report(state=start("smallish"))
    words = overlay_canvas(report, "values").texts
    texts = {action: format_interval(*interval) for action, interval in report.root_intervals}
    assert words == [texts["West"], f"stop {texts['Stop']}", texts["East"]]
    assert any(word.startswith("≤") for word in words)


CROSS = "%%%%%%%\n%.. ..%\n%.%.%.%\n%..P..%\n%.%.%.%\n%..G..%\n%%%%%%%"


def test_heat_shows_how_many_nodes_were_expanded_except_under_agents() -> None:
    report = agent_report()
    state = report.root
    assert isinstance(state, GameState)
    places = {place for counts in report.heat for place in counts} - set(places_of(state))
    totals = [sum(counts.get(place, 0) for counts in report.heat) for place in places]
    assert sorted(overlay_canvas(report, "heat").texts) == sorted(map(format_short, totals))


# ---- nothing hides an agent


@pytest.mark.parametrize("size", [(300, 200), (800, 600), *SIZES], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("layout", ["smallish", "nook", "crossroads", "meadow", "pillars", "gamble", CROSS])
def test_no_text_meets_an_agent_in_a_whole_game(layout: str, size: tuple[int, int]) -> None:
    """Each word of each overlay, at rest and during the glide of a round; and no value hides another one."""
    count = len(start(layout).ghosts)
    ghosts = [RandomGhost() for _ in range(count)]
    titles = ["greedy", *map(str, range(count))]
    game = Game(start(layout, ghosts), [GreedyPacman(), *ghosts], titles, seed=4, max_plies=60 * (count + 1))
    rounds = [ply.state for ply in game if ply.agent == count]
    frame = Regions.fit(*size, game.start.maze)
    area = frame.board_area
    for before, after in list(pairwise([game.start, *rounds]))[:: max(1, len(rounds) // 6)]:
        report = agent_report("expectimax", before, 1)
        for visible in (VisibleState(before, before), VisibleState(before, after, 0.5)):
            agents = agent_boxes(visible, frame)
            for name in ("values", "heat"):
                canvas = Words(*size)
                draw_overlay(canvas, report, name, DARK, frame, visible)
                for word, box in canvas.words:
                    assert not any(box.meets(agent) for agent in agents), (name, word, str(before))
                    assert box.left >= area.left - 1
                    assert box.right <= area.right + 1
                assert name != "values" or canvas.overlaps(1.0) == [], str(before)


@pytest.mark.parametrize("size", [(480, 360), (800, 600), (1280, 720), (1366, 768), (1920, 1080), (760, 1000)])
def test_the_table_of_layers_is_below_the_board(size: tuple[int, int]) -> None:
    for layout in names():
        kinds = ["random"] * len(start(layout).ghosts)
        state = start(layout, kinds)
        table = table_height("layers", len(state.layers))
        for panel in (None, LIST):
            frame = Regions.fit(*size, state.maze, table=table, panel=panel)
            if not frame.table.height:
                assert size[0] < 1280, (layout, panel)
                continue
            canvas = Words(*size)
            draw_overlay(canvas, layers_report(state), "layers", DARK, frame)
            if not canvas.words and size[0] < 1280:
                continue
            assert len(canvas.words) == 3 + 4 * (len(kinds) + 2), "three counts of all agents, and of all together"
            assert canvas.outside(frame.table) == [], layout
            assert canvas.overlaps() == [], layout


def layers_report(state: GameState) -> SearchReport:
    """A report with long counts for each agent."""
    layers = tuple(
        LayerCount(layer, agent, 1, 12345, 12345) for agent, layer in zip(state.round.order, state.layers, strict=True)
    )
    report = agent_report()
    return replace(report, nodes=(report.nodes[0]._replace(node=state), *report.nodes[1:]), layers=layers)


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 720), (1920, 1080)])
def test_the_help_panel_is_inside_the_window(size: tuple[int, int]) -> None:
    """With as many keys as there can be: the three groups meet nowhere."""
    groups = {group: [("> or Down", "why this move? hide or show the reasons")] * 13 for group in "ABC"}
    canvas = Words(*size)
    draw_help_panel(canvas, Regions.fit(*size, start("smallish", ["random"]).maze).unit, list(groups.items()), DARK)
    assert len(canvas.words) == 3 * (2 * 13 + 1)
    assert canvas.outside(Box(0, 0, *size)) == []
    assert canvas.overlaps() == []


@pytest.mark.parametrize("size", [(800, 600), (1920, 1080)])
def test_a_message_stays_in_its_strip_with_its_keys_and_whole_if_it_fits(size: tuple[int, int]) -> None:
    """Beside the tree of a lecture there is still space for the message of the quiz."""
    frame = Regions.fit(*size, start("smallish", ["random"]).maze, panel=LECTURE)
    quiz = "quiz: stop before each move of Pacman"
    long = Message("mine.py:12: ZeroDivisionError: " * 9, "STOPPED", "R  restart")
    for message in (Message(quiz), Message("score 12", "WIN", "R  restart"), long):
        canvas = Words(*size)
        draw_message(canvas, frame.message, frame.unit, message, DARK)
        assert canvas.texts[1].startswith("mine.py") if message is long else message.text in canvas.texts
        assert message.hint in {"", canvas.texts[-1]} or frame.message.width < 40 * frame.unit
        assert canvas.outside(frame.message) == []
        assert canvas.overlaps() == []


def test_the_paths_to_a_node_are_the_moves_of_every_agent() -> None:
    report = agent_report()
    deepest = max(report.nodes, key=lambda node: node.depth)
    state = report.root
    assert isinstance(state, GameState)
    pacman = [state.pacman.position]
    for number in report.path(deepest.number)[1:]:
        mover, state = state.mover, state.successor(report.nodes[number].action)
        pacman += [state.pacman.position] if mover == 0 else []
    assert report.places_to(deepest.number)[0] == tuple(pacman)
    assert [path[-1] for path in report.places_to(deepest.number)[1:]] == [ghost.position for ghost in state.ghosts]
    assert report.places_to(0) == tuple((path[0],) for path in report.line_places)
    canvas, frame = Canvas(640, 400), Regions.fit(640, 400, state.maze)
    before = canvas.rgb()
    draw_paths(canvas, report, 0, DARK, frame)
    assert canvas.rgb() == before, "at the root no agent has moved"
    draw_paths(canvas, report, deepest.number, DARK, frame)
    assert canvas.rgb() != before


def test_layers_are_a_table_with_sums() -> None:
    """One row for each agent, with the counts of all its rounds, and one for the sums; in a film below the board."""
    report = agent_report()
    assert isinstance(report.root, GameState)
    frame = Regions.around(24, report.root.maze, 3, layers_height(3))
    canvas = Words(frame.width, frame.height)
    draw_overlay(canvas, report, "layers", DARK, frame)
    words, board_ends = canvas.texts, frame.top + 24 * report.root.maze.height
    assert all(board_ends < box.top < box.bottom < frame.message.top for _, box in canvas.words)
    assert words[:3] == ["generated", "expanded", "cut"]
    assert words[3::4] == ["MAX Pacman", "MIN ghost 1", "MIN ghost 2", "total"]
    rows = [[int(word) for word in words[start : start + 3]] for start in range(4, len(words), 4)]
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
    assert rows[-1][:2] == [report.generated, report.expanded]


def test_the_next_overlay() -> None:
    names = list(OVERLAYS)
    assert [next_overlay(name) for name in names] == [*names[1:], "none"]
