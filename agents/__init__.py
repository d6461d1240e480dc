"""Pacmen and ghosts: who plays. Nothing in `pacman` knows of them."""
