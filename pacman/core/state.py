"""One position of a game of Pacman: immutable, hashable, and a node for every search.

The moves come from the poses (`pacman.core.rules`). This module applies the rules for food, capsules and meetings.
Nothing here prints, draws, waits or uses random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.errors import IllegalAction, InputError, agent_name, one_line
from pacman.core.layout import AgentNumber, Layout, Mask, Maze, Position, cells
from pacman.core.position_text import OUTCOMES, Parts, read, write
from pacman.core.rounds import GhostKind, Round, Turn, models, round_of
from pacman.core.rules import (
    FOOD_POINTS,
    GHOST_POINTS,
    LOSE_POINTS,
    MOVE_POINTS,
    WIN_POINTS,
    GhostPose,
    Outcomes,
    PacmanPose,
    Poses,
)
from pacman.core.tree import Layer, read_only

PLAYING, WON, LOST = range(len(OUTCOMES))
Place = tuple[float, float]
"""(x, y) on the board, in cells."""


class GameState:
    """A position: the place of every agent, the food and capsules left, the score, and who moves.

    Two positions are equal if their poses (place, direction, scared moves left), food, capsules, score and mover are
    equal. The models of the ghosts do not count.
    """

    __slots__ = ("_turn", "_pacman", "_ghosts", "_homes", "_food", "_capsules", "_score", "_outcome", "_hash")

    def __init__(
        self,
        turn: Turn,
        pacman: PacmanPose,
        ghosts: tuple[GhostPose, ...],
        homes: tuple[GhostPose, ...],
        food: Mask,
        capsules: Mask,
        score: int = 0,
        outcome: int = PLAYING,
    ) -> None:
        self._turn = turn
        self._pacman = pacman
        self._ghosts = ghosts
        self._homes = homes
        self._food = food
        self._capsules = capsules
        self._score = score
        self._outcome = outcome
        self._hash: int | None = None

    score: int = read_only("_score", "Points so far. At the end of the game this is the utility.")
    layer: Layer = read_only("_turn.layer", "Who decides here: MAX, MIN or CHANCE.")
    mover: AgentNumber = read_only("_turn.agent", "The agent that moves: 0 is Pacman, 1..k are the ghosts.")
    round: Round = read_only("_turn.round", "The agents in their order, and the model of each ghost.")
    pacman: PacmanPose = read_only("_pacman", "Pacman's pose: position and direction.")
    ghosts: tuple[GhostPose, ...] = read_only("_ghosts", "The ghosts' poses: position, direction, timer.")
    homes: tuple[GhostPose, ...] = read_only("_homes", "The pose in which each ghost starts again after it was eaten.")
    maze: Maze = read_only("_pacman.poses.maze", "The walls.")
    food_mask: Mask = read_only("_food", "The cells with food, as bits.")
    capsule_mask: Mask = read_only("_capsules", "The cells with a capsule, as bits.")
    _parts: Parts = read_only(__slots__[:-1], "All slots except the hash, in the order of `__init__`.")
    is_terminal: bool = property(lambda self: self._outcome != PLAYING, doc="True after a win or a loss.")  # type: ignore[assignment]

    @property
    def is_win(self) -> bool:
        """True if Pacman has eaten all food."""
        return self._outcome == WON

    @property
    def is_lose(self) -> bool:
        """True if a ghost has caught Pacman."""
        return self._outcome == LOST

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of one round in their order. There are as many as plies in a round."""
        return self._turn.round.layers

    @property
    def food(self) -> tuple[Position, ...]:
        """(x, y) of every food, row by row from the bottom."""
        return tuple(map(self.maze.position, cells(self._food)))

    @property
    def food_left(self) -> int:
        """How much food is left."""
        return self._food.bit_count()

    @property
    def capsules(self) -> tuple[Position, ...]:
        """(x, y) of every capsule, row by row from the bottom."""
        return tuple(map(self.maze.position, cells(self._capsules)))

    def actions(self, agent: AgentNumber | None = None) -> tuple[str, ...]:
        """The legal actions of `agent` (by default the mover), always in the order West, Stop, East, North, South.

        Empty when the game has ended.
        """
        if self._outcome:
            return ()
        who = self._turn.agent if agent is None else self._turn.round.turn_of(agent).agent
        pose: PacmanPose | GhostPose = self._ghosts[who - 1] if who else self._pacman
        if not pose.actions:
            pose.compute_successors()
        return pose.actions

    def outcomes(self, agent: AgentNumber | None = None) -> Outcomes:
        """Every action of a ghost (by default the mover), with its probability, in the order of `actions()`.

        Empty when the game has ended. ValueError for Pacman: he chooses his action, so it has no probability.
        """
        if self._outcome:
            return ()
        turn = self._turn if agent is None else self._turn.round.turn_of(agent)
        if turn.model is None:
            raise ValueError("outcomes() was called at a MAX node: only a ghost's actions have probabilities")
        return turn.model.outcomes(self._pacman, self._ghosts[turn.agent - 1])

    def successor(self, action: str, agent: AgentNumber | None = None) -> GameState:
        """The position after `action` of `agent` (by default the mover). This position does not change.

        IllegalAction if the game has ended, if `action` is not in `actions(agent)`, or if there is no such agent.
        """
        turn = self._turn if agent is None else self._turn.round.turn_of(agent)
        # Setting the slots of a new object one by one takes 119 ns; `__init__` with nine arguments takes 196 ns.
        state: GameState = _new(GameState)
        state._turn = turn.next
        state._homes = self._homes
        state._hash = None
        if self._outcome:
            raise self._illegal(action, turn.agent)
        score, outcome = self._score, PLAYING
        try:
            if turn.agent:
                state._pacman = pacman = self._pacman
                state._food = self._food
                state._capsules = self._capsules
                number = turn.agent - 1
                ghost = self._ghosts[number]
                ghost = (ghost.successors or ghost.compute_successors())[action]
                if pacman.cell in ghost.touches:
                    ghost, score, outcome = _after_meeting(ghost, self._homes[number], score, outcome)
                ghost_list = [*self._ghosts]
                ghost_list[number] = ghost
                state._ghosts = tuple(ghost_list)
            else:
                pose = self._pacman
                state._pacman = pacman = (pose.successors or pose.compute_successors())[action]
                food, capsules, ghosts = self._food, self._capsules, self._ghosts
                score += MOVE_POINTS
                if food & pacman.bit:
                    food ^= pacman.bit
                    score += FOOD_POINTS
                    if not food:
                        score += WIN_POINTS
                        outcome = WON
                elif capsules & pacman.bit:  # a cell never has food and a capsule
                    capsules ^= pacman.bit
                    ghosts = tuple([ghost.with_full_timer() for ghost in ghosts])
                for number, ghost in enumerate(ghosts):
                    if pacman.cell in ghost.touches:
                        ghost, score, outcome = _after_meeting(ghost, self._homes[number], score, outcome)
                        ghosts = (*ghosts[:number], ghost, *ghosts[number + 1 :])
                state._ghosts = ghosts
                state._food = food
                state._capsules = capsules
        except (KeyError, TypeError):  # TypeError: an action that cannot be a key, for example a list
            raise self._illegal(action, turn.agent) from None
        state._score = score
        state._outcome = outcome
        return state

    def _illegal(self, action: str, agent: AgentNumber) -> IllegalAction:
        legal = ", ".join(self.actions(agent)) or "none, the game has ended"
        return IllegalAction(f"illegal action {one_line(action)} of {agent_name(agent)}; legal: {legal}; in\n{self}")

    def with_round(self, round: Round) -> GameState:
        """The same position with the ghost models and the agent order of `round`."""
        return GameState(round.turns[self.mover], *self._parts[1:])

    def assuming(self, layer: Layer) -> GameState:
        """The same position with every ghost modelled as optimal (Layer.MIN) or as random (Layer.CHANCE)."""
        return self.with_round(self._turn.round.assuming(layer))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        return (
            self._pacman is other._pacman  # all states of a maze share their poses, so `is` compares them
            and self._score == other._score
            and self._food == other._food
            and self._capsules == other._capsules
            and self._ghosts == other._ghosts
            and self._turn.agent == other._turn.agent
        )

    def __hash__(self) -> int:
        """The hash, which is the same in every run. It is computed at the first call only."""
        if self._hash is None:
            poses = (self._pacman.code, *[ghost.code for ghost in self._ghosts])
            self._hash = hash((poses, self._food, self._capsules, self._score, self._turn.agent))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return GameState, self._parts

    def __str__(self) -> str:
        """The picture and the status line, which `parse` reads again."""
        return write(self._parts)

    @property
    def board(self) -> str:
        """The picture alone, without the status line.

        >>> print(start("nook").board)
        %%%%%
        %P.o%
        %.%.%
        %..G%
        %%%%%
        """
        return str(self).rpartition("\n")[0]

    @classmethod
    def parse(cls, text: str) -> GameState:
        """The position that `str` wrote: `parse(str(state)) == state`. InputError names the part that is wrong."""
        return cls(*read(text))

    def __repr__(self) -> str:
        return f"<GameState score {self._score}, {self.food_left} food, agent {self.mover} moves>"


