"""The commands of `python -m pacman`, one file each, and what several of them share."""
