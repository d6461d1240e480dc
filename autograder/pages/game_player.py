"""A game that plays in a notebook: its board, buttons, and a slider over its plies. It needs no server."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from autograder.pages.game_replay import SCRIPT, STYLE, game_replay
from autograder.pages.page import page
from pacman.play.game import Game
from pacman.play.recording import Replay

CONTROLS = 250
"""The height of the buttons and of the words below a board, in pixels."""


class GamePlayer:
    """A played game, to step through in a notebook. A game of more than 300 plies begins 300 plies before its end.

    It plays a `Game` that has not begun, or a recording: a `Replay`, or the path of its file.
    """

    def __init__(self, game: Game | Replay | Path | str) -> None:
        line = Replay.load(Path(game)) if isinstance(game, str | Path) else game
        self.moves = tuple(ply.action for ply in line)
        element = game_replay(line.start, self.moves, "game-")
        title = f"A game of {len(self.moves)} plies"
        self.page = page("game_player.html", title, {"game": element}, scripts=[SCRIPT], styles=[STYLE])
        """The text of a page with only this game."""
        height = re.search(r'<svg [^>]*\bheight="(\d+)"', element)
        self._height = CONTROLS + (int(height[1]) if height else 0)
        self._title = title

    def _repr_html_(self) -> str:
        """The page in its own frame, which IPython shows: the page and the notebook do not change each other."""
        style = f"width: 100%; height: {self._height}px; border: 0"
        return f'<iframe title="{self._title}" style="{style}" srcdoc="{escape(self.page)}"></iframe>'
