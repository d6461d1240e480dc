"""Views of a game and of a search. A view pulls plies at its own speed and knows no agent.

view_protocol         what a view shows (`ViewedGame`), and what a view is (`View`)
timeline, ply_feed    which ply of a game is shown; the plies come from a thread
controls, speed       keys and speeds, as tables that every view reads: a key is one row
theme, game_events    colours; ghosts eaten, games won and lost

window/               games in a window, one after another or side by side
terminal/             games in characters
film/                 games as files: GIF, WebP, MP4, PNG
picture/              one moment of a game as a picture, for windows and films; only its `canvas` uses pygame
analysis/             the tree of a search beside the board; reports in a thread
overlays/             the result of a search on the board; what of it is switched on
diagram/              a search tree as an SVG file
"""

from pacman.view.view_protocol import After, Steer, View, ViewedGame

__all__ = ["After", "ViewedGame", "Steer", "View"]
