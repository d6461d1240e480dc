"""Asks a submission the questions of one case.

Positions are sent one at a time, so that the process of a case never sees a later position of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from agents.ghosts import OptimalGhost
from autograder.cases.case import Case, MatchInput, PositionInput, TreeInput
from autograder.cases.game_seeds import GameSeed, practice_seed
from autograder.cases.reference import Reference, searched_roots
from autograder.cases.right_answer import ghost
from autograder.judge.submission_answer import Answer, Claim, Fault, LosingMove, LostGame
from autograder.sandbox import Sandbox, Session, SessionBroken, attempt
from autograder.sandbox.evaluation_search import action_values, choose_by_evaluation, read_values
from autograder.sandbox.process_session import ends_if_unreadable, unreadable
from autograder.sandbox.reply_reader import TraceLimits, read_claim
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.message_values import shorten
from autograder.student_process.transport import BadFrame
from pacman.core.state import GameState
from pacman.play.game import Agent, Game, Result

MOST_WAITING = 50.0


def most_waiting(seconds: float) -> float:
    """The seconds that a case may take by the clock beyond its limit of processor time: at most `MOST_WAITING`."""
    return min(5 * seconds, MOST_WAITING)


def run(case: Case, reference: Reference | None, sandbox: Sandbox, game_seed: GameSeed = practice_seed) -> Answer:
    """The submission's answer to one case, from a new process. A fault of the submission is part of the answer.

    `game_seed` gives the seeds of the ghosts in a match. They never leave the grader's process. Every exception is a
    failure of the grader.
    """
    if isinstance(case.input, MatchInput) and any(isinstance(ghost(name), OptimalGhost) for name in case.input.ghosts):
        OptimalGhost().prepare(case.start)  # it may have to load numba, and that must not use up the submission's time
    session = sandbox.session(case.seconds)
    session.waiting = most_waiting(case.seconds)
    claims: list[Claim] = []
    results: list[Result] = []
    actions: list[str] = []
    losing_moves: list[LosingMove] = []
    lost_games: dict[str, LostGame] = {}

    def ask_questions() -> None:
        rounds = 1 if isinstance(case.input, TreeInput) else case.input.rounds
        sandbox.load_part(session, case.question.role, case.question.part, rounds)
        if isinstance(case.input, MatchInput):
            results.extend(_play_match(session, case, case.input, game_seed, losing_moves, lost_games))
        elif reference is None:
            actions.append(_choose(session, case.start, {"position": str(case.start)}))
            if isinstance(case.input, PositionInput) and actions[0] not in (case.input.accept or ()):
                losing_moves.append(LosingMove(0, case.start, actions[0], ()))
        else:
            _search(session, case, reference, claims)
        losing_moves[:] = [with_values for move in losing_moves[:1] if (with_values := _valued(session, case, move))]

    fault = attempt(session, ask_questions)
    action = actions[0] if actions else None
    losing_move = losing_moves[0] if losing_moves and not fault else None
    seconds = round(session.elapsed, 3)
    lost_game = lost_games.get("fault") or lost_games.get("loss") or lost_games.get("truncated")
    used = round(session.processor_seconds, 3)
    return Answer(tuple(claims), tuple(results), action, fault, seconds, session.output, losing_move, lost_game, used)


def _search(session: Session, case: Case, reference: Reference, claims: list[Claim]) -> None:
    """Asks for a search of every root of the case, and adds the claims to `claims`."""
    searches = len(reference.moves)
    kind = "tree" if isinstance(case.input, TreeInput) else "position"
    evaluation = case.input.evaluation if isinstance(case.input, TreeInput) else "score"
    for (root, plies), right in zip(searched_roots(case, reference), reference.moves, strict=True):
        reply = session.ask("search", plies=plies, evaluation=evaluation, **{kind: str(root)})
        with ends_if_unreadable():
            claims.append(read_claim(reply, TraceLimits.of(root, plies, right, searches)))


def _choose(session: Session, state: GameState, message: dict[str, Any]) -> str:
    """The action that the submission chooses at a position; SessionBroken if it gives none.

    `message` says the position to the process.
    """
    action = session.ask("choose", **message).get("action")
    if type(action) is not str:
        raise SessionBroken(unreadable("the action is not a string"))
    return action


class RemoteAgent:
    """The agent that plays Pacman in a match. `choose_action` asks the student's process at each turn.

    The first position of a game is sent as text, each later one in a few numbers.
    """

    def __init__(self, session: Session, choose_action: Callable[[Session, GameState, dict[str, Any]], str]) -> None:
        self.session = session
        self.choose_action = choose_action
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
        message = {"later_position": shorten(state)} if self.last_move else {"position": str(state)}
        try:
            action = self.choose_action(self.session, state, message)
            self.last_move = state, action
            return action
        except Exception as error:  # as above
            self.error = error
            raise


def _play_match(
    session: Session,
    case: Case,
    match: MatchInput,
    game_seed: GameSeed,
    losing_moves: list[LosingMove],
    lost_games: dict[str, LostGame],
) -> list[Result]:
    """The results of all games of a match. The grader plays the ghosts and keeps the score.

    Adds Pacman's last move in each lost game to `losing_moves`, without values, and to `lost_games` the first game of
    each outcome.

    A fault in one game ends the match with SessionBroken.
    """
    is_evaluation = case.question.role == "evaluation"
    choose_action = partial(choose_by_evaluation, rounds=match.rounds) if is_evaluation else _choose
    results = []
    for number in range(1, match.games + 1):
        pacman = RemoteAgent(session, choose_action)
        names = ["pacman", *match.ghosts]
        agents: list[Agent] = [pacman, *(ghost(name) for name in match.ghosts)]
        game = Game(case.start, agents, names, game_seed(case, number), match.max_plies)
        moves = tuple(ply.action for ply in game)
        result = game.result
        assert result is not None
        where = f"game {number}, ply {result.plies}"
        lost_games.setdefault(result.outcome, LostGame(number, moves))
        if isinstance(pacman.error, SessionBroken):
            fault = pacman.error.fault
            is_written = fault.kind != FaultKind.NOT_WRITTEN
            raise SessionBroken(replace(fault, text=f"{where}: {fault.text}") if is_written else fault)
        if pacman.error:
            raise pacman.error
        if result.fault and result.fault.agent:
            raise RuntimeError(str(result.fault))  # a ghost of the grader
        if result.fault:
            raise SessionBroken(Fault(FaultKind.ILLEGAL_ACTION, f"{where}: {result.fault.reason}"))
        if result.outcome == "loss" and pacman.last_move:
            losing_moves.append(LosingMove(number, *pacman.last_move, values=()))
        results.append(result)
    return results


def _valued(session: Session, case: Case, move: LosingMove) -> LosingMove | None:
    """The move with the values of all actions; None if the submission gives none. No failure here costs points."""
    state = move.position
    try:
        if case.question.role == "evaluation":
            assert isinstance(case.input, MatchInput)
            plies = case.input.rounds * len(state.layers)
            reply = session.ask("evaluate", position=str(state), plies=plies)
            values = action_values(state, plies, read_values(reply))
        else:
            values = read_values(session.ask("action_values", position=str(state)))
        pairs = tuple(zip(state.actions(), map(float, values), strict=True))
    except (SessionBroken, BadFrame, OverflowError, ValueError):
        return None
    return replace(move, values=pairs)
