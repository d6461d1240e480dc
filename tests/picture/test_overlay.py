"""Overlays: what they say is true, and no text hides an agent or another text. The screens of tests/view show them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, product

import pytest

from agents.analysis import analyse
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.core.layout import names
from pacman.core.numbers import format_integer, format_interval, format_short
from pacman.core.state import GameState, places_of, start
from pacman.picture.bars import SENTENCES_HEIGHT, BoardDrawing, Message, draw_help, draw_message
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import DARK, Colour
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import OVERLAYS, draw_paths, path_tints
from pacman.picture.screen_regions import LECTURE, LIST, Box, Regions
from pacman.play.game import Game
from pacman.record.report import LayerCount, SearchReport
from tests.record.test_report import position
from tests.sample_answers import solution


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

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.words]

    def check(self, area: Box, part: float = 0.8) -> None:
        """Every text is whole inside this area, and no two meet, if only this part of the height of a line counts."""
        for text, box in self.words:
            assert area.left <= box.left < box.right <= area.right, (text, box)
            assert area.top <= box.top < box.bottom <= area.bottom, (text, box)
        cores = [(text, box._replace(top=box.top + (1 - part) / 2 * box.height, height=part * box.height))
                 for text, box in self.words]  # fmt: skip
        assert not [(one, other) for one, other in combinations(cores, 2) if one[1].meets(other[1])]


@cache
def agent_report(name: str = "alphabeta", state: GameState | None = None, rounds: int = 2) -> SearchReport:
    agent = solution(name, f"rounds={rounds}", "evaluation=better_evaluation")
    return analyse(agent, state or position(), name)


def drawn(
    report: SearchReport,
    name: str,
    size: tuple[int, int] = (1280, 720),
    visible: VisibleState | None = None,
    frame: Regions | None = None,
) -> tuple[Words, BoardDrawing]:
    state = report.root if isinstance(report.root, GameState) else position()
    overlay, frame = OVERLAYS[name], frame or Regions.fit(*size, state.maze)
    board = BoardDrawing(canvas := Words(*size), visible or VisibleState(state, state), DARK, frame)
    if overlay:
        overlay.draw(board, report)
    return canvas, board


def test_what_an_overlay_says_is_what_the_search_found() -> None:
    """The values of the root's actions, the nodes expanded at each place."""
    report = agent_report(state=start("smallish"))
    texts = {action: format_interval(*interval) for action, interval in report.root_intervals}
    words = drawn(report, "values")[0].texts
    assert words == [texts["West"], f"stop {texts['Stop']}", texts["East"]]
    assert any(word.startswith("≤") for word in words)
    report = agent_report()
    places = {place for counts in report.heat for place in counts} - set(places_of(position()))
    totals = [sum(counts.get(place, 0) for counts in report.heat) for place in places]
    assert sorted(drawn(report, "heat")[0].texts) == sorted(map(format_short, totals)), "except under agents"
    assert drawn(report, "none", (64, 48))[0].rgb() == bytes(64 * 48 * 3)


# ---- nothing hides an agent

CROSSING = "%%%%%%%\n%.. ..%\n%.%.%.%\n%..P..%\n%.%.%.%\n%..G..%\n%%%%%%%"


