"""Ways to watch a game: a window, the terminal, a film. They pull plies at their own pace and know no agent."""

from pacman.view.protocol import After, Showing, Steer, View

__all__ = ["After", "Showing", "Steer", "View"]
