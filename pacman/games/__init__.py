"""Other games as Nodes. They show that the searches do not depend on Pacman."""
