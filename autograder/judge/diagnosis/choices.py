"""Finds out what is wrong with a reflex agent or an evaluation: it compares values that the code gives at positions.

Most of them are positions of `PROBES`: an open room in which two moves differ in one thing, and its mirror image. What
is said is true of these numbers, and only said if both images show it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from autograder.cases.case import Case, MatchInput, PositionInput, Question
from autograder.cases.truth import is_close
from autograder.judge.explain import own_value_text
from autograder.judge.scorecard import Diagnosis, Diagram
from autograder.judge.submission_answer import Answer, Fault, LosingMove
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import counted
from pacman.core.state import GameState, start

Square = tuple[int, int]
OPPOSITE = {"West": "East", "East": "West"}
WIDTH, HEIGHT = 5, 3
"""How far the room of a probe reaches from its middle."""
MOST_POSITIONS = 12
"""The most positions of the first game that was not won at which values are asked: some from its start to its end."""
STOP, FAR = "Stop", 10_000
"""The steps to a ghost that cannot catch Pacman."""
LONG = 20
"""So many moves on two squares are no accident."""
FEW = 2
"""The most mistakes that are said: the others may be effects of the first ones."""


class Reply(NamedTuple):
    """A position, the values of `state.actions()` there, the actions that a reflex agent chooses, or a fault.

    The agent is asked twice. There are no values if the two times differ, or if one of them is not a finite number; if
    they differ, `changes` is true.
    """

    state: GameState
    values: tuple[float, ...] = ()
    actions: tuple[str, ...] = ()
    fault: Fault | None = None
    changes: bool = False

    def value(self, action: str) -> float:
        """The value of an action."""
        return self.values[self.state.actions().index(action)]

    def valued(self, action: str) -> str:
        """An action with its value."""
        return f"{action} has {own_value_text(self.value(action))}"

    @property
    def pair(self) -> str:
        """West and East with their values."""
        return f"{self.valued('West')} and {self.valued('East')}"

    @property
    def numbers(self) -> str:
        """The values of West and East."""
        return f"{own_value_text(self.value('West'))} and {own_value_text(self.value('East'))}"

    @property
    def drawing(self) -> Diagram:
        """The position, with the values below it if it has some."""
        return Diagram(str(self.state), values=tuple(zip(self.state.actions(), self.values, strict=False)))


Ask = Callable[[Sequence[GameState]], Sequence[Reply]]


class Probe(NamedTuple):
    """Food and ghosts by their places, to the right of the middle and up, and the better one of West and East.

    `timer` is how many moves the ghosts are scared.
    """

    food: tuple[Square, ...]
    ghosts: tuple[Square, ...]
    good: str
    capsules: tuple[Square, ...] = ()
    pacman: Square = (0, 0)
    timer: int = 0
    score: int = 0


PROBES = {
    "far food": Probe(((-4, 0),), ((0, 3),), "West"),
    "near food": Probe(((-2, 0),), ((0, 3),), "West"),
    "moved": Probe(((-4, 0),), ((0, 3),), "West", pacman=(-2, 0)),
    "capsule": Probe(((0, -3),), ((0, 3),), "West", capsules=((-1, 0),)),
    "middle food": Probe(((-3, 0),), ((0, 3),), "West"),
    "farthest food": Probe(((-5, 0),), ((0, 3),), "West"),
    "two foods": Probe(((-2, 0), (4, 0)), ((0, 3),), "West"),
    "eat": Probe(((-1, 0), (3, 0)), ((0, 3),), "West"),
    "win": Probe(((-1, 0),), ((0, 3),), "West", score=300),
    "ghost": Probe(((0, -3),), ((-2, 0),), "East"),
    "farther ghost": Probe(((0, -3),), ((-4, 0),), "East"),
    "farther scared ghost": Probe(((0, -3),), ((-4, 0),), "West", timer=30),
    "scared ghost": Probe(((0, -3),), ((-2, 0),), "West", timer=30),
    "first ghost": Probe(((0, -3),), ((-2, 0), (0, 3)), "East"),
    "second ghost": Probe(((0, -3),), ((0, 3), (-2, 0)), "East"),
    "death": Probe(((0, -3),), ((-1, 0),), "East"),
}


class Mistake(NamedTuple):
    """A sentence about a mistake, without its numbers, and a question that leads to it.

    If it shows in the values of two moves, the `tests`: patterns of the signs with which the value of the good move of
    some probes compares with that of the bad one, for each probe and its mirror image. Then the `proof`, from these
    moves and values of the first probe of the last test, and what the mistake `covers`. `also` must be true, too.
    """

    sentence: str
    hint: str
    tests: tuple[tuple[str, ...], ...] = ()
    proof: str = ""
    covers: tuple[str, ...] = ()
    also: Callable[[_Evidence], bool] = lambda evidence: True


NEARER_FOOD = "{0}, 1 step nearer to the only food, has {1}; {2}, 1 step farther from it, has {3}"
NEARER_GHOST = "{0}, 3 steps from the ghost, has {1}; {2}, 1 step from it, has {3}"
MISTAKES = {
    "worst-action": Mistake("Your agent chooses the action with the smallest value",
        "Which comparison chooses the action?"),
    "not-the-best-action": Mistake("Your agent does not choose the action with the largest value",
        "Which lines choose the action, and what do they do with equal or negative values?"),
    "changing-value": Mistake("The code gives the same position different values",
        "Look for `random`, and for anything that your code keeps from one call to the next."),
    "value-is-score": Mistake("The value is the score",
        "What does Pacman have to know where no move earns points at once? The score does not say it."),
    "constant-value": Mistake("All actions have the same value", "What should make one action better than another?"),
    "looks-before-the-move": Mistake("The value looks at Pacman's place before the move, not after it",
        "Which position does each line read: the one that was passed, or the successor?"),
    "fails-when-won": Mistake("The code fails in a won position",
        "What does it compute or return where no food is left?"),
    "fails-when-lost": Mistake("The code fails in a lost position",
        "What does it compute or return where a ghost is on Pacman's square?"),
    "fails-near-a-ghost": Mistake("The code fails 1 step from a ghost",
        "What does it compute or return where a ghost is next to Pacman, or on his square?"),
    "fails-at-the-end": Mistake("The code fails at the end of a game, won or lost",
        "What does it compute or return where no food is left?"),
    "first-ghost-only": Mistake("Near a ghost, only the first one counts",
        "What happens with the other ghosts of the list?", ((">+", "first ghost"), ("=+", "second ghost")),
        "with ghost 1 one step to the west, {here[first ghost].pair}; with ghost 2 there, {here[second ghost].pair}"),
    "food-by-side": Mistake("Food on one side raises the value when it is nearer, food on the other side lowers it",
        "Which coordinates does the distance to food compare with one another?",
        (("(><)+|(<>)+", "far food", "near food"),),
        "with the only food 4 steps to the west, {here[far food].pair}; with it in the east, "
        "{mirrored[far food].pair}"),
    "alike-near-a-ghost": Mistake("Near a ghost, all actions have the same value",
        "By which value can Pacman see where he gets away from the ghost?", (("=+", "death"),),
        "with a ghost 1 step away, each has {1}", ("death-not-worse",),
        lambda evidence: all(len(set(each.values)) == 1 for each in evidence.probes["death"])),
    "not-the-nearest": Mistake("The nearer of two foods does not always attract Pacman",
        "Which food of the list does the value look at?", ((">+", "far food", "near food"), ("..", "two foods")),
        "with food 2 steps to the left and 4 to the right, {here[two foods].pair}; exchanged, "
        "{mirrored[two foods].pair}", (), lambda evidence: evidence.counts_one_food()),
    "timer-inverted": Mistake("Nearer to a dangerous ghost raises the value, and nearer to a scared one lowers it",
        "Is the test of the timer the wrong way round?",
        (("<+", "ghost", "farther ghost", "scared ghost", "farther scared ghost"),),
        "1 and 3 steps from a dangerous one, {here[ghost].numbers}; from a scared one, {here[scared ghost].numbers}",
        ("nearer-ghost", "next-to-a-ghost")),
    "farther-food": Mistake("A larger distance to food raises the value",
        "With which sign does the distance to food enter the value?", (("<+", "far food", "near food"),), NEARER_FOOD),
    "nearer-ghost": Mistake("A ghost that is nearer raises the value",
        "With which sign does the distance to a ghost enter the value?", (("<+", "ghost", "farther ghost"),),
        NEARER_GHOST, ("next-to-a-ghost", "stop-preferred")),
    "stop-preferred": Mistake("Stop is better than a step towards the only food",
        "What does your code add for Stop, or take off for a move?", ((">+", "near food", "far food"),),
        "{0}, 1 step nearer to the only food, has {1}; Stop has {stop}", (),
        lambda evidence: all(
            each.value(STOP) > each.value(good) and not is_close(each.value(STOP), each.value(good))
            for name in ("near food", "far food")
            for each, good in zip(evidence.probes[name], ("West", "East"), strict=True))),
    "next-to-a-ghost": Mistake("1 step from a ghost has a larger value than 3 steps",
        "With which sign does a near ghost enter the value?", (("<+", "ghost"),), NEARER_GHOST),
    "win-not-better": Mistake("A move that wins is not better than another one",
        "What is the value where no food is left?", (("[<=]+", "win"),),
        "{0}, which eats the last food at score 300, has {1}; {2}, which does not, has {3}"),
    "eating-not-better": Mistake("A move that eats food is not better than another one",
        "How does the value change when the nearest food is gone: by its distance, and by the number that are left?",
        (("[<=]+", "eat"),), "{0}, which eats food, has {1}; {2}, which does not, has {3}"),
    "death-not-worse": Mistake("A move into a ghost is not worse than another one",
        "What is the value of a lost position?", (("[<=]+", "death"),),
        "{0}, away from the ghost, has {1}; {2}, onto its square, has {3}"),
    "ghost-not-seen": Mistake("The value is the same 1 step and 3 steps from a ghost",
        "Which part of the value sees it?", (("=+", "ghost"),), NEARER_GHOST, (),
        lambda evidence: evidence.is_choice),
    "food-not-seen": Mistake("The value is the same 1 step nearer to food and 1 step farther from it",
        "How does Pacman find food that is far away?", (("=+", "far food", "near food"),), NEARER_FOOD),
    "food-only-near": Mistake("Food that is farther than 1 step does not attract Pacman",
        "What is the part of the value for food, as a number, at 1, 2 and 3 steps?",
        ((">+", "near food"), ("=+", "middle food", "far food", "farthest food")),
        "{0}, 2 steps from the only food, has {1}; {2}, 4 steps from it, has {3}"),
    "all-distances": Mistake("Between two foods, a step to the nearer one is worth no more than one to the other",
        "Does the value add up the distances to all foods? A step nearer to one is then a step farther from another.",
        ((">+", "far food", "near food"), ("=+", "two foods")),
        "with food 2 steps to the left and 4 to the right, {here[two foods].pair}; with the food on the left alone, "
        "{here[near food].pair}"),
    "farther-of-two": Mistake("Of two foods, the farther one attracts Pacman",
        "Which distance does the value use: the smallest of all, or another one?",
        ((">+", "far food", "near food"), ("<+", "two foods")),
        "{0}, towards the food 2 steps away, has {1}; {2}, towards the food 4 steps away, has {3}"),
    "fears-scared-ghosts": Mistake("A scared ghost that is nearer lowers the value",
        "Which part of the value sees a ghost, and what does it do if the ghost is scared?",
        (("<+", "scared ghost", "farther scared ghost"),),
        "{0}, 1 step from a scared ghost, has {1}; {2}, 3 steps from it, has {3}", (),
        lambda evidence: evidence.has_capsules),
}  # fmt: skip
"""By name, in the order in which they matter."""
CERTAIN = ("farther-food", "nearer-ghost", "timer-inverted", "first-ghost-only", "not-the-nearest")
"""What is wrong also in code that wins its games."""
IDLE_HINT = "Where Pacman is at the end of this game: which of his actions has the best value, and why?"


class Finding(NamedTuple):
    """A mistake with its proof in numbers, and the position and the values that show it."""

    name: str
    proof: str
    reply: Reply


def room(probe: Probe, side: int) -> GameState:
    """The position of a probe; with `side` -1 its mirror image."""
    marks = {(side * x, y): "." for x, y in probe.food} | {(side * probe.pacman[0], probe.pacman[1]): "P"}
    marks |= {(side * x, y): "o" for x, y in probe.capsules}
    marks |= {(side * x, y): str(number) for number, (x, y) in enumerate(probe.ghosts, 1)}
    columns, wall = range(-WIDTH, WIDTH + 1), "%" * (2 * WIDTH + 3)
    rows = ["".join(marks.get((x, y), " ") for x in columns) for y in range(HEIGHT, -HEIGHT - 1, -1)]
    text = str(start("\n".join([wall, *(f"%{row}%" for row in rows), wall])))
    return GameState.parse(text.replace(":0:", f":{probe.timer}:").replace("score=0", f"score={probe.score}"))


def find_mistake(question: Question, missed: Sequence[tuple[Case, Answer]], ask: Ask) -> Diagnosis | None:
    """What is wrong with a part that lost points in these cases; if it lost none, only what is `CERTAIN`.

    None if nothing is seen, or if the part failed in a way that its message explains.
    """
    faults = [answer.fault for _, answer in missed if answer.fault]
    if any(fault.kind not in (FaultKind.RAISED, FaultKind.REFUSED) for fault in faults):
        return None
    states = [room(probe, side) for probe in PROBES.values() for side in (1, -1)]
    games = [_positions(case, answer.lost_game.moves) for case, answer in missed if answer.lost_game and not faults]
    turns = [games[0][index] for index in _turns(games[0])] if games else []
    states += turns[:: len(turns) // MOST_POSITIONS + 1]
    replies = ask(states)
    pairs = zip(replies[::2], replies[1::2], strict=False)
    has_capsules = any(case.start.capsules for case, _ in missed)
    evidence = _Evidence(dict(zip(PROBES, pairs, strict=False)), replies, question.role == "choice", has_capsules)
    ends: list[tuple[str, GameState | None]] = []
    if faults:
        facts = [*evidence.failures()]
    else:
        facts = [*evidence.choices(), *evidence.general()] or [*evidence.compared()]
        facts = facts[:FEW] if missed else [each for each in facts if each.name in CERTAIN]
        ends = [*filter(None, map(_end_of_game, missed))] or [(text, None) for text in map(_choice, missed) if text]
    sentences = [f"{MISTAKES[each.name][0]}: {each.proof}." for each in facts] + [text for text, _ in ends[:1]]
    if facts:
        hint, drawing = MISTAKES[facts[0].name][1], facts[0].reply.drawing
        return Diagnosis(tuple(sentences), hint, tuple(each.name for each in facts), drawing)
    idle = ends[0][1] if ends else None
    if idle:
        return Diagnosis(tuple(sentences), IDLE_HINT, (), ask([idle])[0].drawing)
    return Diagnosis(tuple(sentences), "", ()) if ends else None


@dataclass(frozen=True)
class _Evidence:
    """The values at the two positions of each probe, and at all positions that were asked.

    `is_choice` is true of an agent, which also says which actions it chooses, and `has_capsules` if one of the missed
    cases has some.
    """

    probes: Mapping[str, tuple[Reply, Reply]]
    replies: Sequence[Reply]
    is_choice: bool
    has_capsules: bool

    def failures(self) -> Iterator[Finding]:
        """The kind of position in which the code fails, if it fails at both positions of this kind and at no other.

        An agent may fail in all actions next to a ghost, also in those that are not into it.
        """
        failing = tuple(name for name, pair in self.probes.items() if any(each.fault for each in pair))
        names = {("win",): "fails-when-won", ("death",): "fails-when-lost", ("win", "death"): "fails-at-the-end"}
        names |= {("death",): "fails-near-a-ghost", ("win", "death"): "fails-when-won"} if self.is_choice else {}
        faults = [(reply, reply.fault) for name in failing for reply in self.probes[name]]
        reply, fault = faults[0] if faults else (None, None)
        if failing in names and reply and fault and all(each for _, each in faults):
            yield Finding(names[failing], fault.text, reply)

    def choices(self) -> Iterator[Finding]:
        """The positions where the agent does not choose an action with the best of its own values.

        An agent that never stops may choose the best one of the other actions.
        """
        differing = [each for each in self.replies if len(set(each.values)) > 1 and each.actions]
        pairs = [(each, [each.value(action) for action in each.actions]) for each in differing]
        wrong = []
        for each, values in pairs:
            moves = [value for action, value in zip(each.state.actions(), each.values, strict=True) if action != STOP]
            best_values = max(each.values), max(moves, default=max(each.values))
            if not any(is_close(value, best) for value in values for best in best_values):
                wrong.append(each)
        if not wrong:
            return
        is_worst = len(wrong) > FEW and all(min(each.values) == max(values) for each, values in pairs)
        first = wrong[0]
        best, last = first.state.actions()[first.values.index(max(first.values))], first.actions[-1]
        here = f"here {first.valued(best)}, and it chooses {last}, which {first.valued(last).partition(' ')[2]}"
        proof = f"at {len(wrong)} of the {len(differing)} positions that were asked and where the values differ; {here}"
        yield Finding("worst-action" if is_worst else "not-the-best-action", proof, first)

    def general(self) -> Iterator[Finding]:
        """What is wrong with all values: they are one number, or the score.

        Of an agent, also that they depend on where Pacman stands, and are then the same for all actions.
        """
        far = self.probes["far food"][0]
        if changing := [each for each in self.replies if each.changes]:
            count = f"{len(changing)} of the {len(self.replies)} positions that were asked twice"
            yield Finding("changing-value", f"at {count}", changing[0])
        values = [each.values for each in self.replies]
        if not all(values):
            return
        count = f"at each of the {len(self.replies)} positions that were asked"
        states = [each.state for each in self.replies]
        scores = [tuple(float(state.successor(each).score) for each in state.actions()) for state in states]
        before = [[each.values for each in self.probes[name]] for name in ("far food", "moved")]
        if len({value for each in values for value in each}) == 1:
            yield Finding("constant-value", f"{own_value_text(values[0][0])} {count}", far)
        elif values == scores:
            yield Finding("value-is-score", f"{count}, the value of each action is the score after it", far)
        elif self.is_choice and all(
            len({*one}) == len({*other}) == 1 and one[0] != other[0] for one, other in zip(*before, strict=True)
        ):  # only Pacman's place differs
            there, here = (own_value_text(each[0][0]) for each in before)
            proof = f"with the only food 4 steps away, all actions have the value {there}; with it 2 steps away, {here}"
            yield Finding("looks-before-the-move", proof, far)

    def compared(self) -> Iterator[Finding]:
        """What is wrong with the values of two moves, what matters most first."""
        covered = set[str]()
        here, mirrored = ({name: pair[side] for name, pair in self.probes.items()} for side in (0, 1))
        for name, mistake in MISTAKES.items():
            if not mistake.tests or name in covered or not all(self._fits(*test) for test in mistake.tests):
                continue
            if mistake.also(self):
                covered.update(mistake.covers)
                probe = mistake.tests[-1][1]
                good, reply = PROBES[probe].good, here[probe]
                moves = [text for each in (good, OPPOSITE[good]) for text in (each, own_value_text(reply.value(each)))]
                stop = own_value_text(reply.value(STOP))
                proof = mistake.proof.format(*moves, here=here, mirrored=mirrored, stop=stop)
                yield Finding(name, proof, reply)

    def _fits(self, pattern: str, *names: str) -> bool:
        """True if a pattern has the signs of these probes.

        Two values that differ by too little to say anything are compared in no way.
        """
        signs = []
        for name in names:
            for side, reply in zip((1, -1), self.probes[name], strict=True):
                if not reply.values:
                    return False
                good, bad = (reply.value(each) for each in (PROBES[name].good, OPPOSITE[PROBES[name].good])[::side])
                signs.append("=" if good == bad else "~" if is_close(good, bad) else "<" if good < bad else ">")
        return re.fullmatch(pattern, "".join(signs)) is not None

    def counts_one_food(self) -> bool:
        """True if with two foods West and East differ as with one of them alone, always the left or the right one."""
        pairs = [self.probes[name] for name in ("near food", "far food", "two foods")]
        near, far, two = ([each.value("West") - each.value("East") for each in pair] for pair in pairs)
        return any(all(map(is_close, two, alone)) for alone in ((near[0], far[0]), (far[1], near[1])))


# The student's own games.


def _positions(case: Case, moves: Sequence[str]) -> list[GameState]:
    """All positions of a game, also the last one."""
    return [*accumulate(moves, GameState.successor, initial=case.start)]


def _turns(positions: Sequence[GameState]) -> list[int]:
    """The numbers of the positions where Pacman moves."""
    return [index for index, state in enumerate(positions) if state.mover == 0 and not state.is_terminal]


def _end_of_game(missed: tuple[Case, Answer]) -> tuple[str, GameState | None] | None:
    """How a game of a missed case was lost, or what Pacman did until it ended without a result; None if none was.

    Of the second kind, also the last position where he moved.
    """
    case, answer = missed
    game = answer.lost_game
    if game is None or not isinstance(case.input, MatchInput):
        return None
    positions, where = _positions(case, game.moves), f"In game {game.number} of {case.id}, "
    turns = _turns(positions)
    if positions[-1].is_lose and turns:
        lives = [(positions[index], game.moves[index]) for index in turns]
        return where + _death(lives, answer.losing_move, game.number), None
    after = [case.start, *(positions[index + 1] for index in turns if index + 1 < len(positions))]
    squares = [state.pacman.position for state in after]
    for number, stays in ((1, "stays at"), (2, "stays on the two squares")):
        kept = next((count for count in range(len(after)) if len(set(squares[-count - 2 :])) > number), len(after) - 1)
        if kept >= LONG:
            ends = " and ".join(map(str, sorted(set(squares[-kept - 1 :]))))
            return f"{where}Pacman {stays} {ends} in his last {kept} moves.", positions[turns[-1]]
    left = [state.food_left for state in after]
    hungry, moves = len(left) - 1 - left.index(left[-1]), len(left) - 1
    idle = sum(one == other for one, other in pairwise(left))
    if hungry >= LONG:
        return f"{where}Pacman eats no food in his last {hungry} moves.", positions[turns[-1]]
    if positions[-1].is_terminal or idle < max(LONG, moves / 2):
        return None
    return f"{where}Pacman leaves {left[-1]} foods, and eats none in {idle} of his {moves} moves.", positions[turns[-1]]


def _death(turns: Sequence[tuple[GameState, str]], valued: LosingMove | None, game: int) -> str:
    """Pacman's last move in a lost game, how near a ghost then was, and the move that leads farthest from it.

    `turns` are the positions where he moved, with his moves. If an action wins, only that is said. If no other action
    took him out of the reach of all ghosts, the last of his moves at which one did.
    """
    state, action = turns[-1]
    values = dict(valued.values) if valued and (valued.game, valued.action) == (game, action) else {}
    if won := next((each for each in state.actions() if state.successor(each).is_win), ""):
        return f"Pacman dies: his last move is {_with_value(action, values)}; {_with_value(won, values)} wins the game."
    steps = {each: _steps_to_ghost(state.successor(each)) for each in state.actions()}
    safest, near = max(steps, key=steps.__getitem__), steps[action]
    last = f"Pacman dies after his last move, {_with_value(action, values)}"
    if near == FAR:
        return f"{last}."
    if steps[safest] <= max(1, near):
        return f"{last}{_last_way_out(turns)}."
    ghosts = zip(state.ghosts, state.successor(action).ghosts, state.homes, strict=True)
    is_eater = any(new == home != old for old, new, home in ghosts)
    end = " eats a scared ghost, which starts again at its home, and" if is_eater else ""
    end += f" ends {counted(near, 'step')} from a ghost" if near else " ends on the square of a ghost"
    away = "no ghost could catch him" if steps[safest] == FAR else f"he would be {counted(steps[safest], 'step')} away"
    return (
        f"Pacman dies: his last move, {_with_value(action, values)},{end}; after {_with_value(safest, values)} {away}."
    )


def _last_way_out(turns: Sequence[tuple[GameState, str]]) -> str:
    """The last of Pacman's moves where another action led out of the reach of every ghost; "" if none is found."""
    for number in range(len(turns) - 1, 0, -1):
        state, action = turns[number - 1]
        ways = [each for each in state.actions() if each != action and _steps_to_ghost(state.successor(each)) > 1]
        if ways:
            there = f"at his move {number} of {len(turns)} he chose {action}"
            return f"; {there}, and no ghost could catch him at once after {ways[0]}"
    return ""


