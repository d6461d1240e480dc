"""Ways to watch a game and to see a search. They pull plies at their own pace and know no agent.

protocol              what a view is shown (`ViewedGame`), and what a view is (`View`)
timeline, feed        the place that is shown among a game's plies, which come from a thread
controls, pace, theme keys, speeds and colours: tables that every view reads

window/               games in a window, one after another or beside one another
terminal/             games in characters
film/                 games as files: GIF, WebP, MP4, PNG
picture/              one moment of a game as a picture, for windows and films; its `canvas` is all that knows pygame
insight/              what a search found: studies of positions, overlays on the board, the tree in the panel
diagram/              a searched tree as an SVG file
"""

from pacman.view.protocol import After, Steer, View, ViewedGame

__all__ = ["After", "ViewedGame", "Steer", "View"]
