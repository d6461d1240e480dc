"""Asks a submission the questions of one case.

Positions are sent one at a time, so that the process of a case never sees a later position of the game. In a case about
an evaluation the grader searches itself: the process only returns the values of the leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import nextafter
from random import Random
from typing import Any

from agents.ghosts import OptimalGhost
from autograder.cases.case import Case, MatchInput, PositionInput, Question, TreeInput
from autograder.cases.game_seeds import GameSeed, practice_seed
from autograder.cases.ghosts import check_players, players
from autograder.cases.truth import CaseTruth, searched_roots
from autograder.judge.diagnosis.choices import Reply
from autograder.judge.submission_answer import Answer, Claim, Fault, LosingMove, LostGame
from autograder.sandbox.reader import TraceLimits, read_claim, read_values
from autograder.sandbox.runner import Runner, Session, SessionBroken, attempt, ends_if_unreadable, unreadable
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame, shorten
from autograder.student_process.plain_values import LARGEST
from pacman.core.state import GameState
from pacman.core.tree import Line, Node
from pacman.play.game import Agent, Game, Result
from pacman.search import exhaustive

MOST_WAITING = 50.0
MOVE_SECONDS = 10.0
"""The processor time for one move of a match, or a tenth of that of the case if this is more."""
CUT_OFF = nextafter(LARGEST, 0)
"""What stands for a number that is larger than the one for infinity."""
VALUES_SECONDS = 2.0
"""The processor time for the values of a diagnosis. They need a fiftieth of it."""


def most_waiting(seconds: float) -> float:
    """The seconds that a case may take by the clock beyond its limit of processor time: at most `MOST_WAITING`."""
    return min(5 * seconds, MOST_WAITING)


OnGame = Callable[[Result, tuple[str, ...]], object]
"""Gets the result of each game of a match, with all its moves."""


def run(
    case: Case,
    truth: CaseTruth | None,
    sandbox: Runner,
    game_seed: GameSeed = practice_seed,
    on_game: OnGame = lambda result, moves: None,
) -> Answer:
    """The submission's answer to one case, from a new process. A fault of the submission is part of the answer.

    `game_seed` gives the seeds of the ghosts in a match. They never leave the grader's process. Every exception is a
    failure of the grader.
    """
    if isinstance(case.input, MatchInput) and any(isinstance(each, OptimalGhost) for each in players(case)):
        OptimalGhost().prepare(case.start)  # it may have to load numba, and that must not use up the submission's time
    session = sandbox.session(case.seconds, most_waiting(case.seconds))
    questions = _Questions(session, case, on_game)

    def ask() -> None:
        rounds = 1 if isinstance(case.input, TreeInput) else case.input.rounds
        arguments = case.input.arguments if isinstance(case.input, MatchInput) else {}
        sandbox.load_part(session, case.question.role, case.question.part, rounds, arguments)
        questions.ask(truth, game_seed)

    fault = attempt(session, ask)
    games = questions.lost_games
    return Answer(
        *(tuple(questions.claims), tuple(questions.results), questions.action, fault),
        *(round(session.elapsed, 3), session.output, None if fault else questions.losing_move),
        *(games.get("fault") or games.get("loss") or games.get("truncated"), round(session.processor_seconds, 3)),
        round(session.idle_seconds, 3),
    )


class _Questions:
    """The questions of one case to one session, and the answers until now: a fault of the submission ends them."""

    def __init__(self, session: Session, case: Case, on_game: OnGame) -> None:
        self.session, self.case, self.on_game = session, case, on_game
        self.claims: list[Claim] = []
        self.results: list[Result] = []
        self.action: str | None = None
        self.losing_move: LosingMove | None = None
        self.lost_games: dict[str, LostGame] = {}
        """The first game of each outcome."""

    def ask(self, truth: CaseTruth | None, game_seed: GameSeed) -> None:
        """Asks all questions. SessionBroken on a fault."""
        case_input, start = self.case.input, self.case.root
        if isinstance(case_input, MatchInput):
            self.results = self._play_match(case_input, game_seed)
        elif truth is not None:
            self._search(truth)
        elif isinstance(start, GameState):
            self.action = _choose(self.session, start, {"position": str(start)})
            if isinstance(case_input, PositionInput) and self.action not in (case_input.accept or ()):
                self.losing_move = LosingMove(0, start, self.action, ())
        if self.losing_move:
            self.losing_move = self._valued(self.losing_move)

    def _search(self, truth: CaseTruth) -> None:
        """Asks for a search of every root of the case."""
        case_input, searches = self.case.input, len(truth.moves)
        kind = "tree" if isinstance(case_input, TreeInput) else "position"
        evaluation = case_input.evaluation if isinstance(case_input, TreeInput) else "score"
        for (root, plies), right in zip(searched_roots(self.case, truth), truth.moves, strict=True):
            reply = self.session.ask("search", plies=plies, evaluation=evaluation, **{kind: str(root)})
            with ends_if_unreadable():
                self.claims.append(read_claim(reply, TraceLimits.of(root, plies, right, searches)))

    def _play_match(self, match: MatchInput, game_seed: GameSeed) -> list[Result]:
        """The results of all games of a match. The grader plays the ghosts and keeps the score.

        A fault in one game ends the match with SessionBroken. The losing move is Pacman's last one in the first lost
        game, without values.
        """
        is_evaluation = self.case.question.role == "evaluation"
        choose_action = partial(choose_by_evaluation, rounds=match.rounds) if is_evaluation else _choose
        seconds = min(self.case.seconds, max(self.case.seconds / 10, MOVE_SECONDS))
        results = []
        for number in range(1, match.games + 1):
            pacman = RemoteAgent(self.session, choose_action, seconds)
            names = ["pacman", *match.ghosts]
            agents: list[Agent] = [pacman, *players(self.case)]
            game = Game(self.case.start, agents, names, game_seed(self.case, number), match.max_plies)
            moves = tuple(ply.action for ply in game)
            result = game.result
            assert result is not None
            where = f"game {number}, ply {result.plies}"
            self.lost_games.setdefault(result.outcome, LostGame(number, moves))
            if isinstance(pacman.error, SessionBroken):
                fault = pacman.error.fault
                is_written = fault.kind != FaultKind.NOT_WRITTEN
                raise SessionBroken(replace(fault, text=f"{where}: {fault.text}") if is_written else fault)
            if pacman.error:
                raise pacman.error
            if result.fault and result.fault.agent:
                check_players(f"{self.case.id}, {where}", agents)
                raise RuntimeError(str(result.fault))  # a ghost of the grader
            if result.fault:
                raise SessionBroken(Fault(FaultKind.ILLEGAL_ACTION, f"{where}: {result.fault.reason}"))
            if result.outcome == "loss" and pacman.last_move:
                self.losing_move = self.losing_move or LosingMove(number, *pacman.last_move, values=())
            results.append(result)
            self.on_game(result, moves)
        return results

    def _valued(self, move: LosingMove) -> LosingMove | None:
        """The move with the values of all actions; None if the submission gives none. No failure here costs points."""
        state, case_input = move.position, self.case.input
        try:
            if self.case.question.role == "evaluation":
                assert isinstance(case_input, MatchInput)
                plies = case_input.rounds * len(state.layers)
                leaves = read_values(self.session.ask("evaluate", position=str(state), plies=plies))
                if any(abs(value) >= LARGEST for value in leaves):
                    return replace(move, values=())  # which of them are infinite is not known
                left = iter(leaves)
                after = map(state.successor, state.actions())
                values = [_searched(each, plies - 1, left).value for each in after]
            else:
                values = read_values(self.session.ask("action_values", position=str(state)))
            pairs = tuple(zip(state.actions(), map(float, values), strict=True))
        except (SessionBroken, BadFrame, OverflowError, ValueError):
            return None
        return replace(move, values=pairs)


def _choose(session: Session, state: GameState, message: dict[str, Any]) -> str:
    """The action that the submission chooses at a position; SessionBroken if it gives none.

    `message` says the position to the process.
    """
    action = session.ask("choose", **message).get("action")
    if type(action) is not str:
        raise SessionBroken(unreadable("the action is not a string"))
    return action


def ask_values(sandbox: Runner, question: Question, states: Sequence[GameState]) -> list[Reply]:
    """What an evaluation or a reflex agent says at each position, asked twice, in one process.

    After an exception it is asked for the next position; after another fault, nothing more is asked.
    """
    replies: list[Reply] = []
    session = sandbox.session(VALUES_SECONDS)

    def ask() -> None:
        sandbox.load_part(session, question.role, question.part, 1)
        for state in states:
            try:
                first, second = (_values_once(session, question, state) for _ in range(2))
            except SessionBroken as broken:
                if broken.fault.kind not in (FaultKind.RAISED, FaultKind.REFUSED):
                    raise
                replies.append(Reply(state, fault=broken.fault))
            else:
                # a Berkeley-style agent is made when it is first asked for an action, and has no values before
                changes = bool(first.values) and first.values != second.values
                actions = (*first.actions, *second.actions)
                replies.append(Reply(state, () if changes else second.values, actions, None, changes))

    fault = attempt(session, ask)
    return replies + [Reply(state, fault=fault) for state in states[len(replies) :]]


def _values_once(session: Session, question: Question, state: GameState) -> Reply:
    """The values of all actions and, of a reflex agent, the chosen action.

    No values unless all are numbers, and none is so large that it was cut off.
    """
    position, actions = str(state), tuple[str, ...]()
    if question.role == "evaluation":
        reply = session.ask("evaluate", position=position, plies=1)
    else:  # the values first: what they change is then seen when they are asked again
        reply = session.ask("action_values", position=position)
        actions = (_choose(session, state, {"position": position}),)
    values = reply.get("values")
    if (
        type(values) is not list
        or len(values) != len(state.actions())
        or any(type(each) not in (int, float) or abs(each) == CUT_OFF or abs(each) > LARGEST for each in values)
    ):
        return Reply(state)
    return Reply(state, tuple(map(float, values)), actions if set(actions) <= set(state.actions()) else ())


def choose_by_evaluation(session: Session, state: GameState, message: dict[str, Any], rounds: int) -> str:
    """The action that a search of `state`, `rounds` rounds deep, chooses with the submission's values of its leaves.

    SessionBroken if the submission does not return exactly one finite number for each leaf.
    """
    plies = rounds * len(state.layers)
    reply = session.ask("evaluate", plies=plies, **message)
    with ends_if_unreadable():
        return best_action(state, plies, read_values(reply))


def best_action(root: Node, plies: int, values: Sequence[float]) -> str:
    """The best action at a MAX node, from the values of the leaves from left to right. On a tie the first action wins.

    BadFrame unless there is one value for each leaf. The time is proportional to the number of values, even if there
    are too few.

    >>> from pacman.core.tree_text import Outline
    >>> tree = Outline.parse("max\\n  a: min\\n    x: 0\\n    y: 0\\n  b: 0")
    >>> best_action(tree, 2, [5, 3, 4])
    'b'
    """
    left_to_right = iter(values)
    action = _searched(root, plies, left_to_right).action
    if surplus := len(list(left_to_right)):
        expected = f"{len(values) - surplus:,} values, one for each leaf of the search"
        raise BadFrame(f"expected {expected}, got {len(values):,}")
    assert action is not None
    return action


def _searched(root: Node, plies: int, left_to_right: Iterator[float]) -> Line:
    """The result of a search that visits the leaves in the order of these values; BadFrame if some are missing."""
    used = 0

    def value(leaf: Node) -> float:
        nonlocal used
        for number in left_to_right:
            used += 1
            return number
        raise BadFrame(f"expected one value for each leaf of the search, got only {used:,}")

    return exhaustive(root, plies, value)


class RemoteAgent:
    """The agent that plays Pacman in a match. `choose_action` asks the student's process at each turn.

    The first position of a game is sent as text, each later one in a few numbers.
    """

    def __init__(
        self, session: Session, choose_action: Callable[[Session, GameState, dict[str, Any]], str], seconds: float
    ) -> None:
        self.session = session
        self.choose_action = choose_action
        self.seconds = seconds
        self.error: Exception | None = None
        self.last_move: tuple[GameState, str] | None = None

    def begin(self, rng: Random) -> None:
        """Tells the student's process that a game begins. It makes its own random numbers: it gets nothing of `rng`."""
        try:
            self.session.ask("begin")
        except Exception as error:  # the game catches it and counts a loss
            self.error = error
            raise

    def choose(self, state: GameState) -> str:
        """The action that the submission chooses. An exception is also kept in `error`."""
        place = {"later_position": shorten(state)} if self.last_move else {"position": str(state)}
        message = {**place, "seconds": self.seconds}
        try:
            action = self.choose_action(self.session, state, message)
            self.last_move = state, action
            return action
        except Exception as error:  # as above
            self.error = error
            raise
