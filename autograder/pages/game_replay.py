"""A lost game in a page: the element `<game-replay>`, which `static/game-replay.js` makes an animation to step through.

A page with this element needs the script and the stylesheet that are named here.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.pages.page import embedded
from pacman.core.state import GameState
from pacman.view.diagram.replay import replay

SCRIPT, STYLE = "game-replay.js", "game-replay.css"


def game_replay(start: GameState, moves: Sequence[str], prefix: str) -> str:
    """The element for the game from `start` with these actions of all agents in order; a template adds `| safe`.

    It contains no text of a student. Each element of a page needs another `prefix`. IllegalAction if the rules do not
    allow a move.
    """
    game = replay(start, moves, prefix)
    figures = "".join(
        f'<figure class="{name}"><figcaption>{caption}</figcaption>{picture}</figure>\n'
        for name, caption, picture in (
            ("first", game.sentences[0], game.first),
            ("last", game.sentences[-1], game.last),
        )
    )
    data = f'<script type="application/json">{embedded(game.frames)}</script>'
    return f"<game-replay>\n{figures}{data}\n</game-replay>\n"
