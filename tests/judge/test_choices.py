"""Tests of the diagnosis of reflex agents and evaluations: wrong ones, as students write them, and what is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Case
from autograder.course.marks.board import sentence_of
from autograder.grading.grade import grade
from autograder.judge.diagnosis.choices import IDLE_HINT, MISTAKES, Reply, find_mistake
from autograder.judge.scorecard import Diagnosis, Scorecard
from autograder.judge.submission_answer import Answer, Fault, LosingMove, LostGame
from autograder.report.drawing import drawing_lines
from autograder.sandbox.in_process import InProcess
from autograder.sandbox.run_case import ask_values
from autograder.student_process.fault_kind import FaultKind
from pacman.core.state import GameState, start
from tests.every_report import terminal_text
from tests.graded import graded

CASES = {(api, case.id): case for api, name in (("native", "multiagent"), ("cs188", "classic"))
         for case in loading.load(name).cases}  # fmt: skip
REFLEX = ("native", "q1/04-nook")
VALUE = ("native", "q6/01-nook")
CLASSIC_REFLEX = ("cs188", "q1/02-pillars")
CLASSIC_VALUE = ("cs188", "q5/01-nook")
HEADS = {
    REFLEX: """
from agents.base import ReflexBase
class ReflexAgent(ReflexBase):
    def evaluate_action(self, state, action):
        after = state.successor(action)
        x, y = after.pacman.position
        foods = [abs(x - fx) + abs(y - fy) for fx, fy in after.food]
        ghosts = [abs(x - ghost.position[0]) + abs(y - ghost.position[1]) for ghost in after.ghosts]
""",
    VALUE: """
def better_evaluation(state):
        x, y = state.pacman.position
        foods = [abs(x - fx) + abs(y - fy) for fx, fy in state.food]
        ghosts = [abs(x - ghost.position[0]) + abs(y - ghost.position[1]) for ghost in state.ghosts]
""",
    CLASSIC_REFLEX: """
import util
from game import Agent
class ReflexAgent(Agent):
    def getAction(self, state):
        scores = [self.evaluationFunction(state, action) for action in state.getLegalActions()]
        return state.getLegalActions()[scores.index(max(scores))]
    def evaluationFunction(self, state, action):
        after = state.generatePacmanSuccessor(action)
        pos = after.getPacmanPosition()
        foods = [util.manhattanDistance(pos, food) for food in after.getFood().asList()]
        ghosts = [util.manhattanDistance(pos, ghost) for ghost in after.getGhostPositions()]
""",
    CLASSIC_VALUE: """
import util
def betterEvaluationFunction(state):
        pos = state.getPacmanPosition()
        foods = [util.manhattanDistance(pos, food) for food in state.getFood().asList()]
        ghosts = [util.manhattanDistance(pos, ghost) for ghost in state.getGhostPositions()]
