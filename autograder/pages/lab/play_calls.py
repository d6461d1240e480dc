"""A game of Pacman in the page: each call plays one move of Pacman, and the moves of the ghosts after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from agents.agent_analysis import analyse
from agents.base import SearchAgent
from agents.load import make_ghost, make_pacman
from pacman.core.errors import InputError, error_line
from pacman.core.state import GameState, start
from pacman.play.game import Game
from pacman.view.analysis.number_text import format_interval
from pacman.view.analysis.search_report import SearchReport
from pacman.view.analysis.tree_browser import TreeBrowser
from pacman.view.diagram import board
from pacman.view.diagram.colours import PAGE
from pacman.view.terminal.tree_text import tree_lines

TREE_WIDTH, TREE_HEIGHT = 72, 40


@dataclass(frozen=True)
class Setup:
    """A game before its first move. `pacman` is an agent, or "" for the moves of the player."""

    layout: str
    ghosts: tuple[str, ...] = ("random",)
    seed: int = 0
    pacman: str = ""


@dataclass
class Play:
    """A game that is played up to a turn of Pacman. It plays `moves` first, then what the agent chooses."""

    setup: Setup
    moves: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        setup = self.setup
        ghosts = [make_ghost(name) for name in setup.ghosts]
        self.agent = make_pacman(setup.pacman) if setup.pacman else None
        first = start(setup.layout, setup.ghosts)
        self.wanted = ""
        self.made = 0
        self.game = Game(first, [self, *ghosts], [setup.pacman or "you", *setup.ghosts], setup.seed)

    def begin(self, rng: Random) -> None:
        """Tells the agent that the game begins."""
        if self.agent:
            self.agent.begin(rng)

    def choose(self, state: GameState) -> str:
        """The next of the moves that were played already; then that of the player or of the agent."""
        if self.made == len(self.moves):
            self.moves.append(self.wanted or (self.agent.choose(state) if self.agent else "Stop"))
        self.made += 1
        return self.moves[self.made - 1]

    def go_on(self, action: str = "") -> list[GameState]:
        """The positions of the next round: Pacman's move, and those of the ghosts."""
        self.wanted, states = action, []
        for ply in self.game:
            states.append(ply.state)
            if ply.state.mover == 0:
                break
        return states

    def as_data(self, states: Sequence[GameState]) -> dict[str, Any]:
        """The pictures of the positions, and what the page needs for the next move."""
        state, result = self.game.state, self.game.result
        if state.is_terminal and result is None:
            self.go_on()
            result = self.game.result
        return {
            "frames": [board.svg(each, theme=PAGE, prefix="play-") for each in states or [state]],
            "moves": self.moves,
            "actions": [] if result else list(state.actions()),
            "score": state.score,
            "outcome": result.outcome if result else "playing",
            "fault": str(result.fault) if result and result.fault else "",
        }


def overlay_of(state: GameState, name: str) -> dict[str, Any]:
    """What a search knows at a position: a value for each action, the places on its line, and its tree as lines."""
    agent = make_pacman(name)
    if not isinstance(agent, SearchAgent):
        raise InputError(f"{name} is no search, so it has no values to show")
    try:
        report: SearchReport = analyse(agent, state, name)
    except InputError:
        raise
    except Exception as error:  # a student's search may raise anything
        raise InputError(f"{name}: {error_line(error)}") from None
    places = [[[*board.middle(state.maze, *place)] for place in agent_places] for agent_places in report.line_places]
    return {
        "values": [[action, format_interval(*interval)] for action, interval in report.root_intervals],
        "best": report.action,
        "line": places,
        "tree": tree_lines(TreeBrowser(report), TREE_WIDTH, TREE_HEIGHT),
        "note": report.note,
    }