def _choice(missed: tuple[Case, Answer]) -> str:
    """What a wrong action at one position leads to, and a right one; "" in another case."""
    case, move = missed[0], missed[1].losing_move
    if not isinstance(case.input, PositionInput) or not case.input.accept or not move or not move.values:
        return ""
    right, values = case.input.accept[0], dict(move.values)
    if move.action not in values or right not in values:
        return ""
    words = [f"{_with_value(each, values)}, which {_leads(case.start, each)}" for each in (move.action, right)]
    return f"In {case.id}, Pacman chooses {words[0]}, and not {words[1]}."


def _leads(state: GameState, action: str) -> str:
    after = state.successor(action)
    if after.is_terminal:
        return "wins" if after.is_win else "ends on the square of a ghost"
    steps, eats = _steps_to_ghost(after), after.food_left < state.food_left
    near = f" and ends {counted(steps, 'step')} from a ghost" if steps < FAR else ""
    return f"eats {'food' if eats else 'nothing'}{near}"


def _with_value(action: str, values: Mapping[str, float]) -> str:
    return f"{action} (value {own_value_text(values[action])})" if action in values else action


def _steps_to_ghost(state: GameState) -> int:
    """How many steps Pacman is from the nearest ghost that can catch him now or after its next move.

    0 in a lost position, FAR without such a ghost.
    """
    if state.is_lose:
        return 0
    steps = state.maze.distances(state.pacman.cell)
    return min(
        (steps.get(cell, FAR) for ghost in state.ghosts if ghost.timer <= 1 for cell in ghost.touches), default=FAR
    )
