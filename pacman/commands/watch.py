"""`python -m pacman watch`: games as `play` shows them, of an agent unless somebody is named."""

from __future__ import annotations

from pacman.commands.play import games_command

watch = games_command("expectiminimax", "Watch an agent play, or several beside one another.")
