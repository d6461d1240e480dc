"""The commands of `python -m pacman`, one file each. What they are made of is in `shared`."""
