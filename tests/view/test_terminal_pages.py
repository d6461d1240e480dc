"""The terminal view at three sizes, as kept pages. UPDATE_TRANSCRIPTS=1 writes them again; read the difference."""

from __future__ import annotations

import os
import re
import sys
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents import load
from agents.analysis import choose_search
from agents.pacmen import ScriptedPacman
from pacman.core.state import GameState, start
from pacman.picture.colours import LIGHT
from pacman.play.game import Game
from pacman.record.rows import TreeBrowser, tree_lines
from pacman.view.terminal import MOST_LINES, PrintedLines, Style, help_pages, page, wanted_lines
from pacman.view.terminal_board import true_colour_code
from tests.view.fake_screen import CORRIDOR, Viewer, Walker, make_text
from tests.view.small_terminal import SmallTerminal
from tests.view.test_text import Script

PAGES = Path(__file__).parent / "pages"
SIZES = [(80, 24), (200, 50), (60, 15)]
SCENES = {
    "plain": "space . .",
    "values": "space . . . o",
    "line": "space . . . o o",
    "layers": "space . . . o o o o",
    "tree": "space . . . o t",
    "step": "space . . . t j j j",
    "why": "space . . . y",
    "colours": "space . .",
}


def scene_lines(size: tuple[int, int], scene: str) -> list[str]:
    """What a terminal shows in the end, without colours."""
    ghosts = [load.make_ghost("random"), load.make_ghost("optimal")]
    agents, names = [ScriptedPacman("West,West,West"), *ghosts], ["you", "random 1", "optimal 2"]
    game = Game(start("smallish", ghosts), agents, names, clock=lambda: 0.0)
    viewer = Viewer(game, is_text=True, speed=4.0, analysers=[choose_search("alphabeta", rounds=1)])
    viewer.press(SCENES[scene])
    lines = page(viewer.player, *size, Style(True, true_colour_code if scene == "colours" else None))
    return [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in lines]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("scene", SCENES)
def test_page(scene: str, size: tuple[int, int]) -> None:
    lines = scene_lines(size, scene)
    kept = PAGES / f"{scene}-{size[0]}x{size[1]}.txt"
    text = "\n".join(lines) + "\n"
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(text, encoding="utf-8", newline="\n")
    assert text == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_the_help_has_every_key_in_full(size: tuple[int, int]) -> None:
    groups = Viewer(steer=lambda action: None, is_text=True).keyboard.help()
    pages = help_pages(groups, *size)
    lines = [line for lines in pages for line in lines]
    assert all(len(line) < size[0] for line in lines)
    assert all(len(lines) < size[1] for lines in pages)
    assert [*groups] == ["PLAY", "TIME"]
    for keys, description in chain(*groups.values()):
        assert sum(f"{keys}  {description}" in line for line in lines) == 1


def test_a_board_grows_with_its_terminal() -> None:
    heights = []
    for size in SIZES:
        lines = scene_lines(size, "colours")
        heights.append(next(number for number, line in enumerate(lines) if line.startswith("score")))
    assert heights == [14, 28, 7]


@pytest.mark.parametrize("scene", ["values", "line", "layers", "tree", "why"])
def test_80_columns_and_24_lines_have_all_that_a_window_says_in_words(scene: str) -> None:
    lines = scene_lines((80, 24), scene)
    text = " ".join(line for line in lines if not line.startswith("%"))
    words = ["score 9", "food 56", "round 1", "ply 3", "layout smallish", "seed 0", "paused"]
    words += ["> ▲ MAX you", "▼ MIN random 1", "▼ MIN optimal 2", "alphabeta, 1 round", "generated", "expanded", "cut"]
    assert [word for word in words if word not in text] == []
    assert "..." not in text


def test_signs_have_the_colours_of_the_window_and_ascii_has_no_signs() -> None:
    words = "▲ MAX you  ● CHANCE random"
    coloured = Style(True, true_colour_code, LIGHT).line(words)
    assert coloured == "\x1b[38;2;37;99;168m▲ \x1b[0mMAX you  \x1b[38;2;74;127;54m● \x1b[0mCHANCE random"
    assert Style(True).line(words) == words
    assert Style().line(words) == "MAX you  CHANCE random"


def test_the_tree_in_ascii_and_with_many_rows() -> None:
    browser = TreeBrowser(choose_search("alphabeta", rounds=2)(start("smallish")))
    lines = tree_lines(browser, 50, 6, has_unicode=False)
    assert len(lines) == 6
    assert all(line.isascii() and len(line) <= 50 for line in lines)
    assert lines[0].startswith("> MAX root")
    assert lines[-1].strip().startswith("rows 1 to 5 of ")
    for _ in range(30):
        browser.step_forward()
        assert sum(line.startswith(">") for line in tree_lines(browser, 50, 4)) == 1


def test_an_agent_that_prints_does_not_garble_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line is below the board, and the terminal has all lines in the end."""

    class Talker(Walker):
        def choose(self, state: GameState) -> str:
            print("looking at", state.pacman.position)
            print("a \x1b[2Jwarning\n", file=sys.stderr)
            return super().choose(state)

    terminal = SmallTerminal(60, 15, monkeypatch)
    game = Game(start(CORRIDOR), [Talker(), Walker()], ["talker", "walker"], seed=7)
    keys = Script(_1="space", _30=".", _60=".", _99="q")
    view = make_text(terminal, 4.0, keys=keys, environment={"NO_COLOR": "1"})
    view.show(game)
    assert terminal.screen[:3] == ["%%%%%%%%", "% <  1 %", "%%%%%%%%"]
    assert terminal.screen[5] == "printed: a �[2Jwarning"
    view.close()
    assert "\n".join(terminal.screen).count("looking at") == 1
    view.close()  # it has forgotten them
    assert terminal.getvalue().count("looking at (1, 1)") == 1


def test_of_many_printed_lines_the_last_are_kept() -> None:
    printed = PrintedLines()
    for number in range(2 * MOST_LINES):
        printed.write(f"{number}\n")
    printed.write("no end")
    assert printed.last == "no end"
    lines = printed.take().splitlines()
    assert lines[0] == "printed during the game (the last lines of 2,000):"
    assert (lines[1], lines[-2:]) == (str(MOST_LINES + 1), [str(2 * MOST_LINES - 1), "no end"])
    assert (printed.take(), printed.last) == ("", "")


@pytest.mark.parametrize(("has_words", "is_open", "lines"), [(False, False, 1), (True, False, 5), (True, True, 13)])
def test_the_reasons_keep_their_lines_so_that_the_board_stays_still(has_words: bool, is_open: bool, lines: int) -> None:
    search: Any = SimpleNamespace(is_on=True, has_words=has_words, words="", overlay=None, is_open=is_open)
    assert wanted_lines(search) == lines
