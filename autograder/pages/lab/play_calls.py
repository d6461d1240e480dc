"""A game of Pacman in the page: each call plays one move of Pacman, and the moves of the ghosts after it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from agents.agent_analysis import analyse
from agents.base import SearchAgent
from agents.load import make_ghost, make_pacman
from pacman.core.errors import InputError, error_line
from pacman.core.numbers import format_interval, format_number
from pacman.core.state import GameState, start
from pacman.picture import board
from pacman.picture.colours import PAGE
from pacman.picture.overlays.overlay import svg_overlays
from pacman.play.game import Agent, Fault, Game
from pacman.record.report import UNKNOWN, SearchReport
from pacman.record.tree_browser import TreeBrowser
from pacman.record.why import why
from pacman.view.terminal.tree_lines import tree_lines

TREE_WIDTH, TREE_HEIGHT = 72, 40


@dataclass(frozen=True)
class Setup:
    """A game before its first move. `pacman` is an agent, or "" for the moves of the player."""

    layout: str
    ghosts: tuple[str, ...] = ("random",)
    seed: int = 0
    pacman: str = ""


class Play:
    """A game that is played up to a turn of Pacman. This object plays the actions of the player."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.agent: Agent = make_pacman(setup.pacman) if setup.pacman else self
        self.moves: list[str] = []
        """Pacman's actions."""
        self.action = ""
        self.states = [start(setup.layout, setup.ghosts)]
        self.agents = [self.agent, *(make_ghost(name) for name in setup.ghosts)]
        self.game = Game(self.states[0], self.agents, [setup.pacman or "you", *setup.ghosts], setup.seed)

    def begin(self, rng: Random) -> None:
        """Does nothing: the player chooses."""

    def choose(self, state: GameState) -> str:
        """The action of the player."""
        return self.action or "Stop"

    def go_on(self, action: str = "") -> None:
        """Plays the next round: the action, or what Pacman's agent chooses, and the moves of the ghosts."""
        self.action, self.agents[0] = action, self if action else self.agent
        for ply in self.game:
            self.states.append(ply.state)
            if ply.agent == 0:
                self.moves.append(ply.action)
            if ply.state.mover == 0:
                break

    @property
    def fault(self) -> Fault | None:
        """Why an agent ended the game, if one did."""
        return self.game.result.fault if self.game.result else None

    def as_data(self, first: int) -> dict[str, Any]:
        """The pictures of the positions from number `first` on, and what the page needs for the next move."""
        if self.game.state.is_terminal and self.game.result is None:
            self.go_on()
        state, result = self.game.state, self.game.result
        return {
            "frames": [_frame(each, number // len(state.layers)) for number, each in [*enumerate(self.states)][first:]],
            "names": self.game.names,
            "moves": self.moves,
            "actions": [] if result else list(state.actions()),
            "score": state.score,
            "outcome": result.outcome if result else "playing",
            "fault": str(self.fault or ""),
        }


def _frame(state: GameState, rounds: int) -> dict[str, Any]:
    """The picture of a position, and what the page shows beside it. `mover` is no agent at the end of a game."""
    return {
        "picture": board.svg(state, theme=PAGE, prefix="play-", caption=False),
        "facts": {"score": format_number(state.score), "food": str(state.food_left), "round": str(rounds)},
        "mover": -1 if state.is_terminal else state.mover,
        "layers": [turn.layer.name for turn in state.round.turns],
    }


def overlay_of(state: GameState, name: str) -> dict[str, Any]:
    """What a search knows at a position: a value for each action, the places on its line, its tree, and its reasons."""
    agent, shown_name = make_pacman(name), name.rpartition(":")[2]
    if not isinstance(agent, SearchAgent):
        raise InputError(f"{shown_name} is no search, so it has no values to show")
    try:
        report: SearchReport = analyse(agent, state, shown_name)
        if report.has_failed:
            agent.choose(state)  # raises the same error, which the report has only as text
    except InputError:
        raise
    except Exception as error:  # a student's search may raise anything
        raise InputError(f"{shown_name}: {error_line(error)}") from None
    assert isinstance(report.root, GameState)
    return {
        **svg_overlays(report),
        "layers": [turn.layer.name for turn in report.root.round.turns],
        "action": report.action,
        "value": format_interval(*dict(report.root_intervals).get(report.action or "", UNKNOWN), report.decimals),
        "counts": f"{report.generated:,} generated · {report.expanded:,} expanded",
        "tree": tree_lines(TreeBrowser(report), TREE_WIDTH, TREE_HEIGHT),
        "note": report.note,
        "why": why(report).words,
    }
