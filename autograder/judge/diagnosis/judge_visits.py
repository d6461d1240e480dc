"""Judges each visit of a watched search by itself: did it make of its successors' values what it should?

Nothing here asks whether the whole search is right. A visit is judged by what its own calls returned.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, isinf
from typing import NamedTuple

from autograder.judge.compare import first_repeated
from autograder.judge.diagnosis.counts import PLIES_LEFT, Count
from autograder.judge.diagnosis.run import WatchedTree
from autograder.judge.diagnosis.steps import CHANCE, MAX, OPEN, Breach, Step, Window, best_below
from pacman.record.calls import NodeCall, NodeVisit, is_near
from pacman.record.reading import Reading
from pacman.record.watcher import Event, StatementKind

STOP, LOOP = "Stop", StatementKind.LOOP
NAMES_OF_ENDS = (("alpha", "beta"), ("a", "b"))
"""How students name the two ends of a window."""


class _Given(NamedTuple):
    """A number of plies or rounds that a call gets, and the right one."""

    frame: NodeCall
    name: str
    number: float
    right: int

    def step(self, breach: Breach, visit: NodeVisit, action: str = "") -> Step:
        """The call as a step of a visit."""
        return Step(breach, visit, self.frame.start, self.frame.call.line, self.right, self.number, action, self.name)


class VisitJudge:
    """Judges visits for a question. `cuts` is "equal" or "strict" where a right search cuts, else empty.

    With `may_skip_stop`, a MAX node may leave out the action Stop.
    """

    def __init__(
        self, reading: Reading, cuts: str, may_skip_stop: bool = False, counts: Mapping[str, Count] | None = None
    ) -> None:
        """With the `counts` of the search; by default those of the parameters that the reading knows."""
        self.reading, self.cuts, self.may_skip_stop = reading, cuts, may_skip_stop
        self.counts = {name: PLIES_LEFT for _, name in reading.plies} if counts is None else counts

    def judge(self, tree: WatchedTree) -> tuple[Step, ...]:
        """The steps of a watched search, in the order of time."""
        self._tree, self._window = tree, defaultdict[int, Window](lambda: OPEN)
        self._largest = max((abs(leaf.score) for leaf in tree.visits if leaf.is_leaf), default=0.0)
        self._searched = {visit.number for visit in tree.visits if visit.made or visit.below}
        self._valued = sorted(
            (each for each in tree.visits if each.value is not None), key=lambda each: each.value or 0
        )
        self._values = [each.value or 0 for each in self._valued]
        steps: list[Step] = []
        if tree.root is not None:
            self._set_windows(tree.root, -inf, inf)
        for visit in tree.visits:
            if visit.left >= 0:
                steps += self._visit(visit)
        of_horizon = (Breach.BELOW_HORIZON, Breach.TOO_EARLY, Breach.EVALUATED)
        ends = [step.visit.path for step in steps if step.breach in of_horizon]
        # a number that does no harm is another way to count
        steps = [step for step in steps if step.breach is not Breach.PLIES or any(map(step.is_above, ends))]
        steps = [self._wrong_mover(step) or step for step in steps]
        if tree.root is not None and not tree.root.has_raised:
            steps += self._root_action(tree.root, tree.run.claim.action if tree.run.claim else None)
        return tuple(sorted(steps, key=lambda step: (step.time, step.is_harmless)))

    def _visit(self, visit: NodeVisit) -> Iterator[Step]:
        if step := self._not_the_successor(visit):
            yield step
            return
        back = visit.value_frame or (visit.frames[0] if visit.frames else None)
        line = back.back.line if back and back.back else visit.line
        yield from self._plies(visit)
        if visit.is_leaf:
            yield from self._leaf(visit, line)
            return
        values = visit.values_below()
        if not visit.made and not visit.below:
            yield from self._without_successors(visit, line)
            return
        if (node := first_repeated([event.node for _, event in visit.made])) is not None:
            again = [made for made in visit.made if made[1].node == node][1]
            never = [each for each in visit.node.actions if each not in values]
            is_open = never and not (values and self._is_closed(visit, best_below(visit)))
            is_instead = is_open and len(visit.made) >= len(visit.node.actions)
            yield self._at(again, Breach.OTHER_SUCCESSOR if is_instead else Breach.AGAIN, visit)
        if not self._is_of_other_layer(visit, values):
            yield from self._windows_and_cuts(visit)
        if visit.has_raised:
            return
        is_score = visit.value is not None and is_near(visit.value, visit.score)
        if values:
            yield from self._result(visit, values, line)
        elif (
            visit.scores and is_score and not is_near(visit.score, visit.node.right)
        ):  # nothing looked at the successors
            index, event = visit.scores[0]
            yield Step(Breach.OWN_SCORE, visit, index, event.line, visit.node.right, visit.value)

    def _at(self, made: tuple[int, Event], breach: Breach, visit: NodeVisit, got: float | None = None) -> Step:
        """A step at the moment when a successor was made."""
        (index, event), window = made, self._window[visit.start]
        return Step(breach, visit, index, event.line, None, got, self._tree.trace.actions[event.node], window=window)

    def _is_of_other_layer(self, visit: NodeVisit, values: Mapping[str, float]) -> bool:
        """True if the code takes the largest value at a MIN node, or the smallest at a MAX node, as its windows do."""
        if visit.layer is CHANCE or visit.value is None or len(values) < len(visit.node.actions):
            return False
        worst = (min if visit.layer is MAX else max)(values.values())
        return is_near(visit.value, worst) and not is_near(worst, best_below(visit))

    def _wrong_mover(self, step: Step) -> Step | None:
        """The call in which Pacman moves again, or no agent, if all moves from there have the number of a wrong agent.

        Drawn trees do not read that number, so without a wrong step it does no harm.
        """
        first, above = None, step.visit
        while above.parent and _mover(above) not in (None, above.node.turn):
            first, above = above, above.parent
        if first is None:
            return None
        is_second = first.node.turn == 1 and _mover(first) == 0
        if not is_second and (_mover(first) or 0) < first.node.agents:
            return None
        breach = Breach.MOVES_TWICE if is_second else Breach.NO_AGENT
        return Step(breach, first, first.start, first.line, first.node.right, _mover(first), first.path[-1])

    def _not_the_successor(self, visit: NodeVisit) -> Step | None:
        """The first call for the node itself, of as many as it made successors, if it searches none of them.

        Or one of as many as there are actions, all with the same numbers, if it makes no successor.
        """
        for frame in visit.frames:
            made = [(index, event) for index, event in visit.made if event.call == frame.call.call]
            inside = [each for each in visit.frames if frame.has(each.start)]
            direct = [each for each in inside if not any(other.has(each.start) for other in inside)]
            alike = [each for each in direct if each.call.numbers == direct[0].call.numbers]
            loops = [each for each in self._tree.functions[frame.call.function].statements if each.kind is LOOP]
            is_in_loop = direct and any(each.first < direct[0].call.line <= each.last for each in loops)
            is_all = 0 < len(alike) == len(direct) == len(visit.node.actions)
            is_for_each = is_all and (len(direct) > 1 or is_in_loop)
            if is_for_each and not made:
                return Step(Breach.SAME_NODE, visit, direct[0].start, direct[0].call.line)
            if not made:
                continue
            if not direct or len(direct) < len(made) or direct[0].start < made[0][0]:
                continue
            own = {each.number for each in visit.below if not any(other.has(each.start) for other in direct)}
            if own.isdisjoint(event.node for _, event in made):
                time, line = direct[0].start, direct[0].call.line
                return Step(
                    Breach.NOT_THE_SUCCESSOR, visit, time, line, action=self._tree.trace.actions[made[0][1].node]
                )
        return None

    def _leaf(self, visit: NodeVisit, line: int) -> Iterator[Step]:
        score = visit.score
        if visit.made:
            yield replace(self._at(visit.made[0], Breach.BELOW_HORIZON, visit, visit.value), expected=score)
        elif visit.has_raised:
            return
        elif visit.value is None:
            if self._gives_values(visit):
                yield Step(Breach.NO_VALUE, visit, visit.end, line, score)
        elif not self._is_hard(visit, score):
            yield Step(Breach.LEAF_VALUE, visit, visit.end, line, score, visit.value)

    def _without_successors(self, visit: NodeVisit, line: int) -> Iterator[Step]:
        """A visit with plies left that looked at nothing."""
        right = visit.node.right
        if visit.has_raised or (self.may_skip_stop and visit.node.actions == (STOP,)):
            return
        if visit.value is None:
            if self._gives_values(visit):
                yield Step(Breach.NO_VALUE, visit, visit.end, line, right)
        elif is_near(visit.value, visit.score) and not self._is_stored(visit) and not is_near(visit.value, right):
            if visit.number in self._searched:
                return  # it is evaluated as well, for example to sort the successors
            is_by_parent = visit.read_at >= 0
            breach, line = (Breach.EVALUATED, visit.line) if is_by_parent else (Breach.TOO_EARLY, line)
            yield Step(breach, visit, visit.end, line, right, visit.value)
        elif not is_near(visit.value, right) and not self._is_bound(visit, right):
            is_known = bool(visit.value) and self._is_known(visit.value, visit)
            # an infinite value is the start of a loop without turns, and a loop that leaves one out has none here
            if isinf(visit.value) or (len(visit.node.actions) == 1 and not is_known):
                yield Step(Breach.NOT_SEARCHED, visit, visit.end, line, right, visit.value, visit.node.actions[0])
                return
            yield Step(Breach.REMEMBERED if is_known else Breach.NO_LOOK, visit, visit.end, line, right, visit.value)
        elif self._is_stored(visit) or not is_near(visit.value, visit.score):
            yield Step(Breach.STORED, visit, visit.end, line, right, visit.value)

    def _plies(self, visit: NodeVisit) -> Iterator[Step]:
        """A call for a successor that gets a wrong number of plies or rounds, from a visit that got the right one.

        A second call for the same node may get any number, for example the plies of the successors. If the
        successors then get a wrong one, or if no successor is made, that call is the step.
        """
        calls = self._given(visit)
        wrong = [each for each in calls if each.number != each.right]
        if wrong and wrong[0] is calls[0] and (visit is not self._tree.root or calls[0].frame is visit.frames[0]):
            return
        for each in wrong[:1] if visit.is_leaf or not (visit.made or visit.below) else ():
            functions = {other.call.function for other in visit.frames if other.has(each.frame.start)}
            is_same = each.frame.call.function in functions and not visit.is_leaf
            yield each.step(Breach.SAME_NODE if is_same else Breach.PLIES, visit)
        for child in visit.successors:
            given = self._given(child) if child.left >= 0 else []
            right = {each.name for each in given if each.number == each.right}
            for each in (each for each in given if each.name not in right):
                around = [other for other in wrong if other.name == each.name and other.frame.has(each.frame.start)]
                spoiling = (  # from which this number comes
                    other
                    for other in around
                    if other.number != each.right or each.number - other.number == each.right - other.right
                )
                yield next(spoiling, each).step(Breach.PLIES, visit, child.path[-1])
                break

    def _given(self, visit: NodeVisit) -> list[_Given]:
        """The numbers of plies or rounds that the calls of a visit get."""
        return [
            _Given(frame, name, number, self.counts[name].right(visit.node))
            for frame in visit.frames
            for name, number in frame.call.numbers
            if name in self.counts and not frame.is_moved
        ]

    def _result(self, visit: NodeVisit, values: Mapping[str, float], line: int) -> Iterator[Step]:
        layer = visit.layer
        missing = [action for action in visit.node.actions if action not in values]
        if any(len(each.path) > len(visit.path) + 1 and each.path[len(visit.path)] in missing for each in visit.below):
            return  # the search looks at two plies at once
        if self.may_skip_stop and layer is MAX and missing == [STOP]:
            missing = []
        best = best_below(visit)
        if missing and self.cuts and self.reading.has_scouts:
            return
        if missing and not self.cuts and (taken := self._stored_value(visit, values, missing)) is not None:
            yield Step(Breach.OTHER_VALUES, visit, visit.end, line, None, taken, missing[0])
            return
        if missing and not self.reading.has_scouts and not self._is_closed(visit, best):
            rule = Breach.CUT_EARLY if self.cuts else Breach.NOT_SEARCHED
            window = self._window[visit.start]
            yield Step(rule, visit, visit.end, line, None, visit.value, missing[0], window=window)
            return
        if missing and not self.cuts:
            yield Step(Breach.UNASKED_CUT, visit, visit.end, line, None, visit.value, missing[0])
        if visit.value is None:
            if visit.parent is not None and self._gives_values(visit):
                yield Step(Breach.NO_VALUE, visit, visit.end, line, best)
            return
        if not self._is_hard(visit, best):
            yield Step(Breach.RESULT, visit, visit.end, line, best, visit.value)

    def _stored_value(self, visit: NodeVisit, values: Mapping[str, float], missing: Sequence[str]) -> float | None:
        """The value of another node that the visit took for a successor that it did not search; None if there is none.

        A 0 proves nothing: that is also how a search begins.
        """
        if visit.value is None or not values:
            return None
        taken = visit.value
        if visit.layer is CHANCE:
            chances = dict(zip(visit.node.actions, visit.node.probabilities, strict=True))
            done = sum(chances[action] * value for action, value in values.items())
            if len(missing) > 1 or not chances[missing[0]]:
                return None
            taken = (visit.value - done) / chances[missing[0]]
        elif (taken <= best_below(visit)) if visit.layer is MAX else (taken >= best_below(visit)):
            return None
        is_of_searched = any(is_near(taken, value) for value in values.values())
        is_given = any(is_near(taken, number) for frame in visit.frames for _, number in frame.call.numbers)
        return taken if taken and not is_of_searched and not is_given and self._is_known(taken, visit) else None

    def _is_known(self, value: float, visit: NodeVisit) -> bool:
        """True if an earlier visit, of no successor of this one, has this value."""
        room = 2e-6 * max(1.0, abs(value))
        near = slice(bisect_left(self._values, value - room), bisect_right(self._values, value + room))
        return any(
            each.end < visit.end and each.parent is not visit and is_near(value, each.value or 0)
            for each in self._valued[near]
        )

    def _root_action(self, root: NodeVisit, action: str | None) -> Iterator[Step]:
        values = {each.path[-1]: each for each in root.successors if each.value is not None}
        missing = set(root.node.actions) - set(values)
        if root.is_leaf or root.layer is CHANCE or not values:
            return
        if missing and not (self.may_skip_stop and missing == {STOP}):
            return
        best = best_below(root)
        chosen = values.get(action or "")
        back = root.frames[0].back
        line = back.line if back else root.line
        if chosen is None or chosen.value is None or not is_near(chosen.value, best):
            got = chosen.value if chosen else None
            yield Step(Breach.ACTION, root, root.end, line, best, got, action or "")
        elif self.cuts and not missing and not is_near(chosen.value, chosen.node.right):
            if is_near(chosen.node.right, root.node.right):
                return
            if not all(
                self._is_bound(each, each.node.right) or is_near(each.value or 0, each.node.right)
                for each in values.values()
            ):
                return
            yield Step(Breach.BOUND_AS_VALUE, root, root.end, line, best, chosen.node.right, action or "")

    # Windows.

    def _set_windows(self, visit: NodeVisit, alpha: float, beta: float) -> None:
        """The true window of a visit and of all below: what the values above it in this run allow."""
        self._window[visit.start] = alpha, beta
        if visit.layer is CHANCE or visit.is_leaf:
            for child in visit.below:
                self._set_windows(child, -inf, inf)
            return
        before = {id(child): window for child, window, _ in self._successors(visit)}
        for child in visit.below:
            self._set_windows(child, *before.get(id(child), (alpha, beta)))

    def _successors(self, visit: NodeVisit) -> Iterator[tuple[NodeVisit, Window, Window]]:
        """The visits of successors in order, each with the true window of the node before it and after it.

        If a successor is searched again, its own earlier value does not count.
        """
        alpha, beta = self._window[visit.start]
        values: dict[int, float] = {}

        def window(numbers: Iterable[float]) -> Window:
            return (max([alpha, *numbers]), beta) if visit.layer is MAX else (alpha, min([beta, *numbers]))

        for child in visit.successors:
            before = window([value for number, value in values.items() if number != child.number])
            if child.value is not None:
                values[child.number] = child.value
            yield child, before, window(values.values())

    def _windows_and_cuts(self, visit: NodeVisit) -> Iterator[Step]:
        if visit.layer is CHANCE:
            for child in visit.successors:
                if child.frames and child.value is not None and not child.is_leaf:
                    is_right = is_near(child.value, child.node.right)
                    for step in self._passed(visit, child, child.frames[0], -inf, inf):
                        yield replace(step, is_harmless=is_right)
            return
        if not self.cuts or self.reading.has_scouts:
            return
        window = alpha, beta = self._window[visit.start]
        closed_at: int | None = None
        closing = 0.0
        for frame in visit.frames[1:]:
            exchanged = [*self._passed(visit, visit, frame, *(visit.window or OPEN))][:1]
            if visit is self._tree.root:
                yield from self._passed(visit, visit, frame, alpha, beta)
            elif exchanged and exchanged[0].got in ((end := exchanged[0].window[1]), -end if isfinite(end) else end):
                yield exchanged[0]
        for child, before, (low, high) in self._successors(visit):
            if closed_at is None and child.frames and not child.is_leaf:
                yield from self._passed(visit, child, child.frames[0], *before)
            if closed_at is None and (low > high or (low == high and self.cuts == "equal")):
                closed_at, closing = child.end, low if visit.layer is MAX else high
        searched = [child.path[-1] for child in visit.successors]
        actions = list(dict.fromkeys(searched))
        first = visit.successors[0].start if searched else 0
        early = [(index, event) for index, event in visit.made if index < first]
        if len(early) > 1:
            yield self._at(early[1], Breach.ALL_FIRST, visit)
        if actions != [action for action in visit.node.actions if action in actions]:
            child = visit.successors[0]
            yield Step(Breach.ORDER, visit, child.start, child.line, action=searched[0], window=window)
        if closed_at is not None:
            late = [made for made in visit.made if made[0] > closed_at]
            yield from (self._at(made, Breach.CUT_LATE, visit, closing) for made in late[:1])

    def _passed(self, visit: NodeVisit, child: NodeVisit, frame: NodeCall, alpha: float, beta: float) -> Iterator[Step]:
        """A window that a call passes on, if it differs from the true one."""
        action, line = "" if child is visit else child.path[-1], frame.call.line
        numbers = dict(frame.call.numbers)
        if alpha < beta and any((numbers.get(high), numbers.get(low)) == (alpha, beta) for low, high in NAMES_OF_ENDS):
            yield Step(Breach.WINDOW, visit, frame.start, line, alpha, beta, action, "alpha", (alpha, beta))
            return
        given_window = self.reading.window_of(child, frame)
        if given_window is None or self.reading.is_turned(frame.call.function):
            return
        for bound, given, true in zip(("alpha", "beta"), given_window, (alpha, beta), strict=True):
            is_far = abs(given) > self._largest and abs(true) > self._largest and (given > 0) == (true > 0)
            if is_far or is_near(given, true):  # no number of the tree lies between the two
                continue
            is_wide = given < true if bound == "alpha" else given > true
            yield Step(Breach.WINDOW, visit, frame.start, line, true, given, action, bound, (alpha, beta), is_wide)

    def _is_closed(self, visit: NodeVisit, best: float) -> bool:
        """True if the successors that were searched close the window of a visit, so that others may be left out."""
        if visit.layer is CHANCE:
            return False
        alpha, beta = self._window[visit.start]
        is_beyond, is_equal = (best > beta, best == beta) if visit.layer is MAX else (best < alpha, best == alpha)
        # where a question asks for all nodes, a cut is harmless if it is one of alpha-beta
        return is_beyond or (is_equal and self.cuts != "strict")

    def _is_hard(self, visit: NodeVisit, right: float) -> bool:
        """True for this value, and for the end of the window that it is beyond, as a fail-hard alpha-beta returns."""
        alpha, beta = self._window[visit.start] if self.cuts and visit.layer is not CHANCE else OPEN
        allowed = (right, max(right, alpha), min(right, beta), min(max(right, alpha), beta))
        return visit.value is not None and any(is_near(visit.value, each) for each in allowed)

    def _is_bound(self, visit: NodeVisit, right: float) -> bool:
        """True if a right alpha-beta may return this value for the node in its window."""
        if not self.cuts or visit.value is None:
            return False
        alpha, beta = self._window[visit.start]
        return (right <= alpha and right <= visit.value <= alpha) or (right >= beta and right >= visit.value >= beta)

    def _is_stored(self, visit: NodeVisit) -> bool:
        """True if one of the lines that returned the value returns other numbers than evaluations elsewhere."""
        return any(
            frame.back is not None and (frame.call.function, frame.back.line) in self.reading.stored
            for frame in visit.frames
        )

    def _gives_values(self, visit: NodeVisit) -> bool:
        """True if a function that this visit called works out values in other calls, and returned no number here."""
        is_known = any(frame.call.function in self.reading.places for frame in visit.frames)
        return is_known and all(self.reading.number_in(frame) is None for frame in visit.frames)


def _mover(visit: NodeVisit) -> float | None:
    """The number of the agent with which the code made the first successor; None if it said none, or made none."""
    return next((number for _, event in visit.made[:1] for _, number in event.numbers), None)
