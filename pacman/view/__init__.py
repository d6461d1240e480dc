"""Watching: one player; a window, a terminal and a film show it.

player         what each command does to the games, and what time does to them: `Player`
controls       which key does what: `Keyboard`
timeline       which ply is shown, and which come next
shown_search   what of a search is switched on, and its report
view_protocol  what a view shows, what a view is, and the speeds

pane, panel    the picture of each game, with the tree of its search
screen         the display, its events and its pictures
window         games in a window, and a searched tree alone
terminal       games in characters
film           a player that nobody watches, as GIF, WebP, MP4 or PNG
"""

from pacman.view.view_protocol import After, Steer, View, ViewedGame

__all__ = ["After", "ViewedGame", "Steer", "View"]
