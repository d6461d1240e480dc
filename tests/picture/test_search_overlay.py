"""What a search found, on the picture of a board: each value is readable, and over no agent and no other value."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from agents.analysis import analyse
from agents.load import make_pacman
from pacman.core.layout import names
from pacman.core.state import GameState, places_of, start
from pacman.picture.board import middle
from pacman.picture.colours import board_parts
from pacman.picture.overlays.overlay import svg_overlays
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import BODY_RADIUS
from pacman.picture.svg_sprites import CELL
from pacman.picture.theme import THEMES, contrast
from pacman.record.report import SearchReport


def report_of(state: GameState, search: str = "expectimax") -> SearchReport:
    return analyse(make_pacman(search, ["rounds=1"]), state, search)


def boxes(group: str) -> dict[str, Box]:
    """The box of each value, by its action."""
    found = {}
    for value in ElementTree.fromstring(group):
        x, y = map(float, value.get("transform", "")[len("translate(") : -1].split())
        plate = value.find("rect")
        assert plate is not None
        left, top, width, height = (float(plate.get(name, "")) for name in ("x", "y", "width", "height"))
        found[value.get("data-action", "")] = Box(x + left, y + top, width, height)
    return found


@pytest.mark.parametrize("layout", names())
def test_no_value_is_over_an_agent_or_over_another_value(layout: str) -> None:
    state = start(layout)
    values = boxes(svg_overlays(report_of(state))["values"])
    assert {*values} == {*state.actions()}
    radius = 0.95 * BODY_RADIUS * CELL  # the plate may touch an agent
    agents = [middle(state.maze, *place) for place in places_of(state)]
    places = [Box(x - radius, y - radius, 2 * radius, 2 * radius) for x, y in agents]
    assert not [pair for pair in combinations([*values.values(), *places[:1]], 2) if pair[0].meets(pair[1])]
    assert not [box for box in values.values() for place in places if box.meets(place)]
    board = Box(0, 0, state.maze.width * CELL, state.maze.height * CELL)
    assert all(
        box.left >= 0 <= box.top and box.right <= board.right and box.bottom <= board.bottom for box in values.values()
    )


def test_the_chosen_value_and_the_paths() -> None:
    state = start("pantry", ("random", "optimal"))
    report = report_of(state)
    chosen = [
        value.get("data-action")
        for value in ElementTree.fromstring(svg_overlays(report)["values"])
        if "chosen" in value.get("class", "")
    ]
    assert chosen == [report.action]
    group = ElementTree.fromstring(svg_overlays(report_of(state, "minimax"))["line"])
    assert [path.get("class") for path in group][-1] == "line-of agent-0", "Pacman's path is in front"
    dashed = [
        any(stroke.get("stroke-dasharray") for stroke in path)
        for path in ElementTree.fromstring(svg_overlays(report)["line"])
    ]
    assert dashed[-1] is False
    assert all(dashed[:-1]), "expectimax lets every ghost move by chance"


@pytest.mark.parametrize("theme", THEMES)
def test_the_values_are_readable(theme: str) -> None:
    parts = board_parts(theme)

    def colour(part: str) -> tuple[int, int, int]:
        red, green, blue = bytes.fromhex(parts[part]["fill"][1:])
        return red, green, blue

    for plate, word in ((".value-of rect", ".value-of .word"), (".chosen rect", ".chosen .word")):
        assert contrast(colour(plate), colour(word)) >= 4.5
