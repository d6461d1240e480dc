"""The commands of `python -m pacman`, one file per command, and the code that several commands share."""
