"""The mazes that come with the project; `pacman.layout.Layout.load` finds them by name."""