@pytest.mark.parametrize("layout", ["smallish", "nook", "crossroads", "meadow", "pillars", "gamble", CROSSING])
def test_no_text_meets_an_agent_in_a_whole_game(layout: str) -> None:
    """Each word of each overlay, at rest and during the glide of a round; and no value hides another one."""
    ghosts = [RandomGhost() for _ in start(layout).ghosts]
    titles, last = ["greedy", *map(str, ghosts)], len(ghosts)
    game = Game(start(layout, ghosts), [GreedyPacman(), *ghosts], titles, seed=4, max_plies=60 * (last + 1))
    rounds = [game.start, *(ply.state for ply in game if ply.agent == last)]
    for before, after in list(pairwise(rounds))[:: max(1, len(rounds) // 6)]:
        report, moments = agent_report("expectimax", before, 1), [VisibleState(before, before)]
        moments.append(VisibleState(before, after, 0.5))
        for size, visible, name in product(((300, 200), (800, 600), (1280, 720)), moments, ("values", "heat")):
            canvas, board = drawn(report, name, size, visible)
            if name == "values":
                area = board.frame.board_area
                canvas.check(Box(area.left - 1, 0, area.width + 2, size[1]), 1.0)
            for word, box in canvas.words:
                assert not any(box.meets(agent) for agent in board.agents()), (name, word, str(before))


@pytest.mark.parametrize("size", [(480, 360), (800, 600), (1280, 720), (1366, 768), (1920, 1080), (760, 1000), None])
def test_the_table_of_layers_is_in_the_strip_below_the_board(size: tuple[int, int] | None) -> None:
    """With long counts for each agent: one row for each with all its rounds, and one for the sums. None is a film."""
    for layout, panel in product(names(), (None, LIST)):
        state = start(layout, ["random"] * len(start(layout).ghosts))
        report, agents = agent_report(), state.round.order
        layers = tuple(
            LayerCount(layer, agent, 1, 12345, 12345) for agent, layer in zip(agents, state.layers, strict=True)
        )
        report = replace(report, nodes=(report.nodes[0]._replace(node=state), *report.nodes[1:]), layers=layers * 2)
        frame = Regions.around(24, state.maze, len(agents), SENTENCES_HEIGHT)
        frame = Regions.fit(*size, state.maze, words=SENTENCES_HEIGHT, panel=panel) if size else frame
        canvas, _ = drawn(report, "layers", (frame.width, frame.height), frame=frame)
        texts, count = canvas.texts, len(agents)
        assert texts[:4] == ["", "generated", "expanded", "cut"]
        assert texts[5:8] == ["24 690", "2", "24 690"], "both rounds"
        assert texts[-4:] == ["total", format_integer(24690 * count), str(2 * count), format_integer(24690 * count)]
        assert len(texts) == 4 * (count + 2)
        assert not size or size[0] < 1280 or panel or frame.cell > 0.6 * Regions.fit(*size, state.maze).cell
        canvas.check(frame.words)


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 720), (1920, 1080)])
def test_the_help_and_the_messages_have_space(size: tuple[int, int]) -> None:
    """With as many keys as there can be; with a message beside the tree of a lecture, whole if it fits."""
    frame = Regions.fit(*size, position().maze, panel=LECTURE)
    groups, words, page = (
        {group: [("> or Down", "why this move? hide or show the reasons")] * 13 for group in "ABC"},
        0,
        0,
    )
    while draw_help(canvas := Words(*size), frame.unit, groups, DARK, page):
        canvas.check(Box(0, 0, *size))
        words, page = words + len(canvas.words), page + 1
    assert words == 3 * (2 * 13 + 1)
    long = Message("mine.py:12: ZeroDivisionError: " * 9, "STOPPED", "R  restart")
    quiz = Message("quiz: stop before each move of Pacman")
    for message in (quiz, Message("score 12", "WIN", "R  restart"), long):
        draw_message(canvas := Words(*size), frame.message, frame.unit, message, DARK)
        assert ("mine.py:12:" if message is long else message.text) in " ".join(canvas.texts)
        assert message.hint in {"", canvas.texts[-1]} or frame.message.width < 40 * frame.unit
        canvas.check(frame.message)


def test_the_paths_to_a_node_are_the_moves_of_every_agent() -> None:
    report = agent_report()
    deepest = max(report.nodes, key=lambda node: node.depth)
    canvas, board = drawn(report, "none", (640, 400))
    paths = report.places_to(deepest.number)
    assert isinstance(deepest.node, GameState)
    assert [path[-1] for path in paths] == [*places_of(deepest.node)]
    assert report.places_to(0) == tuple((path[0],) for path in report.line_places)
    assert path_tints(paths[:1] * 2, board.theme) == path_tints(paths[:1], board.theme), "Pacman's path is on top"
    before = canvas.rgb()
    for number in (0, deepest.number):
        draw_paths(board, report.places_to(number))
        assert (canvas.rgb() == before) == (number == 0), "at the root no agent has moved"
