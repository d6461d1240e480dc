"""What is asked of a submission, case by case. Positions go out one at a time, so none tells the move before it."""

from __future__ import annotations

from random import Random

from agents.ghosts import OptimalGhost
from autograder.cases.case import Case, MatchInput, TreeInput
from autograder.cases.reference import Reference, searched_roots
from autograder.cases.reference_recorder import ghost
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.sandbox import Sandbox, Session, SessionBroken, attempt
from autograder.sandbox.reply_reader import read_claim
from autograder.student_process.transport import BadFrame
from pacman.core.state import GameState
from pacman.play.game import Agent, Game, Result


def run(case: Case, reference: Reference | None, sandbox: Sandbox) -> Answer:
    """All that a submission answers to one case, from a process of its own."""
    if isinstance(case.input, MatchInput) and any(isinstance(ghost(name), OptimalGhost) for name in case.input.ghosts):
        OptimalGhost().prepare()  # it may have to compile, which is not to be on the submission's clock
    session = sandbox.session(case.seconds)
    claims: list[Claim] = []
    results: list[Result] = []
    actions: list[str] = []

    def talk() -> None:
        rounds, seed = (1, 0) if isinstance(case.input, TreeInput) else (case.input.rounds, case.input.seed)
        sandbox.ready(session, case.question.role, case.question.part, rounds, f"{seed}/0")
        if isinstance(case.input, MatchInput):
            results.extend(_match(session, case, case.input))
        elif reference is None:
            actions.append(_choose(session, case.start))
        else:
            _search(session, case, reference, claims)

    fault = attempt(session, talk)
    return Answer(
        tuple(claims), tuple(results), actions[0] if actions else None, fault, round(session.spent, 3), session.output
    )


def _search(session: Session, case: Case, reference: Reference, claims: list[Claim]) -> None:
    for root, plies in searched_roots(case, reference):
        what = "tree" if isinstance(case.input, TreeInput) else "position"
        reply = session.ask(ask="search", plies=plies, **{what: str(root)})
        try:
            claims.append(read_claim(reply))
        except BadFrame as error:
            raise SessionBroken(Fault("garbled", f"the answer could not be read: {error}")) from None


def _choose(session: Session, state: GameState) -> str:
    action = session.ask(ask="choose", position=str(state)).get("action")
    if type(action) is not str:
        raise SessionBroken(Fault("garbled", "the answer could not be read: an action of another type"))
    return action


class Remote:
    """Pacman, as a game sees him; his thoughts are in the student's process."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.broken: SessionBroken | None = None

    def begin(self, rng: Random) -> None:
        self.session.ask(ask="begin", seed=str(rng.random()))

    def choose(self, state: GameState) -> str:
        try:
            return _choose(self.session, state)
        except SessionBroken as broken:
            self.broken = broken  # the game would make a loss of it
            raise


def _match(session: Session, case: Case, said: MatchInput) -> list[Result]:
    """Every game of a match. Rules, ghosts and score are on this side; a fault in one game costs the match."""
    results = []
    for number in range(1, said.games + 1):
        pacman = Remote(session)
        names = ["pacman", *said.ghosts]
        agents: list[Agent] = [pacman, *(ghost(name) for name in said.ghosts)]
        game = Game(case.start, agents, names, 1000 * said.seed + number, said.max_plies)
        result = game.play()
        where = f"game {number}, ply {result.plies}"
        if pacman.broken:
            fault = pacman.broken.fault
            raise SessionBroken(fault if fault.kind == "not written" else Fault(fault.kind, f"{where}: {fault.text}"))
        if result.fault:
            raise SessionBroken(Fault("illegal", f"{where}: {result.fault.reason}"))
        results.append(result)
    return results
