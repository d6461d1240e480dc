"""The terminal view: transcripts, keys, colours and characters."""

from __future__ import annotations

import io
import os
import re
import signal
from collections.abc import Iterator

import pytest

from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.picture.colours import DARK
from pacman.view import After
from pacman.view.terminal_board import SCARED_INK, letters, picture, true_colour_code
from pacman.view.terminal_keys import Keys, key_names, signals_in_order
from tests.view.fake_screen import corridor, make_text
from tests.view.small_terminal import SmallTerminal


class Script(Keys):
    """A script of keys: the name of a key by the number of the check for keys."""

    def __init__(self, **keys: str) -> None:
        super().__init__()
        self.looks = 0
        self.keys = {int(look[1:]): name for look, name in keys.items()}

    def poll(self) -> list[str]:
        self.looks += 1
        assert self.looks < 5000, "the view waits for ever"
        key = self.keys.get(self.looks)
        return [key] if key else []


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


EVERY_COLOUR = {"COLORTERM": "truecolor"}
NO_COLOUR = {"NO_COLOR": "1"}


def watch(environment: dict[str, str], file: io.StringIO | None = None, keys: Keys | None = None) -> str:
    """What a terminal gets of a whole game in a corridor."""
    file = file or Terminal()
    make_text(file, keys=keys or Keys(), environment=environment).show(corridor())
    return file.getvalue()


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that is too small for blocks."""
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "20")


TRANSCRIPT = """\
%%%%%%%%
%<.  .1%
%%%%%%%%
score 0  food 2  ply 0, seed 7  next: MAX Pacman (walker)

%%%%%%%%
% <  .1%
%%%%%%%%
score 9  food 1  ply 1: Pacman (walker) East  next: CHANCE ghost 1 (random)

%%%%%%%%
% <  1 %
%%%%%%%%
score 9  food 1  ply 2: ghost 1 (random) West  next: MAX Pacman (walker)

%%%%%%%%
%  < 1 %
%%%%%%%%
score 8  food 1  ply 3: Pacman (walker) East  next: CHANCE ghost 1 (random)

%%%%%%%%
%  <1. %
%%%%%%%%
score 8  food 1  ply 4: ghost 1 (random) West  next: MAX Pacman (walker)

%%%%%%%%
%   X. %
%%%%%%%%
score -493  food 1  ply 5: Pacman (walker) East

LOST: score -493
"""


def test_a_file_gets_one_plain_picture_per_ply_without_pauses() -> None:
    file, naps = io.StringIO(), []
    assert make_text(file, sleep=naps.append).show(corridor()) is After.NEXT
    assert file.getvalue() == TRANSCRIPT
    assert naps == []


def test_the_status_has_the_layer_of_pacmans_search() -> None:
    game = corridor()
    game.agents[0].assumes = Layer.MIN  # type: ignore[attr-defined]
    make_text(file := io.StringIO()).show(game)
    assert file.getvalue() == TRANSCRIPT.replace("CHANCE", "MIN")


@pytest.mark.usefixtures("narrow")
def test_a_terminal_is_redrawn_in_place_in_colour_and_its_cursor_is_restored() -> None:
    file, naps = Terminal(), []
    view = make_text(file, keys=Keys(), sleep=naps.append, environment=EVERY_COLOUR)
    assert view.show(corridor()) is After.NEXT
    output = file.getvalue()
    assert output.startswith("\x1b[?25l")
    assert output.endswith("\x1b[?25h")
    assert output.count("\x1b[6F") == 5  # three rows and three lines of status, once for each ply
    assert f"{true_colour_code(DARK.pacman, False)}{true_colour_code(DARK.background, True)}< " in output
    assert sum(naps) == pytest.approx(0.6, abs=0.05)  # the start and 5 plies, at 10 a second


def test_only_changed_lines_are_sent_again() -> None:
    first, *later = re.split(r"\x1b\[\d+F", watch(EVERY_COLOUR))
    assert first.count("▀") > 30
    assert len(later) == 5
    assert all(picture.count("\n\n") >= 1 for picture in later)  # unchanged lines are not sent


def test_a_terminal_has_256_colours_or_none_unless_it_reports_more() -> None:
    output = watch({})
    assert "\x1b[38;5;220m" in output
    assert "\x1b[38;2;" not in output
    output = watch(NO_COLOUR)
    assert "\x1b[38;" not in output
    assert "%<.  .1%" in output


def test_blocks_show_all_agents_and_half_cells() -> None:
    state = start("%%%%%%%\n%Po.G %\n%%%%%%%")
    before = picture(state, DARK)
    assert before[4, 5] == DARK.pacman  # the mouth is open towards East
    assert (7, 5) not in before
    assert before[9, 5] == DARK.capsule
    assert before[17, 4] == DARK.ghosts[0]
    after = picture(state.successor("East").successor("West"), DARK)
    assert after[15, 4] == SCARED_INK  # two pixels further West: half a cell
    assert (18, 4) not in after


def test_a_viewer_who_leaves_from_the_keys_sees_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = SmallTerminal(80, 24, monkeypatch)
    keys = Script(_1="space", _30=".", _60="h", _90="q")
    view = make_text(terminal, keys=keys, environment=NO_COLOUR)
    assert view.show(corridor()) is After.LEAVE
    assert terminal.screen[:3] == ["%%%%%%%%", "% <  .1%", "%%%%%%%%"]
    assert "pause or continue" not in "\n".join(terminal.screen)
    assert terminal.screen[-1] == "", "the result follows in the last line"


def test_a_terminal_without_unicode_gets_ascii() -> None:
    class Ascii(Terminal):
        encoding = "ascii"

    output = watch({}, Ascii(), Script(_3="h", _5="escape"))
    assert output.isascii()
    assert "%<.  .1%" in output


def test_terminal_bytes_become_key_names() -> None:
    assert key_names("\x1b[C\x1bOD q\x1b") == ["right", "left", "space", "q", "escape"]
    assert key_names("\x1b[5~x") == ["x"]  # page up means nothing


def between_cells() -> Iterator[GameState]:
    state = start("%%%%%%%\n%Po.G %\n%%%%%%%")
    for action in ("East", "West", "Stop"):
        state = state.successor(action)
        yield state


def test_a_scared_ghost_can_be_between_two_cells() -> None:
    states = list(between_cells())
    assert states[1].ghosts[0].position == (3.5, 1.0)
    assert "".join(letters(states[1], None, DARK)[1]) == "% <S  %"
    wide = letters(states[1], true_colour_code, DARK, {(1, 1): DARK.bad}, 2)[1]
    assert wide[2] == f"{true_colour_code(DARK.pacman, False)}{true_colour_code(DARK.background, True)}< \x1b[0m"
    assert wide[1].startswith(true_colour_code(DARK.food, False)) or true_colour_code(DARK.bad, True) in wide[1]
    assert wide[0].endswith("m  \x1b[0m"), "a wall is a colour without a letter"


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


def test_a_person_without_a_keyboard_is_told_so() -> None:
    with pytest.raises(InputError, match="the standard input is no terminal; let an agent play: watch"):
        make_text(Terminal(), steer=lambda direction: None, environment={})
