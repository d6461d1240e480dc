"""Known mistakes in the Berkeley style: small changes to right files, so that each makes one mistake."""

from __future__ import annotations

from dataclasses import dataclass

from tests.paths import ROOT

RIGHT = ROOT / "tests" / "submissions" / "classic"
SOLUTIONS = ROOT / "autograder" / "assignments" / "classic" / "solutions.py"


@dataclass(frozen=True)
class Slip:
    """A mistake in one class of a right file. `name` is a short name of it.

    `changes` are pairs of an old and a new text; each is replaced everywhere in that class.
    """

    name: str
    part: str
    file: str
    changes: tuple[tuple[str, str], ...]

    @property
    def source(self) -> str:
        """The whole file with the mistake in it."""
        text = (SOLUTIONS if self.file == "solutions.py" else RIGHT / self.file).read_text(encoding="utf-8")
        begin = text.index(f"class {self.part}(")
        end = text.find("\n\n\n", begin)
        body = text[begin:end]
        for old, new in self.changes:
            assert old in body, (self.name, old)
            body = body.replace(old, new)
        return text[:begin] + body + text[end:]


INDEX, CLOSURES, ONE, PLIES = "solutions.py", "closures.py", "one_value.py", "plies.py"
PAIR = "(a, state.generateSuccessor(agent, a)) for a in state.getLegalActions(agent)"
INF = 'float("inf")'

SLIPS = (
    # The horizon.
    Slip("ply-deep", "MinimaxAgent", PLIES, (("left == 0", "left == -1"),)),
    Slip("round-short", "MinimaxAgent", ONE, (("self.over(gameState, depth)", "self.over(gameState, depth + 1)"),)),
    Slip("round-deep", "MinimaxAgent", ONE, (("self.over(gameState, depth)", "self.over(gameState, depth - 1)"),)),
    Slip("round-deep", "ExpectimaxAgent", INDEX, (("depth == self.depth", "depth > self.depth"),)),
    # Who decides.
    Slip("ghosts-as-rounds", "MinimaxAgent", CLOSURES,
         (("highest(state, depth - 1)", "highest(state, depth)"), ("depth, ghost + 1", "depth - 1, ghost + 1"))),
    Slip("rounds-as-plies", "MinimaxAgent", CLOSURES,
         (("depth, 1) for a", "depth - 1, 1) for a"), ("self.depth, 1)", "self.depth - 1, 1)"),
          ("highest(state, depth - 1)", "highest(state, depth)"), ("depth, ghost + 1", "depth - 1, ghost + 1"))),
    Slip("first-ghost-only", "MinimaxAgent", INDEX,
         (("in state.getLegalActions(agentIndex)", "in state.getLegalActions(agentIndex)[: 1 + 9 // agentIndex**9]"),)),
    Slip("last-ghost-left-out", "MinimaxAgent", CLOSURES,
         (("range(1, gameState.getNumAgents())", "range(1, gameState.getNumAgents() - 1)"),)),
    Slip("last-round-short", "MinimaxAgent", CLOSURES,
         (("def lowest(state, depth, ghost):\n            if over(state, depth)",
           "def lowest(state, depth, ghost):\n            if over(state, depth) or depth == 1 < ghost"),)),
    Slip("children-left-out", "MinimaxAgent", CLOSURES,
         (("max(gameState.getLegalActions(0),", "max(gameState.getLegalActions(0)[:1],"),)),
    Slip("min-as-max", "MinimaxAgent", ONE, (("(max if agent == 0 else min)", "max"),)),
    Slip("min-as-chance", "MinimaxAgent", PLIES, (("min(values) if agent", "sum(values) / len(values) if agent"),)),
    Slip("chance-as-min", "ExpectimaxAgent", CLOSURES, (("sum(values) / float(len(values))", "min(values)"),)),
    Slip("chance-as-max", "ExpectimaxAgent", ONE,
         (("return sum(value for value, _ in found) / len(found), None", "return max(found)"),)),
    # The mean.
    Slip("sum-for-mean", "ExpectimaxAgent", INDEX, (("total / len(actions)", "total"),)),
    Slip("integer-division", "ExpectimaxAgent", PLIES, (("sum(values) / len(values)", "sum(values) // len(values)"),)),
    Slip("mean-divided-again", "ExpectimaxAgent", CLOSURES,
         (("sum(values) / float(len(values))", "sum(values) / float(len(values)) / len(values)"),)),
    Slip("divided-by-others", "ExpectimaxAgent", CLOSURES,
         (("sum(values) / float(len(values))", "sum(values) / len(gameState.getLegalActions(agent))"),)),
    # Ends and starts.
    Slip("finite-infinity", "MinimaxAgent", INDEX, (('float("inf")', "99999"), ('float("-inf")', "-99999"))),
    Slip("root-starts-too-high", "MinimaxAgent", INDEX,
         (('bestAction = float("-inf"), None', "bestAction = 0, None"),)),
    # Windows.
    Slip("equal-cut", "AlphaBetaAgent", INDEX, (("best > beta", "best >= beta"), ("best < alpha", "best <= alpha"))),
    Slip("no-cut", "AlphaBetaAgent", INDEX, (("best > beta", "False"), ("best < alpha", "False"))),
    Slip("no-cut-at-min", "AlphaBetaAgent", INDEX,
         ((", depth, alpha, beta)\n        ", f", depth, -{INF}, beta)\n        "),)),
    Slip("no-cut-at-max", "AlphaBetaAgent", INDEX,
         ((", depth, alpha, beta)\n        ", f", depth, alpha, {INF})\n        "),)),
    Slip("alpha-never-raised", "AlphaBetaAgent", INDEX,
         (("alpha = max(alpha, best)", "alpha = alpha if depth else max(alpha, best)"),)),
    Slip("finite-infinity", "AlphaBetaAgent", CLOSURES, (("inf", "9999"),)),
    # Making successors.
    Slip("made-before-cut", "AlphaBetaAgent", CLOSURES,
         (("for action in state.getLegalActions(agent)", f"for action, after in [{PAIR}]"),
          ("search(state.generateSuccessor(agent, action)", "search(after"))),
)  # fmt: skip

NO_STOP = Slip("stop-dropped", "MinimaxAgent", CLOSURES,
               (("for a in state.getLegalActions(0)", "for a in state.getLegalActions(0) if a != 'Stop'"),
                ("max(gameState.getLegalActions(0),", "max((a for a in gameState.getLegalActions(0) if a != 'Stop'),")),
)  # fmt: skip
"""Not a mistake in that project: its solutions contain both answers."""
MADE_TWICE = Slip("made-twice", "MinimaxAgent", PLIES,
                  (("self.worth(state.generateSuccessor(agent, action), left - 1)",
                    "self.worth([state.generateSuccessor(agent, action) for _ in range(2)][1], left - 1)"),
                   ("self.worth(gameState.generateSuccessor(0, action), ",
                    "self.worth([gameState.generateSuccessor(0, action) for _ in range(2)][1], ")),
)  # fmt: skip
"""Passes in that project, which counts each state once; here it gets a note."""
