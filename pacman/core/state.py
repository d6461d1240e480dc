"""One position of a game of Pacman: immutable, hashable, and what a search calls a node.

The rules live in the poses (`pacman.core.rules`); here a move is looked up, and food, capsules and
meetings are settled. Nothing here is timed, printed, drawn or random.
"""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.errors import IllegalAction, InputError, one_line
from pacman.core.layers import GhostKind, Layer, Round, Turn, round_of
from pacman.core.layout import AgentNumber, Layout, Mask, Maze, Position, cells
from pacman.core.notation import OUTCOMES, Parts, read, write
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
from pacman.core.tree import read_only

PLAYING, WON, LOST = range(len(OUTCOMES))


class GameState:
    """A position: who stands where, what is left to eat, the score, and who moves.

    Two positions are equal when poses (place, direction, scared moves left), food, capsules, score
    and mover agree. What a search takes the ghosts for is no part of that.
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

    score: int = read_only("_score", "Points so far; at the end, the utility.")
    layer: Layer = read_only("_turn.layer", "Who decides here: MAX, MIN or CHANCE.")
    mover: AgentNumber = read_only("_turn.agent", "The agent that moves: 0 is Pacman, 1..k the ghosts.")
    round: Round = read_only("_turn.round", "The agents in their order, and what each is taken for.")
    pacman: PacmanPose = read_only("_pacman", "Pacman's pose: position and direction.")
    ghosts: tuple[GhostPose, ...] = read_only("_ghosts", "The ghosts' poses: position, direction, timer.")
    homes: tuple[GhostPose, ...] = read_only("_homes", "Where an eaten ghost starts again.")
    maze: Maze = read_only("_pacman.poses.maze", "The walls.")
    food_mask: Mask = read_only("_food", "The cells with food, as bits.")
    capsule_mask: Mask = read_only("_capsules", "The cells with a capsule, as bits.")
    _parts: Parts = read_only(__slots__[:-1], "All but the hash, in the order of `__init__`.")
    is_terminal: bool = property(lambda self: self._outcome != PLAYING, doc="Won or lost: nobody moves any more.")  # type: ignore[assignment]

    @property
    def is_win(self) -> bool:
        return self._outcome == WON

    @property
    def is_lose(self) -> bool:
        return self._outcome == LOST

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of one round in their order; its length is the number of plies in a round."""
        return self._turn.round.layers

    @property
    def food(self) -> tuple[Position, ...]:
        """(x, y) of every food, row by row from below."""
        return tuple(map(self.maze.position, cells(self._food)))

    @property
    def food_left(self) -> int:
        return self._food.bit_count()

    @property
    def capsules(self) -> tuple[Position, ...]:
        """(x, y) of every capsule, row by row from below."""
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
        """Every action of the ghost that moves, with its probability, in the order of `actions()`.

        Empty when the game has ended. ValueError where Pacman moves: he decides, he is not drawn.
        """
        if self._outcome:
            return ()
        turn = self._turn if agent is None else self._turn.round.turn_of(agent)
        if turn.model is None:
            raise ValueError("outcomes() of a MAX node: only a ghost's move has probabilities")
        return turn.model.outcomes(self._pacman, self._ghosts[turn.agent - 1])

    def successor(self, action: str, agent: AgentNumber | None = None) -> GameState:
        """The position after `action` by `agent` (by default the mover); this one is unchanged.

        IllegalAction when the game has ended, the action is not among `actions(agent)`, or there is no such agent.
        """
        turn = self._turn if agent is None else self._turn.round.turn_of(agent)
        # Filling a new object's slots by hand takes 119 ns, `__init__` with nine arguments 196.
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
                    ghost, score, outcome = _meet(ghost, self._homes[number], score, outcome)
                moved = [*self._ghosts]
                moved[number] = ghost
                state._ghosts = tuple(moved)
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
                elif capsules & pacman.bit:
                    capsules ^= pacman.bit
                    ghosts = tuple([ghost.with_full_timer() for ghost in ghosts])
                for number, ghost in enumerate(ghosts):
                    if pacman.cell in ghost.touches:
                        ghost, score, outcome = _meet(ghost, self._homes[number], score, outcome)
                        ghosts = (*ghosts[:number], ghost, *ghosts[number + 1 :])
                state._ghosts = ghosts
                state._food = food
                state._capsules = capsules
        except (KeyError, TypeError):  # TypeError: an action that cannot even be looked up, as a list
            raise self._illegal(action, turn.agent) from None
        state._score = score
        state._outcome = outcome
        return state

    def _illegal(self, action: str, agent: AgentNumber) -> IllegalAction:
        who = "Pacman" if agent == 0 else f"ghost {agent}"
        legal = ", ".join(self.actions(agent)) or "none, the game has ended"
        return IllegalAction(f"illegal action {one_line(action)} of {who}; legal: {legal}; in\n{self}")

    def with_round(self, round: Round) -> GameState:
        """The same position with the ghosts modelled, and the agents ordered, as in `round`."""
        return GameState(round.turns[self.mover], *self._parts[1:])

    def assuming(self, layer: Layer) -> GameState:
        """The same position, every ghost taken for optimal (Layer.MIN) or for random (Layer.CHANCE)."""
        return self.with_round(self._turn.round.assuming(layer))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        return (
            self._pacman is other._pacman  # poses are shared by all states of a maze, so `is` compares them
            and self._score == other._score
            and self._food == other._food
            and self._capsules == other._capsules
            and self._ghosts == other._ghosts
            and self._turn.agent == other._turn.agent
        )

    def __hash__(self) -> int:
        """Worked out once, when first asked; the same in every run."""
        if self._hash is None:
            poses = (self._pacman.code, *[ghost.code for ghost in self._ghosts])
            self._hash = hash((poses, self._food, self._capsules, self._score, self._turn.agent))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return GameState, self._parts

    def __str__(self) -> str:
        """The picture and the status line; `parse` reads it back."""
        return write(self._parts)

    @classmethod
    def parse(cls, text: str) -> GameState:
        """The position that `str` wrote: `parse(str(state)) == state`. InputError names what cannot be read."""
        return cls(*read(text))

    def __repr__(self) -> str:
        return f"<GameState score {self._score}, {self.food_left} food, agent {self.mover} moves>"


_new = object.__new__


def _meet(ghost: GhostPose, home: GhostPose, score: int, outcome: int) -> tuple[GhostPose, int, int]:
    """Pacman and a ghost on one spot: a scared ghost goes home, a live one ends the game unless it was just won."""
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
    """The first position on a layout: a name, a file's path, or a `Layout`.

    `ghosts` are taken in the order of the layout's ghost numbers; with fewer than the layout has, the rest stay
    out. By default every ghost is random. InputError for more ghosts than the layout has.

    >>> start("%%%%%\\n%P.G%\\n%%%%%", ["optimal"]).layers
    (MAX, MIN)
    """
    if isinstance(layout, str):
        layout = Layout.parse(layout) if "\n" in layout else Layout.load(layout)
    if ghosts is None:
        ghosts = ["random"] * len(layout.ghosts)
    if len(ghosts) > len(layout.ghosts):
        raise InputError(f"too many ghosts: {len(ghosts)}; layout '{layout.name}' has {len(layout.ghosts)}")
    poses = Poses.of(layout.maze)
    homes = tuple(poses.ghost_at(cell) for cell in layout.ghosts[: len(ghosts)])
    turn = round_of(ghosts, order).turns[0]
    return GameState(turn, poses.pacman(layout.pacman), homes, homes, layout.food, layout.capsules)