""",
}
NEAR_ONLY = "        return state.score + 1 // min(foods or [1]) - 80 * (min(ghosts) < 2)"
FIRST_FOOD = "        return state.getScore() - (foods or [0])[0] - 80 * (min(ghosts) < 2) + 99 * state.isWin()"
INVERTED = (
    "        return state.score + sum(60 / (1 + d) * (1 - 2 * (g.timer > 0)) for d, g in zip(ghosts, state.ghosts))"
)
FIRST_GHOST = "        return after.score - min(foods, default=0) - 500 * (ghosts[:1] <= [1])"
WRONG = [
    (REFLEX, "        return state.score - min(abs(state.pacman.position[0] - x) for x, _ in state.food)",
     "looks-before-the-move", "all actions have the value -4; with it 2 steps away, -2"),
    (REFLEX, "        return after.score + 2 * min(foods, default=0)", "farther-food", "the only food, has 5; "),
    (REFLEX, FIRST_GHOST, "first-ghost-only", "with ghost 2 there, West has -5 and East has -5"),
    (REFLEX, "        return after.score - min(foods, default=0)\n"
             "    def choose(self, state):\n"
             "        return min(state.actions(), key=lambda action: self.evaluate_action(state, action))",
     "worst-action", "here West has -4, and it chooses East, which has -6"),
    (REFLEX, "        return after.score - sum(foods) / len(foods)", "fails-when-won", "division by zero (line 9: "),
    (VALUE, "        return state.score", "value-is-score", "at each of the 32 positions that were asked"),
    (VALUE, "        return state.score + 20 * len(foods) - min(foods, default=0)", "eating-not-better", "has 25"),
    (VALUE, "        return state.score - sum(10 / each for each in ghosts)", "fails-when-lost", "(line 6: "),
    (REFLEX, "        return 1 / (min(abs(state.pacman.position[0] - g.position[0]) + abs(state.pacman.position[1] - "
             "g.position[1]) for g in state.ghosts) - 1)", "fails-near-a-ghost", "division by zero"),
    (CLASSIC_REFLEX, "        return 10.0 / min(foods) if foods and min(ghosts) > 1 else 1e999 * (0.5 - len(foods))",
     "eating-not-better", "West, which eats food, has 2.5; East"),
    (CLASSIC_REFLEX, "        return after.getScore() - min(foods or [0]) + 20.0 / (min(ghosts) + 1)",
     "nearer-ghost", "3 steps from the ghost, has"),
    (CLASSIC_REFLEX, "        return -1e999 if min(ghosts) < 3 else after.getScore() - min(foods or [0])",
     "alike-near-a-ghost", "with a ghost 1 step away, each has -inf"),
    (CLASSIC_REFLEX, "        return after.getScore() - min(foods or [0]) + 5 * (min(ghosts) == 1)", "next-to-a-ghost",
     "3 steps from the ghost, has"),
    (CLASSIC_VALUE, "        return state.getScore() + 2 * min(foods or [0])", "farther-food", "from it, has 9"),
    (REFLEX, "        return after.score - min(foods, default=0) + 5 * (action == 'Stop')", "stop-preferred",
     "West, 1 step nearer to the only food, has -2; Stop has 2"),
    (VALUE, INVERTED, "timer-inverted", "1 and 3 steps from a dangerous one, 29 and 14; from a scared"),
    (VALUE, NEAR_ONLY, "food-only-near", "West, 2 steps from the only food, has -1; East, 4 steps from it, has -1"),
    (VALUE, "        return state.score - min(foods) if foods else 0", "win-not-better", "at score 300, has 0; "),
    (CLASSIC_REFLEX, "        return after.getScore() - max(foods or [0]) - 80 * (min(ghosts) < 2)", "farther-of-two",
     "2 steps away, has -6; East"),
    (VALUE, "        return state.score - min((abs(x - fy) + abs(y - fx) for fx, fy in state.food), default=0)",
     "food-by-side", "the west, West has -4 and East has -6; with it in the east, West has -8 and East has -10"),
    (CLASSIC_VALUE, "        if state.isLose():\n            return float('inf')\n"
     "        return state.getScore() - min(foods or [0])", "death-not-worse", "onto its square, has inf"),
    (VALUE, "        return state.score - sum(foods)", "all-distances", "right, West has -7 and East has -7; with "),
    (CLASSIC_VALUE, FIRST_FOOD, "not-the-nearest", "East has -4; exchanged, West has -4 and East has -6"),
    (CLASSIC_VALUE, "        if foods:\n            return state.getScore() - min(foods)", "fails-when-won", "None"),
]  # fmt: skip
"""An agent or evaluation with a mistake, the name of the mistake, and a part of its proof."""


def diagnosed(folder: Path, key: tuple[str, str], body: str, is_full: bool = False) -> Diagnosis | None:
    """What is said of the code, if it lost all points of the case, or none; its games are not played."""
    api, case = key[0], CASES[key]
    file = folder / "mine.py"
    file.write_text(HEADS[key] + body, encoding="utf-8")
    ask = partial(ask_values, InProcess.of_file(file, api), case.question)
    fails = "len(foods)\n" in f"{body}\n" or "10 / each" in body or "if foods:" in body or "- 1)" in body
    answer = Answer(fault=Fault(FaultKind.RAISED, "it failed") if fails else None)
    return find_mistake(case.question, [] if is_full else [(case, answer)], ask)


def test_each_mistake_is_named_with_its_proof(tmp_path: Path) -> None:
    for key, body, name, proof in WRONG:
        found = diagnosed(tmp_path, key, body)
        assert found, body
        assert (found.mistakes[0], proof in found.sentences[0]) == (name, True), found.sentences
        assert found.sentences[0].startswith(MISTAKES[name][0])
        assert sentence_of(name) == (f"{MISTAKES[name][0]}.", found.hint)
        assert found.smallest
        drawn = GameState.parse(found.smallest.start)
        assert drawing_lines(found.smallest)[: drawn.board.count("\n") + 1] == drawn.board.splitlines()


def test_code_with_full_points_hears_only_what_is_certain(tmp_path: Path) -> None:
    names = [
        (diagnosed(tmp_path, key, body, is_full=True) or Diagnosis((), "", ("",))).mistakes[0]
        for key, body, *_ in WRONG
    ]
    assert [name for name in names if name] == [
        *("farther-food", "first-ghost-only", "nearer-ghost", "farther-food", "timer-inverted", "not-the-nearest")
    ]


def test_values_that_change_and_faults_of_every_position_prove_nothing(tmp_path: Path) -> None:
    for body in (
        "return __import__('random').random()",
        "self.seen = [*getattr(self, 'seen', []), 1]; return len(self.seen)",
        "self.seen = {*getattr(self, 'seen', ()), x}; return len(self.seen)",
    ):
        found = diagnosed(tmp_path, REFLEX, f"        {body}")
        assert found
        assert found.sentences[0].startswith("The code gives the same position different values: at ")
    for body in (
        "        return after.score - min(foods, default=0) - 300 * (min(ghosts) < 2)",
        "        return after.score * 1e13 - (1e999 if min(ghosts) < 2 else 0)",
        "        return 0.01 * x + after.score - sum(foods) / 10 - 5 * len(foods) - 300 * (min(ghosts) < 2)",
    ):
        assert diagnosed(tmp_path, REFLEX, body) is None
    assert diagnosed(tmp_path, CLASSIC_VALUE, "        return 1e15 + state.getScore()") is None  # not "the same value"
    assert diagnosed(tmp_path, VALUE, "        return state.lives if len(foods) > 99 else unknown(10 / each)") is None


def test_a_mistake_is_not_named_where_another_one_fits(tmp_path: Path) -> None:
    never_stops = """        return (action == 'Stop') - min(foods, default=0) - 9 * len(foods) - 99 * (min(ghosts) < 2)
    def choose(self, state):
        actions = [each for each in state.actions() if each != 'Stop']
        return max(actions, key=lambda each: self.evaluate_action(state, each))"""
    for key, body, name in (
        (VALUE, "        return state.score - 20 * len(state.capsules)", "value-is-score"),
        (VALUE, "        return state.score + state.ghosts[0].timer", "value-is-score"),
        (VALUE, "        return -state.ghosts[0].position[0]", "looks-before-the-move"),
        (
            REFLEX,
            "        return -sum(fx - after.ghosts[0].position[0] for fx, _ in state.food)",
            "looks-before-the-move",
        ),
        (REFLEX, "        return after.score + ghosts[0] - sum(ghosts[1:])", "first-ghost-only"),
        (REFLEX, "        return 1e9 + after.score / 1e3 + min(foods, default=0)", "farther-food"),
        (REFLEX, "        return 1e9 + min(ghosts)", "ghost-not-seen"),
        (REFLEX, never_stops, "not-the-best-action"),
    ):
        found = diagnosed(tmp_path, key, body)
        assert name not in (found.mistakes if found else ()), body


def replies(states: Sequence[GameState]) -> list[Reply]:
    """No values at all."""
    return [Reply(state) for state in states]


def game(case: Case, moves: str, move: LosingMove | None = None) -> tuple[str, ...]:
    """What is said of a game with these moves, if nothing is known of the values."""
    answer = Answer(lost_game=LostGame(1, tuple(moves.split())), losing_move=move)
    found = find_mistake(case.question, [(case, answer)], replies)
    assert not found or (found.hint == IDLE_HINT) == bool(found.smallest) == found.sentences[0].endswith(" moves.")
    return found.sentences if found else ()


def test_the_end_of_a_game_says_how_pacman_died_or_what_he_did() -> None:
    case = CASES[REFLEX]  # Pacman at (1, 3), the ghost at (3, 1), a capsule at (3, 3)
    alone = replace(case, root=start("%%%%%\n%P.o%\n%.%.%\n%...%\n%%%%%"))
    text = str(start("%%%%%%%\n%.PG .%\n%%%%%%%"))
    corner = replace(case, root=start("%%%%%%%%\n%.P G .%\n%%%%%%%%"))
    scared = GameState.parse(text.replace(":0:random@3", ":5:random@4"))
    values = (("Stop", 2.0), ("North", -1e12), ("South", 7.5))
    move = LosingMove(1, case.start.successor("South").successor("West"), "South", values)
    death, end, steps = "South West South West", "ends 1 step from a ghost; after", "steps away."
    for each, moves, valued, sentence in (
        (alone, "South North " * 12, None, "stays on the two squares (1, 2) and (1, 3) in his last 24 moves."),
        (alone, "East " + "Stop " * 23, None, "stays at (2, 3) in his last 23 moves."),
        (alone, "East West South South North North " * 4, None, "eats no food in his last 20 moves."),
        (alone, "South North " * 9, None, ""),
        (
            replace(case, root=start("%%%%%%\n%. . %\n%P . %\n%    %\n%%%%%%")),
            "East West South North " * 6 + "North",
            None,
            "leaves 2 foods, and eats none in 24 of his 25 moves.",
        ),
        (
            replace(case, root=scared),
            "East West",
            None,
            "dies: his last move, East, eats a scared ghost, which starts again at its home, and ends 1 step from a "
            "ghost; after West no ghost could catch him.",
        ),
        (
            corner,
            "West West Stop West Stop West",
            None,
            "dies after his last move, Stop; at his move 1 of 3 he chose West, and no ghost could catch him at once "
            "after Stop.",
        ),
        (
            replace(case, root=start("%%%%%\n%GP.%\n%%%%%")),
            "West",
            None,
            "dies: his last move is West; East wins the game.",
        ),
        (replace(case, root=start("%%%%%%\n%PG .%\n%%%%%%")), "East", None, "dies after his last move, East."),
        (
            replace(case, root=corner.start.successor("West").successor("West").successor("Stop").successor("West")),
            "Stop West",
            None,
            "dies after his last move, Stop.",
        ),
        (case, death, None, f"dies: his last move, South, {end} North he would be 3 {steps}"),
        (
            case,
            death,
            move,
            f"dies: his last move, South (value 7.5), {end} North (value -inf) he would be 3 steps away.",
        ),
    ):
        expected = (f"In game 1 of q1/04-nook, Pacman {sentence}",) if sentence else ()
        assert game(each, moves, valued) == expected


def test_a_wrong_action_at_one_position_says_what_it_leads_to() -> None:
    case = CASES["native", "q1/02-death-next-to-you"]
    move = LosingMove(0, case.start, "West", (("West", 3.0), ("Stop", 1.0), ("East", 2.0)))
    found = find_mistake(case.question, [(case, Answer(action="West", losing_move=move))], replies)
    assert found
    assert found.sentences == (
        "In q1/02-death-next-to-you, Pacman chooses West (value 3), which eats nothing and ends 1 step from a ghost, "
        "and not East (value 2), which eats nothing and ends 3 steps from a ghost.",
    )


def test_a_report_shows_the_position_and_its_values_and_a_note_costs_nothing(tmp_path: Path) -> None:
    """One grading of one case with whole games, and one of a right action."""
    wrong = graded_question(tmp_path, HEADS[REFLEX] + WRONG[1][1], "q1/04-nook")
    text = terminal_text(wrong)
    for line in (
        "A larger distance to food raises the value: West, 1 step nearer",
        "With which sign does the distance to food enter the value?",
        "A position that shows it:",
        "your values there: West 5, Stop 7, East 9, North 9, South 9",
    ):
        assert line in text
    right = graded_question(tmp_path, HEADS[REFLEX] + FIRST_GHOST, "q1/01-food-next-to-you")
    assert (right.is_full, right.questions[0].diagnosis) == (True, None)
    assert (
        "in another position (costs no points): Near a ghost, only the first one counts"
        in right.questions[0].cases[0].notes[0]
    )


def test_nothing_is_said_of_a_file_that_loses_points_in_hidden_games_alone(tmp_path: Path) -> None:
    whole = loading.load("multiagent").only("q1", None)
    cases = [each for each in whole.cases if each.id in ("q1/01-food-next-to-you", "q1/04-nook")]
    cases[1] = replace(cases[1], input=replace(cases[1].input, hidden=True))
    (tmp_path / "mine.py").write_text(HEADS[REFLEX] + "        return 20 * min(foods, default=0)", encoding="utf-8")
    (question,) = grade(tmp_path / "mine.py", replace(whole, cases=tuple(cases)), 1).questions
    assert ([each.earned < 1 for each in question.cases], question.diagnosis) == ([False, True], None)


def graded_question(folder: Path, text: str, case: str) -> Scorecard:
    """The scorecard of one case."""
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return graded(folder / "mine.py", None, case)
