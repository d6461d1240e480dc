"""Views of a game and of a search. A view pulls plies at its own speed and knows no agent.

view_protocol         what a view shows (`ViewedGame`), and what a view is (`View`)
timeline              which ply of a game is shown; the plies come from a thread
controls, speed       keys and speeds, as tables that every view reads: a key is one row
shown_search          reports of searches, made in a thread; what of them is switched on
panel                 the tree of a search as a list beside the board
screen                a window on the screen, and what its viewer does
film                  games as files: GIF, WebP, MP4, PNG

window/               games in a window, one after another or side by side
terminal/             games in characters
"""

from pacman.view.view_protocol import After, Steer, View, ViewedGame

__all__ = ["After", "ViewedGame", "Steer", "View"]
