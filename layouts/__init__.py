"""The mazes that come with the project; `pacman.core.layout.Layout.load` finds them by name."""
