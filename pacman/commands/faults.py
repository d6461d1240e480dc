"""What a person needs to mend an agent that failed: on stderr, the traceback of its own code and the search so far."""

from __future__ import annotations

import sys

from pacman.commands.game_setup import GameSetup
from pacman.commands.output import aside
from pacman.commands.search_choice import agent_search
from pacman.core.errors import InputError
from pacman.play.game import Game
from pacman.play.time_limit import OutOfTime, call_with_time_limit
from pacman.view.analysis.tree_browser import TreeBrowser
from pacman.view.terminal.tree_text import LEGEND, tree_lines

AGENT_FAILED = 1
"""The exit status of a command whose game an agent ended with a fault."""
TREE_ROWS, WIDTH = 16, 100


def explain_fault(setup: GameSetup, game: Game) -> None:
    """Writes the traceback of the fault that ended a game; for a search, also the part of the tree that it searched."""
    fault = game.result and game.result.fault
    if not fault or not fault.traceback:
        return
    aside(fault.traceback)
    if fault.agent:
        return
    search = agent_search(setup.pacman, setup.arguments, setup.rounds)
    limit = setup.move_timeout
    try:
        report = call_with_time_limit(search, game.state, limit) if limit else search(game.state)
    except (InputError, OutOfTime):  # the search failed before its first successor, or it never ends
        return
    if not report.has_failed:
        return
    browser = TreeBrowser(report)
    browser.go_to(len(report.steps) - 1 if report.steps else None)
    has_unicode = (sys.stderr.encoding or "").lower().startswith("utf")
    aside(f"The search until the error{f' ({LEGEND})' if has_unicode else ''}:")
    for line in tree_lines(browser, WIDTH, TREE_ROWS, has_unicode=has_unicode):
        aside(line)
