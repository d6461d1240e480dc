"""Other games as Nodes, to show that the searches know nothing of Pacman."""
