"""Asks a submission the questions of one case.

Positions are sent one at a time, so that the process of a case never sees a later position of the game.
"""

from __future__ import annotations

from random import Random

from agents.ghosts import OptimalGhost
from autograder.cases.case import Case, MatchInput, TreeInput
from autograder.cases.reference import Reference, searched_roots
from autograder.cases.reference_recorder import ghost
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.sandbox import Sandbox, Session, SessionBroken, attempt
from autograder.sandbox.reply_reader import UNREADABLE, TraceLimits, read_claim
from autograder.student_process.transport import BadFrame
from pacman.core.state import GameState
from pacman.play.game import Agent, Game, Result


def run(case: Case, reference: Reference | None, sandbox: Sandbox) -> Answer:
    """The submission's answer to one case, from a new process. A fault of the submission is part of the answer."""
    if isinstance(case.input, MatchInput) and any(isinstance(ghost(name), OptimalGhost) for name in case.input.ghosts):
        OptimalGhost().prepare()  # it may have to compile, and that must not use up the submission's time
    session = sandbox.session(case.seconds)
    claims: list[Claim] = []
    results: list[Result] = []
    actions: list[str] = []

    def ask_questions() -> None:
        rounds, seed = (1, 0) if isinstance(case.input, TreeInput) else (case.input.rounds, case.input.seed)
        sandbox.load_part(session, case.question.role, case.question.part, rounds, f"{seed}/0")
        if isinstance(case.input, MatchInput):
            results.extend(_play_match(session, case, case.input))
        elif reference is None:
            actions.append(_choose(session, case.start))
        else:
            _search(session, case, reference, claims)

    fault = attempt(session, ask_questions)
    action = actions[0] if actions else None
    return Answer(tuple(claims), tuple(results), action, fault, round(session.elapsed, 3), session.output)


def _search(session: Session, case: Case, reference: Reference, claims: list[Claim]) -> None:
    """Asks for a search of every root of the case, and adds the claims to `claims`."""
    searches = len(reference.moves)
    kind = "tree" if isinstance(case.input, TreeInput) else "position"
    evaluation = case.input.evaluation if isinstance(case.input, TreeInput) else "score"
    for (root, plies), right in zip(searched_roots(case, reference), reference.moves, strict=True):
        reply = session.ask("search", plies=plies, evaluation=evaluation, **{kind: str(root)})
        try:
            claims.append(read_claim(reply, TraceLimits.of(root, plies, right, searches)))
        except BadFrame as error:
            raise SessionBroken(Fault("garbled", f"{UNREADABLE}: {error}")) from None


def _choose(session: Session, state: GameState) -> str:
    """The action that the submission chooses at a position; SessionBroken if it gives none."""
    action = session.ask("choose", position=str(state)).get("action")
    if type(action) is not str:
        raise SessionBroken(Fault("garbled", f"{UNREADABLE}: the action is not a string"))
    return action


class RemoteAgent:
    """The agent that plays Pacman in a match. It asks the student's process for each action."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.error: SessionBroken | None = None

    def begin(self, rng: Random) -> None:
        """Tells the student's process that a game begins, with a seed drawn from `rng`."""
        self.session.ask("begin", seed=str(rng.random()))

    def choose(self, state: GameState) -> str:
        """The action that the submission chooses; SessionBroken, which is also kept in `error`, if it gives none."""
        try:
            return _choose(self.session, state)
        except SessionBroken as error:
            self.error = error  # the game catches it and counts a loss
            raise


def _play_match(session: Session, case: Case, match: MatchInput) -> list[Result]:
    """The results of all games of a match. The grader plays the ghosts and keeps the score.

    A fault in one game ends the match with SessionBroken.
    """
    results = []
    for number in range(1, match.games + 1):
        pacman = RemoteAgent(session)
        names = ["pacman", *match.ghosts]
        agents: list[Agent] = [pacman, *(ghost(name) for name in match.ghosts)]
        game = Game(case.start, agents, names, 1000 * match.seed + number, match.max_plies)
        result = game.play()
        where = f"game {number}, ply {result.plies}"
        if pacman.error:
            fault = pacman.error.fault
            raise SessionBroken(fault if fault.kind == "not written" else Fault(fault.kind, f"{where}: {fault.text}"))
        if result.fault:
            raise SessionBroken(Fault("illegal", f"{where}: {result.fault.reason}"))
        results.append(result)
    return results
