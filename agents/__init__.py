"""The agents: Pacmen and ghosts. The package `pacman` does not import them, except in `pacman.commands`."""
