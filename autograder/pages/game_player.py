"""A played game to step through: the element `<game-replay>` of a page, and `GamePlayer` for a notebook.

`static/game-replay.js` makes an animation of the element. A page with it needs this script and its stylesheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from autograder.pages.page import markup, page
from autograder.report.escape import json_text
from pacman.core.state import GameState
from pacman.picture.board import replay
from pacman.play.game import Game
from pacman.play.recording import Replay

SCRIPT, STYLE = "game-replay.js", "game-replay.css"
CONTROLS = 250
"""The height of the buttons and of the words below a board, in pixels."""


def game_replay(start: GameState, moves: Sequence[str]) -> str:
    """The element for the game from `start` with these actions of all agents in order; a template adds `| safe`.

    It contains no text of a student. IllegalAction if the rules do not allow a move.
    """
    game = replay(start, moves)
    return markup("game_replay.html", {"game": game, "frames": json_text(game.frames)})


class GamePlayer:
    """A played game, to step through in a notebook. A game of more than 300 plies begins 300 plies before its end.

    It plays a `Game` that has not begun, or a recording: a `Replay`, or the path of its file.
    """

    def __init__(self, game: Game | Replay | Path | str) -> None:
        line = Replay.load(Path(game)) if isinstance(game, str | Path) else game
        self.moves = tuple(ply.action for ply in line)
        element = game_replay(line.start, self.moves)
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
