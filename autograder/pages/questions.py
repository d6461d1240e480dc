"""The questions about a recorded search: the page stops before a step, and the step's own words are the answer.

A wrong guess is explained by the wrong search that would make it. Such a search runs from the node of the question on,
on a tree of one ply: its children are leaves with the values that the right search has for them. So it answers with
one mistake and no consequences of earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite
from typing import Any

from autograder.judge.wrong_searches import EQUAL, WITH_CUTS, WRONG_SEARCHES, Window, WrongSearch, run, text_of
from autograder.pages.search import Event, Recording, node_names
from pacman.core.errors import listed
from pacman.core.numbers import format_number, format_window
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record import steps
from pacman.search.exhaustive import exhaustive

Answer = float | Window | bool | str
"""A value, a window, whether the search cuts, or an action."""
DULL = {"window-swapped"}
"""A mistake that shows everywhere: no question is asked only for it."""
OF_LEAVES = {"sign-changed", "ply-short"}
"""Mistakes that only show above leaves."""


class Kind(StrEnum):
    """What a question asks for."""

    VALUE = "value"
    """The value with which the search leaves the node."""
    WINDOW = "window"
    """The window with which the search enters the next child."""
    CUT = "cut"
    """Whether the search leaves the node now, without the children that are left."""
    ACTION = "action"
    """The action that the search returns at the root."""


MISTAKES = {
    Kind.VALUE: "max-as-min max-as-chance min-as-max min-as-chance chance-as-min chance-as-max sum-for-mean "
    "equal-chances mean-divided-again integer-division wrong-value-at-chance wrong-value-at-max wrong-value-at-min "
    "last-value starts-at-zero compares-size sign-changed ply-short fail-hard cut-returns-zero no-cut",
    Kind.ACTION: "max-as-min min-as-max last-of-ties first-action action-of-last-loop compares-size",
    Kind.WINDOW: "alpha-never-raised beta-never-lowered both-reset alpha-lost beta-lost own-bound-only "
    "bound-overwritten bound-forgotten bounds-exchanged window-swapped window-through-chance",
    Kind.CUT: "strict-cut no-cut margin wrong-cut-test chance-stops",
}
"""The names of the wrong searches that the page tries for a wrong answer of each kind."""


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer, the mistakes that give it, and what the grader says to programs with them."""

    answer: Answer
    names: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A node at which the search stands: the node, the values of the children that it has left, and its window."""

    node: Outline
    values: tuple[float, ...]
    window: Window
    prunes: bool

    @property
    def rest(self) -> tuple[str, ...]:
        """The actions that the search has not followed yet."""
        return self.node.actions()[len(self.values) :]

    def answer(self, kind: Kind, row: WrongSearch | None) -> Answer | None:
        """What a wrong search, or (None) the right one, answers; None if it would not come to this question.

        A value or an action comes from the children that the right search has seen, or for a mistake about cuts from
        all.
        """
        is_about_cuts = kind in (Kind.WINDOW, Kind.CUT) or (row is not None and row.cuts == WITH_CUTS)
        cuts = "equal" if self.prunes and is_about_cuts else ""
        tree = _one_ply(self.node, self.values, is_about_cuts)
        result = run(text_of(row.edits if row else (), cuts), tree, 1, self.window)
        entered, place = result.trace.generated, len(self.values)
        if result.error:
            return None
        if kind is Kind.VALUE:
            return result.value
        if kind is Kind.ACTION:
            return result.action
        if kind is Kind.WINDOW:
            return result.windows[result.trace.successors[place]] if entered > place else None
        return entered == place if entered >= place else None

    def wrong_answers(self, kind: Kind, right: Answer) -> tuple[WrongAnswer, ...]:
        """The wrong answers that some mistake explains, each with all mistakes that give it."""
        rows: list[tuple[Answer, list[WrongSearch]]] = []
        names = MISTAKES[kind].split()
        is_above_leaves = all(branch.is_terminal for _, branch in self.node.branches)
        is_above_leaves &= not self.rest
        for row in WRONG_SEARCHES:
            if row.name not in names or (row.name in OF_LEAVES and not is_above_leaves):
                continue
            if not self.prunes and row.cuts in (WITH_CUTS, EQUAL):
                continue
            answer = self.answer(kind, row)
            if answer is None or is_same(answer, right):
                continue
            same = next((each for known, each in rows if is_same(known, answer)), None)
            if same is None:
                rows.append((answer, same := []))
            same.append(row)
        return tuple(
            WrongAnswer(answer, tuple({row.name: None for row in same}), tuple({row.sentence: None for row in same}))
            for answer, same in rows
        )


@dataclass(frozen=True)
class Question:
    """What the page asks after the first `events` of a recording, about the node `number` of the drawing.

    `shown` is the right answer in words, `why` the arithmetic behind it. `wrong` are the answers that a mistake
    explains.
    """

    kind: Kind
    number: int
    place: Place
    events: int
    text: str
    right: Answer
    shown: str
    why: str
    wrong: tuple[WrongAnswer, ...]

    def as_data(self) -> dict[str, Any]:
        """Plain JSON values; an infinite number is the text "inf" or "-inf"."""
        wrong = [
            {"answer": _plain(each.answer), "names": each.names, "sentences": each.sentences} for each in self.wrong
        ]
        data = {"kind": self.kind.value, "node": self.number, "text": self.text, "shown": self.shown, "why": self.why}
        choices = self.place.rest if self.kind is Kind.CUT else self.place.node.actions()
        return {**data, "answer": _plain(self.right), "wrong": wrong, "choices": choices}


@lru_cache(maxsize=4)
def _one_ply(node: Outline, values: tuple[float, ...], sees_all: bool) -> Outline:
    """A node with its first children as leaves: those with these values, and all others if the search `sees_all`."""
    rest = node.branches[len(values) :] if sees_all else ()
    leaves = [Outline(None, value) for value in (*values, *(exhaustive(each, each.height()).value for _, each in rest))]
    most, is_chance = len(leaves), node.layer is Layer.CHANCE
    return Outline(
        node.layer,
        branches=tuple(zip(node.actions()[:most], leaves, strict=True)),
        probabilities=tuple(Fraction(each) for each in node.probabilities[:most]) if is_chance else (),
        evaluation=node.evaluation,
    )


def is_same(one: Answer, other: Answer) -> bool:
    """True if two answers are equal, but for rounding."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(is_same, one, other))
    if isinstance(one, (bool, str, tuple)) or isinstance(other, (bool, str, tuple)):
        return one == other
    return one == other or (isfinite(one - other) and abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other)))


