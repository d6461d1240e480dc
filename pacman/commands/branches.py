"""Branches of a game: a person or another agent goes on from one of its positions, live or recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents import ghosts, load
from agents.pacmen import KeyboardPacman
from pacman.commands.options import SUCCESSOR, agent_and_options
from pacman.commands.output import aside
from pacman.core.errors import InputError
from pacman.core.layers import OPTIMAL, RANDOM, GhostModel
from pacman.core.state import GameState
from pacman.play.game import MAX_PLIES, Agent, Game
from pacman.play.game_lines import GameLine, GameTree
from pacman.play.recording import Recorder
from pacman.view.view_protocol import After, View

KEYBOARD = "keyboard"


def ghosts_of(state: GameState) -> list[Agent]:
    """New ghosts for a position: each one moves as its model says."""
    return [_ghost(turn.model) for turn in sorted(state.round.turns, key=lambda turn: turn.agent) if turn.model]


def _ghost(model: GhostModel) -> Agent:
    if model == RANDOM:
        return ghosts.RandomGhost()
    if model == OPTIMAL:
        return ghosts.OptimalGhost()
    ghost = ghosts.DirectionalGhost()
    ghost.model = model
    return ghost


@dataclass(frozen=True)
class Branching:
    """How a branch is played and recorded.

    `agent` is Pacman's name, with options as in "minimax:rounds=3". `make_ghosts` makes new ghosts for a position; the
    default makes them by their models. `recorder` opens the recording that keeps the branches, if any does.
    """

    agent: str = SUCCESSOR
    make_ghosts: Callable[[GameState], Sequence[Agent]] = ghosts_of
    recorder: Callable[[], Recorder] | None = None
    max_plies: int = MAX_PLIES
    seed: int | None = None
    """The seed of branches; None is that of the line that they leave."""

    def branch(self, tree: GameTree, parent: GameLine, ply: int, agent: str) -> GameLine:
        """The branch in which `agent` plays Pacman after `ply` plies of `parent`.

        All agents are new, and their random numbers depend only on the seed, on the ply and on the agent's number. So
        the same agent with the same seed plays the same branch. InputError for an unknown agent, for a position at
        which the game is over, and if the recording cannot be written.
        """
        state = parent.plies[ply - 1].state if ply else parent.start
        if state.is_terminal:
            raise InputError(f"the game is over after {ply} plies: nobody can play on from there")
        name, options = agent_and_options(agent)
        pacman = KeyboardPacman() if name == KEYBOARD else load.make_pacman(name, options)
        game = Game(
            state,
            [pacman, *self.make_ghosts(state)],
            [" ".join([name.rpartition(":")[2], *options]), *parent.names[1:]],
            seed=parent.seed if self.seed is None else self.seed,
            max_plies=self.max_plies,
            move_timeout=parent.move_timeout,
            first_ply=ply,
        )
        if self.recorder is not None:
            self.recorder().add_branch(game, parent.number)
        return tree.add(GameLine(game, parent, ply, steer=pacman.press if name == KEYBOARD else None))

    def show(self, view: View, tree: GameTree, line: GameLine) -> After:
        """Shows a line, and the branches that the viewer asks for; returns the viewer's last choice."""
        while True:
            after = view.show(line)
            if after is After.NEXT_BRANCH:
                line = tree.next(line)
            elif after in (After.TAKE_OVER, After.AGENT_TAKES_OVER):
                agent = KEYBOARD if after is After.TAKE_OVER else self.agent
                try:
                    line = self.branch(tree, line, line.ply, agent)
                except InputError as error:
                    aside(str(error))
                    line.is_playing = False
            else:
                return after
