"""The terminal view: transcripts, kept pages at three sizes, keys, colours and characters.

UPDATE_TRANSCRIPTS=1 writes the pages again; read the difference.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from itertools import chain

import pytest

from agents import load
from agents.analysis import choose_search
from agents.pacmen import ScriptedPacman
from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.picture.colours import DARK, LIGHT
from pacman.play.game import Game
from pacman.view import After
from pacman.view.terminal import MOST_LINES, PrintedLines, Style, board, help_pages, page
from pacman.view.terminal_board import SCARED_INK, letters, picture, true_colour_code
from pacman.view.terminal_keys import Keys, signals_in_order
from tests.view.fake_screen import CORRIDOR, Person, Script, SmallTerminal, Viewer, Walker, corridor, make_text
from tests.view.reference_pictures import kept_text

EVERY_COLOUR, NO_COLOUR = {"COLORTERM": "truecolor"}, {"NO_COLOR": "1"}


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class AsciiTerminal(Terminal):
    encoding = "ascii"


def watch(environment: dict[str, str], file: io.StringIO | None = None, keys: Keys | None = None) -> str:
    """What a terminal gets of a whole game in a corridor."""
    file = file or Terminal()
    assert make_text(file, keys=keys or Keys(), environment=environment).show(corridor()) is After.NEXT
    return file.getvalue()


# ---- a file


@pytest.mark.parametrize(("assumed", "layer"), [(None, "CHANCE"), (Layer.MIN, "MIN")])
def test_a_file_gets_one_plain_picture_per_ply_without_pauses(assumed: Layer | None, layer: str) -> None:
    """The status has the layer of Pacman's search."""
    file, naps, game = io.StringIO(), [], corridor()
    game.agents[0].assumes = assumed  # type: ignore[attr-defined]
    assert make_text(file, sleep=naps.append).show(game) is After.NEXT
    assert (file.getvalue(), naps) == (kept_text("file", file.getvalue()).replace("CHANCE", layer), [])


# ---- kept pages


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


@pytest.mark.parametrize("scene", SCENES)
def test_page(scene: str) -> None:
    """What a terminal shows in the end, at three sizes, without colours."""
    ghosts = [load.make_ghost("random"), load.make_ghost("optimal")]
    agents, names = [ScriptedPacman("West,West,West"), *ghosts], ["you", "random 1", "optimal 2"]
    game = Game(start("smallish", ghosts), agents, names, clock=lambda: 0.0)
    viewer = Viewer(game, is_text=True, speed=4.0, analysers=[choose_search("alphabeta", rounds=1)])
    viewer.press(SCENES[scene])
    for size in SIZES:
        lines = page(viewer.player, *size, Style(True, true_colour_code if scene == "colours" else None))
        text = "".join(re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() + "\n" for line in lines)
        assert text == kept_text(f"{scene}-{size[0]}x{size[1]}", text), size


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_the_help_has_every_key_in_full(size: tuple[int, int]) -> None:
    groups = Viewer(corridor(Person()), is_text=True).keyboard.help()
    pages = help_pages(groups, *size)
    assert max(len(lines) for lines in pages) < size[1]
    lines = [line for lines in pages for line in lines]
    assert max(map(len, lines)) < size[0]
    for keys, description in chain(*groups.values()):
        assert sum(f"{keys}  {description}" in line for line in lines) == 1


def test_signs_have_the_colours_of_the_window_and_ascii_has_no_signs() -> None:
    words = "score −5  ▲ MAX you  ● CHANCE random"
    assert Style(True, true_colour_code, LIGHT).line(words) == (
        "score −5  \x1b[38;2;37;99;168m▲ \x1b[0mMAX you  \x1b[38;2;74;127;54m● \x1b[0mCHANCE random"
    )
    assert (Style(True).line(words), Style().line(words)) == (words, "score -5  MAX you  CHANCE random")


# ---- a terminal


def test_a_terminal_is_redrawn_in_place_in_colour_and_its_cursor_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    file, naps = SmallTerminal(30, 20, monkeypatch), list[float]()  # too small for blocks
    view = make_text(file, keys=Keys(), sleep=naps.append, environment=EVERY_COLOUR)
    assert view.show(corridor()) is After.NEXT
    output = file.getvalue()
    assert output.startswith("\x1b[?25l")
    assert output.endswith("\x1b[?25h")
    assert output.count("\x1b[6F") == 5  # three rows and three lines of status, once for each ply
    assert f"{true_colour_code(DARK.pacman, False)}{true_colour_code(DARK.background, True)}< " in output
    assert sum(naps) > 0.55  # the start and 5 plies, at 10 a second; more if the thread of the game is late