def questions(tree: Outline, recording: Recording) -> list[Question]:
    """The questions about a recorded search of the whole `tree`, in the order of the search.

    A step is asked for if a mistake shows in it, and if no question before it showed the same ones.
    """
    keys: set[tuple[object, ...]] = set()
    result = []
    for question in every_question(tree, recording):
        shows = frozenset(name for wrong in question.wrong for name in wrong.names)
        key = (question.kind, question.place.node.layer, shows)
        if shows - DULL and key not in keys:
            keys.add(key)
            result.append(question)
    return result


def every_question(tree: Outline, recording: Recording) -> Iterator[Question]:
    """A question before each step with a value, a window or a cut, and one about the action at the root."""
    asking = _Asking(tree, recording)
    for index, event in enumerate(recording.events):
        if event.kind == steps.Kind.ENTER and event.node:
            yield from asking.about_window(index, event)
        elif event.kind == steps.Kind.VALUE:
            if asking.nodes[event.node].branches:
                yield from asking.about_value(index, event)
            if event.node:
                yield from asking.about_cut(index, event)


class _Asking:
    """Goes through the events of a recording, and knows the values of the nodes that the search has left."""

    def __init__(self, tree: Outline, recording: Recording) -> None:
        self.recording, self.names = recording, node_names(recording.nodes)
        self.prunes = recording.algorithm != "exhaustive"
        self.nodes = [tree]
        self.windows: dict[int, Window] = {}
        for node in recording.nodes[1:]:
            self.nodes.append(self.nodes[node.parent].successor(node.action))
        self.values: dict[int, tuple[float, ...]] = {}
        for event in recording.events:
            visit = recording.report.steps[event.visit]
            self.windows[event.node] = visit.alpha, visit.beta

    def about_window(self, index: int, event: Event) -> Iterator[Question]:
        """The question for the window with which the search enters a node."""
        if not self.prunes:
            return
        above = self.recording.nodes[event.node].parent
        node, values, before = self.nodes[above], self.values.get(above, ()), self.recording.events[index - 1]
        if node.layer is Layer.CHANCE:
            why = "A mean needs the exact value of every outcome, so alpha-beta gives each outcome the window (−∞, ∞)."
        elif not values:
            why = f"The first child gets the window of its parent: {format_window(*self.windows[above])}."
        elif before.kind == steps.Kind.WINDOW:
            why = f"{before.words}."
        else:
            last = node.actions()[len(values) - 1]
            why = f"{node.layer.name}: {last} is worth {format_number(values[-1])}, so the window does not change."
        text = f"At {self._name(above)}, the search enters the child {self.recording.nodes[event.node].action}. "
        text += "With which window (alpha, beta)?"
        right = self.windows[event.node]
        yield self._question(Kind.WINDOW, above, index, text, right, format_window(*right), why)

    def about_value(self, index: int, event: Event) -> Iterator[Question]:
        """The question for the value of a node, and at the root also for the action."""
        value, before = self._value(event), self.recording.events[index - 1]
        why = before.words if before.kind == steps.Kind.CUT else event.words
        text = f"The search leaves {self._name(event.node)}. With which value?"
        yield self._question(Kind.VALUE, event.node, index, text, value, format_number(value), f"{why}.")
        action, layer = self.recording.action, self.nodes[0].layer
        if event.node == 0 and layer is not Layer.CHANCE and action is not None:
            text = f"The search is over, and the root is a {layer.name} node. Which action does it return?"
            why = f"{event.words}; the first action with this value is {action}."
            yield self._question(Kind.ACTION, 0, index, text, action, action, why)

    def about_cut(self, index: int, event: Event) -> Iterator[Question]:
        """The question whether the search leaves the node above, after it has left this one."""
        above = self.recording.nodes[event.node].parent
        self.values[above] = values = (*self.values.get(above, ()), self._value(event))
        node, following = self.nodes[above], self.recording.events[index + 1]
        rest = node.actions()[len(values) :]
        if not self.prunes or not rest:
            return
        is_cut = following.kind == steps.Kind.CUT
        alpha, beta = self.windows[above]
        alpha = max(alpha, *values) if node.layer is Layer.MAX else alpha
        beta = min(beta, *values) if node.layer is Layer.MIN else beta
        why = f"alpha {format_number(alpha)} < beta {format_number(beta)}: the window is still open."
        if is_cut:
            why = f"{following.words}."
        elif node.layer is Layer.CHANCE:
            why = "One outcome does not bound the mean, so alpha-beta never leaves a CHANCE node early."
        in_words = f"Yes: the search cuts, and never sees {listed(rest)}" if is_cut else "No: the search goes on"
        text = f"At {self._name(above)}, the child {node.actions()[len(values) - 1]} has returned a value. "
        text += "Does the search leave the node now, by a cut?"
        yield self._question(Kind.CUT, above, index + 1, text, is_cut, in_words, why)

    def _value(self, event: Event) -> float:
        value = self.recording.report.steps[event.visit].value
        assert value is not None
        return value

    def _name(self, number: int) -> str:
        layer = self.nodes[number].layer.name
        return f"the {layer} node {self.names[number]}" if number else f"the root, a {layer} node"

    def _question(
        self, kind: Kind, number: int, events: int, text: str, right: Answer, shown: str, why: str
    ) -> Question:
        place = Place(self.nodes[number], self.values.get(number, ()), self.windows[number], self.prunes)
        return Question(kind, number, place, events, text, right, shown, why, place.wrong_answers(kind, right))


def _plain(answer: Answer) -> Any:
    """An answer as a JSON value."""
    if isinstance(answer, tuple):
        return [_plain(each) for each in answer]
    if isinstance(answer, float) and abs(answer) == inf:
        return "inf" if answer > 0 else "-inf"
    return answer