_new = object.__new__


def _after_meeting(ghost: GhostPose, home: GhostPose, score: int, outcome: int) -> tuple[GhostPose, int, int]:
    """Ghost, score and outcome after Pacman meets a ghost.

    A scared ghost goes home. Any other ghost ends the game, unless Pacman has just won it.
    """
    if ghost.timer:
        return home, score + GHOST_POINTS, outcome
    if outcome == WON:
        return ghost, score, outcome
    return ghost, score + LOSE_POINTS, LOST


def start(
    layout: str | Layout,
    ghosts: Sequence[GhostKind] | None = None,
    order: str | Sequence[AgentNumber] = "layers",
) -> GameState:
    """The first position on a layout, which is a name, the path of a file, a drawing, or a `Layout`.

    `ghosts` is a list such as ["random", "optimal"], in the order of the layout's ghost numbers. If the list is
    shorter than the number of ghosts in the layout, the other ghosts do not play. By default every ghost is random.
    InputError if the list has more ghosts than the layout, and for a string instead of a list.

    >>> start("%%%%%\\n%P.G%\\n%%%%%", ["optimal"]).layers
    (MAX, MIN)
    """
    if isinstance(layout, str):
        layout = Layout.parse(layout) if "\n" in layout else Layout.load(layout)
    ghost_models = models(["random"] * len(layout.ghosts) if ghosts is None else ghosts)
    if len(ghost_models) > len(layout.ghosts):
        raise InputError(f"too many ghosts: {len(ghost_models)}; layout '{layout.name}' has {len(layout.ghosts)}")
    poses = Poses.of(layout.maze)
    homes = tuple(poses.ghost_at(cell) for cell in layout.ghosts[: len(ghost_models)])
    turn = round_of(ghost_models, order).turns[0]
    return GameState(turn, poses.pacman(layout.pacman), homes, homes, layout.food, layout.capsules)


def places_of(state: GameState) -> list[Place]:
    """Where every agent is, by its index."""
    return [state.pacman.position, *(ghost.position for ghost in state.ghosts)]