def test_a_terminal_gets_what_it_can_show_and_only_changed_lines() -> None:
    """It has 256 colours or none unless it reports more, and letters if it has no blocks."""
    first, *later = re.split(r"\x1b\[\d+F", watch(EVERY_COLOUR))
    assert first.count("▀") > 30
    assert len(later) == 5
    assert all("\n\n" in picture for picture in later)
    for environment, file, parts in (
        ({}, Terminal(), {"\x1b[38;5;220m": True, "\x1b[38;2;": False, "▀": True}),
        (NO_COLOUR, Terminal(), {"\x1b[38;": False, "%<.  .1%": True}),
        ({}, AsciiTerminal(), {"%<.  .1%": True, "▀": False}),
    ):
        output = watch(environment, file, Script(_3="h", _5="escape"))
        assert {part: part in output for part in parts} == parts
        assert output.isascii() == isinstance(file, AsciiTerminal) or environment


def test_pictures_and_letters_of_scared_ghosts_and_half_cells() -> None:
    state = start("%%%%%%%\n%Po.G %\n%%%%%%%")
    before, scared = picture(state, DARK), state.successor("East").successor("West")
    assert before[4, 5] == DARK.pacman  # the mouth is open towards East
    assert (before.get((7, 5)), before[9, 5], before[17, 4]) == (None, DARK.capsule, DARK.ghosts[0])
    eyes = [place for place, colour in picture(scared, DARK, 8).items() if colour == DARK.eye]
    assert {x - 28 for x, _ in eyes} == {0, 1, 3, 4}, "finer pictures: the ghost, at 3.5, looks where it went"
    after = picture(scared, DARK)
    assert (after[15, 4], after.get((18, 4))) == (SCARED_INK, None)  # two pixels further West: half a cell
    assert "".join(letters(scared, None, DARK)[1]) == "% <S  %"
    assert "<" in board(start("crossroads"), 20, 5, Style(), {})[2], "of a large board, Pacman is in the middle row"
    wall, tinted, pacman, *_ = letters(scared, true_colour_code, DARK, {(1, 1): DARK.bad}, 2)[1]
    assert pacman == f"{true_colour_code(DARK.pacman, False)}{true_colour_code(DARK.background, True)}< \x1b[0m"
    assert true_colour_code(DARK.bad, True) in tinted
    assert wall.endswith("m  \x1b[0m"), "a wall is a colour without a letter"


def test_a_viewer_who_leaves_from_the_keys_sees_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = SmallTerminal(80, 24, monkeypatch)
    view = make_text(terminal, keys=Script(_1="space", _30=".", _60="h", _90="q"), environment=NO_COLOUR)
    assert view.show(corridor()) is After.LEAVE
    assert terminal.screen[:3] == ["%%%%%%%%", "% <  .1%", "%%%%%%%%"]
    assert "pause or continue" not in "\n".join(terminal.screen)
    assert terminal.screen[-1] == "", "the result follows in the last line"


def test_an_agent_that_prints_does_not_garble_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line is below the board, and the terminal has all lines, or the last of many, in the end."""

    class Talker(Walker):
        def choose(self, state: GameState) -> str:
            print("looking at", state.pacman.position)
            print("a \x1b[2Jwarning\n", file=sys.stderr)
            return super().choose(state)

    terminal = SmallTerminal(60, 15, monkeypatch)
    game = Game(start(CORRIDOR), [Talker(), Walker()], ["talker", "walker"], seed=7)
    view = make_text(terminal, 4.0, keys=Script(_1="space", _30=".", _60=".", _99="q"), environment=NO_COLOUR)
    view.show(game)
    assert terminal.screen[:3] == ["%%%%%%%%", "% <  1 %", "%%%%%%%%"]
    assert terminal.screen[5] == "printed: a �[2Jwarning"
    for _ in range(2):  # then it has forgotten them
        view.close()
        assert terminal.getvalue().count("looking at (1, 1)") == 1
    printed = PrintedLines()
    printed.write("".join(f"{number}\n" for number in range(2 * MOST_LINES)) + "no end")
    assert printed.last == "no end"
    lines = printed.take().splitlines()
    assert lines[0] == "printed during the game (the last lines of 2,000):"
    assert (lines[1], lines[-2:]) == (str(MOST_LINES + 1), [str(2 * MOST_LINES - 1), "no end"])
    assert (printed.take(), printed.last) == ("", "")


# ---- keys and signals


def test_a_person_without_a_keyboard_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="the standard input is no terminal; let an agent play: watch"):
        make_text(Terminal(), environment={}).show(corridor(Person()))


@pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="this system cannot stop a process")
def test_a_stop_gives_the_terminal_back_and_takes_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(os, "kill", lambda process, number: done.append(signal.Signals(number).name))
    with signals_in_order(lambda: done.append("leave"), lambda: done.append("come back")):
        for _ in range(2):
            signal.raise_signal(signal.SIGTSTP)
        with pytest.raises(SystemExit, match="143"):
            signal.raise_signal(signal.SIGTERM)
    assert done == ["leave", "SIGTSTP", "come back"] * 2
    assert signal.getsignal(signal.SIGTERM) == before
